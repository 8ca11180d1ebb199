#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draw the pictures of docs into a folder: draw.sh FOLDER. Runs $ROUNDCAST (build/roundcast).
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
ROUNDCAST=${ROUNDCAST:-build/roundcast}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# picture NAME ARGUMENT…: what NAME.awk draws.
picture() {
    awk -f "$here/svg.awk" -f "$here/$1.awk" "${@:2}" >"$folder/$1.svg"
}

"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$work/b.sched" >"$work/log"
"$ROUNDCAST" route "$work/b.sched" --network benes:8 -o "$work/b" >"$work/log"
awk -v row=2 -f "$root/testbench/readers/image.awk" "$work/b/image.hex" >"$work/row"
picture benes "$work/row"
picture clos -v m=3 -v n=3 -v r=3
picture tree -v children=3,2 -v capacity=1,2
picture cube
picture time
picture house "$root/layers.txt"
