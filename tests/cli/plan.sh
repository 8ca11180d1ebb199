#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plan: bound, plan and tune on the command line; tune's predictions, run on csim; the errors for
# bad input.
#
# Bounds and functions are those of the papers' examples, computed by hand. Every row of tune's
# table is run by its own command line with a message of exactly that size: it must take the cycles
# of the table, for several messages and networks. Bad input: every error of the commands, with its
# exact message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

for command in bound tune; do
    accepts '--json' "$command --help" "$command" --help
    refuses 2 E101 "'$command' accepts no argument" "$command with an argument" "$command" path
done

# bound.
accepts 'Theorems 1 and 5' "bounds of all models" bound -n 7 -m 100
has '^send-receive +last-packet +102 +\* ' "… send-receive: 100 - 1 + 3 is the tightest"
has '^telephone +last-packet +102  +m' "… telephone: that of the last packet is not"
has '^telephone +theorem-2 +118 +\* ' "… Theorem 2 is: 100 + ⌈(100 + 5·3 - 7)/6⌉"
has '^telegraph +telegraph-odd +201 +\* ' "… telegraph: 2·100 - 1 + 2"
has '^\* the tightest' "… what the mark means"
check "… nothing postal without λ" test "$(grep -c '^postal' "$TMP/out")" = 0
accepts 'theorem-2-sharpened' "bounds of one model" bound -n 3 -m 3 --model telephone
has '^telephone +theorem-2 +4  +m' "… Theorem 2 as printed: 4"
has '^telephone +theorem-2-sharpened +5 +\* ' "… sharpened: 5"
check "… this model only" test "$(grep -cE '^(send-receive|telegraph)' "$TMP/out")" = 0
accepts 'm-1+f_λ(n)' "postal bounds" bound -n 14 -m 3 --lambda 5/2
has '^postal +last-packet +19/2  ' "… 3 - 1 + 15/2"
has '^postal +useful-transfers +10 +\* ' "… 13+9+6+4+3+2+1+1 = 39 sends up to 15/2"
has '^postal +latency +9/2  ' "… 3 - 1 + 5/2"
has '^f_5/2\(14\) +15/2 +≤ 29/2 +Bar-Noy, Kipnis, Theorem 7 \(2\)$' "… f_5/2(14) of figure 1"
accepts 'guarantee' "the theorems of the algorithms" bound -n 22 -m 8 --lambda 5/2
has '^postal +postal-dtree +63/2 +d\(m-1\)\+\(d-1\+λ\)⌈log_d n⌉ +Bar-Noy, Kipnis, Lemma 18$' \
    "… 2·7 + (1 + 5/2)·5"
has '^telephone +matching +12 +m-1\+⌈log n⌉ +Bar-Noy, Kipnis, Schieber, Theorem 4$' "… even n"
accepts 'model' "… of none by telephone with odd n" bound -n 23 -m 8 --model telephone
check "… that is shown" test "$(grep -c guarantee "$TMP/out")" = 0
accepts 'no bound' "one node has no bound" bound -n 1 -m 9
accepts 'function' "the functions of d" bound -n 25 -m 1 -d 2 -t 6
has '^F_2\(6\) +25 +≥ 1 +Bruck, Cypher, Ho, Theorem 3.7$' "… F_2(6) of figure 1"
has '^f_2\(25\) +6 +≤ 25 +Bruck, Cypher, Ho, Theorem 3.9$' "… f_2(25)"
accepts 'function' "… and of λ" bound -n 14 -m 1 --lambda 5/2 -t 29/4
has '^F_5/2\(29/4\) +12 +≥ 4 ' "… F_5/2 is constant between ticks: that of 7"
has '^F_5/2\(29/4\)' "… the time as given"
accepts '≥ 4611686018427387904' "a size that no number holds" bound -n 2 -m 1 --lambda 1 -t 65535
accepts 'F_2(6)       25  ≥ 1 ' "a function needs no broadcast" bound -d 2 -t 6
check "… and has no bounds" test "$(grep -c '^send-receive' "$TMP/out")" = 0
json '"F_5/2(7)": "12"' "… as JSON" bound --lambda 5/2 -t 7 --json
refuses 2 E101 '-t requires -d or --lambda' "… t alone is of none" bound -t 3
json '"F_5/2(15/2)": "14"' "bound as JSON" bound -n 14 -m 1 --lambda 5/2 -t 15/2 --json
has '"time": "15/2"' "… with times"
json '"bounds": []' "no bound as JSON" bound -n 1 -m 1 --json
json '"F_3(200)": null' "a large size as JSON" bound -n 14 -m 1 -d 3 -t 200 --json

