# SPDX-License-Identifier: Apache-2.0
# board.mk: bitstreams for an iCE40 HX8K breakout board, and the programs that run them; included by
# the Makefile after synth.mk.
#
#     build/board/netlist-rc_multistage_machine-ports8-…/chip.bin    the bitstream
#     …/dut.so                                                       the bitstream as an engine
#
# The engine is compiled from the packed bitstream: iceunpack and icebox_vlog turn it back into
# Verilog for Verilator. With ROUNDCAST_ENGINES=build/board it is the engine `netlist` of the
# machine.

BOARD := build/board
BITSTREAM ?= rc_multistage_machine-ports8-pipe1-pad0-width15-packets16-flits16-rows256
HX8K := --hx8k --package ct256

board_value = $(patsubst $1=%,%,$(filter $1=%,$(shell awk -f synth/parameters.awk -v form='%s=%s' <<< $2)))
BOARD_FLAGS = -DBOARD_PORTS=$(call board_value,Ports,$1) -DBOARD_PACKETS=$(call board_value,Packets,$1) \
    -DBOARD_FLITS=$(call board_value,Flits,$1) -DBOARD_ROWS=$(call board_value,Rows,$1)
BOARD_SOURCES := testbench/board/dut_board.c testbench/board/serial.c
BOARD_MODEL := -DNO_ICE40_DEFAULT_ASSIGNMENTS -DICE40_HX -Wno-fatal -Wno-lint -Wno-TIMESCALEMOD

.PRECIOUS: $(BOARD)/netlist-%/chip.json $(BOARD)/netlist-%/chip.bin $(BOARD)/netlist-%/chip.v
$(BOARD)/netlist-%/chip.json: synth/board/hx8k.sv $(RTL) | tools-board
	@mkdir -p $(@D)
	@echo "  bitstream $*" >&2
	$(Q)$(YOSYS) -q -l $(@D)/synth.log -p "read_verilog -sv -defer $(RTL) $<; \
	    chparam $(shell awk -f synth/parameters.awk -v form='-set %s %s' <<< $*) hx8k; \
	    synth_ice40 -top hx8k -json $@; check -assert; stat" > /dev/null

$(BOARD)/netlist-%/chip.bin: $(BOARD)/netlist-%/chip.json synth/board/hx8k.pcf
	$(Q)nextpnr-ice40 $(HX8K) --seed 1 --freq 12 --pcf synth/board/hx8k.pcf --json $< \
	    --asc $(@D)/chip.asc --log $(@D)/place.log --quiet 2> /dev/null || { tail $(@D)/place.log >&2; exit 1; }
	$(Q)icepack $(@D)/chip.asc $@

# icebox_vlog requires the pins that the design uses.
$(BOARD)/netlist-%/chip.v: $(BOARD)/netlist-%/chip.bin synth/board/pins.awk
	$(Q)iceunpack $< $(@D)/unpacked.asc
	$(Q)bits=$$(awk -v ports=$(call board_value,Ports,$*) -v packets=$(call board_value,Packets,$*) \
	    'BEGIN { print ports * (4 + log(packets) / log(2)) }'); \
	awk -F '[][]' -v bits=$$bits 'NF < 3 || $$2 < bits { sub(/ -nowarn/, ""); print }' synth/board/hx8k.pcf > $(@D)/pins.pcf
	$(Q)icebox_vlog -s -n chip -p $(@D)/pins.pcf $(@D)/unpacked.asc | awk -f synth/board/pins.awk > $@

CHIP_SHIM := testbench/board/chip_verilated.cc
CHIP_CELLS = $(dir $(shell command -v yosys))../share/yosys/ice40/cells_sim.v

$(BOARD)/netlist-%/dut.so: $(BOARD)/netlist-%/chip.v $(BOARD_SOURCES) $(wildcard testbench/board/*.h) $(CHIP_SHIM) $(RUNTIME)
	@echo "  verilate board/netlist-$*" >&2
	$(Q)rm -rf $(@D)/model
	$(Q)$(VERILATE) $(BOARD_MODEL) --top-module pins --Mdir $(@D)/model $< $(CHIP_CELLS)
	$(Q)$(MAKE) -s -C $(@D)/model -f Vmachine.mk CURDIR=model OPT_FAST="-O2" CFG_CXXFLAGS_PCH_I= \
	    USER_CPPFLAGS="-fPIC -fvisibility=hidden" Vmachine__ALL.a > /dev/null
	$(Q)for source in $(BOARD_SOURCES); do \
	    $(COMPILE) $(call BOARD_FLAGS,$*) -fvisibility=hidden -c -o $(@D)/$$(basename $$source .c).o $$source || exit; done
	$(Q)$(CXX) -shared $(LIBRARY_FLAGS) -I$(@D)/model -I. -O2 -o $@ $(CHIP_SHIM) $(@D)/dut_board.o $(@D)/serial.o \
	    $(@D)/model/Vmachine__ALL.a $(RUNTIME) $(RUNTIME_LIBS)
	$(Q)rm -rf $(@D)/model

.PHONY: bitstream
bitstream: all tools-board ### build a machine for an iCE40 HX8K board and test its bitstream
	@$(MAKE) --no-print-directory $(BOARD)/netlist-$(BITSTREAM)/dut.so
	$(Q)testbench/board/bitstream.sh $(BOARD) $(BITSTREAM)

# The program of the host, and a program that simulates a board.
.SECONDARY: $(addprefix $(BUILD)/obj/testbench/board/,load.o pty.o serial.o)

$(BUILD)/board/%: $(BUILD)/obj/testbench/board/%.o $(BUILD)/obj/testbench/board/serial.o $(LIBRARY) $(DRIVER)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
