#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reduce: reductions on the command line. Schedules that combine are built, reversed, verified,
# routed, drawn, tuned, and run with each operator. Formats and machines that do not combine reject
# them with the reason and leave no file. Each breach has its code and exit status 1.
. "$(dirname "$0")/tap.sh"

# holds PART TEXT ARGUMENT…: checks that the schedule is reported with PART, and verifies it.
holds() {
    local part=$1 text=$2
    shift 2
    accepts "$part" "$text" schedule "$@" -o "$TMP/s.sched"
    accepts "s.sched: holds: " "… that holds ($text)" verify "$TMP/s.sched"
}

holds "8 packets of all, combined at node 0, among 22 nodes, send-receive: 12 rounds (bound 12)" \
    "a reduction" reduce -n 22 -m 8
holds "reduce by=binomial, 3 packets of all, combined at node 5, among 8 nodes" \
    "a reduction by an algorithm" reduce -n 8 -m 3 --by binomial --source 5
holds "postal: time " "a reduction with λ" reduce -n 9 -m 4 --lambda 5/2
holds "single-port: 6 rounds (bound 6)" "a reduction of a tree" reduce --tree 2,3,4 --capacity exp
holds "all-port: 4 rounds" "a reduction of a hypercube" reduce --dim 4 -m 3
holds "12 rounds (bound 12)" "a reduce-scatter" reduce-scatter -n 7 -m 2
holds "blocks-all-reduce, 2 packets" "an alias, of the shortest" allreduce -n 7 -m 2
holds "halving-all-reduce, 8 packets" "… of several packets among 2^a nodes" all-reduce -n 16 -m 8
holds "window-all-reduce, 1 packet of all, combined, among 13 nodes, send-receive: 4 rounds" \
    "… of one packet" all-reduce -n 13 -m 1
holds "reduce-broadcast by=telegraph" "… in the telegraph model" \
    all-reduce -n 8 -m 4 --model telegraph
holds "reduce-broadcast by=binomial" "one that reverses" all-reduce -n 8 -m 4 --by binomial
holds "reduce-broadcast by=binary-tree" "one of the same trees" all-reduce -n 8 -m 4 --order
holds "postal: time 15/2 (bound 15/2)" "one with λ" all-reduce -n 13 -m 1 --lambda 5/2
# The shortest schedule with λ = 3/2 has a node that sends what it stores.
accepts "reduce-broadcast by=postal-bcast" "a run with λ" \
    run all-reduce -n 13 -m 1 --lambda 3/2 --engine csim
refuses 2 E103 "'x' of reduce-broadcast does not exist" "a method" schedule all-reduce -n 8 -m 4 \
    --method x
holds "8 rounds (bound 8)" "an all-reduce of powers of two" halving-all-reduce -n 16 -m 4
holds "4 rounds (bound 4)" "a scan" scan -n 11 -m 1

"$ROUNDCAST" schedule reduce -n 4 -m 1 -o "$TMP/b.sched" >/dev/null
accepts "8 rounds" "an all-reduce" schedule reduce-broadcast -n 4 -m 3 -o "$TMP/a.sched"
accepts '"bound": 5' "JSON has the bound of the collective" verify --json "$TMP/a.sched"
reason="a.sched: reductions are not supported here"
accepts 'coll="allreduce"' "export to MSCCL accepts it" export --to msccl "$TMP/a.sched"
refuses 2 E208 "ion: the schedule has packets that are combined, which the format cannot express" \
    "export to ION rejects it" export --to ion "$TMP/a.sched" -o "$TMP/a.ion"
check "… and leaves no file" test ! -e "$TMP/a.ion"
accepts "c1: calc 64" "export to GOAL accepts it" export --to goal "$TMP/a.sched" --bytes 64
accepts 'peripheries=2' "draw accepts it" draw "$TMP/a.sched" -p 2
accepts "5 nodes, depth 2, the last at 2" "… and reports its partial results" \
    draw "$TMP/b.sched" -o "$TMP/b.dot"
