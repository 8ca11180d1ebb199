#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# torus: collectives of a torus on the command line: schedules, bounds, plans, demands of a file,
# exports, and the errors for bad input and for machines, none of which is a torus.
#
# Ends and bounds are computed by hand for small tori. Each collective is written, read again and
# verified. Bad input: each case with its exact status and message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

# ends ROUNDS ARGUMENT…: checks that the schedule ends after that many rounds, and verifies it.
ends() {
    local rounds=$1
    shift
    "$ROUNDCAST" schedule "$@" -o "$TMP/t.sched" >/dev/null
    accepts "rounds     $rounds " "$* ends after $rounds" verify "$TMP/t.sched"
    check "… and is the same when it is written again" cmp "$TMP/t.sched" <("$ROUNDCAST" schedule \
        "$@")
}
ends 4 broadcast --torus 4,4 --ports multi --source 7
ends 4 torus-broadcast --torus 4,4
ends 3 broadcast --torus 5,2 --ports multi
ends 1 all-gather --torus 3 --ports multi
ends 1 total-exchange --torus 3 --ports multi
ends 15 scatter --torus 4,4 --source 3
ends 1 gather --torus 2
# A reduction over one port: the furthest node, 4 links away, sends 5 packets.
ends 8 reduce --torus 4,4 -m 5 --ports single --source 7
ends 5 reduce --torus 4,4 -m 5 --ports multi
ends 7 torus-reduce --torus 3,2 -m 6 --ports single
ends 2 all-reduce --torus 3 --ports multi
ends 1 reduce-scatter --torus 3 --ports multi
refuses 2 E103 "expected one of torus-multiport, because backwards a node sends on all links on which" \
    "a reduce-scatter over one port" schedule reduce-scatter --torus 3 --ports single

# bound NAME VALUE ARGUMENT…: checks that this bound has this value.
bound() {
    local name=$1 value=$2
    shift 2
    check "bound $name of $*" test "$("$ROUNDCAST" bound "$@" --json | jq -r --arg name "$name" \
        '[.bounds[] | select(.name == $name)] | first | .rounds')" = "$value"
}
bound last-packet 6 --torus 4,4 --model torus-multiport -m 9
bound last-packet 12 --torus 4,4 --model torus-single-port -m 9
accepts "12 rounds (bound 12)" "a reduction over one port is optimal" \
    schedule reduce --torus 4,4 -m 9 --ports single -o "$TMP/t.sched"
accepts "(bound 6)" "a reduction has the bound of a broadcast" \
    schedule reduce --torus 4,4 -m 9 --ports multi -o "$TMP/t.sched"
accepts "(bound 8)" "30 packets of a node leave over 4 arcs" \
    schedule reduce-scatter --torus 4,4 -m 2 --ports multi -o "$TMP/t.sched"

# A ring of 8: 16 packets cross 2 arcs each way.
accepts bisection "a ring has a bisection" bound --torus 8 --model torus-multiport
has 'bisection +8 ' "… which 16 packets cross"
accepts torus-all-gather "a plan has all collectives" plan --torus 4,4
check "… of both models" test "$(grep -c '^torus-[a-z-]*port  *torus-' "$TMP/out")" = 15

printf '%s\n' 'roundcast-schedule 1' 'algorithm any' 'topology torus 3 3' 'model torus-multiport' \
    'demand 1 0 4,8' 'demand 2-3 5 *' 'end 0' >"$TMP/any.sched"
"$ROUNDCAST" schedule general --demands "$TMP/any.sched" -o "$TMP/made.sched" >/dev/null
accepts 'holds' "any demands are scheduled" verify "$TMP/made.sched"
accepts '9 nodes' "a schedule is exported" export --to goal "$TMP/made.sched" -o "$TMP/made.goal"
check "… with a section for each node" test "$(grep -c '^rank' "$TMP/made.goal")" = 9

machines="no machine is wired as a torus; expected another topology: 'schedule', 'plan', 'bound' "
machines+="and 'verify' accept it"
refuses 2 E208 "$machines" "a run" run broadcast --torus 4,4
refuses 2 E208 "$machines" "a network of one's own" run broadcast --torus 4,4 --network benes:16
refuses 2 E208 "$machines" "an image" route "$TMP/made.sched" -o "$TMP/image"
check "… and nothing is written" test ! -e "$TMP/image"
refuses 2 E102 'torus: 1 nodes along dimension 2; expected 2 or more, and at most 16777216 nodes in all' \
    "a side of 1" plan --torus 4,1
refuses 2 E102 'torus: 16777216 nodes along dimension 2; expected 2 or more, and at most 16777216 nodes in all' \
    "too many nodes" plan --torus 2,16777216
refuses 2 E101 "--torus: '4x4'; expected the nodes along dimension 1, 2, … such as 4,4" \
    "sides that are no numbers" plan --torus 4x4
refuses 2 E101 '--torus cannot be used together with --dim' "two topologies" plan --torus 4 --dim 2
refuses 2 E103 'circulant runs on a complete graph; expected no --torus' "another algorithm" \
    schedule circulant --torus 4,4
refuses 2 E103 'torus-broadcast runs on a torus; expected --torus' "no torus" \
    schedule torus-broadcast -n 16 -m 1
refuses 2 E103 'all-gather of a torus has no source, 2 is given; expected source 0' "a source" \
    schedule all-gather --torus 4,4 --source 2

finish
