#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# buses: a machine that is loaded, started and read over Wishbone, AXI4-Lite or APB behaves and
# holds the same words as over its host port: bus_tb.sv, in Icarus. Masters wait at random. Each bus
# rejects writes of single bytes, and a second start during a run. Counter-cases: a wrapper that
# writes single bytes, and a machine that obeys the second start, are detected.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
root=$PWD
iverilog=${IVERILOG:-iverilog}

mkdir "$TMP/b"
"$(dirname "$0")/../rtl/bus_image.sh" "$TMP/b"
cp -r rtl "$TMP/"

# seen BUS: prints the testbench's output over this bus.
seen() {
    (cd "$TMP/rtl" && "$iverilog" -g2012 -s bus_tb -Pbus_tb.Bus="$1" -o "$TMP/vvp" \
        -c roundcast.f "$root/tests/rtl/bus_tb.sv") 2>&1 | grep -v 'constant selects in always_\*'
    (cd "$TMP/b" && timeout 60 vvp -n "$TMP/vvp") | grep -v '^WARNING: .*Not enough words'
}
seen 0 >"$TMP/port"
check "over the host port 21 packets arrive" test "$(grep -c '^cycle' "$TMP/port")" = 21
check "… and three partial writes and a second start are rejected" test \
    "$(grep -m 2 ' refusals' "$TMP/port" | tr '\n' ' ')" = "3 refusals 4 refusals "
bus=0
for name in "Wishbone" "Wishbone, pipelined" "AXI4-Lite" "APB"; do
    bus=$((bus + 1))
    seen $bus >"$TMP/bus"
    check "over $name they arrive, and all else is the same" cmp "$TMP/bus" "$TMP/port"
done
sed -i 's/& whole;/;/' "$TMP/rtl/bus/rc_bus_port.sv"
seen 4 >"$TMP/bus"
check "(a wrapper that writes single bytes is seen)" bash -c "! cmp -s '$TMP/bus' '$TMP/port'"
cp rtl/bus/rc_bus_port.sv "$TMP/rtl/bus/"
sed -i 's/start_i & ~active & ~rst/start_i/; s/closed         = busy_i || start_i/closed = 1'"'b0"'/' \
    "$TMP/rtl/shell/rc_shell.sv" "$TMP/rtl/shell/rc_host_port.sv"
seen 4 >"$TMP/bus"
check "(a second start that is obeyed is seen)" bash -c "! cmp -s '$TMP/bus' '$TMP/port'"
finish
