#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# traffic: matrices, lists of entries and patterns on the command line, from the file to the last
# receipt on csim; the errors for bad input.
#
# Rounds are sums of rows and columns, computed by hand. A separate awk program counts the packets
# that each node sends and receives in a round of a written schedule, and adds up the packets from
# node to node.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

printf '%s\n' '# what three nodes send' '0, 5, 1' '0, 0, 2' '7, 0, 4' >"$TMP/m.csv"
printf '%s\n' '2 0 7' '0 1 5' '0 2 1' '1 2 2' >"$TMP/m.txt"
gzip -k "$TMP/m.csv"

# sums FILE: prints the most packets of a node in a round, then from>to:packets of the schedule.
sums() {
    awk '
        function busy(key) { if (++seen[key] > most) most = seen[key] }
        $1 == "round" { round = $2; next }
        round && NF == 3 { busy(round " s " $1); busy(round " r " $2); sum[$1 ">" $2]++ }
        END { printf "%d", most; for (pair in sum) printf "\n%s:%d", pair, sum[pair] }
    ' "$1" | sort | paste -sd ' '
}

accepts 'traffic, 15 packets among 3 nodes, send-receive: 7 rounds (bound 7), 15 transfers; local: 4 packets' \
    "a matrix takes its largest sum" schedule traffic --matrix "$TMP/m.csv" -o "$TMP/m.sched"
check "… its packets go where it says, one in a round" \
    test "$(sums "$TMP/m.sched")" = "0>1:5 0>2:1 1 1>2:2 2>0:7"
accepts 'holds: traffic, 15 packets, 3 nodes' "… and it holds" verify "$TMP/m.sched"
has 'rounds +7 \(bound 7\)' "… in as many rounds as its own demand needs"
sed '/^round 7/,/^end/c\end 6' "$TMP/m.sched" >"$TMP/cut.sched"
refuses 1 E303 'has not received packet' "a packet fewer is missed" verify "$TMP/cut.sched"
check "the counter of sums sees two of a sender" \
    test "$(printf 'round 1\n0 1 1\n0 2 2\n' >"$TMP/two" && sums "$TMP/two")" = "0>1:1 0>2:1 2"

json '"local": 4' "… its diagonal is counted, as JSON, too" schedule traffic --matrix "$TMP/m.csv" \
    --json -o "$TMP/m.sched"
json '"local": 4' "… with a price" schedule traffic --matrix "$TMP/m.csv" --reconfigure 9 --json \
    -o "$TMP/held.sched"
has '"settings": 2' "… as its settings are"
accepts 'local: 4 packets' "… and printed" schedule traffic --matrix "$TMP/m.csv" --reconfigure 9 \
    -o "$TMP/held.sched"
printf '%s\n' '0 2 7' '1 1 0' >"$TMP/none.txt"
accepts '' "entries off the diagonal" schedule traffic --entries "$TMP/none.txt" -o "$TMP/none.sched"
check "… without a line about local packets" bash -c "! grep -q local '$TMP/out'"

for form in "--matrix $TMP/m.csv.gz" "--entries $TMP/m.txt"; do
    # shellcheck disable=SC2086
    accepts '' "the same from ${form%% *} ${form##*.}" schedule traffic $form -o "$TMP/again.sched"
    check "… is the same" cmp "$TMP/m.sched" "$TMP/again.sched"
done
"$ROUNDCAST" schedule traffic --matrix - <"$TMP/m.csv" >"$TMP/again.sched"
check "… from standard input, too" cmp "$TMP/m.sched" "$TMP/again.sched"
accepts 'end 11/2' "in the postal model λ follows the last of 4" schedule traffic \
    --pattern permutation:4 -n 5 --lambda 5/2
accepts 'end 3' "bytes become packets" schedule traffic --matrix "$TMP/m.csv" --packet-bytes 3
# 15 of 19 parts leave their nodes: ⌊15·30/19⌋.
accepts '"packets": 23' "shares of a total" schedule traffic --matrix "$TMP/m.csv" --total 30 \
    --json -o "$TMP/shares.sched"

