#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# judge: reports on schedules of any origin, by judge and by verify.
#
# The lists are rings of 4 nodes, whose rounds, bounds and breaches are counted by hand: an
# all-gather of 4 packets in 3 rounds, which is the bound m(n - 1) of send-receive; under telegraph
# every node sends and receives in every round, so that all transfers but the first of a round, and
# the last of the odd ring, break the rule. Each verdict is also that of a file with a fault.
. "$(dirname "$0")/tap.sh"

# ring [SKIP]: prints the ring, without line SKIP.
ring() {
    local round node
    for round in 0 1 2; do
        for node in 0 1 2 3; do
            echo "$round $node $(((node + 1) % 4)) $(((node - round + 4) % 4))"
        done
    done | sed "${1:-99}d"
}
ring >"$TMP/ring.txt"
ring 6 >"$TMP/less.txt"

# fails CODE PART TEXT ARGUMENT…: checks that a command reports a schedule that fails, and ends with
# status 1 and this error.
fails() {
    local code=$1 part=$2 text=$3 status=0
    shift 3
    "$ROUNDCAST" "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
    check "$text" test "$status,$(grep -cF "$part" "$TMP/err"),$(grep -c "\[$code " "$TMP/err")" = 1,1,1
    check "… with a report" grep -q ': fails: ' "$TMP/out"
}

# -- judge -----------------------------------------------------------------------------------------

accepts 'collective  all-gather of 1 packet of each node' "the collective" judge "$TMP/ring.txt"
accepts 'rounds      3 (bound 3, gap 0), 3 after compaction' "rounds, bound and gap" judge \
    "$TMP/ring.txt"
accepts "best known  3, by 'roundcast schedule all-gather'" "the best known schedule" judge \
    "$TMP/ring.txt"
accepts 'ring.txt: holds: a table of transfers, 4 nodes, 4 packets, 12 transfers' \
    "the expected collective" judge "$TMP/ring.txt" --expect all-gather
refuses 1 E313 'expected some in scatter' "another collective" judge "$TMP/ring.txt" --expect scatter
# Without line 6, node 2 lacks the packet of node 0, and sends it in round 3.
fails E303 'node 2 has not received packet 1' "contents that fail" judge "$TMP/less.txt" \
    --expect all-gather
check "every aspect is judged" grep -q 'order  *fails: 1 breach; the first is E302' "$TMP/out"
check "… also after one that fails" grep -q 'contents  *fails: 1 breach; the first is E303' "$TMP/out"
check "… and one that holds" grep -q 'ports  *holds: every round obeys the model send-receive' "$TMP/out"
fails E305 'ring.txt:2: round 1: node 1 sends packet 2 and receives packet 1' "another model" \
    judge "$TMP/ring.txt" --model telegraph
accepts 'rounds      6 (bound 6, gap 0), 6 after compaction' "… after compaction" judge \
    "$TMP/ring.txt" --model telegraph --compact
json '"compact": 3' "a report as JSON" judge "$TMP/ring.txt" --json
"$ROUNDCAST" judge "$TMP/ring.txt" --model telegraph --json >"$TMP/out" 2>/dev/null
check "… of a schedule that fails" test "$?,$(grep -c '"code": 305' "$TMP/out")" = 1,1
accepts 'holds' "a page" judge "$TMP/ring.txt" --view "$TMP/ring.html"
check "… is written" grep -q '<html' "$TMP/ring.html"
refuses 2 E101 'but a page of HTML is written; expected .html' "a page of another name" judge "$TMP/ring.txt" --view "$TMP/r.csv"
refuses 2 E101 'judge: no file' "no file" judge
refuses 2 E101 'one file too many' "two files" judge "$TMP/ring.txt" "$TMP/less.txt"

# Other formats: each is a ring that is read back.
"$ROUNDCAST" import "$TMP/ring.txt" -o "$TMP/ring.sched" >/dev/null
for format in sccl msccl mscclpp goal jsonl csv; do
    "$ROUNDCAST" export "$TMP/ring.sched" --to $format -o "$TMP/ring.$format" >/dev/null
    accepts 'all-gather of 1 packet of each node' "$format is judged" judge "$TMP/ring.$format"
done
accepts 'execution   holds: no two steps race, and every order of execution ends' \
    "what is proved of MSCCL" judge "$TMP/ring.msccl"
accepts 'execution   holds: every send meets its receipt, and no operation waits for ever' \
    "what is proved of GOAL" judge "$TMP/ring.goal"
# Two GPUs that exchange two chunks each, of one buffer for inputs and outputs.
cat >"$TMP/in-place.xml" <<'END'
<algo name="a" proto="Simple" nchannels="1" nchunksperloop="4" ngpus="2" coll="allgather" inplace="1">
<gpu id="0" i_chunks="2" o_chunks="4" s_chunks="0"><tb id="0" send="1" recv="1" chan="0">
<step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
<step s="1" type="r" srcbuf="o" srcoff="2" dstbuf="o" dstoff="2" cnt="2" depid="-1" deps="-1" hasdep="0"/>
</tb></gpu>
<gpu id="1" i_chunks="2" o_chunks="4" s_chunks="0"><tb id="0" send="0" recv="0" chan="0">
<step s="0" type="s" srcbuf="o" srcoff="2" dstbuf="o" dstoff="2" cnt="2" depid="-1" deps="-1" hasdep="0"/>
<step s="1" type="r" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
</tb></gpu>
</algo>
END
for options in "" --compact; do
    # shellcheck disable=SC2086  # one word or none
    accepts 'collective  all-gather of 2 packets of each node, in place' "in place $options" judge \
        "$TMP/in-place.xml" $options
done
check "… which a program of two buffers is not" test \
    "$("$ROUNDCAST" judge "$TMP/ring.msccl" | sed -n 's/  collective  //p')" = \
    'all-gather of 1 packet of each node'
refuses 2 E206 'they race; expected one to wait for the other' "a race" judge tests/data/exchange/race-refused.xml
accepts 'all-gather' "a schedule" judge "$TMP/ring.sched"
accepts 'all-gather' "… that is piped" judge - <"$TMP/ring.sched"
"$ROUNDCAST" schedule tree-broadcast --tree 2,2 -m 1 -o "$TMP/tree.sched" >/dev/null
accepts 'single-port' "a schedule in a tree" judge "$TMP/tree.sched"
"$ROUNDCAST" schedule all-reduce -n 4 -m 2 -o "$TMP/reduce.sched" >/dev/null
accepts 'all-reduce' "a reduction" judge "$TMP/reduce.sched" --expect all-reduce
refuses 1 E313 'expected all-gather' "… is no other collective" judge "$TMP/reduce.sched" \
    --expect all-gather
refuses 2 E103 'tree.sched is a schedule of single-port; expected no other model' \
    "another model of a tree" judge "$TMP/tree.sched" --model telephone

# Every model and topology: the collective is recognised by its demands, the model is that of the
# request, and the best known schedule is one of the same collective that ends no later, and not
# before the bound.
# judges COLLECTIVE MODEL BEST ARGUMENT…: judges the schedule of these arguments.
judges() {
    local collective=$1 model=$2 best=$3 report
    shift 3
    "$ROUNDCAST" schedule "$@" -o "$TMP/any.sched" >/dev/null
    report=$("$ROUNDCAST" judge "$TMP/any.sched")
    check "$*: the collective" grep -q "^  collective  $collective" <<<"$report"
    check "… the model" grep -qx "  ports       holds: every round obeys the model $model" <<<"$report"
    check "… the best known schedule" grep -q "by 'roundcast schedule $best'" <<<"$report"
    check "… which ends in time" eval '"$ROUNDCAST" judge "$TMP/any.sched" --json |
        grep -E "\"(rounds|bound)\": [0-9]+" | tr -dc "0-9\n" | paste -sd " " |
        awk "{ exit !(\$2 <= \$3 && \$3 <= \$1) }"'
}
judges 'broadcast of 4 packets' telephone hypercube-trees matching -n 8 -m 4 --model telephone
judges 'broadcast of 1 packet' telegraph binomial binomial -n 8 -m 1 --model telegraph
judges 'broadcast of 4 packets' send-receive matching matching -n 9 -m 4 --ports 2
judges 'total-exchange of 1 packet' send-receive total-exchange total-exchange -n 5 -m 1 --ports 2
judges 'broadcast of 2 packets' fabric-multicast fabric-broadcast fabric-broadcast -n 4 -m 2
judges 'broadcast of 1 packet, from node 0' single-port tree-broadcast tree-broadcast --tree 2,3
judges 'scatter of 1 packet .*, from node 3' single-port tree-scatter tree-scatter --tree 2,3 \
    -m 1 -s 3
judges 'gather of 1 packet .*, at node 3' multiport tree-gather tree-gather --tree 2,3 -m 1 \
    -s 3 --ports multi
judges 'total-exchange of 1 packet' single-port tree-total-exchange tree-total-exchange \
    --tree 2,3 -m 1
judges 'all-reduce of 1 packet' single-port tree-all-reduce tree-all-reduce --tree 2,3 -m 1
judges 'all-gather of 1 packet of each node' all-port 'cube-all-gather --method optimal' \
    cube-all-gather --dim 3 -m 1
judges 'reduce-scatter of 1 packet' all-port 'cube-reduce-scatter --method optimal' \
    cube-reduce-scatter --dim 3 -m 1
judges 'gather of 1 packet .*, at node 4' torus-single-port torus-gather torus-gather \
    --torus 3,3 -m 1 -s 4
judges 'total-exchange of 1 packet' mesh-multiport mesh-total-exchange mesh-total-exchange \
    --mesh 3,2 -m 1 --ports multi
judges 'scatter of 1 packet .*, from node 4' mesh-single-port mesh-scatter mesh-scatter \
    --mesh 3,3 -m 1 -s 4
judges 'reduce of 3 packets, at node 5' send-receive reduce reduce -n 8 -m 3 -s 5
judges 'scan of 2 packets' send-receive path-scan scan -n 5 -m 2
"$ROUNDCAST" schedule postal-dtree -n 8 -m 4 --lambda 5/2 -o "$TMP/postal.sched" >/dev/null
accepts 'time        27/2 (bound 10, gap 7/2)' "a schedule in the postal model" judge \
    "$TMP/postal.sched"
json '"method": "optimal"' "the method of the best known schedule as JSON" judge \
    <("$ROUNDCAST" schedule cube-all-gather --dim 3 -m 1) --json
# A packet too many of one node is no collective of all nodes.
"$ROUNDCAST" schedule tree-gather --tree 2,2 -m 1 -o "$TMP/gather.sched" >/dev/null
sed 's/^demand 3 3 0/demand 3 2 0/; /^3 /d; s/^1:1 2:0 3/2 1:1 3/' "$TMP/gather.sched" >"$TMP/else.sched"
check "… of other demands" eval \
    '"$ROUNDCAST" judge "$TMP/else.sched" 2>"$TMP/err" | grep -q "  collective  demands of 3 packets"'

# -- verify ----------------------------------------------------------------------------------------

accepts 'ring.txt: holds: csv, 4 packets, 4 nodes' "verify reads any format" verify "$TMP/ring.txt"
"$ROUNDCAST" verify "$TMP/ring.txt" --model telegraph --all >"$TMP/out" 2>/dev/null
check "every breach is printed" test "$?,$(grep -c '\[E305 half-duplex\]$' "$TMP/out")" = 1,9
"$ROUNDCAST" verify "$TMP/ring.txt" --model telegraph --all --json >"$TMP/out" 2>/dev/null
check "… as JSON" test "$?,$(grep -c '"code": 305' "$TMP/out")" = 1,10
"$ROUNDCAST" verify "$TMP/less.txt" --expect all-gather --all >"$TMP/out" 2>/dev/null
check "… of every kind" test "$(grep -o 'E30.' "$TMP/out" | tr '\n' ,)" = E302,E303,
refuses 2 E101 '--all cannot be used together with --idempotent' "not of repeated contributions" \
    verify "$TMP/reduce.sched" --all --idempotent
refuses 2 E101 '--all: 2 files; expected one file' "nor of several files" verify "$TMP/ring.txt" \
    "$TMP/less.txt" --all

"$ROUNDCAST" verify "$TMP/ring.txt" "$TMP/ring.sched" "$TMP/tree.sched" >"$TMP/out"
check "a table of files" test "$?,$(grep -c ' holds ' "$TMP/out")" = 0,3
COLUMNS=200 "$ROUNDCAST" verify "$TMP/ring.txt" "$TMP/less.txt" "$TMP/nowhere" >"$TMP/out" 2>"$TMP/err"
check "… of which some fail" test "$?,$(wc -l <"$TMP/out")" = 1,4
check "… with the first error" grep -q 'less.txt:10: .* (and 1 more)$' "$TMP/err"
check "… and what cannot be read" grep -q 'nowhere  *E201' "$TMP/out"
json '"failed": 0' "… as JSON" verify "$TMP/ring.txt" "$TMP/ring.sched" --json
json '"collective": "all-gather of 1 packet of each node"' "one file as JSON, with its collective" verify \
    "$TMP/ring.txt" --json

# The demands of an exercise: those of the ring, numbered from 1.
awk '{ print $1, $2, $3, $4 + 1 }' "$TMP/ring.txt" >"$TMP/numbers.txt"
accepts 'holds' "a solution of an exercise" verify "$TMP/numbers.txt" --demands "$TMP/ring.sched"
refuses 2 E205 'ring.txt:1: a packet that the demands do not have; expected its number, 1 … 4' \
    "a packet of none" verify "$TMP/ring.txt" --demands "$TMP/ring.sched"
sed 6d "$TMP/numbers.txt" >"$TMP/part.txt"
refuses 1 E302 'part.txt:10' "a solution with a fault" verify "$TMP/part.txt" --demands \
    "$TMP/ring.sched"
sed '/^1 2 3/,$d' "$TMP/numbers.txt" >"$TMP/part.txt"
refuses 1 E303 'after round 2: node 3 has not received packet 1' "a part of a solution" verify "$TMP/part.txt" \
    --demands "$TMP/ring.sched"
"$ROUNDCAST" schedule gather -n 4 -m 1 -o "$TMP/gather.sched" >/dev/null
refuses 1 E313 '0 packets from node 0 for all nodes; expected 1, as in the demands' \
    "other demands" verify "$TMP/gather.sched" --demands "$TMP/ring.sched"
refuses 1 E313 'node 3; expected 0 … 2, as in the demands' "more nodes" verify "$TMP/numbers.txt" \
    --demands <("$ROUNDCAST" schedule gather -n 3 -m 1)
accepts 'holds' "a schedule of the same demands" verify "$TMP/ring.sched" --demands \
    "$TMP/ring.sched"
refuses 1 E313 'of another topology than the demands' "another topology" verify \
    "$TMP/tree.sched" --demands "$TMP/ring.sched"

finish
