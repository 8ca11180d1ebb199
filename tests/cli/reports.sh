#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reports: docs/formats.md names every key of the JSON reports, and no other key.
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/docs/formats.md
cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST

# section NAME: prints the section's lines of a page on standard input. The definition of *ends* is
# above all sections.
section() {
    awk -v name="**$1**" '/^\*\*/ { inside = index($0, name) == 1 } inside' |
        sed 's/\*ends\*/`rounds` `time`/'
}

# words: prints the words between backticks, without the containing object (`rows[].cycles`), one
# word a line.
words() { grep -o '`[^`]*`' | tr -d '`' | sed 's/.*\.//' | sort -u; }

# keys: prints the keys of the last report. Those of `functions` are functions, not keys.
keys() { grep -o '"[^"]*": ' "$TMP/out" | sed 's/^"//; s/": $//' | grep -v '(' | sort -u; }

# said NAME ARGUMENT…: runs a command and adds its keys to those of the section.
said() {
    local name=$1
    shift
    roundcast "$@" --json
    keys >>"$TMP/keys.$name"
}

# none TEXT WORDS: checks that there are no words.
none() { if [ -z "$2" ]; then ok "$1"; else not_ok "$1" "$2"; fi; }

# compare NAME FILE: checks that all printed keys are on the page, and that the keys at the start of
# the page's lines were printed.
compare() {
    local missing idle
    section "$1" <"$page" >"$TMP/section"
    { words <"$TMP/section"; awk '/^`error`/ { e = 1 } /^\*\*/ { e = 0 } e' "$page" | words; } |
        sort -u >"$TMP/words"
    missing=$(sort -u "$TMP/keys.$2" | comm -23 - "$TMP/words" | paste -sd ' ')
    none "$1: the page has all keys" "$missing"
    sed -n 's/^- \(.*\)/\1/p' "$TMP/section" | sed 's/ (.*//' | words >"$TMP/heads"
    idle=$(sort -u "$TMP/keys.$2" | comm -13 - "$TMP/heads" | grep -vxE 'rounds|time|[a-z]+\[\]' |
        paste -sd ' ')
    none "… and no others" "$idle"
}

said list list
said plan plan -n 9 -m 3
said plan plan --tree 2,2
said plan plan -n 9 -m 3 --lambda 5/2
said plan plan --pattern zipf:50 -n 5 --reconfigure 9 --planes 2
said bound bound -n 9 -m 3 --lambda 5/2
said bound bound --dim 3 --random 4
said bound bound --pattern zipf:50 -n 5 --reconfigure 9
said tune tune --bytes 500 -n 8
said tune tune --pattern zipf:500 -n 5 --reconfigure 9
said schedule schedule matching -n 8 -m 3 -o b.sched
said schedule schedule postal-bcast -n 5 -m 1 --lambda 5/2 -o p.sched
said schedule schedule traffic --pattern zipf:50 -n 5 --reconfigure 9 -o z.sched
said verify verify b.sched
sed 's/^end .*/end 5/; 0,/^0 4 1/s//4 0 1/' b.sched >bad.sched
said verify verify bad.sched
check "(a report with an error)" grep -q '"code": 302' "$TMP/out"
said verify verify bad.sched --all
said verify-files verify b.sched bad.sched nowhere
said judge judge b.sched
said judge judge bad.sched
said route route b.sched -o b
said route route b.sched --network omega:8 --split -o o
"$ROUNDCAST" schedule tree-broadcast --tree 2,2 -o t.sched >/dev/null
said route route t.sched -o t
"$ROUNDCAST" route p.sched -o p >/dev/null
said export export b.sched --to sccl -o b.sccl
said import import b.sccl --from sccl -o i.sched
said unpack unpack b/image.hex
said unpack unpack p/image.hex
said draw draw b.sched -o b.dot
said view view b.sched -o b.html
printf '#!/bin/sh\ncat >/dev/null\n' >gnuplot
chmod +x gnuplot
PATH=$PWD:$PATH said plot plot tune -n 6 --bytes 40 --data b -o b.svg
said simulate simulate b --engine csim
said simulate run postal-bcast -n 5 -m 1 --lambda 5/2 --engine csim
# A receiver that expects no packet.
awk '/^@30/ && !done { print; getline; print "00000000"; done = 1; next } 1' b/image.hex >deaf.hex
mv deaf.hex b/image.hex
said simulate simulate b --engine csim
check "(a run with an error)" grep -q '"holds": false' "$TMP/out"
# The keys of a batch's lines, which differ from those of `run`.
printf '%s\n' 'path -n 4' 'matching -n 6 --network omega:8' >a.batch
roundcast run --batch a.batch -m 3 --engine csim --json
sed -i '/^        /d' out
keys >keys.batch

# The page refers to machine.md for the names of registers.
awk -F ' *[|] *' '/^[0-9]/ { print $2 }' "$root/rtl/shell/registers.txt" | sort -u >"$TMP/registers"
check "route prints registers" grep -qxF -f "$TMP/registers" "$TMP/keys.route"
sort -u "$TMP/keys.route" | comm -23 - "$TMP/registers" >"$TMP/keys"
mv "$TMP/keys" "$TMP/keys.route"

for name in batch list plan bound tune schedule verify verify-files judge route unpack draw view plot export import; do
    compare $name $name
done
compare 'simulate, run' simulate

# Counter-cases: a key that the page does not have, and one that no command prints.
sed 's/`gap`/`distance`/' "$page" >"$TMP/page"
page=$TMP/page
seen=$(tap_count=0 && compare schedule schedule | grep -A1 '^not ok' | grep -v '^--' | tr '\n' ' ')
check "(both are seen)" test "$seen" = "not ok 1 - schedule: the page has all keys   # gap not ok 2 - … and no others   # distance "

finish
