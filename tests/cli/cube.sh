#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cube: collectives of hypercubes on the command line: schedules, bounds, plans, sources, and the
# errors for bad input.
#
# Ends follow from the papers' formulas, computed by hand for a few cubes; every collective is
# written by each of its methods, read again and verified. Bad input: each case with its exact
# status and message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

ends() {
    local rounds=$1
    shift
    "$ROUNDCAST" schedule "$@" -o "$TMP/c.sched" >/dev/null
    accepts "rounds     $rounds" "$* ends after $rounds" verify "$TMP/c.sched"
    check "… and is the same when it is written again" cmp "$TMP/c.sched" <("$ROUNDCAST" schedule \
        "$@")
}
ends 5 cube-single --dim 5
ends 5 cube-single --dim 5 -m 2 --source 31
ends 1 cube-single --dim 1
ends 4 cube-ranked --dim 4 --sources 9,0,9,15
ends 7 cube-ranked --dim 7 --random 7 --seed 2
ends 12 cube-ranked --dim 4 --sources 9,0,9,15 --prefix tree     # 3·4
ends 8 cube-ranked --dim 4 --sources 9,0,9,15 --prefix exchange  # 2·4
ends 21 cube-ranked --dim 7 --random 7 --method tree
ends 14 cube-all-gather --dim 4                          # 2⌈16/4⌉ + 2·4 - 2
ends 15 cube-all-gather --dim 4 --method termination
ends 2 cube-all-gather --dim 2 --method optimal # ⌈3/2⌉
ends 3 cube-all-gather --dim 3 --method optimal # ⌈7/3⌉
ends 4 cube-all-gather --dim 4 --method optimal # ⌈15/4⌉
ends 7 cube-all-gather --dim 5 --method optimal # ⌈31/5⌉
ends 103 cube-all-gather --dim 10 --method optimal # ⌈1023/10⌉
ends 6 cube-unbalanced --dim 4 --sources 3,3,3          # d + K - 1
ends 12 cube-unbalanced --dim 6 --random 19 --seed 1    # a row of the golden file
ends 24 cube-broadcast --dim 4 --random 13 --seed 1     # 2⌈13/4⌉ + 4·4
ends 16 cube-broadcast --dim 4 --random 0
ends 22 cube-broadcast --dim 3 --sources 1,1,1,1,1,1,1,2,2,2,2,2,7,7,7
ends 19 cube-broadcast --dim 4 --random 13 --seed 1 --prefix exchange # 2⌈13/4⌉ + 3·4 - 1
ends 24 cube-broadcast --dim 4 --random 13 --seed 1 --prefix tree
ends 11 cube-broadcast --dim 4 --random 0 --prefix exchange
# Packets 3, 4 and 5 are of trees 3, 2 and 1: gather first keeps the bound 2⌈3/3⌉ + 2·3 - 2 = 6
# after the prefix, spread first does not.
ends 13 cube-broadcast --dim 3 --sources 3,4,5 --overlap gather
ends 14 cube-broadcast --dim 3 --sources 5,4,3 --overlap spread
ends 9 cube-broadcast --dim 3 --sources 3,4,5 --prefix exchange --overlap gather
ends 10 cube-broadcast --dim 3 --sources 3,4,5 --overlap spread --prefix exchange
ends 10 cube-broadcast --dim 3 --sources 3,4,5 --method exchange-spread
ends 4 cube-broadcast --dim 4 --random 0 --prefix exchange --overlap spread
# Rows of the golden file: it has 30 for 128 ranked packets after the prefix.
ends 10 cube-broadcast --dim 5 --random 10 --randomised
ends 10 cube-broadcast --dim 5 --random 10 --seed 1 --randomised --overlap gather
ends 11 cube-broadcast --dim 5 --random 10 --randomised --overlap spread
ends 9 cube-broadcast --dim 5 --random 10 --seed 2 --randomised
ends 40 cube-broadcast --dim 7 --random 128 --overlap spread --randomised
ends 37 cube-broadcast --dim 7 --random 128 --overlap gather --prefix exchange
ends 8 cube-broadcast --dim 4 --random 0 --randomised --overlap detect # 2·4: there is none
ends 3 cube-broadcast --dim 1 --sources 1 --randomised --overlap detect # end, packet, last packet
ends 10 cube-unbalanced --dim 6 -m 8 --sources adversary # 8 over one arc, the first in round 3
ends 32 cube-unbalanced --dim 6 -m 32 --sources adversary
ends 36 cube-broadcast --dim 6 -m 32 --sources adversary # 2⌈32/6⌉ + 4·6
ends 11 cube-reserved --dim 6 --random 40         # ⌈63/6⌉
ends 4 cube-reserved --dim 4 --random 13          # ⌈15/4⌉, optimal
ends 9 cube-reserved --dim 3 --sources 1,1,1,5    # 3·⌈7/3⌉

