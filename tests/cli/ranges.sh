#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ranges: endpoints that split ranges, on the command line: runs in exact cycles on every network
# and storage of settings, bits of programs, images, and the errors for what has no ranges.
#
# Bits are computed by hand: a range needs ⌈log₂ ports⌉ + 1 bits a node, a split 2·⌈log₂ ports⌉ + 1.
# Unpacked images are compared with their schedules. Bad input: each case with its exact status and
# message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

# holds TEXT ARGUMENT…: checks that a run on csim with ranges holds.
holds() {
    local text=$1
    shift
    accepts 'Every packet arrived in its predicted cycle.' "$text" run "$@" --programs ranges \
        --engine csim
}
for lambda in 1 3/2 2 7/3 5/2 17/5 8; do
    holds "BCAST, λ = $lambda" postal-bcast -n 22 -m 1 --lambda "$lambda"
    holds "PIPELINE-1 or -2, λ = $lambda" postal-pipeline -n 13 -m 3 --lambda "$lambda"
    holds "PIPELINE-2, λ = $lambda" postal-pipeline -n 9 -m 20 --lambda "$lambda"
done
holds "two nodes" postal-bcast -n 2 -m 1 --lambda 2
holds "a node" postal-bcast -n 1 -m 1 --lambda 2
for network in omega:8 clos:4,4,4 multicast:8 waksman:8 benes:8,pipe=2,pad=1; do
    holds "network $network" postal-bcast -n 8 -m 1 --network "$network"
done
for settings in full indexed tags masks; do
    holds "settings $settings" postal-bcast -n 8 -m 1 --lambda 2 --settings "$settings"
done
holds "a chain" path -n 9 -m 4
holds "a chain with λ" postal-dtree -d 1 -n 6 -m 5 --lambda 2
holds "given memories" postal-bcast -n 8 -m 1 --lambda 2 --memory packets=2,flits=4,rows=8
printf 'abcdefghijkl' >"$TMP/payload"
holds "a payload of one's own" postal-pipeline -n 8 -m 2 --lambda 2 --payload "$TMP/payload"

# A broadcast in rounds: node 0 keeps half of its range. It is legal in the send-receive model.
printf '%s\n' 'roundcast-schedule 1' 'algorithm halves' 'topology complete 4' \
    'model send-receive' 'demand 1 0 *' 'round 1' '0 2 1' 'round 2' '0 1 1' '2 3 1' 'end 2' \
    >"$TMP/halves.sched"
"$ROUNDCAST" route "$TMP/halves.sched" --programs ranges -o "$TMP/halves" >/dev/null
accepts 'Every packet arrived in its predicted cycle.' "rounds with barriers" simulate \
    "$TMP/halves" --engine csim
"$ROUNDCAST" route "$TMP/halves.sched" --programs ranges --reconfigure 7 -o "$TMP/held" >/dev/null
accepts 'Every packet arrived in its predicted cycle.' "… and reconfiguration" simulate \
    "$TMP/held" --engine csim

# 22 nodes, m = 1, λ = 2 end at f_2(22) = 8: F_2(t) = 1 1 2 3 5 8 13 21 34 for t = 0 … 8. Stored:
# 8 rows · 22 nodes · (2·4 + 3) bits. Ranges: 22 · (5 + 1). The source of 22 keeps 21, so its
# receiver is alone; ranges of 21, 13, 8, 5, 3 and 2 follow.
"$ROUNDCAST" schedule postal-bcast -n 22 -m 1 --lambda 2 -o "$TMP/b.sched" >/dev/null
accepts 'programs, an entry a round' "bits of programs" route "$TMP/b.sched" -o "$TMP/stored"
has '^programs, an entry a round +176 +11 +1936 +1936$' "… with an entry for each row"
"$ROUNDCAST" route "$TMP/b.sched" --programs ranges -o "$TMP/b" >"$TMP/out"
has '^programs, an entry a round +176 +11 +1936 +0$' "programs that are not needed"
has '^ranges, one a node +22 +6 +0 +132$' "a range for each node"
has '^splits, shared by all nodes +[1-8] +11 +0 +' "one table of splits"
same_schedule "the image is unpacked" "$TMP/b.sched" "$TMP/b"
check "the header of the image" grep -q 'programs=ranges splits=8$' "$TMP/b/image.hex"
check "… has the number of packets" grep -q '^// run .* packets=1$' "$TMP/b/image.hex"
for form in writes c; do
    "$ROUNDCAST" route "$TMP/b.sched" --programs ranges --image "$form" -o "$TMP/$form" >/dev/null
    accepts 'Every packet arrived in its predicted cycle.' "an image in the form $form" simulate \
        "$TMP/$form" --engine csim
