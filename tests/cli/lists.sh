#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lists: lists of transfers under every topology and model.
#
# A schedule of each model is exported as a table and as JSON lines and imported again: all lines
# are as before except the name of the algorithm. The list of models is read from the header, so
# that a model without a case fails. Counter-cases change a value of a list: a link, a lane, a time,
# a node, a port. The rules of the command line are also checked against those of schedules.
. "$(dirname "$0")/tap.sh"

covered=

# again OPTIONS ALGORITHM…: exports, imports and compares its schedule; notes its model.
again() {
    local options=$1 format lost
    shift
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    covered+=" $(sed -n 's/^model \([a-z-]*\).*/\1/p' "$TMP/a.sched")"
    for format in csv jsonl; do
        "$ROUNDCAST" export "$TMP/a.sched" --to $format >"$TMP/a.list"
        # shellcheck disable=SC2086
        "$ROUNDCAST" import "$TMP/a.list" $options >"$TMP/again.sched"
        lost=$(diff <(sed 2d "$TMP/a.sched") <(sed 2d "$TMP/again.sched") | head -3)
        check "$format of $1, read with $options" test -z "$lost"
    done
}
again "" matching -n 9 -m 4
again "--ports 3" matching -n 9 -m 4 --ports 3
again "--model telephone --ports 2" matching -n 9 -m 4 --model telephone --ports 2
again "--model telegraph" telegraph -n 9 -m 4
again "--lambda 5/2" postal-bcast -n 14 -m 1 --lambda 5/2
again "--model postal --lambda 4/3" postal-pipeline -n 14 -m 5 --lambda 4/3
again "--lambda 4/3 --ports 2" postal-bcast -n 14 -m 1 --lambda 4/3 --ports 2
again "--model fabric-multicast" fabric-broadcast -n 5 -m 3
again "--model fabric-postal --lambda 3/2" fabric-broadcast -n 5 -m 3 --model fabric-postal --lambda 3/2
again "--tree 2,2 --capacity 1,2" tree-broadcast --tree 2,2 --capacity 1,2 --ports multi
again "--tree 3,2 --ports single" tree-scatter --tree 3,2 --ports single
again "--tree 3,2 --half-duplex" tree-broadcast --tree 3,2 --ports multi --half-duplex
again "--parents 4,4,5,6,5,6 --ports single" tree-scatter --parents 4,4,5,6,5,6 --ports single
again "--tree 3,2" tree-broadcast --tree 3,2 --ports multi -s 1:1
again "--dim 3" cube-all-gather --dim 3
again "--dim 3" cube-reduce --dim 3 -m 3
again "--torus 3,3" torus-reduce-scatter --torus 3,3 -m 1
again "--torus 4,4 --ports single" torus-broadcast --torus 4,4 -m 3 --ports single
again "--torus 4,4" torus-scatter --torus 4,4 -m 1 --ports multi
again "--mesh 3,2 --ports single" mesh-all-gather --mesh 3,2 -m 1 --ports single
again "--mesh 3,2" mesh-total-exchange --mesh 3,2 -m 1 --ports multi

# The network combines packets of fabric-reduction and fabric-all-reduce, which no format expresses.
for model in $("$ROUNDCAST" import --model x - </dev/null 2>&1 | grep -oE 'expected .*\[' |
    sed 's/expected //; s/ *\[//; s/, / /g; s/ or / /'); do
    case $model in fabric-reduction | fabric-all-reduce) continue ;; esac
    check "a list of $model" grep -qw -- "$model" <<<"$covered"
done
check "… and there are such models" grep -q 'torus-multiport' <<<"$covered"

# -- times -----------------------------------------------------------------------------------------

