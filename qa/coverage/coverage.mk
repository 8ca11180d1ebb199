# SPDX-License-Identifier: Apache-2.0
# coverage.mk: coverage of C; included by the Makefile, which has Q and BUILD.
#
# `make coverage-c` compiles the program and its tests with counters in build/coverage, runs the
# tests of `make check` and COVERAGE_ALSO, and writes a table of folders, build/coverage-c.md, and
# the list of gaps, build/coverage/gaps. `make coverage-c CHECKS=build/unit/test_err COVERAGE_ALSO=`
# measures one test. The run fails below COVERAGE_LIMITS (percent); raise them when coverage rises.
# The aim is 100 % of lines and outcomes, and 95 % of conditions that decide alone. A run within the
# limits stores its table for SIGNOFF.md.

COVERAGE := build/coverage
COVERAGE_LLVM := -19
# Tests of `make test` that open few engines and cover what `make check` does not.
COVERAGE_ALSO := batch_run.sh cube.sh docs.sh engine.sh exchange_run.sh fat_tree.sh general.sh \
                 install.sh library.sh mpi.sh mpi_failures.sh operators.sh ports.sh postal.sh \
                 registers.sh run.sh schema.sh sweep.sh test_certificates test_cube_reductions \
                 test_every_algorithm test_fabric_reductions test_faults test_kept test_lockstep \
                 test_reductions test_stream_faults test_tree_delays test_tree_faults \
                 test_tree_reduce_scatter_run test_tree_reductions test_tree_sizes \
                 test_tree_steps test_waves test_waves_cube test_waves_postal test_waves_tree \
                 tree_optima.sh view.sh waves.sh
COVERAGE_ENGINES = $(shell awk -v tests=" $(COVERAGE_ALSO) " '!/^\#/ && NF == 2 && index(tests, " " $$1 " ") { print $$2 }' $(ENGINE_LIST) | sort -u)
COVERAGE_LIMITS := lines 99.5 outcomes 100 alone 99
COVERAGE_OF := ^(cli|csim|driver|lib|mpi|plot|sched|sweep|testbench/(engine|run|scoreboard)|view|waves)/
# A processor without AVX-512 does not execute this file; test_lanes_avx512 compiles it with a C
# function in place of each instruction.
COVERAGE_NOT = $(if $(shell grep -ow -m1 avx512f /proc/cpuinfo),none,^csim/multistage/lanes_avx512)
COVERAGE_FLAGS := -O1 -g1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Wl,--build-id
# clang-19 is used with the OpenMP library of the default clang, which reports one thread there, and
# with its header omp.h alone, because its other headers belong to another compiler.
CLANG_FILES = $(shell clang -print-resource-dir)
COVERAGE_OPENMP = -I$(COVERAGE)/omp -L$(CLANG_FILES)/../.. -lomp
COVERAGE_ENDING := $(COVERAGE)/ending.a -Wl,--wrap=_exit,--wrap=raise,--wrap=execlp,--wrap=execvp
# clang warns of decisions that it cannot count. The runtime that writes the counters must not be in
# the static library as well: it would write them twice, and the second time double the file.
# MAKEFLAGS must not reach the tests.
COVERAGE_MAKE = $(MAKE) --no-print-directory --quiet BUILD=$(COVERAGE) CC=clang$(COVERAGE_LLVM) \
                CFLAGS='$(COVERAGE_FLAGS)' OPENMP='$(COVERAGE_OPENMP) $(COVERAGE_ENDING)' WERROR=-w \
                PARTIAL=-noprofilelib
COVERAGE_RUN = env -u MAKEFLAGS -u MAKELEVEL ROUNDCAST=$(COVERAGE)/roundcast \
               LLVM_PROFILE_FILE="$$PWD/$(COVERAGE)/raw/%b-%2m.profraw"
COVERAGE_ALL = $(filter $(addprefix %/,$(COVERAGE_ALSO)),$(UNITS) $(CASES))
in_coverage = $(patsubst $(BUILD)/%,$(COVERAGE)/%,$1)

.PHONY: coverage
coverage: ### measure the coverage of the RTL and of C; fail below the limits
	@$(MAKE) --no-print-directory coverage-rtl
	@$(MAKE) --no-print-directory coverage-c

