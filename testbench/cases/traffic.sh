#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# traffic: matrices, lists of entries and patterns on the command line, from the file to the last
# receipt on csim; what bad input gets.
#
# Rounds are sums of rows and columns, worked out by hand. An awk of its own counts what each node
# sends and receives in a round of a written schedule, and sums up what goes from node to node.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

# has REGEX TEXT: a line of the last output.
has() {
    check "$2" grep -qE "$1" "$TMP/out"
}

printf '%s\n' '# what three nodes send' '0, 5, 1' '0, 0, 2' '7, 0, 4' >"$TMP/m.csv"
printf '%s\n' '2 0 7' '0 1 5' '0 2 1' '1 2 2' >"$TMP/m.txt"
gzip -k "$TMP/m.csv"

# sums FILE: from>to:packets of a schedule, after the busiest that a node is in a round.
sums() {
    awk '
        function busy(key) { if (++seen[key] > most) most = seen[key] }
        $1 == "round" { round = $2; next }
        round && NF == 3 { busy(round " s " $1); busy(round " r " $2); sum[$1 ">" $2]++ }
        END { printf "%d", most; for (pair in sum) printf "\n%s:%d", pair, sum[pair] }
    ' "$1" | sort | paste -sd ' '
}

accepts 'traffic, 15 packets among 3 nodes, send-receive: 7 rounds (bound 7), 15 transfers' \
    "a matrix takes its largest sum" schedule traffic --matrix "$TMP/m.csv" -o "$TMP/m.sched"
check "… its packets go where it says, one in a round" \
    test "$(sums "$TMP/m.sched")" = "0>1:5 0>2:1 1 1>2:2 2>0:7"
accepts 'holds: traffic, 15 packets, 3 nodes' "… and it holds" verify "$TMP/m.sched"
has 'rounds +7 \(bound 7\)' "… in as many rounds as its own demand needs"
sed '/^round 7/,/^end/c\end 6' "$TMP/m.sched" >"$TMP/cut.sched"
refuses 1 E303 'has not received packet' "a packet fewer is missed" verify "$TMP/cut.sched"
check "the counter of sums sees two of a sender" \
    test "$(printf 'round 1\n0 1 1\n0 2 2\n' >"$TMP/two" && sums "$TMP/two")" = "0>1:1 0>2:1 2"

for form in "--matrix $TMP/m.csv.gz" "--entries $TMP/m.txt"; do
    # shellcheck disable=SC2086
    accepts '' "the same from ${form%% *} ${form##*.}" schedule traffic $form -o "$TMP/again.sched"
    check "… is the same" cmp "$TMP/m.sched" "$TMP/again.sched"
done
"$ROUNDCAST" schedule traffic --matrix - <"$TMP/m.csv" >"$TMP/again.sched"
check "… from standard input, too" cmp "$TMP/m.sched" "$TMP/again.sched"
accepts 'end 11/2' "in the postal model λ comes behind the last of 4" schedule traffic \
    --pattern permutation:4 -n 5 --lambda 5/2
accepts 'end 3' "bytes become packets" schedule traffic --matrix "$TMP/m.csv" --packet-bytes 3
# 15 of 19 parts leave their nodes: ⌊15·30/19⌋.
accepts '"packets": 23' "shares of a total" schedule traffic --matrix "$TMP/m.csv" --total 30 \
    --json -o "$TMP/shares.sched"

accepts 'traffic' "plan" plan --matrix "$TMP/m.csv" --lambda 2
has '^send-receive +traffic +7 +7 +0$' "… 7 rounds"
has '^postal +traffic +8 +8 +0$' "… 7 - 1 + 2 in the postal model"
accepts 'busiest' "bound" bound --matrix "$TMP/m.csv"
has '^telegraph +busiest-half-duplex +15 +\* ' "… half duplex: one pair for 15 packets"

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
refuses 2 E103 'a node has 3 ports; expected 1: no network' "a network of several ports" \
    route "$TMP/ports.sched" -o "$TMP/ports.dir"
refuses 2 E101 '--ports: 3; expected 1' "a run of several ports" run traffic \
    --matrix "$TMP/m.csv" --ports 3
refuses 2 E101 '--ports: a number without traffic' "ports for a broadcast" schedule matching -n 4 \
    -m 2 --ports 2
refuses 2 E101 'in the model send-receive only' "ports in another model" plan \
    --matrix "$TMP/m.csv" --ports 2 --lambda 2
refuses 2 E101 '--ports: with --reconfigure' "ports and a price" plan --matrix "$TMP/m.csv" \
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

refuses 2 E101 'traffic: no demand; expected --matrix, --entries or --pattern' "no demand" \
    schedule traffic -n 4
refuses 2 E101 'matching: with --matrix' "a matrix for a broadcast" schedule matching \
    --matrix "$TMP/m.csv"
refuses 2 E101 'several of them' "two demands" schedule traffic --matrix "$TMP/m.csv" \
    --pattern zipf:2
refuses 2 E101 '-m: with a demand' "-m with a demand" schedule traffic --matrix "$TMP/m.csv" -m 3
refuses 2 E101 'expected a complete graph' "a tree" schedule traffic --pattern zipf:2 --tree 4,4
refuses 2 E102 '-n: 4; expected the 3 nodes' "other nodes" schedule traffic --matrix "$TMP/m.csv" \
    -n 4
refuses 2 E101 '--total: of no file' "a total of nothing" schedule traffic --pattern zipf:2 -n 4 \
    --total 9
refuses 2 E101 '--total: with --packet-bytes' "two units" schedule traffic --matrix "$TMP/m.csv" \
    --total 9 --packet-bytes 4
refuses 2 E103 'traffic does not keep the model telephone' "a model without" schedule traffic \
    --matrix "$TMP/m.csv" --model telephone
printf '5 0\n0 3\n' >"$TMP/local.csv"
refuses 2 E102 'no packet from one node to another' "nothing but a diagonal" schedule traffic \
    --matrix "$TMP/local.csv"
printf '0,1\n1,NaN\n' >"$TMP/nan.csv"
refuses 2 E204 "nan.csv:2: unexpected 'N'; expected in column 2 a number" "what is no number" \
    schedule traffic --matrix "$TMP/nan.csv"
printf '0,1\n1\n' >"$TMP/ragged.csv"
refuses 2 E204 'ragged.csv:2: 1 number; expected 2' "a ragged matrix" plan \
    --matrix "$TMP/ragged.csv"
printf '0,1\n-2,0\n' >"$TMP/negative.csv"
refuses 2 E204 "negative.csv:2: unexpected '-'; expected in column 1" "a negative number" \
    schedule traffic --matrix "$TMP/negative.csv"
printf '0,99999999999999999999\n1,0\n' >"$TMP/large.csv"
refuses 2 E205 'large.csv:1: column 2: the number is too large' "a large number" \
    schedule traffic --matrix "$TMP/large.csv"
awk 'BEGIN { for (k = 1; k < 10000000; k++) printf "0,"; print 0 }' >"$TMP/wide.csv"
refuses 2 E207 'wide.csv:2: the file ends after 1 row of 10000000 columns; expected a square' "a row of 10^7 columns" \
    bound --matrix "$TMP/wide.csv"
: >"$TMP/empty.csv"
refuses 2 E207 'empty.csv:1: an empty file' "an empty file" bound --matrix "$TMP/empty.csv"
refuses 2 E201 'none.csv: cannot open' "no file" bound --matrix "$TMP/none.csv"

finish