check "… with arrows and contributors" grep -qF 'label="0\n0-3", peripheries=2' "$TMP/b.dot"
accepts "page.html: " "view accepts it" view "$TMP/a.sched" -o "$TMP/page.html"
accepts "numbers and script" "plot of the spread accepts it" plot spread "$TMP/a.sched" \
    --data "$TMP/spread"
refuses 2 E208 "$reason" "general rejects it" schedule general --demands "$TMP/a.sched"
accepts "reduce by=path, 3 packets to 8 nodes, send-receive: 9 rounds" "a run of it" \
    run reduce -n 8 -m 3 --by path --engine csim
has "^Every packet arrived in its predicted cycle" "… in its cycles"
refuses 2 E103 "--by: binomial reverses no other schedule" "--by of a broadcast that runs" \
    run binomial -n 4 -m 1 --by path --engine csim
refuses 2 E103 "--by: binomial reverses no other schedule" "--by of a broadcast" \
    schedule binomial -n 4 -m 1 --by path
refuses 2 E101 "--by: requires an algorithm" "--by of a plan" plan -n 4 -m 1 --by path
refuses 2 E103 "algorithm 'pahth' does not exist, but 'path' does" "--by an unknown algorithm" \
    schedule reduce -n 4 -m 1 --by pahth
refuses 2 E103 "--by: the network copies packets for fabric-broadcast" "--by what copies" \
    schedule reduce -n 4 -m 1 --by fabric-broadcast
refuses 2 E103 "expected one of multiport, because backwards a node sends on all links on which" \
    "one link to send on" schedule reduce-scatter --tree 2,2 --ports single --by tree-all-gather
accepts "multiport: 5 rounds (bound 5)" "several links" \
    schedule reduce-scatter --tree 2,2 --ports multi -o "$TMP/t.sched"
accepts "multiport: 5 rounds (bound 5)" "several links, if a schedule is reversed" \
    schedule reduce-scatter --tree 2,2 --by tree-all-gather -o "$TMP/t.sched"
accepts "single-port: 7 rounds (bound 7)" "one link, unless said otherwise" \
    schedule reduce-scatter --tree 2,2 -o "$TMP/t.sched"

accepts "2 rounds" "a reduction to change" schedule reduce -n 4 -m 1 -o "$TMP/r.sched"
sed '/^3 1 1$/d' "$TMP/r.sched" >"$TMP/lost.sched"
refuses 1 E310 \
    "lost.sched:10: after round 2: the result of packet 1 at node 0 lacks the contribution of node 3" \
    "a lost contribution" verify "$TMP/lost.sched"
refuses 1 E310 "lacks the contribution of node 3" "… with --idempotent, too" \
    verify --idempotent "$TMP/lost.sched"
sed 's/^end 2$/round 3\n3 0 1\nend 3/' "$TMP/r.sched" >"$TMP/twice.sched"
refuses 1 E311 \
    "twice.sched:12: round 3: node 0 combines the contribution of node 3 to packet 1 again" \
    "a contribution that is counted twice" verify "$TMP/twice.sched"
accepts "holds: reduce" "… is accepted with --idempotent" verify --idempotent "$TMP/twice.sched"
sed 's/^reduce.*/& ordered/' "$TMP/r.sched" >"$TMP/ordered.sched"
sed 's/^reduce 1 0 \*$/reduce 1 0 0,1/' "$TMP/r.sched" >"$TMP/nothing.sched"
refuses 1 E302 "nothing.sched:7: round 1: node 2 sends packet 1, which it does not hold" \
    "a contributor that holds nothing" verify "$TMP/nothing.sched"
refuses 1 E302 "node 2 sends packet 1, which it does not hold" "… before it is routed" \
    route "$TMP/nothing.sched" -o "$TMP/none"
check "… without a folder" test ! -e "$TMP/none"
refuses 1 E312 "ordered.sched:7: round 1: node 0 combines packet 1 of nodes 2 … 2 with that of" \
    "an order that is not kept" verify "$TMP/ordered.sched"

# The trees by which packets are combined, and --order.
tree() { "$ROUNDCAST" schedule "$@" | "$ROUNDCAST" verify - | sed -n 's/^  trees *//p'; }
one=$(tree all-reduce -n 22 -m 1 --order)
check "a certificate has 16 digits" grep -Eq '^[0-9a-f]{16} \(packets alike, nodes alike\)$' <<<"$one"
check "--order has one certificate for every m" \
    test "$(tree all-reduce -n 22 -m 9 --order)" = "$one"