accepts 'traffic' "plan" plan --matrix "$TMP/m.csv" --lambda 2
has '^send-receive +traffic +7 +7 +0$' "… 7 rounds"
has '^postal +traffic +8 +8 +0$' "… 7 - 1 + 2 in the postal model"
accepts 'general' "… in a model that only general keeps" plan --matrix "$TMP/m.csv" \
    --model telegraph
has '^telegraph +general +15 +15 +0$' "… 15 packets, one in a round of three nodes"
accepts '"packets": 15' "… which has as many packets" plan --matrix "$TMP/m.csv" --json
accepts 'busiest' "bound" bound --matrix "$TMP/m.csv"
has '^telegraph +busiest-half-duplex +15 +\* ' "… half duplex: one pair for 15 packets"

# More pairs of a node and a packet than are stored as bits.
printf '%s\n' '0 1 3' '5 9 40000' >"$TMP/pairs.txt"
accepts ': 40000 rounds (bound 40000)' "many packets of many nodes" schedule traffic \
    --entries "$TMP/pairs.txt" -n 65536 -o "$TMP/pairs.sched"
accepts '(40003 arrivals, 0 redundant)' "… which verify" verify "$TMP/pairs.sched"
sed 's/^5 9 39000$/5 9 38999/' "$TMP/pairs.sched" >"$TMP/twice.sched"
refuses 1 E303 'node 9 has not received packet 39000' "… and one that came twice is seen" verify \
    "$TMP/twice.sched"

# Rounds of k ports: ⌈7/k⌉, as node 2 sends 7.
for ports in 2:4 3:3 7:1 9:1; do
    accepts '' "${ports%:*} ports of each node" schedule traffic --matrix "$TMP/m.csv" \
        --ports "${ports%:*}" -o "$TMP/ports.sched"
    has ": ${ports#*:} rounds? \(bound ${ports#*:}\)" "… ${ports#*:} rounds"
    packets=$(sums "$TMP/ports.sched" | tr ' ' '\n')
    check "… no node sends or receives more" \
        test "$(grep -v '>' <<<"$packets")" -le "${ports%:*}"
    check "… all packets go" test "$(grep '>' <<<"$packets" | paste -sd ' ')" = \
        "0>1:5 0>2:1 1>2:2 2>0:7"
    accepts 'holds' "… which verifies" verify "$TMP/ports.sched"
done
accepts ' rounds' "ports of a drawn demand" schedule traffic --pattern zipf:200 -n 30 \
    --ports 6 -o "$TMP/many.sched"
accepts 'holds' "… which verifies" verify "$TMP/many.sched"
accepts '' "ports in plan" plan --matrix "$TMP/m.csv" --ports 3
has '^send-receive +traffic +3 +3 +0$' "… 3 rounds"
accepts '' "… and bound" bound --matrix "$TMP/m.csv" --ports 3
has '^send-receive +busiest-of-ports +3 +\* ' "… of ports"
accepts '7 rounds' "one port is what there is without" schedule traffic --matrix "$TMP/m.csv" \
    --ports 1 -o "$TMP/one.sched"
check "… the same" cmp "$TMP/m.sched" "$TMP/one.sched"
"$ROUNDCAST" schedule traffic --matrix "$TMP/m.csv" --ports 3 >"$TMP/ports.sched"
sed 's/^model .*/model send-receive 2/' "$TMP/ports.sched" >"$TMP/fewer.sched"
refuses 1 E301 'node 0 sends packet 6 over no port; at most 2' "a packet more than ports" \
    verify "$TMP/fewer.sched"
printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology complete 4' 'model send-receive 2' \
    'demand 1 0 3' 'demand 2 1 3' 'demand 3 2 3' 'round 1' '0 3 1' '1 3 2' '2 3 3' 'end 1' \
    >"$TMP/hand.sched"
