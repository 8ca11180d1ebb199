#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# schedule: list, plan, schedule and verify on the command line; the errors for bad input.
. "$(dirname "$0")/tap.sh"

# The program itself.
accepts 'roundcast schedule' "help lists the commands" help
accepts 'roundcast schedule' "--help is help" --help
accepts 'roundcast 0.' "--version" --version
check "… with the commit" grep -qE '^roundcast [0-9.]+ \(([0-9a-f]{12}(-dirty)?|unknown)\)$' "$TMP/out"
commit=$(sched/base/commit.sh)
check "… that these sources are" test "${commit%-dirty}" = \
    "$("$ROUNDCAST" --version | sed 's/.*(//; s/)$//; s/-dirty$//')"
accepts '--packets M' "help of a command" help schedule
for command in list plan schedule verify; do
    accepts '--json' "$command --help" "$command" --help
done
roundcast
check "no command" test "$status,$(grep -c 'no command given' "$TMP/err")" = 2,1
refuses 2 E101 'frobnicate: no such command' "an unknown command" frobnicate
refuses 2 E101 'frobnicate: no such command' "help of an unknown command" help frobnicate

# list and plan.
accepts 'binary-tree' "list names the algorithms" list
accepts '"name": "circulant"' "list as JSON" list --json
accepts 'telegraph' "plan covers all models" plan -n 22 -m 8
accepts '"gap": 0' "plan as JSON" plan -n 22 -m 8 --json
accepts '3221225472' "plan of the largest n and m" plan -n 16777216 -m 134217728
accepts 'telephone' "plan of one model" plan -n 23 -m 8 --model telephone
check "… shows this model only" test "$(grep -cE 'send-receive|telegraph' "$TMP/out")" = 0
refuses 2 E101 "'plan' accepts no argument" "plan with an argument" plan circulant -n 22 -m 8
refuses 2 E101 "'list' accepts no argument" "list with an argument" list all

# Options.
refuses 2 E101 '-n is required; expected the number of nodes' "no n" schedule path -m 1
refuses 2 E101 '-m is required; expected the number of packets' "no m" schedule path -n 1
refuses 2 E102 '-n: 0 is out of range; expected 1 … 16777216' "n = 0" schedule path -n 0 -m 1
refuses 2 E102 '-n: 16777217 is out of range' "n too large" schedule path -n 16777217 -m 1
refuses 2 E102 '-n: 4294967297 is out of range' "n of 33 bits" schedule path -n 4294967297 -m 1
refuses 2 E102 '-n: 99999999999999999999999 is out of range' \
    "n of 77 bits" schedule path -n 99999999999999999999999 -m 1
refuses 2 E102 '-n: -5 is out of range' "n negative" schedule path -n -5 -m 1
refuses 2 E101 "-n: '22x' is not a number; expected 1 … 16777216" \
    "n with trailing junk" schedule path -n 22x -m 1
refuses 2 E101 "-n: '' is not a number" "n empty" schedule path -n '' -m 1
refuses 2 E101 "-n: ' 3' is not a number" "n with a blank" schedule path -n ' 3' -m 1
refuses 2 E101 "-n: '0x10' is not a number" "n in hexadecimal" schedule path -n 0x10 -m 1
refuses 2 E101 '-n: requires a value; expected N' "n without a value" schedule path -m 1 -n
refuses 2 E101 '--nodes: requires a value; expected N' "--nodes without a value" schedule path -m 1 --nodes
refuses 2 E102 '-m: 0 is out of range; expected 1 … 134217728' \
    "m = 0" schedule path -n 4 --packets=0
refuses 2 E102 '-m: 134217729 is out of range' "m too large" schedule path -n 4 -m 134217729
refuses 2 E102 '-s: 4 is out of range; expected 0 … 3' \
    "source outside" schedule path -n 4 -m 1 --source 4
refuses 2 E102 '-s: -1 is out of range' "source negative" schedule path -n 4 -m 1 --source=-1
refuses 2 E101 '--frob: unknown option' "an unknown option" schedule path -n 4 -m 1 --frob
refuses 2 E101 '-x: unknown option' "an unknown letter" schedule path -n 4 -m 1 -x
refuses 2 E101 '--json=yes: accepts no value' "a value too many" list --json=yes
refuses 2 E101 '--= is ambiguous' "an ambiguous option" schedule path --=
refuses 2 E103 "algorithm 'pahth' does not exist, but 'path' does; expected one of 'roundcast" \
    "an unknown algorithm" schedule pahth -n 4 -m 1
