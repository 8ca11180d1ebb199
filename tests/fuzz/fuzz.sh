#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz: runs each fuzz target for a time, one per processor, and prints a table.
#
#     fuzz.sh SECONDS PROGRAM…
#
# A program is a target linked with libFuzzer. It begins with its corpus in the tree and with the
# inputs found by former runs, which are stored under build/fuzz-found. It ends at a finding, a file
# that makes it fail, which is stored under build/fuzz-found/findings. Exit status 1 if there is
# any.
#
# FUZZ_FOUND names another folder than build/fuzz-found, FUZZ_JOBS another number than that of the
# processors.
set -u
seconds=$1
shift
# Whole paths: a target may leave its folder.
tree=$(realpath "$(dirname "$0")")/corpus
found=$(realpath -m "${FUZZ_FOUND:-build/fuzz-found}")
status=0
at_once=${FUZZ_JOBS:-$(nproc)}
trap 'kill $(jobs -p) 2>/dev/null' EXIT
export OMP_NUM_THREADS=1
# Limits the memory that AddressSanitizer quarantines after it is freed; the limit covers some
# thousand inputs.
export ASAN_OPTIONS=quarantine_size_mb=8:${ASAN_OPTIONS:-}

# number LOG PATTERN: the last number after a pattern in the log, or 0.
number() { grep -oE "$2 *[0-9]+" "$1" | grep -oE '[0-9]+$' | tail -n 1 | grep . || echo 0; }

# fuzz PROGRAM: its row of the table. Exit status 1 if there is a finding.
fuzz() {
    local program=$1 name=${1##*/} log row why='' new=0
    local findings=$found/findings/$name
    mkdir -p "$found/corpus/$name" "$findings"
    log=$found/$name.log
    "$program" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$findings/" "$found/corpus/$name" "$tree/$name" \
        >"$log" 2>&1 &
    # shellcheck disable=SC2064  # this process, whatever comes later
    trap "kill $! 2>/dev/null" TERM
    wait $! || new=1 # the first one ends it; a file of what was slow is none
    row=$(printf '%-12s %12s %10s %8s %9s' "$name" \
        "$(number "$log" stat::number_of_executed_units:)" \
        "$(number "$log" stat::average_exec_per_sec:)" "$(number "$log" cov:)" "$new")
    [ "$new" -eq 0 ] ||
        why=$(grep -m 3 -E '^finding:|ERROR|runtime error' "$log" | sed 's/^/    /')
    printf '%s\n' "$row" ${why:+"$why"}
    return "$new"
}

printf '%-12s %12s %10s %8s %9s\n' target executions exec/s edges findings
running=0
for program in "$@"; do
    if [ "$running" -ge "$at_once" ]; then
        wait -n || status=1
        running=$((running - 1))
    fi
    fuzz "$program" &
    running=$((running + 1))
done
for ((; running > 0; running--)); do wait -n || status=1; done
executions=0
for program in "$@"; do
    executions=$((executions + $(number "$found/${program##*/}.log" stat::number_of_executed_units:)))
done
echo "$executions executions, $([ $status -eq 0 ] && echo no || echo some) findings"
exit $status
