#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tree_optima: the fewest steps of a total exchange and of a queue-free all-gather in small trees.
#
# tree_optima.py, which shares no code with the product, asks a SAT solver for schedules of T and of
# T - 1 steps. A schedule of T steps is found and verified; in a queue-free schedule no packet waits
# in a router. None of T - 1 steps exists. T is the number in docs/algorithms/tree.md, and the steps
# of --method interleaved. Counter-case: a queue-free schedule without one of its transfers is
# rejected.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v cadical >/dev/null || ! command -v python3 >/dev/null; then
    skip "optima of small trees" "no package cadical, or no python3"
    finish
fi

# waits_nowhere FILE: checks that routers send packets only in the round after they arrive.
waits_nowhere() {
    awk '/^round/ { round = $2 } /^[0-9]/ { came[round, $2, $3] = 1; hops++ }
        /^[0-9]+:/ && !((round - 1, $1, $3) in came) { waits++ } END { exit !hops || waits > 0 }' "$1"
}

# optimum KIND CHILDREN CAPACITIES T: checks that T is the fewest steps.
optimum() {
    check "$*: a schedule is found" test \
        "$(python3 "$here/tree_optima.py" "$@" "$TMP/optimum.sched")" = found
    accepts "rounds     $4" "… and holds" verify "$TMP/optimum.sched"
    check "… a step less has none" test \
        "$(python3 "$here/tree_optima.py" "$1" "$2" "$3" $(($4 - 1)) "$TMP/none")" = none
    [ "$1" = exchange ] && collective=tree-total-exchange || collective=tree-all-gather
    accepts "multiport: $4 rounds (bound $4)" "… and interleaved takes as many" schedule \
        $collective --method interleaved --tree "$2" --capacity "$3" --ports multi -o "$TMP/ours"
}

optimum exchange 2,2 1,2 6
optimum exchange 2,2,2 1,2,4 11
optimum exchange 3,2 1,3 8
optimum exchange 2,3 1,2 8
optimum exchange 2,4 1,2 10
optimum exchange 3,3 1,3 11
for tree in '2,2 1,1 5' '3,2 1,1 6' '2,3 1,1 7' '2,4 1,1 9' '4,2 1,1 8' '2,2,2 1,1,1 9' '3,3 1,1 9' \
    '2,2,3 1,1,1 13'; do
    # shellcheck disable=SC2086 # children, capacities, steps
    optimum queue-free $tree
    check "… nothing waits in a router" waits_nowhere "$TMP/optimum.sched"
done
sed '0,/^2:0 /{/^2:0 /d}' "$TMP/optimum.sched" >"$TMP/less.sched"
refuses 1 E302 'which it does not hold' "a schedule without a transfer" verify "$TMP/less.sched"
"$ROUNDCAST" schedule tree-all-gather --tree 2,2 --ports multi >"$TMP/flood.sched"
check "packets wait in the flooding all-gather" test ! "$(waits_nowhere "$TMP/flood.sched"; echo $?)" = 0

finish
