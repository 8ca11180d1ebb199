#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# draw.sh FOLDER: draws the pictures of docs into a folder with $ROUNDCAST (default:
# build/roundcast).
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
ROUNDCAST=${ROUNDCAST:-build/roundcast}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# picture NAME ARGUMENT…: writes the output of NAME.awk.
picture() {
    awk -f "$here/svg.awk" -f "$here/$1.awk" "${@:2}" >"$folder/$1.svg"
}

"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$work/b.sched" >"$work/log"
"$ROUNDCAST" route "$work/b.sched" --network benes:8 -o "$work/b" >"$work/log"
echo "$work/b/image.hex" 2 | awk -f "$root/tests/readers/image.awk" | sed '/^status /d' \
    >"$work/row"
picture benes "$work/row"
picture clos -v m=3 -v n=3 -v r=3
picture tree -v children=3,2 -v capacity=1,2
picture cube
picture time
picture house "$root/layers.txt"

# run NAME CYCLES SCHEDULE: prints the rows of each setting of an image, for reconfig.awk.
run() {
    local tables period cycles word
    rm -rf "$work/h"
    "$ROUNDCAST" route "$3" --network benes:16 --reconfigure "$2" --image mem \
        -o "$work/h" >"$work/log"
    tables=$(sed -n '2s/.* tables=\([0-9]*\) .*/\1/p' "$work/h/image.hex")
    cycles=$(sed -n '3s/.* row-cycles=\([0-9]*\) .*/\1/p' "$work/h/image.hex")
    period=$(sed -n '3s/.* period=\([0-9]*\) .*/\1/p' "$work/h/image.hex")
    printf '%s %d %d' "$1" "$2" "$cycles"
    head -n "$period" "$work/h/order-0000.mem" | while read -r word; do
        printf ' %d' $((16#$word / tables + 1))
    done
    echo
}

step="--pattern moe:8,1 -n 16"
# shellcheck disable=SC2086
"$ROUNDCAST" schedule traffic $step -o "$work/each.sched" >"$work/log"
# shellcheck disable=SC2086
"$ROUNDCAST" schedule traffic $step --reconfigure 10 -o "$work/reconfig.sched" >"$work/log"
for change in 0 10 100; do
    run reconfig $change "$work/reconfig.sched"
    run rounds $change "$work/each.sched"
done >"$work/runs"
picture reconfig "$work/runs"
