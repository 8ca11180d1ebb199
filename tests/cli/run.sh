#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run: route, unpack, simulate and run on the command line; the errors for bad input.
#
# Valid runs: every algorithm on csim, several machines, one on csim and RTL in lockstep; the result
# through files equals that of `run`; the payload is followed byte for byte into the image. Bad
# input: every error of the commands, with its exact exit status and message, and a folder that must
# not change. Broken images: exit 1 and the violation, as text and as JSON.
. "$(dirname "$0")/tap.sh"

# fails CODE PART TEXT ARGUMENT…: checks that a check failed: exit 1, a report, and one message with
# the code and the part.
fails() {
    local code=$1 part=$2 text=$3
    shift 3
    roundcast "$@"
    if [ "$status" -eq 1 ] && [ -s "$TMP/out" ] &&
        [ "$(grep -c '^roundcast: ' "$TMP/err")" -eq 1 ] &&
        grep -qE "^roundcast: .* \[$code [a-z-]+\]( \(and [0-9]+ more\))?$" "$TMP/err" &&
            grep -qF -e "$part" "$TMP/err"; then
        ok "$text"
    else
        not_ok "$text" "roundcast $*: exit $status: $(cat "$TMP/err")"
    fi
}

# listing: prints everything in the work folder, with the files' times and contents.
listing() {
    (cd "$TMP/work" && find . -type f -printf '%p %m %T@\n' -o -printf '%p %m\n' &&
        find . -type f -exec cksum {} +) | sort
}

mkdir "$TMP/work"
W=$TMP/work
head -c 200 "$0" >"$W/small.bin"
: >"$W/one-file"
head -c 1000 "$0" >"$W/text.bin"
sched() {
    "$ROUNDCAST" schedule "$@" || echo "schedule $* failed" >&2
}
sched matching -n 22 -m 8 -o "$W/m22.sched" >/dev/null
sched circulant -n 8 -m 3 -o "$W/c8.sched" >/dev/null

# Valid runs on csim.
for algorithm in binomial path binary-tree dary-trees fibonacci matching circulant telegraph; do
    accepts 'Every packet arrived in its predicted cycle.' "$algorithm to 22 nodes on csim" \
        run $algorithm -n 22 -m 5 --source 7 --engine csim
done
accepts 'receipts in their exact cycle          168   168  ok' \
    "the table counts the receipts" run matching -n 22 -m 8 --engine csim
accepts 'packets in memory, byte for byte       176   176  ok' \
    "… and the packets in memory" run matching -n 22 -m 8 --engine csim
accepts 'matching, 8 packets to 22 nodes, telephone: 12 rounds (bound 12)' \
    "another model" run matching -n 22 -m 8 --model telephone --engine csim
accepts 'benes:64, 11 stages, latency 8 cycles' \
    "another network" run path -n 22 -m 3 --network benes:64,pipe=2,pad=3 --engine csim
accepts '1 flit of 31 bits' "the widest and shortest packets" run circulant -n 22 -m 3 --width 31 \
    --flits 1 --network benes:32,pipe=0 --engine csim
accepts 'payload   1000 bytes' "a file" run circulant -n 22 -m 8 --payload \
    "$W/text.bin" --engine csim
accepts 'Every packet arrived' "n = 1, without rounds" run circulant -n 1 -m 8 --engine csim
json '"holds": true' "a run as JSON" run circulant -n 22 -m 8 --engine csim --json
check "… with every packet counted" grep -q '"packets_checked": 176' "$TMP/out"
roundcast run circulant -n 22 -m 8 --payload - --engine csim <"$W/text.bin"
check "a payload from standard input" test \
    "$status,$(grep -c 'payload   1000 bytes' "$TMP/out")" = 0,1

# On RTL, alone and in lockstep. The first run builds the engine and reports it.
"$ROUNDCAST" run circulant -n 8 -m 3 --engine rtl >/dev/null 2>&1
accepts 'engine    rtl' "a run on RTL" run circulant -n 8 -m 3 --engine rtl
accepts 'engine    csim and rtl, in lockstep' "both are the default" run circulant -n 8 -m 3
accepts 'all-gather, 8 packets to 8 nodes, send-receive: 7 rounds (bound 7)' \
    "all-gather on both" run all-gather -n 8 -m 1
