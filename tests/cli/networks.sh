#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# networks: Beneš networks of any size, Clos, GF11 and omega on the command line; settings and
# programs; bad input.
#
# Expected numbers are computed: bits of settings from the switches, of masks from the stages and
# levels, distinct settings from ⌈log2 n⌉ shifts, passes from the lanes that circuits share.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

holds() {
    local text=$1
    shift
    accepts 'Every packet arrived in its predicted cycle.' "$text" run "$@"
}
"$ROUNDCAST" schedule circulant -n 22 -m 40 -o "$TMP/c.sched" >/dev/null
"$ROUNDCAST" schedule matching -n 16 -m 8 -o "$TMP/m.sched" >/dev/null

holds "22 nodes on 22 ports" matching -n 22 -m 8 --network benes:22 --engine csim
holds "… and on a Clos network of 24" matching -n 22 -m 8 --network clos:3,3,8,ports=24 --engine \
    csim
holds "… and on crossbars of 3" matching -n 22 -m 8 --network benes:27,radix=3,pipe=2 --engine csim
holds "566 nodes on GF11" fibonacci -n 566 -m 16 --network gf11 --engine csim
accepts 'clos:24,24,24, 3 stages' "… whose name is that of a Clos network" run circulant -n 566 -m \
    2 --network gf11 --engine csim
holds "cyclic shifts pass an omega network" circulant -n 32 -m 8 --network omega:32 --engine csim
holds "the postal model on 14 ports" postal-bcast -n 14 -m 1 --lambda 5/2 --network \
    benes:14,pipe=1,pad=2 --engine csim

# Omega: rounds that are blocked.
refuses 2 E408 \
    'round 2: omega: stage 0, switch 0: circuits 0 → 4 and 8 → 5 both need lane 0; expected a round that passes (--split)' "a round that is blocked" run matching -n 16 -m 8 --network omega:16 --engine csim
roundcast route "$TMP/m.sched" --network omega:16 -o "$TMP/none"
check "… route reports each" grep -q \
    '^round 2: blocked at stage 0, switch 0: 0 → 4 and 8 → 5; 2 passes, at least 2$' "$TMP/out"
check "… and how many pass" grep -q '^1 of 11 rounds pass omega:16$' "$TMP/out"
check "… and writes nothing" test ! -e "$TMP/none"
accepts 'split: 10 rounds blocked, 10 rounds added, at least 10' "… split" route \
    "$TMP/m.sched" --network omega:16 --split -o "$TMP/split"
accepts 'cycles of the run                      168   168  ok' \
    "… it takes 21 rows of 8 cycles" simulate "$TMP/split" --engine csim
check "… and its schedule is legal" "$ROUNDCAST" verify "$TMP/split/schedule.sched"
roundcast route "$TMP/m.sched" --network omega:16 --split -o "$TMP/split" --json
check "… as JSON, too" grep -q '"added": 10' "$TMP/out"
check "… with every round" test "$(grep -c '"round":' "$TMP/out")" = 11
holds "… with each setting once, too" matching -n 16 -m 8 --network omega:16 --split --settings \
    indexed --engine csim
refuses 2 E408 'round 2: omega: stage 0, switch 0: circuits 0 → 4 and 8 → 5' \
    "… unless it may not be split" run matching -n 16 -m 8 --network omega:16 --settings indexed \
    --engine csim
# Rounds for which a later order of circuits needs more passes than an earlier one.
accepts 'Every packet arrived' "the fewest passes of several orders" run traffic --pattern \
    uniform:60 -n 128 --network omega:128 --split --engine csim
accepts 'Every packet arrived' "a single node, split" run matching -n 1 -m 1 --network omega:8 \
    --split --engine csim