refuses 2 E103 "--model: 'telepathy' does not exist; expected send-receive" \
    "an unknown model" schedule path -n 4 -m 1 --model telepathy
refuses 2 E103 'path does not keep the model telephone; expected one of send-receive' \
    "a model that is not kept" schedule path -n 4 -m 1 --model telephone
refuses 2 E101 'ALGORITHM is required' "no algorithm" schedule -n 4 -m 1
refuses 2 E101 'one algorithm too many' "two algorithms" schedule path matching -n 4 -m 1
refuses 2 E102 '399980000 packets; expected 1 … 134217728' "more packets than may be" \
    run total-exchange -n 20000 -m 1 --engine csim
refuses 2 E104 'does not fit in memory' "a schedule that no memory holds" schedule path -n \
    16777216 -m 134217728
refuses 2 E104 'does not fit in memory' "a hypercube's that no memory holds" schedule \
    cube-broadcast --dim 24 --random 16777216

# Valid schedules, for every algorithm, and through a pipe.
for algorithm in binomial path binary-tree dary-trees fibonacci matching circulant telegraph; do
    accepts "22 nodes" "$algorithm to a file" schedule $algorithm -n 22 -m 8 --source 5 -o \
        "$TMP/$algorithm.sched"
    accepts "(168 arrivals, 0 redundant)" "$algorithm verifies" verify "$TMP/$algorithm.sched"
    "$ROUNDCAST" schedule $algorithm -n 22 -m 8 --source 5 >"$TMP/piped.sched"
    check "$algorithm: standard output is the same file" cmp "$TMP/piped.sched" \
        "$TMP/$algorithm.sched"
    accepts '  rounds     0 (bound 0)' "$algorithm to one node has no rounds" verify - < \
        <("$ROUNDCAST" schedule $algorithm -n 1 -m 8)
done
for algorithm in postal-repeat postal-pack postal-pipeline postal-dtree postal-block \
    postal-swarm; do
    accepts "22 nodes" "$algorithm to a file" schedule $algorithm -n 22 -m 8 --source 5 --lambda \
        5/2 -o "$TMP/$algorithm.sched"
    accepts "(168 arrivals, 0 redundant)" "$algorithm verifies" verify "$TMP/$algorithm.sched"
done
accepts 'time       15/2 (bound 15/2)' "postal-bcast is optimal" verify - < <("$ROUNDCAST" \
    schedule postal-bcast -n 14 -m 1 --lambda 5/2)
accepts 'postal-dtree' "plan with a λ covers the postal model" plan -n 22 -m 8 --lambda 5/2
refuses 2 E103 'expected 1 packet, or postal-repeat' \
    "postal-bcast of two packets" schedule postal-bcast -n 4 -m 2 --lambda 2
refuses 2 E103 'expected 1 … 3' "a degree of n" schedule postal-dtree -n 4 -m 2 --lambda 2 -d 4
refuses 2 E101 'expected the λ of the postal model' \
    "a postal algorithm without λ" schedule postal-pack -n 4 -m 2
accepts 'rounds     12 (bound 12)' "matching in the telephone model" verify - < <("$ROUNDCAST" \
    schedule matching -n 22 -m 8 --model telephone)