accepts 'telephone: 7 rounds (bound 7)' \
    "… by telephone, odd n" run all-gather -n 7 -m 1 --model telephone --network benes:8
accepts 'telegraph: 6 rounds (bound 6)' \
    "total-exchange by telegraph" run total-exchange -n 4 -m 1 --model telegraph --network benes:8
accepts 'scatter, 14 packets to 8 nodes, send-receive: 14 rounds (bound 14)' \
    "scatter on both" run scatter -n 8 -m 2 --source 3
accepts 'gather, 14 packets to 8 nodes, send-receive: 14 rounds (bound 14)' \
    "gather on both" run gather -n 8 -m 2 --source 3
accepts 'engine    csim and rtl, in lockstep' \
    "both, asked for" run matching -n 7 -m 5 --network benes:8 --engine both
json '"engine": "csim and rtl, in lockstep"' \
    "both as JSON" run matching -n 7 -m 5 --network benes:8 --json

# A report describes its run, with the same keys for every kind of run; keys that do not apply are
# null.
keys() {
    grep -oE '^  "[a-z_]+":' "$TMP/out" | sort
}
json '"network": "benes:8,pipe=1,pad=0"' "a report names the network" run circulant -n 8 -m 3 \
    --network benes:8 --settings tags --programs computed --seed 7 --engine csim --json
for line in '"version": "' '"commit": "' '"stages": 5' '"width": 16' '"flits": 4' '"row_cycles": 9' \
    '"seed": 7' '"settings": "tags"' '"programs": "computed"' '"time": null' '"routers": null' \
    '"error": null'; do
    check "… $line" grep -qF "$line" "$TMP/out"
done
keys >"$TMP/keys"
json '"lambda": "5/2"' "… λ" run postal-bcast -n 8 -m 1 --lambda 5/2 --engine csim --json
check "… with the same keys" cmp <(keys) "$TMP/keys"
json '"settings": null' "… nothing of routers" run tree-gather --tree 2,2 --engine csim --json
check "… with the same keys" cmp <(keys) "$TMP/keys"
for command in list bound plan tune schedule verify route unpack draw plot export import simulate \
    run mpi; do
    refuses 2 E101 'unknown option' "$command --json reports errors as JSON, too" \
        "$command" --json --pony
    check "… which parses" parses "$TMP/out"
done

# Through files: schedule → route → simulate gives the same result as run.
accepts 'benes:32, 9 stages, latency 9 cycles; 12 rows' "route to a folder" route \
    "$W/m22.sched" --payload "$W/text.bin" -o "$W/m22"
check "… three files" test "$(cd "$W/m22" && echo *)" = "image.hex payload.bin schedule.sched"
check "… the schedule unchanged" cmp "$W/m22.sched" "$W/m22/schedule.sched"
check "… the payload unchanged" cmp "$W/text.bin" "$W/m22/payload.bin"
json '"rows": 12' "route as JSON" route "$W/m22.sched" --payload "$W/text.bin" -o "$W/m22" --json
json '"holds": true' "simulate the folder" simulate "$W/m22" --engine csim --json
check "… whose seed is not known" grep -q '"seed": null' "$TMP/out"
grep -vE 'seconds|megabytes|"seed"' "$TMP/out" >"$TMP/through-files"
json '"holds": true' "run the same" run matching -n 22 -m 8 --payload \
    "$W/text.bin" --engine csim --json
grep -vE 'seconds|megabytes|"seed"' "$TMP/out" >"$TMP/at-once"
check "… with the same report" cmp "$TMP/through-files" "$TMP/at-once"
accepts 'payload   200 bytes' "simulate with another payload" simulate \
    "$W/m22" --engine csim --payload "$W/small.bin"
"$ROUNDCAST" schedule path -n 5 -m 2 | "$ROUNDCAST" route - -o "$W/piped" >/dev/null
accepts 'path' "a schedule through a pipe" simulate "$W/piped" --engine csim
"$ROUNDCAST" route "$W/c8.sched" -o "$W/c8" >/dev/null
accepts 'in lockstep' "a folder on both engines" simulate "$W/c8"