# plan.
accepts 'bound of' "plan says where bounds come from" plan -n 23 -m 8
has '^telegraph +2m-1\+⌊log2 n⌋ +Cockayne' "… of the telegraph model"
accepts 'rounds' "plan of one node" plan -n 1 -m 8
json '"bound_source": "Bar-Noy' "plan as JSON" plan -n 22 -m 8 --json
accepts 'gap' "plan with λ" plan -n 22 -m 8 --lambda 5/2

# Other collectives of complete graphs.
accepts 'telephone         all-gather         14     14    0' \
    "an all-gather of odd n: a node pauses in each round" plan -n 7 -m 2 --collective all-gather
has '^telegraph +all-gather +28 +28 +0$' "… by telegraph 2mn: 84 receipts, 3 in a round"
has '^send-receive +all-gather +12 +12 +0$' "… 2·6 receipts of a node"
check "… and no broadcast" test "$(grep -c circulant "$TMP/out")" = 0
accepts 'm(n-1)-1+λ' \
    "bounds of a total exchange with λ" bound -n 6 -m 1 --lambda 5/2 --collective total-exchange
has '^postal, total-exchange +one-port +13/2 +\* ' "… 5 - 1 + 5/2"
accepts 'broadcast 1 demand has all of it' "tune of a broadcast" tune -n 6 --bytes 1000 \
    --collective broadcast
accepts '30 demands share it' "tune of a total exchange" tune -n 6 --bytes 1000 --collective total-exchange
for command in 'bound -m 1' 'plan -m 1' 'tune --bytes 9'; do
    # shellcheck disable=SC2086 # a command and its options
    refuses 2 E103 \
        "--collective: 'pony' does not exist; expected broadcast, scatter, gather, all-gather, total-exchange" \
        "$command: an unknown collective" $command -n 4 --collective pony
done
for command in bound plan; do
    refuses 2 E101 '--collective: all collectives of a tree, hypercube, torus or mesh are shown' \
        "$command: a collective of a tree" $command --tree 2,2 --collective scatter
done

# Bad parameters of bound and plan.
for command in bound plan; do
    refuses 2 E102 "--lambda: '1/2'; expected P/Q, P or a decimal number, at least 1" \
        "$command: λ below 1" $command -n 4 -m 1 --lambda 1/2
    refuses 2 E102 "--lambda: '2.5x'; expected P/Q" \
        "$command: λ that is not rational" $command -n 4 -m 1 --lambda 2.5x
    refuses 2 E102 "--lambda: '5/0'; expected P/Q" \
        "$command: λ over 0" $command -n 4 -m 1 --lambda 5/0
    refuses 2 E102 "--lambda: '65536'; expected P/Q" \
        "$command: λ too large" $command -n 4 -m 1 --lambda 65536
    refuses 2 E101 '--lambda is required' "$command: postal without λ" $command -n 4 -m 1 --model \
        postal
    refuses 2 E101 '--lambda: the model telephone has no λ' \
        "$command: λ of another model" $command -n 4 -m 1 --lambda 2 --model telephone
    refuses 2 E103 "--model: 'pony' does not exist; expected send-receive" \
        "$command: an unknown model" $command -n 4 -m 1 --model pony
    refuses 2 E102 '-n: 0 is out of range; expected 1 … 16777216' \
        "$command: n = 0" $command -n 0 -m 1
    refuses 2 E102 '-n: 16777217 is out of range' "$command: n too large" $command -n 16777217 -m 1
    refuses 2 E101 '-m is required; expected the number of packets' "$command: no m" $command -n 4
