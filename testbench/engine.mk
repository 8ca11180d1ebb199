# SPDX-License-Identifier: Apache-2.0
# engine.mk: compiled engines; included by the Makefile and by testbench/engine/build.mk, which have
# Q and VERILATOR_ROOT.
#
# build/engine/rtl-rc_multistage_machine-ports32-pipe1-…[-traced]/dut.so is a machine compiled by
# Verilator, with the interface of testbench/engine/dut.h; netlist-… is the machine after synthesis.
# The program compiles the engines that it needs into the user's cache (testbench/engine/build.mk).
# Tests run only a thousand cycles, so their engines, in build/engine-quick, are optimised less:
# they compile in a third of the time and run half as fast. `make test` builds those of
# tests/engines.txt.

VERILATOR ?= verilator
CXX ?= c++

# Packages come first, because all files read them.
define NEWLINE


endef
RTL_FILES := $(sort $(wildcard rtl/*/*.sv))
RTL_PACKAGES := $(strip $(foreach file,$(RTL_FILES),\
    $(if $(findstring $(NEWLINE)package ,$(file < $(file))),$(file))))
RTL := $(RTL_PACKAGES) $(filter-out $(RTL_PACKAGES),$(RTL_FILES))

ENGINE := build/engine
QUICK := build/engine-quick
SYNTH := build/synth
YOSYS ?= yosys
# `make … YOSYS=yowasp` uses Yosys from npm (qa/yowasp), in folders of its own.
ifeq ($(YOSYS),yowasp)
override YOSYS := qa/yowasp/yosys
YOWASP := build/yowasp/installed
QUICK := build/yowasp/engine-quick
SYNTH := build/yowasp/synth
endif
export YOSYS

# Verilator and Yosys allocate millions of small blocks. They run a fifth faster if the C library
# caches more freed blocks, in large pages.
export GLIBC_TUNABLES ?= glibc.malloc.tcache_count=65535:glibc.malloc.hugetlb=1

RUNTIME_DIR := build/engine/runtime
# -fno-table: look-up tables would turn the flags of endpoints into branches, which cost a third of
# the speed at 64 ports.
# --expand-limit: a concatenation of more words than the limit copies all of them once for each
# word. The widest one is the observation port, with a word per node.
# -Wno: warnings of newer versions of Verilator must not stop an engine. `make lint` rejects
# warnings.
VERILATE := $(VERILATOR) --cc -O3 -Wno-fatal -Wno-lint -Wno-style -fno-table --expand-limit 4096 \
            --x-assign fast --x-initial fast --noassert --prefix Vmachine
# A model is split into files of about four megabytes, which are compiled in parallel. Each reads
# the header of all signals, a seventh of a large model. A quick engine is one file.
SPLIT := --output-split 80000 --output-split-cfuncs 5000
RUNTIME := $(RUNTIME_DIR)/runtime.a
RUNTIME_OBJECTS := $(patsubst %,$(RUNTIME_DIR)/%.o,verilated verilated_threads verilated_fst_c)
# Since 5.050, the FST writer of Verilator uses liblz4; earlier versions contain a copy.
RUNTIME_LIBS = $(shell grep -os -m 1 -e '-llz4' $(VERILATOR_ROOT)/include/verilated.mk) -lz -lpthread
SHIM := testbench/engine/dut_verilated.cc
LIBRARY_FLAGS := -std=c++17 -fPIC -fvisibility=hidden -DVL_TIME_CONTEXT -isystem $(VERILATOR_ROOT)/include \
                 -isystem $(VERILATOR_ROOT)/include/vltstd
SHIM_FLAGS = -shared $(LIBRARY_FLAGS) $(if $(call engine_trace,$1),-DDUT_TRACED) -I$(@D)/model -I.
# For each word that a model stores, two passes of GCC examine the thousands of earlier stores. They
# take a third of the time at -O1 and a fifth at -Og, and make no run faster.
NO_WALKS := -fno-tree-fre -fno-tree-dse
QUICK_FLAGS := -Og $(NO_WALKS) -w -DVM_COVERAGE=0 -DVM_SC=0
# A precompiled header is valid only for the same compiler and macros.
HEADERS := $(RUNTIME_DIR)/headers-$(notdir $(firstword $(CXX)))
TRACE_MACROS := -DVM_TRACE=1 -DVM_TRACE_FST=1
quick_headers = $(HEADERS)$(if $(call engine_trace,$1),-traced).h
quick_macros = $(if $(call engine_trace,$1),$(TRACE_MACROS),-DVM_TRACE=0)

# rc_fat_tree_machine-height2-children4_4-…-traced → -GHeight=2 -GChildren="384'h40004" …; the
# parameters of a netlist are built in.
engine_words = $(subst -, ,$1)
engine_top = $(firstword $(call engine_words,$1))
engine_parameters = $(or $(shell awk -f synth/parameters.awk -v form='-G%s="%s"' <<< $1),$(error $1: no machine))
engine_trace = $(if $(filter traced,$(call engine_words,$1)),--trace-fst)
# Verilator finds a module in the file of its name, so that an engine depends only on the files of
# its modules. Packages are passed by name.
RTL_OF_ENGINE = rtl/roundcast.vlt $(RTL_PACKAGES) $(addprefix -y ,$(sort $(dir $(RTL)))) $(filter %/$(call engine_top,$1).sv,$(RTL)) \
                $(call engine_parameters,$1)

# $(call verilate,STEM,SOURCES AND PARAMETERS,LAYOUT OPTIONS): writes the C++ model. The files of
# rtl/ that Verilator read become the dependencies in dut.d.
define verilate
	@mkdir -p $(@D)
	@echo "  verilate $(@D:build/%=%)" >&2
	$(Q)rm -rf $(@D)/model
	$(Q)$(VERILATE) --top-module $(call engine_top,$1) $(call engine_trace,$1) $3 --Mdir $(@D)/model $2 > /dev/null
	$(Q)grep -oE ' rtl/[a-z0-9_/.]+\.(svh?|vlt)' $(@D)/model/Vmachine__ver.d | sort -u | \
	    awk '{ files = files $$0; alone = alone $$1 ":\n" } END { printf "%s:%s\n%s", "$@", files, alone }' > $(@D)/dut.d
endef

# Models of more than about 300 ports are compiled with -O1, which takes two fifths of the time of
# -O3. A run of 256 ports, a model of nine megabytes, would take 1.2 times as long with it. The
# files that Verilator calls slow run once, and do not count.
MUCH := 12000000
FAST_FLAGS = $(LIBRARY_FLAGS) -march=native -w -DVM_COVERAGE=0 -DVM_SC=0 $(call quick_macros,$1)

# Small files are compiled together, so that the header of all signals is read once.
define build_fast
	$(Q)cd $(@D)/model && find . -name '*.cpp' -size -64k | sed 's/.*/#include "&"/' > small.cc
	$(Q)export fast="$$(test $$(find $(@D)/model -name '*.cpp' ! -name '*Slow*' -exec cat {} + | wc -c) -lt $(MUCH) && echo -O3 || echo -O1 $(NO_WALKS))" && \
	    find $(@D)/model -name '*.cpp' -size +63k -o -name small.cc | xargs -n 1 -P $$(nproc) sh -c \
	    'case $$0 in *Slow*) fast=-O0 ;; esac; $(CXX) $(call FAST_FLAGS,$1) $$fast -c -o $$0.o $$0'
	$(Q)$(CXX) $(call SHIM_FLAGS,$1) -O2 -Wall -Wextra $(WERROR) -o $@ $(SHIM) $(@D)/model/*.o $(RUNTIME) $(RUNTIME_LIBS)
	$(Q)rm -rf $(@D)/model
endef

# All files are compiled together, followed by the shim; Verilator's headers are precompiled.
define build_quick
	$(Q)cd $(@D)/model && { ls *.cpp | grep -v Slow; echo '#pragma GCC optimize ("O0")'; ls *.cpp | grep Slow; } | \
	    sed '/^#/!s/.*/#include "&"/' > machine.h
	$(Q)$(CXX) $(call SHIM_FLAGS,$1) $(QUICK_FLAGS) \
	    $(call quick_macros,$1) -include $(call quick_headers,$1) \
	    -include $(@D)/model/machine.h -o $@ $(SHIM) $(RUNTIME) $(RUNTIME_LIBS)
	$(Q)rm -rf $(@D)/model
endef

ENGINE_SOURCES := $(SHIM) testbench/engine/dut.h testbench/engine.mk synth/parameters.awk $(RUNTIME)

$(ENGINE)/rtl-%/dut.so: $(ENGINE_SOURCES)
	$(call verilate,$*,$(call RTL_OF_ENGINE,$*),$(SPLIT))
	$(call build_fast,$*)

$(QUICK)/rtl-%-traced/dut.so: $(ENGINE_SOURCES) $(HEADERS)-traced.h.gch
	$(call verilate,$*-traced,$(call RTL_OF_ENGINE,$*-traced))
	$(call build_quick,$*-traced)

$(QUICK)/rtl-%/dut.so: $(ENGINE_SOURCES) $(HEADERS).h.gch
	$(call verilate,$*,$(call RTL_OF_ENGINE,$*))
	$(call build_quick,$*)

$(ENGINE)/netlist-%/dut.so: $(SYNTH)/netlist-%.v $(ENGINE_SOURCES)
	$(call verilate,$*,$<,$(SPLIT))
	$(call build_fast,$*)

$(QUICK)/netlist-%/dut.so: $(SYNTH)/netlist-%.v $(ENGINE_SOURCES) $(HEADERS).h.gch
	$(call verilate,$*,$<)
	$(call build_quick,$*)

FST_FILES := testbench/engine/fst_files.h

# A model calls little of the runtime, and a user's first engine waits for it, so -O1 suffices;
# Verilator's own makefiles use -Os.
$(RUNTIME_DIR)/%.o: $(VERILATOR_ROOT)/include/%.cpp $(FST_FILES)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O1 -fPIC -w $(if $(filter verilated_fst_c,$*),-include $(FST_FILES)) -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $@ $<

$(RUNTIME): $(RUNTIME_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^

$(HEADERS).h.gch $(HEADERS)-traced.h.gch: $(VERILATOR_ROOT)/include/verilated.h testbench/engine.mk
	@mkdir -p $(@D)
	$(Q)printf '#include "%s"\n' $(if $(findstring -traced,$@),verilated_fst_c.h,verilated.h) > $(@:.gch=)
	$(Q)$(CXX) $(LIBRARY_FLAGS) $(QUICK_FLAGS) $(if $(findstring -traced,$@),$(TRACE_MACROS),-DVM_TRACE=0) \
	    -x c++-header -c -o $@ $(@:.gch=)

.SECONDARY: $(RUNTIME_OBJECTS)

-include $(wildcard $(ENGINE)/*/dut.d $(QUICK)/*/dut.d)