# The payload's bytes are in the image: with words of 8 bits, one byte a word, at the source's
# addresses.
"$ROUNDCAST" route "$W/m22.sched" --width 8 --payload "$W/text.bin" -o "$W/bytes" >/dev/null
awk '/^@4/ { on = 1; next } /^[@\/]/ { on = 0 } on' "$W/bytes/image.hex" | tr ' ' '\n' |
    sed -n 's/^800000\(..\)$/\\x\1/p' | tr -d '\n' >"$TMP/escapes"
printf "$(cat "$TMP/escapes")" | head -c 1000 >"$TMP/from-image"
check "the image has the payload, byte for byte" cmp "$TMP/from-image" "$W/text.bin"

# unpack reverses route.
rounds() {
    awk '/^round/ { round = $2; next } /^[0-9]/ && round { print round, $1, $2, $3 }' "$@" | sort -n
}
accepts 'round 12' "unpack an image" unpack "$W/m22/image.hex"
rounds "$TMP/out" >"$TMP/unpacked"
rounds "$W/m22.sched" >"$TMP/scheduled"
check "… whose transfers are the schedule's" cmp "$TMP/unpacked" "$TMP/scheduled"
check "… (168 of them)" test "$(wc -l <"$TMP/scheduled")" -eq 168
same_schedule "… and all of whose lines are its lines" "$W/m22.sched" "$W/m22"
sed 's/^demand 1-8/demand 1-7/; s/^demand.*/&\ndemand 8 0 1/' "$W/m22.sched" >"$TMP/other.sched"
check "(another demand is seen)" bash -c '! cmp -s "$1" "$2"' _ <(in_any_order <"$TMP/out") \
    <(in_any_order <"$TMP/other.sched")
accepts 'round 3' "unpack one round" unpack "$W/m22/image.hex" --round 3
check "… and no other" test "$(grep -c round "$TMP/out")" -eq 1
json '"circuits"' "unpack as JSON" unpack "$W/m22/image.hex" --json
roundcast unpack - <"$W/m22/image.hex"
check "unpack from standard input" test "$status,$(grep -c "^round " "$TMP/out")" = 0,12

# Waves.
accepts 'Every packet' "a trace" run circulant -n 8 -m 3 --engine csim --waves "$W/a.fst"
check "… is there" test -s "$W/a.fst"

# The following commands must not change the folder. Broken images first.
mkdir "$W/broken" && cp "$W/m22/"* "$W/broken"
row=$(grep -n '^@10000000' "$W/m22/image.hex" | cut -d: -f1)
sed "$((row + 1))s/^......../ffffffff/" "$W/m22/image.hex" >"$W/broken/image.hex"
mkdir "$W/cut" && cp "$W/m22/"* "$W/cut" && head -c 5000 "$W/m22/image.hex" >"$W/cut/image.hex"
mkdir "$W/other" && cp "$W/m22/"* "$W/other" && cp "$W/c8/image.hex" "$W/other"
mkdir "$W/version" && cp "$W/m22/"* "$W/version" &&
    sed '1s/1/2/' "$W/m22/image.hex" >"$W/version/image.hex"
mkdir "$W/address" && cp "$W/m22/"* "$W/address" &&
    sed 's/^@10000000/@1fffffff/' "$W/m22/image.hex" >"$W/address/image.hex"
mkdir "$W/registers" && cp "$W/m22/"* "$W/registers" &&
    sed '/^@00000008$/{n;s/^......../ffffffff/}' "$W/m22/image.hex" >"$W/registers/image.hex"
sed '/^@00000008$/{n;s/^.........\(.*\)$/@00000009 \1/}; s/^@00000008$//; s/^\/\/ end.*/\/\/ end 0/' "$W/m22/image.hex" >"$W/registers/none.hex"
words=$(awk '/^[0-9a-f]/ {n += NF} /^@/ {n += NF - 1} END {print n}' "$W/registers/none.hex")
sed -i "s|^// end.*|// end $words|" "$W/registers/none.hex"
printf '%s\n' 'roundcast-schedule 1' 'algorithm far' 'topology complete 16777216' \
    'model send-receive' 'demand 1 0 16777215' \
    'round 1' '0 16777215 1' 'end 1' >"$W/far.sched"
