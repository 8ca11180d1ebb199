#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ports: collectives of nodes with several ports, and broadcasts of an unknown number of packets.
#
# Every collective, both models, several numbers of nodes, packets and ports: the schedule verifies,
# and no node sends or receives more packets in a round than it has ports, as awk counts. Reversed
# broadcasts reduce with as many ports. Counter-cases: a third packet in the postal model, a time
# too early, fewer ports in the file, packets that change the port of an endpoint. Bad input:
# models, topologies, algorithms and commands that support no ports or no streams, each with its
# message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

# Prints the most packets that a node sends or receives in a round.
most() {
    awk '/^round|^time/ { split("", sent); split("", received) }
        /^[0-9]/ {
            if (++sent[$1] > most) most = sent[$1]
            if (++received[$2] > most) most = received[$2]
        }
        END { print most + 0 }' "$1"
}

for algorithm in broadcast matching binomial circulant path dary-trees scatter gather all-gather \
    total-exchange reduce reduce-scatter all-reduce; do
    for case in "9 5 2" "40 12 2" "22 7 3" "5 3 8" "17 40 4"; do
        read -r n m k <<<"$case"
        accepts '' "$algorithm of $n nodes, $m packets, $k ports" schedule "$algorithm" -n "$n" \
            -m "$m" --ports "$k" -o "$TMP/k.sched"
        accepts 'holds' "… verifies" verify "$TMP/k.sched"
        check "… over $k ports" test "$(most "$TMP/k.sched")" -le "$k"
    done
done
for algorithm in matching binomial scatter gather all-gather total-exchange reduce reduce-scatter; do
    for case in "8 5 2" "9 5 2" "9 2 3" "7 1 10"; do
        read -r n m k <<<"$case"
        accepts '' "$algorithm by telephone of $n nodes, $m packets, $k ports" schedule "$algorithm" \
            -n "$n" -m "$m" --ports "$k" --model telephone -o "$TMP/t.sched"
        accepts 'holds' "… verifies" verify "$TMP/t.sched"
    done
done
accepts ' 20 rounds (bound 20)' "no pause of odd n by telephone" schedule all-gather -n 9 -m 5 \
    --ports 2 --model telephone -o "$TMP/t.sched"
sed 's/^model telephone 2$/model telephone/' "$TMP/t.sched" >"$TMP/one.sched"
refuses 1 E304 'at most 1 partner' "… over one port" verify "$TMP/one.sched"
for algorithm in postal-pipeline postal-dtree scatter total-exchange reduce reduce-scatter; do
    accepts '' "$algorithm in the postal model" schedule "$algorithm" -n 13 -m 7 --ports 3 \
        --lambda 7/3 -o "$TMP/p.sched"
    accepts 'holds' "… verifies" verify "$TMP/p.sched"
done
accepts 'time 5 (bound 5)' "one packet is optimal in the postal model" schedule postal-bcast -n 11 \
    -m 1 --lambda 5/2 --ports 2 -o "$TMP/p.sched"
accepts 'holds' "… and verifies" verify "$TMP/p.sched"
sed 's,^0 3 1$,&\n0 7 1,' "$TMP/p.sched" >"$TMP/three.sched"
refuses 1 E301 'time 1: node 0 sends packet 1 over no port; at most 2 at a time' \
    "a third packet at a time" verify "$TMP/three.sched"
sed 's,^time 2$,time 3/2,' "$TMP/p.sched" >"$TMP/early.sched"
refuses 1 E301 'time 3/2: node 0 sends packet 1 over no port; at most 2 at a time' \
    "half a unit too early" verify "$TMP/early.sched"
