#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# find-tests: check that tests of these names exist.
#
#     find-tests.sh 'NAME…' PROGRAM…
#
# NAME is a program's name, with or without `test_` and `.sh`. Exit status 2 if there is no such
# program; the message lists programs with similar names.
set -u
names=$1
shift
status=0
for name in $names; do
    found=
    for program in "$@"; do
        case $program in "$name" | "$name.sh" | "test_$name") found=1 ;; esac
    done
    [ -z "$found" ] || continue
    status=2
    # Similar: one contains the other, or at most two in five letters differ.
    near=$(printf '%s\n' "$@" | awk -v name="$name" '
        function least(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, row, above, left) {
            for (j = 0; j <= length(b); j++) row[j] = j
            for (i = 1; i <= length(a); i++) {
                above = row[0]
                row[0] = i
                for (j = 1; j <= length(b); j++) {
                    left = least(least(row[j], row[j - 1]) + 1,
                                 above + (substr(a, i, 1) != substr(b, j, 1)))
                    above = row[j]
                    row[j] = left
                }
            }
            return row[length(b)]
        }
        BEGIN { sub(/^test_/, "", name); sub(/\.sh$/, "", name) }
        {
            plain = $0
            sub(/^test_/, "", plain)
            sub(/\.sh$/, "", plain)
            if (index(plain, name) || index(name, plain) ||
                distance(plain, name) * 5 <= length(name) * 2)
                print
        }' | sort | head -n 12 | paste -sd ' ')
    [ -n "$near" ] || near="none; the names are those of tests/cli/*.sh and build/unit/test_*"
    echo "TEST: unknown test '$name'; similar tests: $near" >&2
done
exit $status