done
json '"programs": "ranges"' "a report names them" run postal-bcast -n 4 -m 1 --lambda 2 --programs \
    ranges --engine csim --json
"$ROUNDCAST" run postal-bcast -n 4 -m 1 --lambda 2 --programs ranges --engine csim --waves \
    "$TMP/w.fst" --view "$TMP/v.html" >/dev/null
check "a trace and a page are written" test -s "$TMP/w.fst" -a -s "$TMP/w.gtkw" -a -s "$TMP/v.html"

# The cycles of a run do not depend on the programs.
printf '%s\n' 'roundcast-study 1' 'algorithm postal-bcast' 'n 8 13' 'm 1' 'lambda 2 5/2' \
    'programs stored ranges' 'engine csim' >"$TMP/r.study"
accepts '8 points' "a sweep" sweep "$TMP/r.study" -o "$TMP/r.sqlite"
check "… in which stored programs and ranges take the same cycles" test "$("$ROUNDCAST" sweep --csv \
    "$TMP/r.sqlite" | tail -n +2 | sed 's/"[^"]*"//g' | cut -d, -f12,14,22,33 | sort | uniq -c |
    grep -c '^ *2 ')" = 4

# A corrupt range: the host gives node 0 a range that ends at node 20, 4 or beyond the network.
for last in 14 04 1f; do
    cp -r "$TMP/b" "$TMP/bad$last"
    sed -i "s/^80000015\$/800000$last/" "$TMP/bad$last/image.hex"
    check "the range of node 0 is changed to $last" test "$(cmp -l "$TMP/b/image.hex" \
        "$TMP/bad$last/image.hex" | wc -l)" -ge 1
    roundcast simulate "$TMP/bad$last" --engine csim
    check "… which a run finds" test "$status" = 1
    check "… and reports" contains "$TMP/err" 'E60'
done

none='programs: ranges: the schedule is not a broadcast on a complete graph with one port'
refuses 2 E409 "$none" "a scatter" run scatter -n 4 -m 1 --programs ranges --engine csim
refuses 2 E409 "node 0 sends something else than the end of its range" "another tree" run \
    binomial -n 8 -m 1 --programs ranges --engine csim
refuses 2 E409 "the packets start at node 3; expected node 0" "another source" run postal-bcast \
    -n 8 -m 1 -s 3 --lambda 2 --programs ranges --engine csim
refuses 2 E409 "programs: " "packets that change their trees" run postal-swarm -n 8 -m 4 --lambda \
    2 --programs ranges --engine csim
refuses 2 E401 'width: 15 bits; expected at least 16, because the first flit of a packet holds' \
    "a word that is too narrow" run postal-bcast -n 130 -m 1 --lambda 2 --width 15 --programs \
    ranges --engine csim
refuses 2 E102 'flits: 1; expected at least 2' "a packet without a payload" run postal-bcast -n 8 \
    -m 1 --lambda 2 --flits 1 --programs ranges --engine csim
refuses 2 E401 'settings, --programs: apply only to multistage networks' "routers" run \
    cube-broadcast --dim 3 -m 1 --programs ranges --engine csim
refuses 2 E402 'machine: 2 rows for 4 splits; expected a larger --memory' "too few rows" \
    run postal-bcast -n 8 -m 1 --lambda 2 --memory packets=2,flits=4,rows=2 --programs ranges \
    --engine csim
refuses 2 E208 'image: mem is not available with --programs ranges' "files of memories" route \
    "$TMP/b.sched" --programs ranges --image mem -o "$TMP/mem"
check "… and nothing is written" test ! -e "$TMP/mem"
refuses 2 E101 "programs: 'rangers' does not exist, but 'ranges' does; expected stored, computed or ranges" \
    "another name" route "$TMP/b.sched" -o "$TMP/x" --programs rangers
finish
