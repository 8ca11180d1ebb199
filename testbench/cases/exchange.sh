#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exchange: schedules in the formats of other tools.
#
# GOAL. An awk of its own executes a file, a round for each packet that a rank sends or receives, as
# soon as what it requires is done. The schedules are as short as any, so that the requirements are
# right if and only if the run takes as many rounds and no rank does two things of a kind at once.
# Counter-cases: a file without the order of a rank's sendings, and one without its data.
#
# OpenOptics. An awk of its own takes the circuits out of the slices, by the rule of that tool's
# reader: one that is not on the lines of both nodes is none. They are the pairs of the rounds.
#
# SCCL. What is exported is imported: the same transfers in as many rounds or fewer, which run on
# csim. An algorithm written by hand, whose steps have two sends of one node, gets the rounds that a
# count gives. Bad files, a change each, get the place and the code.
#
# MSCCL. An awk of its own executes the XML as that runtime does: blocks of threads step by step,
# the k-th send of a connection with its k-th receipt, buffers with what they hold. As with GOAL, it
# takes the rounds of a shortest schedule, one packet at a time, and each output has its packet.
# Counter-case: a file whose steps do not wait. What is exported is imported: the same schedule, in
# as many rounds or fewer, and legal ones under each model that rounds are found for. Algorithms
# written by hand from the format's definition, with each type of step, get the rounds that a count
# gives. Bad files, a change each, get line, column and code.
#
# MSCCL++. An awk of its own executes the plan as that executor does: a block for each GPU, which
# puts into buffers of others and signals, and waits for signals. Counter-case: a plan without its
# waits.
. "$(dirname "$0")/tap.sh"

# transfers: a schedule's, as source>destination:packet, sorted.
transfers() { awk '/^(round|time) / { on = 1; next } /^end/ { on = 0 } on { print $1 ">" $2 ":" $3 }' "$1" | sort; }

# -- GOAL ------------------------------------------------------------------------------------------

# goal_run FILE: "ROUNDS MOST": when the last packet comes, and the most that a rank sends, or
# receives, in one round; then a line source>destination:tag for each packet. No line for what is
# not sent and received once.
goal_run() {
    awk '
        $1 == "rank" { rank = $2; next }
        / requires / { need[rank " " $1] = need[rank " " $1] " " $3; next }
        / send / { pair = rank ">" $5 ":" $7; op[rank " " substr($1, 1, length($1) - 1)] = pair; out[pair]++ }
        / recv / { pair = $5 ">" rank ":" $7; op[rank " " substr($1, 1, length($1) - 1)] = pair; back[pair]++ }
        function least(name,    part, list, count, k, at) {
            split(name, part, " ")
            count = split(need[name], list, " ")
            for (k = 1; k <= count; k++)
                if (at < round[part[1] " " list[k]]) at = round[part[1] " " list[k]]
            return at + 1
        }
        END {
            do {
                changed = 0
                for (name in op) {
                    at = least(name)
                    if (name ~ / r/ && at < sent[op[name]]) at = sent[op[name]]
                    if (at > round[name]) { round[name] = at; changed = 1 }
                    if (name ~ / s/) sent[op[name]] = at
                }
            } while (changed)
            for (name in op) {
                split(name, part, " ")
                if (round[name] > last) last = round[name]
                if (++busy[part[1] substr(part[2], 1, 1) round[name]] > most)
                    most = busy[part[1] substr(part[2], 1, 1) round[name]]
            }
            print last, most
            for (pair in out) if (out[pair] == 1 && back[pair] == 1) print pair
        }' "$1"
}

# goal TEXT ROUNDS ALGORITHM…: its schedule as GOAL.
goal() {
    local text=$1 rounds=$2
    shift 2
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    accepts 'transfers' "$text: export" export "$TMP/a.sched" --to goal --bytes 64 -o "$TMP/a.goal"
    goal_run "$TMP/a.goal" >"$TMP/ran"
    check "… runs in $rounds rounds, one packet at a time" test "$(head -1 "$TMP/ran")" = "$rounds 1"
    check "… and sends the same" cmp <(sed 1d "$TMP/ran" | sort) <(transfers "$TMP/a.sched")
}

goal matching 12 matching -n 22 -m 8
goal path 9 path -n 6 -m 5
goal all-gather 8 all-gather -n 9 -m 1
check "every packet has its bytes" test "$(grep -cE '(send|recv)' "$TMP/a.goal")" = \
    "$(grep -cE ' 64b ' "$TMP/a.goal")"
goal total-exchange 8 total-exchange -n 9 -m 1
"$ROUNDCAST" schedule binomial -n 8 -m 1 >"$TMP/b.sched"
"$ROUNDCAST" export "$TMP/b.sched" --to goal >"$TMP/b.goal"
grep -v 'requires s' "$TMP/b.goal" >"$TMP/cut.goal"
check "(without the order of sendings a rank sends three at once)" test \
    "$(goal_run "$TMP/cut.goal" | head -1)" = "3 3"
"$ROUNDCAST" schedule path -n 4 -m 1 | "$ROUNDCAST" export - --to goal >"$TMP/p.goal"
check "(the packet of a path comes in round 3)" test "$(goal_run "$TMP/p.goal" | head -1)" = "3 1"
grep -v 'requires r' "$TMP/p.goal" >"$TMP/cut.goal"
check "(… without data in round 1)" test "$(goal_run "$TMP/cut.goal" | head -1)" = "1 1"
printf '%s\n' 'num_ranks 2' 'rank 0 {' 's0: send 1b to 1 tag 1' '}' 'rank 1 {' \
    'r0: recv 1b from 0 tag 1' '}' >"$TMP/two.goal"
"$ROUNDCAST" schedule path -n 2 -m 1 | "$ROUNDCAST" export - --to goal >"$TMP/p.goal"
check "the smallest is, byte for byte, as the grammar has it" cmp "$TMP/p.goal" "$TMP/two.goal"
"$ROUNDCAST" schedule postal-pipeline -n 9 -m 6 --lambda 5/2 >"$TMP/p.sched"
accepts 'tag 6' "a postal schedule is an order of sendings" export "$TMP/p.sched" --to goal

"$ROUNDCAST" schedule cube-multinode --dim 3 -o "$TMP/a.sched" >/dev/null
"$ROUNDCAST" export "$TMP/a.sched" --to goal -o "$TMP/a.goal" >/dev/null
goal_run "$TMP/a.goal" >"$TMP/ran"
check "a rank of a cube sends over all dimensions at once" grep -qx '[0-9]* 3' <(head -1 "$TMP/ran")
check "… the same packets" cmp <(sed 1d "$TMP/ran" | sort) <(transfers "$TMP/a.sched")

# -- OpenOptics ------------------------------------------------------------------------------------

