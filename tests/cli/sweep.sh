#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sweep: each point of a study has one row, equal to its report by `run --json`, despite
# interruptions.
#
# The points of a study are counted by loops in bash. Reports in rows are compared with those of
# `run`, except times and memory. Interruptions: signals to the program, at once and in the middle;
# signals to the process of one point; points that fail; rows that already exist. Counter-cases: the
# comparison rejects a row that is lost, doubled, or of another report; a point whose process dies
# is reported, and is run with --again. Errors in a study are reported by line and column, and
# nothing is written then. The database is read by the program sqlite3.
#
# tags: tools
. "$(dirname "$0")/tap.sh"

cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
# same TEXT SEEN EXPECTED: checks that SEEN equals EXPECTED.
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
# denied TEXT COMMAND…: checks that the command fails.
denied() {
    local text=$1
    shift
    if "$@" >/dev/null 2>&1; then not_ok "$text" "$*"; else ok "$text"; fi
}
# study LINE…: writes the file a.study.
study() { printf '%s\n' 'roundcast-study 1' "$@" >a.study; }
# rows DATABASE COLUMNS [CLAUSES]: prints columns of the points.
rows() { sqlite3 -cmd '.timeout 9000' "$1" "select $2 from points ${3-}"; }

# Lists, ranges and conditions.
study 'algorithm circulant path # two' 'n 3 4..16*2' '' 'm 1..7+3' 'lambda -' 'engine csim' \
    'split no' 'skip m>n n!=3' 'skip algorithm=p* n=16' 'points 1..20 22..30'
number=0
for algorithm in circulant path; do
    for n in 3 4 8 16; do
        for m in 1 4 7; do
            number=$((number + 1))
            if [ $m -gt $n ] && [ $n != 3 ] || [ $algorithm$n = path16 ] || [ $number = 21 ]; then
                continue
            fi
            echo "roundcast run $algorithm -n $n -m $m --engine csim --json"
        done
    done
