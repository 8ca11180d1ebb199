#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# assertions: those of the modules (rtl/common/rc_assert.svh), which RC_ASSERTIONS enables. Runs of
# machines of all kinds and corner cases of the buses violate none of them, in Icarus and
# Verilator, and Yosys reads those that a proof is to show; without the macro there are none.
#
# Counter-cases: for each assertion of the RTL, a fault that violates it in one of these runs. The
# fault is a sed script. At the end, each assertion must have reported a fault.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/../rtl/simulated.sh"

for tool in "${IVERILOG:-iverilog}" "${VERILATOR:-verilator}" "${YOSYS:-yosys}"; do
    if ! command -v "$tool" >/dev/null; then
        skip "assertions" "no $tool"
        finish
    fi
done

# testbench FOLDER NAME [OPTION…]: compiles a testbench of tests/rtl with the RTL of a folder and
# the assertions, and runs it.
testbench() {
    # shellcheck disable=SC2086  # a list of files without blanks
    (cd "$1" && "${IVERILOG:-iverilog}" -g2012 -DRC_ASSERTIONS "${@:3}" -Irtl/common -Itests/rtl \
        -s "$2" -o "$TMP/vvp" $rtl rtl/bus/rc_multistage_axi.v "tests/rtl/$2.sv") \
        >"$TMP/log" 2>&1 || { cat "$TMP/log"; return; }
    timeout 20 vvp -n "$TMP/vvp"
}

# run FOLDER CASE: prints the output of a run with the RTL of a folder: a bundle, or a testbench.
run() {
    case $2 in
    *_tb | *_corners) testbench "$1" "$2" ;;
    *)
        # shellcheck disable=SC2086  # two numbers
        simulated "$1" "$TMP/$2" ${size[$2]} -DRC_ASSERTIONS
        ;;
    esac
}

# Bundles, each with its numbers of endpoints and routers.
declare -A size
# of NAME ENDPOINTS ROUTERS BUNDLE-ARGUMENTS…
of() {
    size[$1]="$2 $3"
    check "a bundle: $1" bundle "$1" "${@:4}"
}
of benes 8 0 benes:8 matching -n 8 -m 3
of fewer 6 0 waksman:6 binomial -n 6 -m 2
of odd 7 0 benes:7,pipe=2 circulant -n 7 -m 4 -- --settings indexed
of tags 7 0 benes:7 circulant -n 7 -m 4 -- --settings tags --programs computed
of clos 12 0 clos:5,4,3 matching -n 12 -m 3
# Buffers and queues of sizes that are not a power of two, and two read ports.
memory=packets=16,flits=8,rows=64,depth=3
of tree 4 3 fat-tree tree-total-exchange --tree 2,2 -- --memory $memory
of auto 4 3 fat-tree-auto tree-total-exchange --tree 2,2 -- --memory $memory
sed -i "s/Reads(1)/Reads(2)/; s/Queue(384'h[0-9]*)/Queue(384'h50005)/" "$TMP/auto/machine"
of wide 6 3 fat-tree-auto tree-broadcast --tree 3,2
of sums 6 3 fat-tree tree-all-reduce --tree 3,2 -m 4 --ports multi -- --flits 1
of cube 24 8 cube cube-all-gather --dim 3
of cube-auto 24 8 cube-auto cube-broadcast --dim 3 --sources 0,3,5
of doubling 8 0 cube cube-doubling-all-reduce --dim 2 -m 2 -- --combine max

# holds CASE PATTERN: returns whether a run violates no assertion and prints a line of the pattern.
holds() {
    run . "$1" >"$TMP/out" 2>&1
    ! grep -q 'FATAL\|error:' "$TMP/out" && grep -q "$2" "$TMP/out"
}
for name in "${!size[@]}"; do
    check "no assertion fails: $name" holds "$name" ' completed, 0 flags, 0 unknown'
done
for name in axi_corners apb_corners wishbone_corners; do
    check "no assertion fails: $name" holds $name ' ok '
done
check "no assertion fails: stream_endpoint_tb" holds stream_endpoint_tb ' received'

