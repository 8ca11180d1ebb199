# SPDX-License-Identifier: Apache-2.0
# fuzz.mk: fuzz targets; included by the Makefile, which has Q, BUILD and LIBRARY.
#
# A target, tests/fuzz/fuzz_X.c, is a function of bytes that ends the program at an error. Linked
# with the driver replay.c it is $(BUILD)/fuzz/X, and, with a fault that it must find,
# $(BUILD)/fuzz/fault/X; tests run both. `make fuzz` compiles everything with clang and libFuzzer as
# build/libfuzzer/fuzz/X.

FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SUPPORT := $(filter-out tests/fuzz/fuzz_% %/replay.c,$(wildcard tests/fuzz/*.c))
FUZZ_SUPPORT += tests/support/judge_reduce.c
FUZZ_SUPPORT := $(FUZZ_SUPPORT:%.c=$(BUILD)/obj/%.o)
FUZZ_DRIVER ?= $(BUILD)/obj/tests/fuzz/replay.o
FUZZ_FAULTS := $(FUZZ_NAMES:%=$(BUILD)/fuzz/fault/%)
FUZZ_PROGRAMS := $(FUZZ_NAMES:%=$(BUILD)/fuzz/%) $(FUZZ_FAULTS)
FUZZ_ENGINES = $(shell awk '$$1 == "fuzz_rtl.sh" { print $$2 }' tests/engines.txt)

SECONDS ?= 60
FUZZ ?= $(FUZZ_NAMES)
CLANG ?= clang
FUZZ_FLAGS := -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
              -fsanitize-coverage-ignorelist=tests/fuzz/unguided.txt
LIBFUZZER := build/libfuzzer
LIBFUZZER_MAKE = $(MAKE) --no-print-directory BUILD=$(LIBFUZZER) CC=$(CLANG) \
                 CFLAGS='$(FUZZ_FLAGS)' FUZZ_DRIVER= FUZZ_LINK=-fsanitize=fuzzer

.SECONDARY: $(FUZZ_SUPPORT) $(FUZZ_DRIVER) $(FUZZ_NAMES:%=$(BUILD)/obj/tests/fuzz/fuzz_%.o)

$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_SUPPORT) $(FUZZ_DRIVER) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(FUZZ_LINK) -o $@ $^ $(LDLIBS)

$(BUILD)/fuzz/fault/%: tests/fuzz/fuzz_%.c $(FUZZ_SUPPORT) $(FUZZ_DRIVER) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DFUZZ_FAULT=1 -MF $@.d $(FUZZ_LINK) -o $@ $(filter-out %.h,$^) $(LDLIBS)

# The engines that targets open are built first.
.PHONY: fuzz-engines
fuzz-engines: $(if $(call asked,fuzz-engines),$(FUZZ_ENGINES:%=$(QUICK)/%/dut.so))

.PHONY: fuzz
fuzz: tools-fuzz ### run the fuzz targets (FUZZ="route …") for SECONDS (default: 60) each
	@$(MAKE) --no-print-directory fuzz-engines
	@$(LIBFUZZER_MAKE) $(FUZZ:%=$(LIBFUZZER)/fuzz/%)
	$(Q)ROUNDCAST_ENGINES="$$PWD/$(QUICK)" tests/fuzz/fuzz.sh $(SECONDS) $(FUZZ:%=$(LIBFUZZER)/fuzz/%)

.PHONY: fuzz-corpus
fuzz-corpus: tools-fuzz ### rewrite the corpora from what `make fuzz` found
	@$(MAKE) --no-print-directory fuzz-engines
	@$(LIBFUZZER_MAKE) $(FUZZ:%=$(LIBFUZZER)/fuzz/%)
	$(Q)ROUNDCAST_ENGINES="$$PWD/$(QUICK)" tests/fuzz/merge.sh $(FUZZ:%=$(LIBFUZZER)/fuzz/%)

-include $(FUZZ_SUPPORT:.o=.d) $(FUZZ_NAMES:%=$(BUILD)/obj/tests/fuzz/fuzz_%.d) $(FUZZ_FAULTS:=.d)