# circuits FILE NODES: "SLICE low-high" of each circuit, sorted.
circuits() {
    awk -v nodes="$2" '{
        links = NF / nodes
        for (v = 0; v < nodes; v++)
            for (p = 1; p <= links; p++) {
                w = $(v * links + p)
                for (q = 1; w > v && q <= links; q++)
                    if ($(w * links + q) == v) print NR, v "-" w
            }
    }' "$1" | sort
}

# pairs FILE: the same of the rounds of a schedule.
pairs() {
    awk '/^round / { round++; next } /^end/ { round = 0 }
         round { print round, $1 < $2 ? $1 "-" $2 : $2 "-" $1 }' "$1" | sort -u
}

# slices TEXT LINKS NODES ALGORITHM…: its schedule as slices.
slices() {
    local text=$1 links=$2 nodes=$3
    shift 3
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    accepts 'OpenOptics' "$text: export" export "$TMP/a.sched" --to openoptics -o "$TMP/a.slices"
    check "… $links links of $nodes nodes a line" test "$(awk '{ print NF }' "$TMP/a.slices" |
        sort -u)" = $((links * nodes))
    check "… whose circuits are the pairs of the rounds" cmp <(circuits "$TMP/a.slices" "$nodes") \
        <(pairs "$TMP/a.sched")
}

slices "a ring takes two links" 2 7 circulant -n 7 -m 4
slices "a telephone takes one" 1 8 matching -n 8 -m 3 --model telephone
slices "all ports of a hypercube" 4 16 cube-single --dim 4 -m 4
printf '%s\n' '1 0 -1 -1' '2 3 0 1' >"$TMP/four.slices"
"$ROUNDCAST" schedule binomial -n 4 -m 1 >"$TMP/c.sched"
"$ROUNDCAST" export "$TMP/c.sched" --to openoptics >"$TMP/c.slices"
check "four nodes, byte for byte, as the definition has it" cmp "$TMP/c.slices" "$TMP/four.slices"
sed '2s/2 3 0 1/2 3 0 -1/' "$TMP/four.slices" >"$TMP/cut.slices"
check "(one side of a circuit is none)" test "$(circuits "$TMP/cut.slices" 4 | wc -l)" = 2

# -- SCCL ------------------------------------------------------------------------------------------

# there_and_back FORMAT TEXT ALGORITHM…: the same transfers, in no more rounds.
there_and_back() {
    local format=$1 text=$2
    shift 2
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    accepts 'transfers' "$text: export to $format" export "$TMP/a.sched" --to "$format" \
        -o "$TMP/a.$format"
    accepts 'transfers' "… import" import "$TMP/a.$format" --from "$format" -o "$TMP/back.sched"
    check "… the same transfers" cmp <(transfers "$TMP/a.sched") <(transfers "$TMP/back.sched")
    check "… in no more rounds" test "$(sed -n 's/^end //p' "$TMP/back.sched")" -le \
        "$(sed -n 's/^end //p' "$TMP/a.sched")"
    accepts 'holds' "… which hold" verify "$TMP/back.sched"
}

# runs TEXT: the imported schedule runs on csim.
runs() {
    "$ROUNDCAST" route "$TMP/back.sched" -o "$TMP/image" >/dev/null
    accepts 'Every packet arrived in its predicted cycle' "$1" simulate "$TMP/image" --engine csim
}

there_and_back sccl "a broadcast" matching -n 22 -m 8 -s 3
runs "… and runs"
there_and_back sccl "all-gather" all-gather -n 9 -m 2
there_and_back sccl "scatter" scatter -n 7 -m 1 -s 2
there_and_back sccl "total exchange" total-exchange -n 7 -m 1
there_and_back sccl "any traffic" traffic --pattern moe:6,2 -n 8
runs "… and runs"
there_and_back sccl "telephone" matching -n 9 -m 4 --model telephone
check "what is written is JSON" parses "$TMP/a.sccl"

# hand STEPS [CHUNKS [MORE]]: an algorithm of 3 nodes, in $TMP/hand.json.
hand() {
    local chunks=${2:-'{"pre": [0], "post": [0, 1, 2], "addr": 7}, {"pre": [1], "post": [2], "addr": 3}'}
    printf '{"msccl_type": "algorithm", "steps": [%s],\n "collective": {"nodes": 3, "chunks": [%s]}%s}\n' \
        "$1" "$chunks" "${3:-}" >"$TMP/hand.json"
}
first='{"rounds": 2, "sends": [[7, 0, 1], [7, 0, 2], [3, 1, 0]]}'
second='{"rounds": 1, "sends": [[3, 0, 2]]}'
hand "$first, $second"
accepts '2 packets, 3 nodes: 3 rounds, 4 transfers' "two sends of a node in a step take two rounds" \
    import "$TMP/hand.json" --from sccl -o "$TMP/back.sched"
sed -n '/^demand/,$p' "$TMP/back.sched" >"$TMP/rounds"
printf '%s\n' 'demand 1 0 *' 'demand 2 1 2' 'round 1' '0 1 1' '1 0 2' 'round 2' '0 2 1' 'round 3' \
    '0 2 2' 'end 3' >"$TMP/expected"
check "… these" cmp "$TMP/rounds" "$TMP/expected"
# 70 packets of one step, and none.
list() { local k; for k in {1..70}; do printf "$1" "$k"; done | sed 's/, $//'; }
hand "{\"sends\": [$(list '[%d, 0, 1], ')]}" "$(list '{"pre": [0], "post": [1], "addr": %d}, ')"
accepts '70 packets, 3 nodes: 70 rounds, 70 transfers' "a step of 70 rounds" \
    import "$TMP/hand.json" --from sccl -o "$TMP/back.sched"
hand "$second, $first"

