#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# table.sh: prints the results by module or file as a Markdown table, then the survivors.
#
#     table.sh [--whole] LISTED TSV…
#
# The files are outputs of rtl.sh and c.sh. LISTED contains the faults that no test can detect,
# written as in these files with single spaces; listed faults do not survive. Exit status 1 if a
# fault survives. If the files contain all faults (--whole), the exit status is also 1 if a listed
# fault does not exist or was detected.
set -eu
whole=
[ "$1" != --whole ] || { whole=yes; shift; }
listed=$1
shift

# faults: all faults with their results, including listed ones.
faults() {
    awk -F '\t' '
        FILENAME != from { from = FILENAME; file++ }
        file == 1 { gsub(/\t/, " "); sub(/ *$/, ""); if (!/^#/) known[$0]; next }
        $2 == "survives" && ($4 " " $5) in known { $2 = "listed" }
        { print $1 "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" $6 }' "$listed" "$@"
}

# idle: faults that are listed although they do not exist or were detected.
idle() {
    awk -F '\t' '
        FILENAME == ARGV[1] { if ($2 == "listed") needed[$4 " " $5]; next }
        { gsub(/\t/, " "); sub(/ *$/, "") }
        NF && !/^#/ && !($0 in needed) { print "no such fault survives: " $0 }' "$all" "$listed"
}

# rows COLUMN: prints a row for each value of the column, or one row for all faults for column 0.
rows() {
    awk -F '\t' -v column="$1" '
        { name = column ? "`" $column "`" : "all"; count[name]++; became[name, $2]++ }
        $3 ~ /ended/ { ended[name]++ }
        END {
            for (name in count)
                printf "| %s | %d | %d | %d | %d | %d | %d |\n", name, count[name],
                    became[name, "killed"], ended[name], became[name, "equal"],
                    became[name, "listed"], became[name, "survives"]
        }' "$all" | sort
}

all=$(mktemp)
trap 'rm -f "$all"' EXIT
faults "$@" >"$all"
echo "| | mutants | killed | of these hang | proved equal | listed | survivors |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
rows 4
rows 0
wrong=$(
    awk -F '\t' '$2 == "survives" { print $4 ($6 ? ":" $6 : "") " " $5 }' "$all"
    [ -z "$whole" ] || idle
)
[ -z "$wrong" ] || { echo "$wrong" >&2; exit 1; }
