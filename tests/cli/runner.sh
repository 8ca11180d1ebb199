#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# runner: the test runner counts failures. The tests are fake programs, one for each way to fail.
# The selection of tests and cases by names, parts of texts and tags is tested, too.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"
RUNNER=$(dirname "$0")/../run-tests.sh
# The variables of the outer runner do not affect the runners below.
unset TEST_PASSED TEST_CHANGED TEST_TIMES TEST_JOBS TEST_SECONDS TEST_SHOW \
    MAKEFLAGS MAKELEVEL

# fake NAME: makes a program from the text on standard input.
fake() {
    { echo '#!/bin/bash' && cat; } >"$TMP/$1"
    chmod +x "$TMP/$1"
}

# counts STATUS LAST TEXT NAME…: checks the runner's status and last line for these programs.
counts() {
    local expected=$1 last=$2 text=$3 output status=0
    shift 3
    output=$(cd "$TMP" && TEST_SECONDS=1 bash "$RUNNER" "$@" 2>&1) || status=$?
    if [ "$status" -eq "$expected" ] && [ "$(tail -n 1 <<<"$output")" = "$last" ] &&
        [ "$(grep -cE '^[0-9]+ passed, [0-9]+ failed' <<<"$output")" -eq 1 ]; then
        ok "$text"
    else
        not_ok "$text" "exit $status, expected $expected and '$last': $output"
    fi
}

# shows PART TEXT NAME…: checks that the runner's output contains this part.
shows() {
    local part=$1 text=$2 output
    shift 2
    output=$(cd "$TMP" && TEST_SECONDS=1 bash "$RUNNER" "$@" 2>&1)
    if grep -qF -e "$part" <<<"$output"; then ok "$text"; else not_ok "$text" \
        "no '$part' in: $output"; fi
}

RUNNER_HELPERS=$(cd "$(dirname "$0")" && pwd)/tap.sh
RUNNER=$(cd "$(dirname "$RUNNER")" && pwd)/run-tests.sh
fake good <<<'printf "1..2\nok 1 - a\nsome words\nok 2 - b\n"'
fake plan_last.sh <<<'printf "ok 1 - a\nok 2 - b\nok 3 - c\n1..3\n"'
fake two_groups <<<'printf "1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n"'
fake skips <<<'printf "1..3\nok 1 - a\nok 2 - b # SKIP no root\nnot ok 3 # SKIP c\n"'
fake skips_all <<<'printf "1..1\nok 1 - a # SKIP not here\n"'
fake fails <<<'printf "1..3\nok 1 - a\nnot ok 2 - the broken one\n# 1 != 2\nok 3 - c\n"; echo "on standard error" >&2; exit 1'
fake fails_with_status_0 <<<'printf "1..2\nok 1 - a\nnot ok 2 - b\n"'
fake status_only <<<'printf "1..2\nok 1 - a\nok 2 - b\n"; exit 3'
fake crashes <<<'printf "1..2\nok 1 - a\nok 2 - b\n"; kill -SEGV $$'
fake short <<<'printf "1..3\nok 1 - a\nok 2 - b\n"'
fake long <<<'printf "1..1\nok 1 - a\nok 2 - b\n"'
fake no_plan <<<'printf "ok 1 - a\nok 2 - b\n"'
fake silent <<<'exit 0'
fake only_plan <<<'printf "1..0\n"'
fake endless <<<'printf "1..1\nok 1 - a\n"; exec sleep 30'
fake stubborn <<<'printf "1..1\nok 1 - a\n"; sleep 30; sleep 30'
fake no_tap <<<'echo "everything is ok"'
fake locked <<<'printf "1..1\nok 1 - a\n"'
chmod a-x "$TMP/locked"

counts 0 "2 passed, 0 failed" "a good program" good
counts 0 "3 passed, 0 failed" "a script with its plan at the end" plan_last.sh
counts 0 "3 passed, 0 failed" "two groups of tests in a program" two_groups
counts 0 "1 passed, 0 failed, 2 skipped" "skipped results, as scripts and as cmocka write them" \
    skips