check "… which other schedules do not have" test "$(tree all-reduce -n 22 -m 9)" != "$one"
printf '%s\n' 'roundcast-schedule 1' 'algorithm mixed' 'topology complete 3' 'model send-receive' \
    'demand 1 0 1' 'reduce 2 2 *' 'round 1' '0 1 1' '1 2 2' 'round 2' '0 2 2' 'end 2' >"$TMP/mixed.sched"
check "… also after a demand that combines nothing" grep -q '^  trees ' \
    <<<"$("$ROUNDCAST" verify "$TMP/mixed.sched")"
sed -i '/ 2 2$/d; /^reduce/d; s/^end 2/end 1/; /^round 2/d' "$TMP/mixed.sched"
check "… which such demands alone have not" test -z \
    "$("$ROUNDCAST" verify "$TMP/mixed.sched" | grep '^  trees ')"
check "a scan has one certificate" test "$(tree scan -n 9 -m 1)" = "$(tree scan -n 9 -m 4)"
accepts '"packets_alike": true' "JSON has the trees" verify --json "$TMP/twice.sched" --idempotent
accepts "nodes differ" "nodes that combine in their own order" \
    verify <("$ROUNDCAST" schedule window-all-reduce -n 5 -m 1)
ran() { "$ROUNDCAST" run all-reduce -n 8 "$@" --engine csim | awk '/^trees/ { print $(NF - 1) }'; }
four=$(ran -m 4 --order)
check "… as runs of 4 and 5 packets have with --order" \
    test -n "$four" -a "$four" = "$(ran -m 5 --order)"
check "(and without it have not)" test "$(ran -m 4)" != "$(ran -m 5)"
refuses 2 E103 "--order: matching combines packets in an order that depends on their number" \
    "--order and --by" schedule reduce -n 8 -m 2 --order --by matching
refuses 2 E103 "--order: window-all-reduce combines packets in an order" "--order of windows" \
    schedule window-all-reduce -n 8 -m 2 --order
refuses 2 E103 "--order: path combines no packets" "--order of a broadcast" \
    schedule path -n 8 -m 2 --order
refuses 2 E103 "--order: no all-gather in the model send-receive sends all packets by the same tree" \
    "--order over ports" schedule reduce-scatter -n 8 -m 2 --ports 2 --order
refuses 2 E101 "--order: a broadcast combines no packets" "--order of a plan of broadcasts" \
    plan -n 8 -m 2 --order
accepts "reduce-broadcast " "a plan with --order" plan -n 8 -m 2 --order --collective all-reduce

# Each collective in each format: it is written and, where the format is read, read again, or
# rejected with the true reason. ION forwards bundles unchanged; the circuits of OpenOptics and
# SONiC, the gates of taprio and tsnkit, and the packets of simulators carry anything.
formats=$(exported)
check "there are formats" test "$(wc -w <<<"$formats")" -ge 15
for kind in reduce reduce-scatter all-reduce scan exclusive-scan; do
    # Formats have no words for the replacements of a stored optimum.
    "$ROUNDCAST" schedule ${kind/all-reduce/reduce-broadcast} -n 5 -m 2 -o "$TMP/e.sched" >/dev/null
    for format in $formats; do
        if [ "$format" = ion ]; then
            refuses 2 E208 "packets that are combined, which the format cannot express" \
                "$kind to $format" export "$TMP/e.sched" --to "$format" -o "$TMP/e.file"
            check "… leaves no file" test ! -e "$TMP/e.file"
            continue
        fi
        accepts ", 5 nodes, " "$kind to $format" export "$TMP/e.sched" --to "$format" \
            -o "$TMP/e.file"
        case $format in
        msccl | mscclpp | jsonl | csv)
            accepts "  $kind of 2 packets" "… and back" import "$TMP/e.file" --from "$format" \
                -o "$TMP/again.sched"
            ;;
        esac
        rm -f "$TMP/e.file"
    done
done

