# SPDX-License-Identifier: Apache-2.0
# Roundcast: schedules of collective communications, compiled to switch tables and run on hardware.
#
# Everything built goes under build/. `make help` lists the targets.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# Builds in parallel unless -j was given, here or to the make that runs this one. Several goals, as
# in `make clean demo`, keep their order.
ifeq ($(if $(filter 0,$(MAKELEVEL)),$(word 2,$(MAKECMDGOALS))),)
MAKEFLAGS += $(shell case " $${MAKEFLAGS%% -- *}" in (*" -j"*) ;; (*) echo "-j$$(nproc)" ;; esac)
endif

V ?= 0
Q := $(if $(filter 1,$(V)),,@)
CC ?= cc
CFLAGS ?= -O3 -g
# A warning stops the build, unless WERROR= is given.
WERROR ?= -Werror
# What an initialiser leaves out is 0, which clang warns of where gcc does not; nor is it a fault of
# the source if little optimising leaves a loop without vectors.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes $(WERROR) -Wno-missing-field-initializers -Wno-pass-failed
CPPFLAGS += -D_GNU_SOURCE -I.
# Several threads (sched/base/threads.h) share large work; OMP_NUM_THREADS says how many.
OPENMP := -fopenmp
LDLIBS := $(OPENMP) -ljansson -lsqlite3 -lz -lpthread -ldl -lm

VERSION := $(shell sed -n 's/^\#define ROUNDCAST_VERSION "\(.*\)"/\1/p' sched/base/version.h)

# `make SANITIZE=1 …` builds and tests everything under ASan and UBSan, in a folder of its own.
ifeq ($(SANITIZE),1)
BUILD := build/sanitize
CFLAGS := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
BUILD := build
endif

# All objects can be put into shared libraries, whose own calls nobody else may answer.
PIC := -fPIC -fno-semantic-interposition
COMPILE = $(CC) -std=c11 $(WARN) $(CPPFLAGS) $(CFLAGS) $(PIC) $(OPENMP) -MMD -MP

