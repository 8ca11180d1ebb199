#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# results: prints docs/results.md with figures from runs of roundcast.
#
#     results.sh all      runs each line on every engine that the page names: `make results`
#     results.sh csim     runs each line on csim only, in seconds, for a test
#
# If a run fails, it reports that run and prints no page. ROUNDCAST names the program
# (build/roundcast).
set -euo pipefail
shopt -s inherit_errexit
roundcast=${ROUNDCAST:-build/roundcast}
which=${1:?expected all or csim}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# field NAME FILE: prints the first such field of a JSON report, with thousands separated.
field() {
    sed -nE "s/^ *\"($1)\": \"?([^\",]*)\"?,?\$/\2/p" "$2" |
        sed -E '1!d; :a; s/^([0-9]+)([0-9]{3})/\1 \2/; ta'
}

# planned ARGUMENT…: writes the schedule to $folder/schedule and prints "ENDS | BOUND".
planned() {
    "$roundcast" schedule "$@" --json -o "$folder/schedule" >"$folder/planned"
    echo "$(field 'rounds|time' "$folder/planned") | $(field bound "$folder/planned")"
}

# checked ENGINES NETWORK ARGUMENT…: prints "RECEIPTS | PACKETS" if all are correct on each engine.
checked() {
    local engine engines=$1 network=$2 first='' now
    shift 2
    [ "$which" = all ] || engines=csim
    for engine in $engines; do
        "$roundcast" run "$@" --network "$network" --engine "$engine" --json >"$folder/report" ||
            { echo "results.sh: $* on $network and $engine: does not hold" >&2; return 1; }
        now="$(field seen "$folder/report") | $(field packets_checked "$folder/report")"
        [ "${first:=$now}" = "$now" ] ||
            { echo "results.sh: $* on $engine: $now; expected $first" >&2; return 1; }
    done
    echo "$first"
}

# table: prints a row for each line NETWORK|ENGINES|ALGORITHM|OPTIONS of its input.
table() {
    local network engines algorithm options ends counts named
    while IFS='|' read -r network engines algorithm options; do
        ends=$(planned $algorithm)
        counts=$(checked "$engines" "$network" $algorithm $options)
        named=${engines/both/csim and rtl}
        echo "| \`$algorithm${options:+ $options}\` | $network | $ends | $counts |" \
            "${named/ netlist/, netlist} |"
    done
}

complete_graphs() {
    table <<'ROWS'
benes:8|both netlist|matching -n 8 -m 8
benes:32|both netlist|circulant -n 22 -m 8
benes:64|both|matching -n 64 -m 16
benes:32|both|hypercube-trees -n 32 -m 8
benes:32|both|fibonacci -n 22 -m 8
benes:32|both|matching -n 23 -m 8 --model telephone
benes:32|both|telegraph -n 23 -m 8
benes:16|both|postal-bcast -n 14 -m 1 --lambda 5/2
benes:32|both|postal-pipeline -n 22 -m 8 --lambda 7/3
benes:22|both|circulant -n 22 -m 40|--settings tags --programs computed
benes:64,radix=4|both|matching -n 64 -m 4
multicast:8|both netlist|fabric-broadcast -n 8 -m 8
multicast:32|both|fabric-broadcast -n 22 -m 8 --model fabric-postal --lambda 21/4
gf11|both|circulant -n 566 -m 64
gf11|both|fibonacci -n 566 -m 64
benes:1024|both|circulant -n 1000 -m 16
benes:65536|csim|circulant -n 65536 -m 16
benes:8|both|scatter -n 8 -m 1
benes:8|both|gather -n 8 -m 1 --model telephone
benes:8|both|all-gather -n 8 -m 1
benes:8|both|total-exchange -n 8 -m 1
ROWS
}

reductions() {
    table <<'ROWS'
benes:8|both netlist|reduce -n 8 -m 8|--combine max
benes:8|both netlist|reduce-scatter -n 8 -m 2|--combine xor
benes:8|both netlist|halving-all-reduce -n 8 -m 8
benes:8|both netlist|scan -n 8 -m 4|--combine and
benes:4|both netlist|window-all-reduce -n 3 -m 4
benes:8|both|blocks-all-reduce -n 7 -m 8|--combine min
benes:8|both|exclusive-scan -n 8 -m 4|--combine xor
benes:8|both netlist|reduce -n 8 -m 2 --lambda 5/2
combine:8|both netlist|fabric-reduce -n 8 -m 8|--combine min
all-reduce:8|both netlist|fabric-all-reduce -n 8 -m 8|--combine or
benes:64|both|reduce -n 64 -m 16
benes:64|both|halving-all-reduce -n 64 -m 16|--combine saturating-sum
benes:64|both|path-scan -n 64 -m 16|--combine max
combine:64|both|fabric-reduce -n 64 -m 16
all-reduce:64|both|fabric-all-reduce -n 64 -m 16
ROWS
}