# Each collective in each command that accepts or rejects it.
for kind in reduce reduce-scatter all-reduce scan exclusive-scan; do
    holds "combined" "$kind by its name" "$kind" -n 5 -m 2
    accepts "send-receive  " "a plan of $kind" plan -n 5 -m 2 --collective $kind
    accepts "formula" "a bound of $kind" \
        bound -n 5 -m 2 --collective $kind --model send-receive
    accepts 'double circle: a result' "draw accepts $kind" draw "$TMP/s.sched"
    accepts "page.html: " "view accepts $kind" view "$TMP/s.sched" -o "$TMP/page.html"
    accepts "latency 6 cycles" "tune of $kind, with the register of endpoints that combine" \
        tune -n 5 --bytes 100 --collective $kind
    # Each row is run: its cycles are those that were predicted.
    "$ROUNDCAST" tune -n 7 --bytes 300 --width 8 --collective $kind --json >"$TMP/tune.json"
    check "… has rows" test "$(jq '.rows | length' "$TMP/tune.json")" -ge 2
    jq -r '.rows[] | "\(.cycles) \(.command)"' "$TMP/tune.json" >"$TMP/rows"
    while read -r cycles _ command; do
        # shellcheck disable=SC2086 # a command is several words
        check "$command takes $cycles cycles" test "$("$ROUNDCAST" $command --engine csim --json |
            jq -c '[.run_cycles, .holds, .wrong]')" = "[$cycles,true,0]"
    done <"$TMP/rows"
    accepts "numbers and script" "a plot of tune of $kind" \
        plot tune -n 5 --bytes 64 --collective $kind --data "$TMP/tune"
done

# The certificate of a run is that of the schedule, on each engine, and of a run that fails another.
same_trees() { # TITLE ENGINE ARGUMENTS OF run
    local engine=$2
    "$ROUNDCAST" schedule "${@:3}" 2>/dev/null | "$ROUNDCAST" verify - --json >"$TMP/trees.json"
    check "$1 on $engine has the trees of its schedule" \
        test "$("$ROUNDCAST" run "${@:3}" --engine "$engine" --json | jq -c .trees)" = \
        "$(jq -c '.trees.certificate | {expected: ., seen: .}' "$TMP/trees.json")"
}
for kind in reduce reduce-scatter all-reduce scan; do
    same_trees "$kind" csim $kind -n 7 -m 3
done
same_trees "a reduction with λ" csim reduce -n 9 -m 4 --lambda 5/2
same_trees "a network that combines" csim fabric-reduce -n 8 -m 2
accepts '"trees": null' "a run that combines nothing has no trees" \
    run path -n 4 -m 2 --engine csim --json
accepts "benes:4 that combines" "a reduction in a folder" \
    route "$TMP/r.sched" -o "$TMP/trees" --flits 1
sed '/^@30000001/{n;s/^a/0/}' "$TMP/trees/image.hex" >"$TMP/lost.hex"
check "… whose last receipt is removed" test "$(cmp "$TMP/lost.hex" "$TMP/trees/image.hex" | wc -l)" = 1
cp "$TMP/lost.hex" "$TMP/trees/image.hex"
roundcast simulate "$TMP/trees" --engine csim
check "… has other trees" grep -qE '^trees of the combined packets +([0-9a-f]{16}) .*WRONG$' "$TMP/out"

# A network that combines reduces each packet in one round. The whole message, 128 flits, arrives
# after as many cycles and the latency: nothing is faster.
accepts "bound     138 cycles" "tune of reductions on a network that combines" \
    tune -n 8 --bytes 256 --collective reduce --network combine:8
check "… the best one is a single packet" grep -q "^fabric-reduce .* 138 " "$TMP/out"
accepts "csim: 138 cycles" "… which takes them" run fabric-reduce -n 8 -m 1 \
    --network combine:8,pipe=1,pad=0 --flits 128 --width 16 --engine csim

# A study of reductions: a row for each point, which holds.
printf '%s\n' 'roundcast-study 1' 'algorithm reduce reduce-scatter all-reduce scan' 'n 3 8' 'm 2' \
    'combine sum max' 'engine csim' >"$TMP/r.study"