accepts 'topology hypercube 5' "dimensions in the file" schedule cube-single --dim 5
accepts 'model all-port' "the model in the file" schedule cube-single --dim 5
accepts 'demand 2-3 9 *' "sources in any order, a demand for each" schedule cube-ranked --dim 4 \
    --sources 9,3,9
accepts '5 packets from node 2 to 32 nodes' \
    "d packets unless -m says how many" schedule cube-single --dim 5 --source 2 -o "$TMP/c.sched"
check "--seed draws others" test \
    "$("$ROUNDCAST" schedule cube-ranked --dim 9 --random 4 | grep demand)" != \
    "$("$ROUNDCAST" schedule cube-ranked --dim 9 --random 4 --seed 2 | grep demand)"
json '"rounds": 14' "schedule as JSON" schedule cube-all-gather --dim 4 -o "$TMP/c.sched" --json
json '"holds": true' "verify as JSON" verify "$TMP/c.sched" --json

accepts 'cube-all-gather --method known' "plan knows the collectives" plan --dim 5
has '^all-port +cube-single +5 +5 +0 +5$' "… cube-single is optimal"
has '^all-port +cube-all-gather --method known +22 +7 +15 +22$' \
    "… cube-all-gather: 2⌈32/5⌉ + 2·5 - 2, and ⌈31/5⌉"
has '^all-port +cube-all-gather --method optimal +7 +7 +0 +7$' "… whose optimal method is optimal"
accepts 'it depends on where the packets start (--sources or --random)' "plan of 40 packets" \
    plan --dim 5 -m 40
has '^all-port +cube-broadcast --method tree +36 +8 +28 +36$' \
    "… 2·8 + 20, and ⌈31·40/(5·32)⌉"
has '^all-port +cube-broadcast --method exchange +30 +8 +22 +30$' "… 2·8 + 14"
for method in tree-gather tree-spread exchange-gather exchange-spread random-gather random-spread
do
    has "^all-port +cube-broadcast --method $method +- +8 +- *[0-9]*\$" \
        "… the overlap of phases is known only once built, $method"
done
has '^all-port +cube-unbalanced +- +8 +- +44$' "… the effect of queues is known only once built"
check "… no more than d packets have the others" test \
    "$(grep -c 'cube-ranked\|cube-single\|all-gather' "$TMP/out")" = 0
accepts '' "plan of packets that have a place" plan --dim 4 --random 13
check "… ranks what no formula predicts, the least rounds first" bash -c \
    "sed -n 3p '$TMP/out' | grep -qE '^all-port +cube-unbalanced +8 +4 +4 +16\$'"
check "… all of it" bash -c "! grep -q ' - ' '$TMP/out'"
check "… as schedule makes it" test "$("$ROUNDCAST" schedule cube-unbalanced --dim 4 --random 13 |
    tail -1)" = 'end 8'
accepts 'cube-broadcast' "plan of no packet" plan --dim 4 --random 0
has '^all-port +cube-broadcast --method exchange-gather +4 +0 +4 +10$' "… the prefix alone"
check "… nothing to be drawn, and the ends alone" test \
    "$(grep '^all-port  .*random-' "$TMP/out" | tr -s ' ')" = \
    'all-port cube-broadcast --method random-detect 8 0 8 8'
accepts 'algorithm cube-broadcast method=random-spread' \
    "the method in the file" schedule cube-broadcast --dim 4 --random 3 --randomised --overlap \
    spread
check "… whose trees the seed draws" test \
    "$("$ROUNDCAST" schedule cube-broadcast --dim 5 --sources 1,2,3 --randomised)" != \
    "$("$ROUNDCAST" schedule cube-broadcast --dim 5 --sources 1,2,3 --randomised --seed 2)"
