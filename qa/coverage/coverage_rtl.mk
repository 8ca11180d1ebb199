# SPDX-License-Identifier: Apache-2.0
# coverage_rtl.mk: coverage of the lines, branches and bits of the RTL; included by the Makefile,
# which has Q and BUILD.
#
# The engines of COVERED_TESTS are compiled with Verilator's counters and the cover statements of
# qa/coverage/cover, and the tests run on them. The testbenches of buses, which have no engines, run
# in the same way. coverage_rtl.awk adds up the counts of all machines, compares them with
# coverage_rtl.txt, and writes the tables. Verilator does not count bits of signals that are
# declared in generate blocks; it counts the lines that write them.

COVERED := build/engine-covered
COVERED_DATA := build/coverage-rtl
# These tests run machines of every kind, with all settings and programs. The other tests of these
# machines cover nothing more.
COVERED_TESTS := $(addprefix test_host_,reads random special busy runs)
COVERED_ENGINES = $(shell awk -v tests=" $(COVERED_TESTS) " '!/^\#/ && NF == 2 && $$2 ~ /^rtl-/ && index(tests, " " $$1 " ") { print $$2 }' $(ENGINE_LIST) | sort -u)
COVERS := $(wildcard qa/coverage/cover/*.sv)
# By default, Verilator does not count bits of buses as wide as those of all nodes.
COVERED_FLAGS := --coverage --coverage-max-width 100000 $(COVERS)

# Not counted: functions that run during elaboration only, and the words of memories, whose ports
# cover each bit. Verilator needs the line of a declaration, before it reads the file.
RAMS := rtl/common/rc_ram.sv rtl/common/rc_column_ram.sv
$(COVERED)/excluded.vlt: $(RAMS)
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '`verilator_config' 'coverage_off -file "*/rc_initial.sv"' > $@
	$(Q)awk '/ mem \[Depth\];/ { sub(".*/", "*/", FILENAME); \
	    printf "coverage_off -file \"%s\" -lines %d\n", FILENAME, FNR }' $(RAMS) >> $@

# A library that stays loaded adds up the counts of all models of a process.
$(COVERED)/rtl-%/dut.so: private QUICK_FLAGS += -DDUT_COVERED='"$(notdir $(@D))"' -Wl,-z,nodelete
$(COVERED)/rtl-%/dut.so: private RUNTIME += $(COVERED)/verilated_cov.o
$(COVERED)/rtl-%/dut.so: $(ENGINE_SOURCES) $(HEADERS).h.gch $(COVERED)/verilated_cov.o $(COVERS) \
    $(COVERED)/excluded.vlt testbench/engine/dut_coverage.h
	$(call verilate,$*,$(COVERED)/excluded.vlt $(call RTL_OF_ENGINE,$*) $(COVERED_FLAGS))
	$(call build_quick,$*)

$(COVERED)/verilated_cov.o: $(VERILATOR_ROOT)/include/verilated_cov.cpp
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -w -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $@ $<

.PHONY: coverage-engines
coverage-engines: $(if $(call asked,coverage-engines),$(COVERED_ENGINES:%=$(COVERED)/%/dut.so))

COVERED_BENCHES := bus0 bus1 bus2 bus3 bus4 uart

$(COVERED)/%/Vbench: $(RTL) $(TESTBENCHES_OF_BUSES) tests/rtl/tb_counts.sv qa/coverage/coverage_tb.vlt
	$(call verilate_tb,$*,--coverage -DTESTBENCH=$(patsubst bus%,bus,$*)_tb qa/coverage/coverage_tb.vlt tests/rtl/tb_counts.sv)

.PHONY: coverage-benches
coverage-benches: $(COVERED_BENCHES:%=$(COVERED)/%/Vbench)

.PHONY: coverage-rtl
coverage-rtl: tools-test ### measure the coverage of the RTL; fail if anything is not covered
	@$(MAKE) --no-print-directory --quiet coverage-engines coverage-benches $(BUILD)/roundcast \
	    $(COVERED_TESTS:%=$(BUILD)/unit/%)
	$(Q)rm -rf $(COVERED_DATA) && mkdir -p $(COVERED_DATA)
	$(Q)ROUNDCAST_EXHAUSTIVE=1 ROUNDCAST_ENGINES="$$PWD/$(COVERED)" ROUNDCAST_COVERAGE="$$PWD/$(COVERED_DATA)" \
	    tests/run-tests.sh $(COVERED_TESTS:%=$(BUILD)/unit/%)
	$(Q)ROUNDCAST="$$PWD/$(BUILD)/roundcast" qa/coverage/coverage_tb.sh $(COVERED) $(COVERED_DATA)
	$(Q)awk -f qa/coverage/coverage_rtl.awk qa/coverage/coverage_rtl.txt $(COVERED_DATA)/*.dat > build/coverage-rtl.md; \
	    status=$$?; cat build/coverage-rtl.md; exit $$status
	$(call keep_table,coverage-rtl,Coverage of the RTL,Exclusions are in qa/coverage/coverage_rtl.txt; signals in generate blocks have no toggles.)

-include $(wildcard $(COVERED)/*/dut.d)
