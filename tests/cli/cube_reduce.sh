#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cube_reduce: reductions on machines of hypercubes, whose nodes combine what arrives over all arcs.
# Each run compares every receipt with its predicted cycle, and every result in memory with the
# combination of the payloads. Counter-cases: machines that do not combine, schedules of which a
# node keeps two packets of an arc, images that lack what the host clears.
. "$(dirname "$0")/tap.sh"

arrived='Every packet arrived in its predicted cycle.'

for d in 1 2 3 4 5; do
    accepts "$arrived" "a packet, d = $d" run reduce --dim $d --engine csim
    accepts "$arrived" "… to another node" run reduce --dim $d -s 1 -m $d --engine csim
    accepts "$arrived" "… for all nodes" run all-reduce --dim $d -m $d --engine csim
    "$ROUNDCAST" schedule reduce-scatter --by cube-all-gather --dim $d -o "$TMP/s" >/dev/null
    accepts "$arrived" "… a packet for each node" run "$TMP/s" --engine csim
done

# Many packets: ⌈m/d⌉ + d rounds; few packets for all nodes: d, twice as many: d + 1; a
# reduce-scatter: ⌈(2^d - 1)/d⌉.
for d in 2 3 4; do
    accepts "$arrived" "many packets, d = $d" run reduce --dim $d -m $((2 * d + 1)) --engine csim
    has "cube-reduce by=cube-trees, .*: $((3 + d)) rounds" "… in $((3 + d)) rounds"
    accepts "$arrived" "an all-reduce by doubling" run cube-doubling-all-reduce --dim $d -m $d \
        --engine csim
    has "cube-doubling-all-reduce, .*: $d rounds [(]bound $d[)]" "… in $d rounds"
    accepts "$arrived" "an all-reduce of many packets" run cube-blocks-all-reduce --dim $d \
        -m $((2 * d)) --engine csim
    rounds=$((d == 2 ? 3 : d + 1))
    has "cube-blocks-all-reduce, .*: ${rounds} rounds [(]bound ${rounds}[)]" "… in $rounds rounds"
    accepts "$arrived" "an optimal reduce-scatter" run reduce-scatter --dim $d --method optimal \
        --engine csim
    rounds=$((((1 << d) - 2 + d) / d))
    has "method=optimal by=cube-all-gather, .*: $rounds rounds" "… in $rounds rounds"
done

# The name of the collective selects the algorithm with the fewest rounds; --by one that reverses.
accepts 'cube-blocks-all-reduce, 5 packets' "the default all-reduce" \
    schedule all-reduce --dim 3 -m 5 -o "$TMP/usual"
has 'all-port: 4 rounds [(]bound 4[)]' "… in 4 rounds"
accepts 'cube-all-reduce by=cube-trees, 5 packets' "one that reverses cube-trees" \
    schedule all-reduce --dim 3 -m 5 --by cube-trees -o "$TMP/by"
has 'all-port: 10 rounds' "… in 10 rounds"
accepts "$arrived" "… which runs" run "$TMP/by" --engine csim
refuses 2 E103 '--by: cube-blocks-all-reduce reverses no other schedule' "--by of another one" \
    schedule cube-blocks-all-reduce --dim 3 --by cube-trees
refuses 2 E103 'expected another algorithm, such as reduce-scatter of a tree or a hypercube' \
    "--order of one whose nodes combine in different orders" schedule all-reduce --dim 3 --order
accepts 'cube-reduce-scatter' "… and of the suggested one" schedule reduce-scatter --dim 3 --order \
    -o "$TMP/order"
refuses 2 E103 "--method: 'termination' of cube-reduce-scatter does not exist; expected known optimal" \
    "no method of another algorithm" schedule reduce-scatter --dim 3 --method termination
refuses 2 E103 'cube-doubling-all-reduce combines packets of all nodes' "no sources" \
    schedule cube-doubling-all-reduce --dim 3 --sources 1,2

# The machine has no routers, and takes as many cycles for a reduction as for the broadcast.
accepts 'cube of 4 dimensions that combines, 0 routers' "a machine without routers" run \
    reduce --dim 4 -m 4 --engine csim
has '^cycles of the run +16 +16 +ok' "… in d rounds"
accepts 'cube of 4 dimensions, 16 routers' "the broadcast" run cube-single --dim 4 -m 4 --engine csim
has '^cycles of the run +16 +16 +ok' "… in as many cycles"
for operator in sum saturating-sum min max and or xor; do
    accepts "combined by $operator" "by $operator" run all-reduce --dim 3 -m 2 \
        --combine "$operator" --engine csim
    has "$arrived" "… which is right"
done