json '"bound": 8' "plan as JSON" plan --dim 5 -m 40 --json
accepts 'all-port, simultaneous' "bound knows hypercubes" bound --dim 5 -m 40
has '^all-port, simultaneous +diameter +5 ' "… d"
has '^all-port, simultaneous +receipts +8 +\* ' "… ⌈31·40/(5·32)⌉ is the tightest"
has '^all-port, all-gather +receipts +7 +\* ' "… of 32 packets"
json '"collective": "simultaneous"' "bound as JSON" bound --dim 5 --sources 1,2 --json
accepts 'hypercube: each arc carries at most 1 packet' "list describes the model" list
has '^cube-broadcast +all-port' "… and the algorithms"

refuses 2 E102 '--dim: 0 is out of range; expected 1 … 24' \
    "no dimension" schedule cube-single --dim 0
refuses 2 E102 '--dim: 25 is out of range; expected 1 … 24' "too many dimensions" plan --dim 25
refuses 2 E102 '-n: 15; expected 16, the nodes of the hypercube' \
    "other nodes" schedule cube-single --dim 4 -n 15
refuses 2 E101 '--dim cannot be used together with --tree' "two topologies" schedule cube-single --dim 4 --tree 4,4
refuses 2 E101 '--sources requires --dim' \
    "sources of no hypercube" schedule matching -n 4 -m 1 --sources 1
refuses 2 E101 '--random requires --dim' \
    "random sources of no hypercube" plan -n 4 -m 1 --random 1
refuses 2 E101 '--random cannot be used together with --sources' \
    "sources twice" schedule cube-ranked --dim 4 --sources 1 --random 1
refuses 2 E101 "--sources: '1,x'; expected nodes such as 5,0,5" \
    "sources that are none" schedule cube-ranked --dim 4 --sources 1,x
refuses 2 E102 '--sources: node 16 is out of range; expected 0 … 15' \
    "a source that is no node" schedule cube-ranked --dim 4 --sources 1,16
refuses 2 E102 '--random: 17 is out of range; expected 0 … 16' \
    "more sources than nodes" schedule cube-broadcast --dim 4 --random 17
refuses 2 E102 '-m: 3 packets; expected 2, one for each source' \
    "other packets than sources" schedule cube-broadcast --dim 4 --sources 1,2 -m 3
refuses 2 E101 '--sources: requires a value' "no sources" schedule cube-broadcast --dim 4 --sources
refuses 2 E101 '--source: requires a value; expected NODE' "no source" schedule cube-single --dim 4 --source
refuses 2 E101 '--seed: ' "a seed that is no number" schedule cube-broadcast --dim 4 --random 1 \
    --seed x
refuses 2 E102 '-s: 16 is out of range' \
    "a source out of range" schedule cube-single --dim 4 --source 16
refuses 2 E103 'cube-single of 5 packets; expected 1 … 4' \
    "too many packets for d rounds" schedule cube-single --dim 4 -m 5
refuses 2 E103 'cube-ranked of 5 packets; expected 1 … 4' \
    "too many ranks" schedule cube-ranked --dim 4 --random 5
refuses 2 E103 'cube-unbalanced of 0 packets; expected 1 …' \
    "no packet" schedule cube-unbalanced --dim 4 --random 0
refuses 2 E103 'expected --sources or --random' \
    "no sources" schedule cube-broadcast --dim 4 -m 3
refuses 2 E103 'expected no -m, --sources or --random' \
    "sources of a multinode broadcast" schedule cube-all-gather --dim 4 --sources 3
refuses 2 E103 'expected source 0' "a source for a broadcast that has several" \
    schedule cube-broadcast --dim 4 --random 3 --source 3
refuses 2 E103 'expected known termination' \
    "no such method" schedule cube-all-gather --dim 4 --method lazy
refuses 2 E103 'cube-broadcast runs on a hypercube; expected --dim' \
    "no hypercube" schedule cube-broadcast -n 16 -m 1
refuses 2 E103 'expected no --dim' "another topology" schedule matching --dim 4
refuses 2 E103 'expected one of all-port' \
    "another model" schedule cube-single --dim 4 --model telephone
refuses 2 E104 'does not fit in memory' "too large" schedule cube-all-gather --dim 24
refuses 2 E103 \
    'expected tree exchange tree-gather tree-spread exchange-gather exchange-spread random-gather random-spread' "no such way" schedule cube-broadcast --dim 4 --random 3 --method gather
