#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# soc: the system of docs/integrate.md: firmware on a small RISC-V processor broadcasts a file with
# the driver over AXI4-Lite, waits for the interrupt, and prints what arrived at the last node, in
# Icarus and Verilator. Counter-cases: firmware with a packet changed prints another text; without
# the interrupt the processor waits forever.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
root=$PWD soc=docs/integrate/soc
for tool in clang ld.lld llvm-objcopy; do
    command -v $tool >/dev/null || { skip "the system runs" "$tool is not installed"; finish; }
done
printf 'From a RISC-V processor,\nover AXI4-Lite, to eight nodes.\n' >"$TMP/text"
cp -r rtl "$TMP/"
check "the firmware is built" bash $soc/build.sh "$ROUNDCAST" "$TMP/text" "$TMP"

# simulated: compiles the system with Icarus, and prints its output.
simulated() {
    (cd "$TMP/rtl" && "${IVERILOG:-iverilog}" -g2012 -s soc_tb -o "$TMP/vvp" -c roundcast.f \
        bus/rc_multistage_axi.v "$root/$soc/soc_tb.sv") 2>&1 | grep -v 'constant selects in always_\*'
    (cd "$TMP" && timeout 120 vvp -n vvp) | grep -v '^WARNING: .*Not enough words'
}
check "in Icarus the file arrives" cmp <(simulated) "$TMP/text"
"${VERILATOR:-verilator}" --binary --timing -Wno-fatal -Wno-lint -Wno-style -O3 -MAKEFLAGS -s \
    --Mdir "$TMP/model" -F rtl/roundcast.f rtl/bus/rc_multistage_axi.v $soc/soc_tb.sv \
    --top-module soc_tb >"$TMP/log" 2>&1
check "in Verilator it arrives, too" cmp "$TMP/text" \
    <(cd "$TMP" && timeout 120 model/Vsoc_tb | grep -v '^- ')

head -c 257 docs/demo.txt >"$TMP/long"
check "(a file of 257 bytes is rejected)" bash -c '! bash "$1" "$2" "$3/long" "$3" 2>/dev/null' _ \
    $soc/build.sh "$ROUNDCAST" "$TMP"
cp "$TMP/firmware.hex" "$TMP/right.hex"
word=$(awk '/0x40000000, / { print substr($2, 3, 8); exit }' "$TMP/image/image.c")
sed "s/^$word\$/80004141/" "$TMP/right.hex" >"$TMP/firmware.hex"
check "(another first flit is printed)" test "$(simulated | head -c 2)" = AA
sed -i 's/assign irq_o = .*/assign irq_o = 1'"'b0;/" "$TMP/rtl/shell/rc_events.sv"
cp "$TMP/right.hex" "$TMP/firmware.hex"
check "(without an interrupt nothing is printed)" test "$(simulated)" = \
    "no end after 200000 cycles"
finish
