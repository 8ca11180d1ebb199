#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# four_state_run: in a four-state simulator no output of a machine is unknown after a reset of one
# cycle, which the machine extends: machines of all kinds, settings and programs. In a two-state
# simulator, which gives every register a random initial value, the same run has the same result
# for each of several seeds, also after a reset of one cycle in the middle of a run. The cycles and
# packets of a run are those of the schedule.
#
# Counter-cases: RTL without a reset of a flag, an image without its words of packets, and a machine
# that does not extend its reset.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/../rtl/simulated.sh"

if ! command -v "${IVERILOG:-iverilog}" >/dev/null; then
    skip "runs in four states" "no iverilog"
    finish
fi

# known ENDPOINTS ROUTERS BUNDLE-ARGUMENTS…: runs a bundle and checks that no output is unknown.
number=0
known() {
    local name=b$((number += 1)) expected seen text="${*:3}"
    if ! bundle "$name" "${@:3}" 2>"$TMP/err"; then not_ok "$text" "$(cat "$TMP/err")"; return; fi
    expected=$("$ROUNDCAST" simulate "$TMP/$name" --engine csim |
        awk '/^cycles of the run/ { cycles = $5 }
             /^receipts in their exact cycle/ { receipts = $6 }
             END { print cycles " cycles, " receipts " completed, 0 flags, 0 unknown" }')
    seen=$(simulated . "$TMP/$name" "$1" "$2")
    if [ "$seen" = "$expected" ]; then
        ok "$text"
    else
        not_ok "$text" "$seen; expected $expected"
    fi
}

known 8 0 benes:8 matching -n 8 -m 3
known 7 0 benes:7,pipe=2 circulant -n 7 -m 4 -- --settings indexed
known 7 0 benes:7 circulant -n 7 -m 4 -- --settings tags --programs computed
known 8 0 benes:8 hypercube-trees -n 8 -m 3 -- --settings masks
known 8 0 benes:8,pad=1 postal-pipeline -n 8 -m 2 --lambda 5/2
known 6 0 waksman:6 binomial -n 6 -m 2
known 8 0 omega:8 binomial -n 8 -m 2 -- --split
known 8 0 multicast:8 fabric-broadcast -n 8 -m 3 --model fabric-multicast
known 12 0 clos:5,4,3 matching -n 12 -m 3
known 9 0 benes:9,radix=3 total-exchange -n 9 -m 1
known 6 3 fat-tree tree-all-gather --tree 3,2
known 6 3 fat-tree-auto tree-broadcast --tree 3,2
known 24 8 cube cube-all-gather --dim 3
known 24 8 cube-auto cube-broadcast --dim 3 --sources 0,3,5

# unknown FILE SCRIPT TEXT: checks that with the file broken the first run has unknown outputs.
unknown() {
    mkdir -p "$TMP/broken"
    cp -r rtl "$TMP/broken/"
    sed "$2" "rtl/$1" >"$TMP/broken/rtl/$1"
    if cmp -s "rtl/$1" "$TMP/broken/rtl/$1"; then
        not_ok "$3" "the sed script changes nothing in $1"
    else
        simulated "$TMP/broken" "$TMP/b1" 8 0 >"$TMP/out"
        check "$3" grep -q ', [1-9][0-9]* unknown' "$TMP/out"
    fi
}

unknown shell/rc_endpoint.sv "s/not_held_q <= ~clear_i & (/not_held_q <= (/" "(a flag that is not reset is unknown)"
sed '/^40/d' "$TMP/b1/writes.hex" >"$TMP/less"
check "(packets that were not loaded are missed)" bash -c \
    'vvp -n "$1" +writes="$2" | grep -q ", [1-9][0-9]* flags"' _ "$TMP/vvp" "$TMP/less"

# outputs BUNDLE: prints the results from random states, with and without a reset in an earlier run.
outputs() {
    local seed reset
    for seed in 1 2 3 4 5 6; do
        for reset in "" +reset=1 +reset=6 +reset=15 +reset=24; do
            # shellcheck disable=SC2086  # none, or one argument
            "$TMP/model/random" +writes="$1/writes.hex" +verilator+rand+reset+2 \
                +verilator+seed+$seed $reset | grep cycles
        done
    done | sort -u
}

# from_any_state BUNDLE ENDPOINTS ROUTERS EXPECTED TEXT: checks that all outputs are as expected.
from_any_state() {
    compiled . "$1" "$2" "$3"
    check "$5" test "$(outputs "$1")" = "$4"
}

from_any_state "$TMP/b1" 8 0 "45 cycles, 21 completed, 0 flags, 0 unknown" \
    "a network from random states, reset in runs"
from_any_state "$TMP/b14" 24 8 "126 cycles, 62 completed, 0 flags, 0 unknown" \
    "routers from random states, reset in runs"
rm -rf "$TMP/broken"
mkdir "$TMP/broken"
cp -r rtl "$TMP/broken/"
sed -i "s/CountBits'(Cycles - 1);/CountBits'(1);/" "$TMP/broken/rtl/shell/rc_reset.sv"
compiled "$TMP/broken" "$TMP/b1" 8 0
check "(a reset that is not extended is seen)" test "$(outputs "$TMP/b1" | wc -l)" -gt 1
finish
