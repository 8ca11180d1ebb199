#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# spdx: does every file name its licence?
#
#     spdx.sh [--add] FILE…
#
# Prints the files that can hold a comment and have no line of SPDX-License-Identifier in the first
# three; --add writes it, at the head or below a #! line, and prints what it changed. Of files that
# cannot hold a comment, .reuse/dep5 says the licence.
set -eu
licence=Apache-2.0
tag="SPDX-License-Identifier:" # in two parts, so that this line is none

# comment FILE: the line for a file of that kind; nothing if it can hold none.
comment() {
    case $1 in
    *.c | *.h | *.js | *.css) echo "/* $tag $licence */" ;;
    *.html) echo "<!-- $tag $licence -->" ;;
    *.cc | *.sv) echo "// $tag $licence" ;;
    debian/rules | debian/control) echo "# $tag $licence" ;;
    debian/* | LICENSES/* | docs/demo.txt) ;;
    *.sh | *.awk | *.mk | *.map | *.pc | *.py | *.txt | Makefile | .ci/run | .clang-format | .editorconfig | .gitignore)
        echo "# $tag $licence" ;;
    esac
}

add=
if [ "${1-}" = --add ]; then
    add=1
    shift
fi
for file in "$@"; do
    line=$(comment "$file")
    if [ -z "$line" ] || head -n 3 "$file" | grep -qF "$tag $licence"; then continue; fi
    echo "$file"
    [ -n "$add" ] || continue
    if head -c 2 "$file" | grep -qF '#!'; then
        sed -i "1a $line" "$file"
    else
        sed -i "1i $line" "$file"
    fi
done