# bad CODE PART TEXT [STATUS]: $TMP/hand.json is refused.
bad() {
    refuses "${4:-2}" "$1" "$2" "$3" import "$TMP/hand.json" --from sccl -o "$TMP/none.sched"
    check "… and leaves no file" test ! -e "$TMP/none.sched"
}
bad E206 'steps[0].sends[0]: node 0 does not have the chunk' "a chunk goes on before it came"
hand '{"sends": [[7, 0, 1], [7, 1, 2]]}'
bad E206 'steps[0].sends[1]: node 1 does not have' "… or in the step in which it comes"
hand '{"sends": [[7, 0, 1]]}'
bad E303 'node 2 has not received' "a chunk that does not come" 1
hand "$first" '{"pre": [0], "post": [1], "addr": 7}, {"pre": [1], "post": [1], "addr": 7}'
bad E208 'chunks 0 and 1 have one address: a reduction' "a reduction"
hand "$first" '{"pre": [0, 1], "post": [2], "addr": 7}'
bad E208 'collective.chunks[0]: starts at 2 nodes' "a chunk of two nodes"
hand "$first" '' ', "instance": {"pipeline": 2}'
bad E208 'instance.pipeline' "a pipeline"
hand '{"sends": [[7, 0, 3]]}'
bad E205 'steps[0].sends[0]: node 3; expected 0 … 2' "a node that does not exist"
hand '{"sends": [[8, 0, 1]]}'
bad E205 'address 8; expected' "a chunk that does not exist"
hand '{"sends": [[7, 0, 0]]}'
bad E210 'node 0 sends to itself' "a node that sends to itself"
hand '{"sends": [[7, 0]]}'
bad E204 'steps[0].sends[0]: no send' "a send of two numbers"
hand '{"sends": 5}'
bad E204 "steps[0]: no array 'sends'" "no sends"
hand "$first" '{"pre": [0], "post": [1], "addr": 3}, {"pre": [1], "post": [1], "addr": 7}'
bad E205 'address 7; expected that of a chunk to move' "a chunk that nobody asks for, and that moves"
hand "$first" '{"pre": [1], "post": [1], "addr": 7}'
bad E209 'nobody wants' "nothing to move"
hand "$first" '{"pre": [0], "post": ["a"], "addr": 7}'
bad E204 'collective.chunks[0]: no number' "a node that is no number"
hand "$first" '{"pre": [0], "post": [1]}'
bad E204 "no number 'addr'" "a chunk without address"
hand "$first" '{"pre": [-1], "post": [1], "addr": 7}'
bad E205 'collective.chunks[0]' "a node below 0"
hand "$first" '{"pre": 0, "post": [1], "addr": 7}'
bad E204 "no array 'pre'" "a node that is no array"
hand "$first" '{"pre": [5], "post": [1], "addr": 7}'
bad E205 'collective.chunks[0]' "a chunk that starts nowhere"
hand '{"sends": [[7, "a", 1]]}'
bad E204 'steps[0].sends[0]' "a sender that is no number"
hand "$first, $second"
sed -i 's/"steps": \[/"step": [/' "$TMP/hand.json"
bad E204 "no array 'steps'" "no steps"
hand "$first, $second"
sed -i 's/"chunks": \[/"chunk": [/' "$TMP/hand.json"
bad E204 "no array 'chunks'" "no chunks"
hand "$first, $second"
sed -i 's/"nodes": 3/"nodes": 1/' "$TMP/hand.json"
bad E205 'collective.nodes: 1; expected' "one node"
hand "$first, $second"
sed -i 's/"algorithm"/5/' "$TMP/hand.json"
bad E203 'no algorithm' "a type that is no word"
hand "$first, $second"
sed -i 's/"nodes": 3/"nodes": 99999999999/' "$TMP/hand.json"
bad E205 'collective.nodes: 99999999999; expected' "too many nodes"
sed -i 's/"algorithm"/"collective"/' "$TMP/hand.json"
bad E203 'no algorithm' "another object"
printf '{"steps": [\n' >"$TMP/hand.json"
bad E204 'hand.json:2: ' "half a file"
refuses 2 E201 'cannot read: Is a directory' "a folder" import "$TMP" --from sccl
hand ''
bad E303 'has not received' "no steps at all" 1
printf '{"steps": 1, "steps": 2}' >"$TMP/hand.json"
bad E204 'hand.json:1: duplicate object key' "a key twice"
refuses 2 E101 'goal: no such format; expected sccl|msccl' "GOAL is only written" import "$TMP/p.goal" \
    --from goal
refuses 2 E101 'expected --from sccl' "no format" import "$TMP/p.goal"
refuses 2 E101 'no file' "no file" import --from sccl
refuses 2 E201 'cannot open' "no such file" import "$TMP/nowhere" --from sccl
"$ROUNDCAST" schedule path -n 513 -m 1 | "$ROUNDCAST" export - --to sccl >"$TMP/out" 2>"$TMP/err"
check "a file has up to 512 nodes" grep -q 'sccl: 513 nodes; expected 1 … 512 .E102' "$TMP/err"

# -- MSCCL -----------------------------------------------------------------------------------------

