#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mutants: c.awk finds the faults in C code and none in comments or strings; the listed faults that
# no test can detect are faults of the present code; make finds all that the tables need.
#
# Counter-cases: a line with another comparison has other faults; a fault in a line that does not
# exist is reported, and so is a file that make cannot find.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"

# faults TEXT: prints the faults of a line in a function, without the line's number.
faults() { printf '%s\n' "$1" | awk -f qa/mutants/c.awk | cut -f 2- | tr '\t' '|'; }

# makes TEXT LINE FAULT…: checks that these are all faults of the line.
makes() {
    local text=$1 line=$2 found
    shift 2
    found=$(faults "$line")
    if [ "$found" = "$(printf '%s\n' "$@")" ]; then ok "$text"; else not_ok "$text" "$found"; fi
}

makes "a relation" '    if (a < b)' ' <=  for  < |    if (a <= b)'
makes "… another one" '    if (a >= b)' ' >  for  >= |    if (a > b)'
makes "a conjunction" '    if (a && b)' ' ||  for  && |    if (a || b)'
makes "a number" '    return a[1];' '2 for 1|    return a[2];' '0 for 1|    return a[0];'
makes "a statement" '    verify_step(v);' '; for verify_step(v);|    ;'
for line in '    /* a < b */' '#define MOST (a + 1)' '    "a < 1"' 'static bool less(int a)'; do
    makes "nothing in '$line'" "$line" ''
done

# made FILE: prints its faults in the form of the list.
made() {
    awk -f qa/mutants/c.awk "$1" | awk -F '\t' -v file="$1" '{ print file " " $2 ": " $3 }' |
        sed 's/  */ /g; s/ $//'
}

# outdated LIST: prints its lines that are no longer faults.
outdated() {
    awk 'NF && !/^#/ { print $1 }' "$1" | sort -u | while read -r file; do made "$file"; done |
        sort -u >"$TMP/made"
    sed '/^#/d; /^$/d; s/ *$//' "$1" | sort -u | comm -23 - "$TMP/made"
}
list=qa/mutants/listed_c.txt
check "the listed faults are there" test -z "$(outdated "$list")"
echo "sched/route/route.c 0 for 1: return none_such(1);" | cat "$list" - >"$TMP/list"
check "(one that is not is found)" test "$(outdated "$TMP/list" | wc -l)" = 1

# With -n, make runs the commands that run make again, and some of them fail because nothing is
# there; a missing rule is what counts.
missing() { make -n -k "$@" 2>&1 | grep 'No rule to make target'; }
check "make finds all that the tables of faults need" test -z "$(missing mutants-rtl mutants-c)"
check "(it says what it does not find)" test -n "$(missing build/mutants/none.tsv)"
finish
