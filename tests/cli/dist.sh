#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dist: the tarball of `make dist` builds in another place, without Git, Verilator, Yosys and
# GTKWave, and with clang.
#
# The folder has a space, a quote and a non-ASCII letter in its name; PATH is a folder of links to
# all tools except those. csim runs there; a command that requires one of them names its package.
# Counter-case: the same engine with the tools.
#
# tags: long tools tooling
. "$(dirname "$0")/tap.sh"
unset ROUNDCAST_ENGINES ROUNDCAST_ROOT MAKEFLAGS MAKELEVEL
export XDG_CACHE_HOME=$TMP/cache

build=$(dirname "$ROUNDCAST")
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
if ! git rev-parse --git-dir >/dev/null 2>&1; then
    skip "make dist" "not in a repository"
    finish
fi

check "make dist" make -s BUILD="$build" dist
version=$(sed -n 's/^#define ROUNDCAST_VERSION "\(.*\)"/\1/p' sched/base/version.h)
tarball=$build/roundcast-$version.tar.gz
commit=$(git rev-parse HEAD | cut -c 1-12)
same "one folder, named by the version" \
    "$(tar tzf "$tarball" | sed 's,/.*,,' | sort -u)" "roundcast-$version"
same "debian/changelog has the same version" "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" \
    "$version"

mkdir "$TMP/bare" "$TMP/it's ä place"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    ln -s "$folder"/* "$TMP/bare" 2>/dev/null
done
rm -f "$TMP/bare"/{git,verilator,yosys,gtkwave}*
tar xzf "$tarball" -C "$TMP/it's ä place"
cd "$TMP/it's ä place/roundcast-$version" || exit 1
compiler=cc
# Debian has clang's OpenMP in a package of its own.
if clang -fopenmp -fsyntax-only -xc - <<<'#include <omp.h>' 2>/dev/null; then compiler=clang; fi
with=$PATH
export PATH=$TMP/bare
# Verilator's FST writer cannot be found, either.
check "it builds by $compiler without them" make -s -j2 CC=$compiler CFLAGS=-O0 \
    VERILATOR_ROOT="$TMP/none" build/roundcast libraries
ROUNDCAST=$PWD/build/roundcast
same "it has the commit that it was packed from" "$("$ROUNDCAST" --version)" \
    "roundcast $version ($commit)"
accepts 'Every packet arrived' "csim runs" run circulant -n 22 -m 8 --engine csim
accepts 'rounds' "so does plan" plan -n 22 -m 8
refuses 2 E501 'of the package verilator' "RTL needs Verilator" run path -n 2 -m 1 --engine rtl
refuses 2 E501 'of the package verilator' "so do both engines" run path -n 2 -m 1
refuses 2 E202 'expected the package verilator' "so does FST" run path -n 2 -m 1 --engine csim \
    --waves "$TMP/x.fst"
ln -s "$(PATH=$with command -v true)" "$TMP/bare/verilator"
refuses 2 E501 'of the package yosys' "a netlist needs Yosys" run path -n 2 -m 1 --engine netlist
same "nothing was built before that" "$(find "$XDG_CACHE_HOME" -name '*.so' 2>/dev/null | wc -l)" 0

if [ -e /usr/share/verilator/include/gtkwave/fstapi.c ]; then
    check "once the writer is there the next make takes it" env PATH="$with" make -s -j2 \
        CC=$compiler CFLAGS=-O0 build/roundcast
    accepts 'Every packet arrived' "… and csim writes FST" run path -n 2 -m 1 --engine csim \
        --waves "$TMP/x.fst"
else
    skip "FST once its writer is there" "the package verilator is not here"
fi

finish