# msccl_run FILE: "ROUNDS MOST", as goal_run; then source>destination:packet for each transfer, by
# what its sender holds there; then `blocked` if steps wait for ever.
msccl_run() {
    awk '
        function value(name) { return match($0, " " name "=\"[^\"]*\"") ? \
            substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
        /<gpu / { gpu = value("id"); inputs = value("i_chunks") + 0
            for (k = 0; k < inputs; k++) holds[gpu " i " k] = k + 1 }
        /<tb / { tb = value("id"); to = value("send"); from = value("recv"); chan = value("chan") }
        /<step / {
            id = gpu " " tb " " value("s"); type[id] = value("type"); step[++count] = id
            before[id] = value("s") + 0 > 0 ? gpu " " tb " " value("s") - 1 : ""
            wait[id] = value("depid") + 0 >= 0 ? gpu " " value("depid") " " value("deps") : ""
            src[id] = value("srcbuf") " " value("srcoff"); dst[id] = value("dstbuf") " " value("dstoff")
            if (type[id] == "s") { line = gpu " " to " " chan; send[line " " ++sends[line]] = id }
            if (type[id] == "r") { line = from " " gpu " " chan; receive[line " " ++receives[line]] = id }
        }
        function ready(id) { return (before[id] == "" || before[id] in done) && (wait[id] == "" || wait[id] in done) }
        function latest(id,    at) {
            at = before[id] == "" ? 0 : done[before[id]] + 0
            return wait[id] != "" && done[wait[id]] > at ? done[wait[id]] + 0 : at
        }
        END {
            do {
                changed = 0
                for (k = 1; k <= count; k++)
                    if (type[step[k]] == "nop" && !(step[k] in done) && ready(step[k])) {
                        done[step[k]] = latest(step[k]); changed = 1
                    }
                for (line in send) {
                    a = send[line]; b = receive[line]
                    if (a in done || b == "" || !ready(a) || !ready(b)) continue
                    at = latest(a) > latest(b) ? latest(a) : latest(b)
                    done[a] = done[b] = at + 1; changed = 1
                    split(line, node, " ")
                    if (src[a] != src[b] || dst[a] != dst[b]) print "other operands"
                    packet = holds[node[1] " " src[a]]
                    holds[node[2] " " dst[b]] = packet
                    moved[++moves] = node[1] ">" node[2] ":" packet
                    if (at + 1 > last) last = at + 1
                    if (++busy["s " node[1] " " at] > most) most = busy["s " node[1] " " at]
                    if (++busy["r " node[2] " " at] > most) most = busy["r " node[2] " " at]
                }
            } while (changed)
            print last, most
            for (k = 1; k <= moves; k++) print moved[k]
            for (k = 1; k <= count; k++) if (!(step[k] in done)) { print "blocked"; exit }
        }' "$1"
}

# msccl TEXT ROUNDS ALGORITHM…: its schedule as XML.
msccl() {
    local text=$1 rounds=$2
    shift 2
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    accepts 'MSCCL' "$text: export" export "$TMP/a.sched" --to msccl -o "$TMP/a.xml"
    msccl_run "$TMP/a.xml" >"$TMP/ran"
    check "… runs in $rounds rounds, one packet at a time" test "$(head -1 "$TMP/ran")" = "$rounds 1"
    check "… and sends the same" cmp <(sed 1d "$TMP/ran" | sort) <(transfers "$TMP/a.sched")
}

msccl gather 6 gather -n 7 -m 1
check "what passes through is in no output" test "$(grep -c 'dstbuf="s"' "$TMP/a.xml")" = 0
msccl all-gather 8 all-gather -n 9 -m 1
msccl total-exchange 8 total-exchange -n 9 -m 1
msccl path 9 path -n 6 -m 5
msccl matching 12 matching -n 22 -m 8 -s 3
check "only the source sends from its input" test "$(awk -F'"' '/<gpu/ { gpu = $2 }
    /type="s" srcbuf="i"/ { print gpu }' "$TMP/a.xml" | sort -u)" = 3
check "… and 22 times 8 chunks are there" test "$(grep -c 'nchunksperloop="8" ngpus="22"' "$TMP/a.xml")" = 1
check "a step that waits for two has a nop before it" grep -q 'type="nop"' "$TMP/a.xml"
sed 's/depid="[0-9]*" deps="[0-9]*"/depid="-1" deps="-1"/' "$TMP/a.xml" >"$TMP/free.xml"
check "(steps that do not wait send several at a time)" test \
    "$(msccl_run "$TMP/free.xml" | head -1 | cut -d' ' -f2)" -gt 1
"$ROUNDCAST" schedule traffic --entries <(printf '0 1 300\n') -n 2 -o "$TMP/long.sched" >/dev/null
refuses 2 E104 'node 0 has more than 256 steps with node 1' "a block of too many steps" export \
    "$TMP/long.sched" --to msccl -o "$TMP/none.xml"
check "… leaves no file" test ! -e "$TMP/none.xml"
"$ROUNDCAST" schedule gather -n 300 -m 1 -o "$TMP/many.sched" >/dev/null
refuses 2 E104 'has more than 216 peers' "a node of too many peers" export "$TMP/many.sched" \
    --to msccl
"$ROUNDCAST" schedule cube-single --dim 3 -m 3 -o "$TMP/cube.sched" >/dev/null
refuses 2 E208 'several packets from a node in a round' "all ports at once" export \
    "$TMP/cube.sched" --to msccl
check "a channel has 32 distances: 1 … 16, 32, 64 and 128 stand in 4" test \
    "$("$ROUNDCAST" schedule binomial -n 256 -m 1 | "$ROUNDCAST" export - --to msccl |
        grep -oE 'chan="[0-9]+"' | sort -u | wc -l)" = 4

# under MODEL TEXT: the last XML, with rounds of that model.
under() {
    accepts 'transfers' "$2" import "$TMP/a.xml" --from msccl --model "$1" -o "$TMP/back.sched"
    check "… of $1" grep -qx "model $1" "$TMP/back.sched"
    check "… the same transfers" cmp <(transfers "$TMP/a.sched") <(transfers "$TMP/back.sched")
}

there_and_back msccl "a broadcast" matching -n 22 -m 8 -s 3
check "… asked for in the same way" cmp <(grep ^demand "$TMP/a.sched") <(grep ^demand "$TMP/back.sched")
runs "… and runs"
there_and_back msccl "gather" gather -n 7 -m 2 -s 2
there_and_back msccl "any traffic" traffic --pattern moe:6,2 -n 8
there_and_back msccl "all-gather" all-gather -n 9 -m 1
mv "$TMP/a.msccl" "$TMP/a.xml"
under telephone "rounds are found for pairs"
under telegraph "… and for one way at a time"
refuses 2 E103 'under postal; expected send-receive, telephone or telegraph' "… not for the postal model" \
    import "$TMP/a.xml" --from msccl --model postal

# The parts of an algorithm by hand: algo COLL INPLACE GPUS; gpu ID IN OUT SCRATCH; tb ID SEND RECV;
# step S TYPE SRCBUF SRCOFF DSTBUF DSTOFF CNT DEPID DEPS; end TAG.
algo() { printf '<?xml version="1.0"?>\n<!-- by hand -- --->\n<algo name="a &lt; b" x-y.z:9="" coll="%s" inplace="%s" ngpus="%s">\n' "$@"; }
gpu() { printf '<gpu id="%s" i_chunks="%s" o_chunks="%s" s_chunks="%s">\n' "$@"; }
tb() { printf "<tb id='%s' send='%s' recv='%s' chan='0'>\n" "$@"; }
step() { printf '<step s="%s" type="%s" srcbuf="%s" srcoff="%s" dstbuf="%s" dstoff="%s" cnt="%s" depid="%s" deps="%s" hasdep="0"/>\n' "$@"; }
end() { printf '</%s>\n' "$@"; }
# by_hand TEXT PART: $TMP/hand.xml is taken, and its schedule holds.
by_hand() {
    accepts "$2" "$1" import "$TMP/hand.xml" --from msccl -o "$TMP/back.sched"
    accepts 'holds' "… which holds" verify "$TMP/back.sched"
}
{
    algo allgather 1 4
    for id in 0 1 2 3; do
        gpu $id 0 4 0
        tb 0 $(((id + 1) % 4)) $(((id + 3) % 4))
        step 0 s o $id o $id 1 -1 -1
        step 1 rcs o 0 o $(((id + 3) % 4)) 1 -1 -1
        step 2 rcs o 0 o $(((id + 2) % 4)) 1 -1 -1
        step 3 r o 0 o $(((id + 1) % 4)) 1 -1 -1
        end tb gpu
    done
    end algo
} >"$TMP/ring.xml"
cp "$TMP/ring.xml" "$TMP/hand.xml"
by_hand "a ring of 4 in place, which sends on what it gets, takes 3 rounds" \
    '4 packets, 4 nodes: 3 rounds, 12 transfers'
