#!/bin/bash
# run-tests: run test programs one after the other and count their results.
#
#     run-tests.sh PROGRAM…
#
# A program is a cmocka test or a script; either prints TAP: `ok`, `not ok`, and the plan `1..N`. Each gets a
# line here; what a failing one printed follows it. Besides every `not ok`, these count as a failure:
#
#     a program that exits with another status than 0 without a `not ok`
#     one whose plans do not add up to the number of its results, or that has no plan
#     one without any result
#     one that takes longer than TEST_SECONDS (1200), which is ended
#
# The last line is `N passed, M failed`, with `, K skipped` where it applies. Exit status 1 if anything failed
# or nothing passed.
set -u
export CMOCKA_MESSAGE_OUTPUT=TAP
limit=${TEST_SECONDS:-1200}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
all_passed=0 all_failed=0 all_skipped=0

# count FILE: "passed failed skipped planned plans" of TAP. (cmocka 1.1.5 prints `not ok 3 # SKIP name`.)
count() {
    awk '
        /^(not )?ok / && toupper($0) ~ /# SKIP/ { skipped++; next }
        /^ok /                                  { passed++ }
        /^not ok /                              { failed++ }
        /^1\.\.[0-9]+/                          { split($1, range, "[.][.]"); planned += range[2]; plans++ }
        END { print passed + 0, failed + 0, skipped + 0, planned + 0, plans + 0 }' "$1"
}

# tell FILE WHAT: what a failing program printed.
tell() {
    [ -s "$1" ] || return 0
    printf '    --- %s\n' "$2"
    head -n 400 "$1" | sed 's/^/    /'
    [ "$(wc -l <"$1")" -le 400 ] || printf '    … (%d lines)\n' "$(wc -l <"$1")"
}

# run PROGRAM: run it, print its line, add to the sums.
run() {
    local program=$1 status=0 started passed failed skipped planned plans seconds problem=""
    local -a command=("$program")
    case $program in
    */*) ;;
    *) command=("./$program") ;;
    esac
    [[ $program != *.sh ]] || command=(bash "$program")
    started=$(date +%s%N)
    timeout -k 5 "$limit" "${command[@]}" >"$logs/out" 2>"$logs/err" </dev/null || status=$?
    seconds=$((($(date +%s%N) - started) / 10000000))
    read -r passed failed skipped planned plans < <(count "$logs/out")
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        problem="took longer than $limit s"
    elif [ $((passed + failed + skipped)) -eq 0 ]; then
        problem="printed no result, exit status $status"
    elif [ "$plans" -eq 0 ]; then
        problem="printed no plan, exit status $status"
    elif [ "$planned" -ne $((passed + failed + skipped)) ]; then
        problem="planned $planned results and printed $((passed + failed + skipped)), exit status $status"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        problem="exit status $status"
    fi
    [ -z "$problem" ] || failed=$((failed + 1))
    printf '  %-26s %5d passed %4d failed %4d skipped %6d.%02d s\n' "$(basename "$program")" "$passed" "$failed" \
        "$skipped" $((seconds / 100)) $((seconds % 100))
    if [ "$failed" -gt 0 ]; then
        [ -z "$problem" ] || printf '    %s: %s\n' "$program" "$problem"
        tell "$logs/out" "$program printed"
        tell "$logs/err" "$program printed on standard error"
    fi
    all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed)) all_skipped=$((all_skipped + skipped))
}

for program in "$@"; do
    run "$program"
done
printf '%d passed, %d failed' "$all_passed" "$all_failed"
[ "$all_skipped" -eq 0 ] || printf ', %d skipped' "$all_skipped"
printf '\n'
[ "$all_failed" -eq 0 ] && [ "$all_passed" -gt 0 ]