accepts "r.sqlite; 0 with an error" "a sweep" sweep "$TMP/r.study" -o "$TMP/r.sqlite"
check "… of 8 points with each operator" test "$("$ROUNDCAST" sweep --csv "$TMP/r.sqlite" |
    grep -oE -- '--combine (sum|max)' | sort | uniq -c | tr -s ' \n' ' ')" = \
    " 8 --combine max 8 --combine sum "

# Exclusive scans, several ports and λ.
holds "3 rounds (bound 3)" "an exclusive scan" exclusive-scan -n 8 -m 1
holds "4 rounds (bound 3)" "an exclusive scan of fewer sums" exclusive-scan -n 8 -m 1 --method 123
holds "10 rounds (bound 9)" "many packets along a path" path-scan -n 5 -m 7
holds "3 rounds (bound 3)" "an all-reduce over ports" window-all-reduce -n 50 -m 1 --ports 3
holds "time 12 (bound 12)" "an all-reduce with λ" window-all-reduce -n 50 -m 1 --lambda 3
holds "10 rounds (bound 8)" "an all-reduce in parts" blocks-all-reduce -n 64 -m 3
refuses 2 E103 "--method: 123 sends over one port in rounds" "123 over ports" \
    schedule exclusive-scan -n 8 -m 1 --method 123 --ports 2
refuses 2 E103 "-s: a scan begins at node 0" "a scan from another node" \
    schedule path-scan -n 8 -m 1 --source 3

# On machines. The payload has a contribution of each node to each packet, so 4 nodes and 3 packets
# cut 12 packets from it.
all="Every packet arrived in its predicted cycle"
for operator in sum saturating-sum min max and or xor; do
    accepts "$all" "an all-reduce by $operator" \
        run all-reduce -n 8 -m 4 --engine csim --combine "$operator"
done
accepts "$all" "… by the sum without a choice" run all-reduce -n 5 -m 3 --engine csim --network benes:8
accepts "a round is 9 cycles, combined by max" "the report names the operator" \
    run reduce -n 4 -m 1 --engine csim --combine max --flits 5
accepts '"combine": "and"' "… as JSON" run reduce -n 4 -m 1 --engine csim --combine and --json
accepts '"combine": null' "… null without reductions" run path -n 4 -m 1 --engine csim --json
accepts "$all" "a reduction in the postal model" run reduce -n 9 -m 4 --lambda 5/2 --engine csim
accepts "$all" "a scan" run scan -n 11 -m 2 --engine csim --flits 1
accepts "$all" "a reduce-scatter that keeps its settings" \
    run circulant-reduce-scatter -n 8 -m 2 --engine csim --reconfigure 20 --settings tags
accepts "benes:4 that combines, 3 stages, latency 4" "route accepts a reduction" \
    route "$TMP/a.sched" -o "$TMP/folder" --combine max
check "… the header names the machine and the operator" \
    grep -qE 'rows=64 combine=1$' "$TMP/folder/image.hex"
check "… (the operator)" grep -qE 'row-cycles=8 operator=max$' "$TMP/folder/image.hex"
check "… the payload has packets of each node" \
    test "$(wc -c <"$TMP/folder/payload.bin")" = $((4 * 3 * 4 * 16 / 8))
accepts "$all" "simulate runs the folder" simulate "$TMP/folder" --engine csim
accepts "round 1" "unpack prints a round of it" unpack "$TMP/folder" --round 1
refuses 2 E208 "no word of it says which nodes want the results" "… but not a schedule" \
    unpack "$TMP/folder"
sed 's/operator=max/operator=median/' "$TMP/folder/image.hex" >"$TMP/median.hex"
refuses 2 E204 "median.hex:3: not a run" "an unknown operator in an image" unpack "$TMP/median.hex"
sed 's/ combine=1//' "$TMP/folder/image.hex" >"$TMP/without.hex"
refuses 2 E204 "without.hex:3: not a run" "an operator without a machine that combines" \
    unpack "$TMP/without.hex"
