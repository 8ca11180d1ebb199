#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bus_corners: corner cases of AXI4-Lite, on a machine in the wrapper for block designs, in Icarus:
# orders of address and data, responses that wait, strobes, addresses that are not aligned, accesses
# in a run, and a reset in the middle (axi_corners.sv). Tools reject an address that is too narrow
# for the machine. Counter-cases: wrappers with a fault in one of these cases.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
root=$PWD
cp -r rtl "$TMP/"

# corners: compiles the wrapper in $TMP, and prints the cases.
corners() {
    (cd "$TMP/rtl" && "${IVERILOG:-iverilog}" -g2012 -s axi_corners -o "$TMP/vvp" -c roundcast.f \
        bus/rc_multistage_axi.v "$root/tests/rtl/axi_corners.sv") 2>&1 |
        grep -v 'constant selects in always_\*'
    timeout 20 vvp -n "$TMP/vvp"
}
corners >"$TMP/cases"
check "14 cases" test "$(wc -l <"$TMP/cases")" = 14
while read -r _ status text; do check "$text" test "$status" = ok; done <"$TMP/cases"

# fault FILE EXPRESSION TEXT: plants a fault with sed; a case must be wrong, or not reached.
fault() {
    sed -i "$2" "$TMP/rtl/$1"
    check "(the fault changes the file: $3)" bash -c '! cmp -s "$1" "$2"' _ "rtl/$1" "$TMP/rtl/$1"
    check "($3)" bash -c '[ "$(grep -c " ok " "$1")" -lt 14 ]' _ <(corners)
    cp "rtl/$1" "$TMP/rtl/$1"
}
fault bus/rc_axi_lite.sv 's/(bvalid_o \& ~bready_i)/1'"'b0/" "a response that does not wait"
fault bus/rc_axi_lite.sv 's/= awvalid_i \& wvalid_i/= awvalid_i/' "a write before its data"
fault bus/rc_bus_port.sv 's/we_i \& |strobes_i \& ~whole/we_i \& ~whole/' "no strobes are an error"
fault shell/rc_host_port.sv 's/event_o  <= writes_event/event_o <= writes_event \& ~closed/' "no interrupt is written in a run"

for tool in verilator iverilog; do
    for bits in 15 16; do
        # A machine of 8 nodes, 16 packets and 8 flits needs fields of 10 bits.
        case $tool in
        verilator) "${VERILATOR:-verilator}" --lint-only -Wno-fatal -Wno-lint -F rtl/roundcast.f \
            rtl/bus/rc_multistage_axi.v --top-module rc_multistage_axi \
            -GC_S_AXI_ADDR_WIDTH=$bits ;;
        iverilog) (cd rtl && "${IVERILOG:-iverilog}" -g2012 -o "$TMP/vvp" -s rc_multistage_axi \
            -Prc_multistage_axi.C_S_AXI_ADDR_WIDTH=$bits -c roundcast.f bus/rc_multistage_axi.v) ;;
        esac >"$TMP/log" 2>&1
        accepted=$?
        if [ $bits = 16 ]; then
            check "$tool accepts 16 address bits" test $accepted = 0
        else
            check "… and rejects 15, naming FieldBits" grep -q 'FieldBits' "$TMP/log"
        fi
    done
done
finish