# Four lines that declare a large machine: 262144 rows of 1024 ports.
printf '%s\n' '// roundcast-image 1' \
    '// machine benes:1024,pipe=1,pad=0 width=16 packets=2 flits=2 rows=262144' \
    '// run rows=262144 flits=1 row-cycles=20' '@00000008 00040000 00000001 00000014' \
        '// end 3' >"$W/promise.hex"
mkdir "$W/lacking" && cp "$W/m22/image.hex" "$W/m22/schedule.sched" "$W/lacking"
mkdir "$W/taken" "$W/taken/image.hex" && cp "$W/c8.sched" "$W/taken/schedule.sched"
: >"$W/empty.bin"
head -c 2000000 /dev/zero >"$W/large.bin"
sed '7s/[0-9]*$/8/' "$W/m22.sched" >"$W/illegal.sched"
sed '$d' "$W/m22.sched" >"$W/cut.sched"
listing >"$TMP/before"

fails E601 'round 1: node ' "an image with other switches" simulate "$W/broken" --engine csim
check "… its table says what is wrong" grep -q 'WRONG' "$TMP/out"
check "… and does not say that all is well" test "$(grep -c 'Every packet' "$TMP/out")" -eq 0
fails E601 'does not receive packet' "… as JSON" simulate "$W/broken" --engine csim --json
check "… which parses, with the error in it" parses "$TMP/out"
check "… by its name" test "$(grep -c -e '"holds": false' -e '"name": "lost"' "$TMP/out")" -eq 2

