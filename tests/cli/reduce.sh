#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reduce: reductions on the command line. Schedules that combine are built, reversed and verified;
# every command that would execute, export or draw one rejects it with the reason and leaves no
# file. Each breach has its code and exit status 1.
. "$(dirname "$0")/tap.sh"

# holds PART TEXT ARGUMENT…: checks that the schedule is reported with PART, and verifies it.
holds() {
    local part=$1 text=$2
    shift 2
    accepts "$part" "$text" schedule "$@" -o "$TMP/s.sched"
    accepts "s.sched: holds: " "… that holds ($text)" verify "$TMP/s.sched"
}

holds "8 packets of all, combined at node 0, among 22 nodes, send-receive: 12 rounds (bound 12)" \
    "a reduction" reduce -n 22 -m 8
holds "reduce by=binomial, 3 packets of all, combined at node 5, among 8 nodes" \
    "a reduction by an algorithm" reduce -n 8 -m 3 --by binomial --source 5
holds "postal: time " "a reduction with λ" reduce -n 9 -m 4 --lambda 5/2
holds "single-port: 6 rounds (bound 6)" "a reduction of a tree" reduce --tree 2,3,4 --capacity exp
holds "all-port: 4 rounds" "a reduction of a hypercube" reduce --dim 4 -m 3
holds "12 rounds (bound 12)" "a reduce-scatter" reduce-scatter -n 7 -m 2
holds "all-reduce by=" "an alias" allreduce -n 7 -m 2
holds "8 rounds (bound 8)" "an all-reduce of powers of two" halving-all-reduce -n 16 -m 4
holds "4 rounds (bound 4)" "a scan" scan -n 11 -m 1

accepts "8 rounds" "an all-reduce" schedule all-reduce -n 4 -m 3 -o "$TMP/a.sched"
accepts '"bound": 5' "JSON has the bound of the collective" verify --json "$TMP/a.sched"
reason="a.sched: no network, simulator or exporter combines packets yet"
refuses 2 E208 "$reason" "route rejects a reduction" route "$TMP/a.sched" -o "$TMP/folder"
check "… and leaves no folder" test ! -e "$TMP/folder"
accepts 'coll="allreduce"' "export to MSCCL accepts it" export --to msccl "$TMP/a.sched"
refuses 2 E208 "goal: the schedule has packets that are combined, which the format cannot express" \
    "export to GOAL rejects it" export --to goal "$TMP/a.sched" -o "$TMP/a.goal"
check "… and leaves no file" test ! -e "$TMP/a.goal"
refuses 2 E208 "$reason" "draw rejects it" draw "$TMP/a.sched"
refuses 2 E208 "$reason" "view rejects it" view "$TMP/a.sched" -o "$TMP/page.html"
check "… and leaves no page" test ! -e "$TMP/page.html"
refuses 2 E208 "$reason" "general rejects it" schedule general --demands "$TMP/a.sched"
refuses 2 E208 "no network or simulator combines packets yet" "run rejects it" run reduce -n 4 -m 1
refuses 2 E208 "--collective: reduce combines packets" "tune rejects it" \
    tune -n 4 --bytes 100 --collective reduce
refuses 2 E103 "--by: binomial reverses no other schedule" "--by of a broadcast" \
    schedule binomial -n 4 -m 1 --by path
refuses 2 E101 "--by: requires an algorithm" "--by of a plan" plan -n 4 -m 1 --by path
refuses 2 E103 "algorithm 'pahth' does not exist, but 'path' does" "--by an unknown algorithm" \
    schedule reduce -n 4 -m 1 --by pahth
refuses 2 E103 "--by: the network copies packets for fabric-broadcast" "--by what copies" \
    schedule reduce -n 4 -m 1 --by fabric-broadcast
refuses 2 E103 "expected one of multiport, because backwards a node sends on all links on which" \
    "one link to send on" schedule reduce-scatter --tree 2,2 --ports single
accepts "multiport: 5 rounds (bound 5)" "several links, unless said otherwise" \
    schedule reduce-scatter --tree 2,2 -o "$TMP/t.sched"

accepts "2 rounds" "a reduction to change" schedule reduce -n 4 -m 1 -o "$TMP/r.sched"
sed '/^3 1 1$/d' "$TMP/r.sched" >"$TMP/lost.sched"
refuses 1 E310 \
    "lost.sched:10: after round 2: the result of packet 1 at node 0 lacks the contribution of node 3" \
    "a lost contribution" verify "$TMP/lost.sched"
refuses 1 E310 "lacks the contribution of node 3" "… with --idempotent, too" \
    verify --idempotent "$TMP/lost.sched"
sed 's/^end 2$/round 3\n3 0 1\nend 3/' "$TMP/r.sched" >"$TMP/twice.sched"
refuses 1 E311 \
    "twice.sched:12: round 3: node 0 combines the contribution of node 3 to packet 1 again" \
    "a contribution that is counted twice" verify "$TMP/twice.sched"
accepts "holds: reduce" "… is accepted with --idempotent" verify --idempotent "$TMP/twice.sched"
sed 's/^reduce.*/& ordered/' "$TMP/r.sched" >"$TMP/ordered.sched"
refuses 1 E312 "ordered.sched:7: round 1: node 0 combines packet 1 of nodes 2 … 2 with that of" \
    "an order that is not kept" verify "$TMP/ordered.sched"

finish
