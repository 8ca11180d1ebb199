#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage.sh: prints the coverage counts of C as input for coverage.awk.
#
#     coverage.sh PROFILE PATTERN PROGRAM…
#
# PROFILE is the output of llvm-profdata merge, PATTERN selects the sources, such as
# '^(sched|cli)/', and the PROGRAMs together contain all of the code. LLVM is the version suffix of
# the tools, such as -19.
set -u -o pipefail
profile=$1 pattern=$2
shift 2
objects=("${@/#/-object=}")

export_as() {
    "llvm-cov${LLVM:-}" export -format="$1" -skip-expansions -instr-profile="$profile" \
        "${objects[@]}"
}

# In the fields of a branch, [4] and [5] count how often it was true and false, and [8] is its kind;
# in a decision of several conditions, [6] lists those that decided alone.
export_as text | jq -r --arg root "$PWD/" --arg pattern "$pattern" '
    .data[0].files[] | (.filename | ltrimstr($root)) as $file | select($file | test($pattern)) |
    (.branches[] | ["branch", $file] + .[0:6] + [.[8]]),
    (.mcdc_records[] | . as $record | range(.[6] | length) |
        ["mcdc", $file] + $record[0:4] + [., if $record[6][.] then 1 else 0 end]) |
    @tsv' || exit

export_as lcov | awk -F '[:,]' -v OFS='\t' -v root="$PWD/" -v pattern="$pattern" '
    $1 == "SF" { file = index($2, root) == 1 ? substr($2, length(root) + 1) : $2 }
    $1 == "DA" && file ~ pattern { print "line", file, $2, $3 }'
