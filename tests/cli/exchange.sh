#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exchange: import and export on the command line: options, files, the files that remain after
# errors, reports.
#
# The contents of formats are tested in C, in tests/unit/sched/exchange: test_exchange_goal,
# test_exchange_ion, test_exchange_openoptics, test_exchange_sccl, test_msccl_write,
# test_msccl_read, test_msccl_text, test_msccl_refused, test_msccl_orders, test_mscclpp,
# test_mscclpp_read, test_mscclpp_orders, test_goal_read, test_exchange_transfers,
# test_exchange_switches, test_exchange_taccl, test_exchange_forestcoll, test_exchange_tsnkit,
# test_exchange_chips, test_exchange_chakra, test_exchange_chakra_et and test_exchange_goal_bin.
. "$(dirname "$0")/tap.sh"

"$ROUNDCAST" schedule binomial -n 8 -m 1 -o "$TMP/b.sched" >/dev/null

# -- export and import, and csim -------------------------------------------------------------------

# runs FORMAT TEXT ALGORITHM…: exports, imports and verifies its schedule, and runs it on csim.
runs() {
    local format=$1 text=$2
    shift 2
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    accepts 'transfers' "$text: export to $format" export "$TMP/a.sched" --to "$format" -o "$TMP/a.file"
    accepts 'transfers' "… import" import "$TMP/a.file" --from "$format" -o "$TMP/back.sched"
    accepts 'holds' "… which holds" verify "$TMP/back.sched"
    "$ROUNDCAST" route "$TMP/back.sched" -o "$TMP/image" >/dev/null
    accepts 'Every packet arrived in its predicted cycle' "… and runs" simulate "$TMP/image" --engine csim
}
runs goal "a broadcast" matching -n 22 -m 8 -s 3
runs goal "a gather" gather -n 7 -m 2 -s 2
runs goal-bin "a broadcast" matching -n 22 -m 8 -s 3
runs mscclpp "a broadcast" matching -n 8 -m 4 -s 3
runs mscclpp "a gather" gather -n 7 -m 2 -s 2
runs sccl "a broadcast" matching -n 22 -m 8 -s 3
runs sccl "any traffic" traffic --pattern moe:6,2 -n 8
runs csv "a broadcast" matching -n 22 -m 8 -s 3
runs jsonl "a total exchange" total-exchange -n 8 -m 2
runs csv "an all-reduce" window-all-reduce -n 7 -m 2
runs jsonl "an exclusive scan" exclusive-scan -n 8 -m 2
runs msccl "a broadcast" matching -n 22 -m 8 -s 3
runs msccl "a gather" gather -n 7 -m 2 -s 2

accepts 'model telephone' "rounds of another model" import "$TMP/a.file" --from msccl --model telephone
refuses 2 E101 '--lambda is required; expected λ of the postal model' "… times without λ" \
    import "$TMP/a.file" --from msccl --model postal
accepts 'model postal 5/2' "… with λ" import "$TMP/a.file" --from msccl --lambda 5/2

# -- export ----------------------------------------------------------------------------------------

accepts 'num_ranks 8' "export to standard output" export "$TMP/b.sched" --to goal
check "… of a schedule that is piped" test \
    "$("$ROUNDCAST" export - --to goal <"$TMP/b.sched" | head -1)" = 'num_ranks 8'
accepts 's0: send 64b to' "packets of 64 bytes" export "$TMP/b.sched" --to goal --bytes 64
accepts '7 transfers' "export to a file" export "$TMP/b.sched" --to goal -o "$TMP/b.goal"
"$ROUNDCAST" export "$TMP/b.sched" --to goal-bin -o "$TMP/b.bin" >/dev/null
accepts 'standard input: holds: binary GOAL' "binary GOAL is recognised in a pipe" judge - <"$TMP/b.bin"
refuses 2 E204 'byte 0; expected text' "… and is no text of GOAL" import "$TMP/b.bin" --from goal
refuses 2 E203 'byte 0: 7074994938520215843; expected 4223' "a text is no binary GOAL" \
    import tests/cli/exchange.sh --from goal-bin