counts 0 "5 passed, 0 failed" "two programs" good two_groups
counts 0 "2 passed, 0 failed" "a program by its path" "$TMP/good"
counts 1 "2 passed, 1 failed" "a failed result" fails
counts 1 "1 passed, 1 failed" "a failed result with exit status 0" fails_with_status_0
counts 1 "2 passed, 1 failed" "an exit status without a failed result" status_only
counts 1 "2 passed, 1 failed" "a crash after the last result" crashes
counts 1 "2 passed, 1 failed" "fewer results than planned" short
counts 1 "2 passed, 1 failed" "more results than planned" long
counts 1 "2 passed, 1 failed" "no plan" no_plan
counts 1 "0 passed, 1 failed" "no output" silent
counts 1 "0 passed, 1 failed" "a plan of nothing" only_plan
counts 1 "0 passed, 1 failed" "words that are no results" no_tap
counts 1 "1 passed, 1 failed" "a program that does not end" endless
counts 1 "1 passed, 1 failed" "one that has a child that does not end" stubborn
counts 1 "0 passed, 1 failed" "a program that is not there" nowhere
counts 1 "0 passed, 1 failed" "a program that cannot be executed" locked
counts 1 "0 passed, 0 failed" "no program"
counts 1 "0 passed, 0 failed, 1 skipped" "nothing but skipped results" skips_all
counts 1 "9 passed, 4 failed, 2 skipped" "the run goes on after failures" fails silent short \
    status_only skips good
shows 'not ok 2 - the broken one' "what failed is shown" fails
shows 'on standard error' "… with its standard error" fails
shows 'short: planned 3 results and printed 2' "a broken plan is reported" short
shows 'endless: took longer than 1 s' "a time-out is reported" endless
shows 'status_only: exit status 3' "an exit status is reported" status_only

# What failed is named again before the last line.
check "what failed is named at the end" test \
    "$(cd "$TMP" && bash "$RUNNER" fails good short skips | tail -n 3)" = \
    "failed: fails: the broken one
failed: short: planned 3 results and printed 2, exit status 0
7 passed, 2 failed, 2 skipped"

# In parallel: each program's line is printed when it ends, in one piece, and none is lost; with one
# job in the order given.
fake slow <<<'sleep 0.5; printf "1..1\nok 1 - a\n"'
fake quick <<<'printf "1..1\nok 1 - a\n"'
order() {
    local jobs=$1 expected=$2 text=$3 output
    output=$(cd "$TMP" && TEST_JOBS=$jobs bash "$RUNNER" slow quick |
        awk '/passed .* s CPU$/ {printf "%s ", $1}')
    if [ "$output" = "$expected " ]; then ok "$text"; else not_ok "$text" \
        "the order was $output"; fi
}
order 1 "slow quick" "one program at a time, in their order"
order 2 "quick slow" "two at a time: the line of the first that ends comes first"
fake many <<<'for k in $(seq 200); do echo "not ok $k - text of $0 $k"; done; echo 1..200; exit 1'
for copy in 1 2 3 4 5 6; do cp "$TMP/many" "$TMP/many$copy"; done
output=$(cd "$TMP" && TEST_JOBS=6 bash "$RUNNER" many1 many2 many3 many4 many5 many6)
pieces=$(grep 'not ok' <<<"$output" | grep -o 'many[1-6]' | uniq | wc -l)
check "what six programs print at once is not mixed" test "$pieces,$(tail -n 1 <<<"$output")" = \
    "6,0 passed, 1200 failed"

# A test that exceeds the time limit reports the running case: a script, and a cmocka program.
fake lost_in.sh \
    <<<". $RUNNER_HELPERS; check 'a first result' true; check 'a second one' sleep 30; finish"
shows 'under way: after result 1, sleep 30' "a script says what it was doing" lost_in.sh

# One case of a script: runs the results that have it in their text, and fails if none has.
fake cases.sh <<<". $RUNNER_HELPERS; ok 'a red one'; ok 'a green one'; ok 'another red one'; finish"
export TEST_CASE='red one'
counts 0 "2 passed, 0 failed" "a part of a text selects results" cases.sh
TEST_CASE='an*red'
counts 0 "1 passed, 0 failed" "… or a pattern" cases.sh
TEST_CASE='blue'
counts 1 "0 passed, 1 failed" "(a text that no result has fails)" cases.sh
shows "no result has 'blue' in its text" "… and says so" cases.sh
unset TEST_CASE
counts 0 "3 passed, 0 failed" "without it all are counted" cases.sh
TEST_SHOW=1 shows 'ok 2 - a green one' "what passes is shown where it is asked for" cases.sh

