# SPDX-License-Identifier: Apache-2.0
# synth.mk: synthesis, netlists, proofs and lint of rtl/; included by the Makefile, which has Q and
# RTL.
#
# The RTL does not depend on how the C is compiled, so the results stand in one place for every
# BUILD.

# Clock rates are those of the distribution's Yosys.
NEXTPNR ?= $(if $(YOWASP),,nextpnr-ice40)
IVERILOG ?= iverilog
export NEXTPNR IVERILOG VERILATOR

include synth/netlist.mk

FORMAL := build/formal
EQUAL := build/equal
LINT := build/lint
# Guards against illegal parameters, which leave nothing in what is elaborated.
RTL_HEADERS := $(wildcard rtl/*/*.svh)

# What a machine consists of, but not as one module: only measured.
ALONE := synth/cube_node.sv

# --- synthesis: a line of the table per design and target ---------------------------------------

DESIGN_NAMES := $(shell awk -v which="$(DESIGNS)" '$$1 !~ /^\#/ && NF && !(which == "quick" && $$3 ~ /-more$$/) { print $$1 }' \
                    synth/designs.txt)
SYNTH_LINES := $(foreach design,$(DESIGN_NAMES),$(SYNTH)/$(design).generic.csv $(SYNTH)/$(design).ice40.csv)

# The machine of `roundcast run … --network benes:8 --engine netlist`.
SMALL_NETLIST := netlist-rc_multistage_machine-ports8-pipe1-pad0-width16-packets16-flits8-rows64.v
# … and of `roundcast run … --tree 2,2 --network fat-tree --engine netlist`.
TREE_NETLIST := netlist-rc_fat_tree_machine-height2-children2_2-capacity1_1-depth16_16-reads1-pad0-width16-packets16-flits8-rows64.v
# A cube of 4 nodes.
CUBE_NETLIST := netlist-rc_cube_machine-dimensions2-depth16-reads1-pad0-width16-packets16-flits8-rows64.v
NETLISTS := $(SMALL_NETLIST) $(TREE_NETLIST) $(CUBE_NETLIST)

# One design of the table, or a network or a machine of one's own (one.sh).
SYNTH_ONE := DESIGN NETWORK MACHINE TARGET LIBERTY

.PHONY: synth
ifneq ($(strip $(foreach given,$(SYNTH_ONE),$($(given)))),)
synth: $(if $(NETWORK)$(MACHINE),all) tools-synth $(YOWASP)
	$(Q)ROUNDCAST=$(BUILD)/roundcast synth/one.sh $(SYNTH) $(RTL) $(ALONE)
else
synth: $(SYNTH)/report.csv $(NETLISTS:%=$(SYNTH)/%) ## synthesise switch, stage, network, endpoint, router, node and machines; print what they take
	@awk -f synth/table.awk $<
	@echo; echo "The netlist of a machine of 8 ports: $(SYNTH)/$(SMALL_NETLIST)"
	@echo "The netlist of a tree of 4 leaves: $(SYNTH)/$(TREE_NETLIST)"
	@echo "The netlist of a cube of 4 nodes: $(SYNTH)/$(CUBE_NETLIST)"
endif

$(SYNTH)/report.csv: $(SYNTH_LINES)
	$(Q)echo name,module,parameters,target,ports,stages,lane_bits,luts,flip_flops,ram_blocks,levels,fmax_mhz > $@
	$(Q)cat $^ >> $@

$(SYNTH_LINES): $(SYNTH)/%.csv: synth/synth.sh synth/scan.awk synth/count.awk synth/designs.txt $(RTL) $(ALONE) | tools-synth $(YOWASP)
	@echo "  synth $*" >&2
	$(Q)synth/synth.sh $@ $(basename $*) $(subst .,,$(suffix $*)) synth/designs.txt $(RTL) $(ALONE)

# --- registers that Yosys deletes, of each machine and node ---------------------------------------

MACHINE_DESIGNS := $(shell awk '$$2 ~ /^rc_.*_(machine|node)$$/ { print $$1 }' synth/designs.txt)

.PHONY: deleted
deleted: $(MACHINE_DESIGNS:%=$(SYNTH)/%.deleted.txt) ## write qa/deleted/deleted.txt: the registers of machines that Yosys deletes, and why
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
# One that fails is removed, so that it is tried again. The names of long ones end with -slow.

PROOFS := $(shell awk '/^[a-z]/ { print $$1 }' formal/proofs.txt)
PROOF_LINES := $(PROOFS:%=$(FORMAL)/%.tap)

.PHONY: formal formal-all
formal: $(filter-out %-slow.tap,$(PROOF_LINES)) ## prove the properties in formal, and refute a seeded bug of each
formal-all: $(PROOF_LINES) ## the same with the proofs that take long
formal-all: export FORMAL_SECONDS ?= 3600
formal formal-all:
	@awk -f formal/tap.awk $^ || { rm -f $$(grep -l "^not ok" $^); exit 1; }

$(PROOF_LINES): $(FORMAL)/%.tap: formal/prove.sh formal/proof.sh formal/proofs.txt $(wildcard formal/*.sv) $(RTL) | tools-formal
	@echo "  prove $*" >&2
	$(Q)formal/prove.sh $@ $* formal $(RTL)

# --- RTL and netlist: two lines per module, like those of a proof ---------------------------------

EQUALS := $(shell awk '/^[a-z]/ { print $$1 }' synth/equal.txt)
EQUAL_LINES := $(EQUALS:%=$(EQUAL)/%.tap)

.PHONY: equal equal-all
equal: $(filter-out %-slow.tap,$(EQUAL_LINES)) ## prove of each module that its netlist is the same machine, and refute a wrong gate
equal-all: $(EQUAL_LINES) ## the same of whole machines
equal-all: export FORMAL_SECONDS ?= 3600
equal equal-all:
	@for module in $(basename $(notdir $(filter-out $(RTL_PACKAGES),$(RTL)))); do \
	    grep -q " $$module\\b" synth/equal.txt || { echo "synth/equal.txt: no line for $$module" >&2; exit 1; }; done
	@awk -f formal/tap.awk $^ || { rm -f $$(grep -l "^not ok" $^); exit 1; }

$(EQUAL_LINES): $(EQUAL)/%.tap: synth/equal.sh synth/netlist.sh synth/equal.txt $(RTL) | tools-formal
	@echo "  equal $*" >&2
	$(Q)synth/equal.sh $@ $* synth/equal.txt $(RTL)

# --- which registers the assertions depend on -----------------------------------------------------

CONES := $(patsubst %,$(FORMAL)/%.cone,$(filter-out %-slow,$(PROOFS)))
# All that there are: every module by itself, and every kind of machine.
REGISTERS := $(EQUALS:%=$(FORMAL)/equal-%.cone)

.PHONY: cones
cones: $(CONES) $(REGISTERS) ## list the registers of each module that a proof of `make formal` can depend on
	@awk -f qa/cones/cones.awk $^ > build/cones.md; status=$$?; cat build/cones.md; exit $$status
	$(call keep_table,cones,Cones of influence,Registers on which the assertions of `make formal` depend; a register in none is unchecked.)

$(CONES) $(REGISTERS): qa/cones/cone.sh formal/proof.sh $(wildcard formal/*.sv) $(RTL) | tools-formal
$(CONES): $(FORMAL)/%.cone: formal/proofs.txt
	@echo "  cone $*" >&2
	$(Q)qa/cones/cone.sh $@ $* formal $(RTL)

$(REGISTERS): $(FORMAL)/equal-%.cone: synth/equal.txt
	@echo "  cone $*" >&2
	$(Q)qa/cones/cone.sh $@ "$$(awk '$$1 == "$*" { $$1 = ""; print substr($$0, 2) }' synth/equal.txt)" formal $(RTL)

# --- lint ---------------------------------------------------------------------------------------

.PHONY: lint
lint: $(LINT)/ok ## check the RTL with Verilator, Yosys and Icarus, and for constructs that Yosys misreads

$(LINT)/ok: synth/lint.sh synth/banned.awk synth/strict.awk $(wildcard synth/bad/*.sv formal/*.sv tests/rtl/*.sv qa/*/*.sv qa/*/*/*.sv docs/integrate/*.v) $(RTL) $(RTL_HEADERS) $(ALONE) | tools-lint
	$(Q)synth/lint.sh $(@D) $(RTL) $(ALONE)
	$(Q)touch $@

# --- lists of files for other tools --------------------------------------------------------------

FILE_LISTS := f:rtl/roundcast.f core:roundcast.core bender:Bender.yml

.PHONY: file-lists
file-lists: ## write rtl/roundcast.f, roundcast.core (FuseSoC) and Bender.yml from the RTL
	$(Q)version=$$(sed -n 's/^#define ROUNDCAST_VERSION "\(.*\)"/\1/p' cli/version.h); \
	for list in $(FILE_LISTS); do rtl/file_lists.sh $${list%%:*} "$$version" > $${list#*:} || exit; done