# trees: prints a row per algorithm; routers with tables and self-timed routers must agree.
trees() {
    local algorithm ends tables alone
    while read -r algorithm; do
        ends=$(planned $algorithm --tree 4,4,4)
        tables=$(checked both fat-tree $algorithm --tree 4,4,4)
        alone=$(checked both fat-tree-auto $algorithm --tree 4,4,4)
        [ "$tables" = "$alone" ]
        echo "| \`$algorithm\` | $ends | $tables |"
    done <<'ROWS'
tree-broadcast --ports single -s 21
tree-scatter --ports multi
tree-gather --ports single --method greedy
tree-all-gather --ports single
tree-all-gather --ports multi --capacity 1,2,4
tree-total-exchange --ports single
tree-total-exchange --ports multi --capacity exp
ROWS
}

# hypercubes: prints a row per algorithm, on the routers of the cube and on a Beneš network.
hypercubes() {
    local network algorithm ends cube
    while read -r network algorithm; do
        ends=$(planned $algorithm)
        cube=$(checked both cube $algorithm)
        checked both "$network" $algorithm >"$folder/counts"
        "$roundcast" route "$folder/schedule" --network "$network" -o "$folder/image" --json \
            >"$folder/route"
        echo "| \`$algorithm\` | $ends | $cube | $(field rows "$folder/route") on $network |"
    done <<'ROWS'
benes:16 cube-single --dim 4
benes:16 cube-ranked --dim 4 --sources 9,0,9,15
benes:16 cube-unbalanced --dim 4 --random 7
benes:16 cube-all-gather --dim 4
benes:16 cube-broadcast --dim 4 --random 13
benes:16 cube-broadcast --dim 4 --random 13 --prefix exchange
benes:16 cube-broadcast --dim 4 --random 13 --overlap gather
benes:64 cube-broadcast --dim 6 --random 40
ROWS
}

# Collected first, so that a failing run ends the script before it prints anything.
complete_rows=$(complete_graphs)
reduction_rows=$(reductions)
tree_rows=$(trees)
cube_rows=$(hypercubes)

cat <<PAGE
# Results

After reading this page you can compare the end of a schedule with the best lower bound, and repeat
the run that confirms it. \`make results\` writes this page. It runs each line of the tables on every
listed engine and stops at the first failed check. The first run takes long, because Verilator
compiles machines of up to 1024 ports. The test \`tests/cli/pages.sh\` runs the same lines on csim
only, in seconds, and compares the page.

A line corresponds to \`roundcast run COMMAND --network NETWORK\`.

| column | meaning |
| --- | --- |
| ends | the last round or step; in the postal model, the time of the last arrival in units |
| bound | the best lower bound of \`roundcast bound\` for any algorithm of the model |
| receipts | packets that arrived at a node in the predicted cycle; no other receipt occurred |
| packets | packets in the memories at the end that were equal to the file, byte for byte |

*Packets* counts the packets that the demand requires and those of the source.

| other results | page | command |
| --- | --- | --- |
| speed | [bench](../bench/README.md) | \`make bench\` |
| area and clock rate | [synth](../synth/README.md) | \`make synth\` |
| table sizes | [settings](settings.md) | \`roundcast route\` |
| curves of rounds, cycles, buffers and LUTs | [plots](plots.md) | \`make plots\` |

## Complete graphs

*csim and rtl* ran in lockstep: all outputs of both were equal in every cycle. *netlist* is the RTL
after synthesis by Yosys.

| collective | network | ends | bound | receipts | packets | engines |
| --- | --- | --- | --- | --- | --- | --- |
$complete_rows

\`make gf11\` runs both GF11 lines on the RTL with a file as payload and prints the reports.

## Reductions

Here *packets* are results in the memories: each word was equal to the combination of the words that
the nodes contribute. A test runs all sizes up to 8 nodes and 8 packets with each operator on csim
and RTL (\`tests/unit/run/test_reductions.c\`).

| collective | network | ends | bound | receipts | packets | engines |
| --- | --- | --- | --- | --- | --- | --- |
$reduction_rows

## Trees

The tree is 4-ary with three levels and 64 leaves (\`--tree 4,4,4\`). Each line ran on routers with
tables (\`--network fat-tree\`) and on self-timed routers (\`--network fat-tree-auto\`), both with csim
and RTL in lockstep. Steps, receipts and packets were the same on both networks.

| collective | steps | bound | receipts | packets |
| --- | --- | --- | --- | --- |
$tree_rows

## Hypercubes

Each line ran on routers that are connected as the hypercube (\`--network cube\`) and on a Beneš
network, both with csim and RTL in lockstep. On the Beneš network each row carries one dimension of
a round, so *rows* exceeds *rounds*.

| broadcasts | rounds | bound | receipts | packets | rows |
| --- | --- | --- | --- | --- | --- |
$cube_rows
PAGE