json '"transfers": 7' "a report as JSON" export "$TMP/b.sched" --to goal -o "$TMP/b.goal" --json
# The formats are read from the table, so that a new row is tested here, too.
table=$(sed -n '/^#define EXCHANGE_TABLE/,/[^\\]$/p' sched/exchange/exchange.h | grep -oE ' X\([a-z_]+' |
    sed 's/ X(//; s/_/-/g')
# Formats that are only read have no writer in their file.
table=$(for format in $table; do
    grep -q '^    \.write = ' "sched/exchange/${format//-/_}.c" && echo "$format"
done)
formats=$(tr '\n' '|' <<<"$table" | sed 's/|$//')
check "the table of formats was found" grep -q 'goal|.*mpi-c' <<<"$formats"
refuses 2 E101 "ps: no such format; expected $formats" "a format that does not exist" export \
    "$TMP/b.sched" --to ps
refuses 2 E101 "--to is required; expected $formats" "no format" export "$TMP/b.sched"
refuses 2 E101 'no file' "no schedule" export --to goal
refuses 2 E102 'expected 1' "no bytes" export "$TMP/b.sched" --to goal --bytes 0
refuses 2 E101 'expected -o FILE' "a report beside the file" export "$TMP/b.sched" --to goal --json

accepts 'coll="broadcast"' "an executor" export "$TMP/b.sched" --to msccl --executor rccl
refuses 2 E101 "'rcll' does not exist, but 'rccl' does; expected msccl, msccl-executor-nccl or rccl" \
    "an executor that does not exist" export "$TMP/b.sched" --to msccl --executor rcll
refuses 2 E101 '--executor: goal has no executors; expected --to msccl' "an executor of GOAL" \
    export "$TMP/b.sched" --to goal --executor rccl
refuses 2 E101 '--executor: mpi-c has no executors' "an executor of MPI" export "$TMP/b.sched" \
    --mpi-c --executor rccl
"$ROUNDCAST" schedule path -n 2 -m 65 -o "$TMP/long.sched" >/dev/null
refuses 2 E104 'node 0: steps of the block for node 1: 65; expected at most 64, for which rccl has room' \
    "more than an executor has room for" export "$TMP/long.sched" --to msccl --executor rccl -o "$TMP/none.xml"
check "… leaves no file" test ! -e "$TMP/none.xml"
accepts '65 transfers' "… and another one" export "$TMP/long.sched" --to msccl --executor msccl -o "$TMP/long.xml"

"$ROUNDCAST" schedule tree-broadcast --tree 2,2 -o "$TMP/t.sched" >/dev/null
"$ROUNDCAST" schedule fabric-broadcast -n 4 -m 2 -o "$TMP/f.sched" >/dev/null
refuses 2 E208 'a tree with routers' "GOAL cannot say a tree" export "$TMP/t.sched" --to goal
refuses 2 E208 'packets that the network copies' "… nor copies" export "$TMP/f.sched" --to goal
sed 's/^0 1 1/1 0 1/' "$TMP/b.sched" >"$TMP/bad.sched"
refuses 1 E302 'node 1' "a schedule that does not hold is not written" export "$TMP/bad.sched" \
    --to goal -o "$TMP/bad.goal"
check "… and leaves no file" test ! -e "$TMP/bad.goal"

# No file may be larger than 1 kB: an error is reported, and no file remains.
"$ROUNDCAST" schedule path -n 22 -m 20 -o "$TMP/large.sched" >/dev/null
for format in $table; do
    status=0
    (ulimit -f 1 && exec "$ROUNDCAST" export "$TMP/large.sched" --to $format -o "$TMP/full.$format") \
        >/dev/null 2>"$TMP/err" || status=$?
    check "$format on a full disk is refused, and nothing left" test \
        "$status,$(grep -c 'cannot write: .* \[E202 write\]$' "$TMP/err"),$(find "$TMP" -name 'full.*')" = 2,1,
done
for format in $table; do
    "$ROUNDCAST" export "$TMP/large.sched" --to $format >/dev/full 2>"$TMP/err"
    check "$format on a full standard output, too" grep -q \
        '^roundcast: standard output: cannot write: No space left on device \[E202 write\]$' "$TMP/err"