done
refuses 2 E102 '-d: 0 is out of range; expected 1 … 16777216' "bound: d = 0" bound -n 4 -m 1 -d 0
refuses 2 E102 "-t: '-1'; expected a time P/Q or P" "bound: t below 0" bound -n 4 -m 1 -d 2 -t -1
refuses 2 E102 "-t: 3/2; expected a whole number for F_2" \
    "bound: t between rounds" bound -n 4 -m 1 -d 2 -t 3/2
refuses 2 E101 '-t requires -d or --lambda' \
    "bound: t of nothing" bound -n 4 -m 1 -t 3

# tune.
accepts '5499' "tune" tune --bytes 9286 -n 22 --model send-receive
has '^roundcast run matching -n 22 -m 43 --network benes:32,pipe=1,pad=0 --flits 108 --width 16$' \
    "… says how to run the best"
has '^bound +4670 cycles' "… and the bound: m + λ - 1 + ⌈359/21⌉, 359 sends fewer than 21 a unit"
accepts 'matching' "tune in the telephone model" tune --bytes 9286 -n 22 --model telephone
has '^roundcast run matching .* --model telephone ' \
    "… which is not the algorithm's own, so the command names it"
roundcast tune --bytes 9286 -n 22 --top 2
check "tune --top shows as many" test "$(grep -cE ' [0-9]+\.[0-9]{3} ' "$TMP/out")" = 2
json '"bound_cycles": 4670' "tune as JSON" tune --bytes 9286 -n 22 --json
accepts 'roundcast run' "tune of a large message" tune --bytes 1048576 -n 64
accepts 'roundcast run' "tune of many nodes" tune --bytes 262144 -n 1024
accepts 'not tried, because its end is known only after building its schedule: postal-swarm, postal' \
    "tune of what cannot be predicted" tune --bytes 9 -n 40000
json '"algorithm": "postal-swarm"' "… as JSON" tune --bytes 9 -n 40000 --json
check "… which stands apart" grep -q '"not_predicted": \[$' "$TMP/out"
refuses 2 E101 '--bytes is required' "tune: no bytes" tune -n 22
refuses 2 E101 '-n is required; expected the number of nodes' "tune: no n" tune --bytes 9286
refuses 2 E102 '--bytes: 0 is out of range; expected 1 … 1073741824' \
    "tune: no byte" tune --bytes 0 -n 22
refuses 2 E102 '--bytes: 1073741825 is out of range' \
    "tune: too many bytes" tune --bytes 1073741825 -n 22
refuses 2 E101 "--bytes: '1k' is not a number" "tune: bytes with a unit" tune --bytes 1k -n 22
refuses 2 E102 '-n: 1 is out of range; expected 2 … 16777216' "tune: one node" tune --bytes 9 -n 1
refuses 2 E102 '--width: 513 is out of range; expected 1 … 512' \
    "tune: flits too wide" tune --bytes 9 -n 2 --width 513
refuses 2 E102 '--top: 0 is out of range' "tune: nothing to show" tune --bytes 9 -n 2 --top 0
refuses 2 E103 "--model: 'pony' does not exist" \
    "tune: an unknown model" tune --bytes 9 -n 2 --model pony
refuses 2 E401 'expected benes:N, omega:N, multicast:N, combine:N, all-reduce:N, clos:m,n,r' \
    "tune: an unknown network" tune --bytes 9 -n 2 --network torus:8
refuses 2 E401 'an omega network may block the rounds; expected one that passes all' \
    "tune: a network that blocks" tune --bytes 9 -n 2 --network omega:8
refuses 2 E402 '--network: 16 ports for 22 nodes; expected benes:22 or larger' \
    "tune: a network too small" tune --bytes 9286 -n 22 --network benes:16
refuses 2 E401 '131072 ports; expected 2 … 65536' \
    "tune: more nodes than any network has" tune --bytes 9 -n 65537
