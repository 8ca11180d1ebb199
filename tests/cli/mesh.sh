#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mesh: collectives of a mesh on the command line: schedules, bounds, plans, demands of a file,
# exports, and the errors for bad input and for machines, none of which is a mesh.
#
# Ends and bounds are computed by hand for small meshes and lines. Each collective is written, read
# again and verified. Bad input: each case with its exact status and message. A torus of the same
# sides has shorter paths: a packet over one of its links around the ends is rejected in the mesh.
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
ends 6 broadcast --mesh 4,4 --ports multi
ends 4 broadcast --mesh 4,4 --ports multi --source 5
ends 2 broadcast --mesh 5 --source 2 --ports multi
ends 3 mesh-broadcast --mesh 5 --source 2
ends 4 scatter --mesh 5
ends 3 gather --mesh 4 --source 3
ends 1 all-gather --mesh 2
ends 3 all-gather --mesh 4 --ports multi
ends 6 reduce --mesh 5 --source 2 -m 5 --ports single
ends 6 mesh-reduce --mesh 5 --source 1 -m 4 --ports multi
ends 8 all-reduce --mesh 3,3 --ports multi
ends 3 reduce-scatter --mesh 4 --ports multi

# bound NAME VALUE ARGUMENT…: checks that this bound has this value.
bound() {
    local name=$1 value=$2
    shift 2
    check "bound $name of $*" test "$("$ROUNDCAST" bound "$@" --json | jq -r --arg name "$name" \
        '[.bounds[] | select(.name == $name)] | first | .rounds')" = "$value"
}
bound last-packet 10 --mesh 4,4 --model mesh-multiport -m 9
bound last-packet 14 --mesh 4,4 --model mesh-single-port -m 9
bound last-packet 8 --mesh 4,4 --model mesh-multiport -m 9 --source 5

# A line of 8: 16 packets cross the arc between its halves each way.
bound bisection 16 --mesh 8 --model mesh-multiport
accepts mesh-all-gather "a plan has all collectives" plan --mesh 4,4
check "… of both models" test "$(grep -c '^mesh-[a-z-]*port  *mesh-' "$TMP/out")" = 15
accepts '"mesh-multiport"' "a plan in JSON" plan --mesh 4,4 --json

printf '%s\n' 'roundcast-schedule 1' 'algorithm any' 'topology mesh 3 3' 'model mesh-multiport' \
    'demand 1 0 4,8' 'demand 2-3 5 *' 'end 0' >"$TMP/any.sched"
"$ROUNDCAST" schedule general --demands "$TMP/any.sched" -o "$TMP/made.sched" >/dev/null
accepts 'holds' "any demands are scheduled" verify "$TMP/made.sched"
accepts '9 nodes' "a schedule is exported" export --to goal "$TMP/made.sched" -o "$TMP/made.goal"
check "… with a section for each node" test "$(grep -c '^rank' "$TMP/made.goal")" = 9
"$ROUNDCAST" schedule broadcast --torus 3,3 --ports multi | sed 's/torus/mesh/' >"$TMP/ring.sched"
refuses 2 E211 'no link joins 0 and 2' "a link around the ends" verify "$TMP/ring.sched"
sed 's/mesh 3 3/mesh 3 x/' "$TMP/any.sched" >"$TMP/bad.sched"
refuses 2 E204 "unexpected 'x'" "a side that is no number" verify "$TMP/bad.sched"
sed 's/mesh 3 3/mesh 3 1/' "$TMP/any.sched" >"$TMP/bad.sched"
refuses 2 E205 'side of the mesh' "a side of 1 in a file" verify "$TMP/bad.sched"

machines="no machine is wired as a mesh; expected another topology: 'schedule', 'plan', 'bound' "
machines+="and 'verify' accept it"
refuses 2 E208 "$machines" "a run" run broadcast --mesh 4,4
refuses 2 E208 "$machines" "an image" route "$TMP/made.sched" -o "$TMP/image"
check "… and nothing is written" test ! -e "$TMP/image"
refuses 2 E102 'mesh: 1 nodes along dimension 2; expected 2 or more, and at most 16777216 nodes in all' \
    "a side of 1" plan --mesh 4,1
refuses 2 E102 'mesh: 16777216 nodes along dimension 2; expected 2 or more, and at most 16777216 nodes in all' \
    "too many nodes" plan --mesh 2,16777216
refuses 2 E101 "--mesh: '4x4'; expected the nodes along dimension 1, 2, … such as 4,4" \
    "sides that are no numbers" plan --mesh 4x4
refuses 2 E101 '--mesh cannot be used together with --torus' "two topologies" plan --torus 4 --mesh 4
refuses 2 E101 '--dim cannot be used together with --parents' "a tree and a hypercube" \
    plan --parents 3,3,4,4 --dim 2
refuses 2 E103 'torus-broadcast runs on a torus; expected --torus' "an algorithm for tori" \
    schedule torus-broadcast --mesh 4,4
refuses 2 E103 'mesh-broadcast runs on a mesh; expected --mesh' "an algorithm for meshes" \
    schedule mesh-broadcast --torus 4,4
refuses 2 E103 'mesh-broadcast does not keep the model all-port' "a model of hypercubes" \
    schedule mesh-broadcast --mesh 4,4 --model all-port
refuses 2 E103 'total-exchange of a mesh has no source, 2 is given; expected source 0' "a source" \
    schedule total-exchange --mesh 4,4 --source 2
refuses 2 E101 "--mesh is required; mesh-scatter runs on a mesh" "no sides" schedule mesh-scatter

finish
