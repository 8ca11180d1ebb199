#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# table.sh: what became of the faults, by module, as a table of Markdown; then those that survive.
#
#     table.sh TSV…
#
# The files are those of rtl.sh. Exit status 1 if any survives.
set -eu

# rows COLUMN: a row for each word there is in the column, or one of all faults for column 0.
rows() {
    awk -F '\t' -v column="$1" '
        { name = column ? "`" $column "`" : "all"; faults[name]++; became[name, $2]++ }
        END {
            for (name in faults)
                printf "| %s | %d | %d | %d | %d | %d |\n", name, faults[name],
                    became[name, "killed"], became[name, "equal"], became[name, "listed"],
                    became[name, "survives"]
        }' "${@:2}" | sort
}

echo "| module | mutants | killed | proved equal | listed | survivors |"
echo "| --- | ---: | ---: | ---: | ---: | ---: |"
rows 4 "$@"
rows 0 "$@"
! cat "$@" | awk -F '\t' '$2 == "survives" { print $4 " " $5; found = 1 } END { exit !found }' >&2