printf 'time,source,destination,packet\n0,0,1,a\n1,0,2,a\n2.5,1,3,a\n' >"$TMP/times.csv"
accepts 'time 5/2' "a time as a decimal" import "$TMP/times.csv" --lambda 5/2
accepts 'end 5' "… and the end, λ later" import "$TMP/times.csv" --lambda 5/2
refuses 2 E204 "times.csv:4:1: '2.5'; expected a time P/Q, P or P.Q, a multiple of 1/3" \
    "a time between ticks" import "$TMP/times.csv" --lambda 7/3
sed 's/2.5/5\/2/' "$TMP/times.csv" >"$TMP/ratio.csv"
check "a time as a ratio" test "$("$ROUNDCAST" import "$TMP/ratio.csv" --lambda 5/2)" = \
    "$("$ROUNDCAST" import "$TMP/times.csv" --lambda 5/2)"
for time in 5/0 5/ /2 5/2/2 -1; do
    sed "s,2.5,$time," "$TMP/times.csv" >"$TMP/wrong.csv"
    refuses 2 E204 'wrong.csv:4:1: ' "the time $time" import "$TMP/wrong.csv" --lambda 5/2
done
sed 's/2.5/9223372036854775807/' "$TMP/times.csv" >"$TMP/wrong.csv"
refuses 2 E205 'wrong.csv:4:1: time 9223372036854775807; expected less than' "a late time" import \
    "$TMP/wrong.csv" --lambda 5/2
sed 's/2.5/2/' "$TMP/times.csv" >"$TMP/early.csv"
refuses 1 E302 'early.csv:4: time 2: node 1' "a packet that has not arrived" import \
    "$TMP/early.csv" --lambda 5/2
refuses 2 E101 '--lambda is required; expected λ' "times without λ" import "$TMP/times.csv" \
    --model postal
refuses 2 E101 '--lambda: the model telephone has no λ' "λ of rounds" import "$TMP/times.csv" \
    --model telephone --lambda 5/2
# Node 0 can send at 0, 1 and 2, so that the last packet arrives at 2 + 5/2.
accepts 'time        5 (bound 9/2, gap 1/2)' "the judge of times" judge "$TMP/times.csv" --lambda 5/2

# -- links, nodes and lanes ------------------------------------------------------------------------

printf 'round,source,destination,packet\n1,0,3,a\n1,0,1,a\n' >"$TMP/ring.csv"
accepts 'topology torus 4' "links of a ring" import "$TMP/ring.csv" --torus 4
refuses 2 E211 'ring.csv:2: no link joins 0 and 3' "… which a line lacks" import "$TMP/ring.csv" \
    --mesh 4
refuses 1 E301 'node 0 sends' "two packets of a single port" import "$TMP/ring.csv" --torus 4 \
    --ports single
refuses 2 E205 "ring.csv:2:5: node 3; expected one of the 3 nodes" "a node that the torus lacks" \
    import "$TMP/ring.csv" --torus 3
refuses 2 E102 '-n: 5; expected 4, the processors of the torus' "other nodes" import \
    "$TMP/ring.csv" --torus 4 -n 5
printf 'round,source,destination,packet,lane\n1,0,1:0,a,0\n2,1:0,1,a,1\n' >"$TMP/tree.csv"
accepts '1:0 1 1 1' "a router and a lane" import "$TMP/tree.csv" --tree 2 --capacity 2
refuses 2 E205 'tree.csv:3: lane 1; expected 0 … 0' "a lane that the branch lacks" import \
    "$TMP/tree.csv" --tree 2
refuses 2 E204 "tree.csv:2:5: '1:0'; expected the number of a node" "a router of a complete graph" \
    import "$TMP/tree.csv"
sed 's/1:0/1:1/' "$TMP/tree.csv" >"$TMP/wrong.csv"
refuses 2 E205 "node 1:1; expected one of the 2 nodes, or a router" "a router that the tree lacks" \
    import "$TMP/wrong.csv" --tree 2
sed 's/,0$/,x/' "$TMP/tree.csv" >"$TMP/wrong.csv"
refuses 2 E204 "'x'; expected the number of a lane" "a lane that is no number" import \
    "$TMP/wrong.csv" --tree 2