sed 's,^model postal 5/2 2$,model postal 5/2,' "$TMP/p.sched" >"$TMP/one.sched"
refuses 1 E301 'node 0 sends packet 1' "the same over one port" verify "$TMP/one.sched"
sed 's,^model postal 5/2 2$,model postal 5/2 0,' "$TMP/p.sched" >"$TMP/none.sched"
refuses 2 E205 'none.sched:4: ports of a node 0 is out of range' "no port" verify "$TMP/none.sched"
for model in telegraph fabric-multicast 'fabric-postal 2'; do
    sed "s,^model postal 5/2 2\$,model $model 2," "$TMP/p.sched" >"$TMP/model.sched"
    refuses 2 E204 'model.sched:4:' "ports of the model $model" verify "$TMP/model.sched"
done

# In a reduction each contribution is counted once.
"$ROUNDCAST" schedule reduce -n 9 -m 5 --ports 2 -o "$TMP/r.sched" >/dev/null
check "a reduction reverses matching" grep -qx 'algorithm reduce by=matching' "$TMP/r.sched"
sed 's/^model send-receive 2$/model send-receive 1/' "$TMP/r.sched" >"$TMP/fewer.sched"
refuses 1 E301 'node' "… which one port cannot do" verify "$TMP/fewer.sched"
accepts 'by=path' "… or another broadcast" schedule reduce --by path -n 9 -m 5 --ports 2 -o \
    "$TMP/r.sched"
accepts 'holds' "… and verifies" verify "$TMP/r.sched"

# Plans and bounds.
accepts 'send-receive  matching            10      9    1' "a plan of 2 ports" plan -n 40 -m 12 \
    --ports 2
accepts 'last-packet-of-ports' "… and bounds" bound -n 9 -m 7 --ports 2 --model send-receive
has '^send-receive +last-packet-of-ports +5 +\* ' "… of 2 ports: ⌈6/2⌉ + 2"
accepts 'send-receive' "one port is the default" plan -n 8 -m 3 --ports 1
cp "$TMP/out" "$TMP/with"
accepts 'send-receive' "… in a plan of send-receive" plan -n 8 -m 3
check "… with the same rows" cmp -s "$TMP/out" "$TMP/with"

# On a network each port of a node has an endpoint. With 4 nodes of 2 ports, the network has 8
# ports, one for each endpoint, and an engine that other tests use runs it in lockstep with csim.
arrives='Every packet arrived in its predicted cycle.'
accepts "$arrives" "a broadcast of 4 nodes of 2 ports on csim and the RTL" run circulant -n 4 -m 6 \
    --ports 2
has '^machine +benes:8,' "… on 8 ports"
has '^cycles of the run +36 +36  ok' "… in 4 rounds"
has '^receipts in their exact cycle +18 +18  ok' "… with 18 receipts"
accepts "$arrives" "… on the netlist" run circulant -n 4 -m 6 --ports 2 --engine netlist
accepts "$arrives" "a total exchange on csim and the RTL" run total-exchange -n 4 -m 1 --ports 2
accepts "$arrives" "… on the netlist" run total-exchange -n 4 -m 1 --ports 2 --engine netlist
for network in benes:24 clos:4,4,6 waksman:24; do
    for case in "circulant -m 7" "scatter -m 3" "gather -m 3" "total-exchange -m 2" "all-gather -m 6" \
        "traffic --pattern zipf:30" "postal-dtree -m 5 --lambda 5/2"; do
        # shellcheck disable=SC2086  # options
        accepts "$arrives" "$case of 8 nodes of 3 ports on $network" run $case -n 8 --ports 3 \
            --network "$network" --engine csim
    done
done
"$ROUNDCAST" schedule path -n 5 -m 4 --ports 2 -o "$TMP/r2.sched" >/dev/null
accepts '' "routed from a file" route "$TMP/r2.sched" -o "$TMP/r2"
accepts 'holds' "… its folder has a schedule of one port" verify "$TMP/r2/schedule.sched"
check "… of 10 endpoints" grep -qx 'topology complete 10' "$TMP/r2/schedule.sched"
accepts "$arrives" "… which runs" simulate "$TMP/r2" --engine csim

