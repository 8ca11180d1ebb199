#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# results: docs/results.md, whose figures come from runs of roundcast.
#
#     results.sh all      every run on every engine that the page names: `make results`
#     results.sh csim     the same page from runs on csim alone, in seconds, as a test does
#
# It prints the page, or says which run failed. ROUNDCAST names the program (build/roundcast).
set -euo pipefail
shopt -s inherit_errexit
roundcast=${ROUNDCAST:-build/roundcast}
which=${1:?expected all or csim}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# field NAME FILE: of a report in JSON, thousands set apart.
field() {
    sed -nE "s/^ *\"($1)\": \"?([^\",]*)\"?,?\$/\2/p" "$2" |
        sed -E ':a; s/^([0-9]+)([0-9]{3})/\1 \2/; ta'
}

# planned ARGUMENT…: "ENDS | BOUND" of the schedule, which goes to $folder/schedule.
planned() {
    "$roundcast" schedule "$@" --json -o "$folder/schedule" >"$folder/planned"
    echo "$(field 'rounds|time' "$folder/planned") | $(field bound "$folder/planned")"
}

# checked ENGINES NETWORK ARGUMENT…: "RECEIPTS | PACKETS", all of them right, on each engine.
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

# complete_graphs: rows from NETWORK|ENGINES|ALGORITHM|OPTIONS of run.
complete_graphs() {
    local network engines algorithm options ends counts named
    while IFS='|' read -r network engines algorithm options; do
        ends=$(planned $algorithm)
        counts=$(checked "$engines" "$network" $algorithm $options)
        named=${engines/both/csim and rtl}
        echo "| \`$algorithm${options:+ $options}\` | $network | $ends | $counts |" \
            "${named/ netlist/, netlist} |"
    done <<'ROWS'
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

# trees: on routers with tables and on self-timed ones, which must agree.
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

# hypercubes: on the cube's routers and on a Beneš network, whose rows are counted.
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

# Read here, so that a run that fails ends the script before it has printed anything.
complete_rows=$(complete_graphs)
tree_rows=$(trees)
cube_rows=$(hypercubes)

cat <<PAGE
# Results

\`make results\` writes this page: it runs every line of the tables, on every engine that stands
there, and stops at the first run of which a check fails. The first time that takes long, since
Verilator compiles machines of up to 1024 ports. \`tests/cli/pages.sh\` runs the same lines
on csim alone, in seconds, and compares the page.

A line is \`roundcast run COMMAND --network NETWORK\`. *Receipts* is how many packets came to a node
in the cycle that the schedule predicts; there was no other receipt. *Packets* is how many were
equal to the file, byte for byte, when the memories were read back at the end: the receipts that a
demand asked for, and what the source had. *Bound* is the best lower bound that
\`roundcast bound\` knows for any algorithm of the model.

Other figures stand where their commands are: what is fast, and how fast, in
[bench](../bench/README.md) (\`make bench\`); area and clock rate of the hardware in
[synth](../synth/README.md) (\`make synth\`); what tables shrink to in [settings](settings.md); curves
of rounds, cycles, buffers and LUTs in [plots](plots.md) (\`make plots\`).

## Complete graphs

csim and rtl run in lockstep: every output of both is equal in every cycle. \`netlist\` is what Yosys
makes of the RTL. Times are in units of the postal model.

| collective | network | ends | bound | receipts | packets | engines |
| --- | --- | --- | --- | --- | --- | --- |
$complete_rows

\`make gf11\` runs both lines of GF11 on the RTL with a file, and prints their reports.

## Trees

The 64 leaves of a 4-ary tree of three levels (\`--tree 4,4,4\`), on routers with tables
(\`--network fat-tree\`) and on self-timed ones (\`--network fat-tree-auto\`), each in csim and RTL in
lockstep. Both take the same steps, and have the same receipts and packets.

| collective | steps | bound | receipts | packets |
| --- | --- | --- | --- | --- |
$tree_rows

## Hypercubes

On routers wired as the cube (\`--network cube\`), and on a Beneš network, which passes one dimension
of a slot in a row; each in csim and RTL in lockstep.

| broadcasts | slots | bound | receipts | packets | rows |
| --- | --- | --- | --- | --- | --- |
$cube_rows
PAGE
