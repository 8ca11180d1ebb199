#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# price: traffic when changing a setting takes time, on the command line.
#
# Expected numbers are computed by hand. An awk program of this script counts the settings that the
# rounds of a schedule require: a setting lasts until a round has another circuit of a sender or a
# receiver.
. "$(dirname "$0")/tap.sh"

printf '%s\n' '0, 5, 1' '0, 0, 2' '7, 0, 0' >"$TMP/m.csv"

# settings FILE: prints the rounds and settings of a schedule.
settings() {
    awk '
        function turn() {
            count++
            delete to
            delete from
        }
        function flush(i) {
            for (i = 0; i < many; i++)
                if ((s[i] in to && to[s[i]] != d[i]) || (d[i] in from && from[d[i]] != s[i])) {
                    turn()
                    break
                }
            if (many > 0 && count == 0) turn()
            for (i = 0; i < many; i++) { to[s[i]] = d[i]; from[d[i]] = s[i] }
            many = 0
        }
        $1 == "round" { flush(); rounds++; next }
        $1 == "end" { flush(); print rounds, count; exit }
        rounds && NF == 3 { s[many] = $1; d[many++] = $2 }
    ' "$1"
}

# 7 packets of node 2, two partners of node 0: 7 + 2 · 10.
rounds="--round-cycles 1" # of no machine: cycles are rounds
accepts 'traffic reconfigure=10 round-cycles=1, 15 packets among 3 nodes: 27 cycles (bound 27, 0.0% above), 7 rounds of 1 cycle in 2 settings of 10 cycles' \
    "the bound is met" schedule traffic --matrix "$TMP/m.csv" --reconfigure 10 $rounds -o "$TMP/m.sched"
check "… by the file, too" test "$(settings "$TMP/m.sched")" = "7 2"
accepts 'holds' "… which verifies" verify "$TMP/m.sched"
accepts 'Every packet arrived' "… and runs, on a machine that needs no time to change" \
    run traffic --matrix "$TMP/m.csv" --engine csim
accepts '15 packets' "without a price" schedule traffic --matrix "$TMP/m.csv" -o "$TMP/free.sched"
check "the counter of settings sees changes" test "$(
    printf '%s\n' 'round 1' '0 1 1' 'round 2' '1 0 2' 'round 3' '0 2 3' 'end 3' >"$TMP/two"
    settings "$TMP/two"
)" = "3 2"

for method in fewest busiest heaviest birkhoff solstice emptiest slack search; do
    roundcast schedule traffic --pattern zipf:20 -n 8 --reconfigure 5 --method $method \
        --round-cycles 3 -o "$TMP/$method.sched"
    read -r many changes <<<"$(settings "$TMP/$method.sched")"
    check "$method: cycles are rounds and changes" \
        grep -qF ": $((3 * many + 5 * changes)) cycles" "$TMP/out"
    accepts 'holds' "… and it verifies" verify "$TMP/$method.sched"
done
json '"settings": 2' "as JSON" schedule traffic --matrix "$TMP/m.csv" --reconfigure 10 $rounds --json \
    -o "$TMP/m.sched"
accepts '' "500 ns of 20 MHz are 10 cycles" schedule traffic --matrix "$TMP/m.csv" \
    --reconfigure 500ns --clock 20 $rounds -o "$TMP/again.sched"
check "… the same" cmp "$TMP/m.sched" "$TMP/again.sched"
accepts 'reconfigure=41 ' "part of a cycle is one" schedule traffic --matrix "$TMP/m.csv" \
    --reconfigure 2001ns --clock 20 $rounds -o "$TMP/again.sched"
accepts 'reconfigure=60 ' "microseconds" schedule traffic --matrix "$TMP/m.csv" \
    --reconfigure 3us --clock 20 $rounds -o "$TMP/again.sched"

