# SPDX-License-Identifier: Apache-2.0
# mutants.mk: small faults that the tests must see; included by the Makefile, which has Q and BUILD,
# after engine.mk, synth.mk and tests.mk.

# --- RTL: testbench/mutants/machines.txt says which machines have faults, and where -------------
#
# build/mutants/rtl-MACHINE/dut.so is an engine with all its faults in it, of which ROUNDCAST_MUTANT
# in the environment chooses one; build/mutants/MACHINE.tsv says what became of each.

MUTANT_COUNT ?= 32
MUTANT_SEED ?= 1
MUTANTS_RTL := build/mutants
MUTANT_MACHINES := $(shell awk '/^[0-9]/ { print $$2 }' testbench/mutants/machines.txt)
# Quick ones first.
MUTANT_PROGRAMS := $(addprefix $(BUILD)/unit/,test_host_noise test_host_reads test_host_runs)

.PHONY: mutants
mutants: mutants-rtl mutants-c ## plant small faults in the RTL and in C: which do tests see?

.PHONY: mutants-rtl
mutants-rtl: tools-demo tools-test ## the same in each module of the RTL; what no test sees is shown to the solver
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(MUTANT_PROGRAMS)
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(MUTANT_MACHINES:%=$(MUTANTS_RTL)/%.tsv)
	$(Q)testbench/mutants/table.sh $(MUTANT_MACHINES:%=$(MUTANTS_RTL)/%.tsv) > $(MUTANTS_RTL)/mutants.md; \
	    status=$$?; cat $(MUTANTS_RTL)/mutants.md; exit $$status

$(MUTANTS_RTL)/%.v: testbench/mutants/netlist.sh testbench/mutants/machines.txt $(RTL)
	@echo "  mutants $*" >&2
	$(Q)testbench/mutants/netlist.sh $@ $* $(MUTANT_SEED) $(MUTANT_COUNT) \
	    "$$(awk '/^[0-9]/ { mine = $$2 == "$*" } /^ / && mine' testbench/mutants/machines.txt)" $(RTL)

$(MUTANTS_RTL)/rtl-%/dut.so: private LIBRARY_FLAGS += -DDUT_MUTANTS
$(MUTANTS_RTL)/rtl-%/dut.so: $(MUTANTS_RTL)/%.v $(ENGINE_SOURCES) $(HEADERS).gch
	$(call verilate,$*,-Wno-fatal -Wno-lint -Wno-UNOPTFLAT $<)
	$(call build_quick,$*)

$(MUTANTS_RTL)/%.tsv: $(MUTANTS_RTL)/rtl-%/dut.so $(wildcard testbench/mutants/*) $(MUTANT_PROGRAMS)
	$(Q)testbench/mutants/rtl.sh $@ $* all $(MUTANT_PROGRAMS)

.SECONDARY: $(MUTANT_MACHINES:%=$(MUTANTS_RTL)/%.v) $(MUTANT_MACHINES:%=$(MUTANTS_RTL)/rtl-%/dut.so)

# --- C ------------------------------------------------------------------------------------------

SEED ?= 1
MUTANTS ?= 20
MUTANT_MODULES ?= $(shell awk '!/^\#/ { print $$1 }' testbench/mutants/c.txt | uniq)
MUTANT_TESTS := $(shell awk '!/^\#/ { for (k = 2; k <= NF; k++) print $$k }' testbench/mutants/c.txt)

.PHONY: mutants-c
mutants-c: tools-test ## the same for MUTANTS (20) faults in each folder of C, drawn from SEED (1)
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(MUTANT_TESTS:%=$(BUILD)/unit/%)
	$(Q)testbench/mutants/c.sh $(SEED) $(MUTANTS) $(MUTANT_MODULES)