check "… which each node sends to all" test "$(grep -c '^demand .* \*$' "$TMP/back.sched")" = 4
{
    algo alltoall 0 2
    gpu 0 4 4 0; tb 0 1 -1; step 0 s i 2 o 0 2 -1 -1; end tb
    tb 1 -1 1; step 0 r i 0 o 2 2 -1 -1; end tb gpu
    gpu 1 4 4 0; tb 0 0 0; step 0 s i 0 o 2 2 -1 -1; step 1 r i 2 o 0 2 -1 -1; end tb gpu algo
} >"$TMP/hand.xml"
by_hand "two chunks that move together take a round each" '4 packets, 2 nodes: 2 rounds, 4 transfers'
{
    algo custom 0 3
    gpu 0 2 1 1; tb 0 1 -1; step 0 cpy i 1 s 0 1 -1 -1; step 1 s s 0 s 0 1 -1 -1; end tb gpu
    gpu 1 1 1 1; tb 0 -1 0; step 0 r s 0 s 0 1 -1 -1; end tb
    tb 1 2 -1; step 0 nop i -1 o -1 0 0 0; step 1 s s 0 o 0 1 -1 -1; end tb gpu
    gpu 2 1 1 0; tb 0 -1 1; step 0 r s 0 o 0 1 -1 -1; end tb gpu algo
} >"$TMP/hand.xml"
by_hand "copies and waiting take no round" '1 packet, 3 nodes: 2 rounds, 2 transfers'
check "… and what is wanted is what ends in an output" grep -qx 'demand 1 0 2' "$TMP/back.sched"
cp "$TMP/hand.xml" "$TMP/custom.xml"
sed 's/i_chunks="0"/i_chunks="1"/' "$TMP/ring.xml" >"$TMP/hand.xml"
by_hand "a ring whose inputs are named" '4 packets, 4 nodes: 3 rounds, 12 transfers'
{
    algo broadcast 1 3
    gpu 0 2 1 0; tb 0 1 -1; step 0 s o 0 o 0 1 -1 -1; end tb
    tb 1 2 -1; step 0 s o 0 o 0 1 -1 -1; end tb gpu
    gpu 1 0 1 0; tb 0 -1 0; step 0 r o 0 o 0 1 -1 -1; end tb gpu
    gpu 2 0 1 0; tb 0 -1 0; step 0 r o 0 o 0 1 -1 -1; end tb gpu algo
} | sed 's/ cnt="1"//' >"$TMP/hand.xml"
by_hand "a broadcast in place, of one chunk where nothing is said" '1 packet, 3 nodes: 2 rounds, 2 transfers'
cp "$TMP/hand.xml" "$TMP/broadcast.xml"
{
    algo alltoall 0 2
    gpu 0 2 2 0; tb 0 1 1; step 0 s i 1 o 0 1 -1 -1; step 1 r i 0 o 1 1 -1 -1; end tb gpu
    gpu 1 2 2 0; tb 0 0 0; step 0 r i 1 o 0 1 -1 -1; step 1 s i 0 o 1 1 -1 -1; end tb gpu algo
} >"$TMP/pair.xml"
cp "$TMP/pair.xml" "$TMP/hand.xml"
by_hand "two GPUs that swap" '2 packets, 2 nodes: 2 rounds, 2 transfers'
{
    algo custom 0 3
    gpu 0 2 1 0; tb 0 1 -1; step 0 s i 0 o 0 1 -1 -1; step 1 s i 1 o 0 1 -1 -1; end tb gpu
    gpu 1 2 2 0; tb 0 -1 0; step 0 r i 0 i 0 1 -1 -1; step 1 r i 0 o 1 1 -1 -1
    step 2 cpy i 0 o 0 1 -1 -1; end tb
    tb 1 2 -1; step 0 s i 0 o 0 2 -1 -1; end tb gpu
    gpu 2 1 3 0; tb 0 -1 1; step 0 nop i -1 o -1 0 -1 -1; step 1 r i 0 o 0 2 -1 -1
    step 2 cpy o 0 o 2 1 -1 -1; step 3 cpy o 0 o 2 1 -1 -1; end tb gpu algo
} >"$TMP/hand.xml"
by_hand "a chunk that came late, one that is sent before it, and one that is copied twice" \
    '3 packets, 3 nodes: 2 rounds, 4 transfers'
check "… of which the first is wanted by both" cmp <(grep ^demand "$TMP/back.sched") \
    <(printf 'demand 1 0 *\ndemand 2 0 1\ndemand 3 1 2\n')
{
    algo custom 0 3
    gpu 0 1 1 0; tb 0 2 1; step 0 rcs i 0 o 0 1 1 0; end tb
    tb 1 -1 -1; step 0 nop i -1 o -1 0 -1 -1; end tb gpu
    gpu 1 1 1 0; tb 0 0 -1; step 0 s i 0 o 0 1 -1 -1; end tb gpu
    gpu 2 1 1 0; tb 0 -1 0; step 0 r i 0 o 0 1 -1 -1; end tb
    tb 1 -1 -1; end tb gpu algo
} >"$TMP/relay.xml"
cp "$TMP/relay.xml" "$TMP/hand.xml"
by_hand "one that sends on, once another block has ended" '1 packet, 3 nodes: 2 rounds, 2 transfers'
sed '1d;2d;3s/name="[^"]*"/_Name="a"/' "$TMP/relay.xml" >"$TMP/hand.xml"
by_hand "names of any letters" '2 rounds'

# worse FILE SED CODE PART TEXT [STATUS]: the file with a change is refused.
worse() {
    sed "$2" "$TMP/$1.xml" >"$TMP/worse.xml"
    cmp -s "$TMP/worse.xml" "$TMP/$1.xml" && not_ok "$5" "nothing is changed"
    rm -f "$TMP/none.sched"
    refuses "${6:-2}" "$3" "$4" "$5" import "$TMP/worse.xml" --from msccl -o "$TMP/none.sched"
    check "… and leaves no file" test ! -e "$TMP/none.sched"
}
worse custom '$d' E204 "worse.xml:24:1: the file ends; expected </algo>" "a file that is cut"
worse custom 's/<tb id=.1.*/&x/' E204 "worse.xml:14:40: another character; expected '<'" "a text"
worse custom '6s/s="0"/s="0" s="0"/' E204 "worse.xml:6:14: 's' twice" "an attribute twice"
worse custom '6s/ srcoff="1"//' E204 "worse.xml:6:1: <step> has no 'srcoff'" "an attribute that is missing"
worse custom '6s/srcoff="1"/srcoff="2"/' E205 'srcoff="2" and 1 chunks; expected to end within the 2 of buffer i' \
    "a chunk outside of its buffer"