"$ROUNDCAST" schedule matching -n 1 -m 1 -o "$TMP/single.sched" >/dev/null
"$ROUNDCAST" route "$TMP/single.sched" --network omega:8 --split -o "$TMP/single" >/dev/null
check "… leaves the schedule as it is" cmp "$TMP/single.sched" "$TMP/single/schedule.sched"
accepts 'Every packet arrived' "… which can be read" simulate "$TMP/single" --engine csim
refuses 2 E401 '--split: applies only to omega networks' \
    "splitting what passes" run matching -n 16 -m 8 --network benes:16 --split --engine csim
refuses 2 E208 'expected' "splitting the postal model" run postal-bcast -n 16 -m 1 --lambda 2 \
    --network omega:16 --split --engine csim

# Multicast: the network copies.
holds "a packet a round, copied to all" fabric-broadcast -n 22 -m 8 --source 5 --engine csim
accepts 'fabric-broadcast, 8 packets to 22 nodes, fabric-multicast: 8 rounds (bound 8)' \
    "… below the 12 rounds of one port" run fabric-broadcast -n 22 -m 8 --engine csim
holds "rounds of one port pass as well" matching -n 16 -m 8 --network multicast:16,pipe=4 --engine \
    csim
accepts 'fabric-multicast  fabric-broadcast          8      8    0' \
    "its bound in plan, beside those of one port" plan -n 22 -m 8
accepts 'fabric-multicast  m (the network copies: no one-port bound)  a node receives' \
    "… which are no bounds of it" plan -n 22 -m 8
accepts 'fabric-multicast  copied-receipts       8  *  m (the network copies' \
    "the bound by itself" bound -n 22 -m 8
accepts 'cycles of the run                       49    49  ok' \
    "… without barriers: 8 units of 4 cycles and 17 of latency" run fabric-broadcast -n 22 -m 8 \
    --model fabric-postal --engine csim
accepts 'fabric-postal: time 19/2 (bound 19/2)' \
    "… with λ that is asked for: m - 1 + λ" run fabric-broadcast -n 22 -m 8 --lambda 5/2 --engine \
    csim
accepts 'fabric-postal     m-1+λ (the network copies: no one-port bound)' \
    "… its bound in plan" plan -n 22 -m 8 --lambda 5/2
"$ROUNDCAST" schedule fabric-broadcast -n 22 -m 8 -o "$TMP/f.sched" >/dev/null
accepts 'rounds     8 (bound 8)' "its schedule is legal" verify "$TMP/f.sched"
sed 's/fabric-multicast/send-receive/' "$TMP/f.sched" >"$TMP/one-port.sched"
refuses 1 E301 'one-port.sched:8: round 1: node 0 sends packets 1 and 1; at most 1 per round' \
    "… but not with one port" verify "$TMP/one-port.sched"
accepts 'settings, each once             1           544     0   544' \
    "17 stages of 32 lanes, once for all rounds" route \
    "$TMP/f.sched" --settings indexed --programs computed -o "$TMP/f"
accepts 'Every packet arrived' "… which is all that it needs" simulate "$TMP/f" --engine csim
same_schedule "unpack follows the copies" "$TMP/f.sched" "$TMP/f"
# A node that also sends, to which no output leads, and whose number is lower than those of nodes
# with an output.
"$ROUNDCAST" schedule fabric-broadcast -n 4 -m 1 -s 3 -o "$TMP/last.sched" >/dev/null
"$ROUNDCAST" route "$TMP/last.sched" --network multicast:4 -o "$TMP/last" >/dev/null
sed -i 's/^@200000c0/@20000000\n80000000\n@200000c0/; s/end 22/end 23/' "$TMP/last/image.hex"
accepts '# node 0 sends packet 1 to no node' "… also packets that are sent to no node" unpack \
    "$TMP/last/image.hex"
