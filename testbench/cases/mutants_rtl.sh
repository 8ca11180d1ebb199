#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mutants_rtl: a seeded sample of the faults of the smallest machine: each is killed, proved equal,
# or listed. `make mutants-rtl` tries all faults of all machines.
#
# Counter-cases: where the test sees nothing, faults survive, and none of those that the real test
# kills is proved equal; a test that fails without a fault is refused; a fault that is one letter
# off the listed one survives.
. "$(dirname "$0")/tap.sh"
mutants=$(dirname "$0")/../mutants
machine=$(awk '$1 == 0 && NF == 2 { print $2 }' "$mutants/machines.txt")
test=$(dirname "$ROUNDCAST")/unit/test_host_random
seed=${SEED:-3}

# count WORD: how many faults became that.
count() { cut -f 2 "$TMP/tsv" | grep -cx "$1"; }

# became TEXT WORD…: all faults are one of these.
became() {
    local text=$1
    shift
    if [ -s "$TMP/tsv" ] && ! cut -f 2 "$TMP/tsv" | grep -qvx "$(printf '%s\n' "$@")"; then
        ok "$text"
    else
        not_ok "$text" "$(cat "$TMP/tsv")"
    fi
}

# fails TEXT COMMAND…
fails() {
    local text=$1
    shift
    if "$@" >"$TMP/out" 2>&1; then not_ok "$text" "$* succeeds"; else ok "$text"; fi
}

check "the smallest machine and its faults are built" env -u MAKEFLAGS \
    make --no-print-directory "build/mutants/rtl-$machine/dut.so"
faults=$(wc -l <"build/mutants/$machine.list")
numbers=$(seq "$faults" | shuf -n 16 --random-source=<(yes "$seed"))
"$mutants/rtl.sh" "$TMP/tsv" "$machine" "$numbers" "$test"
check "16 of $faults faults, seed $seed: $(count killed) killed, $(count equal) proved equal" \
    "$mutants/table.sh" "$mutants/listed_rtl.txt" "$TMP/tsv"

killed=$(awk -F '\t' '$2 == "killed" { print $1 }' "$TMP/tsv" | head -n 4)
"$mutants/rtl.sh" "$TMP/tsv" "$machine" "$killed" true
became "(what a test has killed survives one that sees nothing: it is not proved equal)" survives
fails "(… and fails the table)" "$mutants/table.sh" "$mutants/listed_rtl.txt" "$TMP/tsv"
cut -f 4,5 "$TMP/tsv" >"$TMP/listed"
check "what is listed survives no more" "$mutants/table.sh" "$TMP/listed" "$TMP/tsv"
sed -i '1s/$/0/' "$TMP/listed"
fails "(… but what is one letter off does)" "$mutants/table.sh" "$TMP/listed" "$TMP/tsv"
fails "(a test that fails without a fault kills none)" \
    "$mutants/rtl.sh" "$TMP/none" "$machine" "$killed" false
finish
