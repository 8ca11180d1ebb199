#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# general: arbitrary demands on the command line, from the file to the last receipt on csim, and
# options that are incompatible with them.
#
# Expected ends are computed by hand.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

# demands FILE N MODEL LINE…: writes a schedule without rounds.
demands() {
    local file=$1 nodes=$2 model=$3
    shift 3
    printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' "topology complete $nodes" \
        "model $model" "$@" 'end 0' >"$file"
}

# Node 0 sends 3 packets, and the last needs 3 rounds to reach 7 nodes: 5.
demands "$TMP/d.sched" 8 send-receive 'demand 1-3 0 *' 'demand 4 3 1,2,5' 'demand 5-6 7 0,3'
accepts 'general, 6 packets among 8 nodes, send-receive: 5 rounds (bound 5), 28 transfers' \
    "demands of several sources take 5 rounds" \
    schedule general --demands "$TMP/d.sched" -o "$TMP/g.sched"
accepts 'holds: general, 6 packets, 8 nodes' "… and hold" verify "$TMP/g.sched"
has 'rounds +5 \(bound 5\)' "… with the bound of their demands"
check "… the demands are those of the file" \
    cmp <(grep '^demand' "$TMP/d.sched") <(grep '^demand' "$TMP/g.sched")
accepts 'Every packet arrived in its predicted cycle.' "… and run" \
    run general --demands "$TMP/d.sched" --engine csim
accepts '' "rounds of a file are not looked at" \
    schedule general --demands "$TMP/g.sched" -o "$TMP/again.sched"
check "… and the schedule is the same again" cmp "$TMP/g.sched" "$TMP/again.sched"
sed -i '$d' "$TMP/g.sched" && sed -i '$d' "$TMP/g.sched" && echo 'end 5' >>"$TMP/g.sched"
refuses 1 E303 'has not received packet' "a packet fewer is missed" verify "$TMP/g.sched"

# 2 packets to 2 other nodes: 2 - 1 + 2. In postal 5/2 the second packet leaves at 1 and has reached
# both at 9/2 if it leaves again at 2; the first then reaches one of them from the other, at
# 5/2 + 5/2.
demands "$TMP/few.sched" 100 send-receive 'demand 1-2 30 10,20'
accepts ': 3 rounds (bound 3)' "a broadcast to some of the nodes" \
    schedule general --demands "$TMP/few.sched" -o "$TMP/o.sched"
accepts 'packets from node 30 to 2 nodes, postal: time 5 (bound 9/2)' "… with a λ" \
    schedule general --demands "$TMP/few.sched" --lambda 5/2 -o "$TMP/o.sched"
demands "$TMP/postal.sched" 100 'postal 5/2' 'demand 1-2 30 10,20'
accepts 'time 5 (bound 9/2)' "… of the file" \
    schedule general --demands "$TMP/postal.sched" -o "$TMP/o.sched"
accepts ': 3 rounds (bound 3)' "… by telegraph, two pairs in a round with another node" \
    schedule general --demands "$TMP/few.sched" --model telegraph -o "$TMP/o.sched"

demands "$TMP/help.sched" 4 send-receive 'demand 1-2 0 1,2'
accepts ': 3 rounds (bound 3)' "… the same with one node more" \
    schedule general --demands "$TMP/help.sched" --model telegraph -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"
demands "$TMP/three.sched" 3 send-receive 'demand 1-2 0 1,2'
accepts ': 4 rounds (bound 4)' "… a round has one pair of three nodes, and no other" \
    schedule general --demands "$TMP/three.sched" --model telegraph -o "$TMP/o.sched"
has 'general by binomial' "… by an algorithm that knows it"

accepts 'general' "plan has it" plan --demands "$TMP/d.sched"
has '^send-receive +general' "… by its model"
accepts 'wanted' "bound" bound --demands "$TMP/d.sched" --lambda 5/2
# Node 3 wants 5 packets and is the only source of 1; node 0 wants 2 and has 3.
has '^telegraph +half-duplex-wanted +6 ' "… what a node wants and what only it has"
has '^postal +spread ' "… by the postal model, too"

printf '%s\n' '0 1 2' '1 0 1' '2 0 3' >"$TMP/m.txt"
accepts 'general, 6 packets among 3 nodes, telephone: 5 rounds (bound' \
    "a matrix by telephone: two packets with node 1, one of them both ways, and three of node 2" \
    schedule general --entries "$TMP/m.txt" --model telephone -o "$TMP/o.sched"

# Node 1 meets one other node in a round, and therefore requires two rounds for two of them.
demands "$TMP/meet.sched" 4 telephone 'demand 1 0 1' 'demand 2 1 2'
accepts 'general exact, 2 packets among 4 nodes, telephone: 2 rounds (bound 1)' \
    "what the bound does not tell the solver proves" \
    schedule general --demands "$TMP/meet.sched" --exact -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"