done
"$ROUNDCAST" schedule path -n 2 -m 32769 -o "$TMP/large.sched" >/dev/null
refuses 2 E104 'more than 32768 packets between ranks 0 and 1' "more packets than tags" \
    export "$TMP/large.sched" --to mpi-c
"$ROUNDCAST" schedule binomial -n 18 -m 1 -o "$TMP/a.sched" >/dev/null
accepts '{0, 1, 0, 0, -1}' "more ranks than a line has" export "$TMP/a.sched" --to mpi-c

# The script of gates, with a tc that prints its arguments.
mkdir "$TMP/bin"
printf '#!/bin/sh\necho "$@"\n' >"$TMP/bin/tc"
chmod +x "$TMP/bin/tc"
"$ROUNDCAST" export "$TMP/b.sched" --to taprio --bytes 962 -o "$TMP/gates.sh" >/dev/null
check "the gates of a node are given to tc" test \
    "$(PATH=$TMP/bin:$PATH sh "$TMP/gates.sh" 1 eth0 | grep -oE 'dev [a-z0-9]*|sched-entry.*[0-9]+ f')" = \
    $'dev eth0\nsched-entry S 01 8000 sched-entry S 02 16000 f'

# tc itself reads its arguments before it looks for the device, which does not exist.
tc=$(PATH=$PATH:/sbin:/usr/sbin command -v tc)
# parsed FILE NODE: the gates of the node as tc reads them: its message.
parsed() {
    PATH=$(dirname "$tc"):$PATH sh "$1" "$2" no-device 2>&1
}
if [ -n "$tc" ]; then
    for node in 0 1 7; do
        check "tc accepts the gates of node $node" test \
            "$(parsed "$TMP/gates.sh" $node)" = 'Cannot find device "no-device"'
    done
    sed 's/sched-entry S/sched-entry Q/' "$TMP/gates.sh" >"$TMP/other.sh"
    check "… but no other command" test "$(parsed "$TMP/other.sh" 1)" != 'Cannot find device "no-device"'
    sed 's/base-time/start/' "$TMP/gates.sh" >"$TMP/other.sh"
    check "… nor another word" grep -q 'Unknown argument' <(parsed "$TMP/other.sh" 1)
else
    skip "tc accepts the gates" "tc is not installed (package iproute2)"
fi

# The script of tables, which writes six of them.
"$ROUNDCAST" export "$TMP/b.sched" --to tsnkit -o "$TMP/tables.sh" >/dev/null
check "the tables of tsnkit are written" eval \
    'sh "$TMP/tables.sh" "$TMP/bin/b" && [ "$(cat "$TMP"/bin/b-*.csv | grep -c "^stream\|^link")" = 6 ]'
check "… with a stream for each transfer" test "$(sed 1d "$TMP/bin/b-task.csv" | wc -l)" = 7
refuses 2 E208 'a tree with routers' "a tree as streams" export "$TMP/t.sched" --to tsnkit
accepts 'router 2 router 0 router 1' "… as a network" export "$TMP/t.sched" --to booksim-anynet
refuses 2 E208 'packets that the network copies' "copies as a network" export "$TMP/f.sched" \
    --to booksim-anynet
refuses 2 E104 'expected at most 16777216 cycles' "more cycles than a table has" export \
    "$TMP/b.sched" --to noxim --bytes 4294967295

# -- import ----------------------------------------------------------------------------------------

data=tests/data/exchange
accepts '2 packets, 2 nodes: 1 round, 2 transfers' "import to a file" import $data/copy-element.xml \
    --from msccl -o "$TMP/a.sched"
json '"rounds": 2' "a report as JSON" import $data/sccl-chunks-2.json --from sccl -o "$TMP/a.sched" --json
check "a file that is piped" test "$("$ROUNDCAST" import - --from msccl <$data/copy-element.xml | tail -1)" = 'end 1'
for file in race-accepted race-refused inplace-race hasdep0 nchunksperloop-7 two-sends-one-connection; do
    code=E206
    case $file in nchunks*) code=E205 ;; two*) code=E208 ;; esac
    refuses 2 $code "$file.xml:" "$file" import $data/$file.xml --from msccl -o "$TMP/none.sched"
    check "… and leaves no file" test ! -e "$TMP/none.sched"
