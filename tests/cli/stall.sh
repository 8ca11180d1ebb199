#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stall: a machine whose clock is gated in random cycles is the same machine with these cycles
# removed: machines of all kinds, settings and programs in RTL, and a netlist. All outputs are
# compared before every edge, in a run with accesses, in reads of all regions, and in a run that a
# reset interrupts (tests/rtl/stall_tb.sv). The first run completes the packets of the schedule.
# ROUNDCAST_SEED selects the random cycles; each line prints it.
#
# Counter-cases: a gate without a latch, which opens in the middle of a cycle if its enable changes
# late; a register with a free clock, which changes in a cycle that is removed.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/../rtl/simulated.sh"
seed=${ROUNDCAST_SEED:-20261127}
for tool in "${IVERILOG:-iverilog}" "${YOSYS:-yosys}"; do
    command -v "$tool" >/dev/null || { skip "a stalled machine" "$tool is not installed"; finish; }
done
cp -r rtl "$TMP/"

# stalled BUNDLE ENDPOINTS PARAMETERS SOURCE…: runs the machine, from the folder rtl in $TMP.
stalled() {
    local machine
    machine=$(<"$1/machine")
    { writes_of "$1/image.hex"; echo ffffffffffffffff; } >"$1/image.writes"
    (cd "$TMP/rtl" && "${IVERILOG:-iverilog}" -g2012 -s stall_tb -DTOP="${machine%% *}" \
        "-DPARAMETERS=$3" -Pstall_tb.Ports="$2" -Pstall_tb.Seed="$seed" \
        -Pstall_tb.Cycles=$(($(wc -l <"$1/image.writes") + 1600)) -o "$TMP/vvp" "${@:4}" \
        "$project/tests/rtl/stall_tb.sv") 2>&1 | grep -v 'constant selects in always_\*'
    (cd "$1" && timeout 120 vvp -n "$TMP/vvp") | grep -v '^WARNING'
}

# of_rtl NAME ENDPOINTS: runs the machine of a bundle in RTL.
of_rtl() {
    local machine
    machine=$(<"$TMP/$1/machine")
    stalled "$TMP/$1" "$2" "${machine#* }" -c roundcast.f
}

# same TEXT OUTPUT NAME: checks that nothing differs and that all packets of a bundle arrive.
same() {
    local packets
    packets=$("$ROUNDCAST" simulate "$TMP/$3" --engine csim |
        awk '/^receipts in their exact cycle/ { print $6 }')
    case $2 in
    *" $packets packets, 0 differences") ok "$1 (${2%%:*})" ;;
    *) not_ok "$1" "$2; expected $packets packets, 0 differences" ;;
    esac
}

# stalls ENDPOINTS BUNDLE-ARGUMENTS…: compares a machine with itself.
number=0
stalls() {
    local name=b$((number += 1)) text="${*:2}"
    if ! bundle "$name" "${@:2}" 2>"$TMP/err"; then not_ok "$text" "$(cat "$TMP/err")"; return; fi
    same "$text" "$(of_rtl "$name" "$1")" "$name"
}

stalls 8 benes:8 matching -n 8 -m 3
stalls 7 benes:7,pipe=2 circulant -n 7 -m 4 -- --settings indexed
stalls 7 benes:7 circulant -n 7 -m 4 -- --settings tags --programs computed
stalls 8 benes:8 hypercube-trees -n 8 -m 3 -- --settings masks
stalls 6 waksman:6 binomial -n 6 -m 2
stalls 8 omega:8 binomial -n 8 -m 2 -- --split
stalls 8 multicast:8 fabric-broadcast -n 8 -m 3 --model fabric-multicast
stalls 12 clos:5,4,3 matching -n 12 -m 3
stalls 6 fat-tree tree-all-gather --tree 3,2
stalls 6 fat-tree-auto tree-broadcast --tree 3,2
stalls 24 cube cube-all-gather --dim 3
stalls 24 cube-auto cube-broadcast --dim 3 --sources 0,3,5

# The netlist of a machine of each kind; the first of them unless all are asked for.
netlist() {
    local name=$1 sources
    sources=$(grep -v '^[/+]' rtl/roundcast.f | sed 's,^,rtl/,')
    # shellcheck disable=SC2086  # words
    check "a netlist is synthesised" synth/netlist.sh "$TMP/$name.v" \
        "$(engine_of "$TMP/$name")" $sources
    same "… and stalls" "$(stalled "$TMP/$name" "$2" "" common/rc_clock_gate.sv "$TMP/$name.v")" \
        "$name"
}
netlist b1 8
if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then
    for pair in 'b9 6' 'b10 6' 'b11 24' 'b12 24'; do
        # shellcheck disable=SC2086  # words
        netlist $pair
    done
fi

# differs TEXT FILE SCRIPT: plants a fault in the RTL; the stalled machine must differ.
differs() {
    sed -i "$3" "$TMP/rtl/$2"
    check "(the fault is planted: $1)" bash -c '! cmp -s "$1" "$2"' _ "rtl/$2" "$TMP/rtl/$2"
    check "($1)" grep -qE ', [1-9][0-9]* differences$' \
        <(of_rtl b1 8)
    cp "rtl/$2" "$TMP/rtl/$2"
}
differs "a gate without a latch" common/rc_clock_gate.sv 's/clk_i & en_q/clk_i \& en_i/'
differs "registers with a free clock" shell/rc_sequencer.sv \
    's/always_ff @(posedge clk_i)/always_ff @(posedge stall_tb.clk)/'
finish