worse custom '6s/"1"/"one"/' E204 'srcoff="one"; expected a number' "a number in words"
worse custom 's/&lt;/\&uml;/' E204 "worse.xml:3:19: entity 'uml'" "an entity of HTML"
worse custom '1s/.*/<!DOCTYPE algo>/' E204 "worse.xml:1:3: another character; expected '--'" "a type of document"
worse custom 's/ngpus="3"/ngpus="4"/' E207 '3 GPUs; expected 4' "too few GPUs"
worse custom 's/ngpus="3"/ngpus="2"/' E205 'worse.xml:14:1: send="2"; expected -1 … 1' "too many"
worse custom 's/ngpus="3"/ngpus="9999"/' E205 'ngpus="9999"; expected 2 … 1024' "more than there may be"
worse custom 's/algo/plan/' E203 'worse.xml:3:1: no algorithm' "another document"
worse custom "s/<gpu id=\"1\"/<gpu id=\"2\"/" E206 'id="2"; expected 1' "GPUs out of order"
worse custom 's/coll="custom"/coll="allreduce"/' E208 'coll="allreduce": a reduction' "a reduction"
worse custom 's/coll="custom"/coll="sendrecv"/' E208 'expected allgather, alltoall, broadcast or custom' \
    "a collective that nobody knows"
worse custom 's/type="cpy"/type="re"/' E208 'type="re"; expected s, r, rcs, cpy or nop' "a step that reduces"
worse custom "s/send='2'/send='-1'/" E205 'its block has no such peer' "a send without a peer"
worse custom "s/send='2'/send='1'/" E210 'GPU 1 is its own peer' "a GPU that sends to itself"
worse custom "s/send='2'/send='0'/" E206 'worse.xml:16:1: waits for ever' "a send that nobody receives"
worse custom '15s/depid="0" deps="0"/depid="1" deps="1"/' E206 'worse.xml:15:1: waits for ever' "a circle"
worse custom '15s/depid="0" deps="0"/depid="0" deps="7"/' E205 'waits for step 7 of block 0' \
    "waiting for no step"
worse custom '15s/depid="0" deps="0"/depid="-1" deps="-1"/;6s/cpy/nop/' E206 \
    'worse.xml:7:1: chunk 0 of the step has nothing yet' "a send of nothing"
worse custom '16s/cnt="1"/cnt="0"/' E205 'cnt="0"; expected 1 … 71' "no chunks"
worse custom '/<gpu id="2"/,$s/dstbuf="o"/dstbuf="s"/;s/\(id="2".* s_chunks=\)"0"/\1"1"/' E209 \
    'no output has a chunk of another GPU' "outputs without a chunk of another GPU"
worse pair '6s/srcoff="1"/srcoff="0"/' E303 'GPU 1: chunk 0 of its output is not' \
    "another chunk of the right GPU" 1
worse pair 's/alltoall/allgather/;s/o_chunks="2"/o_chunks="1"/;s/dstoff="1"/dstoff="0"/' E303 \
    'GPU 0: chunk 0 of its output' "outputs with less than a chunk of each" 1
worse ring '7s/dstoff="3"/dstoff="2"/;8s/dstoff="2"/dstoff="3"/' E303 \
    'GPU 0: chunk 2 of its output is not' "a chunk of another GPU" 1
worse broadcast '8,10d;/id="2"/,$s/type="r"/type="nop"/' E303 \
    "1 chunks of outputs are those of GPU 0; expected all 2" "a broadcast that leaves one out" 1
worse broadcast '4s/i_chunks="2" o_chunks="1"/i_chunks="2" o_chunks="2"/;5,9s/srcoff="0"/srcoff="1"/' E303 \
    'chunk 0 of its output is not' "a broadcast of another chunk" 1
worse relay '6s/ depid="1"/ depid="2"/' E205 'waits for step 0 of block 2' "waiting for no block"
worse relay '/id="2"/,$s/depid="-1" deps="-1"/depid="1" deps="0"/' E205 'waits for step 0 of block 1' \
    "waiting for a block without steps"
worse relay '/id="2"/,$s/cnt="1"/cnt="2"/;/id="2"/s/o_chunks="1"/o_chunks="2"/' E205 \
    '2 chunks; expected 1, which are sent' "more that comes than is sent"
worse relay "s,^<tb id='1' send='-1' recv='-1' chan='0'>\$,<tb id='1' send='-1' recv='0' chan='0'><step s='0' type='r' dstbuf='o' dstoff='0' depid='-1' deps='-1'/>," \
    E210 'its own peer' "a second block, from itself"
worse pair '7s/type="r"/type="nop"/' E206 'worse.xml:13:1: waits for ever' "a send more than receipts"
worse relay '/id="2"/,$s,</gpu>,<tb id="2" send="-1" recv="0" chan="0"><step s="0" type="r" dstbuf="o" dstoff="0" depid="-1" deps="-1"/></tb></gpu>,' \
    E208 'GPUs 0 and 2 have two blocks of one channel' "two blocks of one connection"
worse pair 's/alltoall/custom/;10s/s_chunks="0"/s_chunks="1"/;12s/dstbuf="o"/dstbuf="s"/' E209 \
    'chunk 1 of GPU 0 goes to GPU 1, and no output of another GPU has it in the end' "a chunk that stays nowhere"
worse custom '6s/dstoff="0"/dstoff="1"/' E205 'dstoff="1" and 1 chunks; expected to end within' "a copy to no place"
worse custom '6s/srcbuf="i" srcoff="1"/srcbuf="s" srcoff="0"/' E206 'worse.xml:6:1: chunk 0 of the step has nothing yet' \
    "a copy of nothing"
worse ring 's/<gpu id="1"/<^ id="1"/' E204 'no name; expected one of letters' "a tag of a sign"
worse ring '6s,/>,><step/></step>,' E204 'tags in more than 4 others' "a step in a step"
worse ring '8s/dstoff="2"/dstoff="1"/' E303 'GPU 0: chunk 2 of its output is not what the collective says' \
    "an output with another chunk" 1
worse ring '1s/?>//' E204 "the file ends; expected '?>'" "a declaration without its end"
worse ring '2s/ --->//' E204 "the file ends; expected '-->'" "a comment without its end"
worse ring 's/<gpu id="1"/<{ id="1"/' E204 'no name; expected one of letters' "a tag without a name"
worse ring 's/<gpu id="1"/<g89012345678901234567890123456789012345678901234567890123456789 id="1"/' \
    E204 'a name of more than' "a tag with a long one"
worse ring 's,</tb>,</gpu>,' E204 '</gpu>; expected </tb>' "a tag that ends another"
worse ring 's,</tb>,</3>,' E204 'no name; expected one of letters' "an end without a name"
worse ring '1s,.*,</algo>,' E204 '</algo>; expected </>' "an end without a beginning"
worse ring 's/ i_chunks=/i_chunks=/' E204 "another character; expected a blank, '/' or '>'" \
    "attributes that touch"