check "… beside all others" test "$(grep -c '^3 [012] 1$' "$TMP/out")" = 3
json '"destination": null' "… also with --json" unpack "$TMP/last/image.hex" --json
"$ROUNDCAST" unpack "$TMP/last/image.hex" >"$TMP/last.unpacked"
accepts 'transfers  3' "… and verify does not count as transfers" verify "$TMP/last.unpacked"
refuses 2 E401 \
    'benes:32 does not copy packets, which the model fabric-multicast requires; expected multicast:N' \
    "a network that does not copy" run fabric-broadcast -n 22 -m 8 --network benes:32 --engine csim
refuses 2 E401 'multicast:24; expected a power of two' \
    "24 ports" run fabric-broadcast -n 22 -m 8 --network multicast:24 --engine csim
refuses 2 E402 '16 ports for 22 nodes; expected multicast:32 or larger' \
    "16 ports" run fabric-broadcast -n 22 -m 8 --network multicast:16 --engine csim

# Networks that combine: a receipt of many nodes.
holds "a packet a round, combined from all" fabric-reduce -n 22 -m 8 --source 5 --combine \
    saturating-sum --engine csim
accepts 'fabric-reduction: 8 rounds (bound 8)' "… below the 12 rounds of one port" run \
    fabric-reduce -n 22 -m 8 --engine csim
accepts 'receipts in their exact cycle                    8                 8  ok' \
    "… each receipt once, though 21 nodes send" run fabric-reduce -n 22 -m 8 --engine csim
holds "… a reduction of one port passes as well" reduce -n 16 -m 8 --network combine:16,pipe=4 \
    --engine csim
holds "… and a broadcast, which combines nothing" matching -n 16 -m 8 --network combine:16 --engine \
    csim
accepts 'fabric-reduction  fabric-reduce          8      8    0' "its bound in plan" plan -n 22 -m 8 \
    --collective reduce
accepts 'combined-receipts      8  *  m (the network combines' \
    "the bound by itself" bound -n 22 -m 8 --collective reduce
"$ROUNDCAST" schedule fabric-reduce -n 22 -m 8 -o "$TMP/r.sched" >/dev/null
accepts 'rounds     8 (bound 8)' "its schedule is legal" verify "$TMP/r.sched"
sed 's/fabric-reduction/send-receive/' "$TMP/r.sched" >"$TMP/one-port.sched"
refuses 1 E301 'one-port.sched:8: round 1: node 0 receives packets 1 and 1; at most 1 per round' \
    "… but not with one port" verify "$TMP/one-port.sched"
accepts 'settings, each once             1           544     0   544' \
    "17 stages of 32 lanes, once for all rounds" route "$TMP/r.sched" --settings indexed -o "$TMP/r"
accepts 'Every packet arrived' "… which is all that it needs" simulate "$TMP/r" --engine csim
"$ROUNDCAST" unpack "$TMP/r/image.hex" --round 3 >"$TMP/r.unpacked"
check "unpack follows the words that meet" test "$(grep -c '^[1-9][0-9]* 0 3$' "$TMP/r.unpacked")" \
    = 21
refuses 2 E401 'benes:32 does not combine packets, which the model fabric-reduction requires; expected' \
    "a network that does not combine" run fabric-reduce -n 22 -m 8 --network benes:32 --engine csim
refuses 2 E401 'multicast:32 does not combine packets' \
    "… nor does one that copies" run fabric-reduce -n 22 -m 8 --network multicast:32 --engine csim
refuses 2 E401 'combine:32 does not copy packets' "a network that combines copies none" run \
    fabric-broadcast -n 22 -m 8 --network combine:32 --engine csim
refuses 2 E401 'combine:24; expected a power of two' "24 ports" run fabric-reduce -n 22 -m 8 \
    --network combine:24 --engine csim
refuses 2 E402 '16 ports for 22 nodes; expected combine:32 or larger' "16 ports" run fabric-reduce \
    -n 22 -m 8 --network combine:16 --engine csim
refuses 2 E208 'computed programs repeat packets, not whether they are combined' \
    "computed programs" run fabric-reduce -n 8 -m 2 --programs computed --engine csim