demands "$TMP/both.sched" 5 send-receive 'demand 1 0 2,3,4' 'demand 2 4 0,1,2'
accepts '3 rounds (bound 2)' "what needs a round more without it" \
    schedule general --demands "$TMP/both.sched" -o "$TMP/o.sched"
accepts '2 rounds (bound 2)' "the solver finds" \
    schedule general --demands "$TMP/both.sched" --exact -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"
demands "$TMP/all.sched" 5 telephone 'demand 1 4 *' 'demand 2 1 *'
accepts ': 3 rounds (bound 3)' "… for packets that all want, too" \
    schedule general --demands "$TMP/all.sched" --exact -o "$TMP/o.sched"
accepts 'holds' "… and that holds, too" verify "$TMP/o.sched"
accepts '3 rounds (bound 3)' "it is not asked where the bound is met" \
    schedule general --demands "$TMP/few.sched" --exact -o "$TMP/o.sched"
# solver LINE…: writes a script that stands in for the solver.
mkdir "$TMP/tools"
solver() {
    printf '%s\n' '#!/bin/sh' 'cat >/dev/null' "$@" >"$TMP/tools/cadical"
    chmod +x "$TMP/tools/cadical"
}
solver 'exit 1'
PATH=$TMP/tools:$PATH refuses 2 E501 'cadical: failed; expected an answer' "a solver that fails" \
    schedule general --demands "$TMP/both.sched" --exact
solver 'kill -9 $$'
PATH=$TMP/tools:$PATH refuses 2 E501 'cadical: failed; expected an answer' "… that is ended" \
    schedule general --demands "$TMP/both.sched" --exact
solver 'echo v 123456 0' 'exit 10'
PATH=$TMP/tools:$PATH refuses 2 E501 'sends that leave out a packet' "… that says what does not hold" \
    schedule general --demands "$TMP/both.sched" --exact
demands "$TMP/large.sched" 100 telephone 'demand 1 30 10' 'demand 2 10 20'
refuses 2 E102 'expected at most 20000 variables' "too much for the solver" schedule general \
    --demands "$TMP/large.sched" --exact
printf '#!/bin/sh\nPATH=/nowhere exec %q "$@"\n' "$ROUNDCAST" >"$TMP/without"
chmod +x "$TMP/without"
ROUNDCAST=$TMP/without refuses 2 E501 'the package cadical' "no solver" \
    schedule general --demands "$TMP/meet.sched" --exact
refuses 2 E103 'expected a model with rounds' "a λ for the solver" \
    schedule general --demands "$TMP/postal.sched" --exact
refuses 2 E101 'expected the algorithm general' "another algorithm for the solver" \
    schedule matching -n 4 -m 1 --exact
refuses 2 E101 'expected the algorithm general' "another algorithm" \
    schedule matching --demands "$TMP/d.sched"
refuses 2 E101 'ALGORITHM: general requires --demands, --matrix, --entries or --pattern' "no demands" schedule general -n 4 -m 1
refuses 2 E101 '-m, -s: --demands determines the packets and their sources; expected neither' "packets of one's own" schedule general -m 3 --demands "$TMP/d.sched"
refuses 2 E102 '-n: 9; expected 8, the nodes of the demands' "other nodes" schedule general -n 9 --demands "$TMP/d.sched"
refuses 2 E101 '--demands cannot be used together with --matrix, --entries or --pattern' "a matrix beside" \
    schedule general --entries "$TMP/m.txt" --demands "$TMP/d.sched"
refuses 2 E101 '--reconfigure: general holds no settings' "a price" \
    schedule general --entries "$TMP/m.txt" --reconfigure 3
refuses 2 E103 'does not keep the model fabric-multicast' "a network that copies" \
    schedule general --demands "$TMP/d.sched" --model fabric-multicast
refuses 2 E201 '' "no file" schedule general --demands "$TMP/none.sched"
refuses 2 E103 'the model single-port is of a tree; expected one of a complete graph' \
    "the model of a tree" schedule general --demands "$TMP/d.sched" --model single-port

# So many packets that the end of an algorithm is known only once it is built; it is the better one.
demands "$TMP/many.sched" 26 telegraph 'demand 1-1300 0 *'
accepts 'general by telegraph' "an algorithm whose length is known only once built" \
    schedule general --demands "$TMP/many.sched" -o "$TMP/o.sched"

demands "$TMP/many.sched" 40000 telegraph 'demand 1 0 *'
accepts 'general by binomial, 1 packet from node 0 to 40000 nodes, telegraph: 16 rounds' \
    "… or one before it, if it is no better" \
    schedule general --demands "$TMP/many.sched" -o "$TMP/o.sched"

# A packet that only its source wants is not sent: a verifier would count a transfer.
demands "$TMP/own.sched" 5 send-receive 'demand 1 0 2,3,4' 'demand 2 4 0,1,2' 'demand 3 0 0'
accepts ', 6 transfers' "a packet that its source wants" \
    schedule general --demands "$TMP/own.sched" -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"

