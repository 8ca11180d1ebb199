# SPDX-License-Identifier: Apache-2.0
# tests.mk: runs the tests; included by the Makefile, which has Q, BUILD, UNITS and CASES.
#
# tests/engines.txt lists the compiled engines that each test opens. `make test` builds them before
# the tests, and a test that opens another one fails. `make check` runs the tests that open none.

comma := ,
ENGINE_LIST := tests/engines.txt
# This list, and that of the tags, is made once, when it is first used.
ENGINE_PROGRAMS = $(eval ENGINE_PROGRAMS := $(shell \
    awk '!/^\#/ { print $$1 }' $(ENGINE_LIST) | uniq))$(ENGINE_PROGRAMS)
TEST_ENGINES = $(shell awk -v all="$(ROUNDCAST_EXHAUSTIVE)" \
    '!/^\#/ && (NF == 2 || all) { print $$2 }' $(ENGINE_LIST) | sort -u)

# The head of a test has its tags, `# tags: long tools` (in C ` * tags: …`). tests/README.md
# explains them; any other tag is an error.
TAG_WORDS := long tools source tooling no-memory
TAGS = $(eval TAGS := $(shell grep -E '^(\#| \*) tags: ' $(CASES) $(UNIT_SOURCES) | awk -F ':' \
    '{ n = split($$3, tag, " "); for (k = 1; k <= n; k++) print tag[k] ":" $$1 }'))$(TAGS)
check_tags = $(if $(filter-out $(TAG_WORDS:=:%),$(TAGS)),\
                 $(error no tag: $(filter-out $(TAG_WORDS:=:%),$(TAGS))))
sources_tagged = $(check_tags)$(patsubst $1:%,%,$(filter $1:%,$(TAGS)))
# $(call tagged,TAG): the tests that have the tag.
tagged = $(filter %.sh,$(sources_tagged)) $(call unit_of,$(filter %.c,$(sources_tagged)))
unit_of = $(patsubst %.c,$(BUILD)/unit/%,$(notdir $1))

# Tests of the test tools (coverage, mutants, runner) run only in `make test-tooling` and test-all.
TESTS = $(filter-out $(if $(ROUNDCAST_EXHAUSTIVE),,$(call tagged,tooling)),$(UNITS) $(CASES))
ENGINE_TESTS = $(filter $(addprefix %/,$(ENGINE_PROGRAMS)),$(TESTS))
PLAIN = $(filter-out $(ENGINE_TESTS),$(TESTS))
# The longest tests start first, so that none of them runs alone at the end.
PLAIN_TESTS = $(filter $(call tagged,long),$(PLAIN)) $(filter-out $(call tagged,long),$(PLAIN))
# Sanitizers check C that runs; tests of sources run none.
NOT_CHECKS = $(call tagged,tools) $(call tagged,tooling) $(if $(SANITIZE),$(call tagged,source))
CHECKS = $(filter-out $(NOT_CHECKS),$(PLAIN_TESTS))

# The programs that scripts run: PROGRAMS for each of them, and RUNS_NAME for the script NAME.
PROGRAMS := $(BUILD)/roundcast $(JUDGED)
RUNS_fuzz.sh := $(FUZZ_PROGRAMS)
RUNS_fuzz_rtl.sh := $(FUZZ_PROGRAMS)
RUNS_judged.sh := $(JUDGED_FAULT)
RUNS_mpi.sh := $(MPI_PROGRAM)
RUNS_mpi_failures.sh := $(MPI_PROGRAM)
RUNS_mutants_rtl.sh := $(addprefix $(BUILD)/unit/test_host_,random special)
TESTED := $(PROGRAMS) $(JUDGED_FAULT) $(FUZZ_PROGRAMS)
RUN := ROUNDCAST=$(JUDGED) TEST_PASSED=$(BUILD)/passed
RUN_CHECKS = $(RUN) ROUNDCAST_ENGINES=none

# tests/support/no_memory.h replaces the functions that allocate.
NO_MEMORY_LINK := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc reallocarray aligned_alloc \
                    free strdup strndup realpath asprintf vasprintf fopen fdopen fopencookie \
                    open_memstream __getdelim json_loadb json_loadf json_loads glob)
UNIT_LINK = $(if $(filter $(notdir $@),$(notdir $(call tagged,no-memory))),$(NO_MEMORY_LINK))
$(BUILD)/unit/test_divergence: UNIT_LINK := -Wl,--wrap=engine_open_kept
$(BUILD)/unit/test_pool: UNIT_LINK := $(addprefix -Wl$(comma)--wrap=,fork open_memstream read sysconf write)
$(BUILD)/unit/test_via: UNIT_LINK := $(NO_MEMORY_LINK) -Wl,--wrap=fork

ifeq ($(TEST),)
.PHONY: check
check: tools-build tools-check ## run the tests that need only a compiler, or TEST=exchange CASE='…'
	@$(MAKE) --no-print-directory $(TESTED) $(filter $(UNITS),$(CHECKS))
	$(Q)$(RUN_CHECKS) tests/run-tests.sh $(CHECKS)