refuses 2 E101 "--prefix: 'fold' does not exist; expected tree or exchange" \
    "no such prefix" schedule cube-broadcast --dim 4 --random 3 --prefix fold
refuses 2 E101 "--overlap: 'both' does not exist; expected gather, spread or detect" \
    "no such priority" schedule cube-broadcast --dim 4 --random 3 --overlap both
refuses 2 E101 '--overlap: requires a value; expected PHASE' \
    "no priority" schedule cube-broadcast --dim 4 --random 3 --overlap
refuses 2 E101 '--randomised=1: accepts no value' \
    "a value too many" schedule cube-broadcast --dim 4 --random 3 --randomised=1
refuses 2 E101 '--prefix cannot be used together with --randomised, which needs no ranks' \
    "ranks for a method without ranks" schedule cube-broadcast --dim 4 --random 3 --randomised --prefix tree
refuses 2 E101 '--prefix cannot be used together with --method' \
    "a prefix twice" schedule cube-broadcast --dim 4 --random 3 --method tree --prefix tree
refuses 2 E101 '--overlap cannot be used together with --method' \
    "a priority twice" schedule cube-broadcast --dim 4 --random 3 --method tree --overlap gather
refuses 2 E101 '--randomised cannot be used together with --method' \
    "drawn twice" schedule cube-broadcast --dim 4 --random 3 --method random-gather --randomised
for option in '--prefix exchange' '--overlap gather' '--randomised'; do
    # shellcheck disable=SC2086 # two words
    refuses 2 E103 "${option% *}: not for cube-unbalanced; expected cube-broadcast" \
        "$option of another algorithm" schedule cube-unbalanced --dim 4 --random 3 $option
    # shellcheck disable=SC2086
    refuses 2 E103 "${option% *}: not for matching; expected cube-broadcast" \
        "… on another topology" schedule matching -n 4 -m 1 $option
    # shellcheck disable=SC2086
    refuses 2 E103 "${option% *}: not for all algorithms; expected cube-broadcast" \
        "… of a plan" plan --dim 4 --random 3 $option
    # shellcheck disable=SC2086
    refuses 2 E103 "${option% *}: not for all algorithms; expected cube-broadcast" \
        "… of a bound" bound --dim 4 --random 3 $option
done
refuses 2 E103 'randomised cube-broadcast of 0 packets; expected 1 …' \
    "no packet that draws" schedule cube-broadcast --dim 4 --random 0 --randomised
refuses 2 E101 '--seed: nothing is drawn; expected --pattern, --random or --randomised with it' \
    "a seed of nothing" schedule cube-broadcast --dim 4 --sources 3 --seed 2
refuses 2 E101 '--seed: nothing is drawn' \
    "a seed of another algorithm" schedule path -n 4 -m 1 --seed 2

refuses 2 E101 '--overlap detect requires --randomised: the roots of ranked packets know the end' \
    "detection of a known end" schedule cube-broadcast --dim 4 --random 3 --overlap detect
refuses 2 E103 '--overlap: not for cube-ranked; expected cube-broadcast' \
    "a rotation with an overlap" schedule cube-ranked --dim 4 --random 3 --overlap gather
refuses 2 E103 '--randomised: not for cube-ranked; expected cube-broadcast' \
    "a rotation without ranks" schedule cube-ranked --dim 4 --random 3 --randomised
refuses 2 E103 '--prefix: not for cube-unbalanced; expected cube-broadcast or cube-ranked' \
    "ranks of an algorithm without" schedule cube-unbalanced --dim 4 --random 3 --prefix tree
refuses 2 E101 '-m is required: --sources adversary places that many packets' \
    "an adversary without packets" schedule cube-unbalanced --dim 4 --sources adversary
refuses 2 E102 '-m: 9 is out of range; expected 1 … 8' \
    "an adversary with too many" schedule cube-unbalanced --dim 4 -m 9 --sources adversary
refuses 2 E101 '--random cannot be used together with --sources' \
    "an adversary that draws" schedule cube-unbalanced --dim 4 -m 3 --random 3 --sources adversary
refuses 2 E101 "--sources: 'adversary,3'; expected nodes such as 5,0,5" \
    "an adversary and a node" schedule cube-unbalanced --dim 4 -m 3 --sources adversary,3