refuses 1 E301 'node 3 receives packet 3 over no port' "… received" verify "$TMP/hand.sched"
sed -e 's/^1 3 2/1 2 2/' -e 's/^2 3 3/2 3 2/' "$TMP/hand.sched" >"$TMP/early.sched"
refuses 1 E302 'node 2 sends packet 2, which it does not hold' "… sent before it has come" \
    verify "$TMP/early.sched"
sed 's/receive 2/receive 0/' "$TMP/hand.sched" >"$TMP/none.sched"
refuses 2 E205 'none.sched:4: ports of a node 0 is out of range' "no port" verify "$TMP/none.sched"
accepts '' "a network with an endpoint for each port" route "$TMP/ports.sched" -o "$TMP/ports.dir"
accepts 'Every packet arrived in its predicted cycle.' "… runs it" simulate "$TMP/ports.dir" \
    --engine csim
accepts 'Every packet arrived in its predicted cycle.' "a run of several ports" run traffic \
    --matrix "$TMP/m.csv" --ports 3 --engine csim
refuses 2 E208 'several packets from or to a node in a round' "a program of several ports" export \
    "$TMP/ports.sched" --to msccl -o "$TMP/ports.xml"
refuses 2 E101 'for the models send-receive, telephone and postal' "ports by telegraph" schedule \
    binomial -n 4 -m 2 --ports 2 --model telegraph
refuses 2 E101 'for the model send-receive only' "ports in another model" plan \
    --matrix "$TMP/m.csv" --ports 2 --lambda 2
refuses 2 E101 '--ports: a number cannot be used together with --reconfigure' "ports and a price" plan --matrix "$TMP/m.csv" \
    --ports 2 --reconfigure 5
refuses 2 E103 'general sends over one port' "ports of another algorithm" schedule general \
    --matrix "$TMP/m.csv" --ports 2
refuses 2 E102 '--ports: 0 is out of range' "no ports" plan --matrix "$TMP/m.csv" --ports 0

for network in benes:16 benes:12 clos:4,4,3 waksman:12 multicast:16; do
    accepts 'Every packet arrived' "experts over $network" run traffic --pattern moe:6,2 -n 12 \
        --network $network --engine csim
done
for pattern in uniform:3 permutation:5 hot:4,50 zipf:4 blocks:1,4 halo:2; do
    accepts 'Every packet arrived' "$pattern" run traffic --pattern $pattern -n 9 --engine csim
done
accepts 'Every packet arrived' "over an omega network, in more rounds" run traffic \
    --pattern uniform:2 -n 8 --network omega:8 --split --engine csim
accepts 'Every packet arrived' "without barriers" run traffic --pattern zipf:5 -n 8 --lambda 3 \
    --network benes:8 --engine csim
check "a seed draws the same again" cmp <("$ROUNDCAST" schedule traffic --pattern zipf:9 -n 20) \
    <("$ROUNDCAST" schedule traffic --pattern zipf:9 -n 20)
check "… it is 1 unless given" cmp <("$ROUNDCAST" schedule traffic --pattern zipf:9 -n 20) \
    <("$ROUNDCAST" schedule traffic --pattern zipf:9 -n 20 --seed 1)
for pattern in uniform:9 permutation:9 hot:9,50 zipf:9 moe:9,2; do
    check "another seed draws another $pattern" bash -c "
        ! cmp -s <('$ROUNDCAST' schedule traffic --pattern $pattern -n 20 --seed 2) \
            <('$ROUNDCAST' schedule traffic --pattern $pattern -n 20 --seed 3)"