else
# `make check TEST="exchange test_path" CASE='part of a result'` builds what these tests need, runs
# them, and shows what they print.
NAMED := $(filter $(foreach name,$(TEST),%/$(name) %/$(name).sh %/test_$(name)),$(UNITS) $(CASES))
NAMED_ENGINES := $(shell awk -v names='$(notdir $(NAMED))' \
    'BEGIN { n = split(names, name, " "); while (n) run[name[n--]] } \
    $$1 in run && (NF == 2 || "$(ROUNDCAST_EXHAUSTIVE)") { print $$2 }' $(ENGINE_LIST) | sort -u)
NAMED_NEEDS := $(filter $(UNITS),$(NAMED)) $(if $(filter %.sh,$(NAMED)),$(PROGRAMS)) \
               $(foreach name,$(notdir $(NAMED)),$(RUNS_$(name))) \
               $(NAMED_ENGINES:%=$(QUICK)/%/dut.so)
NAMED_TOOLS := $(if $(NAMED_ENGINES)$(filter $(call tagged,tools),$(NAMED)),tools-demo tools-test)

.PHONY: check
check: tools-build tools-check $(NAMED_TOOLS)
	@tests/find-tests.sh '$(TEST)' $(notdir $(UNITS) $(CASES))
	@$(MAKE) --no-print-directory $(NAMED_NEEDS)
	$(Q)$(RUN) ROUNDCAST_ENGINES="$$PWD/$(QUICK)" TEST_SHOW=1 TEST_CASE='$(CASE)' \
	    tests/run-tests.sh $(NAMED)
endif

.PHONY: check-changed
check-changed: ### run the tests of `make check` whose programs changed since they passed
	@$(MAKE) --no-print-directory $(TESTED) $(filter $(UNITS),$(CHECKS))
	$(Q)$(RUN_CHECKS) TEST_CHANGED=1 tests/run-tests.sh $(CHECKS)

# Test folders mirror the sources: tests/unit/sched/route tests sched/route.
CHANGED_FOLDERS = $(sort $(dir $(shell git diff --name-only HEAD -- '*.c' '*.h')))
NEAR_FOLDERS = $(CHANGED_FOLDERS) $(CHANGED_FOLDERS:testbench/%=tests/unit/%) \
               $(addprefix tests/unit/,$(CHANGED_FOLDERS))
NEAR_SOURCES = $(filter $(addsuffix %,$(NEAR_FOLDERS)),$(UNIT_SOURCES))
NEAR = $(filter $(call unit_of,$(NEAR_SOURCES)),$(CHECKS))

.PHONY: check-near
check-near: ### run the tests of the folders whose C differs from the last commit
	@test -n "$(NEAR)" || \
	    { echo "check-near: no tests of: $(CHANGED_FOLDERS); make check runs all" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(NEAR)
	$(Q)$(RUN_CHECKS) tests/run-tests.sh $(NEAR)

.PHONY: test
test: tools-test ## run all tests; large spaces are sampled
	@$(MAKE) --no-print-directory engines $(TESTED) $(MPI_PROGRAM) units
	$(Q)$(RUN) ROUNDCAST_ENGINES="$$PWD/$(QUICK)" tests/run-tests.sh $(ENGINE_TESTS) $(PLAIN_TESTS)

.PHONY: test-all
test-all: ### run all tests; every space that a test can exhaust is exhausted
	@ROUNDCAST_EXHAUSTIVE=1 $(MAKE) --no-print-directory test

.PHONY: test-tooling
test-tooling: tools-test ### run the tests of the runner, coverage, mutants, sign-off and installer
	@$(MAKE) --no-print-directory $(TESTED) $(filter $(UNITS),$(call tagged,tooling)) \
	    $(RUNS_mutants_rtl.sh)
	$(Q)$(RUN) ROUNDCAST_ENGINES="$$PWD/$(QUICK)" tests/run-tests.sh $(call tagged,tooling)

.PHONY: test-mpi
test-mpi: mpi ### run schedules of every algorithm on ranks of MPI, in both orders
	@$(MAKE) --no-print-directory $(JUDGED)
	$(Q)$(RUN) ROUNDCAST_MPI=all tests/cli/mpi.sh

.PHONY: units
units: $(UNITS)

.PHONY: engines
engines: $(if $(call asked,engines),$(TEST_ENGINES:%=$(QUICK)/%/dut.so))

.PHONY: engines-list
engines-list: ### run all tests and write the engines that they open to tests/engines.txt
engines-list: units $(TESTED)
	$(Q)sed '/^#/!d' $(ENGINE_LIST) > $(BUILD)/engines.txt
	$(Q)ROUNDCAST=$(JUDGED) tests/engines.sh all $(UNITS) $(CASES) >> $(BUILD)/engines.txt
	$(Q)mv $(BUILD)/engines.txt $(ENGINE_LIST)
