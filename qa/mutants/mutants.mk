# SPDX-License-Identifier: Apache-2.0
# mutants.mk: small faults that the tests must detect; included by the Makefile, which has Q and
# BUILD, after engine.mk, synth.mk and tests.mk.

# --- RTL: qa/mutants/machines.txt lists the machines with faults, and their places ---------------
#
# build/mutants/rtl-MACHINE/dut.so is an engine that contains all faults; ROUNDCAST_MUTANT in the
# environment activates one. build/mutants/MACHINE.tsv records the result of each. A bridge of
# rtl/bus runs in its testbench, build/mutants/bench-BRIDGE/Vbench.

MUTANT_COUNT ?= 32
MUTANT_SEED ?= 1
MUTANTS_RTL := build/mutants
# "yes" if the variables have the values of this file. Other tables are not stored.
usual = $(if $(filter-out file,$(foreach name,$1,$(origin $(name)))),,yes)
# The last machines are the largest and take longest, so they start first.
MUTANT_MACHINES := $(shell tac qa/mutants/machines.txt | awk '/^[0-9]/ { print $$2 }')
MUTANT_BRIDGES := $(shell awk '/^[a-z]/ { print $$2 }' qa/mutants/machines.txt)
MUTANT_TABLES := $(patsubst %,$(MUTANTS_RTL)/%.tsv,$(MUTANT_MACHINES) $(MUTANT_BRIDGES))
# The quickest come first.
MUTANT_PROGRAMS := $(addprefix $(BUILD)/unit/test_host_,few random special busy reads runs)

.PHONY: mutants
mutants: ### plant small faults in the RTL and in C and list those that no test finds
	@$(MAKE) --no-print-directory mutants-rtl
	@$(MAKE) --no-print-directory mutants-c

.PHONY: mutants-rtl
mutants-rtl: tools-test ### plant small faults in each RTL module; unfound ones go to the solver
	@$(MAKE) --no-print-directory $(MUTANT_PROGRAMS) $(BUILD)/roundcast
	@$(MAKE) --no-print-directory $(MUTANT_TABLES)
	$(Q)qa/mutants/table.sh $(if $(call usual,MUTANT_COUNT MUTANT_SEED),--whole) \
	    qa/mutants/listed_rtl.txt $(MUTANT_TABLES) \
	    > build/mutants-rtl.md; status=$$?; cat build/mutants-rtl.md; exit $$status
	$(if $(call usual,MUTANT_COUNT MUTANT_SEED),$(call keep_table,mutants-rtl,Mutants of the RTL,qa/mutants/listed_rtl.txt states the reason for each listed fault. No fault survives.))

$(MUTANTS_RTL)/%.v: qa/mutants/netlist.sh qa/mutants/draw.awk qa/mutants/machines.txt $(RTL)
	@echo "  mutants $*" >&2
	$(Q)qa/mutants/netlist.sh $@ $* $(MUTANT_SEED) $(MUTANT_COUNT) \
	    "$$(awk '/^[0-9a-z]/ { mine = $$2 == "$*" } /^ / && mine' qa/mutants/machines.txt)" $(RTL)

# An engine with faults runs hundreds of times; -O2 takes a twelfth of the time of QUICK_FLAGS.
$(MUTANTS_RTL)/rtl-%/dut.so: private LIBRARY_FLAGS += -DDUT_MUTANTS
$(MUTANTS_RTL)/rtl-%/dut.so: private QUICK_FLAGS := -O2 -march=native -w -DVM_COVERAGE=0 -DVM_SC=0
$(MUTANTS_RTL)/rtl-%/dut.so: $(MUTANTS_RTL)/%.v $(ENGINE_SOURCES) $(HEADERS).h.gch
	$(call verilate,$*,-Wno-fatal -Wno-lint -Wno-UNOPTFLAT $<)
	$(call build_quick,$*)

$(MUTANT_MACHINES:%=$(MUTANTS_RTL)/%.tsv): $(MUTANTS_RTL)/%.tsv: $(MUTANTS_RTL)/rtl-%/dut.so $(addprefix qa/mutants/,rtl.sh first.awk equal.sh) $(MUTANT_PROGRAMS)
	$(Q)qa/mutants/rtl.sh $@ $* all $(MUTANT_PROGRAMS)

# The testbench of a bridge.
mutant_bench = $(shell awk '/^[a-z]/ && $$2 == "$1" { print $$1 }' qa/mutants/machines.txt)

$(MUTANTS_RTL)/bench-%/Vbench: $(MUTANTS_RTL)/%.v qa/mutants/tb_mutant.sv $(TESTBENCHES_OF_BUSES)
	$(call verilate_tb,$(call mutant_bench,$*),-DMUTANT=$(firstword $(subst -, ,$*)) qa/mutants/tb_mutant.sv $<)

# A bridge must show what the testbench without a bus shows.
$(MUTANTS_RTL)/bench/Vbench: $(RTL) $(TESTBENCHES_OF_BUSES)
	$(call verilate_tb,bus0)