printf 'round,source,destination,packet,lane\n1,0,1,a,fast\n' >"$TMP/fast.csv"
accepts '0 1 1' "a column of that name without a tree" import "$TMP/fast.csv"

# -- rules -----------------------------------------------------------------------------------------

refuses 2 E101 '--mesh cannot be used together with --torus' "two topologies" import \
    "$TMP/ring.csv" --mesh 4 --torus 4
refuses 2 E103 '--model: postal is not for a torus' "a model of another topology" import \
    "$TMP/ring.csv" --torus 4 --model postal
refuses 2 E101 '--ports: a number is for the models send-receive, telephone and postal' \
    "ports of a torus" import "$TMP/ring.csv" --torus 4 --ports 2
accepts 'model torus-multiport' "a compaction on a torus" import "$TMP/ring.csv" --torus 4 --compact
"$ROUNDCAST" schedule torus-broadcast --torus 4 -m 1 --ports single -o "$TMP/t.sched" >/dev/null
"$ROUNDCAST" export "$TMP/t.sched" --to csv -o "$TMP/t.csv" >/dev/null
accepts 'model torus-single-port' "the rules of the demands" import "$TMP/t.csv" --demands \
    "$TMP/t.sched"
accepts 'torus-multiport' "a schedule, judged by the other ports" judge "$TMP/t.sched" --ports multi
accepts 'torus-single-port' "… on its topology" judge "$TMP/t.sched" --torus 4
refuses 2 E103 't.sched: the schedule has another topology' "… on another one" judge "$TMP/t.sched" \
    --mesh 4
refuses 2 E103 'is a schedule of torus-single-port; expected no other model' "… by another model" \
    judge "$TMP/t.sched" --model telephone
"$ROUNDCAST" schedule postal-bcast -n 5 -m 1 --lambda 5/2 -o "$TMP/p.sched" >/dev/null
refuses 2 E103 '--lambda: ' "a schedule with another λ" judge "$TMP/p.sched" --lambda 3
refuses 2 E103 '--ports: 2; expected 1, the ports of' "… with other ports" judge "$TMP/p.sched" \
    --ports 2
"$ROUNDCAST" schedule matching -n 4 -m 1 | "$ROUNDCAST" export - --to goal >"$TMP/a.goal"
accepts 'model send-receive 2' "ports of a format without rounds" import "$TMP/a.goal" --ports 2
accepts 'model postal 5/2' "… times of it" import "$TMP/a.goal" --lambda 5/2
refuses 2 E211 'a.goal:3: no link joins 0 and 2' "… a topology that does not join its nodes" import \
    "$TMP/a.goal" --mesh 4
accepts 'model all-port' "… one that does" import "$TMP/a.goal" --dim 2

# Epochs of TE-CCL are rounds, or times, of any rules: node 0 sends twice in epoch 0, and node 1
# forwards what arrives after two epochs.
cat >"$TMP/flows.json" <<'END'
{"1-Epoch_Duration": 2e-09,
 "7-Flows": [
  "Chunk 0 from 0 traveled over 0->1 in epoch 0",
  "Chunk 0 from 0 traveled over 0->2 in epoch 0",
  "Chunk 0 from 0 traveled over 1->3 in epoch 2"]}
END
refuses 1 E301 'flows.json:4: round 1: node 0 sends packets 1 and 1' "epochs of several ports" import \
    "$TMP/flows.json"
accepts 'model send-receive 2' "… with them" import "$TMP/flows.json" --ports 2
accepts 'model postal 2 2' "… as times" import "$TMP/flows.json" --ports 2 --lambda 2
refuses 1 E302 'flows.json:5: time 2: node 1 sends packet 1' "… that are too early" verify \
    "$TMP/flows.json" --ports 2 --lambda 3
accepts 'rounds      2 (bound 2, gap 0)' "… compacted for one port" judge "$TMP/flows.json" --compact

finish
