#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# c.sh: tests the faults of a C file.
#
#     c.sh OUT.tsv FILE.c SEED COUNT PROGRAM…
#
# COUNT faults (c.awk), drawn from the seed, are compiled one by one, each to a library that is
# loaded before the one with all other code. The first program that fails kills a fault; so does one
# that hangs, that is, uses four times its normal CPU time, or sleeps. The program that killed a
# fault runs first on the next. A fault with which the compiler generates the same code is equal,
# and not run. On a fault that survives all programs they run once more with sanitizers, as in
# `make check SANITIZE=1`. If listed_c.txt states why no test can detect a fault, only programs that
# take less than 10 s run, without sanitizers. A fault that does not compile is not counted.
#
# OUT.tsv: number, result, program, file, fault, its line.
set -eu
out=$1 file=$2 seed=$3 count=$4
shift 4
here=$(dirname "$0")
base=${out%.tsv}
programs=("$@")
declare -A limit
memory=${MUTANT_MEMORY:?}
export ROUNDCAST_ENGINES=none OMP_WAIT_POLICY=passive TEST_CASE=!_on_rtl
mkdir -p "$(dirname "$out")"

# compiled OPTION… <TEXT
compiled() { "${CC:-cc}" -std=c11 -D_GNU_SOURCE -I. -fopenmp -w -x c "$@" - ${MUTANT_LINK:-} 2>"$base.log"; }

# The code that the compiler generates: equal for sources that it recognises as equal.
code() { compiled -O2 -S -o - | md5sum; }

# The seconds of CPU time of each program without a fault (mutants.mk), which do not depend on the
# load of the machine. One that does not pass would kill every fault.
for program in "${programs[@]}"; do
    passed=${program%/unit/*}/passed.log
    spent=$(awk -v name="${program##*/}" '$1 == name { print int($(NF - 2)) + 1 }' "$passed")
    limit[$program]=$((2 + 4 * ${spent:?"$program is not in $passed"}))
done
long=$((2 + 4 * 10)) # the limit of a program of 10 s

# seen PRELOAD PROGRAM -t SECONDS…: succeeds if the program fails. Prints its name, and whether it
# was ended: a fault may also make it wait forever without using CPU time.
seen() {
    local preload=$1 program=$2 patience=$((60 + 10 * $4)) status
    shift 2
    (ulimit "$@" && echo "$BASHPID" &&
        exec timeout -s KILL "$patience" env LD_PRELOAD="$preload" "$program") 2>&1 |
        awk -f "$here/first.awk" >"$base.log"
    status=${PIPESTATUS[0]}
    [ "$status" -ne 0 ] || return 1
    printf '%s%s' "${program##*/}" "$([ "$status" -ne 137 ] || echo ', ended')"
}

# killed: prints the program that kills the fault, and runs that one first next time.
killed() {
    local k program
    for k in "${!programs[@]}"; do
        program=${programs[k]}
        ! $is_listed || [ "${limit[$program]}" -lt $long ] || continue
        if by=$(seen "$PWD/$base.so" "$program" -t "${limit[$program]}" -v "$memory"); then
            unset "programs[k]"
            programs=("$program" "${programs[@]}")
            return 0
        fi
    done
    by=-
    return 1
}

# sanitized: killed by a program that passes with sanitizers without the fault. The address
# sanitizer needs unlimited memory; arrays of one arena are separated only if the file of the arena
# is sanitized as well.
sanitized() {
    local program asan
    asan=$("${CC:-cc}" -print-file-name=libasan.so)
    set -- sched/base/arena.c -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -shared -fPIC
    compiled "$@" -o "$base.so" <"$base.mutant"
    [ -e "$base.plain.so" ] || compiled "$@" -o "$base.plain.so" <"$file"
    for program in "${programs[@]}"; do
        set -- "$program" -t $((4 * limit[$program]))
        by=$(seen "$asan:$PWD/$base.so" "$@") || continue
        seen "$asan:$PWD/$base.plain.so" "$@" >/dev/null || return 0
    done
    by=-
    return 1
}

# listed: reports whether listed_c.txt contains the fault.
listed() { grep -qxF -e "$file $fault" "$here/listed_c.txt"; }

number=0 plain=$(code <"$file")
awk -f "$here/c.awk" "$file" | shuf -n "$count" --random-source=<(yes "$seed") | sort -n >"$base.list"
while IFS=$'\t' read -r line fault text; do
    number=$((number + 1))
    TEXT=$text awk -v line="$line" '{ print FNR == line ? ENVIRON["TEXT"] : $0 }' "$file" >"$base.mutant"
    compiled -O1 -shared -fPIC -o "$base.so" <"$base.mutant" || continue
    by=-
    fault=$(sed 's/^ *//; s/  */ /g' <<<"$fault: $text")
    is_listed=false
    ! listed || is_listed=true
    if [ "$(code <"$base.mutant")" = "$plain" ]; then
        became=equal
    elif killed || { ! $is_listed && sanitized; }; then
        became=killed
    else
        became=survives
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$became" "$by" "$file" "$fault" "$line"
done <"$base.list" >"$out.part"
rm -f "$base.so" "$base.plain.so" "$base.mutant"
mv "$out.part" "$out"
