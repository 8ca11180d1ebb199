#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# divided_rounds: a multistage network divides a round of a reduction that it cannot pass at once:
# an omega network one that it blocks, any network one of a hypercube. Each run compares every
# receipt with its predicted cycle, and every result in memory with the combination of the payloads.
# A schedule that is split keeps its trees. Counter-cases: the rounds are blocked if they are not
# split; nodes that send a packet in a later part of a round than they receive it; receipts that
# must keep their order.
. "$(dirname "$0")/tap.sh"

arrived='Every packet arrived in its predicted cycle.'

# trees VARIABLE: sets the variable to the certificate that the last run observed.
trees() { printf -v "$1" '%s' "$(awk '/^trees of the combined/ { print $(NF - 1) }' "$TMP/out")"; }

# whole_and_split ARGUMENT…: n nodes and three packets run on benes:8 and, split, on an omega
# network of $ports ports, with the same trees. The schedule is in $TMP/s.
whole_and_split() {
    local whole divided
    "$ROUNDCAST" schedule "$@" -n "$n" -m 3 -o "$TMP/s" >/dev/null
    accepts "$arrived" "$*, n = $n, on benes:8" run "$TMP/s" --network benes:8 --engine csim
    trees whole
    accepts "$arrived" "… on omega:$ports" run "$TMP/s" --network "omega:$ports" --split \
        --engine csim
    trees divided
    check "… with the same trees, $whole" test "$whole" = "$divided"
}

split=0
for n in {2..8}; do
    ports=$((n > 4 ? 8 : n > 2 ? 4 : 2))
    for asked in reduce "reduce --by binomial" "reduce -s 1 --by binary-tree" reduce-broadcast \
        reduce-scatter circulant-reduce-scatter; do
        # shellcheck disable=SC2086
        whole_and_split $asked
        "$ROUNDCAST" run "$TMP/s" --network "omega:$ports" --engine csim >"$TMP/out" 2>&1 ||
            split=$((split + 1))
    done
done
check "$split schedules have rounds that are blocked" test "$split" -ge 10

for d in 1 2 3 4; do
    network="benes:$((1 << d))"
    for asked in "cube-reduce -m 1" "cube-reduce -m 3 -s 1" "cube-reduce -m $((2 * d)) --by cube-trees" \
        "cube-all-reduce -m $d --by cube-single" cube-reduce-scatter; do
        # shellcheck disable=SC2086
        accepts "$arrived" "$asked, d = $d, on $network" run $asked --dim $d --network "$network" \
            --engine csim
    done
done
accepts "$arrived" "a hypercube on omega:8" run cube-reduce --dim 3 -m 2 --network omega:8 --split \
    --engine csim

# In a scan and in an exchange, nodes receive and send a packet in one round. They run unless a part
# of the round comes between.
for n in {2..8}; do
    ports=$((n > 4 ? 8 : n > 2 ? 4 : 2))
    for asked in scan exclusive-scan circulant-all-reduce; do
        whole_and_split "$asked"
    done
done
for d in 1 2 3 4; do
    for m in 1 3 8; do
        accepts "$arrived" "all-reduce, d = $d, m = $m, on benes:$((1 << d))" \
            run all-reduce --dim "$d" -m "$m" --network "benes:$((1 << d))" --engine csim
    done
done
refuses 2 E208 "round 3: node 5 receives and sends packet 1 in a round that is divided" \
    "an all-reduce whose round is divided" run all-reduce -n 6 -m 3 --network omega:8 --split

# square REDUCE TRANSFER: a round in which two transfers reach node 0 of a square.
square() {
    printf '%s\n' 'roundcast-schedule 1' 'algorithm x' 'topology hypercube 2' 'model all-port' \
        "$1" 'round 1' '1 0 1' "$2" 'end 1' >"$TMP/square"
}
square 'reduce 1 0 0,1,2' '2 0 1'
accepts "$arrived" "two receipts in a round" run "$TMP/square" --network benes:4 --engine csim
square 'reduce 1 0 0,1,2 ordered' '2 0 1'
accepts "$arrived" "… in order, in a hypercube" run "$TMP/square" --engine csim
refuses 2 E208 "round 1: node 0 combines in order and receives twice packet 1" \
    "… which a divided round does not keep" run "$TMP/square" --network benes:4 --engine csim

finish
