#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# c: do the tests see small faults? Plants one at a time, and runs the tests of the module.
#
#     c.sh SEED COUNT MODULE…
#
# A module is a folder of testbench/mutants/c.txt, which says what tests it. COUNT of its faults
# (c.awk), drawn from the seed, are compiled, each linked in front of the library. One that a
# test fails on, or that hangs one or does not compile, is killed; the others are printed. The last
# lines are a table. Exit status 0: survivors are for people to read.
set -u
seed=$1 count=$2
shift 2
build=${BUILD:-build}
work=$build/mutants/c
list=$(dirname "$0")/c.txt
mkdir -p "$work"
export CMOCKA_MESSAGE_OUTPUT=TAP ROUNDCAST_ENGINES=none

# faults MODULE: "FILE LINE FAULT TEXT", tabs between, of all its files.
faults() {
    for file in "$1"/*.c; do
        awk -f "$(dirname "$0")/c.awk" "$file" | sed "s,^,$file\t,"
    done
}

# compile FILE: to an object that takes the place of the library's.
compile() {
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -I. -O1 -fopenmp -w -c -o "$work/mutant.o" "$1" \
        2>"$work/log"
}

# survives MODULE: all its tests pass with that object.
survives() {
    local test
    for test in $(awk -v module="$1" '$1 == module { $1 = ""; print }' "$list"); do
        "${CC:-cc}" -fopenmp -o "$work/test" "$work/mutant.o" \
            "$(find "$build/obj/testbench/unit" -name "$test.o")" "$build/libsupport.a" \
            "$build/objects.a" \
            -Wl,--wrap=_cmocka_run_group_tests -lcmocka -ljansson -lz -lpthread -ldl -lm ||
            return 1
        timeout 60 "$work/test" >"$work/log" 2>&1 || return 1
    done
}

for module in "$@"; do
    killed=0 survived=0
    # Or all would be killed for nothing.
    compile "$(printf '%s\n' "$module"/*.c | head -n 1)" && survives "$module" || {
        echo "c.sh: the tests of $module fail without a fault" >&2
        exit 2
    }
    while IFS=$'\t' read -r file line fault text; do
        TEXT=$text awk -v line="$line" '{ print FNR == line ? ENVIRON["TEXT"] : $0 }' "$file" \
            >"$work/mutant.c"
        if compile "$work/mutant.c" && survives "$module" 2>"$work/log"; then
            survived=$((survived + 1))
            printf '%s:%s: %s\n  - %s\n  + %s\n' "$file" "$line" "$fault" "$(sed -n "${line}p" "$file")" "$text"
        else
            killed=$((killed + 1))
        fi
    done < <(faults "$module" | shuf -n "$count" --random-source=<(yes "$seed"))
    table+=$(printf '%-24s %7d %7d %9d' "$module" $((killed + survived)) "$killed" "$survived")$'\n'
done
printf '\n%-24s %7s %7s %9s\n%s' module mutants killed survivors "$table"