# The counters of a process are merged into a file. A process that a test ends while it writes a new
# file leaves one that no other process can merge with; a complete file keeps its size. Both files
# of the program (%2m) are therefore complete before tests begin.
.PHONY: coverage-c
coverage-c: tools-coverage ### measure the coverage of C; fail below the limits
	$(Q)mkdir -p $(COVERAGE)/omp && ln -sf $(CLANG_FILES)/include/omp.h $(COVERAGE)/omp/
	$(Q)clang$(COVERAGE_LLVM) -O1 -fPIC -c -o $(COVERAGE)/ending.o tests/support/ending.c
	$(Q)rm -f $(COVERAGE)/ending.a && ar rcs $(COVERAGE)/ending.a $(COVERAGE)/ending.o
	+@$(COVERAGE_MAKE) CHECKS='$(call in_coverage,$(CHECKS))' coverage-build
	@$(MAKE) --no-print-directory --quiet coverage-also
	$(Q)rm -rf $(COVERAGE)/raw $(COVERAGE)/share # what the program writes is written by it anew
	$(Q)for try in {1..16}; do $(COVERAGE_RUN) $(COVERAGE)/roundcast help; done > /dev/null
	$(Q)llvm-profdata$(COVERAGE_LLVM) merge -o $(COVERAGE)/help.profdata $(COVERAGE)/raw/*.profraw
	$(Q)llvm-profdata$(COVERAGE_LLVM) show --function=main $(COVERAGE)/help.profdata | \
	    grep -q 'Function count: 16$$' || { echo "coverage-c: 16 runs are not counted as 16" >&2; exit 1; }
	$(Q)$(COVERAGE_RUN) ROUNDCAST_ENGINES=none tests/run-tests.sh $(call in_coverage,$(CHECKS))
	$(Q)test -z "$(COVERAGE_ALL)" || $(COVERAGE_RUN) ROUNDCAST_ENGINES="$$PWD/$(QUICK)" \
	    tests/run-tests.sh $(call in_coverage,$(COVERAGE_ALL))
	+@$(COVERAGE_MAKE) coverage-table

.PHONY: coverage-also
coverage-also: $(if $(call asked,coverage-also),$(COVERAGE_ENGINES:%=$(QUICK)/%/dut.so))

.PHONY: coverage-build
coverage-build: $(if $(call asked,coverage-build),$(TESTED) $(MPI_PROGRAM) $(LIBRARY_FILES) \
    $(filter $(UNITS),$(CHECKS) $(COVERAGE_ALL)))

# One program with all of the code, including what no test links, and the ranks of MPI. Counters
# that a killed process has cut off are left out, which can only lower the coverage.
.PHONY: coverage-table
coverage-table: $(LIBRARY) $(DRIVER) $(MAIN) $(MPI_PROGRAM)
	$(Q)llvm-profdata$(COVERAGE_LLVM) merge -sparse -failure-mode=all -o $(BUILD)/profile $(BUILD)/raw/*.profraw
	$(Q)$(CC) $(CFLAGS) -o $(BUILD)/all $(MAIN) \
	    -Wl,--whole-archive $(LIBRARY) $(DRIVER) -Wl,--no-whole-archive $(LDLIBS)
	$(Q)LLVM=$(COVERAGE_LLVM) qa/coverage/coverage.sh $(BUILD)/profile '$(COVERAGE_OF)' \
	    $(BUILD)/all $(MPI_PROGRAM) | awk -F '\t' '$$2 !~ /$(subst /,\/,$(COVERAGE_NOT))/' > $(BUILD)/counts
	$(Q)awk -f qa/coverage/coverage.awk -v gaps=1 qa/coverage/coverage-c.txt $(BUILD)/counts > $(BUILD)/gaps 2> /dev/null || true
	$(Q)awk -f qa/coverage/coverage.awk -v limits='$(COVERAGE_LIMITS)' qa/coverage/coverage-c.txt $(BUILD)/counts > build/coverage-c.md; \
	    status=$$?; cat build/coverage-c.md; exit $$status
	$(call keep_table,coverage-c,Coverage of C,\
	    A condition has two outcomes; *alone* counts conditions that decided alone (MC/DC).)
