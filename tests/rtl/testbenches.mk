# SPDX-License-Identifier: Apache-2.0
# testbenches.mk: the testbenches of rtl/bus as programs; included by the Makefile, which has Q,
# after engine.mk.

TESTBENCHES_OF_BUSES := tests/rtl/bus_tb.sv tests/rtl/uart_tb.sv

# $(call verilate_tb,NAME,OPTIONS AND FILES): builds $(@D)/Vbench from the files and the RTL. NAME
# is uart, or busN for bus_tb with Bus = N at the widest addresses; bus0 has no bus.
define verilate_tb
	@rm -rf $(@D) && mkdir -p $(@D)
	@echo "  verilate $(@D:build/%=%)" >&2
	+$(Q)$(VERILATOR) --binary --timing --noassert -Wno-fatal -Wno-lint -Wno-TIMESCALEMOD \
	    -O3 -CFLAGS -Og -MAKEFLAGS -s --prefix Vbench --Mdir $(@D) $2 \
	    --top-module $(patsubst bus%,bus,$1)_tb $(patsubst bus%,-GBus=% -GFieldBits=28,$(filter bus%,$1)) \
	    $(RTL_PACKAGES) $(addprefix -y ,$(patsubst %/,%,$(sort $(dir $(RTL))))) \
	    tests/rtl/$(patsubst bus%,bus,$1)_tb.sv > $(@D).log 2>&1
endef
