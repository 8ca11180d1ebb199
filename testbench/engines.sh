#!/bin/bash
# engines: which compiled engines do test programs open?
#
#     engines.sh [all] PROGRAM…
#
# Prints "PROGRAM ENGINE" for each engine that a program opens, and "PROGRAM ENGINE all" for those
# that it opens only where every space is exhausted; with `all` first it exhausts them. Programs run
# in a folder that stands in for the project's, whose make hands out the quick engines
# (testbench/engine.mk) and so learns of each.
set -eu
project=$PWD
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cat >"$root/Makefile" <<END
build/engine/%/dut.so:
	@mkdir -p \$(@D)
	@\$(MAKE) --no-print-directory -C $project build/engine-quick/\$*/dut.so >&2
	@ln -sf $project/build/engine-quick/\$*/dut.so \$@
END

# opened PROGRAM: the engines that it opens.
opened() {
    local command=("$1")
    [[ $1 != *.sh ]] || command=(bash "$1")
    rm -rf "$root/build"
    ROUNDCAST_ROOT=$root "${command[@]}" >"$root/out" 2>&1 || echo "engines.sh: $1 fails" >&2
    if [ -d "$root/build/engine" ]; then ls "$root/build/engine"; fi
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
