#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# batch: each line of `run --batch` gives the result of a single `run`, in the order of the lines,
# for any number of parallel runs, and no line is run unless all lines are legal.
#
# Reports of lines are compared with those of `run`, except times and memory; the comparison rejects
# a line that is lost, doubled, moved or of another report. Runs that fail: a network that blocks, a
# process that is killed. An illegal batch, or an illegal line, is reported with its place, next to
# the nearest legal one. batch_run.sh covers compiled engines.
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
# lines LINE…: writes the file a.batch.
lines() { printf '%s\n' "$@" >a.batch; }
# untimed FILE: prints the file without the values that differ from run to run.
untimed() {
    sed -E 's/[0-9.]+ s, [0-9]+ runs a second$//; s/("([a-z_]*seconds|megabytes)": )[^,]*/\1/' "$1"
}
# row LINE COLUMN: prints a field of the last table.
row() { awk -v line="$1" '$1 == line && $2 !~ /^runs/ { print $(NF + 1 - '"$2"') }' out; }

# Valid lines, of several machines and models; two of them are the same.
lines '# of all kinds' 'circulant -n 8 -m 3' '' "path -n 4 -m 2 --payload 'two words' # a comment" \
    '  postal-bcast -n 5 -m 1 --lambda 5/2' "tree-broadcast --tree '2,2'" \
    'cube-broadcast --dim 2 --sources 1,2 --network cube-auto' 'circulant -n 8 -m 3' \
    "matching -n 22 -m 4 --seed 7 --flits '2'" 'circulant -n 8 -m 3 --network benes:16 --width 8'
echo 'These bytes go to everybody.' >'two words'
accepts '8 runs, 0 failed; ' "good lines hold" run --engine csim --batch a.batch
same "… a row for each line" "$(awk '$1 ~ /^[0-9]+$/ && $NF == "ok" { print $1 }' out |
    paste -sd ' ')" '2 4 5 6 7 8 9 10'
same "… with its packets, rounds and cycles" "$(row 2 4) $(row 2 3) $(row 2 2)" '24 5 45'
same "… or time" "$(row 5 4) $(row 5 3)" '5 5'
json '"runs": 8' "… as JSON" run --engine csim --batch a.batch --json
cat >agree.py <<'END'
# Checks that the report of each line is what `run` prints for it, and that the sums are right. The
# output of `run` is kept for later calls.
import json, os, shlex, subprocess, sys
alone = json.load(open('alone.json')) if os.path.exists('alone.json') else {}
report = json.load(open(sys.argv[2]))
lines = [[n + 1, shlex.split(l, comments=True)] for n, l in enumerate(open('a.batch'))]
lines = [line for line in lines if line[1]]
assert [line['line'] for line in report['lines']] == [number for number, words in lines]
for line, (number, words) in zip(report['lines'], lines):
    said = shlex.split(line['command'])
    assert said[:2] == ['roundcast', 'run'] and said[-len(words):] == words
    if line['command'] not in alone:
        one = subprocess.run([sys.argv[1], *said[1:]], capture_output=True).stdout
        alone[line['command']] = json.loads(one)
    for key, value in alone[line['command']].items():
        varies = key.endswith('_seconds') or key == 'megabytes'
        assert varies or line['report'][key] == value, key
json.dump(alone, open('alone.json', 'w'))
reports = [line['report'] for line in report['lines']]
assert report['runs'] == len(lines)
assert report['failed'] == sum(one['error'] is not None for one in reports)
for key in 'packets_checked', 'run_cycles':
    assert report[key] == sum(one.get(key, 0) for one in reports)
END
agree() { /usr/bin/python3 agree.py "$ROUNDCAST" "$1"; }
cp out good.json
check "… with the fields that run reports for each" agree good.json
change() {
    /usr/bin/python3 -c 'import json, sys
report = json.load(open("good.json")); lines = report["lines"]
exec(sys.argv[1])
json.dump(report, open("changed.json", "w"))' "$1"
}
for changed in 'del lines[3]' 'lines[3] = lines[4]' 'lines[1], lines[2] = lines[2], lines[1]' \
    'lines[0]["report"]["seen"] += 1' 'lines[4]["line"] = 1' 'report["failed"] = 1' \
    'report["packets_checked"] -= 1' 'lines[2]["command"] += " -n 6"'; do
    change "$changed"
    denied "… and not with $changed" agree changed.json
