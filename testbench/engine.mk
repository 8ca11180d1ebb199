# engine.mk: the engines that are compiled; included by the Makefile, which has Q, RTL and VERILATOR_ROOT.
#
# build/engine/rtl-multistage_machine-ports32-pipe1-…[-traced]/dut.so is the machine of that shape, Verilated, behind
# testbench/dut.h; netlist-… the same after synthesis. The program makes them as it needs them.

VERILATOR ?= verilator
CXX ?= c++
ENGINE := build/engine
# -fno-table: Verilator's look-up tables would turn the endpoints' flags into branches, which cost a third of
# the speed at 64 ports.
VERILATE := $(VERILATOR) --cc -O3 -fno-table --x-assign fast --x-initial fast --noassert --output-split 20000 \
            --output-split-cfuncs 5000 --prefix Vmachine -CFLAGS '-fPIC -fvisibility=hidden'
RUNTIME := $(patsubst %,$(ENGINE)/runtime/%.o,verilated verilated_threads verilated_fst_c)
SHIM := testbench/dut_verilated.cc

# fat_tree_machine-height2-children4_4-…-traced → -GHeight=2 -GChildren="384'h40004" … ; a netlist has its parameters
# built in.
engine_words = $(subst -, ,$1)
engine_top = $(firstword $(call engine_words,$1))
engine_parameters = $(shell awk -f synth/parameters.awk -v form='-G%s="%s"' <<< $1)
engine_trace = $(if $(filter traced,$(call engine_words,$1)),--trace-fst)

# $1: the sources, $2: parameters for Verilator, $3: the stem
define verilate_engine
	@mkdir -p $(@D)
	@echo "  verilate $(notdir $(@D))" >&2
	$(Q)rm -rf $(@D)/model
	$(Q)$(VERILATE) --top-module $(call engine_top,$3) $(call engine_trace,$3) $2 --Mdir $(@D)/model $1
	$(Q)$(MAKE) -s -j2 -C $(@D)/model -f Vmachine.mk OPT_FAST="-O3 -march=native" Vmachine__ALL.a > /dev/null
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -shared -Wall -Wextra -Werror -DVL_TIME_CONTEXT \
	    $(if $(call engine_trace,$3),-DDUT_TRACED) \
	    -I$(@D)/model -Itestbench -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd \
	    -o $@ $(SHIM) $(@D)/model/Vmachine__ALL.a $(RUNTIME) -lz -lpthread
	$(Q)rm -rf $(@D)/model
endef

$(ENGINE)/rtl-%/dut.so: $(RTL) $(SHIM) testbench/dut.h testbench/engine.mk synth/parameters.awk $(RUNTIME)
	$(call verilate_engine,-Wall $(RTL),$(call engine_parameters,$*),$*)

$(ENGINE)/netlist-%/dut.so: build/synth/netlist-%.v $(SHIM) testbench/dut.h testbench/engine.mk $(RUNTIME)
	$(call verilate_engine,-Wno-fatal -Wno-lint $<,,$*)

$(ENGINE)/runtime/%.o: $(VERILATOR_ROOT)/include/%.cpp
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -w -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $@ $<

.SECONDARY: $(RUNTIME)