# Other tools: formats that have rounds with several sends export them, and the importer restores
# the packets.
accepts 'SCCL' "2 ports for SCCL" export "$TMP/r2.sched" --to sccl -o "$TMP/r2.json"
check "… two sends of a node" grep -q ', 2, "sends 0"' "$TMP/r2.json"
accepts '4 packets' "… read again" import "$TMP/r2.json" --from sccl -o "$TMP/back.sched"
accepts 'holds' "… verifies" verify "$TMP/back.sched"
accepts 'GOAL' "2 ports for GOAL" export "$TMP/r2.sched" --to goal -o "$TMP/r2.goal"
check "… a send for each transfer" test "$(grep -c send "$TMP/r2.goal")" = 16
accepts 'OpenOptics' "2 ports for OpenOptics" export "$TMP/r2.sched" --to openoptics -o "$TMP/r2.slices"
accepts '1 ->' "a drawing of 2 ports" draw "$TMP/r2.sched"
accepts 'kB' "a page of 2 ports" view "$TMP/r2.sched" -o "$TMP/r2.html"

# Tuning: every row takes the number of cycles that it states.
for case in "-n 4" "-n 5 --collective all-gather" "-n 6 --collective total-exchange"; do
    # shellcheck disable=SC2086  # options
    accepts '"command"' "tune $case --ports 3" tune --bytes 999 $case --ports 3 --json
    wrong=0 rows=0
    while read -r cycles command; do
        rows=$((rows + 1))
        # shellcheck disable=SC2086  # options
        "$ROUNDCAST" ${command#roundcast } --engine csim >"$TMP/run" 2>&1
        grep -qE "^cycles of the run +$cycles +$cycles  ok" "$TMP/run" || wrong=$((wrong + 1))
    done < <(awk -F': ' '/"cycles"/ { cycles = $2 + 0 }
        /"command"/ { gsub(/"/, "", $2); sub(/,$/, "", $2); print cycles, $2 }' "$TMP/out")
    check "… $rows rows" test "$rows" -ge 2
    check "… in the cycles that they state" test "$wrong" = 0
done
refuses 2 E101 'tune measures traffic over one port' "tuning of traffic over 2 ports" tune --ports 2 \
    --pattern zipf:30 -n 4
refuses 2 E402 '8 ports for 18 nodes' "tuning for a network that is too small" tune --bytes 10 -n 9 \
    --ports 2 --network benes:8
refuses 2 E102 'in all; expected at most' "tuning for too many endpoints" tune --bytes 10 -n 4096 \
    --ports 65535

# Streams: m + ⌈log2 n⌉ rounds. Rounds 1 … m do not depend on m.
accepts '13 rounds (bound 12)' "a stream of 8 packets to 22 nodes" schedule matching -n 22 -m 8 \
    --stream -o "$TMP/8.sched"
accepts 'holds' "… verifies" verify "$TMP/8.sched"
accepts '14 rounds' "… of 9 packets" schedule matching -n 22 -m 9 --stream -o "$TMP/9.sched"
rounds() { sed -n '/^round 1$/,/^round 9$/p' "$1"; }
check "… begins alike" test "$(rounds "$TMP/8.sched")" = "$(rounds "$TMP/9.sched")"
check "… 8 rounds" test "$(rounds "$TMP/8.sched" | grep -c round)" = 9
accepts 'matching            13     12    1' "… in a plan" plan -n 22 -m 8 --stream
check "… without algorithms that require m" test "$(grep -c circulant "$TMP/out")" = 0
accepts 'telephone' "… by telephone" schedule matching -n 22 -m 8 --stream --model telephone
accepts 'send-receive 3' "… over 3 ports" schedule matching -n 22 -m 8 --stream --ports 3

# Nodes whose endpoints share a memory: a packet leaves over several ports.
accepts "$arrives" "matching over 2 ports on csim and the RTL" run matching -n 4 -m 3 --ports 2
has '^cycles of the run +27 +27  ok' "… in 3 rounds"
accepts "$arrives" "… on the netlist" run matching -n 4 -m 3 --ports 2 --engine netlist
for network in benes:27 clos:5,5,6 waksman:27; do
    for case in "matching -m 4" "binomial -m 2" "all-gather -m 1" "matching -m 5 --model telephone"; do
        accepts "$arrives" "$case of 9 nodes of 3 ports on $network" run $case -n 9 --ports 3 \
            --network "$network" --engine csim
    done
done
accepts '' "a schedule of 2 ports" schedule matching -n 9 -m 3 --ports 2 -o "$TMP/9.sched"
accepts 'all' "… is routed" route "$TMP/9.sched" -o "$TMP/shared"
accepts "$arrives" "… simulated" simulate "$TMP/shared" --engine csim
has '^schedule  matching, 3 packets to 9 nodes of 2 ports, send-receive' "… whose nodes are counted"
accepts '"nodes": 9,' "… in JSON, too" simulate "$TMP/shared" --engine csim --json
accepts 'holds' "… verified, as one of endpoints" verify "$TMP/shared/schedule.sched"
accepts 'topology complete 18 shared 2' "… unpacked" unpack "$TMP/shared"
cp "$TMP/out" "$TMP/unpacked.sched"
accepts 'holds' "… and verified again" verify "$TMP/unpacked.sched"

# Streams on a machine: the host stops after a packet, ⌈log2 n⌉ rounds before the end of the run.
accepts 'Every packet arrived' "a stream of stored programs" run matching -n 8 -m 9 --stream \
    --engine csim
for packets in 1 5 9; do
    accepts 'Every packet arrived' "a stream that is stopped after $packets packets" run matching \
        -n 8 -m 9 --stream --settings indexed --programs computed --engine csim \
        --stop-after "$packets"
    check "… ends 3 rounds of 9 cycles later" grep -q \
        "^cycles of the run  *$(((packets + 3) * 9))  *$(((packets + 3) * 9))  ok" "$TMP/out"
done

accepts '' "a scan of 2 ports" schedule scan -n 8 -m 3 --ports 2 -o "$TMP/scan.sched"
accepts 'holds' "… verifies" verify "$TMP/scan.sched"

# Bad input.
refuses 2 E103 'expected an even number of nodes' "a stream by telephone, odd n" schedule matching \
    -n 23 -m 8 --stream --model telephone
refuses 2 E103 'circulant requires the number of packets' "an algorithm that knows m" schedule \
    circulant -n 22 -m 8 --stream
refuses 2 E103 'scatter requires the number of packets' "another collective" schedule scatter -n 5 \
    -m 2 --stream
stream="run matching -n 8 -m 9 --stream --settings indexed --engine csim"
refuses 2 E101 '--stop-after requires --programs computed' "a stop of stored programs" $stream \
    --stop-after 3
refuses 2 E102 '--stop-after: 10 is out of range; expected 1 … 9' "a stop after the end" $stream \
    --programs computed --stop-after 10
refuses 2 E101 '--stop-after requires --stream' "a stop of a run of m packets" run circulant -n 8 \
    -m 9 --stop-after 3 --programs computed --engine csim
refuses 2 E409 '--stream: packet 2 is not sent in round 2' "a stream with a packet every 3 rounds" \
    run binomial -n 8 -m 3 --stream --programs computed --engine csim
refuses 2 E409 '--stream: packet 2 is sent in round 1; expected rounds 2 to' "… with 2 a round" \
    run path -n 4 -m 4 --ports 2 --stream --programs computed --engine csim
refuses 2 E401 '--programs: the endpoints of a node share a memory; expected stored' \
    "computed programs of shared memories" run matching -n 9 -m 3 --ports 2 --programs computed \
    --engine csim
for format in goal sccl csv; do
    refuses 2 E208 '2 adjacent endpoints share the memory of a node' "$format of shared memories" \
        export --to $format "$TMP/shared/schedule.sched" -o "$TMP/shared.out"
done
refuses 2 E208 'expected the schedule of the nodes' "a drawing of shared memories" draw \
    "$TMP/shared/schedule.sched" -o "$TMP/shared.dot"
refuses 2 E402 '4 ports' "a network with fewer ports than endpoints" run circulant -n 4 -m 2 \
    --ports 2 --network benes:4 --engine csim
refuses 2 E102 'in all; expected at most' "more endpoints than there may be" run circulant -n 4096 \
    -m 2 --ports 65535 --engine csim
for format in msccl mscclpp; do
    refuses 2 E208 'several packets from or to a node in a round' "2 ports for $format" export \
        "$TMP/r2.sched" --to "$format" -o "$TMP/r2.out"
done
refuses 2 E103 'a node has 2 ports; expected 1' "2 ports of a rank of MPI" mpi "$TMP/r2.sched"
sed 's/^model send-receive$/model send-receive 2/' "$TMP/r2/schedule.sched" >"$TMP/r3.sched"
cp "$TMP/r3.sched" "$TMP/r2/schedule.sched"
refuses 2 E103 'a node has 2 ports; expected 1' "2 ports in the folder of an image" simulate \
    "$TMP/r2" --engine csim
for model in telegraph fabric-multicast; do
    refuses 2 E101 'for the models send-receive, telephone and postal' "2 ports in the model $model" plan \
        -n 8 -m 3 --ports 2 --model "$model"
done
refuses 2 E103 'a node has one port in the model fabric-multicast' "… of a network that copies" \
    schedule fabric-broadcast -n 8 -m 3 --ports 2
refuses 2 E101 'for complete graphs' "2 ports of a tree" schedule tree-scatter --tree 2,2 --ports 2
refuses 2 E101 'for complete graphs' "2 ports of a hypercube" schedule cube-all-gather --dim 3 \
    --ports 2
refuses 2 E101 '--ports cannot be used together with --demands' "2 ports of demands" schedule \
    general --demands "$TMP/8.sched" --ports 2
# The member in a send program: the memory that it names must hold the packet. Node 3 receives
# packet 3 at its endpoint 7, member 1, in round 1, and sends it from there in round 3; its word for
# row 2 at port 7 is 0x80000012, with the slot 2 in the low 4 bits.
"$ROUNDCAST" schedule matching -n 5 -m 3 --ports 2 | "$ROUNDCAST" route - -o "$TMP/members" >/dev/null
check "an image whose memories are shared has no remarks" eval \
    '"$ROUNDCAST" unpack "$TMP/members" >"$TMP/out" && ! grep -q "#" "$TMP/out"'
sed '/^@200001c2$/{n;s/^80000012$/80000002/}' "$TMP/members/image.hex" >"$TMP/other.hex"
check "… one word of another member" test \
    "$(cmp -l "$TMP/members/image.hex" "$TMP/other.hex" | wc -l)" = 1
accepts '7 9 3  # the memory of endpoint 6 does not hold it' "… is reported" unpack "$TMP/other.hex"
check "… once" test "$("$ROUNDCAST" unpack "$TMP/other.hex" | grep -c '#')" = 1
accepts '7 9 3  # the memory of endpoint 6 does not hold it' "… also in its round alone" \
    unpack "$TMP/other.hex" --round 3
json '"held": false' "… as JSON" unpack "$TMP/other.hex" --round 3 --json
sed '/^@200001c2$/{n;s/^80000012$/80000022/}' "$TMP/members/image.hex" >"$TMP/none.hex"
check "a bit above the member is not used" eval \
    '"$ROUNDCAST" unpack "$TMP/none.hex" >"$TMP/out"; grep -q "endpoint 6" "$TMP/out"'

finish