# fires CASE FILE SCRIPT ASSERTION: plants a fault with sed, which that assertion reports first.
fires() {
    local text
    rm -rf "$TMP/broken"
    mkdir "$TMP/broken"
    cp -r --parents rtl tests/rtl "$TMP/broken/"
    sed -i "$3" "$TMP/broken/$2"
    if cmp -s "$2" "$TMP/broken/$2"; then
        not_ok "$4 reports a fault of ${2##*/}" "the sed script changes nothing: $3"
        return
    fi
    run "$TMP/broken" "$1" >"$TMP/out" 2>&1
    # FATAL: FILE:LINE: INSTANCE.assert_NAME: MESSAGE
    text=$(sed -nE '/^FATAL: /{s/^FATAL: ([^:]*):.*assert_([a-z_0-9]+): .*/\1 \2/p;q}' "$TMP/out")
    if [ "${text#* }" = "$4" ]; then
        ok "$4 reports a fault of ${2##*/}"
        echo "$text" >>"$TMP/fired"
    else
        not_ok "$4 reports a fault of ${2##*/}" "$(tail -3 "$TMP/out")"
    fi
}

port=rtl/shell/rc_host_port.sv
fires axi_corners $port 's/we \&\& region == rc_address_map::Send;/we;/' one_write
fires benes $port 's/re \&\& region == rc_address_map::Packet;/re;/' one_read
fires axi_corners rtl/shell/rc_shell.sv \
    's/closed_i(busy_q | start_i | rst_i)/closed_i(rst_i)/' memories_idle
fires benes $port \
    "s/host_error_o  *<= rejected_q2;/if (rejected_q2) host_error_o <= 1'b1;/" strobes_known

sequencer=rtl/shell/rc_sequencer.sv
fires axi_corners rtl/shell/rc_shell.sv \
    's/start_i \& ~busy_q \& ~rst_i/start_i \& ~rst_i/' start_idle
fires benes $sequencer "s/last_row_q  *<= rows_i - 1'b1/last_row_q <= rows_i/" row_range
fires benes $sequencer "s/FlitBits'(flits_i - 1'b1)/FlitBits'(flits_i)/" flit_range
fires benes $sequencer "s/flit_now && (row_end || no_more)/row_end || no_more/" last_sent
fires axi_corners $sequencer 's/ && !busy1_q && !busy2_q));/));/' done_idle
fires benes $sequencer "s/ busy2_q  <= 1'b0;//" outputs_known

stream=rtl/bus/rc_stream_endpoint.sv
fires stream_endpoint_tb tests/rtl/stream_endpoint_tb.sv \
    's/Withdraws = 0/Withdraws = 1/' sent_word
fires stream_endpoint_tb $stream \
    "s/ = m_axis_tvalid_o & ~m_axis_tready_i;/ = 1'b0;/" received_word
fires stream_endpoint_tb $stream \
    's/<= ~rst_i & (takes | waits)/<= takes | waits/' handshake_known

fires benes rtl/shell/rc_shell.sv "s/\.tx_en_i(tx_en)/.tx_en_i(1'b1)/" reads_apart
fires benes rtl/shell/rc_shell.sv "s/\.rx_en_i(rx_en)/.rx_en_i(1'b1)/" writes_apart
fires doubling rtl/shell/rc_shell.sv 's/\.rx_flit_i(rx_flit)/.rx_flit_i(tx_flit)/' apart

queue=rtl/routers/rc_branch_queue.sv
fires auto $queue \
    "s/push_i & ~full/push_i/; s/pop_i & nonempty_o/1'b0/; s/count_q + 1'b1/count_q + 3'd5/" capacity
fires auto $queue "s/count_q + 1'b1/count_q + 3'd6/" count_range
fires auto $queue "s/we_o || count_q != CountBits'(1)/we_o/" nonempty
fires auto rtl/routers/rc_read_ports.sv 's/= here & ~given/= here/' one_port

core=rtl/routers/rc_router_core.sv
fires tree $core "s/wraps && Depth != 1 << SlotBits ? '0 : //" write_range
fires tree rtl/routers/rc_router.sv \
    's/ host.data.16 +: SourceBits.,/ ~host.data[16 +: SourceBits],/' source_range
fires tree rtl/routers/rc_router.sv \
    's/ host.data.SlotBits-1:0.}/ ~host.data[SlotBits-1:0]}/' read_range
fires tree $core \
    "s/ valid_q <= tx_en_i & send_valid_i/ if (tx_en_i) valid_q <= send_valid_i/" valid_known
fires sums rtl/shell/rc_shell.sv \
    's/tx_flit, lane_en, lane_last,/tx_flit, rx_en, rx_last,/' ends_apart