SOURCES := $(wildcard sched/*/*.c sched/algorithms/*/*.c csim/*/*.c testbench/engine/*.c testbench/scoreboard/*.c testbench/run/*.c waves/*.c view/*.c plot/*.c sweep/*.c cli/*.c lib/*.c lib/report/*.c)
# Of the program and the library alone, so that a commit links no test program again.
COMMIT := $(BUILD)/obj/sched/base/commit.o
OBJECTS := $(filter-out $(COMMIT),$(SOURCES:%.c=$(BUILD)/obj/%.o))
MAIN := $(BUILD)/obj/cli/main.o
LIBRARY := $(BUILD)/objects.a
# Only the libraries, the tests and the benchmarks link these, so that the program is built without.
NOT_IN_PROGRAM := csim/examples/%.c $(addprefix sched/decompose/,beam.c minimum.c relations.c)
PROGRAM_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out $(NOT_IN_PROGRAM),$(SOURCES)))
CASES := $(filter-out %/tap.sh,$(wildcard tests/cli/*.sh))
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/bench_*.c))
# Test programs stand in folders as what they test does, but are called by their names alone.
UNIT_SOURCES := $(sort $(shell find tests/unit -name 'test_*.c'))
UNITS := $(patsubst %.c,$(BUILD)/unit/%,$(notdir $(UNIT_SOURCES)))
UNIT_OBJECTS := $(UNITS:$(BUILD)/unit/%=$(BUILD)/obj/%.o)
vpath test_%.c $(sort $(dir $(UNIT_SOURCES)))
SUPPORT := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/support/*.c))
SUPPORT_LIBRARY := $(BUILD)/libsupport.a
# Test programs are run once, and these folders read options and print: -O1 saves a third of the
# time that it takes to compile them.
LIGHT_CFLAGS := $(patsubst -O3,-O1,$(CFLAGS))
LIGHT_OBJECTS := $(filter $(addprefix $(BUILD)/obj/,cli/% lib/report/% plot/% sched/exchange/% sweep/% view/% waves/%),$(OBJECTS))

# Verilator ships GTKWave's FST writer, which is plain C. Without it csim writes no FST.
VERILATOR_ROOT ?= /usr/share/verilator
FST_DIR := $(VERILATOR_ROOT)/include/gtkwave
FST_OBJECTS := $(if $(wildcard $(FST_DIR)/fstapi.c),$(addprefix $(BUILD)/obj/fst/,fstapi.o fastlz.o lz4.o))
CPPFLAGS += -isystem $(FST_DIR)
# What comes with a package is older than what was compiled without it; what is made of it is not.
$(BUILD)/obj/csim/kernel/trace_fst.o: $(FST_OBJECTS)

.PHONY: all
all: $(BUILD)/roundcast ## build the roundcast program, build/roundcast

$(BUILD)/roundcast: $(PROGRAM_OBJECTS) $(FST_OBJECTS)
	@echo "  link $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIBRARY): $(filter-out $(MAIN),$(OBJECTS)) $(FST_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/obj/%.o: %.c | need-build
	@mkdir -p $(@D) && echo "  cc   $<"
	$(Q)$(COMPILE) -c -o $@ $<

# The file changes with the commit alone.
.PHONY: always
$(BUILD)/commit: always
	$(Q)mkdir -p $(@D); commit=$$(sh sched/base/commit.sh); \
	[ "$$(cat $@ 2>/dev/null)" = "$$commit" ] || echo "$$commit" > $@

$(COMMIT): $(BUILD)/commit
$(COMMIT): CPPFLAGS += -DROUNDCAST_COMMIT='"$(file < $(BUILD)/commit)"'

# The files of pages, and of what is exported, are part of the program.
$(BUILD)/obj/view/template.o: $(wildcard view/*.html view/*.css view/*.js)
$(BUILD)/obj/sched/exchange/mpi_c.o: mpi/execute.h

$(BUILD)/obj/fst/%.o: $(FST_DIR)/%.c testbench/engine/fst_files.h | need-build
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -w $(PIC) -include testbench/engine/fst_files.h '-DFST_CONFIG_INCLUDE="fst_config.h"' -I$(FST_DIR) -c -o $@ $<

$(UNIT_OBJECTS) $(LIGHT_OBJECTS): CFLAGS := $(LIGHT_CFLAGS)

# What a program does not call is left out of it.
$(SUPPORT_LIBRARY): $(SUPPORT)
	$(Q)rm -f $@ && ar rcs $@ $^

# The program as test scripts run it: support/judge_route.c, which the wrapper's name brings in,
# judges each image that it routes.
JUDGED := $(BUILD)/roundcast-judged
$(JUDGED): $(MAIN) $(COMMIT) $(SUPPORT_LIBRARY) $(LIBRARY)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group -Wl,--wrap=route_schedule $(LDLIBS)

# The same with a fault that it must find.
JUDGED_FAULT := $(BUILD)/fault/roundcast-judged
$(JUDGED_FAULT): tests/support/judge_route.c $(MAIN) $(SUPPORT_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DJUDGE_FAULT=1 -MF $@.d -o $@ -Wl,--start-group $^ -Wl,--end-group \
	    -Wl,--wrap=route_schedule $(LDLIBS)

# support/running.h says why the tests' runner is wrapped, too.
$(BUILD)/unit/%: $(BUILD)/obj/%.o $(SUPPORT_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group \
	    -Wl,--wrap=_cmocka_run_group_tests,--wrap=route_schedule $(UNIT_LINK) -lcmocka $(LDLIBS)

$(BUILD)/bench/%: bench/%.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  cc   $<"
	$(Q)$(COMPILE) -MF $@.d -o $@ $< $(LIBRARY) $(LDLIBS)

# --- what people type ---------------------------------------------------------------------------

FILE ?= docs/demo.txt
DEMO ?= matching --nodes 22 --packets 8 --network benes:32
# The engine of this FILE and DEMO, which is compiled while the program is. Other values need
# another engine, which the program compiles when it runs; ROUNDCAST_ENGINES has engines already.
MACHINE_OF_DEMO := rc_multistage_machine-ports32-pipe1-pad0-width16-packets16-flits256-rows64
DEMO_ENGINE := $(if $(ROUNDCAST_ENGINES)$(filter-out file,$(origin FILE) $(origin DEMO)),,rtl-$(MACHINE_OF_DEMO))

.PHONY: demo
demo: tools-demo ## broadcast FILE (docs/demo.txt) to 22 nodes over a 32-port network, csim and RTL in lockstep
	@$(MAKE) --no-print-directory --quiet $(if $(DEMO_ENGINE),demo-engine) $(BUILD)/roundcast
	@echo
	$(Q)$(BUILD)/roundcast run $(DEMO) --payload '$(FILE)' --engine both

# A program of the sources of the cache alone, which is there before the other objects are.
COMPILE_ENGINE := $(BUILD)/compile-engine
$(COMPILE_ENGINE): $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out sched/base/commit.c,$(wildcard sched/base/*.c testbench/ahead/*.c)) \
                   $(addprefix testbench/engine/,build.c cache.c path.c source.c))
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: demo-engine
demo-engine: $(COMPILE_ENGINE)
	$(Q)$< $(DEMO_ENGINE)

.PHONY: gf11
gf11: tools-demo ## broadcast FILE to 566 processors over GF11's network of 576 ports, in RTL
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast
	$(Q)for algorithm in circulant fibonacci; do \
	    $(BUILD)/roundcast run $$algorithm -n 566 -m 64 --network gf11 --payload '$(FILE)' --engine rtl || exit; \
	    echo; \
	done

.SECONDARY: $(SUPPORT) $(UNIT_OBJECTS)

.PHONY: bench
bench: tools-bench ## measure what bench/README.md shows
	@$(MAKE) --no-print-directory $(BUILD)/roundcast $(BENCHES)
	$(Q)for bench in $(BENCHES); do echo; echo "== $${bench##*/}"; $$bench || exit 1; done

