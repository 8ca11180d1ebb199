#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# spdx: checks that every file names its licence.
#
#     spdx.sh [--add] FILE…
#
# Prints the files that can hold a comment and have no line of SPDX-License-Identifier in the first
# three; --add writes it, at the top or below a #! line, and prints the files that it changed.
# .reuse/dep5 states the licence of files that cannot hold a comment.
set -eu
licence=Apache-2.0
tag="SPDX-License-Identifier:" # in two parts, so that this line is none

# comment FILE: sets $line to the line for a file of that kind, or to nothing if it can hold none.
comment() {
    line=
    case $1 in
    *.c | *.h | *.js | *.css) line="/* $tag $licence */" ;;
    *.html) line="<!-- $tag $licence -->" ;;
    *.cc | *.sv | *.svh | *.vlt) line="// $tag $licence" ;;
    debian/rules | debian/control) line="# $tag $licence" ;;
    debian/* | LICENSES/* | docs/demo.txt) ;;
    *.sh | *.awk | *.mk | *.map | *.pc | *.py | *.txt | Makefile | .ci/run | .clang-format | .editorconfig | .gitignore)
        line="# $tag $licence" ;;
    esac
}

# without FILE…: prints the files whose first three lines lack it. One process reads all files.
without() {
    awk -v licence="$tag $licence" '
        FNR <= 3 && index($0, licence) { has[FILENAME] }
        FNR == 3 { nextfile }
        END { for (k = 1; k < ARGC; k++) if (!(ARGV[k] in has)) print ARGV[k] }' "$@"
}

add=
if [ "${1-}" = --add ]; then
    add=1
    shift
fi
files=()
for file in "$@"; do
    comment "$file"
    [ -z "$line" ] || files+=("$file")
done
[ ${#files[@]} -gt 0 ] || exit 0
without "${files[@]}" | while IFS= read -r file; do
    printf '%s\n' "$file"
    [ -n "$add" ] || continue
    comment "$file"
    first=
    IFS= read -r first <"$file" || :
    case $first in
    '#!'*) sed -i "1a $line" "$file" ;;
    *) sed -i "1i $line" "$file" ;;
    esac
done
