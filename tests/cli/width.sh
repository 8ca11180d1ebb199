#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# width: no line of C, SystemVerilog, scripts of pages or Python, and no comment of shell, awk and
# make, is wider than 100 columns. Strings and patterns of shell and awk, which cannot be broken
# without harm, may be wider.
#
# tags: source tooling
. "$(dirname "$0")/tap.sh"

# wide FILE…: prints the places of lines that are too wide. Bytes 128 … 191 continue a UTF-8 letter.
wide() {
    LC_ALL=C awk 'length($0) <= 100 { next } { columns = gsub(/[^\200-\277]/, "&") }
        columns > 100 && (FILENAME ~ /\.(c|h|cc|svh?|js|css|py)$/ || /^ *#/) { print FILENAME ":" FNR }' "$@"
}

# expect TEXT EXPECTED FILE…: checks that these places are reported.
expect() {
    local text=$1 expected=$2 found
    shift 2
    found=$(wide "$@" | paste -sd ' ')
    if [ "$found" = "$expected" ]; then ok "$text"; else not_ok "$text" "wide: $found"; fi
}

files=$(find .ci bench cli csim driver formal lib mpi plot qa rtl sched sweep synth testbench tests \
    view waves Makefile -type f \
    \( -name '*.[ch]' -o -name '*.cc' -o -name '*.sv' -o -name '*.svh' -o -name '*.sh' \
    -o -name '*.awk' -o -name '*.mk' -o -name '*.js' -o -name '*.css' -o -name '*.py' -o -name Makefile \))
check "there are files to look at" test "$(wc -w <<<"$files")" -gt 500
# shellcheck disable=SC2086
expect "no line is wider than 100 columns" "" $files

printf '%0101d\n%0100d\n' 0 0 >"$TMP/a.c"
printf '# %099d\n%0101d\n' 0 0 >"$TMP/b.sh"
printf '/* %s */\n' "$(printf 'ü%.0s' {1..94})" >"$TMP/c.h"
printf '/* %s */\n' "$(printf 'ü%.0s' {1..95})" >"$TMP/d.h"
expect "one of C is found, a comment of shell, and letters are counted, not bytes" \
    "$TMP/a.c:1 $TMP/b.sh:1 $TMP/d.h:1" "$TMP/a.c" "$TMP/b.sh" "$TMP/c.h" "$TMP/d.h"

finish