done
sed 's/"post": \[0, 1\]/"post": [0, 1, 1]/; s/, \[1, 0, 1\]//' $data/sccl-chunks-2.json >"$TMP/unmet.json"
refuses 1 E303 'has not received' "a chunk that does not come" import "$TMP/unmet.json" --from sccl \
    -o "$TMP/none.sched"
check "… leaves no file" test ! -e "$TMP/none.sched"
"$ROUNDCAST" export "$TMP/b.sched" --to ion -o "$TMP/b.ion" >/dev/null
refuses 2 E101 'ion: no such format; expected goal|goal-bin|sccl|forestcoll|msccl' "a contact plan is only written" import \
    "$TMP/b.ion" --from ion
refuses 2 E203 "not a schedule; expected 'roundcast-schedule 1', or a file of goal|goal-bin|sccl|forestcoll|msccl" \
    "a format that cannot be read" import "$TMP/b.ion"
refuses 2 E101 'no file' "no file" import --from sccl
for format in goal sccl msccl mscclpp; do
    refuses 2 E201 'cannot open' "no such file" import "$TMP/nowhere" --from $format
    refuses 2 E201 'cannot read: Is a directory' "a folder" import "$TMP" --from $format
done

# -- lists of transfers ----------------------------------------------------------------------------

# A ring: in round r node i sends the packet of node i - r to node i + 1.
for round in 0 1 2; do
    for node in 0 1 2 3; do
        echo "$round $node $(((node + 1) % 4)) $(((node - round + 4) % 4))"
    done
done >"$TMP/ring.txt"
accepts 'all-gather of 1 packet of each node' "a list that is recognised" import "$TMP/ring.txt" \
    -o "$TMP/ring.sched"
accepts 'from a table of transfers' "the expected collective" import "$TMP/ring.txt" \
    --expect allgather -o "$TMP/ring.sched"
json '"collective": "all-gather of 1 packet of each node"' "… as JSON" import "$TMP/ring.txt" \
    -o "$TMP/ring.sched" --json
refuses 1 E313 'no packet from node 0 is for node 1; expected some in total-exchange' \
    "another collective" import "$TMP/ring.txt" --expect total-exchange -o "$TMP/none.sched"
sed 6d "$TMP/ring.txt" >"$TMP/less.txt"
refuses 1 E302 'less.txt:10: round 3: node 2 sends packet 1, which it does not hold' \
    "a transfer that is missing, by the line" import "$TMP/less.txt" --expect all-gather \
    -o "$TMP/none.sched"
check "… leaves no file" test ! -e "$TMP/none.sched"
check "a list that is piped" test \
    "$("$ROUNDCAST" import - <"$TMP/ring.txt" | tail -1)" = 'end 3'
refuses 2 E101 '--lambda is required; expected λ' "a list with times without λ" import "$TMP/ring.txt" \
    --model postal
refuses 2 E102 'has node 3; expected at least 4' "fewer nodes" import \
    "$TMP/ring.txt" -n 3
accepts '4 packets, 5 nodes: 3 rounds' "more nodes" import "$TMP/ring.txt" -n 5 -o "$TMP/five.sched"
awk '{ print $1 * 0.25, $2, $3, $4 }' "$TMP/ring.txt" >"$TMP/times.txt"
refuses 2 E204 'a time that is not whole; expected rounds, or --compact' "times" import \
    "$TMP/times.txt"
accepts '3 rounds, 12 transfers' "… as an order" import "$TMP/times.txt" --compact \
    -o "$TMP/times.sched"
accepts '6 rounds, 12 transfers' "… with half the calls" import "$TMP/ring.txt" --compact \
    --model telegraph -o "$TMP/half.sched"
accepts '3 rounds' "… of a schedule" import "$TMP/b.sched" --compact -n 8 --expect broadcast \
    -o "$TMP/again.sched"

printf '<algo name="a' >"$TMP/cut.xml"
refuses 2 E204 'a value without its end' "a file that ends in a value" import "$TMP/cut.xml" --from msccl

finish
