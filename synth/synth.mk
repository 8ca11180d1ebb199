# SPDX-License-Identifier: Apache-2.0
# synth.mk: synthesis, netlists, proofs and lint of rtl/; included by the Makefile, which has Q and
# RTL.
#
# Results do not depend on how the C is compiled, so they are in the same folders for every BUILD.

# Missing tools are reported even if every result is up to date.
formal formal-all equal equal-all cones: | tools-formal
synth deleted: | tools-synth

# Clock rates are measured with the distribution's Yosys only.
NEXTPNR ?= $(if $(YOWASP),,nextpnr-ice40)
IVERILOG ?= iverilog
export NEXTPNR IVERILOG VERILATOR

include synth/netlist.mk

FORMAL := build/formal
EQUAL := build/equal
LINT := build/lint
# Guards against illegal parameters; they leave nothing in an elaborated design.
RTL_HEADERS := $(wildcard rtl/*/*.svh)

# A part of a machine that is not a module of its own; it is only measured.
ALONE := synth/cube_node.sv

# --- synthesis: a line of the table per design and target ---------------------------------------

DESIGN_NAMES = $(shell awk -v which="$(DESIGNS)" '$$1 !~ /^\#/ && NF && !(which == "quick" && $$3 ~ /-more$$/) { print $$1 }' \
                    synth/designs.txt)
SYNTH_LINES = $(foreach design,$(DESIGN_NAMES),$(SYNTH)/$(design).generic.csv $(SYNTH)/$(design).ice40.csv)

# The machine of `roundcast run … --network benes:8 --engine netlist`.
SMALL_NETLIST := netlist-rc_multistage_machine-ports8-pipe1-pad0-width16-packets16-flits8-rows64.v
# … and of `roundcast run … --tree 2,2 --network fat-tree --engine netlist`.
TREE_NETLIST := netlist-rc_fat_tree_machine-height2-children2_2-capacity1_1-depth16_16-reads1-pad0-width16-packets16-flits8-rows64.v
# A cube of 4 nodes.
CUBE_NETLIST := netlist-rc_cube_machine-dimensions2-depth16-reads1-pad0-width16-packets16-flits8-rows64.v
NETLISTS := $(SMALL_NETLIST) $(TREE_NETLIST) $(CUBE_NETLIST)

# Variables of `make synth` for one design, network or machine (synth/one.sh).
SYNTH_ONE := DESIGN NETWORK MACHINE TARGET LIBERTY

.PHONY: synth
ifneq ($(strip $(foreach given,$(SYNTH_ONE),$($(given)))),)
synth: $(if $(NETWORK)$(MACHINE),all) tools-synth $(YOWASP)
	$(Q)ROUNDCAST=$(BUILD)/roundcast synth/one.sh $(SYNTH) $(RTL) $(ALONE)
else
synth: ## synthesise the modules and machines and print their size and clock rate
synth: $(SYNTH)/report.csv $(NETLISTS:%=$(SYNTH)/%)
	@awk -f synth/table.awk $<
	@echo; echo "The netlist of a machine of 8 ports: $(SYNTH)/$(SMALL_NETLIST)"
	@echo "The netlist of a tree of 4 leaves: $(SYNTH)/$(TREE_NETLIST)"
	@echo "The netlist of a cube of 4 nodes: $(SYNTH)/$(CUBE_NETLIST)"
endif

$(SYNTH)/report.csv: $(if $(call asked,synth %/report.csv),$(SYNTH_LINES))
	$(Q)echo name,module,parameters,target,ports,stages,lane_bits,luts,flip_flops,ram_blocks,levels,fmax_mhz > $@
	$(Q)cat $^ >> $@

$(SYNTH)/%.csv: synth/synth.sh synth/scan.awk synth/count.awk synth/designs.txt $(RTL) $(ALONE) | tools-synth $(YOWASP)
	@echo "  synth $*" >&2
	$(Q)synth/synth.sh $@ $(basename $*) $(subst .,,$(suffix $*)) synth/designs.txt $(RTL) $(ALONE)

# --- registers that Yosys deletes, of each machine and node ---------------------------------------

MACHINE_DESIGNS = $(shell awk '$$2 ~ /^rc_.*_(machine|node)$$/ { print $$1 }' synth/designs.txt)

.PHONY: deleted
deleted: ### write qa/deleted/deleted.txt: the registers that Yosys deletes, and why
deleted: $(if $(call asked,deleted),$(MACHINE_DESIGNS:%=$(SYNTH)/%.deleted.txt))
	$(Q)sed -n '/^#/p' qa/deleted/deleted.txt | cat - $^ > qa/deleted/deleted.txt.new
	$(Q)mv qa/deleted/deleted.txt.new qa/deleted/deleted.txt

$(SYNTH)/%.deleted.txt: qa/deleted/deleted.sh qa/deleted/deleted.awk synth/designs.txt $(RTL) $(ALONE) | tools-synth
	@echo "  deleted $*" >&2
	$(Q)qa/deleted/deleted.sh $@ $* synth/designs.txt $(RTL) $(ALONE)

# --- a current Yosys, from npm, in build/ ---------------------------------------------------------

build/yowasp/installed: qa/yowasp/package.json qa/yowasp/package-lock.json | tools-yowasp
	$(Q)mkdir -p $(@D) && cp $^ $(@D)
	$(Q)npm ci --prefix $(@D) --no-audit --no-fund --silent
	$(Q)touch $@

# --- proofs: a file of TAP lines, without numbers, per proof -------------------------------------
#
# The file of a proof that fails is removed, so that the proof runs again. The names of long proofs
# end with -slow.

PROOFS = $(shell awk '/^[a-z]/ { print $$1 }' formal/proofs.txt)
PROOF_LINES = $(PROOFS:%=$(FORMAL)/%.tap)

.PHONY: formal formal-all
formal: ## prove the properties in formal/ and refute a planted bug of each
formal: $(if $(call asked,formal),$(filter-out %-slow.tap,$(PROOF_LINES)))
formal-all: ### run all proofs of `make formal`, including those that take hours
formal-all: $(if $(call asked,formal-all),$(PROOF_LINES))
formal-all: export FORMAL_SECONDS ?= 3600
formal formal-all:
	@awk -f formal/tap.awk $^ || { rm -f $$(grep -l "^not ok" $^); exit 1; }

$(FORMAL)/%.tap: formal/prove.sh formal/proof.sh formal/proofs.txt $(wildcard formal/*.sv formal/*.svh) $(RTL) | tools-formal
	@echo "  prove $*" >&2
	$(Q)formal/prove.sh $@ $* formal $(RTL)

# --- RTL and netlist: two lines per module, like those of a proof ---------------------------------

# The clock gate stands for a cell of a technology: a latch is in no other netlist.
NO_NETLIST := rc_clock_gate
EQUALS = $(shell awk '/^[a-z]/ { print $$1 }' synth/equal.txt)
EQUAL_LINES = $(EQUALS:%=$(EQUAL)/%.tap)

.PHONY: equal equal-all
equal: ### prove that the netlist of each module equals its RTL
equal: $(if $(call asked,equal),$(filter-out %-slow.tap,$(EQUAL_LINES)))
equal-all: ### prove that the netlists of modules and whole machines equal their RTL
equal-all: $(if $(call asked,equal-all),$(EQUAL_LINES))
equal-all: export FORMAL_SECONDS ?= 3600
equal equal-all:
	@for module in $(filter-out $(NO_NETLIST),$(basename $(notdir $(filter-out $(RTL_PACKAGES),$(RTL))))); do \
	    grep -q " $$module\\b" synth/equal.txt || { echo "synth/equal.txt: no line for $$module" >&2; exit 1; }; done
	@awk -f formal/tap.awk $^ || { rm -f $$(grep -l "^not ok" $^); exit 1; }

$(EQUAL)/%.tap: synth/equal.sh synth/netlist.sh synth/equal.txt $(RTL) | tools-formal
	@echo "  equal $*" >&2
	$(Q)synth/equal.sh $@ $* synth/equal.txt $(RTL)

# --- which registers the assertions depend on -----------------------------------------------------

CONES = $(patsubst %,$(FORMAL)/%.cone,$(filter-out %-slow,$(PROOFS)))
# The registers of every module and of every kind of machine.
REGISTERS = $(EQUALS:%=$(FORMAL)/equal-%.cone)

.PHONY: cones
cones: ### list the registers of each module that a proof of `make formal` depends on
cones: $(if $(call asked,cones),$(CONES) $(REGISTERS))
	@awk -f qa/cones/cones.awk $^ > build/cones.md; status=$$?; cat build/cones.md; exit $$status
	$(call keep_table,cones,Cones of influence,Registers on which the assertions of `make formal` depend; a register in none is unchecked.)

CONE_SOURCES := qa/cones/cone.sh formal/proof.sh $(wildcard formal/*.sv formal/*.svh) $(RTL)

$(FORMAL)/%.cone: formal/proofs.txt $(CONE_SOURCES) | tools-formal
	@echo "  cone $*" >&2
	$(Q)qa/cones/cone.sh $@ $* formal $(RTL)

$(FORMAL)/equal-%.cone: synth/equal.txt $(CONE_SOURCES) | tools-formal
	@echo "  cone $*" >&2
	$(Q)qa/cones/cone.sh $@ "$$(awk '$$1 == "$*" { $$1 = ""; print substr($$0, 2) }' synth/equal.txt)" formal $(RTL)

# --- lint ---------------------------------------------------------------------------------------

.PHONY: lint
lint: $(LINT)/ok ## check the RTL with Verilator, Yosys and Icarus

$(LINT)/ok: synth/lint.sh synth/banned.awk synth/strict.awk $(wildcard synth/bad/*.sv formal/*.sv tests/rtl/*.sv qa/*/*.sv qa/*/*/*.sv docs/integrate/*.v) $(RTL) $(RTL_HEADERS) $(ALONE) | tools-lint
	$(Q)synth/lint.sh $(@D) $(RTL) $(ALONE)
	$(Q)touch $@

# --- registers -----------------------------------------------------------------------------------

# form:prefix:file
REGISTER_FORMS := package::rtl/shell/rc_registers.sv rdl::rtl/shell/registers.rdl \
                  header:MACHINE:sched/machine/machine_registers.h header:RC:driver/rc_registers.h

.PHONY: registers
registers: ### write what rtl/shell/registers.txt describes: a package, a C header, SystemRDL, docs
	$(Q)for line in $(REGISTER_FORMS); do IFS=: read -r form prefix file <<< $$line; \
	    awk -v form=$$form -v prefix=$$prefix -f rtl/shell/registers.awk \
	    rtl/shell/registers.txt > $$file || exit; done
	$(Q)mkdir -p $(BUILD) && awk -v form=table -f rtl/shell/registers.awk rtl/shell/registers.txt \
	    > $(BUILD)/registers.md
	$(Q)awk -v table=$(BUILD)/registers.md -f rtl/shell/replace_table.awk docs/machine.md \
	    > $(BUILD)/machine.md
	$(Q)cp $(BUILD)/machine.md docs/machine.md

# --- wrappers with AXI4-Lite --------------------------------------------------------------------

AXI_WRAPPERS := rtl/bus/axi_wrappers.awk rtl/bus/axi_wrappers.txt rtl/bus/axi_template.txt

.PHONY: axi-wrappers
axi-wrappers: ### write rtl/bus/rc_*_axi.v, which rtl/bus/axi_wrappers.txt describes
	$(Q)for wrapper in $$(awk -f $(AXI_WRAPPERS)); do \
	    awk -v wrapper=$$wrapper -f $(AXI_WRAPPERS) > rtl/bus/$$wrapper.v || exit; done

# --- lists of files for other tools --------------------------------------------------------------

FILE_LISTS := f:rtl/roundcast.f core:roundcast.core bender:Bender.yml

.PHONY: file-lists
file-lists: ### write rtl/roundcast.f, roundcast.core (FuseSoC) and Bender.yml
	$(Q)version=$$(sed -n 's/^#define ROUNDCAST_VERSION "\(.*\)"/\1/p' sched/base/version.h); \
	for list in $(FILE_LISTS); do rtl/file_lists.sh $${list%%:*} "$$version" > $${list#*:} || exit; done