worse ring 's/ i_chunks=/ 3=/' E204 'no name; expected one of letters' "an attribute without a name"
worse ring 's/i_chunks="0"/i_chunks=0/' E204 'no value; expected one in quotes' "a value without quotes"
worse ring '4s/".*//' E204 'no value; expected one in quotes' "a line that is cut"
worse ring '4s/[^"]*$//;4s/"$//' E204 'a value without its end; expected a quote' "a value that is cut"
worse ring '4s/">/</' E204 'a value without its end; expected a quote' "a tag in a value"
worse ring '3s/&lt;/\&;/' E204 'no name; expected one of letters' "an entity without a name"
worse ring '4s/i_chunks="0"/i_chunks="0000000000000000000"/' E204 'expected a number' \
    "a number of too many digits"
worse ring '4s/i_chunks="0"/i_chunks="0x"/' E204 'expected a number' "a number with a letter"
worse ring '$s/$/<algo>/' E204 'another tag; expected the end of the file' "a second algorithm"
worse ring '$s/$/algo/' E204 "another character; expected '<'" "a text behind it"
worse ring '3,$d' E203 'no algorithm' "nothing but a comment"
worse ring '3s/ inplace="."//' E204 "<algo> has no 'inplace'" "no word of what is in place"
worse ring '3s/ coll="[a-z]*"//' E208 'expected allgather, alltoall, broadcast or custom' "no collective"
worse ring 's/<tb /<block /' E204 '<block>; expected <tb>' "a tag that nobody knows"
worse ring '$s,.*,<gpu id="4"/></algo>,' E205 'more GPUs than ngpus="4" says' "a GPU too many"
worse ring '4s/ i_chunks="0"//' E204 "<gpu> has no 'i_chunks'" "a GPU without chunks"
worse ring "5s/ id='0'//" E204 "<tb> has no 'id'" "a block without a number"
worse ring "5s/ recv='[0-9]*'//" E204 "<tb> has no 'recv'" "a block that does not say from whom it receives"
worse ring "5s/ chan='0'//" E204 "<tb> has no 'chan'" "a block without a channel"
worse ring "5s/recv='3'/recv='0'/" E210 'GPU 0 is its own peer' "a GPU that receives from itself"
worse ring "5s/recv='3'/recv='-1'/" E205 'its block has no such peer' "a receipt without a peer"
worse ring '6s/s="0"/s="1"/' E206 's="1"; expected 0' "steps out of order"
worse ring '6s/ depid="-1"//' E204 "<step> has no 'depid'" "a step that does not say on whom it waits"
worse ring '6s/ deps="-1"//' E204 "<step> has no 'deps'" "… or for what"
worse ring '6s/ type="s"//' E208 'type=""; expected s, r, rcs, cpy or nop' "a step without a type"
worse ring '6s/srcbuf="o"/srcbuf="x"/' E204 'srcbuf: no buffer; expected i, o or s' "another buffer"
worse ring '7s/dstbuf="o"//' E204 'dstbuf: no buffer; expected i, o or s' "no buffer"
# many FIRST LAST FORMAT: the format with each number.
many() { local n; for ((n = $1; n <= $2; n++)); do printf "$3" $n; done; }
worse ring "4s/i_chunks=\"0\"/i_chunks=\"$(many 1 200 0)\"/" E204 'a value of more than 199 bytes' \
    "a long value"
worse ring "4s/ i_chunks/$(many 1 33 ' a%d=\"0\"')&/" E204 'more than 32 attributes' \
    "many attributes"
worse ring '4s/s_chunks="0"/s_chunks="16777216"/' E104 'more than 16777216 chunks of all GPUs' \
    "many chunks"
worse ring "5s,^,$(many 0 215 "<tb id='%d' send='1' recv='3' chan='0'/>")," E205 \
    'more than 216 blocks' "many blocks"
worse ring "6s,^,$(many 0 255 "<step s='%d' type='nop' depid='-1' deps='-1'/>")," E205 \
    'more than 256 steps' "many steps"
worse ring 's/coll="allgather"/coll="broadcast"/;s/inplace="1"/inplace="0"/;s/i_chunks="0"/i_chunks="4"/;s/type="s" srcbuf="o"/type="s" srcbuf="i"/' \
    E303 'expected all' "a broadcast of several GPUs" 1
refuses 2 E201 'cannot open' "no such file" import "$TMP/nowhere" --from msccl
refuses 2 E201 'cannot read: Is a directory' "a folder" import "$TMP" --from msccl
printf '<algo name="a' >"$TMP/cut.xml"
refuses 2 E204 'a value without its end' "a file that ends in a value" import "$TMP/cut.xml" --from msccl

# -- MSCCL++ ---------------------------------------------------------------------------------------

# plan_run FILE: "MOST", the most that a GPU puts between two of its waits; then
# source>destination:packet for each put, by what the buffer has; then `blocked` if a GPU waits for
# ever, and `missing` for an output that lacks what comes.
plan_run() {
    awk '
        function number(key,    text) { text = $0; sub(".*\"" key "\": *\\[?", "", text); return text + 0 }
        function list(key, array,    text) {
            text = $0; sub(".*\"" key "\": \\[", "", text); sub("\\].*", "", text)
            return split(text, array, ", ")
        }
        /"id": [0-9]+, "input_chunks"/ { gpu = number("id"); chunks = number("input_chunks")
            for (k = 0; k < chunks; k++) has[gpu " i " k] = k + 1 }
        /^        \{"name"/ { line[gpu, ++lines[gpu]] = $0 }
        /"connected_to"/ { count = list("connected_to", peer)
            for (k = 1; k <= count; k++) connected[gpu, k - 1] = peer[k] }
        /"remote_buffers"/ { text = $0
            for (k = 0; match(text, /"rank": [0-9]+, "type": "[ios]"/); k++) {
                split(substr(text, RSTART, RLENGTH), part, /[^a-z0-9]+/)
                buffer[gpu, k] = part[3] " " part[5]
                text = substr(text, RSTART + RLENGTH)
            } }
        END {
            gpus = gpu + 1
            do {
                changed = 0
                for (g = 0; g < gpus; g++)
                    for (; at[g] < lines[g]; at[g]++) {
                        $0 = line[g, at[g] + 1]
                        count = list("channel_ids", channel)
                        if (/"wait"/) {
                            for (k = 1; k <= count && signals[connected[g, channel[k]], g] > waited[g, connected[g, channel[k]]]; k++) ;
                            if (k <= count) break
                            for (k = 1; k <= count; k++) waited[g, connected[g, channel[k]]]++
                            row[g] = 0
                        }
                        if (/"pwsf"/) {
                            to = connected[g, channel[1]]
                            gsub(/[^a-z0-9_]+/, " ")
                            split(buffer[g, $12], where, " ")
                            if (where[1] != to) print "another rank"
                            packet = has[g " " $5 " " $7]
                            has[to " " where[2] " " $14] = packet
                            moved[++moves] = g ">" to ":" packet
                            if (++row[g] > most) most = row[g]
                            signals[g, to]++
                        }
                        if (/"signal"/) for (k = 1; k <= count; k++) signals[g, connected[g, channel[k]]]++
                        changed = 1
                    }
            } while (changed)
            print most
            for (k = 1; k <= moves; k++) print moved[k]
            for (g = 0; g < gpus; g++) if (at[g] < lines[g]) { print "blocked"; exit }
        }' "$1"
}

# plan TEXT ALGORITHM…: its schedule as a plan.
plan() {
    local text=$1
    shift
    "$ROUNDCAST" schedule "$@" -o "$TMP/a.sched" >/dev/null
    accepts 'MSCCL++' "$text: export" export "$TMP/a.sched" --to mscclpp -o "$TMP/a.plan"
    plan_run "$TMP/a.plan" >"$TMP/ran"
    check "… which runs, and sends the same" cmp <(sed 1d "$TMP/ran" | sort) <(transfers "$TMP/a.sched")
}

plan "a total exchange" total-exchange -n 9 -m 1
check "… is JSON" parses "$TMP/a.plan"
plan "an all-gather" all-gather -n 7 -m 2
plan "gather" gather -n 7 -m 2 -s 3
plan "traffic that is passed on" matching -n 8 -m 3
grep -v '"wait"' "$TMP/a.plan" >"$TMP/free.plan"
check "(without waits it sends what it does not have)" test "$(plan_run "$TMP/free.plan" | sed 1d | sort |
    cmp - <(transfers "$TMP/a.sched") >/dev/null && echo same)" = ""
