#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bus_corners: corner cases of AXI4-Lite, APB and Wishbone, each by itself, on a machine in Icarus:
# orders of address and data, answers that wait, strobes, addresses that are not aligned, accesses
# back to back and in a run, and a reset in the middle (tests/rtl/*_corners.sv). APB and Wishbone
# have the same answers on a machine that is stalled at random. Tools reject an AXI4-Lite address
# that is too narrow for the machine. Counter-cases: wrappers with a fault in one of these cases.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
root=$PWD
cp -r rtl "$TMP/"

# corners BENCH [OPTION…]: compiles the testbench with the RTL in $TMP, and prints its cases.
corners() {
    local bench=$1
    shift
    (cd "$TMP/rtl" && "${IVERILOG:-iverilog}" -g2012 -s "$bench" -o "$TMP/vvp" "$@" \
        -I "$root/tests/rtl" -c roundcast.f bus/rc_multistage_axi.v "$root/tests/rtl/$bench.sv") 2>&1 |
        grep -v 'constant selects in always_\*'
    timeout 20 vvp -n "$TMP/vvp"
}

# all_right NAME CASES BENCH [OPTION…]: checks that there are so many cases, and that each is right.
all_right() {
    local name=$1 cases=$2 status text
    shift 2
    corners "$@" >"$TMP/cases"
    check "$name: $cases cases" test "$(wc -l <"$TMP/cases")" = "$cases"
    while read -r _ status text; do
        check "… $text" test "$status" = ok
    done <"$TMP/cases"
}
all_right "AXI4-Lite" 14 axi_corners
all_right "APB" 13 apb_corners
all_right "Wishbone" 13 wishbone_corners
all_right "Wishbone, pipelined" 13 wishbone_corners -Pwishbone_corners.Pipelined=1
all_right "APB, stalled" 13 apb_corners -Papb_corners.Stalls=1
all_right "Wishbone, stalled" 13 wishbone_corners -Pwishbone_corners.Stalls=1
all_right "Wishbone, pipelined and stalled" 13 wishbone_corners -Pwishbone_corners.Stalls=1 \
    -Pwishbone_corners.Pipelined=1

# The wrapper with AXI4-Lite, whose machine is stalled.
sed -i "s/host_ready_i(1'b1)/host_ready_i(ready || !s_axi_aresetn)/; s/clk_i(s_axi_aclk), .rst_i/clk_i(gated), .rst_i/
    /^  wire        host_we/i\\
  reg ready = 1; wire gated;\\
  always @(posedge s_axi_aclk) #1 ready = \$unsigned(\$random) % 8 < 5;\\
  rc_clock_gate u_gate (.clk_i(s_axi_aclk), .en_i(ready || !s_axi_aresetn), .clk_o(gated));" \
    "$TMP/rtl/bus/rc_multistage_axi.v"
check "(the machine with AXI4-Lite is stalled)" grep -q 'host_ready_i(ready ' \
    "$TMP/rtl/bus/rc_multistage_axi.v"
all_right "AXI4-Lite, stalled" 14 axi_corners -Paxi_corners.Slow=4
cp rtl/bus/rc_multistage_axi.v "$TMP/rtl/bus/"

# fault BENCH CASES FILE EXPRESSION TEXT [OPTION…]: plants a fault with sed; a case must be wrong,
# or not reached.
fault() {
    sed -i "$4" "$TMP/rtl/$3"
    check "(the fault is planted: $5)" bash -c '! cmp -s "$1" "$2"' _ "rtl/$3" "$TMP/rtl/$3"
    check "($5)" test "$(corners "$1" "${@:6}" | grep -c ' ok ')" -lt "$2"
    cp "rtl/$3" "$TMP/rtl/$3"
}
fault axi_corners 14 bus/rc_axi_lite.sv 's/(bvalid_o \& ~bready_i)/1'"'b0/" \
    "a response that does not wait"
fault axi_corners 14 bus/rc_axi_lite.sv 's/= awvalid_i \& wvalid_i/= awvalid_i/' \
    "a write before its data"
fault axi_corners 14 bus/rc_bus_port.sv 's/we_i \& |strobes_i \& ~whole/we_i \& ~whole/' \
    "no strobes are an error"
fault axi_corners 14 shell/rc_host_port.sv \
    's/event_q  *<= writes_event/event_q <= writes_event \& ~closed_i/' \
    "no interrupt is written in a run"
fault apb_corners 13 bus/rc_apb.sv 's/psel_i \& ~busy_q/psel_i/' "an access that is repeated"
fault apb_corners 13 bus/rc_apb.sv 's/paddr_i.AddrBits-1:2./paddr_i[AddrBits-3:0]/' \
    "an address that counts words"
fault wishbone_corners 13 bus/rc_wishbone.sv 's/cyc_i \& stb_i \& ~waits/stb_i \& ~waits/' \
    "a strobe that needs no bus cycle"
fault wishbone_corners 13 bus/rc_wishbone.sv 's/flush_i(~alive)/flush_i(1'"'b0)/; s/= alive \& answer/= answer/" \
    "an answer to a master that has given up"
fault apb_corners 13 bus/rc_bus_port.sv 's/ack_q3 \& host_ready_i/ack_q3/' \
    "an answer that does not wait for a stalled machine" -Papb_corners.Stalls=1
fault wishbone_corners 13 bus/rc_wishbone.sv 's/(waits | host_ready_i)/1'"'b1/" \
    "a request that is lost while the machine is stalled" -Pwishbone_corners.Stalls=1

# A machine of 8 nodes, 16 packets and 8 flits needs fields of 10 bits, and of 15 if flits have 17
# parts.
narrow() {
    case $1 in
    verilator)
        "${VERILATOR:-verilator}" --lint-only -Wno-fatal -Wno-lint -F rtl/roundcast.f \
            rtl/bus/rc_multistage_axi.v --top-module rc_multistage_axi \
            -GC_S_AXI_ADDR_WIDTH="$2" -GWidth="$3"
        ;;
    iverilog)
        (cd rtl && "${IVERILOG:-iverilog}" -g2012 -o "$TMP/vvp" -s rc_multistage_axi \
            -Prc_multistage_axi.C_S_AXI_ADDR_WIDTH="$2" -Prc_multistage_axi.Width="$3" \
            -c roundcast.f bus/rc_multistage_axi.v)
        ;;
    esac
}
for tool in verilator iverilog; do
    for width in 31 512; do
        bits=$((width == 31 ? 16 : 21))
        check "$tool accepts $bits address bits for flits of $width bits" narrow $tool $bits $width
        narrow $tool $((bits - 1)) $width >"$TMP/log" 2>&1
        check "… and rejects $((bits - 1)), naming FieldBits" grep -q FieldBits "$TMP/log"
    done
done
finish
