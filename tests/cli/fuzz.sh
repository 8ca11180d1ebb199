#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz: the corpora of the fuzz targets that require no compiled engine, replayed without libFuzzer;
# and inputs drawn from a seed, for each target.
#
# Counter-cases: each target with its planted fault fails on its corpus, and the table of `make
# fuzz` counts it as a finding.
. "$(dirname "$0")/tap.sh"

folder=$(dirname "$ROUNDCAST")/fuzz
corpus=tests/fuzz/corpus
export ROUNDCAST_ENGINES=none OMP_NUM_THREADS=1

# executed TEXT NUMBER ARGUMENT…: checks that a target runs at least this number of inputs.
executed() {
    local text=$1 least=$2 count
    shift 2
    doing=$*
    count=$("$@" 2>&1 | sed -n 's/^stat::number_of_executed_units: //p')
    if [ "${count:-0}" -ge "$least" ]; then ok "$text"; else not_ok "$text" "$("$@" 2>&1 | tail -n 40)"; fi
}

for name in exchange image lines memories options round_trip route rules study traffic verify; do
    executed "$name: the corpus" 10 "$folder/$name" "$corpus/$name"
    executed "$name: inputs of seed 1" 500 "$folder/$name" -seed=1 -runs=500 -max_len=200
    if "$folder/fault/$name" "$corpus/$name" >"$TMP/out" 2>&1; then
        not_ok "$name: its fault is found" "it ran all"
    elif grep -q '^finding: ' "$TMP/out"; then
        ok "$name: its fault is found"
    else
        not_ok "$name: its fault is found" "$(tail -n 5 "$TMP/out")"
    fi
done

# table PROGRAM…: runs `make fuzz` on these programs; its last line is in $TMP/out.
table() { FUZZ_FOUND=$TMP/found tests/fuzz/fuzz.sh 1 "$@" >"$TMP/out" 2>&1; }

check "the table of a target that holds" table "$folder/rules"
check "… which has no finding" grep -qE '^rules +[0-9]+ .* 0$' "$TMP/out"
if table "$folder/fault/rules"; then not_ok "the table's status reports a finding" "$(cat "$TMP/out")"
else ok "the table's status reports a finding"; fi
check "… which it counts" grep -qE '^rules +[0-9]+ .* 1$' "$TMP/out"
check "… and names" grep -qF 'finding: ' "$TMP/out"

check "no corpus has a file of 4 KiB or more" test -z "$(find "$corpus" -type f -size +4095c)"
finish
