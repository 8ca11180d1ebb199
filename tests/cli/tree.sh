#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tree: collectives of trees on the command line: schedules, bounds, plans, queues, and the errors
# for bad input.
#
# Ends follow from the paper's formulas, computed by hand for a few trees; every collective is
# written by each of its methods, read again and verified. Bad input: each case with its exact
# status and message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

fat='--tree 4,4,4 --capacity exp'
ends() {
    local rounds=$1
    shift
    "$ROUNDCAST" schedule "$@" -o "$TMP/t.sched" >/dev/null
    accepts "rounds     $rounds" "$* ends after $rounds" verify "$TMP/t.sched"
    cp "$TMP/out" "$TMP/verified"
    check "… and is the same when it is written again" cmp "$TMP/t.sched" <("$ROUNDCAST" schedule \
        "$@")
}
ends 14 tree-broadcast $fat --ports single --source 17
ends 6 tree-broadcast $fat --ports multi --source 63
ends 26 tree-broadcast $fat -m 4 --source 17
ends 24 tree-all-reduce --tree 4,4 -m 4
ends 25 tree-all-reduce --tree 4,4 -m 4 --half-duplex
ends 24 all-reduce --tree 4,4 -m 4 --order
ends 10 tree-all-reduce --tree 4,4 -m 4 --half-duplex --ports multi
ends 64 tree-scatter $fat --ports single --source 5
ends 64 tree-gather $fat --ports multi --source 5
ends 64 tree-gather $fat --ports multi --method greedy
ends 262 tree-all-gather $fat --ports single
ends 64 tree-all-gather $fat --ports multi
ends 68 tree-all-gather $fat --ports multi --method queue-free
ends 64 tree-all-gather $fat --ports multi --method interleaved
ends 9 tree-all-gather --tree 2,2,2 --ports multi --method interleaved
accepts 'Every packet arrived in its predicted cycle' "… and runs" run tree-all-gather \
    --tree 3,2 --ports multi --method interleaved --engine csim
ends 3077 tree-total-exchange $fat --ports single
ends 72 tree-total-exchange $fat --ports multi --method phases
ends 21 tree-total-exchange --tree 2,2,2,2 --capacity exp --ports multi --method interleaved
check "… without queues: nothing waits" awk \
    '/^ *[0-9]/ && NF == 5 { rows++; waits += $3 + $4 } END { exit rows != 4 || waits }' \
    "$TMP/verified"
accepts 'Every packet arrived in its predicted cycle' "… and runs" run tree-total-exchange \
    --tree 2,2,2 --capacity exp --ports multi --method interleaved --engine csim
ends 68 tree-total-exchange $fat --ports multi
check "… without queues: nothing waits" awk \
    '/^ *[0-9]/ && NF == 5 { rows++; waits += $3 + $4 } END { exit rows != 3 || waits }' \
    "$TMP/verified"
ends 9 tree-scatter --tree 2,2,2
ends 7 tree-gather --tree 2,3 --capacity 1,2 --ports multi --method greedy --source 3
check "… with a queue in front of the last branch" grep -qE '^ *1 +3 +[1-9]' "$TMP/verified"
# Leaves with several links: the narrowest branch of a path limits the packets that cross it.
thick='--tree 2,2 --capacity 2,2 --ports multi'
ends 4 tree-broadcast $thick
ends 4 tree-scatter $thick --source 3
ends 4 tree-gather $thick
ends 4 tree-gather $thick --method greedy
ends 4 tree-all-gather $thick
ends 5 tree-all-gather $thick --method queue-free
ends 4 tree-all-gather $thick --method interleaved
ends 6 tree-total-exchange $thick
ends 59 tree-scatter --tree 8,8 --capacity 8,1 --ports multi
ends 59 tree-all-gather --tree 8,8 --capacity 8,1 --ports multi
ends 59 tree-all-gather --tree 8,8 --capacity 8,1 --ports multi --method interleaved
ends 4 tree-reduce-scatter $thick
ends 7 tree-pipelined-reduce-scatter $thick
ends 5 tree-scatter --tree 2,2 --capacity 2,2 --ports single
accepts 'max_i ⌈(n-N_{i-1})/w_i⌉+2i-1' "bound: leaves with two links" bound $thick
check "… a scatter takes 4 steps" grep -qE 'multiport, scatter +one-link +4 +\*' "$TMP/out"
accepts 'tree-total-exchange --method pipelined' "plan: leaves with two links" plan $thick
check "… a total exchange takes a step more than its bound" grep -qE \
    'tree-total-exchange --method pipelined +6 +5 +1' "$TMP/out"

