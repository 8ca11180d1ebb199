#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz: run fuzz targets for a while each, and print a table.
#
#     fuzz.sh SECONDS PROGRAM…
#
# A program is a target with libFuzzer in it. It begins with the corpus of its name in the tree and
# with what former runs found, which is kept under build/fuzz-found. A finding, a file that makes it
# fail, ends it; the file is under build/fuzz-found/findings. Exit status 1 if there is any.
#
# FUZZ_FOUND names another folder than build/fuzz-found.
set -u
seconds=$1
shift
# Whole paths: a target may leave its folder.
tree=$(realpath "$(dirname "$0")")/corpus
found=$(realpath -m "${FUZZ_FOUND:-build/fuzz-found}")
status=0
executions=0
export OMP_NUM_THREADS=1
# What an input has freed is kept apart for a while, which is long enough with some thousand inputs.
export ASAN_OPTIONS=quarantine_size_mb=8:${ASAN_OPTIONS:-}

# number LOG PATTERN: the last number behind a pattern of the log, or 0.
number() { grep -oE "$2 *[0-9]+" "$1" | grep -oE '[0-9]+$' | tail -n 1 | grep . || echo 0; }

printf '%-12s %12s %10s %8s %9s\n' target executions exec/s edges findings
for program in "$@"; do
    name=${program##*/}
    mine=$found/corpus/$name
    findings=$found/findings/$name
    mkdir -p "$mine" "$findings"
    log=$found/$name.log
    "$program" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$findings/" "$mine" "$tree/$name" >"$log" 2>&1
    new=$(($? != 0)) # the first one ends it; a file of what was slow is none
    [ "$new" -eq 0 ] || status=1
    executed=$(number "$log" stat::number_of_executed_units:)
    executions=$((executions + executed))
    printf '%-12s %12s %10s %8s %9s\n' "$name" "$executed" \
        "$(number "$log" stat::average_exec_per_sec:)" "$(number "$log" cov:)" "$new"
    [ "$new" -eq 0 ] || grep -m 3 -E '^finding:|ERROR|runtime error' "$log" | sed 's/^/    /'
done
echo "$executions executions, $([ $status -eq 0 ] && echo no || echo some) findings"
exit $status