done

# Any number of parallel runs.
for form in '' --json; do
    for jobs in 1 2 4 64; do
        # shellcheck disable=SC2086
        "$ROUNDCAST" run --engine csim --batch a.batch --jobs $jobs $form >"jobs.$jobs"
        check "--jobs $jobs $form prints the same" cmp <(untimed jobs.1) <(untimed "jobs.$jobs")
    done
done
denied "… which is not what other lines print" \
    cmp <(untimed jobs.1) <(sed '/^path/d' a.batch >b.batch &&
        "$ROUNDCAST" run --engine csim --batch b.batch --json >b.json; untimed b.json)
roundcast run --engine csim --batch - <a.batch
check "standard input has lines, too" cmp <(untimed out) \
    <("$ROUNDCAST" run --engine csim --batch a.batch >named; untimed named)

# Options of all lines, which a line may override.
lines '-m 2' '-n 16 -m 2' "--network 'omega:8' -m 1"
accepts '3 runs, 0 failed' "what all lines have stands once" \
    run circulant -n 8 --network benes:16 --batch a.batch --engine csim
same "… and counts unless a line says otherwise" \
    "$("$ROUNDCAST" run circulant -n 8 --network benes:16 --jobs=2 --batch=a.batch --engine csim \
        --json | sed -nE 's/^ *"(network|nodes)": "?([a-z]*:)?([0-9]+).*/\2\3/p' | paste -sd ' ')" \
    '8 benes:16 16 benes:16 8 omega:8'
lines 'path -n 3 -m 1 --view one.html' 'path -n 3 -m 1 --view two.html --waves two.fst'
accepts '2 runs, 0 failed' "lines write files of their own" run --batch a.batch --engine csim
check "… whole" test -s one.html -a -s two.html -a -s two.fst
lines 'path -n 3 -m 1 --view none/one.html' 'path -n 3 -m 1 --view three.html'
roundcast run --batch a.batch --engine csim
same "a missing folder is reported with its line" "$status,$(test -s three.html && echo whole)" \
    "2,whole"
check "… the number of its line" grep -q '^roundcast: a.batch:1: none/one.html: ' err

# The table fits its columns.
lines "circulant -n 8 -m 3 --network benes:8,pipe=1,pad=0 --flits 4 --width 16 --seed 12345" \
    "path -n 8 -m 1 --payload $(printf '%s/' ./././././././././././././././.)'two words'" \
    "path -n 8 -m 1 --payload 'zwölf Wörter'"
cp 'two words' 'zwölf Wörter'
for columns in 60 80 100 200; do
    COLUMNS=$columns roundcast run --batch a.batch --engine csim
    same "in $columns columns no line is longer" \
        "$status,$(head -n -1 out | awk -v most=$columns '{ gsub(/…|ö/, ".") } length > most')" 0,
    same "… and commands are cut if they are" \
        "$(grep -c … out)" $((columns < 84 ? 3 : columns < 110 ? 2 : 0))
done
check "… in which a letter of two bytes has one column" grep -q "'zwölf Wörter' " out

# Runs that fail, among runs that pass.
lines 'circulant -n 4 -m 2' 'matching -n 6 -m 3 --network omega:8' 'path -n 4 -m 1' \
    'total-exchange -n 6 -m 1 --network omega:8' 'circulant -n 4 -m 2'
roundcast run --batch a.batch --engine csim
same "an error that only the schedule shows is reported with its line" "$status,$(awk '
    $1 ~ /^[0-9]+$/ && $2 != "runs," { print $1, $NF == "ok" }' out | paste -sd ' ')" \
    '2,1 1 2 0 3 1 4 0 5 1'
check "… and first of all" grep -qE \
    '^roundcast: a.batch:2: round .* \[E408 blocked\] \(and 1 more\)$' err
