#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# outcomes: reports of commands in the cases that leave a part of them out.
#
# A part of a report is left out if there is nothing to print: a bound, a guarantee, a best
# algorithm, the classes of permutations, the rounds before one. Expected values are counted by hand
# (a schedule of 2 rounds written here), or follow from the definitions: F_1(t) = t + 1, f_1(n) =
# n - 1. Each part is also printed once, by the same command with another input.
. "$(dirname "$0")/tap.sh"
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
cd "$TMP" || exit

# lacks PART TEXT: checks that the last output does not contain the part.
lacks() { if contains out "$1"; then not_ok "$2" "$1 in: $(<out)"; else ok "$2"; fi; }

# -- Schedules without a collective ----------------------------------------------------------------

# Nodes 1 and 2 of 4 contribute to a result at node 0.
printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology complete 4' 'model send-receive' \
    'reduce 1 0 1,2' 'round 1' '1 2 1' 'round 2' '2 0 1' 'end 2' >part.sched
"$ROUNDCAST" schedule matching -n 4 -m 2 -o m.sched >/dev/null
"$ROUNDCAST" schedule binomial -n 4 -m 2 -o b.sched >/dev/null
accepts 'rounds      2, 2 after compaction' "judge: no bound" judge part.sched
lacks 'best known' "… and no best algorithm"
accepts 'best known  3' "(a broadcast has both)" judge m.sched
json '"compact": 2' "… as JSON" judge part.sched --json
lacks '"bound"' "… without a bound"
lacks '"best"' "… without a best algorithm"
json '"best"' "(a broadcast has both)" judge m.sched --json
accepts 'part.sched' "verify: a table with a file without a bound" verify part.sched m.sched
has '^part.sched +holds +demands of 1 packet +send-receive +2 +- +-$' "… has neither bound nor gap"
has '^m.sched +holds .* +3 +3 +0$' "(a broadcast has both)"
refuses 2 E208 'its demands are those of no algorithm' "plan: no algorithm" plan --with part.sched

accepts 'keeps all rules' "run: no bound" run part.sched --engine none
lacks 'bound' "… is printed"
accepts 'bound 3' "(a broadcast has one)" run m.sched --engine none

echo 'path -n 3 -m 1 --view a.csv' >page.batch
refuses 2 E101 'page.batch:1: --view: a.csv ends in .csv, but a page of HTML is written' \
    "run: a line of a batch with another file than a page" run --batch page.batch --engine csim

# -- plan ------------------------------------------------------------------------------------------

accepts 'bound' "plan: a node alone" plan -n 1 -m 1
lacks 'source' "… has no source of a bound"
accepts 'bound of' "(two nodes have one)" plan -n 2 -m 1
accepts 'm.sched' "plan: --top keeps the best algorithm, and all schedules" plan --top 1 \
    --with m.sched --with b.sched --model send-receive
has '^send-receive +b.sched +4 +3 +1' "… also a schedule that is slower than it"
check "… three rows in all" test "$(grep -c '^send-receive  [^ ]* * [0-9]' out)" = 3
with=()
for _ in {1..16}; do with+=(--with m.sched); done
accepts 'm.sched' "plan: 16 schedules" plan --model send-receive "${with[@]}"
refuses 2 E101 '--with: another schedule; expected at most 16' "… and no more" plan "${with[@]}" \
    --with m.sched
refuses 2 E101 'm.sched is a schedule of another problem' "plan: a schedule of another problem" \
    plan -n 4 -m 3 --with m.sched

# Both packets have to cross two dimensions.
printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology hypercube 2' 'model all-port' \
    'demand 1 0 3' 'demand 2 1 2' 'end 0' >demands.sched
accepts 'general' "plan: demands on a hypercube" plan --demands demands.sched
has '^all-port +general +2 +2 +0$' "… have an end"

# -- bound -----------------------------------------------------------------------------------------

accepts 'F_1(3)' "bound: trees of degree 1" bound -n 4 -m 2 -d 1 --time 3
has '^F_1\(3\) +4 *$' "… F_1(3) = 4, without a guarantee"
has '^f_1\(4\) +3 *$' "… f_1(4) = 3, without a guarantee"
json '"F_1(3)": "4"' "… as JSON" bound -n 4 -m 2 -d 1 --time 3 --json
json '"function_guarantees": {}' "… without guarantees" bound -n 4 -m 2 -d 1 --time 3 --json
accepts 'f_2(22)' "bound: (of degree 2)" bound -n 22 -m 2 -d 2
has '^f_2\(22\) +6 +≤' "(they have one)"
json '"W_2(3)": "≥ 2"' "bound: sources that are not given" bound --dim 2 -m 3 --json
lacks '"N"' "… have no largest tree"
json '"N": ' "bound: more packets than nodes" bound --dim 2 --sources 0,0,1,2,3 --json
lacks '"W_2' "… have no worst sources"
json '"W_6(20)"' "bound: 20 random sources" bound --dim 6 --random 20 --json
check "… two probabilities, of the largest tree and of 1 %" test "$(grep -c '"P(N ≥ ' out)" = 2

# -- route and unpack ------------------------------------------------------------------------------

"$ROUNDCAST" schedule reduce -n 4 -m 1 -o r.sched >/dev/null
json '"classes"' "route: the classes of rounds" route m.sched -o m --json
json '"field_bits"' "route: a network that combines" route r.sched -o r --network combine:4 --json
lacks '"classes"' "… has no classes"
json '"round": 2' "unpack: a round as JSON" unpack m --round 2 --json
check "… alone" test "$(grep -c '"round": ' out)" = 1
# In round 2 of 3 the two packets of node 0 reach nodes 1 and 3.
check "… with its two circuits" test "$(grep -c '"source": ' out)" = 2
json '"round": 3' "(all rounds)" unpack m --json
check "(are three)" test "$(grep -c '"round": ' out)" = 3
lacks '"held"' "… whose senders hold what they send"
refuses 2 E102 '-r: 4 is out of range; expected 1 … 3' "unpack: a round after the last" \
    unpack m --round 4 --json

printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology complete 4 shared 2' \
    'model send-receive' 'demand 1 0 0,2' 'round 1' '1 3 1' 'end 1' >shared.sched
accepts 'holds' "verify: endpoints that share a memory" verify shared.sched
# Node 1 shares the memory of node 0, and sends the packet that is there. In round 2 the program is
# changed: the bits above the slot select the memory of node 1, which does not hold it.
printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology complete 6 shared 2' \
    'model send-receive' 'demand 1 0 0,2,4' 'round 1' '1 3 1' 'round 2' '1 5 1' 'end 2' >s.sched
"$ROUNDCAST" route s.sched -o s >/dev/null
accepts '1 5 1' "unpack: endpoints that share a memory" unpack s
lacks '#' "… hold what they send"
sed '/^@20000041/{n;s/^80000000$/80000010/}' s/image.hex >s/other.hex
cmp -s s/image.hex s/other.hex && not_ok "the program is changed"
accepts '1 5 1  # the memory of endpoint 1 does not hold it' "unpack: another memory" unpack \
    s/other.hex
check "… in one line" test "$(grep -c '#' out)" = 1
json '"held": false' "… as JSON" unpack s/other.hex --round 2 --json
json '"round": 1' "(the first round)" unpack s/other.hex --round 1 --json
lacks '"held"' "(is not changed)"

finish