# Names of tests.
# named STATUS PART TEXT NAMES: checks the status of find-tests.sh and PART in its message.
named() {
    local status=0 output
    output=$(bash "${RUNNER%/*}/find-tests.sh" "$4" test_route test_path run.sh route_run.sh \
        2>&1) || status=$?
    if [ "$status" = "$1" ] && [[ $output == *"$2"* ]]; then ok "$3"; else
        not_ok "$3" "exit $status: $output"; fi
}
named 0 '' "names, short and whole" 'route test_path run run.sh'
named 2 "unknown test 'ruote'; similar tests: test_route" "a letter misplaced" ruote
named 2 "similar tests: route_run.sh test_route" "a part of a name" 'run rout'
named 2 "similar tests: none; " "(nothing that is similar)" synthesis
check "make check says so" grep -qF "TEST: unknown test 'ruote'; similar tests: test_route" \
    <(make --no-print-directory check TEST=ruote 2>&1)

# Tags.
check "(a tag that is none is an error)" grep -qF 'no tag: tol:a.sh' \
    <(make -n test TAGS='tools:b.sh tol:a.sh' 2>&1)
# runs TARGET: prints the programs that it would run.
runs() { make -n "$1" 2>/dev/null | grep -F 'run-tests.sh ' | tr ' ' '\n'; }
ROUNDCAST_EXHAUSTIVE='' runs test >"$TMP/test"
ROUNDCAST_EXHAUSTIVE=1 runs test >"$TMP/test-all"
check "make test runs tests of the product alone" test \
    "$(grep -c '/refusals.sh$' "$TMP/test") $(grep -c '/runner.sh$' "$TMP/test")" = "1 0"
check "make test-all runs all" test "$(grep -cE '/(refusals|runner).sh$' "$TMP/test-all")" = 2
check "… but no program twice" test -z \
    "$(grep -E '\.sh$|/test_' "$TMP/test-all" | sort | uniq -d)"

# Each program's seconds are written to a file.
(cd "$TMP" && TEST_TIMES=$TMP/times bash "$RUNNER" slow quick >/dev/null)
check "seconds are noted" grep -qE '^0\.[5-9][0-9] slow 0\.[0-4][0-9]$' "$TMP/times"
fake busy <<<'for ((k = 0; k < 300000; k++)); do :; done; printf "1..1\nok 1 - a\n"'
(cd "$TMP" && TEST_TIMES=$TMP/times bash "$RUNNER" busy >/dev/null)
check "… and those of the processor" grep -qE '^[0-9.]+ busy ([1-9]|0\.[1-9]|0\.0[1-9])' "$TMP/times"

# A test that passed and has not changed is neither run again nor counted; a test that failed or was
# changed is.
changed() {
    local status=$1 last=$2 text=$3 output got=0
    shift 3
    output=$(cd "$TMP" &&
        TEST_PASSED=$TMP/kept TEST_CHANGED=1 ROUNDCAST=$TMP/program bash "$RUNNER" "$@" 2>&1) ||
        got=$?
    if [ "$got" -eq "$status" ] && [ "$(tail -n 1 <<<"$output")" = "$last" ]; then
        ok "$text"
    else
        not_ok "$text" "exit $got: $output"
    fi
}
echo one >"$TMP/program"
changed 1 "7 passed, 1 failed" "all are run at first" good fails plan_last.sh
changed 1 "2 passed, 1 failed" "then what failed" good fails plan_last.sh
changed 0 "0 passed, 0 failed" "nothing is run that has not changed" good plan_last.sh
echo two >"$TMP/program"
changed 0 "3 passed, 0 failed" "a script is run again if the program is another" good plan_last.sh
echo "# more" >>"$TMP/good"
changed 0 "2 passed, 0 failed" "a program that is another is run again" good plan_last.sh

# The ten slowest of far more than a pipe holds: tests that are not shown are read, too.
slowest() { seq 100000 | bash "$(dirname "$RUNNER")/slowest.sh" times >"$TMP/slowest"; }
check "the slowest of very many" slowest
check "… ten of them, under a title" test "$(wc -l <"$TMP/slowest")" -eq 11
check "… the slowest first" grep -qE "^ *100000.00 s" <<<"$(sed -n 2p "$TMP/slowest")"

finish
