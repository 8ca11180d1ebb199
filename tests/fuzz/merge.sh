#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# merge: rebuilds the corpora of the tree from the present ones and the inputs found by `make fuzz`.
#
#     merge.sh PROGRAM…
#
# A corpus is the smallest set of small files that covers the same edges; of these, the 40 largest
# files, which cover the most. Values and counts of edges, which would require thousands of files,
# are covered by runs only.
set -eu
# Whole paths: a target may leave its folder.
tree=$(realpath "$(dirname "$0")")/corpus
found=$(realpath -m build/fuzz-found)
export OMP_NUM_THREADS=1
for program in "$@"; do
    name=${program##*/}
    old=$found/corpus/$name
    new=$found/merged/$name
    rm -rf "$new"
    mkdir -p "$new" "$old" "$tree/$name"
    "$program" -merge=1 -set_cover_merge=1 -use_counters=0 -max_len=1024 "$new" "$tree/$name" "$old" \
        >"$found/$name.merge.log" 2>&1
    rm -rf "${tree:?}/$name"
    mkdir -p "$tree/$name"
    stat -c '%s %n' "$new"/* | sort -rn | head -n 40 | while read -r _ file; do
        cp "$file" "$tree/$name"
    done
    printf '%-12s %4d files, the largest of %d bytes\n' "$name" "$(ls "$tree/$name" | wc -l)" \
        "$(stat -c %s "$tree/$name"/* | sort -n | tail -n 1)"
done