# A router as the source. B_r of equation (2): the sum of all k_i.
ends 12 tree-broadcast --tree 4,4,4 --source 3:0 --ports single
ends 3 tree-broadcast --tree 4,4,4 --source 3:0 --ports multi
ends 13 tree-broadcast --tree 4,4,4 --source 1:15 --ports single
ends 5 tree-broadcast --tree 4,4,4 --source 1:15 --ports multi
ends 66 tree-scatter --tree 4,4,4 --source 3:0 --ports single
ends 18 tree-scatter --tree 4,4,4 --source 3:0 --ports multi
check "… the file names the router" grep -qx 'demand 1 3:0 0' "$TMP/t.sched"
accepts 'tree-scatter' "plan: a router as the source" plan --tree 4,4 --source 2:0 --ports multi
check "… has no gather to a router" bash -c '! grep -q tree-gather "$1"' - "$TMP/out"
accepts 'h-l-1' "bound: a router as the source" bound --tree 4,4 --source 2:0 --ports single
refuses 2 E208 'packet 1 starts at router 3:0, which has no endpoint' "route: a router as the source" \
    route "$TMP/t.sched" -o "$TMP/none"
refuses 2 E208 'packet 1 starts at router 3:0' "… self-timed" route "$TMP/t.sched" \
    --network fat-tree-auto -o "$TMP/none"
refuses 2 E208 '-s: a router has no endpoint to load packets into' "run: a router as the source" run \
    tree-broadcast --tree 4,4 --source 2:0
refuses 2 E102 '-s: the tree has no router 1:4; expected one of its 2 levels' "no such router" \
    schedule tree-broadcast --tree 4,4 --source 1:4
refuses 2 E102 '-s: the tree has no router 3:0' "no such level" \
    schedule tree-broadcast --tree 4,4 --source 3:0
refuses 2 E101 "-s: 'x' is not a number" "no level" schedule tree-broadcast --tree 4,4 --source x:0
refuses 2 E101 '-s: 1:0 is a router; expected --tree' "a router of no tree" schedule matching -n 4 \
    -m 1 --source 1:0
refuses 2 E103 'a gather ends at a processor' "a gather to a router" schedule tree-gather --tree 4,4 \
    --source 2:0
refuses 2 E103 'a reduction ends at a processor' "a reduction to a router" schedule tree-reduce \
    --tree 4,4 --source 2:0

# Any tree, by a list of parents: 0 1 │ 2 │ 3 are below 4, 5 and 6, a chain of routers.
chain='--parents 4,4,5,6,5,6'
ends 5 tree-broadcast $chain --ports single --source 3
ends 4 tree-broadcast $chain --ports multi --source 3
ends 7 tree-broadcast $chain -m 4 --ports multi --source 3
ends 11 tree-broadcast $chain -m 4 --source 3
ends 5 tree-all-reduce $chain -m 2 --ports multi
ends 4 tree-scatter $chain --ports single
ends 5 tree-gather $chain --ports multi --source 2
ends 3 tree-broadcast $chain --source 1:2 --ports multi
ends 5 tree-all-gather $chain --ports multi
ends 11 tree-total-exchange $chain --ports single
ends 5 tree-reduce-scatter $chain --ports multi
ends 6 tree-pipelined-reduce-scatter $chain
# Routers 1:1 and 1:2 have all leaves on one side, and nothing to receive or send.
dead='--parents 4,4,4,4,5,6'
ends 4 tree-reduce-scatter $dead --ports multi
ends 5 tree-pipelined-reduce-scatter $dead
ends 4 tree-broadcast $dead
# One router combines the packets of its four leaves, and sends 2 × 4 copies one by one.
ends '9 (bound 9)' tree-all-reduce $dead -m 2
ends '3 (bound 3)' tree-all-reduce $dead -m 2 --ports multi
ends '4 (bound 4)' tree-all-reduce $dead -m 2 --ports multi --half-duplex
ends 2 tree-reduce $dead
ends 2 tree-reduce $dead --ports multi
ends 13 tree-all-gather $dead
ends 6 tree-all-gather --parents 4,4,5,5,6,6 --half-duplex --ports multi
check "… the file has the list" grep -qx 'topology tree parents 4 4 5 5 6 6 capacity 1 half-duplex' \
    "$TMP/t.sched"