# Guarantees of theorems, next to the ends and, if there are no ends, in bound.
accepts 'guarantee of' "the theorems of a plan" plan --dim 4 --random 13
has '^all-port, cube-broadcast --method tree +2⌈K/d⌉\+4d +Stamoulis, Tsitsiklis, section 3.2$' \
    "… their formulas and sources"
has '^all-port +cube-broadcast --method tree +24 +4 +20 +24$' "… 2⌈13/4⌉ + 4·4"
has '^all-port +cube-broadcast --method exchange-gather +12 +4 +8 +18$' "… 4 + 2⌈13/4⌉ + 6"
has '^all-port +cube-broadcast --method tree-spread +[0-9]+ +4 +[0-9]+ *$' "… none of the spread"
json '"guarantee": 24' "… as JSON" plan --dim 4 --random 13 --json
accepts 'guarantee' "the theorems of a bound" bound --dim 4 --random 13
has '^all-port +cube-unbalanced +16 +d\+K-1 +Stamoulis, Tsitsiklis, section 3.3.1$' "… 4 + 13 - 1"
json '"guarantees": [' "… as JSON" bound --dim 4 --random 13 --json

# Given sources: 40 of the 64 nodes are far enough from one; the worst 40: 2 + ⌈40/6⌉. Eight packets
# of one node: 3 + 8/4.
accepts 'arrivals' "bounds of given sources" bound --dim 6 --random 40
has '^all-port, simultaneous +arrivals +8 +\* ' "… tighter than ⌈63·40/(6·64)⌉ = 7"
has '^W_6\(40\) +≥ 9 +≤ 11 +ours: cube-reserved$' "… and for the worst sources"
accepts 'departures' "… of one node" bound --dim 4 --sources 3,3,3,3,3,3,3,3
has '^all-port, simultaneous +departures +5 +\* ' "… 3 + 8/4"
accepts 'W_10(50)' "the worst sources of a large cube" bound --dim 10 -m 50
has '^W_10\(50\) +≥ 12 +≤ 38 +ours: cube-broadcast, method exchange-gather$' "… 2·5 + 3·10 - 2"
accepts 'W_10(5)' "few of them" bound --dim 10 -m 5
has '^W_10\(5\) +≥ 10 +≤ 14 .*cube-unbalanced$' "… d + K - 1"
accepts 'W_5(1)' "a single one" bound --dim 5 -m 1
has '^W_5\(1\) +≥ 5 +≤ 5 ' "… d rounds"

# The tail bound, next to N: 8 packets and 4 trees; 8(2e/5)^5 > 1, 8(2e/8)^8 = 0.364.
accepts 'P(N ≥ ' "bound shows the largest random tree" bound --dim 4 --random 8
accepts '"functions": {' "… as JSON" bound --dim 4 --random 8 --json
if "$ROUNDCAST" bound --dim 4 -m 8 | grep -q 'P(N'; then
    not_ok "no trees of unknown sources"
else
    ok "no trees of unknown sources"
fi

# On hardware.
for network in cube cube,pad=2 cube-auto cube-auto,pad=2 benes:16; do
    accepts 'Every packet arrived in its predicted cycle.' \
        "runs on $network" run cube-broadcast --dim 4 --random 5 --network "$network" --engine csim
done
"$ROUNDCAST" schedule cube-all-gather --dim 3 -o "$TMP/m.sched" >/dev/null
accepts '10 rows' "a row for each round" route "$TMP/m.sched" -o "$TMP/m"
has '^level +routers +ports +a buffer needs' "… and what its routers need"
accepts 'Every packet arrived' "… which runs" simulate "$TMP/m" --engine csim
accepts 'hypercube: 10 rounds, a row for each of 3 dimensions up to the last in use: 29 rows' \
    "rows on a Beneš network" route "$TMP/m.sched" --network benes:8 -o "$TMP/m"
accepts 'Every packet arrived' "… which runs, too" simulate "$TMP/m" --engine csim
json '"rounds": 10' "… as JSON" route "$TMP/m.sched" --network benes:8 -o "$TMP/m" --json
accepts 'Every packet arrived' "ranks computed by a prefix" run cube-ranked --dim 4 --random 4 \
    --prefix tree --engine csim