router=rtl/routers/rc_router_auto.sv
fires auto $router 's/load | (scan_q & ~last_port)/load | scan_q/' scan_ends
fires auto $router 's/go | (serve_q & ~last_lane)/go | serve_q/' serve_ends
fires wide rtl/routers/rc_branch_choice.sv 's/ child   = those & (.*;/ child = those;/' one_branch

fires benes rtl/multistage/rc_switch2.sv \
    "s/if (ce_i) high_o <= ({LaneBits{setting_i.1.}}/if (ce_i) high_o <= ('0/" words_kept

axi=rtl/bus/rc_axi_lite.sv
fires axi_corners $axi 's/arvalid_i & ~starts_write/arvalid_i/' one_access
fires axi_corners $axi 's/rvalid_o <= (answer & ~wrote_q)/rvalid_o <= answer/' one_answer
fires axi_corners $axi "s/(bvalid_o & ~bready_i);/1'b0;/" write_answer
fires axi_corners $axi "s/(rvalid_o & ~rready_i);/1'b0;/" read_answer
fires axi_corners $axi 's/wrote_q, bvalid_o, rvalid_o}/wrote_q, rvalid_o}/' handshake_known

wishbone=rtl/bus/rc_wishbone.sv
fires wishbone_corners $wishbone 's/ = alive & answer & ~error/ = alive \& answer/' one_answer
fires wishbone_corners $wishbone \
    "s/flush_i(~alive)/flush_i(1'b0)/; s/= alive & answer/= answer/" answered_access
fires wishbone_corners rtl/bus/rc_bus_port.sv \
    "s/{ack_q, ack_q2, [a-z0-9_]*} <= '0/{ack_q, ack_q2} <= '0/" answer_known

apb=rtl/bus/rc_apb.sv
fires apb_corners $apb 's/ | (busy_q & ~pready_o)//' answered_access
fires apb_corners tests/rtl/apb_corners.sv 's/took = took + 1;/paddr = ~paddr; &/' request
fires apb_corners rtl/bus/rc_bus_port.sv \
    "s/{ack_q, ack_q2, [a-z0-9_]*} <= '0/{ack_q, ack_q2} <= '0/" answer_known

# "FILE NAME" for each assertion of the RTL.
awk 'match($0, /RC_(ASSERT|EXPECT)(_[A-Z0-9]+)?\([a-z_0-9]+,/) {
    name = substr($0, RSTART, RLENGTH - 1); sub(/.*\(/, "", name); print FILENAME, name
}' rtl/*/*.sv | sort -u >"$TMP/all"
sort -u -o "$TMP/fired" "$TMP/fired"
check "each assertion has reported a fault" diff "$TMP/all" "$TMP/fired"
sed -i 1d "$TMP/fired"
check "(one that has not is found)" bash -c '! diff "$1/all" "$1/fired"' _ "$TMP"

# random FOLDER: compiles the machine of the first bundle with Verilator, and runs it.
random() {
    # shellcheck disable=SC2086  # two numbers
    compiled "$1" "$TMP/benes" ${size[benes]} -DRC_ASSERTIONS
    "$TMP/model/random" +writes="$TMP/benes/writes.hex" +verilator+rand+reset+2 \
        +verilator+seed+1 2>&1
}
check "no assertion fails in Verilator, from random states" \
    grep -q ' completed, 0 flags' <(random .)
rm -rf "$TMP/broken"
mkdir "$TMP/broken"
cp -r --parents rtl "$TMP/broken/"
sed -i "s/last_row_q  *<= rows_i - 1'b1/last_row_q <= rows_i/" "$TMP/broken/$sequencer"
check "… and row_range reports a fault" \
    grep -q 'assert_row_range: a row' <(random "$TMP/broken")

# asserts OPTION…: prints the number of assertions of a machine that Yosys reads with the options.
asserts() {
    # shellcheck disable=SC2086  # a list of files without blanks
    "${YOSYS:-yosys}" -q -p "read_verilog -sv -defer $* $rtl; hierarchy -top rc_wishbone; proc
        flatten; tee -o $TMP/count select -count t:\$assert" >"$TMP/log" 2>&1
    cat "$TMP/count"
}
rtl=${rtl//$'\n'/ }
check "Yosys reads those of rc_wishbone for a proof" test "$(asserts -formal -DRC_ASSERTIONS)" = \
    "2 objects."
check "… none without the macro" test "$(asserts -formal)" = "0 objects."
check "… and none for synthesis" test "$(asserts -DRC_ASSERTIONS)" = "0 objects."
finish