printf 'fifteen bytes..' >"$TMP/short"
accepts "$all" "a short payload" run reduce -n 4 -m 1 --payload "$TMP/short" --engine csim
head -c 100 /dev/zero >"$TMP/long"
refuses 2 E405 "expected at most 32, or --flits 13, or -m 4" "a payload that is too long" \
    run reduce -n 4 -m 1 --payload "$TMP/long" --engine csim --flits 4
# Nodes 0 … 3 contribute 1, 2, 3, 4. Node 0 combines 4 = 1 + 3 and 6 = 2 + 4; without the bit that
# combines it stores the 6. Words are the sum, twice as much, and bit 31.
printf '\1\0\2\0\3\0\4\0' >"$TMP/four"
"$ROUNDCAST" route "$TMP/b.sched" --payload "$TMP/four" --flits 1 -o "$TMP/cleared" >"$TMP/log"
accepts "$all" "a sum of four numbers" simulate "$TMP/cleared" --engine csim
sed '/^@30000001/{n;s/^a/8/}' "$TMP/cleared/image.hex" >"$TMP/cleared.hex"
check "… whose last receipt no longer combines" \
    test "$(diff "$TMP/cleared.hex" "$TMP/cleared/image.hex" | grep -c '^>')" = 1
cp "$TMP/cleared.hex" "$TMP/cleared/image.hex"
roundcast simulate "$TMP/cleared" --engine csim
check "… is another one" test "$status,$(cat "$TMP/err")" = "1,roundcast: after the run: node 0 holds \
packet 1 with flit 0 = 80000006; expected 8000000a [E604 corrupt]"
"$ROUNDCAST" route "$TMP/r.sched" -o "$TMP/narrow" --width 8 >"$TMP/log"
"$ROUNDCAST" route "$TMP/r.sched" -o "$TMP/wide" --width 16 >"$TMP/log"
cp "$TMP/wide/payload.bin" "$TMP/narrow/payload.bin"
refuses 2 E405 "expected at most 16" "a payload of another width" \
    simulate "$TMP/narrow" --engine csim
# A folder has a file of each node. Zeros follow the bytes of each, so that the image is that of one
# file in which they are written out: 3 packets of 2 flits, of which a node has 7 bytes.
mkdir "$TMP/nodes"
for node in 0 1 2 3; do
    printf 'node%d-%d' $node $node >"$TMP/nodes/$node.bin"
    { cat "$TMP/nodes/$node.bin"; head -c 5 /dev/zero; } >>"$TMP/one"
done
accepts "2 flits of 16 bits a packet" "a file of each node" \
    route "$TMP/a.sched" --payload "$TMP/nodes" --combine xor -o "$TMP/many"
accepts "2 flits of 16 bits a packet" "… or one file of all" \
    route "$TMP/a.sched" --payload "$TMP/one" --combine xor -o "$TMP/single"
check "… are the same image" cmp "$TMP/many/image.hex" "$TMP/single/image.hex"
check "… and the same payload" cmp "$TMP/many/payload.bin" "$TMP/one"
accepts "$all" "… which runs" simulate "$TMP/many" --engine csim
accepts "$all" "simulate reads a file of each node" \
    simulate "$TMP/folder" --engine csim --payload "$TMP/nodes"
accepts '"payload_bytes": 48' "run reads them" \
    run all-reduce -n 4 -m 3 --engine csim --payload "$TMP/nodes" --json
accepts "$all" "… in the postal model" \
    run reduce -n 4 -m 3 --engine csim --payload "$TMP/nodes" --lambda 5/2
accepts "$all" "… on a network that combines" \
    run fabric-all-reduce -n 4 -m 3 --engine csim --payload "$TMP/nodes" --combine max
accepts "$all" "… with flits of another width" \
    run all-reduce -n 4 -m 2 --engine csim --payload "$TMP/nodes" --width 7
refuses 2 E405 "nodes/0.bin: more bytes than the packet memory takes; expected at most 6, or --flits 2, or -m 4" \
    "a file of each node that is too long" \
    run all-reduce -n 4 -m 3 --engine csim --payload "$TMP/nodes" --flits 1
refuses 2 E405 "nodes/3.bin: node 3 does not exist; expected files of nodes 0 … 2" \
    "a file of a node that does not exist" run reduce -n 3 --payload "$TMP/nodes" -m 1