accepts 'Every packet arrived' "… on a Beneš network" run cube-ranked --dim 3 --random 3 \
    --prefix exchange --network benes:8 --engine csim
accepts 'Every packet arrived' "a detected end" run cube-broadcast --dim 4 --random 9 \
    --randomised --overlap detect --engine csim
accepts 'Every packet arrived' "… on a Beneš network" run cube-broadcast --dim 3 --random 5 \
    --randomised --overlap detect --network benes:8 --engine csim
refuses 2 E208 'expected a schedule of cube-broadcast by its first method' \
    "a detected end on self-timed nodes" run cube-broadcast --dim 3 --random 3 --randomised \
    --overlap detect --network cube-auto --engine csim
accepts 'Every packet arrived' "reserved rounds" run cube-reserved --dim 5 --random 12 --engine csim
accepts 'Every packet arrived' "… on a Beneš network" run cube-reserved --dim 3 --random 5 \
    --network benes:8 --engine csim
refuses 2 E208 'expected a schedule of cube-broadcast by its first method' \
    "… on self-timed nodes" run cube-reserved --dim 3 --random 3 --network cube-auto --engine csim
accepts 'Every packet arrived' "an adversary's packets" run cube-unbalanced --dim 4 -m 8 \
    --sources adversary --engine csim
accepts 'Every packet arrived' "the optimal all-gather on the cube" run cube-multinode --dim 5 \
    --method optimal --engine csim
accepts 'Every packet arrived' "… and on a Beneš network" run cube-multinode --dim 3 \
    --method optimal --network benes:8 --engine csim
# Lockstep, and the netlist. Building an engine prints messages, so each engine is built first.
for engine in rtl netlist; do
    "$ROUNDCAST" run cube-broadcast --dim 2 --random 2 --engine "$engine" >/dev/null 2>&1
    accepts 'Every packet arrived in its predicted cycle.' \
        "the square on $engine" run cube-broadcast --dim 2 --sources 3,3,1 --engine "$engine"
done
accepts 'Every packet arrived in its predicted cycle.' \
    "… in lockstep" run cube-broadcast --dim 2 --random 4 --engine both
for engine in rtl netlist; do
    accepts 'Every packet arrived in its predicted cycle.' "the optimal all-gather on $engine" \
        run cube-multinode --dim 2 --method optimal --engine "$engine"
done
"$ROUNDCAST" schedule cube-broadcast --dim 3 --sources 2,5,5 -o "$TMP/a.sched" >/dev/null
accepts 'cube-auto of 3 dimensions, 8 routers' "self-timed nodes, of a file" route \
    "$TMP/a.sched" --network cube-auto -o "$TMP/a"
has '^level +routers +ports +a buffer needs +a buffer holds +a queue needs +a queue holds$' \
    "… and what they need"
accepts 'Every packet arrived' "… which run" simulate "$TMP/a" --engine csim
accepts 'Every packet arrived' "… without any packet" run cube-broadcast --dim 3 --random 0 \
    --network cube-auto --engine csim
accepts 'Every packet arrived' "… with the fewest flits" run cube-broadcast --dim 3 --sources \
    1,1,1 --network cube-auto --engine csim --flits 2
refuses 2 E208 'round 1 differs from what its nodes do' "a transfer too many" route <(sed \
    '/^round 1$/a 2 3 1' "$TMP/a.sched") --network cube-auto -o "$TMP/no"
refuses 2 E208 'expected a schedule of cube-broadcast by its first method' \
    "another way" run cube-broadcast --dim 3 --random 3 --method exchange --network cube-auto \
    --engine csim
refuses 2 E208 'expected a schedule of cube-broadcast by its first method' \
    "the optimal all-gather on self-timed nodes" run cube-multinode --dim 3 --method optimal \
    --network cube-auto --engine csim
refuses 2 E208 'the control packets differ from those of its nodes' \
    "another algorithm" run cube-all-gather --dim 3 --network cube-auto --engine csim
refuses 2 E402 'expected benes:16 or larger' \
    "too small a Beneš network" run cube-single --dim 4 --network benes:8
"$ROUNDCAST" route "$TMP/m.sched" -o "$TMP/cube" >/dev/null
refuses 2 E208 'a machine of routers; expected that of a multistage network' "unpack" unpack \
    "$TMP/cube/image.hex"
refuses 2 E401 'expected cube, cube-auto, or a multistage network' \
    "a network of another topology" run cube-single --dim 4 --network fat-tree