refuses 2 E402 'of benes:1024 can hold; expected at most 524288' \
    "tune: more bytes than fit" tune --bytes 524289 -n 1024

# runs TEXT BYTES CYCLES COMMAND…: checks that a row's command sends the message in these cycles.
runs() {
    local text=$1 bytes=$2 cycles=$3
    shift 4 # and the program's name
    head -c "$bytes" "$TMP/message" >"$TMP/payload"
    roundcast "$@" --payload "$TMP/payload" --engine csim --json
    if [ "$status" -eq 0 ] && grep -q "\"run_cycles\": $cycles," "$TMP/out" && grep -q '"holds": true' "$TMP/out"; then
        ok "$text"
    else
        not_ok "$text" "$*: exit $status, expected $cycles: $(grep -E 'run_cycles|text' "$TMP/out") $(cat "$TMP/err")"
    fi
}

# all_rows BYTES OPTION…: runs the rows of tune for one message.
all_rows() {
    local bytes=$1 cycles command count=0
    shift
    roundcast tune --bytes "$bytes" "$@" --json
    awk -F '": "?' '
        { sub(/"?,?$/, "") }
        /"cycles"/ { cycles = $2 }
        /"command"/ { print cycles, $2 }' "$TMP/out" >"$TMP/rows"
    while read -r cycles command; do
        # shellcheck disable=SC2086 # the words of a command line
        runs "$bytes bytes, $*: $command" "$bytes" "$cycles" $command
        count=$((count + 1))
    done <"$TMP/rows"
    check "$bytes bytes, $*: rows were run" test "$count" -gt 0
}
seq 1 20000 | tr '\n' '-' >"$TMP/message"
all_rows 1 -n 2
all_rows 1000 -n 8
all_rows 1000 -n 8 --network benes:8,pipe=0
all_rows 1000 -n 7 --width 31 --network benes:16,pipe=2,pad=3
all_rows 5000 -n 22
all_rows 700 -n 13 --model telephone --width 5
all_rows 700 -n 14 --model telegraph --network benes:64,pad=40
all_rows 9286 -n 33 --width 8
all_rows 700 -n 5 --collective total-exchange --network benes:5,pipe=1
all_rows 700 -n 7 --collective all-gather --model telephone
all_rows 700 -n 6 --collective scatter

# The cuts next to the best one are slower on the machine, too.
head -c 1000 "$TMP/message" >"$TMP/payload"
for packets in 13 15; do
    roundcast run matching -n 8 -m $packets --network benes:8 --payload "$TMP/payload" --engine csim --json
    cycles=$(awk '/"run_cycles"/ { print $2 + 0 }' "$TMP/out")
    check "1000 bytes, -n 8: $packets packets take more than the 656 cycles of 14" test "$cycles" -gt 656
done

for command in plan bound; do
    refuses 2 E101 '--method: requires an algorithm' \
        "$command: a method of none" $command -n 9 -m 3 --method random
done

# The best rows of each model alone; the whole table has them first.
models=$(roundcast plan -n 22 -m 8; awk '/^$/ { exit } NR > 1 { print $1 }' "$TMP/out")
cp "$TMP/out" "$TMP/whole"
accepts '' "--top: a plan" plan -n 22 -m 8 --top 2
check "--top: at most 2 rows of each model" test "$(awk '/^$/ { exit } NR > 1 { print $1 }' "$TMP/out")" = \
    "$(awk '++rows[$1] <= 2' <<<"$models")"
check "--top: … which are the first ones" test -z \
    "$(awk '/^$/ { exit } { print $1, $2, $3 }' "$TMP/out" | grep -vxF -f <(awk '{ print $1, $2, $3 }' "$TMP/whole"))"
accepts '"plan"' "--top: as JSON" plan -n 22 -m 8 --model send-receive --top 1 --json
check "--top: … of one row" test "$(grep -c '"algorithm"' "$TMP/out")" = 1
refuses 2 E102 '--top: 0 is out of range; expected 1 …' "--top: 0" plan -n 22 -m 8 --top 0

finish