# Matrices to decompose, and the fewest permutations known of each; seconds of CPU for each.
BIRKHOFF ?= birkhoff
BIRKHOFF_SECONDS ?= 10

.PHONY: birkhoff
birkhoff: tools-build ## decompose the matrices of the folder BIRKHOFF into few permutations, and compare
	@$(MAKE) --no-print-directory --quiet $(BUILD)/bench/birkhoff
	$(Q)$(BUILD)/bench/birkhoff '$(BIRKHOFF)' $(BIRKHOFF_SECONDS)

# tools-PURPOSE installs what a purpose needs and what is missing; need-PURPOSE only prints it, and
# stops. A build without `make demo` or `make test`, and `make install`, never install packages.
tools-%:
	$(Q)./deps.sh $*

need-%:
	$(Q)./deps.sh --missing $*

.PHONY: deps
deps: tools-deps ## install the packages that the tests and .ci/run need, in one call of apt-get

include mpi/mpi.mk testbench/engine.mk tests/rtl/testbenches.mk tests/fuzz/fuzz.mk tests/tests.mk qa/mutants/mutants.mk
include qa/coverage/coverage.mk tests/cluster/cluster.mk qa/coverage/coverage_rtl.mk qa/signoff/signoff.mk
include qa/systems/systems.mk synth/synth.mk testbench/board/board.mk waves/waves.mk view/view.mk
include docs/figures.mk docs/pages.mk lib/lib.mk bench/peers/peers.mk install.mk

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: clean
clean: ## remove everything built
	$(Q)rm -rf build

-include $(OBJECTS:.o=.d) $(BUILD)/obj/testbench/ahead/compile_engine.d $(JUDGED_FAULT).d $(SUPPORT:.o=.d) $(UNIT_OBJECTS:.o=.d) $(BENCHES:=.d)