accepts 'search' "plan" plan --matrix "$TMP/m.csv" --reconfigure 10 $rounds
has '^slack +27 +27 +0\.0% +2 +25\.9% ' "… the makespan, its bound, settings, the part with data"
has '^solstice ' "… all methods"
json '"makespan": 27' "plan as JSON" plan --matrix "$TMP/m.csv" --reconfigure 10 $rounds --json
# A search in which different seeds find different ends: plan reports the end that schedule reaches
# with the same seed.
awk 'BEGIN { for (i = 0; i < 12; i++) { for (j = 0; j < 12; j++) {
    far = (j - i + 12) % 12
    few = 1 + (17 * i * i + 5 * j * j * j + 3 * i * j) % 52
    printf "%d ", (far > 0 && far < 6 ? int(1000 / few) : 0)
    } print "" } }' >"$TMP/search.txt"
ends=""
for seed in "" "--seed 2" "--seed 3"; do
    search="--matrix $TMP/search.txt --reconfigure 60 $seed"
    roundcast plan $search
    end=$(awk '$1 == "search" { print $2 }' "$TMP/out")
    accepts ": $end cycles" "plan and schedule search alike ${seed:-without a seed}" \
        schedule traffic $search --method search -o "$TMP/search.sched"
    ends="$ends $end"
done
check "… and seeds differ" test "$(tr ' ' '\n' <<<"$ends" | sort -u | grep -c .)" -gt 1

accepts 'not run' "plan leaves out what takes long" plan --pattern blocks:2,80 -n 80 --reconfigure 3 $rounds
has '^fewest +395 +395 +0\.0% +79 ' "… when the bound is met: 2 · 79 + 3 · 79"
accepts 'changes' "bound" bound --matrix "$TMP/m.csv" --reconfigure 10 $rounds
has '^send-receive +changes +27 +\* ' "… 7 + 10 · 2"

run="run traffic --matrix $TMP/m.csv --engine csim"
# 7 rounds of 4 + 3 cycles on benes:4, in 2 settings
for change in 0 1 3 10; do
    cycles=$((7 * 7 + 2 * change))
    accepts "2 settings of $change cycle" "a machine waits for $change cycles" \
        $run --reconfigure $change
    has "^cycles of the run +$cycles +$cycles +ok" "… $cycles in all"
done
# The same unit without a machine: 7 rounds of 4 + 3 cycles on benes:4, of 6 + 5 on benes:6,pad=1.
accepts 'of 7 cycles in 2 settings of 10 cycles' "a schedule counts the cycles of run's machine" \
    schedule traffic --matrix "$TMP/m.csv" --reconfigure 10 -o "$TMP/again.sched"
has ': 69 cycles .bound 69, ' "… 7 · 7 + 2 · 10"
accepts 'a round is 11 cycles, a change of settings 10 cycles' "plan does for a machine that is given" \
    plan --matrix "$TMP/m.csv" --reconfigure 10 --network benes:8,pad=0 --flits 6
has '^search +97 +97 ' "… 7 · 11 + 2 · 10"
accepts 'a change of settings 10 cycles' "… and bound" bound --matrix "$TMP/m.csv" --reconfigure 10
has '^send-receive +changes +69 ' "… 7 · 7 + 2 · 10"
json '"round_cycles": 7' "… which JSON says" bound --matrix "$TMP/m.csv" --reconfigure 10 --json
has '"cycles": 69' "… of each bound"
json '"round_cycles": 7' "… and of plan" plan --matrix "$TMP/m.csv" --reconfigure 10 --json

# No machine has 131 072 ports; a Beneš network would have 33 stages: 4 + 33 cycles.
accepts 'a round is 37 cycles' "plan for more nodes than machines have" \
    plan --pattern permutation:3 -n 70000 --reconfigure 10

