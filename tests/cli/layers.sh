#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# layers: includes go down, layer by layer, as layers.txt defines; code that executes includes no
# file of the compiler, and code that judges includes neither.
#
# Checks every C file of every folder, at the root of the sources. Counter-cases: files that break
# layers.txt in each way.
#
# tags: source
. "$(dirname "$0")/tap.sh"

awk=$PWD/tests/layers.awk

# broken: prints the violations of layers.txt in all files below this folder.
broken() { find . -path ./build -prune -o -name '*.[ch]' -print -o -name '*.cc' -print |
    sed 's,^\./,,' | sort | xargs awk -f "$awk" layers.txt; }

# says TEXT PART: checks that exactly this violation is reported, or none if PART is empty.
says() {
    local found
    doing="layers.awk: $1"
    found=$(broken)
    if [ -z "${2:-}" ] && [ -z "$found" ]; then
        ok "$1"
    elif [ -n "${2:-}" ] && [ "$(wc -l <<<"$found")" = 1 ] && grep -qF -e "$2" <<<"$found"; then
        ok "$1"
    else
        not_ok "$1" "${found:-nothing is broken}"
    fi
}

# file PATH INCLUDE…: writes a file that includes these.
file() {
    local path=$1
    shift
    mkdir -p "$(dirname "$path")"
    printf '#include "%s"\n' "$@" >"$path"
}

check "there are some hundred files" test \
    "$(find sched csim cli mpi testbench waves bench -name '*.[ch]' | wc -l)" -gt 300
says "every include goes down"

cd "$TMP" || exit 1
printf '# A page.\nroof\nupper other\nlower base\n\nupper: base\n' >layers.txt
file roof/a.c roof/a.h upper/b.h lower/c.h
file upper/b.c upper/b.h base/d.h
file other/e.c lower/c.h
says "a roof that includes everybody is right"
file lower/c.c upper/b.h
says "an include that goes up is found" \
    "lower/c.c:1: includes upper/b.h, of a floor that is not below lower"
file lower/c.c lower/c.h base/d.h
says "one of the same floor is found" \
    "lower/c.c:2: includes base/d.h, of a floor that is not below lower"
rm lower/c.c
file upper/b.h lower/c.h
says "one that a folder may not see is found" \
    "upper/b.h:1: includes lower/c.h, which upper may not see"
rm upper/b.h
file roof/a.h d.h
says "one without its folder is found" "roof/a.h:1: includes d.h, of no folder of layers.txt"
printf '  #  include  "cellar/f.h"\n' >roof/a.h
says "one of a folder that the page does not have is found" \
    "roof/a.h:1: includes cellar/f.h, of no folder of layers.txt"
rm roof/a.h
file cellar/f.h base/d.h
says "a file in such a folder is found" "cellar/f.h: in no folder of layers.txt"
rm cellar/f.h
file lower/deep/g.h lower/c.h
says "a folder below another is a folder of its own" \
    "lower/deep/g.h: in no folder of layers.txt"
sed -i 's,^lower ,lower/* ,' layers.txt
says "unless the page says so"
file lower/deep/g.h upper/b.h
says "then it stands on the floor of the other" \
    "lower/deep/g.h:1: includes upper/b.h, of a floor that is not below lower/*"

finish
