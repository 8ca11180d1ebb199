#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run-tests: run test programs side by side and count their results.
#
#     run-tests.sh PROGRAM…
#
# A program is a cmocka test or a script; either prints TAP: `ok`, `not ok`, and the plan `1..N`.
# Each gets a line here when it ends; what a failing one printed follows it. Besides every `not ok`,
# these count as a failure:
#
#     a program that exits with another status than 0 without a `not ok`
#     one whose plans do not add up to the number of its results, or that has no plan
#     one without any result, or whose result is lost
#     one that takes longer than TEST_SECONDS (1200), which is ended: it says which case was under
#     way
#
# TEST_JOBS programs (as many as there are processors) run at a time, in the order given: put long
# ones first. Each line has the program's seconds, and those that it and its children took of a
# processor; TEST_TIMES names a file to which "SECONDS PROGRAM CPU-SECONDS" is added for each.
#
# TEST_SHOW=1 shows what every program printed. TEST_CASE, a shell pattern, is for the programs:
# programs that use our libraries run or count only the cases whose name or text matches.
#
# TEST_PASSED names a folder that keeps what each program was when it passed. With TEST_CHANGED=1
# programs that have not changed by a byte are not run: they are listed, but not counted.
#
# What failed is named again at the end, since a log may be cut to its last lines. The last line is
# `N passed, M failed`, with `, K skipped` where it applies. Exit status 1 if anything failed or
# nothing passed.
set -u
export CMOCKA_MESSAGE_OUTPUT=TAP
# Programs that run make find no job server here: each has one job of its own.
export MAKEFLAGS=-j1
limit=${TEST_SECONDS:-1200}
jobs=${TEST_JOBS:-$(nproc)}
times=${TEST_TIMES:-/dev/null}
passed_folder=${TEST_PASSED:-}
golden=$(dirname "$0")/golden
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT TERM

# count FILE: "passed failed skipped planned plans" of TAP. (cmocka 1.1.5 prints `not ok 3 # SKIP
# name`.)
count() {
    awk '
        /^(not )?ok / && toupper($0) ~ /# SKIP/ { skipped++; next }
        /^ok /                                  { passed++ }
        /^not ok /                              { failed++ }
        /^1\.\.[0-9]+/                          { split($1, range, "[.][.]"); planned += range[2]; plans++ }
        END { print passed + 0, failed + 0, skipped + 0, planned + 0, plans + 0 }' "$1"
}

# tell FILE WHAT: what a program printed.
tell() {
    [ -s "$1" ] || return 0
    printf '    --- %s\n' "$2"
    head -n 400 "$1" | sed 's/^/    /'
    [ "$(wc -l <"$1")" -le 400 ] || printf '    … (%d lines)\n' "$(wc -l <"$1")"
}

# problem_of STATUS PASSED FAILED SKIPPED PLANNED PLANS: what is wrong besides failed results, or
# nothing.
problem_of() {
    local status=$1 results=$(($2 + $3 + $4)) failed=$3 planned=$5 plans=$6
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        echo "took longer than $limit s"
    elif [ "$results" -eq 0 ]; then
        echo "printed no result, exit status $status"
    elif [ "$plans" -eq 0 ]; then
        echo "printed no plan, exit status $status"
    elif [ "$planned" -ne "$results" ]; then
        echo "planned $planned results and printed $results, exit status $status"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        echo "exit status $status"
    fi
}

# what_is PROGRAM: all that its result depends on, as one sum; a script runs $ROUNDCAST and has the
# helpers beside it.
what_is() {
    local files=("$1" "$golden"/*)
    [[ $1 != *.sh ]] || files+=("$ROUNDCAST" "$(dirname "$1")/tap.sh")
    { cat "${files[@]}" 2>/dev/null; echo "${ROUNDCAST_EXHAUSTIVE:-}"; } | sha256sum
}

# is_unchanged PROGRAM: has it passed as it is?
is_unchanged() {
    [ -n "${TEST_CHANGED:-}" ] &&
        [ "$(what_is "$1")" = "$(cat "$passed_folder/$(basename "$1")" 2>/dev/null)" ]
}

# run PROGRAM LOG: run it, print its line, leave its counts in LOG.counts.
run() {
    local program=$1 log=$2 status=0 passed failed skipped planned plans seconds cpu problem
    local TIMEFORMAT='%R %U %S'
    local -a command=("$program")
    case $program in
    */*) ;;
    *) command=("./$program") ;;
    esac
    [[ $program != *.sh ]] || command=(bash "$program")
    { time timeout -k 5 "$limit" "${command[@]}" >"$log.out" 2>"$log.err" </dev/null; } 2>"$log.time" ||
        status=$?
    # The shell may say above what ended the program.
    read -r seconds cpu < <(awk 'END { printf "%.2f %.2f\n", $1, $2 + $3 }' "$log.time")
    read -r passed failed skipped planned plans < <(count "$log.out")
    problem=$(problem_of "$status" "$passed" "$failed" "$skipped" "$planned" "$plans")
    [ -z "$problem" ] || failed=$((failed + 1))
    {
        printf '  %-26s %5d passed %4d failed %4d skipped %9s s %9s s CPU\n' "${program##*/}" \
            "$passed" "$failed" "$skipped" "$seconds" "$cpu"
        if [ "$failed" -gt 0 ] || [ -n "${TEST_SHOW:-}" ]; then
            [ -z "$problem" ] || printf '    %s: %s\n' "$program" "$problem"
            tell "$log.out" "$program printed"
            tell "$log.err" "$program printed on standard error"
        fi
    } >"$log.line"
    if [ "$failed" -eq 0 ] && [ -n "$passed_folder" ] && [ -z "${TEST_CASE:-}" ]; then
        what_is "$program" >"$passed_folder/$(basename "$program")"
    fi
    {
        [ -z "$problem" ] || printf 'failed: %s: %s\n' "${program##*/}" "$problem"
        sed -nE "/# [Ss][Kk][Ii][Pp]/d; s,^not ok [0-9]*[- ]*,failed: ${program##*/}: ,p" "$log.out" |
            head -n 10
    } >"$log.failed"
    echo "$passed $failed $skipped $seconds ${program##*/} $cpu" >"$log.counts"
    # In one piece, even if other programs end now.
    (flock 9 && cat "$log.line") 9>"$logs/lock"
}

[ -z "$passed_folder" ] || mkdir -p "$passed_folder"
running=0
number=0
unchanged=0
for program in "$@"; do
    if is_unchanged "$program"; then
        unchanged=$((unchanged + 1))
        continue
    fi
    if [ "$running" -ge "$jobs" ]; then
        wait -n
        running=$((running - 1))
    fi
    run "$program" "$logs/$number" &
    running=$((running + 1))
    number=$((number + 1))
done
wait

all_passed=0 all_failed=0 all_skipped=0
for ((k = 0; k < number; k++)); do
    if ! read -r passed failed skipped seconds name_cpu <"$logs/$k.counts"; then
        passed=0 failed=1 skipped=0
        echo "  a result is lost"
    else
        echo "$seconds $name_cpu" >>"$times"
        cat "$logs/$k.failed"
    fi 2>/dev/null
    all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed)) \
        all_skipped=$((all_skipped + skipped))
done
[ "$unchanged" -eq 0 ] || echo "  $unchanged programs are as they were when they passed"
printf '%d passed, %d failed' "$all_passed" "$all_failed"
[ "$all_skipped" -eq 0 ] || printf ', %d skipped' "$all_skipped"
printf '\n'
[ "$all_failed" -eq 0 ] && [ $((all_passed + unchanged)) -gt 0 ]
