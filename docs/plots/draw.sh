#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# draw.sh: draws the plots of docs/plots.md into a folder, or writes their numbers.
#
#     draw.sh svg|dat FOLDER
#
# Numbers require no gnuplot. Runs $ROUNDCAST (default: build/roundcast).
set -euo pipefail
format=$1 folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
ROUNDCAST=${ROUNDCAST:-build/roundcast}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# drawn NAME ARGUMENT…: writes `roundcast plot ARGUMENT…`, as a picture or as numbers.
drawn() {
    if [ "$format" = svg ]; then
        "$ROUNDCAST" plot "${@:2}" -o "$folder/$1.svg" >"$work/log"
    else
        "$ROUNDCAST" plot "${@:2}" --data "$work/$1" >"$work/log"
        cp "$work/$1.dat" "$folder/$1.dat"
    fi
}

drawn plan plan -n 22 -m 64
drawn postal plan -n 22 -m 32 --lambda 5/2
drawn tune tune -n 22 --bytes 65536
drawn depth depth --tree 4,4,4,4
"$ROUNDCAST" schedule matching -n 64 -m 16 -o "$work/b.sched" >"$work/log"
drawn spread spread "$work/b.sched"
# The first table of the page, which `make synth` printed, with the column names of its report.
awk 'BEGIN { print "name,target,ports,luts" }
    /^```$/ && ++fences == 2 { exit }
    $2 ~ /^(generic|ice40)$/ && $3 ~ /^[0-9]+$/ { print $1 "," $2 "," $3 "," $5 }' \
    "$root/synth/README.md" >"$work/report.csv"
drawn area area "$work/report.csv"