done >expected
roundcast sweep a.study --list
check "points are combinations that are not left out" cmp out expected
accepts "study    $(wc -l <expected) points" "they are run" sweep a.study -o a.sqlite
# agree DATABASE: checks that each command has one row with the report that `run` prints.
varying='"(build_seconds|run_seconds|megabytes)"'
agree() {
    [ "$(rows "$1" command 'order by point')" = "$(cat expected)" ] || return
    local words
    while read -r words; do
        # shellcheck disable=SC2086
        diff <(rows "$1" json "where command = '$words'" | grep -vE "$varying") \
            <("$ROUNDCAST" ${words#roundcast } 2>/dev/null | grep -vE "$varying"; echo) || return
    done <expected
}
check "… each row is the report of run" agree a.sqlite
same "… its columns, too" "$(rows a.sqlite 'algorithm, nodes, packets, rounds, engine, status' \
    'where point = 2')" 'circulant|3|4|5|csim|0'
for change in "delete from points where point = 3" \
    "update points set command = command || ' ' where point = 3" \
    "update points set json = replace(json, '\"seen\": ', '\"seen\": 1')" \
    "update points set json = (select json from points where point = 4) where point = 3"; do
    cp a.sqlite changed.sqlite
    sqlite3 changed.sqlite "$change"
    denied "… which detects: $change" agree changed.sqlite
done
cp a.sqlite before.sqlite
json "\"before\": $(wc -l <expected)" "what has a row is not run again" sweep a.study -o a.sqlite --json
check "… nor is anything written" cmp a.sqlite before.sqlite
rm a.sqlite
roundcast sweep a.study -o a.sqlite --jobs 1
check "one process does the same" agree a.sqlite
sed -i 's/^n .*/n 2 3 4..16*2/; s/^points.*/points 13..16/' a.study
accepts 'run      1 point ' "a study that has grown runs what is new" sweep a.study -o a.sqlite
same "… and rows have its numbers" "$(rows a.sqlite 'algorithm, nodes, packets' \
    'where point > 12 and point < 16 and nodes = 16' | paste -sd ' ')" \
    'circulant|16|1 circulant|16|4 circulant|16|7'

# Another version, or another commit of this one.
version=$("$ROUNDCAST" --version | cut -d ' ' -f 2-)
same "rows have the version and the commit" "$(rows a.sqlite 'distinct version')" "$version"
cp a.sqlite mixed.sqlite
sqlite3 mixed.sqlite "update points set version = '0.1.0 (0123456789ab)' where point = 13;
    delete from points where point = 14"
refuses 2 E203 "mixed.sqlite: has rows of Roundcast 0.1.0 (0123456789ab), and this is $version" \
    "a database of another version" sweep a.study -o mixed.sqlite
accepts 'run      1 point ' "… is continued when that is asked for" sweep a.study -o mixed.sqlite \
    --mixed-versions

# CSV.
roundcast sweep --csv a.sqlite
sqlite3 -csv -header a.sqlite "select * from points order by point is null, point, command" >all.csv
/usr/bin/python3 - out all.csv <<'END' || not_ok "CSV has all columns but the reports"
import csv, sys
ours, theirs = (list(csv.DictReader(open(name))) for name in sys.argv[1:])
def number(text):
    try: return float(text)
    except ValueError: return text
for row in theirs: del row['json']
same = lambda a, b: a == b or abs(number(a) - number(b)) < 1e-9
assert ours and len(ours) == len(theirs)
assert all(list(a) == list(b) and all(same(a[k], b[k]) for k in a) for a, b in zip(ours, theirs))
END
ok "CSV has all columns but the reports"
refuses 2 E203 'expected the results of a sweep' "a file that is no database" sweep --csv a.study
sqlite3 other.sqlite 'create table points (a)'
refuses 2 E203 'a database of something else' "another database" sweep a.study -o other.sqlite
refuses 2 E201 'unable to open' "none" sweep --csv none.sqlite
refuses 2 E202 'unable to open' "nowhere" sweep a.study -o none/a.sqlite

# Points that fail.
study 'algorithm circulant matching' 'n 4' 'm 2' 'network benes:4 omega:4' 'settings full tags' \
    'engine csim'
roundcast sweep a.study -o failing.sqlite
same "points that fail have rows, too" "$status,$(rows failing.sqlite \
    'algorithm, network, settings, status, code' 'where status > 0 order by point' | paste -sd ' ')" \
    "0,$(for algorithm in circulant matching; do
        for words in 'benes:4 full' 'benes:4 tags' 'omega:4 full' 'omega:4 tags'; do
            # shellcheck disable=SC2086
            set -- $words
            "$ROUNDCAST" run $algorithm -n 4 -m 2 --network "$1" --settings "$2" --engine csim \
                >one 2>&1 || echo "$algorithm|$1|$2|$?|$(sed 's/.*\[E\([0-9]*\).*/\1/' one)"
        done
    done | paste -sd ' ')"
failed=$(rows failing.sqlite 'count(*)' 'where status > 0')
denied "… some do" test "$failed" = 0
accepts 'run      0 points' "… and are not run again" sweep a.study -o failing.sqlite
accepts "run      $failed points" "… unless that is wanted" sweep a.study -o failing.sqlite --again

# A point whose process dies.
study 'algorithm circulant' 'm 3000' 'n 4 256 8' 'engine csim'
"$ROUNDCAST" sweep a.study -o dying.sqlite --jobs 1 >out 2>err &
job=$!
until [ "$(rows dying.sqlite 'count(*)' 2>/dev/null)" = 1 ]; do sleep 0.05; done
kill -KILL "$(pgrep -P $job)"
wait $job
same "a process that ends by a signal is reported" "$?,$(rows dying.sqlite 'nodes, status, code, error' \
    'order by point' | paste -sd ' ')" "0,4|0|| 256|137|901|the point: its process was ended by\
 signal 9, Killed; expected a report 8|0||"
roundcast sweep a.study -o dying.sqlite --again
same "… and is run with --again" "$status,$(rows dying.sqlite 'status' | paste -sd ' ')" '0,0 0 0'
check "… which takes seconds, and says so to a person only" test ! -s err

# A terminal shows the progress of a study with very many points.
study 'algorithm circulant' 'n 64' 'm 3000' 'engine csim' 'seed 1..9999'
shows $'\rpoints: [0-9]+ of 9999, [0-9]+ s left' "a terminal shows the progress" \
    sweep a.study -o shown.sqlite

# Signals in the middle, repeatedly.
study 'algorithm circulant' 'n 64' 'm 200..209' 'engine csim' 'seed 1..60'
"$ROUNDCAST" sweep a.study --list >expected
for signal in INT TERM KILL KILL; do
    before=$(rows kept.sqlite 'count(*)' 2>/dev/null || echo 0)
    env --default-signal=INT "$ROUNDCAST" sweep a.study -o kept.sqlite >out 2>err &
    job=$!
    until [ "$(rows kept.sqlite 'count(*)' 2>/dev/null || echo 0)" -gt "$before" ] ||
        ! kill -0 $job 2>/dev/null; do sleep 0.02; done
    kill -$signal $job 2>/dev/null
    { wait $job; } 2>/dev/null
    same "$signal ends it" $? $((128 + $(kill -l $signal)))
done
now=$(rows kept.sqlite 'count(*)')
check "… in the middle: $now rows" test "$now" -gt 4 -a "$now" -lt 600
accepts "run      $((600 - now)) points" "… it goes on where it was" sweep a.study -o kept.sqlite
same "… each point has one row" "$(rows kept.sqlite command 'order by point')" "$(cat expected)"

# Errors in a study.
rm -f none.sqlite
# wrong CODE PLACE PART LINE…: checks the error in a study of these lines.
wrong() {
    local code=$1 place=$2 part=$3
    shift 3
    study "$@"
    refuses 2 "$code" "$part" "$place: $*" sweep a.study -o none.sqlite
    check "… its place" grep -q "^roundcast: a.study:$place: " err
}
wrong E101 2:1 "nods: the field does not exist, but 'nodes' does" 'nods 1'
wrong E101 2:10 "'csin' does not exist, but 'csim' does" 'engine   csin'
wrong E102 3:5 'expected 1 …' 'algorithm path' 'n 3 0..2'
wrong E103 2:16 "'pat' does not exist" 'algorithm path pat'
wrong E401 2:9 'benes' 'network bens:8'
wrong E101 2:1 'not an option of points' 'view a.html'
wrong E101 2:7 'not a value of a flag' 'split full'
wrong E204 2:1 "'n' has no value" 'n # 3'
wrong E206 3:1 "stands on a line above" 'n 3' 'n 4'
wrong E204 2:3 'is no range' 'n 1..'
wrong E204 2:5 'is empty' 'n 1 4..3'
wrong E204 2:3 'never ends' 'n 1..4*1'
wrong E204 2:3 'never ends' 'n 1..4+0'
wrong E204 2:1 'the value 4 of '"'n'"' is there twice' 'n 2..4 4'
wrong E204 2:1 "is there twice" 'split no yes -'
wrong E204 2:16 "is not an algorithm" 'algorithm path --split'
wrong E204 3:6 "'m' is no key" 'n 4' 'skip m>3'
wrong E204 3:6 "is no condition" 'n 4' 'skip n'
wrong E204 3:6 "is no number" 'n 4' 'skip n>x'
wrong E204 2:5 "no condition" 'skip'
wrong E204 2:8 "is no number of points" 'points 0'
wrong E206 2:13 "expected numbers that ascend" 'points 3..4 4'
wrong E104 3:1 '10000200 points; expected at most' 'n 1..50001' 'm 1..200'
wrong E104 2:6 'too many values' 'seed 1..65537'
wrong E207 3:1 'no algorithm' 'n 4'
wrong E205 2:3 'a word is too long' "n $(printf '%0300d' 0)"
for text in 'roundcast-schedule 1' 'roundcast-study 2' 'roundcast-study 1 x'; do
    echo "$text" >a.study
    refuses 2 E203 'a.study:1:' "another file: $text" sweep a.study -o none.sqlite
done
printf 'roundcast-study 1\nalgorithm path' >a.study
refuses 2 E207 'cut off' "a file without its end" sweep a.study -o none.sqlite
denied "nothing is written then" test -e none.sqlite
finish
