#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run: executes the runs of the sign-off page and records their results.
#
#     run.sh RUNS RESULTS [NAME…]
#
# RUNS has lines of `name command | pattern`; the named ones are executed, or all. For each, RESULTS
# receives the line `name date seconds status result` in place of its old line. The result is the
# last line of output that matches the pattern, or `nothing that matches`. Exit status 1 if a run
# failed or printed no such line.
set -u
runs=$1 results=$2
shift 2
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(awk '!/^#/ && NF { print $1 }' "$runs")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
touch "$results"
failed=0
# A run is a separate make, without the job server of `make signoff`.
unset MAKEFLAGS MFLAGS MAKELEVEL

for name in "${names[@]}"; do
    line=$(awk -v name="$name" '$1 == name' "$runs")
    [ -n "$line" ] || { echo "run.sh: no run $name in $runs" >&2; exit 2; }
    command=$(sed -E 's/^[^ ]+ +//; s/ +\|.*//' <<<"$line")
    pattern=$(sed -E 's/^[^|]*\| *//' <<<"$line")
    echo "== $command"
    status=0 started=$SECONDS
    bash -c "$command" 2>&1 | tee "$log" || true
    status=${PIPESTATUS[0]}
    result=$(grep -E -e "$pattern" "$log" | tail -n 1)
    [ -n "$result" ] && [ "$status" -eq 0 ] || failed=1
    {
        awk -v name="$name" '$1 != name' "$results"
        echo "$name $(date -u +%F) $((SECONDS - started)) $status ${result:-nothing that matches}"
    } >"$results.new"
    mv "$results.new" "$results"
done
exit $failed
