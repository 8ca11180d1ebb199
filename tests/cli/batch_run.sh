#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# batch_run: lines of `run --batch` on csim, RTL and both, each engine shared by all lines of its
# machine.
#
# Counter-case: an engine of another network, whose registers have the same contents, fails the
# lines that run on it, and no others.
. "$(dirname "$0")/tap.sh"

cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
# same TEXT SEEN EXPECTED: checks that SEEN equals EXPECTED.
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
# right: prints the line numbers of the last table, each with + if the line is ok, otherwise with -.
right() {
    awk '$1 ~ /^[0-9]+$/ && $2 != "runs," { print $1 ($NF == "ok" ? "+" : "-") }' out |
        paste -sd ' '
}

for m in 1 2 3 4 5 6; do
    for engine in csim rtl both; do echo "circulant -m $m --engine $engine"; done
done >a.batch
# The engine may be built first, which is reported.
"$ROUNDCAST" run circulant -n 8 -m 1 --network benes:8 --engine rtl >/dev/null 2>&1
roundcast run --batch a.batch -n 8 --network benes:8 --jobs 4
same "lines run on csim, RTL and both" "$status,$(right)" "0,$(echo {1..18}+)"
same "… with the same rounds and cycles" "$(awk '/ok$/ { print $(NF - 2), $(NF - 1) }' out |
    uniq -c | awk '{ print $1 }' | uniq)" 3
"$ROUNDCAST" run --batch a.batch -n 8 --network benes:8 --jobs 1 | head -n -1 >one
check "… and one after the other" cmp one <(head -n -1 out)

# name NETWORK: prints the name of its engine.
name() {
    "$ROUNDCAST" schedule circulant -n 8 -m 4 -o s.sched >/dev/null &&
        "$ROUNDCAST" route s.sched --network "$1" -o "$1" >/dev/null &&
        "$ROUNDCAST" engines --names "$1"
}
good=$(name clos:2,2,4) false=$(name clos:4,4,2)
# It is built in a cache of the test, whichever engines are prebuilt.
env -u ROUNDCAST_ENGINES XDG_CACHE_HOME="$TMP/cache" \
    "$ROUNDCAST" run circulant -n 8 -m 1 --network clos:2,2,4 --engine rtl >/dev/null 2>&1
stands=$(find "$TMP/cache" -path "*/$good/dut.so" -printf '%h\n')
mkdir engines
ln -s "$stands" "engines/$good"
ln -s "$stands" "engines/$false"
clos='--network clos:4,4,2'
printf '%s\n' '--network clos:2,2,4' "$clos" "$clos --engine csim" "$clos --engine both" \
    '--network clos:2,2,4 -m 3' >b.batch
for jobs in 1 3; do
    ROUNDCAST_ENGINES=$TMP/engines \
        roundcast run circulant -n 8 -m 4 --engine rtl --batch b.batch --jobs $jobs
    same "an engine of another network fails its lines alone" "$status,$(right)" '1,1+ 2- 3+ 4- 5+'
    check "… reported for the first" grep -qE \
        '^roundcast: b.batch:2: .* \[E60[1-6] [a-z-]+\] \(and 1 more\)$' err
    check "… and of lockstep where the engines differ" grep -qF '[E607 diverged]' \
        <(tr -s ' \n' ' ' <out)
done
ROUNDCAST_ENGINES=$TMP/engines roundcast run circulant -n 8 -m 4 --engine rtl --batch b.batch --json
same "… as JSON, too" "$status,$(python3 -c 'import json; r = json.load(open("out"))
print(r["failed"], [line["report"]["holds"] for line in r["lines"]])')" \
    '1,2 [True, False, True, False, True]'
rm "engines/$false"
ROUNDCAST_ENGINES=$TMP/engines \
    roundcast run circulant -n 8 -m 4 --engine rtl --batch b.batch --jobs 1
same "a line whose engine is not there is bad input" "$status,$(right)" '2,1+ 2- 3+ 4- 5+'
finish
