#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kinds: each network, machine, way to store settings, collective, topology and model is a row and a
# file; no other code depends on the kind.
#
# Every C file of the product is searched for comparisons with a kind and for switches over kinds.
# Exceptions: the files of the kinds themselves, and the bounds, each of which applies to some
# collectives. The code of no other file names a direct topology (sched/shape/topology.h) than its
# row, its file, its bounds and its member of a request. Counter-cases: a file with a comparison; a
# file that names a direct topology.
#
# tags: source
. "$(dirname "$0")/tap.sh"

networks=$(sed -n '/^#define MULTISTAGE_TABLE/,/[^\\]$/p' sched/shape/multistage.h |
    grep -oE 'X\([A-Z]+' | sed 's/X(/MULTISTAGE_/')
settings=$(sed -n '/^#define MACHINE_SETTINGS_TABLE/,/[^\\]$/p' sched/machine/machine.h |
    grep -oE 'X\([A-Z]+' | sed 's/X(/MACHINE_/')
machines=$(sed -n '/^enum machine_kind {/,/^}/p' sched/machine/machine.h |
    grep -oE 'MACHINE_[A-Z_]+')
collectives=$(sed -n '/^enum collective_kind {/,/^}/p' sched/schedule/collective.h |
    grep -oE 'COLLECTIVE_[A-Z_]+' | grep -v KINDS)

topologies=$(sed -nE '/^#define TOPOLOGY(_DIRECT)?_TABLE/,/[^\\]$/p' sched/shape/topology.h |
    grep -oE 'X\([A-Z]+' | sed 's/X(/TOPOLOGY_/')
direct=$(sed -n '/^#define TOPOLOGY_DIRECT_TABLE/,/[^\\]$/p' sched/shape/topology.h |
    grep -oE 'X\([A-Z]+, [a-z]+' | sed 's/.*, //')
models=$(sed -n '/^#define MODEL_TABLE/,/[^\\]$/p' sched/schedule/model.h |
    grep -oE 'X\([A-Z_]+' | sed 's/X(/MODEL_/'
    for name in $direct; do printf 'MODEL_%s_SINGLE_PORT\nMODEL_%s_MULTIPORT\n' ${name^^} ${name^^}; done)

# asks KINDS FILE…: prints lines that compare with one of the kinds.
asks() {
    local any
    any="($(tr '\n ' '||' <<<"$1" | sed 's/|*$//'))"
    shift
    grep -nE "([=!]= *$any\b|\b$any *[=!]=|case $any\b)" "$@" /dev/null
}

files=$(find sched csim testbench plot waves view cli bench lib sweep mpi -name '*.[ch]')
# none TEXT KINDS FILE…: checks that no file compares with these kinds.
none() {
    local text=$1 kinds=$2 found
    shift 2
    if [ "$(wc -w <<<"$kinds")" -lt 3 ]; then
        not_ok "$text" "the table was not found: '$kinds'"
    elif found=$(asks "$kinds" "$@"); then
        not_ok "$text" "$found"
    else
        ok "$text"
    fi
}

# shellcheck disable=SC2086  # lists of files without blanks
{
    none "no code asks which network it has" "$networks" $files
    none "no code asks which machine it has" "$machines" $files
    none "no code asks where settings are" "$settings" $files
    none "no code asks which topology it has" "$topologies" $files
    none "no code asks which model it has" "$models" $files
    none "no code but the bounds asks which collective it has" "$collectives" $(grep -v \
        '/bound_' <<<"$files")
}

# names NAME FILE…: prints the files whose code, without comments, has the name.
names() {
    local name=$1 file
    shift
    for file in "$@"; do
        sed -E 's#/\*.*\*/##g; /\/\*/,/\*\//d' "$file" | grep -qi "$name" && echo "$file"
    done
}

check "there are direct topologies" test -n "$direct"
for name in $direct; do
    # shellcheck disable=SC2086  # lists of files without blanks
    check "only its own files name the topology $name" test "$(names "$name" $files | sort | paste -sd ' ')" = \
        "$(printf "%s\n" lib/roundcast.h "sched/bound/bound_$name.c" "sched/shape/$name.c" sched/shape/topology.h | sort | paste -sd " ")"
done
printf '/* a torus */\nconst char *text = problem->torus;\n' >"$TMP/torus.c"
check "a file that names a direct topology is found" test -n "$(names torus "$TMP/torus.c")"
printf '/* a torus */\n/* of\n * a torus */\nint sides;\n' >"$TMP/comment.c"
check "but not one that has it in comments" test -z "$(names torus "$TMP/comment.c")"

# The settings, in the order of their table, by their names in the table.
check "the RTL numbers the settings as the table" grep -qF \
    "enum int {Full = 0, Indexed = 1, Tagged = 2, Masked = 3} " rtl/multistage/rc_kinds.sv
check "which are in this order" test "$(tr '\n' ' ' <<<"$settings")" = \
    "MACHINE_FULL MACHINE_INDEXED MACHINE_TAGS MACHINE_MASKS "

# numbers TABLE FILE: prints rows X(NAME, …, number) of the table whose constant in the RTL differs
# or does not exist.
numbers() {
    sed -n '/^#define MULTISTAGE_TABLE/,/[^\\]$/p' "$1" |
        sed -nE 's/.*X\(([A-Z])([A-Z]+), [a-z]+, ([1-9]).*/\1 \2 \3/p' |
        while read -r first rest number; do
            grep -qE "[ ,]$first${rest,,} = $number(,|$)" "$2" || echo "$first$rest = $number"
        done
}
rtl=rtl/multistage/rc_kinds.sv
check "the RTL numbers the networks as the table" test -z "$(numbers sched/shape/multistage.h $rtl)"
sed 's/Clos = 2/Clos = 5/' $rtl >"$TMP/other.sv"
check "another number is found" test "$(numbers sched/shape/multistage.h "$TMP/other.sv")" = \
    "CLOS = 2"

printf 'bool f(int kind)\n{\n    return kind == %s;\n}\n' $machines >"$TMP/asks.c"
check "a file that asks is found" asks "$machines" "$TMP/asks.c"
printf 'switch (kind) {\ncase MULTISTAGE_OMEGA:\n' >"$TMP/switches.c"
check "one that switches is found" asks "$networks" "$TMP/switches.c"
printf 'return topology->kind != TOPOLOGY_TREE;\n' >"$TMP/tree.c"
check "one that asks for a topology is found" asks "$topologies" "$TMP/tree.c"
printf 'if (MODEL_POSTAL == schedule->model)\n' >"$TMP/postal.c"
check "one that asks for a model is found" asks "$models" "$TMP/postal.c"

finish