refuses 2 E103 'reduce-broadcast does not keep the model fabric-reduction' "an all-reduce" schedule \
    all-reduce -n 8 -m 1 --model fabric-reduction
refuses 2 E103 'scatter does not keep the model fabric-reduction' "a scatter" schedule scatter -n 8 \
    -m 1 --model fabric-reduction
refuses 2 E208 'packets that the network combines, which the format cannot express' \
    "other tools' formats" export --to msccl "$TMP/r.sched"
refuses 2 E401 '--split: applies only to omega networks' "splitting" run fabric-reduce -n 8 -m 1 \
    --split --engine csim

# Networks that combine, then copy: all-reduces of m + 1 rounds.
holds "a packet a round, combined from all and, a round later, copied" fabric-all-reduce -n 22 -m 8 \
    --source 5 --combine min --engine csim
accepts 'fabric-all-reduce: 9 rounds (bound 9)' "… in one round more than packets" run \
    fabric-all-reduce -n 22 -m 8 --engine csim
holds "… settings once" fabric-all-reduce -n 16 -m 8 --network all-reduce:16,pipe=5,pad=1 \
    --reconfigure 7 --settings indexed --engine csim
holds "… a broadcast that it copies" fabric-broadcast -n 16 -m 8 --network all-reduce:16 --engine csim
holds "… a reduction that it combines" fabric-reduce -n 16 -m 8 --network all-reduce:16 --engine csim
holds "… and computed programs" circulant -n 16 -m 8 --network all-reduce:16 --programs computed \
    --engine csim
accepts 'combined-first      9  *  m+1, m for n = 2' "the bound by itself" bound -n 22 -m 8 \
    --collective all-reduce --model fabric-all-reduce
accepts 'combined-first      8  *' "… of two nodes" bound -n 2 -m 8 --collective all-reduce --model \
    fabric-all-reduce
holds "… which they reach" fabric-all-reduce -n 2 -m 8 --engine csim
accepts 'algorithm fabric-all-reduce' "the collective's own name selects it in the model" schedule \
    all-reduce -n 8 -m 1 --model fabric-all-reduce
"$ROUNDCAST" schedule fabric-all-reduce -n 22 -m 8 -o "$TMP/a.sched" >/dev/null
accepts 'settings, each once             1           832     0   832' \
    "26 stages of 32 lanes, once for all rounds" route "$TMP/a.sched" --settings indexed -o "$TMP/a"
"$ROUNDCAST" unpack "$TMP/a/image.hex" --round 3 >"$TMP/a.unpacked"
check "unpack follows the words that meet" test "$(grep -c '^[1-9][0-9]* 0 3$' "$TMP/a.unpacked")" \
    = 21
check "… and those that are copied" test "$(grep -c '^0 [1-9][0-9]* 2$' "$TMP/a.unpacked")" = 21
check "… and no others" test "$(grep -c '^[0-9]' "$TMP/a.unpacked")" = 42
refuses 2 E401 'combine:32 does not copy packets, which the model fabric-all-reduce requires; expected' \
    "a network that only combines" run fabric-all-reduce -n 22 -m 8 --network combine:32 --engine csim
refuses 2 E401 'multicast:32 does not combine packets, which the model fabric-all-reduce requires' \
    "… nor one that only copies" run fabric-all-reduce -n 22 -m 8 --network multicast:32 --engine csim
refuses 2 E401 'all-reduce:24; expected a power of two' "24 ports" run fabric-all-reduce -n 22 -m 8 \
    --network all-reduce:24 --engine csim
refuses 2 E402 '16 ports for 22 nodes; expected all-reduce:32 or larger' "16 ports" run \
    fabric-all-reduce -n 22 -m 8 --network all-reduce:16 --engine csim
refuses 2 E401 'tags require another network; expected benes:N' "tags" run fabric-all-reduce -n 8 \
    -m 1 --settings tags --engine csim