$(MUTANTS_RTL)/bench-%/expected: $(MUTANTS_RTL)/bench-%/Vbench $(MUTANTS_RTL)/bench/Vbench
	$(Q)ROUNDCAST=$(BUILD)/roundcast tests/rtl/bus_image.sh $(@D)
	$(Q)cd $(@D) && $(if $(filter uart,$(call mutant_bench,$*)),echo PASS,../bench/Vbench | sed '/^- /d') > expected

$(MUTANT_BRIDGES:%=$(MUTANTS_RTL)/%.tsv): $(MUTANTS_RTL)/%.tsv: $(MUTANTS_RTL)/bench-%/expected \
    $(addprefix qa/mutants/,rtl.sh first.awk equal.sh tb.sh)
	$(Q)qa/mutants/rtl.sh $@ $* all qa/mutants/tb.sh

.SECONDARY: $(MUTANT_MACHINES:%=$(MUTANTS_RTL)/%.v) $(MUTANT_MACHINES:%=$(MUTANTS_RTL)/rtl-%/dut.so) \
    $(MUTANT_BRIDGES:%=$(MUTANTS_RTL)/%.v) $(MUTANT_BRIDGES:%=$(MUTANTS_RTL)/bench-%/Vbench) \
    $(MUTANT_BRIDGES:%=$(MUTANTS_RTL)/bench-%/expected)

# --- C: qa/mutants/c.txt lists the folders with faults, and the programs that test them -----------
#
# build/mutants/c/FILE.tsv records the result of each fault. The programs link the tested code as a
# shared library, so that a file with a fault can replace its own.

MUTANTS_C := $(BUILD)/mutants/c
MUTANT_FILES ?= $(sort $(wildcard $(shell awk '/^[a-z]/ { print $$1 ($$1 ~ /[.]c$$/ ? "" : "*.c") }' qa/mutants/c.txt)))
# The functions that allocate are replaced in a file with a fault, too.
export MUTANT_LINK := $(NO_MEMORY_LINK)
# In KiB; a fault may ask for any.
export MUTANT_MEMORY := 4000000
# The programs that test a file, and those that test any file.
mutant_programs = $(shell awk 'index("$1", $$1) == 1 { $$1 = ""; print }' qa/mutants/c.txt)
MUTANT_PROGRAMS_C := $(addprefix $(MUTANTS_C)/unit/,$(sort $(filter test_%,$(file < qa/mutants/c.txt))))

.PHONY: mutants-c
mutants-c: tools-test ### plant small faults in each file of the folders in qa/mutants/c.txt
	@$(MAKE) --no-print-directory $(MUTANT_FILES:%.c=$(MUTANTS_C)/%.tsv)
	$(Q)qa/mutants/table.sh $(if $(call usual,MUTANT_COUNT MUTANT_SEED MUTANT_FILES),--whole) \
	    qa/mutants/listed_c.txt $(MUTANT_FILES:%.c=$(MUTANTS_C)/%.tsv) \
	    > build/mutants-c.md; status=$$?; cat build/mutants-c.md; exit $$status
	$(if $(call usual,MUTANT_COUNT MUTANT_SEED MUTANT_FILES),$(call keep_table,mutants-c,Mutants of C,qa/mutants/listed_c.txt states the reason for each listed fault. No fault survives.))

$(MUTANTS_C)/objects.so: $(filter-out $(MAIN),$(OBJECTS)) $(FST_OBJECTS) $(BUILD)/obj/tests/support/no_memory.o
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(MUTANT_LINK) $(LDLIBS)

$(MUTANTS_C)/unit/%: $(BUILD)/obj/%.o $(SUPPORT_LIBRARY) $(MUTANTS_C)/objects.so
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $< $(SUPPORT_LIBRARY) -Wl,--wrap=_cmocka_run_group_tests,--wrap=route_schedule $(UNIT_LINK) \
	    $(MUTANTS_C)/objects.so -Wl,-rpath,'$$ORIGIN/..' -lcmocka $(LDLIBS)

# The programs must pass without a fault, or every fault would count as detected.
$(MUTANTS_C)/passed: $(MUTANT_PROGRAMS_C)
	$(Q)(ulimit -v $(MUTANT_MEMORY) && ROUNDCAST_ENGINES=none OMP_WAIT_POLICY=passive TEST_CASE=!_on_rtl \
	    tests/run-tests.sh $^) > $@.log || { cat $@.log >&2; exit 1; }
	$(Q)touch $@

$(MUTANTS_C)/%.tsv: %.c $(addprefix qa/mutants/,c.sh first.awk c.awk c.txt) $(MUTANTS_C)/passed
	@echo "  mutants $<" >&2
	$(Q)qa/mutants/c.sh $@ $< $(MUTANT_SEED) $(MUTANT_COUNT) \
	    $(addprefix $(MUTANTS_C)/unit/,$(call mutant_programs,$<))

.SECONDARY: $(MUTANT_PROGRAMS_C)