accepts 'tree-total-exchange' "plan: any tree" plan $chain --ports multi --capacity 2
accepts 'b(T)=max_i b(T_i)+i' "bound: any tree" bound $chain
accepts 'digraph' "draw: any tree" draw "$TMP/t.sched"
refuses 2 E208 'page: it draws trees of equal levels' "view: any tree" view "$TMP/t.sched" -o \
    "$TMP/none"
refuses 2 E208 'no machine has routers of different sizes at one level' "route: any tree" route \
    "$TMP/t.sched" -o "$TMP/none"
refuses 2 E208 'no machine has routers of different sizes at one level' "run: any tree" run \
    tree-scatter $chain
refuses 2 E102 'parents: node 4 has no child; expected the leaves first' "another order" schedule \
    tree-broadcast --parents 3,3,6,6,6,6
refuses 2 E102 'parents: parent 5 of node 5; expected 6 … 6' "a circle" schedule tree-broadcast \
    --parents 4,4,5,6,5,5
refuses 2 E101 "--parents: '4;4'" "no list" schedule tree-broadcast --parents '4;4'
refuses 2 E101 '--tree cannot be used together with --parents' "two trees" schedule tree-broadcast \
    --tree 2,2 --parents 2,2
refuses 2 E103 'a tree of --parents has one method for each collective' "a method" schedule \
    tree-gather $chain --method greedy
refuses 2 E101 "--capacity: 'exp'; expected the links of every branch" "capacities of levels" schedule \
    tree-gather $chain --capacity exp
sed 's/parents 4 4 5 5/parents 4 4 5 4/' "$TMP/t.sched" >"$TMP/order.sched"
refuses 2 E211 'no branch joins' "a list that differs from the transfers" verify "$TMP/order.sched"
sed 's/parents 4 4 5 5/parents 4 4 2 5/' "$TMP/t.sched" >"$TMP/order.sched"
refuses 2 E205 'parents: parent 2 of node 2; expected 3 … 6' "a circle in a file" verify \
    "$TMP/order.sched"

# Half-duplex links. A packet of each of n leaves crosses each branch: n + 2h - 2 steps of the
# root's branches, which flooding meets on 4,4,4.
ends 68 tree-all-gather --tree 4,4,4 --ports multi --half-duplex
ends 64 tree-scatter --tree 4,4,4 --half-duplex
ends 6 tree-broadcast --tree 4,4,4 --ports multi --half-duplex
ends 68 tree-reduce-scatter --tree 4,4,4 --ports multi --half-duplex
ends 70 tree-pipelined-reduce-scatter --tree 4,4,4 --half-duplex
accepts 'Every packet arrived in its predicted cycle' "… and runs" run reduce-scatter --tree 4,4,4 \
    --half-duplex --engine csim
refuses 2 E208 'router 1:0 combines two packets in a step; expected one packet of several inputs' \
    "run: several packets in a step" run reduce-scatter --tree 4,2 --ports multi --engine csim
accepts 'topology tree 2 2 capacity 1 1 half-duplex' "the file has the word" schedule tree-all-gather \
    --tree 2,2 --half-duplex
accepts 'max_i ⌈n/c_i⌉+2i-2' "bound: both ways" bound --tree 4,4 --half-duplex
accepts 'tree-all-gather --method flood' "plan: half-duplex" plan --tree 4,4 --ports multi --half-duplex
for ports in single multi; do
  "$ROUNDCAST" schedule tree-all-gather --tree 2,2 --ports $ports |
      sed 's/capacity 1 1$/capacity 1 1 half-duplex/' >"$TMP/half.sched"
  refuses 1 E306 'round 3: lane 0 between 2:0 and 1:0 carries packets 2 and 3' \
      "$ports: both directions at a time" verify "$TMP/half.sched"
done
sed -i 's/half-duplex$/half/' "$TMP/half.sched"
refuses 2 E204 "'half'; expected 'half-duplex' or the end of the line" "another word" verify \
    "$TMP/half.sched"
refuses 2 E101 '--half-duplex requires --tree' "no tree to be half-duplex" schedule matching -n 4 -m 1 \
    --half-duplex
refuses 2 E103 'queue-free requires full-duplex links' "routers that may not wait" schedule \
    tree-all-gather --tree 2,2 --ports multi --method queue-free --half-duplex

ends 5 tree-broadcast --tree 5

accepts 'topology tree 4 4 4 capacity 1 4 16' \
    "levels and lanes in the file" schedule tree-broadcast $fat