check "… with the totals of those that ran" grep -q '^5 runs, 2 failed; ' out
roundcast run --batch a.batch --engine csim --json
same "… as JSON, too" "$status,$(/usr/bin/python3 -c 'import json; r = json.load(open("out"))
print(r["failed"], r["error"]["code"], r["error"]["further"],
      [line["report"].get("holds", line["report"]["error"] and 0) for line in r["lines"]])')" \
    '2,2 408 1 [True, 0, True, 0, True]'

# A process that is killed is reported.
lines 'matching -n 6 -m 3 --network omega:8' 'circulant -n 64 -m 60000 --network benes:64' \
    'path -n 4 -m 1'
"$ROUNDCAST" run --batch a.batch --engine csim --jobs 1 >out 2>err &
job=$!
for ((looks = 0; looks < 400; looks++)); do
    child=$(pgrep -P $job)
    [ -z "$child" ] || [ "$(awk '{ print ($14 > 20) }' "/proc/$child/stat" 2>/dev/null)" != 1 ] ||
        { kill -KILL "$child" && break; }
    sleep 0.02
done
wait $job
same "a process that ends by a signal is reported" "$?,$(row 3 1),$(cat err)" "3,ok,roundcast: a.batch:2:\
 the run: its process was ended by signal 9, Killed; expected a report [E901 bug] (and 1 more)"
check "… before a line that is only refused" grep -qF '[E408 blocked]' <(tr -s ' \n' ' ' <out)

# More engines than a process remembers: none of these files is an engine, and each is reported by
# its name.
for width in {16..24}; do
    name=rtl-rc_multistage_machine-ports4-pipe1-pad0-width$width-packets16-flits8-rows64
    mkdir -p "fakes/$name" && : >"fakes/$name/dut.so"
done
# shellcheck disable=SC2046
lines $(printf -- '--width=%s ' {16..24} {16..24})
ROUNDCAST_ENGINES=fakes roundcast run path -n 4 -m 1 --engine rtl --batch a.batch --jobs 1 --json
same "each line asks for its own engine" "$(/usr/bin/python3 -c 'import json, re
for line in json.load(open("out"))["lines"]:
    print(*re.findall("-width([0-9]+)-", line["report"]["error"]["message"]))')" \
    "$(for width in {16..24} {16..24}; do echo "$width $width"; done)"

# Signals during a batch.
for ((line = 0; line < 400; line++)); do
    echo "circulant -n 64 -m 400 --seed $line"
