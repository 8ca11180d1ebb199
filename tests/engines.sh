#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# engines: which compiled engines do test programs open?
#
#     engines.sh [all] PROGRAM…
#
# Prints "PROGRAM ENGINE" for each engine that a program opens, and "PROGRAM ENGINE all" for those
# that it opens only where every space is exhausted; with `all` first it exhausts them. Programs run
# with a folder that stands in for the sources, whose makefile hands out the quick engines
# (testbench/engine.mk), and with a cache of their own, which so has each.
set -eu
project=$PWD
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/testbench/engine"
cat >"$root/testbench/engine/build.mk" <<END
build/engine/runtime/runtime.a:
	@mkdir -p \$(@D) && touch \$@
build/engine/%/dut.so:
	@mkdir -p \$(@D)
	@\$(MAKE) --no-print-directory -C $project build/engine-quick/\$*/dut.so >&2
	@ln -sf $project/build/engine-quick/\$*/dut.so \$@
END

# opened PROGRAM: the engines that it opens.
opened() {
    local command=("$1")
    [[ $1 != *.sh ]] || command=(bash "$1")
    rm -rf "$root/cache"
    ROUNDCAST_ROOT=$root XDG_CACHE_HOME=$root/cache "${command[@]}" >"$root/out" 2>&1 || echo "engines.sh: $1 fails" >&2
    find "$root/cache" -name dut.so 2>/dev/null | sed 's,/dut.so$,,; s,.*/,,' | sort
}

exhaustive=
if [ "${1-}" = all ]; then
    exhaustive=1
    shift
fi
for program in "$@"; do
    sampled=$(opened "$program")
    all=$sampled
    if [ -n "$sampled" ] && [ -n "$exhaustive" ]; then
        all=$(export ROUNDCAST_EXHAUSTIVE=1 && opened "$program")
    fi
    for engine in $all; do
        if grep -qxF -e "$engine" <<<"$sampled"; then
            echo "$(basename "$program") $engine"
        else
            echo "$(basename "$program") $engine all"
        fi
    done
done