check "… without a cut, which would not help" grep -q '… 2 \[E405' "$TMP/err"
refuses 2 E201 "nodes/4.bin: No such file" "a node without a file" \
    run reduce -n 5 --payload "$TMP/nodes" -m 1
refuses 2 E201 "which have packets of their own only in reductions; expected a file" \
    "a file of each node for a broadcast" run path -n 4 -m 1 --payload "$TMP/nodes"
printf 'node2' >"$TMP/nodes/2.bin"
refuses 2 E405 "nodes/2.bin: 5 bytes; expected 7, the size of 0.bin" "a short file of a node" \
    route "$TMP/a.sched" --payload "$TMP/nodes" -o "$TMP/none"
printf 'node2-2-2' >"$TMP/nodes/2.bin"
refuses 2 E405 "nodes/2.bin: 9 bytes; expected 7, the size of 0.bin" "a long file of a node" \
    route "$TMP/a.sched" --payload "$TMP/nodes" -o "$TMP/none"
: >"$TMP/nodes/2.bin"
refuses 2 E405 "nodes/2.bin: the file is empty" "an empty file of a node" \
    route "$TMP/a.sched" --payload "$TMP/nodes" -o "$TMP/none"
check "… leave no folder" test ! -e "$TMP/none"
refuses 2 E101 "--combine: 'mean' does not exist" "an unknown operator" \
    run reduce -n 4 -m 1 --combine mean
refuses 2 E101 "--combine: broadcast combines no packets" "an operator of a broadcast" \
    run path -n 4 -m 1 --combine sum
for asked in "window-all-reduce -n 7 -m 2" "blocks-all-reduce -n 6 -m 5" \
    "window-all-reduce -n 5 -m 1 --lambda 2" "exclusive-scan -n 5 -m 2" \
    "exclusive-scan -n 8 -m 1 --method 123"; do
    read -ra words <<<"$asked"
    accepts "$all" "two partial results of a packet: $asked" \
        run "${words[@]}" --engine csim --combine xor
done
cat >"$TMP/two.sched" <<'END'
roundcast-schedule 1
algorithm by-hand
topology hypercube 2
model all-port
reduce 1 3 0,1
round 1
0 1 1
1 3 1
round 2
1 3 1 received
end 2
END
refuses 2 E208 "node 1 sends what it received of packet 1 without its own contribution" \
    "two partial results of a packet in a hypercube" run "$TMP/two.sched" --engine csim
check "… with the reason" grep -q \
    "expected one partial result of a packet at each node, because only endpoints of a multistage" \
    "$TMP/err"
refuses 2 E208 "time 1: node 1 sends packet 1 while it stores a receipt of it" \
    "flits of two partial results" run scan -n 5 -m 1 --lambda 3/2
refuses 2 E208 "--network: the routers of fat-tree-auto do not combine packets" \
    "self-timed routers" run reduce --tree 2,2 --ports multi --network fat-tree-auto
arrived='Every packet arrived in its predicted cycle.'
accepts "$arrived" "leaves of several links" run reduce --tree 2,2 --capacity 2,2 -m 3 \
    --engine csim
links=$'roundcast-schedule 1\nalgorithm by-hand\ntopology tree 3 capacity 2\nmodel multiport\n'
links+=$'reduce 1 2 *\nround 1\n1 1:0 1 1\nround 2\n1:0 0 1 0\nround 3\n0 1:0 1 %s replace\n'
links+=$'round 4\n1:0 2 1 1\nend 4\n'
# shellcheck disable=SC2059
printf "$links" 0 >"$TMP/links"
accepts "$arrived" "… a leaf that combines on a link and sends on it" run "$TMP/links" --engine csim
# shellcheck disable=SC2059
printf "$links" 1 >"$TMP/links"
refuses 2 E208 "round 3: leaf 0 sends packet 1 on link 1, whose partial result is on link 0" \
    "… and on another one" run "$TMP/links" --engine csim
refuses 2 E208 "router 1:0 combines two packets in a step; expected one packet" \
    "two results in a step" run reduce-scatter --tree 2,2 --ports multi