done
# All commands draw the same traffic from it: the number of rounds differs from that of seed 1.
drawn=(--pattern zipf:9 -n 20)
"$ROUNDCAST" schedule traffic "${drawn[@]}" --seed 3 >"$TMP/drawn.sched"
rounds=$(awk '$1 == "end" { print $2 }' "$TMP/drawn.sched")
check "seed 3 has other rounds than seed 1" test "$rounds" != \
    "$("$ROUNDCAST" schedule traffic "${drawn[@]}" | awk '$1 == "end" { print $2 }')"
accepts '' "plan takes a seed" plan "${drawn[@]}" --seed 3
has "^send-receive +traffic +$rounds +$rounds +0$" "… and draws the same"
accepts '' "bound takes a seed" bound "${drawn[@]}" --seed 3
has "^send-receive +busiest +$rounds +\\* " "… and draws the same"
accepts ": $rounds rounds" "run draws the same" run traffic "${drawn[@]}" --seed 3 --engine csim
accepts '--seed 3 ' "tune says from which seed" tune "${drawn[@]}" --seed 3
refuses 2 E101 '--seed: nothing is drawn' "plan: a seed of a matrix" plan --matrix "$TMP/m.csv" \
    --seed 3
refuses 2 E101 '--seed: nothing is drawn' "tune: a seed of a message" tune --bytes 9 -n 4 --seed 3
accepts '' "a search draws from a seed" schedule traffic --matrix "$TMP/m.csv" --reconfigure 4 \
    --seed 3

# Bytes of a pattern are cut into packets: 1000 to each of 3 others of a block, 300 a packet.
accepts '12 rounds' "bytes of a pattern become packets" schedule traffic --pattern blocks:1000,4 \
    -n 8 --packet-bytes 300 -o "$TMP/cut.sched"
check "… four for each pair of a block" test "$(sums "$TMP/cut.sched" | tr ' ' '\n' | grep -c ':4$')" = 24