size=$(wc -c <"$W/m22/image.hex")
for part in 10 500 $((size / 2)) $((size - 12)) $((size - 2)); do
    head -c "$part" "$W/m22/image.hex" >"$TMP/cut.hex"
    roundcast unpack "$TMP/cut.hex"
    check "an image cut after $part of $size bytes" test \
        "$status,$(grep -cE "cut.hex:[0-9]+: .*expected.* \[E20[347] " "$TMP/err")" = 2,1
done
head -n 100 "$W/m22/image.hex" >"$TMP/cut.hex"
refuses 2 E207 "cut.hex:101: the image ends after" "an image cut between lines" unpack \
    "$TMP/cut.hex"
refuses 2 E207 "$W/cut/image.hex:" "… is not simulated either" simulate "$W/cut" --engine csim

refuses 2 E406 'image.hex:5: register 8 gets ffffffff; expected 0000000c, which the header says' \
    "an image whose parts disagree" simulate "$W/registers" --engine csim
refuses 2 E406 'no word for register 8; expected 0000000c, which the header says' \
    "… or that leaves a register as it was" unpack "$W/registers/none.hex"

# The sizes that an image declares allocate no memory. (Sanitizers need the whole address space.)
if (ulimit -v 400000 && "$ROUNDCAST" list) >/dev/null 2>&1; then
    (ulimit -v 400000 &&
        "$ROUNDCAST" unpack "$W/promise.hex" --round 262144) >"$TMP/out" 2>"$TMP/err"
    check "one round of 262144 that are empty, in 400 MB of addresses" test \
        "$?,$(cat "$TMP/out")" = '0,round 262144'
else
    skip "one round of 262144 that are empty, in 400 MB of addresses" \
        "a program that needs more to begin with"
fi

# Machines that do not fit, and images of other machines.
refuses 2 E402 '--network: 16 ports for 22 nodes; expected benes:22 or larger' \
    "a network too small" route "$W/m22.sched" --network benes:16 -o "$W/new"
refuses 2 E402 '--network: 16 ports for 22 nodes; expected benes:22 or larger' \
    "… for a run" run matching -n 22 -m 8 --network benes:16 --engine csim
for how in '--settings indexed' '--settings tags' '--settings masks' '--programs computed' \
    '--settings indexed --programs computed'; do
    # shellcheck disable=SC2086
    refuses 2 E402 '--network: 2 ports for 4000 nodes; expected benes:4000 or larger' \
        "… before anything is fitted to it: $how" \
        run matching -n 4000 -m 200 --network benes:2 $how --engine csim
    # shellcheck disable=SC2086
    refuses 2 E402 '--network: 2 ports for 16777216 nodes' \
        "… of a schedule that names the last node: $how" \
        route "$W/far.sched" --network benes:2 $how -o "$W/new"
    # shellcheck disable=SC2086
    refuses 2 E402 '--network: 2 ports for 16777216 nodes' "… with memories that are given: $how" \
        route "$W/far.sched" --network benes:2 $how --memory packets=2,flits=2,rows=2 -o "$W/new"
done
refuses 2 E402 'expected a larger --memory' "too few packets" route \
    "$W/m22.sched" --memory packets=4,flits=8,rows=64 -o "$W/new"
refuses 2 E402 'expected a larger --memory' "too few rows" route \
    "$W/m22.sched" --memory packets=8,flits=8,rows=8 -o "$W/new"
refuses 2 E102 '--flits: 5; expected at most 4' "too few flits" route \
    "$W/m22.sched" --memory packets=8,flits=4,rows=16 --flits 5 -o "$W/new"
refuses 2 E402 'rows on 16777216 ports' "nodes for which no network can be built" run path -n \
    16777216 -m 1 --engine csim
refuses 2 E401 'expected at most 2048 (csim takes more)' \
    "a network too large for RTL" run binomial -n 4 -m 1 --network benes:2049 --engine rtl
refuses 2 E401 '2048 ports; expected at most 1024 (csim takes more)' \
    "a hypercube too large for RTL" run cube-broadcast --dim 8 --random 2 --network cube --engine \
    rtl
refuses 2 E404 \
    "$W/other/image.hex: 8 ports, 16 packets, 5 rows; expected the machine of schedule.sched with 22 nodes, 8 packets, 12 rows" "an image of another machine" simulate "$W/other" --engine csim
refuses 2 E203 "$W/version/image.hex:1: not an image of this version" \
    "an image of another version" simulate "$W/version" --engine csim
refuses 2 E406 "address 1fffffff; expected one that the machine has" \
    "an address that the machine has not" simulate "$W/address" --engine csim
refuses 2 E203 'm22.sched:1: not an image of this version' "a schedule for an image" unpack \
    "$W/m22.sched"

# Payloads.
refuses 2 E201 "--payload: $W/nowhere: No such file or directory; expected a readable file" \
    "a payload that is not there" route "$W/m22.sched" --payload "$W/nowhere" -o "$W/new"
refuses 2 E201 'of their own only in reductions; expected a file' \
    "a folder for a payload" run path -n 4 -m 1 --payload "$W" --engine csim
refuses 2 E405 'empty.bin: the file is empty; expected at least 1 byte' \
    "an empty payload" run path -n 4 -m 1 --payload "$W/empty.bin" --engine csim
refuses 2 E405 'empty.bin: the file is empty' "… to simulate" simulate "$W/m22" --payload \
    "$W/empty.bin" --engine csim
refuses 2 E405 'large.bin: more bytes than the packet memory takes; expected at most 65536' \
    "a payload too large for any machine" run path -n 4 -m 1 --payload "$W/large.bin" --engine csim
refuses 2 E405 'text.bin: more bytes than the packet memory takes; expected at most 64' \
    "… for the flits asked for" run path -n 4 -m 8 --flits 4 --payload "$W/text.bin" --engine csim
refuses 2 E405 'expected at most 128' "… for the capacity asked for" route \
    "$W/m22.sched" --memory packets=8,flits=8,rows=16 --payload "$W/text.bin" -o "$W/new"
refuses 2 E405 'large.bin: more bytes than the packet memory takes; expected at most 1008' \
    "… for the image" simulate "$W/m22" --payload "$W/large.bin" --engine csim
refuses 2 E405 'payload: 1 byte in 2 packets need 2 flits of 4 bits a packet; expected at most 1' \
    "packets too short for a byte" run path -n 4 -m 2 --width 4 --flits 1 --engine csim

# Folders and files.
refuses 2 E202 "$W/small.bin/new: Not a directory; expected a folder that can be made" \
    "an output folder below a file" route "$W/m22.sched" -o "$W/small.bin/new"
refuses 2 E202 'Not a directory' \
    "a file for an output folder" route "$W/m22.sched" -o "$W/one-file"
refuses 2 E101 'ends in .bin, but a folder is written; expected no suffix' \
    "an output folder with the suffix of a file" route "$W/m22.sched" -o "$W/small.bin"
refuses 2 E202 "$W/no/new: No such file or directory" \
    "an output folder in one that is not there" route "$W/m22.sched" -o "$W/no/new"
refuses 2 E202 'image.hex: cannot write: Is a directory' \
    "an output file whose name is taken" route "$W/m22.sched" -o "$W/taken"
refuses 2 E202 'expected a folder that can be made' "an output folder without a name" route \
    "$W/m22.sched" -o ''
(ulimit -f 1 && trap '' XFSZ &&
    "$ROUNDCAST" route "$W/m22.sched" -o "$W/new" >/dev/null 2>"$TMP/err")
check "a full disk leaves no file" test "$?,$(grep -c 'E202 write' "$TMP/err")" = 2,1
(ulimit -f 1 && trap '' XFSZ &&
    "$ROUNDCAST" route "$W/m22.sched" -o "$W/m22" >/dev/null 2>"$TMP/err")
check "… and what was there as it was" test "$?,$(grep -c 'E202 write' "$TMP/err")" = 2,1
refuses 2 E202 'Not a directory; expected a file that can be written' \
    "waves below a file" run circulant -n 8 -m 3 --engine csim --waves "$W/small.bin/a.fst"
refuses 2 E201 'schedule.sched: cannot open: No such file' "a folder that is not there" simulate \
    "$W/nowhere" --engine csim
refuses 2 E201 'payload.bin: No such file' "a folder without a payload" simulate \
    "$W/lacking" --engine csim
refuses 2 E201 'image.hex: Is a directory; expected a readable file' \
    "a folder for an image" simulate "$W/taken" --engine csim
refuses 2 E201 'cannot open: No such file' "an image that is not there" unpack "$W/nowhere.hex"
refuses 2 E207 'cut.sched:' "a schedule that is cut" route "$W/cut.sched" -o "$W/new"
refuses 1 E302 'illegal.sched:10: round 2: node ' "a schedule that is not legal" route \
    "$W/illegal.sched" -o "$W/new"

# Options.
refuses 2 E101 "--engine: 'nonsense' does not exist; expected csim, rtl, netlist, both or none" \
    "an unknown engine" run path -n 4 -m 1 --engine nonsense
for network in benes benes:x benes:32,depth=1 benes:32,radix=5; do
    refuses 2 E401 "--network: '$network'; expected benes:N[,pipe=P][,pad=D]" \
        "a network '$network'" route "$W/m22.sched" --network "$network" -o "$W/new"
done
for wrong in "benes:0 2 … 65536" "omega:65537 2 … 65536" "waksman:-8 2 … 65536" "pad=65 0 … 64" \
    "pipe=-1 0 … 65535"; do
    refuses 2 E401 "--network: ${wrong%% *} is out of range; expected ${wrong#* }" \
        "a range of ${wrong%% *}" route "$W/m22.sched" --network \
        "$(case $wrong in p*) echo "benes:32,${wrong%% *}" ;; *) echo "${wrong%% *}" ;; esac)" \
        -o "$W/new"
done
for network in torus:32 ''; do
    refuses 2 E401 "--network: '$network' does not exist; expected benes:N, omega:N, multicast:N, combine:N, all-reduce:N, clos:m,n,r" \
        "a network '$network'" route "$W/m22.sched" --network "$network" -o "$W/new"
done
refuses 2 E401 '--network: 1 port; expected 2 … 65536' "a network of one port" route \
    "$W/m22.sched" --network benes:1 -o "$W/new"
refuses 2 E401 '--network: pipe=10; expected at most the 9 stages' \
    "more registers than stages" route "$W/m22.sched" --network benes:32,pipe=10 -o "$W/new"
refuses 2 E401 '--network: omega:24; expected a power of two' "an omega network of 24" route \
    "$W/m22.sched" --network omega:24 -o "$W/new"
refuses 2 E401 "'clos:24,24,24,ports=500'; expected clos:m,n,r" "a product that is another" route \
    "$W/m22.sched" --network clos:24,24,24,ports=500 -o "$W/new"
refuses 2 E401 '3 crossbars in the middle, and 4 ports' "too few crossbars in the middle" route \
    "$W/m22.sched" --network clos:3,4,6 -o "$W/new"
refuses 2 E402 '16 ports for 22 nodes' "a Clos network too small" route \
    "$W/m22.sched" --network clos:4,4,4 -o "$W/new"
for waves in a.vcd a.png fst .fst a.fst.gz ''; do
    refuses 2 E101 "--waves: '$waves'; expected a name that ends in .fst" \
        "waves into '$waves'" simulate "$W/m22" --waves "$waves"
done
refuses 2 E102 '--waves-from: 0 is out of range; expected 1' "waves from round 0" simulate \
    "$W/m22" --waves-from 0 --waves "$W/b.fst"
refuses 2 E102 '--width: 513 is out of range; expected 1 … 512' \
    "words too wide" run path -n 4 -m 1 --width 513
refuses 2 E102 '--width: 0 is out of range' "words of no bits" run path -n 4 -m 1 --width 0
refuses 2 E102 '--flits: 0 is out of range; expected 1 … 65535' \
    "packets of no flits" run path -n 4 -m 1 --flits 0
refuses 2 E101 "--seed: 'x' is not a number" "a seed that is no number" run path -n 4 -m 1 --seed x
for capacity in packets=3,flits=8,rows=64 packets=16,flits=8 packets=16,flits=8,rows=64,more=2 \
    flits=8,packets=16,rows=64 packets=1,flits=8,rows=64 ''; do
    refuses 2 E101 "--memory: '$capacity'; expected packets=K,flits=F,rows=R" \
        "a memory '$capacity'" route "$W/m22.sched" --memory "$capacity" -o "$W/new"
done
for command in route unpack simulate run; do
    refuses 2 E101 '--frob: unknown option' "$command with an unknown option" $command --frob
    accepts '--json' "$command --help" $command --help
done
refuses 2 E101 'no file; expected a schedule' "route without a file" route -o "$W/new"
refuses 2 E101 '-o is required; expected the folder to write' "route without a folder" route \
    "$W/m22.sched"
refuses 2 E101 'one file too many' "route of two files" route "$W/m22.sched" "$W/c8.sched" -o \
    "$W/new"
refuses 2 E101 'simulate: no folder' "simulate without a folder" simulate --engine csim
refuses 2 E101 'one folder too many' "simulate two folders" simulate "$W/m22" "$W/c8" --engine csim
refuses 2 E101 'unpack: no image' "unpack without an image" unpack
refuses 2 E101 'one image too many' "unpack two images" unpack "$W/m22/image.hex" "$W/c8/image.hex"
refuses 2 E102 '-r: 13 is out of range; expected 1 … 12' "unpack a round that there is not" unpack \
    "$W/m22/image.hex" --round 13
refuses 2 E102 '-r: 0 is out of range' "unpack round 0" unpack "$W/m22/image.hex" --round 0
refuses 2 E101 'ALGORITHM is required' "run without an algorithm" run -n 4 -m 1
refuses 2 E101 '-n is required; expected the number of nodes' "run without nodes" run path -m 1
refuses 2 E102 '-s: 4 is out of range; expected 0 … 3' \
    "run with a source outside" run path -n 4 -m 1 --source 4

listing >"$TMP/after"
check "nothing was written, not even half" diff "$TMP/before" "$TMP/after"

# Progress is shown after one second. The words take several, and the command is ended when it shows
# the first line.
shows $'\rwords loaded: [0-9]+ of [0-9]+, [0-9]+ s left' "a terminal shows the progress of a run" \
    run circulant -n 256 -m 80000 --engine csim
finish