# plan's prediction for a method equals run's measurement: plan's lines become one batch of runs.
while read -r traffic machine change; do
    roundcast plan ${traffic//+/ } ${machine//+/ } --reconfigure $change --json
    awk -v "options=${traffic//+/ } ${machine//+/ } --reconfigure $change" '
        /"makespan"/ { cycles = $2 + 0 }
        /"method"/ { gsub(/[",]/, "", $2); print cycles, "traffic", options, "--method", $2 }
        ' "$TMP/out" | sort -n >"$TMP/methods"
    # without a method: the best of those that require no solver
    grep -v -e 'exact$' "$TMP/methods" | sed -n '1s/ --method .*//p' >>"$TMP/planned"
    cat "$TMP/methods" >>"$TMP/planned"
done < <(for traffic in --pattern+zipf:20+-n+8 --pattern+moe:4,2+-n+6 --pattern+uniform:9+-n+6+--seed+5; do
    for machine in --flits+4 --flits+1 --network+benes:8,pipe=2,pad=3 \
        --network+clos:4,4,4+--flits+9 --network+benes:8,pipe=0+--flits+1; do
        for change in 0 1 7 10 90; do
            echo "$traffic" "$machine" "$change"
        done
    done
done)
cut -d ' ' -f 2- "$TMP/planned" >"$TMP/batch"
roundcast run --batch "$TMP/batch" --engine csim --json
cut -d ' ' -f 1 "$TMP/planned" >"$TMP/expected"
awk '/^   +"run_cycles"/ { print $2 + 0 }' "$TMP/out" >"$TMP/measured"
equal=$(paste "$TMP/expected" "$TMP/measured" | awk '$1 == $2 { equal++ } END { print equal }')
check "plan's cycles are those of all $(wc -l <"$TMP/planned") runs" cmp "$TMP/expected" "$TMP/measured"
check "… (more than 600)" test "$equal" -gt 600
sed -i '3s/$/0/' "$TMP/expected"
check "… and another number is found" bash -c "! cmp -s '$TMP/expected' '$TMP/measured'"

# A network that copies reuses settings like others: 7 rounds of 4 + 9 cycles on multicast:8.
accepts '2 settings of 10 cycles' "a network that copies waits no more often" $run \
    --reconfigure 10 --network multicast:8
has "^cycles of the run +111 +111 +ok" "… 7 · 13 + 2 · 10 cycles"
json '"reconfigure": 10' "as JSON" $run --reconfigure 10 --json
json '"changes": 2' "… the settings" $run --reconfigure 10 --json
json '"reconfigure": null' "… of a machine that does not wait" $run --json
accepts '2 settings of 10 cycles' "indexed" $run --reconfigure 500ns --clock 20 --settings indexed
accepts 'settings of 5 cycles' "any algorithm" run matching -n 4 -m 2 --engine csim --reconfigure 5
# general ignores the price: only the machine waits, in every model of rounds.
any="run general --matrix $TMP/m.csv --engine csim --reconfigure 5"
for model in send-receive telephone telegraph; do
    accepts 'Every packet arrived' "general by $model on such a machine" $any --model $model
    has "^schedule +general.*, $model: " "… in that model"
    check "… whose schedule has no price in its name" bash -c "! grep -q 'reconfigure=' '$TMP/out'"
done
"$ROUNDCAST" schedule general --matrix "$TMP/m.csv" --model telegraph >"$TMP/any.sched"
read -r many changes <<<"$(settings "$TMP/any.sched")"
has "^cycles of the run +$((7 * many + 5 * changes)) " "… and pays for $changes changes"
refuses 2 E103 "--method: 'fewest' of general does not exist" "general has no method" $any \
    --method fewest
refuses 2 E401 'of the model postal' "… and no rows without barriers" $any --lambda 2
refuses 2 E101 '--method: for traffic requires --reconfigure' "a method without a price" schedule traffic \
    --matrix "$TMP/m.csv" --method fewest
accepts 'settings, one a change ' "a setting is one row" route "$TMP/m.sched" --reconfigure 5 -o "$TMP/b"
check "… of 4 and 3 rows, in the order" test "$(sed -n '/^@10000[01]c0/{n;p}' "$TMP/b/image.hex" |
    tail -n 1)" = "$(awk '/^round/ { r = $2 } /^[0-9]/ { if ($1 == 0 && $2 == 2 && !s) s = r }
        END { printf "%08x %08x", 8 * (s - 2), 8 * (7 - s) + 1 }' "$TMP/m.sched")"
accepts '' "unpacked" unpack "$TMP/b/image.hex"
accepts 'holds' "… and verified" verify - < <("$ROUNDCAST" unpack "$TMP/b/image.hex")
accepts '' "waves" $run --reconfigure 5 --waves "$TMP/reconfig.fst"
check "… show when the switch turns" \
    grep -q '^+{setting_changes} TOP.machine.pause$' "$TMP/reconfig.gtkw"
check "… and none where it does not" bash -c "
    '$ROUNDCAST' $run --waves '$TMP/none.fst' >/dev/null && ! grep -q setting_changes '$TMP/none.gtkw'"
refuses 2 E401 '--reconfigure: routers have' "routers hold no settings" run tree-broadcast --tree 2,2 --engine csim \
    --reconfigure 5
refuses 2 E401 '--reconfigure: routers have' "nor do those of cubes" run cube-broadcast --dim 2 --sources 1 \
    --network cube --engine csim --reconfigure 5
refuses 2 E401 'of the model postal' "rows without barriers" run postal-bcast -n 4 -m 1 \
    --lambda 2 --engine csim --reconfigure 5
refuses 2 E401 'computed programs' "computed programs" run circulant -n 4 -m 4 --engine csim \
    --programs computed --reconfigure 5
refuses 2 E101 "'x'; expected a number" "no number" route "$TMP/m.sched" --reconfigure x -o "$TMP/b"
refuses 2 E101 '--reconfigure requires --matrix, --entries or --pattern' "a price for a broadcast" schedule matching -n 4 \
    -m 2 --reconfigure 10
refuses 2 E101 'send-receive only' "the postal model" schedule traffic --matrix "$TMP/m.csv" \
    --reconfigure 10 --lambda 2
refuses 2 E101 'send-receive only' "another model" plan --matrix "$TMP/m.csv" --reconfigure 10 \
    --model telephone
refuses 2 E101 "'ten'; expected a number" "no number" plan --matrix "$TMP/m.csv" --reconfigure ten
refuses 2 E101 "--reconfigure: '1s'; expected a number of cycles, or, with --clock, a time in ms" \
    "a unit that is not supported" plan --matrix "$TMP/m.csv" --reconfigure 1s
for option in "--round-cycles 2" "--flits 3" "--network benes:4"; do
    for command in plan bound "schedule traffic"; do
        refuses 2 E101 "${option% *} requires --reconfigure" "$command: ${option% *} of no price" \
            $command --matrix "$TMP/m.csv" $option
    done
done
refuses 2 E101 '--round-cycles: with --network or --flits' "cycles of a machine and of none" plan \
    --matrix "$TMP/m.csv" --reconfigure 3 --round-cycles 2 --flits 3
refuses 2 E102 '--round-cycles: 0 is out of range' "a round of nothing" plan \
    --matrix "$TMP/m.csv" --reconfigure 3 --round-cycles 0
refuses 2 E401 'an omega network may block the rounds' "plan for a network that blocks" plan \
    --matrix "$TMP/m.csv" --reconfigure 3 --network omega:4
refuses 2 E401 "its topology is not the schedule's" "plan for routers" plan \
    --matrix "$TMP/m.csv" --reconfigure 3 --network fat-tree
refuses 2 E102 '--flits: 65535; expected at most' "plan for packets that no machine holds" plan \
    --matrix "$TMP/m.csv" --reconfigure 3 --flits 65535
refuses 2 E402 '2 ports for 3 nodes' "plan for a network that is too small" plan \
    --matrix "$TMP/m.csv" --reconfigure 3 --network benes:2
refuses 2 E101 "'-3'; expected a number" "a negative one" plan --matrix "$TMP/m.csv" \
    --reconfigure=-3
refuses 2 E101 '--clock is required with --reconfigure in ms, us or ns' "time without a clock" plan --matrix "$TMP/m.csv" \
    --reconfigure 20us
refuses 2 E101 '--clock: 20 are cycles already' "cycles with a clock" plan --matrix "$TMP/m.csv" \
    --reconfigure 20 --clock 100
refuses 2 E101 '--clock requires --reconfigure' "a clock of nothing" plan --matrix "$TMP/m.csv" --clock 100
refuses 2 E102 'at most 4294967295 cycles' "a large price" plan --matrix "$TMP/m.csv" \
    --reconfigure 99999999999999999999
refuses 2 E102 'at most 4294967295 cycles' "a large time" plan --matrix "$TMP/m.csv" \
    --reconfigure 99999999us --clock 100000
refuses 2 E103 "but 'solstice' does" "an unknown method" schedule traffic --matrix "$TMP/m.csv" \
    --reconfigure 10 --method solstise

finish
