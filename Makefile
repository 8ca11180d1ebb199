# SPDX-License-Identifier: Apache-2.0
# Roundcast: schedules of collective communications, compiled to switch tables and run on hardware.
#
# `make help` lists the targets that a user or developer types, `make help-all` every target.
# Everything built goes under build/. This file builds the program; the makefiles of the folders,
# included below, add tests, engines, synthesis and pages. Each has its targets, and variables that
# a caller may set, at its head.
#
# Lists that a command prints are made only when they are needed: their variables are assigned with
# =, and a target has them as prerequisites only if it was asked for.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
# No rule of make itself is used; without them it looks for far fewer files.
.SUFFIXES:

# The text after ## describes a target of `make help`, that after ### one of `make help-all`.
HELP_FILES := $(wildcard Makefile *.mk */*.mk */*/*.mk)
show_help = @awk -F '$1' '/^[a-z0-9-]+:.*$1/ { sub(/:.*/, "", $$1); \
    printf "  make %-14s %s\n", $$1, $$2 }' $(HELP_FILES)

.PHONY: help help-all
help: ## list the targets that a user or developer types
	$(call show_help, ## )

help-all: ## list every target
	$(call show_help, ##+ )

.PHONY: clean
clean: ## remove everything built
	$(Q)rm -rf build

# tools-PURPOSE installs what a purpose needs and what is missing; need-PURPOSE only prints it, and
# stops. A build without `make demo` or `make test`, and `make install`, never install packages.
tools-%:
	$(Q)./deps.sh $*

need-%:
	$(Q)./deps.sh --missing $*

.PHONY: deps
deps: tools-deps ## install the packages that the tests and .ci/run need, in one call of apt-get

V ?= 0
Q := $(if $(filter 1,$(V)),,@)

# The targets above need nothing of what follows.
ifneq ($(filter-out help help-all clean deps tools-% need-%,$(or $(MAKECMDGOALS),all)),)

# $(call asked,PATTERNS): the goals that match.
asked = $(filter $1,$(MAKECMDGOALS))

# Builds in parallel unless -j was given, here or to the make that runs this one. Several goals, as
# in `make clean demo`, keep their order.
ifeq ($(if $(filter 0,$(MAKELEVEL)),$(word 2,$(MAKECMDGOALS))),)
MAKEFLAGS += $(shell case " $${MAKEFLAGS%% -- *}" in (*" -j"*) ;; (*) echo "-j$$(nproc)" ;; esac)
endif

CC ?= cc
CFLAGS ?= -O3 -g
# A warning stops the build, unless WERROR= is given.
WERROR ?= -Werror
# clang warns of fields that an initialiser leaves out, and of loops that -O1 does not vectorise.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes $(WERROR) \
        -Wno-missing-field-initializers -Wno-pass-failed
CPPFLAGS += -D_GNU_SOURCE -I. -Ilib
# Large work is shared by OMP_NUM_THREADS threads (sched/base/threads.h).
OPENMP := -fopenmp
LDLIBS := $(OPENMP) -ljansson -lsqlite3 -lz -lpthread -ldl -lm

# The first word in quotation marks of the header.
VERSION := $(patsubst "%",%,$(firstword $(filter "%",$(file < sched/base/version.h))))

# `make SANITIZE=1 …` builds and tests everything under ASan and UBSan, in a folder of its own.
ifeq ($(SANITIZE),1)
BUILD := build/sanitize
CFLAGS := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
BUILD := build
endif

# Objects may be linked into shared libraries, whose calls of their own functions stay inside.
PIC := -fPIC -fno-semantic-interposition
COMPILE = $(CC) -std=c11 $(WARN) $(CPPFLAGS) $(CFLAGS) $(PIC) $(OPENMP) -MMD -MP

SOURCES := $(wildcard $(addsuffix /*.c,sched/* sched/algorithms/* csim/* \
             $(addprefix testbench/,engine scoreboard run) waves view plot sweep cli lib lib/report))
# Only the program and the library have it, so that a commit does not link the tests again.
COMMIT := $(BUILD)/obj/sched/base/commit.o
OBJECTS := $(filter-out $(COMMIT),$(SOURCES:%.c=$(BUILD)/obj/%.o))
MAIN := $(BUILD)/obj/cli/main.o
LIBRARY := $(BUILD)/objects.a
# The command line is linked with libroundcast (lib/lib.mk) and with nothing else of the sources.
COMMAND_LINE := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard cli/*.c))
LIB := $(BUILD)/lib
# The driver for firmware and hosts is linked into no library.
DRIVER := $(BUILD)/driver.a
DRIVER_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard driver/*.c))
CASES := $(filter-out %/tap.sh,$(wildcard tests/cli/*.sh))
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/bench_*.c))
# The folders of test programs mirror those of the sources; a program is called by its name alone.
UNIT_FOLDERS := tests/unit $(addprefix tests/unit/,* */* */*/*)
UNIT_SOURCES := $(sort $(wildcard $(UNIT_FOLDERS:%=%/test_*.c)))
UNITS := $(patsubst %.c,$(BUILD)/unit/%,$(notdir $(UNIT_SOURCES)))
UNIT_OBJECTS := $(UNITS:$(BUILD)/unit/%=$(BUILD)/obj/%.o)
vpath test_%.c $(sort $(dir $(UNIT_SOURCES)))
SUPPORT := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/support/*.c))
SUPPORT_LIBRARY := $(BUILD)/libsupport.a
# Test programs run once, and these folders read options and print: -O1 saves a third of their
# compile time.
LIGHT_CFLAGS := $(patsubst -O3,-O1,$(CFLAGS))
LIGHT_FOLDERS := cli lib/report plot sched/exchange sweep view waves
LIGHT_OBJECTS := $(filter $(LIGHT_FOLDERS:%=$(BUILD)/obj/%/%),$(OBJECTS))

# Verilator ships GTKWave's FST writer, which is plain C. Without it csim writes no FST.
VERILATOR_ROOT ?= /usr/share/verilator
FST_DIR := $(VERILATOR_ROOT)/include/gtkwave
FST_OBJECTS := $(if $(wildcard $(FST_DIR)/fstapi.c),\
                 $(addprefix $(BUILD)/obj/fst/,fstapi.o fastlz.o lz4.o))
CPPFLAGS += -isystem $(FST_DIR)
# The sources of a package may be older than an object that was compiled without them.
$(BUILD)/obj/csim/kernel/trace_fst.o: $(FST_OBJECTS)

.PHONY: all
all: $(BUILD)/roundcast ## build the program, build/roundcast

$(BUILD)/roundcast: $(COMMAND_LINE) $(LIB)/libroundcast.a
	@echo "  link $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIBRARY): $(filter-out $(MAIN),$(OBJECTS)) $(FST_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/obj/%.o: %.c | need-build
	@mkdir -p $(@D) && echo "  cc   $<"
	$(Q)$(COMPILE) -c -o $@ $<

# The file changes only with the commit.
.PHONY: always
$(BUILD)/commit: always
	$(Q)mkdir -p $(@D); commit=$$(sh sched/base/commit.sh); \
	[ "$$(cat $@ 2>/dev/null)" = "$$commit" ] || echo "$$commit" > $@

$(COMMIT): $(BUILD)/commit
$(COMMIT): CPPFLAGS += -DROUNDCAST_COMMIT='"$(file < $(BUILD)/commit)"'

# The files of pages, and of what is exported, are part of the program.
$(BUILD)/obj/view/view.o: $(wildcard view/*.html view/*.css view/*.js)
$(BUILD)/obj/sched/exchange/mpi_c.o: mpi/execute.h
$(BUILD)/obj/sched/exchange/mpi_c_combined.o: mpi/execute_combined.h

$(BUILD)/obj/fst/%.o: $(FST_DIR)/%.c testbench/engine/fst_files.h | need-build
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -w $(PIC) -include testbench/engine/fst_files.h \
	    '-DFST_CONFIG_INCLUDE="fst_config.h"' -I$(FST_DIR) -c -o $@ $<

$(UNIT_OBJECTS) $(LIGHT_OBJECTS): CFLAGS := $(LIGHT_CFLAGS)

# As a library, so that each test links only what it calls.
$(SUPPORT_LIBRARY): $(SUPPORT)
	$(Q)rm -f $@ && ar rcs $@ $^

# The program as test scripts run it: support/judge_route.c, which the wrapper's name brings in,
# judges each image that it routes.
JUDGED := $(BUILD)/roundcast-judged
$(JUDGED): $(MAIN) $(COMMIT) $(SUPPORT_LIBRARY) $(LIBRARY)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group \
	    -Wl,--wrap=route_schedule $(LDLIBS)

# The program as above, with a fault that the judge must find.
JUDGED_FAULT := $(BUILD)/fault/roundcast-judged
$(JUDGED_FAULT): tests/support/judge_route.c $(MAIN) $(SUPPORT_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DJUDGE_FAULT=1 -MF $@.d -o $@ \
	    -Wl,--start-group $(filter-out %.h,$^) -Wl,--end-group -Wl,--wrap=route_schedule $(LDLIBS)

$(DRIVER): $(DRIVER_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^

# tests/support/running.h says why the runner of the tests is wrapped.
$(BUILD)/unit/%: $(BUILD)/obj/%.o $(SUPPORT_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group \
	    -Wl,--wrap=_cmocka_run_group_tests,--wrap=route_schedule $(UNIT_LINK) -lcmocka $(LDLIBS)

$(BUILD)/unit/test_driver $(BUILD)/unit/test_driver_rtl: $(DRIVER)

$(BUILD)/bench/%: bench/%.c $(LIBRARY)
	@mkdir -p $(@D)
	@echo "  cc   $<"
	$(Q)$(COMPILE) -MF $@.d -o $@ $< $(LIBRARY) $(LDLIBS)

# --- demonstrations and benchmarks ---------------------------------------------------------------

FILE ?= docs/demo.txt
DEMO ?= matching --nodes 22 --packets 8 --network benes:32
# The engine of this FILE and DEMO is compiled beside the program. Other values need another engine,
# which the program compiles when it runs; ROUNDCAST_ENGINES names a folder that has engines.
MACHINE_OF_DEMO := rc_multistage_machine-ports32-pipe1-pad0-width16-packets16-flits256-rows64
OTHER_DEMO := $(ROUNDCAST_ENGINES)$(filter-out file,$(origin FILE) $(origin DEMO))
DEMO_ENGINE := $(if $(OTHER_DEMO),,rtl-$(MACHINE_OF_DEMO))

.PHONY: demo
demo: tools-demo ## broadcast FILE (docs/demo.txt) to 22 nodes, csim and RTL in lockstep
	@$(MAKE) --no-print-directory --quiet $(if $(DEMO_ENGINE),demo-engine) $(BUILD)/roundcast
	@echo
	$(Q)$(BUILD)/roundcast run $(DEMO) --payload '$(FILE)' --engine both

# A program of the sources of the cache alone, which is there before the other objects are.
COMPILE_ENGINE := $(BUILD)/compile-engine
$(COMPILE_ENGINE): $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out sched/base/commit.c,$(wildcard sched/base/*.c testbench/ahead/*.c)) \
                   $(addprefix testbench/engine/,build.c cache.c source.c))
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: demo-engine
demo-engine: $(COMPILE_ENGINE)
	$(Q)$< $(DEMO_ENGINE)

.PHONY: gf11
gf11: tools-demo ### broadcast FILE to 566 processors over the 576 ports of GF11's network, in RTL
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast
	$(Q)for algorithm in circulant fibonacci; do \
	    $(BUILD)/roundcast run $$algorithm -n 566 -m 64 --network gf11 --payload '$(FILE)' \
	        --engine rtl || exit; \
	    echo; \
	done

.SECONDARY: $(SUPPORT) $(UNIT_OBJECTS)

.PHONY: bench
bench: tools-bench ## run the benchmarks of bench/README.md
	@$(MAKE) --no-print-directory $(BUILD)/roundcast $(BENCHES)
	$(Q)for bench in $(BENCHES); do echo; echo "== $${bench##*/}"; $$bench || exit 1; done

# The commit to compare with (default: bench/pair.sh chooses).
PAIR ?=

.PHONY: pace
pace: tools-bench ### print how fast csim and RTL simulate, and the ratio to the commit PAIR
	@$(MAKE) --no-print-directory $(BUILD)/bench/bench_tree
	$(Q)bench/pair.sh $(PAIR)

# Matrices to decompose, and the fewest permutations known of each; seconds of CPU for each.
BIRKHOFF ?= birkhoff
BIRKHOFF_SECONDS ?= 10

.PHONY: birkhoff
birkhoff: tools-build ### decompose the matrices in the folder BIRKHOFF into few permutations
	@$(MAKE) --no-print-directory --quiet $(BUILD)/bench/birkhoff
	$(Q)$(BUILD)/bench/birkhoff '$(BIRKHOFF)' $(BIRKHOFF_SECONDS)

# --- folders -------------------------------------------------------------------------------------

include mpi/mpi.mk lib/lib.mk bench/peers/peers.mk install.mk
include testbench/engine.mk tests/rtl/testbenches.mk tests/fuzz/fuzz.mk tests/tests.mk
include tests/cluster/cluster.mk synth/synth.mk testbench/board/board.mk
include qa/coverage/coverage.mk qa/coverage/coverage_rtl.mk qa/signoff/signoff.mk
include qa/systems/systems.mk waves/waves.mk view/view.mk docs/figures.mk docs/pages.mk
# Its rules are made of lists of faults.
ifneq ($(call asked,mutants% $(BUILD)/mutants/% build/mutants/%),)
include qa/mutants/mutants.mk
endif

-include $(OBJECTS:.o=.d) $(DRIVER_OBJECTS:.o=.d) $(BUILD)/obj/testbench/ahead/compile_engine.d $(JUDGED_FAULT).d
-include $(SUPPORT:.o=.d) $(UNIT_OBJECTS:.o=.d) $(BENCHES:=.d)

endif