refuses 2 E208 'packets that the network copies, which the format cannot express' \
    "other tools' formats" export --to msccl "$TMP/a.sched"
refuses 2 E103 'reduce does not keep the model fabric-all-reduce' "a reduction" schedule reduce -n 8 \
    -m 1 --model fabric-all-reduce

holds "a Waksman network of 22" matching -n 22 -m 8 --network waksman:22 --engine csim
holds "… of 64, settings each once" binomial -n 64 -m 2 --network waksman:64,pipe=3 --settings \
    indexed --engine csim
holds "… of 5, computed programs" circulant -n 5 -m 7 --network waksman:5 --programs computed \
    --engine csim
holds "… in the postal model" postal-bcast -n 16 -m 1 --lambda 5/2 --network waksman:16 --engine \
    csim
holds "… of a hypercube" cube-single --dim 4 -m 4 --network waksman:64 --engine csim
refuses 2 E401 '--settings: tags require another network; expected benes:N' \
    "tags of a Waksman network, whose last switches would cross" run circulant -n 8 -m 1 --network \
    waksman:8 --settings tags
refuses 2 E401 '--settings: masks require another network; expected benes:N' \
    "masks of a Waksman network" run binomial -n 8 -m 1 --network waksman:8 --settings masks
refuses 2 E401 '--split: applies only to omega networks' \
    "splitting what a Waksman network passes" run matching -n 8 -m 1 --network waksman:8 --split
refuses 2 E401 '--network: 1 port; expected 2' \
    "a Waksman network of one port" run matching -n 1 -m 1 --network waksman:1
refuses 2 E401 '--settings: tags require another network; expected benes:N' \
    "tags of copies" run fabric-broadcast -n 16 -m 8 --settings tags --engine csim
accepts 'fabric-broadcast' "tune for a network that copies" tune --bytes 9286 -n 22 --network \
    multicast:32
refuses 2 E103 'in the model fabric-multicast; expected other models' \
    "… and for one that does not" tune --bytes 9286 -n 22 --network benes:32 --model \
    fabric-multicast

# Settings and programs.
accepts 'settings of each round         44            99   4356   4356' \
    "settings of each round: 9 stages of 11 switches" route "$TMP/c.sched" --network benes:22 -o \
    "$TMP/full"
accepts 'settings, each once             5            99      0    495' "indexed: 5 of them" route \
    "$TMP/c.sched" --network benes:22 --settings indexed -o "$TMP/indexed"
accepts 'classes: rows 44, shifts 44' "… as all rounds are shifts" route \
    "$TMP/c.sched" --network benes:22 -o "$TMP/full"
refuses 2 E409 'neither a cyclic shift of the 32 ports' "… but not of 32 ports" route \
    "$TMP/c.sched" --network benes:32 --settings tags -o "$TMP/none"
accepts 'tags                            5             6      0    30' "tags: 5 of 6 bits" route \
    "$TMP/c.sched" --network benes:22 --settings tags --programs computed -o "$TMP/tags"
for how in full indexed tags; do
    accepts 'Every packet arrived' "… $how holds" simulate "$TMP/$how" --engine csim
    "$ROUNDCAST" unpack "$TMP/$how/image.hex" >"$TMP/$how.circuits"
done
check "… all with the same circuits" cmp "$TMP/full.circuits" "$TMP/indexed.circuits"
check "… of tags, too" cmp "$TMP/full.circuits" "$TMP/tags.circuits"
holds "the dimensions of a hypercube are tags" cube-broadcast --dim 4 --random 13 --network \
    benes:16 --settings tags --engine csim
holds "any schedule can be indexed" fibonacci -n 22 -m 8 --settings indexed --engine csim
holds "computed programs with full settings" circulant -n 100 -m 33 --programs computed --engine \
    csim