# Of three nodes two are a pair in a round, as often as the busier of the two sends to the other.
accepts 'rounds     8 (bound 8)' "traffic in the telephone model" verify - < <("$ROUNDCAST" \
    schedule general --model telephone --matrix - <<<'0 3 1
2 0 4
1 1 0')
accepts 'rounds     5 (bound 5)' "a scatter down a tree" verify - < <("$ROUNDCAST" \
    schedule tree-scatter --tree 2,2)
accepts 'rounds     13 (bound 12)' "matching in the telephone model, odd n" verify - < \
    <("$ROUNDCAST" schedule matching -n 23 -m 8 --model telephone)
accepts '"holds": true' "verify as JSON" verify --json "$TMP/path.sched"
accepts '"transfers": 168' "schedule as JSON" schedule path -n 22 -m 8 --json -o "$TMP/path.sched"
refuses 2 E101 'standard output carries the schedule' \
    "two outputs at once" schedule path -n 22 -m 8 --json

# Invalid files. bad NAME SED: writes the matching schedule with an edit.
bad() {
    sed "$2" "$TMP/matching.sched" >"$TMP/$1.sched"
}
good=$TMP/matching.sched
lines=$(wc -l <"$good")
refuses 2 E201 'nowhere.sched: cannot open: No such file' "a file that is not there" verify \
    "$TMP/nowhere.sched"
refuses 2 E201 'is a folder; expected a schedule' "a folder" verify "$TMP"
refuses 2 E101 'no file' "no file" verify
accepts 'holds' "two files" verify "$good" "$good"
head -c 300 "$good" >"$TMP/cut.sched"
refuses 2 E207 'cut.sched:' "a file cut in the middle of a line" verify "$TMP/cut.sched"
head -n 40 "$good" >"$TMP/cut.sched"
refuses 2 E207 "cut.sched:41: the file is cut off here; expected 'round' or 'end'" \
    "a file cut between lines" verify "$TMP/cut.sched"
: >"$TMP/empty.sched"
refuses 2 E207 'empty.sched:1: ' "an empty file" verify "$TMP/empty.sched"
bad version '1s/1/2/'
refuses 2 E203 'version.sched:1: schedule of version 2; expected version 1' \
    "another version" verify "$TMP/version.sched"
refuses 2 E203 'not a schedule' "a file of another kind" verify "$0"
bad range '7s/ [0-9]* / 22 /'
refuses 2 E205 'range.sched:7: destination 22 is out of range; expected 0 … 21' \
    "a node out of range" verify "$TMP/range.sched"
bad packet '7s/[0-9]*$/9/'
refuses 2 E205 'packet.sched:7: packet 9 is out of range; expected 1 … 8' \
    "a packet out of range" verify "$TMP/packet.sched"
bad huge '3s/22/4294967296/'
refuses 2 E205 'huge.sched:3: number of nodes 4294967296' "a huge topology" verify "$TMP/huge.sched"
bad cube '3s/complete 22/hypercube 4/'
refuses 2 E204 "cube.sched:4: model 'send-receive' is of another topology" \
    "another topology than the model's" verify "$TMP/cube.sched"
bad allport '4s/send-receive/all-port/'
refuses 2 E204 "allport.sched:4: model 'all-port' is of another topology" \
    "another model than the topology's" verify "$TMP/allport.sched"
bad order "8s/2/1/"
refuses 2 E206 'order.sched:8: round 1 follows round 1' "rounds out of order" verify \
    "$TMP/order.sched"
bad end '$s/12/13/'
refuses 2 E206 "end.sched:$lines: 'end 13'; expected the last round, 12" "another end" verify \
    "$TMP/end.sched"
bad junk '$a more'
refuses 2 E204 "junk.sched:$((lines + 1)): unexpected 'm'; expected nothing after" \
    "something after the end" verify "$TMP/junk.sched"
bad self '7s/5 [0-9]* /5 5 /'
refuses 2 E210 'self.sched:7: node 5 sends to itself' "a node that sends to itself" verify \
    "$TMP/self.sched"
bad demand '5s/1-8/2-8/'
refuses 2 E209 'demand.sched:5: packet 1 is in no demand' "a packet in no demand" verify \
    "$TMP/demand.sched"

# Schedules that break a rule: exit 1, at the line of the file.
bad held '7s/[0-9]*$/8/; 1i# a comment' # round 1 brings packet 8 instead of 1
refuses 1 E302 'which it does not hold' "a packet that is not held" verify "$TMP/held.sched"
bad port '7{p;s/ [0-9]* / 1 /}'
refuses 1 E301 'port.sched:8: round 1: node 5 sends packets 1 and 1; at most 1 per round' \
    "two sends in a round" verify "$TMP/port.sched"
bad lost '10,40{/^[0-9]/d;/^round/d}'
refuses 1 E302 'round ' "rounds that are gone" verify "$TMP/lost.sched"
printf 'roundcast-schedule 1\nalgorithm none\ntopology complete 3\nmodel telegraph\ndemand 1 0 *\nend 0\n' >"$TMP/unmet.sched"
refuses 1 E303 'unmet.sched:6: after round 0: node 1 has not received packet 1' \
    "a demand that is not met" verify "$TMP/unmet.sched"
bad telegraph '4s/send-receive/telegraph/'
refuses 1 E305 'only one of both per round' "send-receive is no telegraph" verify \
    "$TMP/telegraph.sched"
sed '4s/send-receive/telephone/' "$TMP/path.sched" >"$TMP/telephone.sched"
refuses 1 E304 'at most 1 partner per round' "a path is no telephone" verify "$TMP/telephone.sched"
roundcast verify --json "$TMP/unmet.sched"
check "a breach as JSON, exit 1" test "$status,$(grep -c '"name": "unmet"' "$TMP/out")" = 1,1

# Output that cannot be written leaves no partial file.
refuses 2 E202 'cannot write: No such file or directory' \
    "an output folder that is not there" schedule path -n 4 -m 1 -o "$TMP/no/where.sched"
refuses 2 E202 'cannot write: Is a directory' \
    "an output that is a folder" schedule path -n 4 -m 1 -o "$TMP"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$TMP/locked" && chmod a-w "$TMP/locked"
    refuses 2 E202 'cannot write: Permission denied' \
        "an output folder that is locked" schedule path -n 4 -m 1 -o "$TMP/locked/a.sched"
else
    skip "an output folder that is locked" "root may write everywhere"
fi
roundcast schedule path -n 4 -m 1 -o /dev/full
check "a full device" test "$status,$(grep -c 'E202 write' "$TMP/err")" = 2,1
check "list shows all models of an algorithm" test "$("$ROUNDCAST" list |
    sed -n '/^general /,/^postal-bcast /p' | grep -c 'mesh-multiport')" = 1
