#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz_rtl: replays the corpora of the targets that run csim and the RTL in lockstep: damaged
# bundles, and a host with random behaviour.
#
# Counter-cases: each target with its planted fault fails on its corpus.
. "$(dirname "$0")/tap.sh"

folder=$(dirname "$ROUNDCAST")/fuzz
corpus=tests/fuzz/corpus

for name in bundle host; do
    for inputs in "$corpus/$name" "-seed=1 -runs=200 -max_len=200"; do
        doing="$name $inputs"
        # shellcheck disable=SC2086
        if ! "$folder/$name" $inputs >"$TMP/out" 2>&1; then
            not_ok "$name $inputs" "$(tail -n 5 "$TMP/out")"
        elif grep -q '^no RTL' "$TMP/out"; then
            not_ok "$name $inputs" "$(grep '^no RTL' "$TMP/out")"
        else
            ok "$name $inputs: $(sed -n 's/^stat::number_of_executed_units: //p' "$TMP/out") inputs"
        fi
    done
    "$folder/fault/$name" "$corpus/$name" >"$TMP/out" 2>&1
    check "$name: its fault is found" grep -q '^finding: ' "$TMP/out"
done
finish
