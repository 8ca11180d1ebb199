# SPDX-License-Identifier: Apache-2.0
# tests.mk: what runs the tests; included by the Makefile, which has Q, BUILD, UNITS and CASES.
#
# testbench/engines.txt says which programs open which compiled engines: these are built ahead, side
# by side with the programs, for all to share. A program that opens one that nobody lists fails;
# `make check`, which runs those that are not in the list, gives none at all.

comma := ,
ENGINE_LIST := testbench/engines.txt
ENGINE_PROGRAMS := $(shell awk '!/^\#/ { print $$1 }' $(ENGINE_LIST) | uniq)
TEST_ENGINES := $(shell awk -v all="$(ROUNDCAST_EXHAUSTIVE)" '!/^\#/ && (NF == 2 || all) { print $$2 }' $(ENGINE_LIST) | sort -u)

ENGINE_TESTS := $(filter $(addprefix %/,$(ENGINE_PROGRAMS)),$(UNITS) $(CASES))
# The longest first, so that none is left over when the others have ended.
LONG := $(addprefix %/,board.sh yowasp.sh test_cube_machine test_tune waves.sh mpi.sh test_tree_machine plan.sh guards.sh pages.sh)
PLAIN := $(filter-out $(ENGINE_TESTS),$(UNITS) $(CASES))
PLAIN_TESTS := $(filter $(LONG),$(PLAIN)) $(filter-out $(LONG),$(PLAIN))
# What needs another tool than the compiler, GTKWave, Icarus, Yosys or Verilator, is no quick check.
NEED_TOOLS := board buses cones deleted dist file_lists four_state four_state_run guards init install installed integrate library mpi mutants_rtl \
              own_bench peers schema sweep synth uart view waves yowasp
# Sanitizers see C that runs: these read sources, or compare what the same commands print elsewhere.
NOT_SANITIZED := $(if $(SANITIZE),determinism kinds layers licence pages readers width)
CHECKS := $(filter-out $(addprefix %/,$(addsuffix .sh,$(NEED_TOOLS) $(NOT_SANITIZED))),$(PLAIN_TESTS))

# What test scripts run.
TESTED := $(BUILD)/roundcast $(JUDGED) $(JUDGED_FAULT) $(FUZZ_PROGRAMS)
RUN := ROUNDCAST=$(JUDGED) TEST_PASSED=$(BUILD)/passed
RUN_CHECKS := $(RUN) ROUNDCAST_ENGINES=none

# support/no_memory.h stands before all that allocates.
NO_MEMORY_LINK := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc reallocarray aligned_alloc free strdup strndup realpath \
                    asprintf vasprintf fopen fdopen fopencookie open_memstream __getdelim json_loadf \
                    json_loads glob)
NO_MEMORY_TESTS := test_kept test_minimum test_no_memory test_schedule test_schedule_parts test_trace test_verify_walks
$(NO_MEMORY_TESTS:%=$(BUILD)/unit/%): UNIT_LINK := $(NO_MEMORY_LINK)
$(BUILD)/unit/test_divergence: UNIT_LINK := -Wl,--wrap=engine_open

.PHONY: check
check: tools-build tools-check ## run the tests that need the compiler only, in a minute
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(TESTED) $(filter $(UNITS),$(CHECKS))
	$(Q)$(RUN_CHECKS) testbench/run-tests.sh $(CHECKS)

.PHONY: check-changed
check-changed: ## the same, but for those programs that are as they were when they passed
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(TESTED) $(filter $(UNITS),$(CHECKS))
	$(Q)$(RUN_CHECKS) TEST_CHANGED=1 testbench/run-tests.sh $(CHECKS)

# The tests of a folder mirror it: testbench/unit/sched/route tests sched/route.
CHANGED_FOLDERS = $(sort $(dir $(shell git diff --name-only HEAD -- '*.c' '*.h')))
NEAR_FOLDERS = $(CHANGED_FOLDERS) $(CHANGED_FOLDERS:testbench/%=testbench/unit/%) $(addprefix testbench/unit/,$(CHANGED_FOLDERS))
NEAR = $(filter $(patsubst %.c,$(BUILD)/unit/%,$(notdir $(filter $(addsuffix %,$(NEAR_FOLDERS)),$(UNIT_SOURCES)))),$(CHECKS))

.PHONY: check-near
check-near: ## run the tests of the folders whose C differs from the last commit, in seconds
	@test -n "$(NEAR)" || { echo "check-near: no tests of: $(CHANGED_FOLDERS); make check runs all" >&2; exit 2; }
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(NEAR)
	$(Q)$(RUN_CHECKS) testbench/run-tests.sh $(NEAR)

.PHONY: test
test: tools-demo tools-test tools-waves tools-figures tools-plots tools-mpi ## run all tests, the largest spaces sampled
	@$(MAKE) --no-print-directory -j"$$(nproc)" engines $(TESTED) $(MPI_PROGRAM) units
	$(Q)$(RUN) ROUNDCAST_ENGINES="$$PWD/$(QUICK)" testbench/run-tests.sh $(ENGINE_TESTS) $(PLAIN_TESTS)

.PHONY: test-all
test-all: ## run all tests, every space exhausted that a test can exhaust
	@ROUNDCAST_EXHAUSTIVE=1 $(MAKE) --no-print-directory test

.PHONY: test-mpi
test-mpi: mpi $(JUDGED) ## run schedules of every algorithm that ranks of MPI can execute, in both orders
	$(Q)$(RUN) ROUNDCAST_MPI=all testbench/cases/mpi.sh

.PHONY: units
units: $(UNITS)

.PHONY: engines
engines: $(TEST_ENGINES:%=$(QUICK)/%/dut.so)

.PHONY: engines-list
engines-list: units $(TESTED) ## write testbench/engines.txt anew: run all tests, and note the engines that they open
	$(Q)sed '/^#/!d' $(ENGINE_LIST) > $(BUILD)/engines.txt
	$(Q)ROUNDCAST=$(JUDGED) testbench/engines.sh all $(UNITS) $(CASES) >> $(BUILD)/engines.txt
	$(Q)mv $(BUILD)/engines.txt $(ENGINE_LIST)