accepts 'n0 -> n1' "draw knows hypercubes" draw "$TMP/c.sched"

# Exit 1: breaches of the model; in line 8 node 3 sends packet 1, in line 9 node 9 packet 2.
"$ROUNDCAST" schedule cube-ranked --dim 4 --sources 9,3 -o "$TMP/r.sched" >/dev/null
check "the lines that are changed below are as expected" test \
    "$(sed -n '8,9p' "$TMP/r.sched" | tr '\n' ' ')" = '3 2 1 9 11 2 '
sed '9s/.*/&\n&/' "$TMP/r.sched" >"$TMP/arc.sched"
refuses 1 E306 \
    'arc.sched:10: round 1: the arc from node 9 to node 11 over dimension 2 carries packets 2 and 2; at most 1 per round' "two packets on an arc" verify "$TMP/arc.sched"
sed '9s/2$/1/' "$TMP/r.sched" >"$TMP/held.sched"
refuses 1 E302 'held.sched:9: round 1: node 9 sends packet 1, which it does not hold' \
    "a packet that is not held" verify "$TMP/held.sched"
sed '0,/^round 4/{/^round 4/{n;d}}' "$TMP/r.sched" >"$TMP/unmet.sched"
refuses 1 E303 'has not received packet 1; the demand wants it there' \
    "a packet that never comes" verify "$TMP/unmet.sched"
sed '9s/ 11 / 12 /' "$TMP/r.sched" >"$TMP/link.sched"
refuses 2 E211 \
    'link.sched:9: no arc joins 9 and 12; expected numbers that differ in one bit' \
    "a transfer without an arc" verify "$TMP/link.sched"

# Values of control packets: packet 9 is the total, which node 0 sends to nodes 1 and 2 in round 5.
"$ROUNDCAST" schedule cube-broadcast --dim 2 --sources 0,3 -o "$TMP/v.sched" >/dev/null
check "the lines that are changed below are as expected" test \
    "$(sed -n '/^control 9/p;/^round 5/,/^round 6/p' "$TMP/v.sched" | tr '\n' ' ')" = \
    'control 9 0 1,2 2 nodes 0-3 from 3,5 round 5 0 1 9 0 2 9 round 6 '
accepts 'holds' "values that are made of received packets" verify "$TMP/v.sched"
sed 's/^control 9 0 1,2 2 /control 9 0 1,2 77 /' "$TMP/v.sched" >"$TMP/77.sched"
sed '/^round 5/,/^0 2 9/d;/^round 1$/a 0 1 9\n0 2 9' "$TMP/v.sched" >"$TMP/early.sched"
for made in '' ' nodes 0-3' ' nodes 0-3 from 3' ' nodes 0-3 from 3,4,5' ' nodes 0-3 from 5,3'; do
    sed "s/^control 9.*/control 9 0 1,2 2$made/" "$TMP/v.sched" >"$TMP/made.sched"
    if [ -z "$made" ]; then
        refuses 2 E204 \
            "made.sched:13: the line ends; expected 'nodes', 'packets' or 'none', what the value is made of" "a value without its parts" verify "$TMP/made.sched"
    else
        refuses 1 E308 \
            'made.sched:13: packet 9 of control counts nodes 0 … 3, and its parts go astray at node ' "a value of$made" verify "$TMP/made.sched"
    fi
done
refuses 1 E307 \
    '77.sched:13: packet 9 of control carries 77; expected 2, the packets that start at nodes 0 … 3' "a wrong total" verify "$TMP/77.sched"
refuses 1 E309 \
    'early.sched:17: round 1: node 0 sends packet 9, whose value is made of packet 3; expected that one to have reached it in an earlier round' "a total before its summands" verify "$TMP/early.sched"
for network in cube cube-auto benes:4; do
    refuses 1 E307 'carries 77' "… on $network" route "$TMP/77.sched" --network "$network" -o \
        "$TMP/no"
    refuses 1 E309 'sends packet 9' "… too early on $network" route "$TMP/early.sched" --network \
        "$network" -o "$TMP/no"
done
accepts 'Every packet arrived in its predicted cycle.' \
    "values on an omega network, with rounds split" run cube-broadcast --dim 3 --sources 0,3,5 \
    --network omega:8 --split --engine csim

finish