refuses 2 E208 "each port of a node becomes an endpoint, and endpoints do not combine into the" \
    "several ports of a node" run reduce -n 4 -m 2 --ports 2
refuses 2 E208 "--programs: computed programs repeat packets" "computed programs" \
    run reduce -n 4 -m 1 --programs computed
refuses 2 E401 "--lambda: 1 leaves no cycle to combine packets" "λ = 1" \
    run reduce -n 4 -m 1 --lambda 1
refuses 2 E401 "--flits: 1; expected at least 2" "one flit without barriers" \
    run reduce -n 4 -m 1 --lambda 3 --flits 1
accepts "$all" "a page of a run" run reduce -n 4 -m 1 --engine csim --view "$TMP/run.html"
check "… has the contributors" grep -qF '"demands":[[1,1,0,[0],[]]]' "$TMP/run.html"

# Programs of MSCCL that combine two chunks at a time, in place: from scratch (re), as they arrive
# (rrc), passed on without storing (rrs) or with it (rrcs). `s` of two ranks runs beside what it
# reads: without a wait they race.
step() { # NUMBER TYPE SOURCE DESTINATION [WAITS-FOR-BLOCK-0 [IS-WAITED-FOR]]
    printf '<step s="%s" type="%s" srcbuf="%s" srcoff="0" dstbuf="%s" dstoff="0" cnt="2" ' "${@:1:4}"
    printf 'depid="%s" deps="%s" hasdep="%s"/>' "${5:--1}" "${5:--1}" "${6:-0}"
}
block() { printf '<tb id="%s" send="%s" recv="%s" chan="%s">%s</tb>' "$@"; }
rank() { printf '<gpu id="%s" i_chunks="2" o_chunks="0" s_chunks="%s">%s</gpu>' "$@"; }
program() { # FILE RANKS GPU…
    printf '<algo name="h" proto="Simple" nchannels="2" nchunksperloop="2" ngpus="%s" ' "$2" >"$1"
    printf 'coll="allreduce" inplace="1" outofplace="0">%s</algo>\n' "${*:3}" >>"$1"
}
pair() { # FILE BLOCKS-OF-A-RANK SCRATCH: both ranks have the blocks, with OTHER for the other rank
    program "$1" 2 "$(rank 0 "$3" "${2//OTHER/1}")" "$(rank 1 "$3" "${2//OTHER/0}")"
}
cd "$TMP" || exit
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$OLDPWD/$ROUNDCAST ;; esac
pair re.xml "$(block 0 OTHER OTHER 0 "$(step 0 s i s)$(step 1 r i s)$(step 2 re s i)")" 2
pair rrc.xml "$(block 0 OTHER -1 0 "$(step 0 s i i -1 1)")$(block 1 -1 OTHER 0 \
    "$(step 0 rrc i i 0)")" 0
pair race.xml "$(block 0 OTHER -1 0 "$(step 0 s i i)")$(block 1 -1 OTHER 0 "$(step 0 rrc i i)")" 0
for type in rrs rrcs; do
    program $type.xml 3 \
        "$(rank 0 0 "$(block 0 1 -1 0 "$(step 0 s i i -1 1)")$(block 1 -1 2 0 "$(step 0 r i i 0)")")" \
        "$(rank 1 0 "$(block 0 2 0 0 "$(step 0 $type i i -1 1)")$(block 1 -1 2 1 "$(step 0 r i i 0)")")" \
        "$(rank 2 0 "$(block 0 -1 1 0 "$(step 0 rrc i i -1 1)")$(block 1 0 -1 0 "$(step 0 s i i 0)")$(
            block 2 1 -1 1 "$(step 0 s i i 0)")")"
done
for type in re rrc rrs rrcs; do
    accepts "all-reduce of 2 packets" "a program with $type of two chunks" \
        import $type.xml --expect all-reduce -o $type.sched
    accepts "holds" "… holds" verify $type.sched
    accepts "Every packet arrived" "… and runs" run $type.sched --engine csim
done
refuses 2 E206 "GPU 0, block 1, step 0: writes chunk 0 of buffer i, and block 0, step 0 reads it" \
    "a program that races" import race.xml -o race.sched
check "… without a schedule" test ! -e race.sched

finish