# tune: an awk program tries every cut. `least L W`: the fewest cycles with barriers and without.
printf '%s\n' '0 500 10 3' '0 0 220 0' '70 0 4 90' '31 0 64 0' >"$TMP/bytes.txt"
least() {
    awk -v latency="$1" -v width="$2" '
        { for (k = 1; k <= NF; k++) if (k != NR) entry[NR, k] = $k }
        END {
            for (flits = 1; flits <= 4096; flits++) {
                bytes = int(flits * width / 8)
                if (bytes == 0) continue
                most = 0
                for (i = 1; i <= NR; i++) {
                    sent = received = 0
                    for (k = 1; k <= NR; k++) {
                        sent += int((entry[i, k] + bytes - 1) / bytes)
                        received += int((entry[k, i] + bytes - 1) / bytes)
                    }
                    if (sent > most) most = sent
                    if (received > most) most = received
                }
                if (!rounds || most * (flits + latency) < rounds) rounds = most * (flits + latency)
                if (!times || most * flits + latency < times) times = most * flits + latency
            }
            print rounds, times
        }' "$TMP/bytes.txt"
}
# tuned OPTION…: runs every row of tune, and checks that its cycles are those of the run.
tuned() {
    local cycles command count=0
    roundcast tune --json "$@"
    awk -F '": "?' '{ sub(/"?,?$/, "") } /"cycles"/ { cycles = $2 }
        /"command"/ { print cycles, $2 }' "$TMP/out" >"$TMP/rows"
    while read -r cycles command; do
        # shellcheck disable=SC2086 # the words of a command line
        json "\"run_cycles\": $cycles," "tune $*: ${command#* run }" ${command#roundcast } \
            --engine csim --json
        json '"holds": true' "… which holds" ${command#roundcast } --engine csim --json
        count=$((count + 1))
    done <"$TMP/rows"
    check "tune $*: rows were run" test "$count" -gt 0
}
for case in '5 3 16' '4,pipe=0 0 7' '8,pad=9 14 31' '4 3 8'; do
    read -r network latency width <<<"$case"
    accepts 'B/cycle' "tune on benes:$network" tune --matrix "$TMP/bytes.txt" \
        --network "benes:$network" --width "$width"
    latency=$(awk '$1 == "machine" { for (k = 1; k < NF; k++) if ($k == "latency") print $(k + 1) }' \
        "$TMP/out")
    read -r rounds times <<<"$(least "$latency" "$width")"
    has "^send-receive .* $rounds +[0-9.]+ +[0-9]+$" "… no cut takes fewer than $rounds cycles"
    has "^postal .* $times +[0-9.]+ +[0-9]+$" "… nor than $times without barriers"
done
tuned --matrix "$TMP/bytes.txt"
tuned --matrix "$TMP/bytes.txt" --network clos:2,2,2 --width 5 --packet-bytes 20
tuned --matrix "$TMP/bytes.txt" --reconfigure 20
tuned --matrix "$TMP/bytes.txt" --network benes:4,pipe=0 --reconfigure 0 --packet-bytes 2
tuned --entries "$TMP/m.txt" -n 3 --network multicast:4
tuned --pattern moe:300,2 -n 8 --reconfigure 50 --top 2
tuned --pattern zipf:90 -n 6 --seed 4
# For 300 nodes slower methods are not tried; no cut is better than that of ten bytes.
accepts 'fewest' "tune of many nodes" tune --pattern permutation:9 -n 300 --reconfigure 3
has '^busiest +10 +5 +300 +1 +1 +25 ' "… by methods for as many"
check "… and by no others" test "$(grep -cE '^(heaviest|solstice|slack|search) ' "$TMP/out")" = 0
# 32 packets of 127 flits take 32 · 127 + 51 rows of a cycle each; the limit is 4096.
echo '0 1 8128' >"$TMP/long.txt"
accepts ' 5696 ' "tune where a machine has too few rows" tune --entries "$TMP/long.txt" --network \
    benes:65536,pad=20 --packet-bytes 254
check "… for the postal model" test "$(grep -c '^postal' "$TMP/out")" = 0
accepts 'roundcast run traffic --matrix' "tune says how to run the best" tune \
    --matrix "$TMP/bytes.txt" --model send-receive
json '"reconfigure": 20' "… and the price as JSON" tune --matrix "$TMP/bytes.txt" --reconfigure 20 \
    --json
refuses 2 E101 '--bytes cannot be used together with --matrix, --entries or --pattern' "tune: two messages" tune --matrix "$TMP/m.csv" --bytes 9
refuses 2 E101 '--collective cannot be used together with --matrix, --entries or --pattern' "tune: a collective" tune --matrix "$TMP/m.csv" \
    --collective scatter
refuses 2 E101 '--total: tune reads traffic in bytes; expected no shares' "tune: shares" tune \
    --matrix "$TMP/m.csv" --total 9
refuses 2 E101 '--packet-bytes requires --matrix, --entries or --pattern' "tune: packets of a message" tune --bytes 9 -n 4 \
    --packet-bytes 4
refuses 2 E101 '--reconfigure requires --matrix, --entries or --pattern' "tune: a price of a message" tune --bytes 9 -n 4 \
    --reconfigure 4
refuses 2 E101 'in the model send-receive only' "tune: held without barriers" tune \
    --matrix "$TMP/m.csv" --reconfigure 4 --model postal
refuses 2 E103 'in the model telephone' "tune: a model without" tune --matrix "$TMP/m.csv" \
    --model telephone
refuses 2 E103 'in the model fabric-postal' "tune: copies" tune --matrix "$TMP/m.csv" \
    --model fabric-postal
printf '%s\n' '0 500M' '500M 0' >"$TMP/much.txt"
matrices=tests/unit/sched/traffic/matrices
refuses 2 E102 'tests/unit/sched/traffic/matrices/matrix-2G.txt: a message of 2000000000 bytes; expected 1 … 1073741824 bytes' \
    "tune: a large matrix" tune --matrix $matrices/matrix-2G.txt
refuses 2 E205 'matrix-20G.txt:2: column 2: 20000000000 bytes; expected at most 4294967295' \
    "tune: a large entry" tune --matrix $matrices/matrix-20G.txt
accepts 'traffic, 50 packets' "packets of 1e9 bytes" schedule traffic --matrix $matrices/matrix-20G.txt \
    --packet-bytes 1e9 -o "$TMP/large.sched"
refuses 2 E101 "--packet-bytes: '4x' is not a number of bytes; expected 1" "no bytes" schedule \
    traffic --matrix "$TMP/m.csv" --packet-bytes 4x
refuses 2 E102 '--packet-bytes: 0.5 is out of range; expected 1 … 4294967295, a whole number' \
    "half a byte" schedule traffic --matrix "$TMP/m.csv" --packet-bytes 0.5
refuses 2 E402 'no machine of benes:2 holds; expected fewer' "tune: more than fits" tune \
    --matrix "$TMP/much.txt"
refuses 2 E402 'holds in such packets' "tune: packets that are too large" tune \
    --matrix "$TMP/m.csv" --packet-bytes 65537
refuses 2 E402 '2 ports for 3 nodes' "tune: few ports" tune --matrix "$TMP/m.csv" --network benes:2
refuses 2 E401 'omega' "tune: a network that blocks" tune --matrix "$TMP/m.csv" --network omega:4

refuses 2 E101 'ALGORITHM: traffic requires --matrix, --entries or --pattern' "no demand" \
    schedule traffic -n 4
refuses 2 E101 'ALGORITHM: matching schedules no traffic' "a matrix for a broadcast" schedule matching \
    --matrix "$TMP/m.csv"
refuses 2 E101 '--matrix, --entries, --pattern: 2 are given' "two demands" schedule traffic --matrix "$TMP/m.csv" \
    --pattern zipf:2
refuses 2 E101 '-m: the traffic determines the packets' "-m with a demand" schedule traffic --matrix "$TMP/m.csv" -m 3
refuses 2 E101 '-s: the traffic determines the senders' "one source of many" schedule traffic \
    --matrix "$TMP/m.csv" --source 1
refuses 2 E103 'traffic has no degree' "a degree of no tree" schedule traffic \
    --matrix "$TMP/m.csv" -d 2
refuses 2 E101 '-d: no algorithm that applies has a degree' "… in plan" plan --matrix "$TMP/m.csv" -d 2
refuses 2 E101 '-d: no algorithm that applies has a degree' "… with a price" plan --matrix "$TMP/m.csv" \
    --reconfigure 3 -d 2
refuses 2 E101 '-d: no algorithm that applies has a degree' "… of demands" plan --demands "$TMP/m.sched" -d 2
refuses 2 E101 '--tree, --dim, --torus, --mesh: traffic is for a complete graph; expected none' "a tree" schedule traffic --pattern zipf:2 --tree 4,4
refuses 2 E102 '-n: 4; expected 3, the nodes of the traffic' "other nodes" schedule traffic --matrix "$TMP/m.csv" \
    -n 4
refuses 2 E101 '--total requires --matrix or --entries' "a total of nothing" schedule traffic --pattern zipf:2 -n 4 \
    --total 9
refuses 2 E101 '--total cannot be used together with --packet-bytes' "two units" schedule traffic --matrix "$TMP/m.csv" \
    --total 9 --packet-bytes 4
refuses 2 E103 'traffic does not keep the model telephone' "a model without" schedule traffic \
    --matrix "$TMP/m.csv" --model telephone

# Nothing to send: an empty schedule, through every command. The machine has nothing to check.
printf '5 0\n0 3\n' >"$TMP/local.csv"
accepts '0 packets among 2 nodes, send-receive: 0 rounds (bound 0), 0 transfers; local: 8 packets' \
    "nothing but a diagonal" schedule traffic --matrix "$TMP/local.csv" -o "$TMP/none.sched"
accepts 'holds: traffic, 0 packets, 2 nodes' "… holds" verify "$TMP/none.sched"
accepts '0 rows' "… is routed" route "$TMP/none.sched" -o "$TMP/none.dir"
accepts 'end 0' "… is read back" unpack "$TMP/none.dir/image.hex"
accepts '<!doctype html>' "… has a page" view "$TMP/none.dir"
accepts 'num_ranks 2' "… is exported" export "$TMP/none.sched" --to goal
accepts '' "… is planned" plan --matrix "$TMP/local.csv" --lambda 5/2
has '^postal +traffic +0 +0 +0$' "… with no time"
accepts '' "… and with a price" plan --matrix "$TMP/local.csv" --reconfigure 5
has '^fewest +0 +0 +0.0% +0 +0.0% ' "… of nothing"
roundcast simulate "$TMP/none.dir" --engine csim
check "a run of nothing checks nothing" grep -q \
    'run: the schedule has no packets to check; expected at least one receipt \[E608' "$TMP/err"
check "… which is no success" test "$status" = 1
printf '0,1\n1,NaN\n' >"$TMP/nan.csv"
refuses 2 E204 "nan.csv:2: unexpected 'N'; expected in column 2 a number" "what is no number" \
    schedule traffic --matrix "$TMP/nan.csv"
printf '0,1\n1\n' >"$TMP/ragged.csv"
refuses 2 E204 'ragged.csv:2: 1 number; expected 2' "a ragged matrix" plan \
    --matrix "$TMP/ragged.csv"
printf '0,1\n-2,0\n' >"$TMP/negative.csv"
refuses 2 E205 'negative.csv:2: column 1: -2 is negative; expected 0 or more' "a negative number" \
    schedule traffic --matrix "$TMP/negative.csv"
printf '0,99999999999999999999\n1,0\n' >"$TMP/large.csv"
refuses 2 E205 'large.csv:1: column 2: the number 99999999999999999999 is too large' "a large number" \
    schedule traffic --matrix "$TMP/large.csv"
awk 'BEGIN { for (k = 1; k < 10000000; k++) printf "0,"; print 0 }' >"$TMP/wide.csv"
refuses 2 E207 'wide.csv:2: the file ends after 1 row of 10000000 columns; expected a square' "a row of 10^7 columns" \
    bound --matrix "$TMP/wide.csv"
: >"$TMP/empty.csv"
refuses 2 E207 'empty.csv:1: an empty file' "an empty file" bound --matrix "$TMP/empty.csv"
awk 'BEGIN { for (k = 0; k < 90000; k++) printf "%d%s", k % 97, (k + 1) % 300 ? "," : "\n" }' |
    gzip | head -c 150 >"$TMP/cut.gz"
refuses 2 E201 'cannot read: Bad message' "a compressed file that is cut off" \
    bound --matrix "$TMP/cut.gz"
refuses 2 E201 'cannot read: Is a directory' "a folder" bound --matrix "$TMP"
refuses 2 E205 'm.txt:1: a source 2 is out of range; expected 0 … 1' "an entry of no node" bound \
    --entries "$TMP/m.txt" -n 2
refuses 2 E201 'none.csv: cannot open' "no file" bound --matrix "$TMP/none.csv"

# -- traces of otf2-print --------------------------------------------------------------------------

# event NAME LOCATION ATTRIBUTES: a line as otf2-print writes it.
event() { printf '%-23s %15s %20s  %s\n' "$1" "$2" 1025000000 "$3"; }
# sends NAME FROM TO LENGTH: a send to a location.
sends() {
    event "$1" "$2" "Receiver: 1 (\"Master, <thread> # 1\" <$3>), Communicator: \"WORLD\" <0>, Tag: 0, Length: $4"
}
{
    printf '\n=== OTF2-PRINT ===\n=== Events ===\n'
    event ENTER 5 'Region: "MPI_Send" <5>'
    sends MPI_SEND 0 4294967296 4096
    sends MPI_ISEND 4294967296 8 4097
    sends MPI_ISEND 4294967296 8 1
    sends MPI_SEND 8 8 4096
    event MPI_RECV 9 'Sender: 0 ("Master thread" <0>), Communicator: "WORLD" <0>, Tag: 0, Length: 4096'
    event MPI_COLLECTIVE_END 0 'Operation: BCAST, Communicator: "WORLD" <0>, Root: 0 ("T" <0>), Sent: 9, Received: 9'
} >"$TMP/trace.txt"
# Locations 0, 8, 9 and 2^32 are nodes 0 … 3; 4097 bytes are two packets of 4096.
check "a trace, as messages" test "$("$ROUNDCAST" schedule traffic --entries "$TMP/trace.txt" |
    grep -E '^(topology|demand)' | tr '\n' ' ')" = 'topology complete 4 demand 1 0 3 demand 2-3 3 1 '
check "… as bytes" test "$("$ROUNDCAST" schedule traffic --entries "$TMP/trace.txt" \
    --packet-bytes 4Ki | grep '^demand' | tr '\n' ' ')" = 'demand 1 0 3 demand 2-4 3 1 '
gzip -c "$TMP/trace.txt" >"$TMP/trace.gz"
accepts 'topology complete 6' "… compressed, with more nodes" schedule traffic --entries \
    "$TMP/trace.gz" -n 6
refuses 2 E102 '-n: 3, but ' "… with fewer nodes" schedule traffic --entries "$TMP/trace.txt" -n 3
sed 's/<8>/8/' "$TMP/trace.txt" >"$TMP/cut.txt"
refuses 2 E204 'cut.txt:6: a send without the location of its receiver' "a receiver without a location" \
    schedule traffic --entries "$TMP/cut.txt"
sed 's/Length: 1$/Length: x/' "$TMP/trace.txt" >"$TMP/cut.txt"
refuses 2 E204 'cut.txt:7: a send without its length' "a send without a length" schedule traffic \
    --entries "$TMP/cut.txt"
sed 's/^\(MPI_RECV *\)9/\1x/' "$TMP/trace.txt" >"$TMP/cut.txt"
refuses 2 E204 'cut.txt:9: an event without a location' "an event without a location" schedule \
    traffic --entries "$TMP/cut.txt"
# 20000 messages between 41 locations are added up as the entries that awk counts.
awk 'BEGIN { srand(7); print "=== OTF2-PRINT ==="
    for (k = 0; k < 20000; k++) { a = k % 41; b = (a + 1 + int(rand() * 40)) % 41
        printf "MPI_SEND %d 5  Receiver: 0 (\"T\" <%d>), Communicator: 0, Tag: 0, Length: %d\n", 7 * a, 7 * b, k } }' \
    >"$TMP/many.txt"
sed -nE 's/^MPI_SEND ([0-9]+) .*<([0-9]+)>.*/\1 \2/p' "$TMP/many.txt" |
    awk '{ n[$1 / 7 " " $2 / 7]++ } END { for (p in n) print p, n[p] }' >"$TMP/many.entries"
check "many messages are added up" test \
    "$("$ROUNDCAST" schedule traffic --entries "$TMP/many.txt" | cksum)" = \
    "$("$ROUNDCAST" schedule traffic --entries "$TMP/many.entries" | cksum)"
printf '@ mpiP\n@ Command : a.out\n' >"$TMP/a.mpiP"
refuses 2 E208 'a.mpiP:1: a report of mpiP has no receivers of messages; expected a trace' \
    "a report of mpiP" schedule traffic --entries "$TMP/a.mpiP"
printf '=== OTF2-PRINT ===\n' >"$TMP/none.txt"
refuses 2 E207 'none.txt:2: no event of MPI; expected some' "a trace without events" schedule traffic --entries "$TMP/none.txt"

finish