"$ROUNDCAST" list >/dev/full 2>"$TMP/err"
check "a report to a full device" test "$?,$(grep -c 'E202 write' "$TMP/err")" = 2,1
mkdir "$TMP/kept"
cp "$good" "$TMP/kept/a.sched"
roundcast schedule path -n 23 -m 8 --model telephone -o "$TMP/kept/a.sched"
check "what is refused leaves the old file alone" cmp "$good" "$TMP/kept/a.sched"
(ulimit -f 8 && trap '' XFSZ &&
    "$ROUNDCAST" schedule circulant -n 1000 -m 100 -o "$TMP/kept/a.sched" 2>"$TMP/err")
check "a write that fails half way leaves the old file alone" cmp "$good" "$TMP/kept/a.sched"
check "… and nothing beside it" test "$(ls "$TMP/kept")" = a.sched
ln -s a.sched "$TMP/kept/link.sched"
roundcast schedule path -n 4 -m 1 -o "$TMP/kept/link.sched"
check "a link stays a link" test -L "$TMP/kept/link.sched" -a "$(wc -l <"$TMP/kept/a.sched")" -lt 20

# Suggestions for misspelt names.
refuses 2 E103 "algorithm 'matchng' does not exist, but 'matching' does; expected one of 'round" \
    "an algorithm's name with a letter left out" schedule matchng -n 4 -m 1
refuses 2 E103 "algorithm 'pony' does not exist; expected one of 'roundcast list'" \
    "a name that is near to none" schedule pony -n 4 -m 1
refuses 2 E103 "--model: 'telphone' does not exist, but 'telephone' does; expected" \
    "a model's" schedule matching -n 4 -m 1 --model telphone
refuses 2 E101 "--sorce: unknown option; expected --source, or another one of 'roundcast schedule" \
    "an option's" schedule matching -n 4 -m 1 --sorce 1
refuses 2 E101 "no such command, but 'verify' does" "a command's" verfy
refuses 2 E401 "'bens:4' does not exist, but 'benes' does; expected benes:N, " \
    "a network's" run matching -n 4 -m 1 --network bens:4
refuses 2 E401 '--network: pad=100 is out of range; expected 0 … 64' \
    "a parameter out of its range" run matching -n 4 -m 1 --network benes:12,pad=100
accepts ', 1 packet from node 0 to 4 nodes' "one packet is no packets" schedule path -n 4 -m 1 -o \
    "$TMP/one.sched"
accepts ', 1 packet, 4 nodes' "… nor in a verdict" verify "$TMP/one.sched"

# Files that were written on another system.
sed 's/$/\r/' "$TMP/one.sched" >"$TMP/crlf.sched"
refuses 2 E204 'crlf.sched:1: a carriage return (CRLF, as Windows ends lines)' "CRLF is named" \
    verify "$TMP/crlf.sched"
printf '\xef\xbb\xbf' | cat - "$TMP/one.sched" >"$TMP/bom.sched"
refuses 2 E203 'bom.sched:1: a byte order mark (BOM) before the text' "a BOM is named" \
    verify "$TMP/bom.sched"

# Folders.
refuses 2 E101 '-: standard input and output are files; expected a folder' \
    "no folder on standard output" route "$TMP/one.sched" -o -
refuses 2 E101 '-: standard input and output are files; expected a folder' \
    "none on standard input" simulate -
refuses 2 E101 '--waves-from requires --waves' "a part of no trace" run path -n 4 \
    -m 1 --engine csim --waves-from 2
refuses 2 E101 '--waves-to requires --waves' "… nor its end" run path -n 4 \
    -m 1 --engine csim --waves-to 2

finish
