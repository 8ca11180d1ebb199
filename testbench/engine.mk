# engine.mk: the engines that are compiled; included by the Makefile, which has Q, RTL and VERILATOR_ROOT.
#
# build/engine/rtl-ports32-pipe1-…[-traced]/dut.so is the machine of that shape, Verilated, behind
# testbench/dut.h; netlist-… the same after synthesis. The program makes them as it needs them.

VERILATOR ?= verilator
CXX ?= c++
ENGINE := build/engine
# -fno-table: Verilator's look-up tables would turn the endpoints' flags into branches, which cost a third of
# the speed at 64 ports.
VERILATE := $(VERILATOR) --cc -O3 -fno-table --x-assign fast --x-initial fast --noassert --output-split 20000 \
            --output-split-cfuncs 5000 --top-module multistage_machine -CFLAGS '-fPIC -fvisibility=hidden'
RUNTIME := $(patsubst %,$(ENGINE)/runtime/%.o,verilated verilated_threads verilated_fst_c)
SHIM := testbench/dut_verilated.cc

# ports32-pipe1-…-traced → -GPorts=32 -GPipe=1 … ; a netlist has its parameters built in.
engine_words = $(subst -, ,$1)
engine_parameters = $(foreach word,$(filter-out traced,$(call engine_words,$1)),\
    $(shell sed -E 's/^(.)([a-z]*)([0-9]+)$$/-G\U\1\E\2=\3/' <<< $(word)))
engine_trace = $(if $(filter traced,$(call engine_words,$1)),--trace-fst)

# $1: the sources, $2: parameters for Verilator, $3: the stem
define verilate_engine
	@mkdir -p $(@D)
	@echo "  verilate $(notdir $(@D))" >&2
	$(Q)rm -rf $(@D)/model
	$(Q)$(VERILATE) $(call engine_trace,$3) $2 --Mdir $(@D)/model $1
	$(Q)$(MAKE) -s -j2 -C $(@D)/model -f Vmultistage_machine.mk OPT_FAST="-O3 -march=native" Vmultistage_machine__ALL.a > /dev/null
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -shared -Wall -Wextra -Werror -DVL_TIME_CONTEXT \
	    $(if $(call engine_trace,$3),-DDUT_TRACED) \
	    -I$(@D)/model -Itestbench -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd \
	    -o $@ $(SHIM) $(@D)/model/Vmultistage_machine__ALL.a $(RUNTIME) -lz -lpthread
	$(Q)rm -rf $(@D)/model
endef

$(ENGINE)/rtl-%/dut.so: $(RTL) $(SHIM) testbench/dut.h testbench/engine.mk $(RUNTIME)
	$(call verilate_engine,-Wall $(RTL),$(call engine_parameters,$*),$*)

$(ENGINE)/netlist-%/dut.so: build/synth/netlist-%.v $(SHIM) testbench/dut.h testbench/engine.mk $(RUNTIME)
	$(call verilate_engine,-Wno-fatal -Wno-lint $<,,$*)

$(ENGINE)/runtime/%.o: $(VERILATOR_ROOT)/include/%.cpp
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -w -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd -c -o $@ $<

.SECONDARY: $(RUNTIME)