# Each command that tune prints runs in the cycles that it predicts.
for asked in "--dim 2 --bytes 100" "--dim 3 --bytes 300" \
    "--dim 4 --bytes 1000 --network cube,pad=2"; do
    for kind in reduce reduce-scatter all-reduce; do
        # shellcheck disable=SC2086
        "$ROUNDCAST" tune $asked --collective $kind --json >"$TMP/tuned"
        while IFS=$'\t' read -r cycles command; do
            # shellcheck disable=SC2086
            accepts "$arrived" "tune: ${command#roundcast }" ${command#roundcast } --engine csim
            has "^cycles of the run +$cycles +$cycles +ok" "… in $cycles cycles"
        done < <(jq -r '.rows[] | [.cycles, .command] | @tsv' "$TMP/tuned")
    done
done
refuses 2 E208 "--dim: broadcast in a hypercube; expected --collective reduce" \
    "tune of a broadcast" tune --dim 3 --bytes 100
refuses 2 E401 "--network: nodes of a hypercube combine in another machine; expected cube" \
    "tune on a Beneš network" tune --dim 3 --bytes 9 --collective reduce --network benes:8
refuses 2 E401 "--network: cube is no network of a complete graph" \
    "tune of 8 nodes on a hypercube" tune -n 8 --bytes 9 --network cube
refuses 2 E101 "--dim cannot be used together with --matrix" "tune of traffic in a hypercube" \
    tune --dim 3 --pattern uniform:2
refuses 2 E102 "-n: 4; expected 8, the nodes of the hypercube" "tune of other nodes" \
    tune --dim 3 -n 4 --bytes 9 --collective reduce

# A packet of one flit needs a cycle more, because no word is read as it is stored.
for flits in 1 2 3; do
    for pad in 0 2; do
        accepts "$arrived" "$flits flits, pad=$pad" run all-reduce --dim 3 -m 3 --flits $flits \
            --network cube,pad=$pad --engine csim
        has "a round is $(((flits < 2 ? 2 : flits) + pad)) cycles" "… in its cycles"
    done
done

refuses 2 E208 'cube-auto do not combine packets, because they have no tables of what to combine' \
    "self-timed nodes" run \
    all-reduce --dim 3 --network cube-auto --engine csim
"$ROUNDCAST" schedule all-reduce --dim 2 -o "$TMP/a" >/dev/null
accepts 'cube of 2 dimensions that combines' "an image" route "$TMP/a" --network cube -o "$TMP/i"
check "… which has neither stages nor levels of routers" test "$(wc -l <"$TMP/out")" = 1
accepts '"routers": 0' "… in JSON" route "$TMP/a" --network cube --json -o "$TMP/j"
accepts 'cube of 2 dimensions that combines' "files of memories" route "$TMP/a" --image mem -o "$TMP/m"

# A node keeps one packet of each arc, and does not know which one arrived first.
# by_hand DEMAND TRANSFERS…: a schedule of a square; each word is a round of one transfer.
by_hand() {
    local number=0 round
    printf 'roundcast-schedule 1\nalgorithm by-hand\ntopology hypercube 2\nmodel all-port\n%s\n' "$1"
    for round in "${@:2}"; do
        printf 'round %d\n%s\n' $((++number)) "${round//_/ }"
    done
    printf 'end %d\n' $number
}
by_hand 'reduce 1 0 *' 3_1_1 2_0_1 1_0_1 >"$TMP/tree"
accepts "$arrived" "a tree by hand" run "$TMP/tree" --engine csim
by_hand 'reduce 1 0 0,1,3' 1_0_1 3_1_1_replace 1_0_1 >"$TMP/twice"
accepts 'rounds     3' "two packets over an arc" verify "$TMP/twice"
refuses 2 E208 'node 0 has packet 1 and combines a second packet that arrives over one arc' \
    "… of which the node would keep one" run "$TMP/twice" --engine csim
by_hand 'reduce 1 1 0,1' 1_3_1 3_1_1_replace 0_1_1 >"$TMP/late"
accepts 'rounds     3' "a packet after a result" verify "$TMP/late"
refuses 2 E208 'node 1 has packet 1 and combines it with a result' "… which would be ignored" \
    run "$TMP/late" --engine csim
by_hand 'reduce 1 1 0,1' 0_1_1 1_3_1 3_1_1_replace 1_0_1_replace 0_1_1_replace >"$TMP/results"
accepts 'rounds     5' "two results over different arcs" verify "$TMP/results"
refuses 2 E208 'node 1 has packet 1 and receives a second result over another arc' \
    "… of which the node would send the wrong one" run "$TMP/results" --engine csim
finish
