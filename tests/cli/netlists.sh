#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# netlists: the netlist that Yosys makes of each kind of machine, checked by the scoreboard.
#
# engine.sh, fat_tree.sh and cube.sh cover a Beneš network, a fat tree and a cube; this script
# covers the other kinds. The counter-case, an image that a netlist must not run as predicted, is in
# engine.sh. Compiling a netlist takes long, so most of them run only if every space is exhausted.
. "$(dirname "$0")/tap.sh"

# runs WHAT ARGUMENTS…: checks that the run passes. The netlist is built first, because that prints.
runs() {
    local what=$1
    shift
    "$ROUNDCAST" run "$@" --engine netlist >/dev/null 2>&1
    accepts 'Every packet arrived in its predicted cycle.' "$what" run "$@" --engine netlist
}

runs "self-timed nodes of a square" cube-broadcast --dim 2 --random 2 --network cube-auto
if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then
    runs "a Waksman network" matching -n 4 -m 2 --network waksman:4
    runs "a Clos network" matching -n 4 -m 2 --network clos:2,2,2
    runs "an omega network" circulant -n 4 -m 2 --network omega:4
    runs "a network that copies" fabric-broadcast -n 4 -m 2 --network multicast:4
    runs "self-timed routers" tree-all-gather --tree 2,2 --network fat-tree-auto
    runs "an order of rows" matching -n 4 -m 2 --network benes:4 --settings indexed
    runs "settings computed from a number" circulant -n 4 -m 2 --network benes:4 --settings tags
    runs "... and programs, too" circulant -n 4 -m 2 --network benes:4 --settings tags \
        --programs computed
    runs "ranges in place of programs" postal-bcast -n 4 -m 1 --lambda 2 --programs ranges
    runs "settings computed from masks" binomial -n 4 -m 2 --network benes:4 --settings masks
    runs "an order of rows of an omega network" circulant -n 4 -m 2 --network omega:4 --split \
        --settings indexed
    # Each operator, with the certificate of the schedule.
    for operator in sum saturating-sum min max and or xor; do
        runs "endpoints that combine by $operator" all-reduce -n 8 -m 4 --combine $operator
        runs "two partial results by $operator" window-all-reduce -n 3 -m 2 --combine $operator
        runs "… without their own" exclusive-scan -n 4 -m 2 --combine $operator
        runs "a network that combines by $operator" fabric-reduce -n 8 -m 4 --network combine:8 \
            --combine $operator
        check "… by the trees of the schedule" grep -q '^trees of the combined packets .* ok$' \
            "$TMP/out"
        runs "a network that combines by $operator and copies" fabric-all-reduce -n 8 -m 4 \
            --network all-reduce:8 --combine $operator
        check "… by its trees" grep -q '^trees of the combined packets .* ok$' "$TMP/out"
        runs "routers that combine by $operator" tree-all-reduce --tree 4,2 -m 4 --ports multi \
            --combine $operator
        check "… in the order of ports" grep -q '^trees of the combined packets .* ok$' "$TMP/out"
    done
    # Contributions from a file of each node.
    mkdir "$TMP/nodes"
    for node in 0 1 2 3 4 5 6 7; do
        printf 'file of node %d' $node >"$TMP/nodes/$node.bin"
    done
    runs "contributions from files" all-reduce -n 8 -m 4 --payload "$TMP/nodes" --combine max
    runs "… to a network that combines and copies" fabric-all-reduce -n 8 -m 4 \
        --network all-reduce:8 --payload "$TMP/nodes" --combine max
    runs "a scan" scan -n 8 -m 2
    runs "a reduce-scatter that keeps its settings" circulant-reduce-scatter -n 8 -m 1
    runs "a reduction with λ" reduce -n 8 -m 2 --lambda 5/2
fi
finish
