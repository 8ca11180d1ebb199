#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# links: every link of every page in the tree leads to a file, and every anchor to a heading; paths
# of files that pages name exist.
#
# links.awk reads all pages in one process. install.sh applies the same rule to the installed pages.
# Counter-cases: targets that are missing, above the root, or without their heading, in each form of
# link; text that only looks like a link is ignored.
. "$(dirname "$0")/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)

same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

# all_files: prints the files of the tree, without build results.
all_files() { find . -name .git -prune -o -path ./build -prune -o -print; }

# page.md is the part of SIGNOFF.md that a script completes: its links start at the root.
mapfile -t pages < <(all_files | grep '\.md$' | grep -vxF ./qa/signoff/page.md)
check "there are pages to look at" test ${#pages[@]} -gt 90
same "no link of a page is broken, and every path exists" \
    "$(all_files | awk -v paths=1 -f "$here/links.awk" - "${pages[@]}")" ""

# finds TEXT EXPECTED LINE…: checks that exactly those targets of docs/a.md are broken.
mkdir -p "$TMP/tree/docs/deep"
cd "$TMP/tree" || exit 1
touch README.md
printf '%s\n' '# B' '## A `code`, and more: 3 × 4 → x_y (λ)' '### Twice' '### Twice' '### Twice' \
    '```' '# No heading' '```' >docs/deep/b.md
finds() {
    local text=$1 expected=$2
    shift 2
    printf '%s\n' "$@" >docs/a.md
    same "$text" "$(find . | awk -v paths=1 -f "$here/links.awk" - ./README.md ./docs/a.md ./docs/deep/b.md |
        sed 's,^\./docs/a\.md:,,' | paste -sd ' ')" "$expected"
}
good='[a](deep/b.md) [b](../README.md) ![c](./deep) [d](#here) [e](a.md#here "a title")'
finds "files, folders and headings are found" "" '# Here' "$good"
finds "a missing file is broken" "2: none.md 2: deep/none.md#b" '# Here' \
    "[a](none.md) $good [b](deep/none.md#b)"
finds "a missing heading is broken" "1: #none 2: deep/b.md#none" '[a](#none)' '[b](deep/b.md#none)'
finds "the anchor of a heading has no punctuation" "" '[a](deep/b.md#a-code-and-more-3--4--x_y-λ)'
finds "… and no other form" "1: deep/b.md#A-code,-and-more" '[a](deep/b.md#A-code,-and-more)'
finds "equal headings are numbered" "1: deep/b.md#twice-3" \
    '[a](deep/b.md#twice) [b](deep/b.md#twice-1) [c](deep/b.md#twice-2) [d](deep/b.md#twice-3)'
finds "a comment within a block is no heading" "1: deep/b.md#no-heading" '[a](deep/b.md#no-heading)'
finds "a file without headings has no anchors" "1: ../README.md#here" '[a](../README.md#here)'
finds "no link leaves the tree" "1: ../../tree/README.md" '[a](../../tree/README.md)'
finds "references and attributes are links" "1: x.md 2: y.png 3: z.md" '[ref]: x.md' \
    '<img src="y.png">' '<a href="z.md">z</a>'
finds "a link in two lines is broken" "1: none" '[a](none' '.md)'
finds "blocks and spans of code have no links" "" '```' '[a](none.md)' '```' '`[a](none.md)`' \
    '' '    [a](none.md)'
finds "paths are looked for from the root and from the page" "2: docs/none.md" \
    '`docs/deep/b.md` `deep/b.md` `else/none.md` `none.md` `docs/NAME.md` `build/none.md`' \
    '`docs/none.md`'
finds "results of a run may name files that were renamed" "2: docs/none.md" \
    '| `docs/none.c` | 2 | 0 |' '| `docs/none.md` | 2 | none |'
finds "other hosts are not looked at" "" '[a](https://example.org/none#x) [b](mailto:a@example.org)'

finish