done >long.batch
for signal in INT TERM; do
    env --default-signal=INT "$ROUNDCAST" run --batch long.batch --engine csim >out 2>err &
    job=$!
    until [ -n "$(pgrep -P $job)" ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
    children=$(pgrep -P $job)
    kill -$signal $job
    { wait $job; } 2>/dev/null
    same "$signal ends it, and says nothing" "$?,$(cat out err)" $((128 + $(kill -l $signal))),
    same "… nor is a process left" "$(ps -o pid= -p "${children//$'\n'/,}")" ''
done
shows $'\rruns: [0-9]+ of 400, [0-9]+ s left' "a terminal shows the progress" \
    run --batch long.batch --engine csim

# Errors in a line. The lines before it would write a page.
# wrong CODE PART LINE: checks that the error is reported with its place, and nothing is run.
wrong() {
    lines 'path -n 4 -m 1 --view before.html' '' "$3" 'path -n 4 -m 1 --view behind.html'
    refuses 2 "$1" "$2" "refused: $3" run --batch a.batch --engine csim
    check "… its place" grep -qE '^roundcast: a.batch:3: [^\[]*(expected|require[sd];?) [^\[]*\[' err
    denied "… and nothing is run" test -e before.html -o -e behind.html
}
wrong E101 '--nods: unknown option; expected --nodes' 'path --nods 4 -m 1'
wrong E101 '-o: unknown option' 'path -n 4 -m 1 -o x'
wrong E101 '-n is required' 'path -m 4'
wrong E101 'ALGORITHM is required' '-n 4 -m 1'
wrong E101 "'csin' does not exist" 'path -n 4 -m 1 --engine csin'
wrong E102 '-n: 0 is out of range' 'path -n 0 -m 1'
wrong E103 "'pat' does not exist" 'pat -n 4 -m 1'
wrong E103 'hypercube-trees' 'hypercube-trees -n 7 -m 1'
wrong E401 'power of two' 'path -n 4 -m 1 --network omega:7'
wrong E402 '4 ports' 'path -n 5 -m 1 --network benes:4'
wrong E201 'No such file' 'path -n 4 -m 1 --payload none.bin'
wrong E101 'a line of a batch is one run' 'path -n 4 -m 1 --batch a.batch'
wrong E101 '--jobs is for all lines' 'path -n 4 -m 1 --jobs 2'
wrong E101 '--json is for all lines' 'path -n 4 -m 1 --js'
wrong E101 '--help: a line of a batch is one run' 'path --help'
wrong E101 '--manual: unknown option' 'path --manual md'
wrong E101 '--waves-from requires --waves' 'path -n 4 -m 1 --waves-from 2'
wrong E101 'share standard input' 'path -n 4 -m 1 --payload -'
wrong E101 'share standard input' 'path -n 4 -m 1 --view=-'
wrong E101 'before.html: line 1 writes it, too' 'path -n 3 -m 1 --view before.html'
wrong E101 '/before.html: line 1 writes it, too' "path -n 3 -m 1 --view '$PWD/before.html'"
ln -s . same
wrong E101 'same/before.html: line 1 writes it, too' 'path -n 3 -m 1 --view same/before.html'
wrong E204 "a quote ' without its end" "path -n '4 -m 1"
wrong E204 'unexpected byte 0x01' $'path -n 4\1 -m 1'
wrong E204 'carriage return' $'path -n 4 -m 1\r'
lines 'path -n 0 -m 1' 'path -n 4 -m 1' 'path -n 4 -m 0' 'pat'
refuses 2 E102 'a.batch:1: ' "several are counted" run --batch a.batch
check "… each once" grep -q '(and 2 more)$' err

# Files that are not a batch.
: >empty.batch
printf '\n # a comment\n' >comment.batch
printf 'path -n 4 -m 1' >cut.batch
refuses 2 E207 'empty.batch:1: no line has a word' "no line" run --batch empty.batch
refuses 2 E207 'comment.batch:3: no line has a word' "… but comments" run --batch comment.batch
refuses 2 E207 'cut.batch:1: the file is cut off' "a line without its end" run --batch cut.batch
refuses 2 E201 'none.batch: cannot open' "no file" run --batch none.batch
lines 'path -n 4 -m 1'
refuses 2 E101 '--jobs requires --batch' "jobs of one run" run path -n 4 -m 1 --jobs 2
refuses 2 E102 '--jobs: 0 is out of range' "no jobs" run --batch a.batch --jobs 0
refuses 2 E101 '--batch: given twice' "two batches" run --batch a.batch --batch a.batch
refuses 2 E101 '--jobs: given twice' "jobs twice" run --batch a.batch --jobs 1 --jobs 2
refuses 2 E101 '--waves: each line would write a.fst' "a trace of all" \
    run --batch a.batch --waves a.fst
refuses 2 E101 '--view: each line would write a.html' "a page of all" \
    run --batch a.batch --view a.html
refuses 2 E101 'share standard input' "standard input for all" run --batch a.batch --payload -
printf 'binomial\n' >one.batch
refuses 2 E101 'one.batch:1: binomial: one algorithm too many' "an algorithm of all, and one of a line" \
    run path -n 8 -m 1 --network benes:8 --batch one.batch
refuses 2 E101 "--engine: 'csin'" "an option of all that is none" run --batch a.batch --engine csin
printf '%s\n' 'roundcast-study 1' 'algorithm path' 'batch a.batch' >a.study
refuses 2 E101 'batch: the field does not exist' "a batch of a study" sweep a.study -o a.sqlite
accepts '1 run, 0 failed; 4 packets' "one line" run --batch a.batch --engine csim
finish