accepts '2:0 3:0 1' "routers by level and index" schedule tree-broadcast $fat
accepts 'label="1:0\n1", shape=box' "draw has routers by the same names" draw "$TMP/t.sched"
accepts 'tree-total-exchange --method pipelined' "plan knows methods" plan $fat
check "… and the gap of the total-exchange" grep -qE \
    'multiport +tree-total-exchange --method pipelined +68 +68 +0' "$TMP/out"
json '"method": "queue-free"' "plan as JSON" plan $fat --ports multi --json
accepts 'multiport, total-exchange' "bound knows collectives" bound $fat
check "… more packets would be in flight than leaves send" grep -qE \
    'multiport, total-exchange +in-flight +68 +\*' "$TMP/out"
check "… which the corrected Theorem 8 does not show" grep -qE \
    'multiport, total-exchange +delay +67 ' "$TMP/out"
json '"collective": "all-gather"' "bound as JSON" bound $fat --json
accepts '--method timed, greedy' "list prints methods" list

refuses 2 E101 "--tree: '4,x'" "a tree that is none" schedule tree-broadcast --tree 4,x
refuses 2 E102 'expected 2 or more' "one child" schedule tree-broadcast --tree 4,1
refuses 2 E102 '65537 links at level 1; expected 1' \
    "leaves with too many links" schedule tree-broadcast --tree 4,4 --capacity 65537,2
refuses 2 E101 "--capacity: '1,2,3'; expected the links of a branch at level 1 … 2" \
    "other levels" schedule tree-broadcast --tree 4,4 --capacity 1,2,3
refuses 2 E101 '--capacity requires --tree' "lanes without a tree" schedule matching -n 4 -m 1 \
    --capacity exp
refuses 2 E101 "--ports: 'two'" "other ports" schedule tree-broadcast --tree 4,4 --ports two
refuses 2 E102 '-n: 5; expected 16, the leaves of the tree' "other nodes" schedule tree-broadcast --tree 4,4 -n 5
refuses 2 E102 '-s: 16 is out of range' \
    "a source that is no leaf" schedule tree-broadcast --tree 4,4 --source 16
refuses 2 E103 'expected timed greedy' "no such method" schedule tree-gather --tree 4,4 --method \
    lazy
refuses 2 E103 'expected no method in single-port' \
    "a method of the other model" schedule tree-total-exchange --tree 4,4 --method phases
refuses 2 E103 'paths to levels 2 … h are equally wide' "paths that become narrower" \
    schedule tree-all-gather --tree 2,2,2 --ports multi --capacity 3,2,1 --method interleaved
refuses 2 E103 'expected --capacity exp, or pipelined' "narrow branches" \
    schedule tree-total-exchange --tree 4,4 --ports multi --capacity 1,2 --method interleaved
refuses 2 E103 'expected source 0' "a source for a broadcast that has none" \
    schedule tree-all-gather --tree 4,4 --source 3
refuses 2 E103 'expected no --tree' "another topology" schedule matching --tree 4,4
refuses 2 E103 'expected --tree' "no tree" schedule tree-scatter -n 16 -m 1
refuses 2 E401 "expected fat-tree" "route on another topology" route \
    "$TMP/t.sched" --network benes:8 -o "$TMP/none"

# Exit 1: breaches of the model.
"$ROUNDCAST" schedule tree-total-exchange --tree 2,2 --capacity exp --ports multi -o \
    "$TMP/e.sched" >/dev/null
sed 's/^1:\([01]\) 2:0 \([0-9]*\) 1$/1:\1 2:0 \2 0/' "$TMP/e.sched" >"$TMP/lane.sched"
refuses 1 E306 'carries packets' "two packets on a lane" verify "$TMP/lane.sched"
sed 's/^model multiport/model single-port/' "$TMP/e.sched" >"$TMP/single.sched"
refuses 1 E301 'sends packets' "a router that sends twice" verify "$TMP/single.sched"
sed '0,/^1:0 2:0/s/^1:0 2:0 \([0-9]*\)/1:0 2:0 12/' "$TMP/e.sched" >"$TMP/held.sched"
refuses 1 E302 'node 1:0 sends packet 12, which it does not hold' \
    "a router that sends what it does not hold" verify "$TMP/held.sched"
sed '0,/^0 1:0/s/^0 1:0/0 1:1/' "$TMP/e.sched" >"$TMP/link.sched"
refuses 2 E211 'no branch joins 0 and 1:1' "a transfer without a link" verify "$TMP/link.sched"

finish