"$ROUNDCAST" schedule all-gather -n 9 -m 4 -o "$TMP/a.sched" >/dev/null
refuses 2 E104 'operations; expected at most 64' "more than a block may do" export "$TMP/a.sched" --to mscclpp
"$ROUNDCAST" schedule gather -n 20 -m 1 -o "$TMP/a.sched" >/dev/null
refuses 2 E104 'more than 16 peers' "more peers than channels" export "$TMP/a.sched" --to mscclpp \
    -o "$TMP/none.plan"
check "… leaves no file" test ! -e "$TMP/none.plan"
plan "a node of more peers than an operation has" scatter -n 11 -m 1
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' 'model send-receive' \
    'demand 1 0 1' 'round 1' '0 1 1' 'end 1' >"$TMP/a.sched"
accepts 'MSCCL++' "a node without a peer" export "$TMP/a.sched" --to mscclpp -o "$TMP/a.plan"
check "… which does nothing" test "$(grep -A 4 '"id": 2' "$TMP/a.plan" | grep -c name)" = 0
# Node 0 sends a packet to each of 9 others, and one more that each passes on to node 10.
awk 'BEGIN {
    print "roundcast-schedule 1\nalgorithm by hand\ntopology complete 12\nmodel send-receive"
    for (k = 1; k < 10; k++) print "demand", k, 0, k
    print "demand 10-18 0 10"
    for (k = 1; k < 10; k++) print "round " k "\n0 " k " " k
    for (k = 1; k < 10; k++) print "round " k + 9 "\n0 " k " " k + 9 (k > 1 ? "\n" k - 1 " 10 " k + 8 : "")
    print "round 19\n9 10 18\nend 19"
}' >"$TMP/a.sched"
refuses 2 E104 'node 0 has more than 16 peers, or buffers of peers' "more buffers of peers" \
    export "$TMP/a.sched" --to mscclpp

# -- What is refused -------------------------------------------------------------------------------

"$ROUNDCAST" schedule tree-broadcast --tree 2,2 -o "$TMP/t.sched" >/dev/null
"$ROUNDCAST" schedule fabric-broadcast -n 4 -m 2 -o "$TMP/f.sched" >/dev/null
refuses 2 E208 'a tree with routers' "GOAL cannot say a tree" export "$TMP/t.sched" --to goal
refuses 2 E208 'packets that the network copies' "… nor copies" export "$TMP/f.sched" --to goal
refuses 2 E208 'times in place of rounds' "slices cannot say times" export "$TMP/p.sched" \
    --to openoptics
sed 's/^0 1 1/1 0 1/' "$TMP/b.sched" >"$TMP/bad.sched"
refuses 1 E302 'node 1' "a schedule that does not hold is not written" export "$TMP/bad.sched" \
    --to goal -o "$TMP/bad.goal"
check "… and leaves no file" test ! -e "$TMP/bad.goal"

# Where no file may be larger than a kB: refused, and nothing is left.
"$ROUNDCAST" schedule path -n 22 -m 20 -o "$TMP/large.sched" >/dev/null
for format in goal openoptics sccl msccl mscclpp mpi-c; do
    status=0
    (ulimit -f 1 && exec "$ROUNDCAST" export "$TMP/large.sched" --to $format -o "$TMP/full.$format") \
        >/dev/null 2>"$TMP/err" || status=$?
    check "$format on a full disk is refused, and nothing left" test \
        "$status,$(grep -c 'cannot write: .* \[E202 write\]$' "$TMP/err"),$(find "$TMP" -name 'full.*')" = 2,1,
done
for format in goal openoptics sccl msccl mscclpp mpi-c; do
    "$ROUNDCAST" export "$TMP/large.sched" --to $format >/dev/full 2>"$TMP/err"
    check "$format on a full standard output, too" grep -q \
        '^roundcast: standard output: cannot write: No space left on device \[E202 write\]$' "$TMP/err"
done
"$ROUNDCAST" schedule path -n 2 -m 32769 -o "$TMP/large.sched" >/dev/null
refuses 2 E104 'more than 32768 packets between ranks 0 and 1' "more packets than tags" \
    export "$TMP/large.sched" --to mpi-c
"$ROUNDCAST" schedule binomial -n 18 -m 1 -o "$TMP/a.sched" >/dev/null
accepts '{0, 1, 0, 0, -1}' "more ranks than a line has" export "$TMP/a.sched" --to mpi-c
refuses 2 E101 'ps: no such format; expected goal|openoptics|sccl|msccl|mscclpp|mpi-c' "a format that does not exist" export \
    "$TMP/b.sched" --to ps
refuses 2 E101 'expected --to goal' "no format" export "$TMP/b.sched"
refuses 2 E101 'no file' "no schedule" export --to goal
refuses 2 E102 'expected 1' "no bytes" export "$TMP/b.sched" --to goal --bytes 0
refuses 2 E101 'expected -o FILE' "a report beside the file" export "$TMP/b.sched" --to goal --json
json '"transfers": 7' "a report as JSON" export "$TMP/b.sched" --to goal -o "$TMP/b.goal" --json

finish