# passes_on FILE: checks that some node receives a packet that it does not want, and that each such
# node sends it on.
passes_on() {
    { grep '^demand' "$1" && tac "$1" | grep '^[0-9]'; } | awk '
        /^demand/ { split($2, packet, "-"); wants = split($4, node, ",")
            for (p = packet[1]; p <= packet[2]; p++)
                for (w = 1; w <= wants; w++) wanted[node[w], p]; next }
        !(($2, $3) in wanted) { helped++; if (!(($2, $3) in sends)) idle++ }
        { sends[$1, $3] }
        END { exit !(helped && !idle) }'
}
demands "$TMP/help.six" 9 telegraph 'demand 1-4 2 7,8' 'demand 5-6 2 0,3'
accepts '7 rounds (bound 7)' "nodes help that want nothing" \
    schedule general --demands "$TMP/help.six" -o "$TMP/o.sched"
check "… none for nothing" passes_on "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"

# 8200 packets, each for two of 128 nodes: too many to try helpers.
awk 'BEGIN { print "roundcast-schedule 1\nalgorithm by hand\ntopology complete 128"
    print "model telephone"
    for (p = 1; p <= 8200; p++) {
        from = p * 37 % 128; one = (from + 1 + p * 11 % 60) % 128
        other = (from + 61 + p * 7 % 67) % 128
        print "demand", p, from, one < other ? one "," other : other "," one
    }
    print "end 0" }' >"$TMP/packets.sched"
accepts 'general, 8200 packets among 128 nodes' "many packets of many nodes" \
    schedule general --demands "$TMP/packets.sched" -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"

# Leaf 0 sends 3 packets, one in a round; the last leaves in round 3 and crosses 2 links up and 2
# down.
demands "$TMP/tree.sched" 1 multiport 'demand 1-2 0 *' 'demand 3 0 3' 'demand 4 2 3'
sed -i 's/^topology.*/topology tree 2 2 capacity 1 2/' "$TMP/tree.sched"
accepts 'general, 4 packets among 4 nodes, multiport: 6 rounds (bound 6)' "in a tree" \
    schedule general --demands "$TMP/tree.sched" -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"
accepts 'single-port: ' "… with a single port" \
    schedule general --demands "$TMP/tree.sched" --model single-port -o "$TMP/o.sched"
accepts 'ways' "… with its bounds" bound --demands "$TMP/tree.sched"
accepts 'general' "… and in plan" plan --demands "$TMP/tree.sched"
check "… alone" test -z "$(grep tree- "$TMP/out")"
refuses 2 E103 'the model telephone is of a complete graph; expected one of a tree' \
    "a model of complete graphs" schedule general --demands "$TMP/tree.sched" --model telephone
refuses 2 E103 '--exact: cannot solve for a tree, hypercube, torus or mesh; expected a complete graph' "a tree for the solver" \
    schedule general --demands "$TMP/tree.sched" --exact
refuses 2 E101 '--tree, --dim, --torus, --mesh: --demands determines the topology; expected none' "a tree of one's own" \
    schedule general --demands "$TMP/tree.sched" --tree 2,2
refuses 2 E208 'expected packets for one leaf or for all' "self-timed routers" \
    run general --demands <(sed 's/^demand 3.*/demand 3 0 1,3/' "$TMP/tree.sched") \
    --engine csim --network fat-tree-auto

# Node 0 has 2 arcs for 3 packets, and the last packet crosses 2 arcs; three nodes want two more
demands "$TMP/cube.sched" 1 all-port 'demand 1-2 0 *' 'demand 3 0 3' 'demand 4 2 1,3'
sed -i 's/^topology.*/topology hypercube 2/' "$TMP/cube.sched"
accepts 'all-port: 3 rounds (bound 3)' "in a hypercube" \
    schedule general --demands "$TMP/cube.sched" -o "$TMP/o.sched"
accepts 'holds' "… and that holds" verify "$TMP/o.sched"

# Nearly an all-gather: its algorithm would send more than is wanted.
demands "$TMP/nearly.sched" 1 all-port 'demand 1 0 *' 'demand 2 1 *' 'demand 3 2 *' 'demand 4 3 0,1'
sed -i 's/^topology.*/topology hypercube 2/' "$TMP/nearly.sched"
accepts 'general, 4 packets among 4 nodes, all-port: 2 rounds (bound 2), 11 transfers' \
    "demands that differ from a collective's" \
    schedule general --demands "$TMP/nearly.sched" -o "$TMP/o.sched"

# In lockstep with the RTL; a large network on csim alone.
for file in help tree cube; do
    accepts 'Every packet arrived in its predicted cycle.' "$file on csim and RTL" \
        run general --demands "$TMP/$file.sched" --engine both
done
accepts 'Every packet arrived in its predicted cycle.' "a hypercube on benes:4" \
    run general --demands "$TMP/cube.sched" --engine both --network benes:4
accepts 'Every packet arrived in its predicted cycle.' "demands on gf11" \
    run general --demands "$TMP/d.sched" --engine csim --network gf11

finish