refuses 2 E409 \
    'round 2: --settings: its circuits are neither a cyclic shift of the 32 ports nor a complement; expected one, or --settings indexed' "no shift" run matching -n 22 -m 8 --settings tags --engine csim
refuses 2 E409 'expected a schedule that repeats, such as circulant' \
    "no period" run matching -n 22 -m 8 --programs computed --engine csim
refuses 2 E401 '--settings: tags require another network; expected benes:N' \
    "tags without their stages" run circulant -n 16 -m 8 --network omega:16 --settings tags \
    --engine csim
"$ROUNDCAST" schedule binomial -n 16 -m 8 -o "$TMP/b.sched" >/dev/null
accepts 'masks, each once                4            28     0   112' \
    "masks: 7 stages of 4 bits for each of 4 complements" route \
    "$TMP/b.sched" --network benes:16 --settings masks -o "$TMP/masks"
"$ROUNDCAST" route "$TMP/b.sched" --network benes:16 -o "$TMP/unmasked" >/dev/null
"$ROUNDCAST" unpack "$TMP/unmasked/image.hex" >"$TMP/unmasked.circuits"
"$ROUNDCAST" unpack "$TMP/masks/image.hex" >"$TMP/masks.circuits"
check "… with the circuits of full settings" cmp "$TMP/masks.circuits" "$TMP/unmasked.circuits"
same_schedule "… and the schedule of before" "$TMP/b.sched" "$TMP/masks"
accepts 'Every packet arrived' "… which holds" simulate "$TMP/masks" --engine csim
refuses 2 E409 'round 4: --settings: its circuits are no affine map of the bits of the 32 port numbers' \
    "a round that has no masks" run matching -n 22 -m 8 --settings masks --engine csim
refuses 2 E401 '--settings: masks require another network; expected benes:N, N a power of two' \
    "masks without their stages" run binomial -n 16 -m 8 --network benes:24 --settings masks \
    --engine csim
refuses 2 E401 'apply only to multistage networks' \
    "settings of routers" run tree-broadcast --tree 4,4 --settings indexed --engine csim
refuses 2 E101 "--settings: 'none' does not exist; expected full, indexed, tags or masks" \
    "settings that are none" run circulant -n 16 -m 8 --settings none
refuses 2 E101 "--programs: 'all' does not exist; expected stored, computed or ranges" \
    "programs that are none" run circulant -n 16 -m 8 --programs all
refuses 2 E402 '16 ports for 22 nodes; expected benes:22 or larger' \
    "too few ports" run circulant -n 22 -m 8 --network clos:4,4,4

# unpack restores the schedule, of any collective on any network.
back() {
    local text="unpack gives back $2 of $1" network=$1
    shift
    rm -rf "$TMP/back"
    "$ROUNDCAST" schedule "$@" -o "$TMP/back.sched" >/dev/null
    # shellcheck disable=SC2086  # an option may follow it
    "$ROUNDCAST" route "$TMP/back.sched" --network $network -o "$TMP/back" >/dev/null
    same_schedule "$text" "$TMP/back/schedule.sched" "$TMP/back"
}
for network in benes:7 waksman:7 clos:3,2,4 "omega:8 --split" "benes:7 --settings indexed"; do
    back "$network" scatter -n 7 -m 2
    back "$network" gather -n 7 -m 1
    back "$network" all-gather -n 7 -m 2
    back "$network" total-exchange -n 6 -m 1
    back "$network" circulant -n 7 -m 3
done
back multicast:8 fabric-broadcast -n 8 -m 3
back multicast:8 fabric-broadcast -n 7 -m 3 --model fabric-postal --lambda 5/2
back benes:9,radix=3 postal-pipeline -n 9 -m 4 --lambda 5/2
printf '0 2 0 1\n1 0 0 0\n0 3 0 0\n0 0 0 0\n' >"$TMP/matrix"
back benes:4 traffic --matrix "$TMP/matrix"

finish
