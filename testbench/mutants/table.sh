#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# table.sh: what became of the faults, by module, as a table of Markdown; then those that survive.
#
#     table.sh TSV…
#
# The files are those of rtl.sh. Exit status 1 if any survives.
set -eu
cat "$@" | awk -F '\t' '
    { mutants[$4]++; became[$4, $2]++; all[$2]++; total++ }
    function row(name, mutants, killed, equal, listed, survives) {
        printf "| %s | %d | %d | %d | %d | %d |\n", name, mutants, killed, equal, listed, survives
    }
    END {
        print "| module | mutants | killed | proved equal | listed | survivors |"
        print "| --- | ---: | ---: | ---: | ---: | ---: |"
        for (name in mutants)
            row("`" name "`", mutants[name], became[name, "killed"], became[name, "equal"],
                became[name, "listed"], became[name, "survives"]) | "sort"
        close("sort")
        row("all", total, all["killed"], all["equal"], all["listed"], all["survives"])
    }'
cat "$@" | awk -F '\t' '$2 == "survives" { print $4 " " $5; found = 1 } END { exit found }' >&2
