#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl.sh: what becomes of the faults of a machine?
#
#     rtl.sh OUT.tsv MACHINE NUMBERS PROGRAM…
#
# The numbers are those of the lines of build/mutants/MACHINE.list (netlist.sh), or `all`. Each
# fault meets the test programs, with the engine build/mutants/rtl-MACHINE, or in the bench
# build/mutants/bench-MACHINE: it is killed by the first that fails, or that spends `limit` seconds
# of the processor, four times what all need without a fault: the fault makes it hang. What no
# program sees is shown to the solver: it is equal if it is proved to change nothing (equal.sh).
# What that leaves meets the programs again, as `make test-all` has them, or survives.
#
# OUT.tsv: number, what became of it, by which program, module, the fault, its line.
set -eu
out=$1 machine=$2 numbers=$3
shift 3
here=$(dirname "$0")
base=build/mutants/$machine
export ROUNDCAST_ENGINES=$PWD/build/mutants ROUNDCAST_MUTANT ROUNDCAST_HOST_SHAPE
export ROUNDCAST_MUTANT_OF=$machine
ROUNDCAST_HOST_SHAPE=$(awk -v machine="$machine" '/^[^ ]/ && $2 == machine { print $1 }' "$here/machines.txt")

# A busy machine takes none of these away.
limit=600

# killed NUMBER PROGRAM…: prints the first that sees the fault.
killed() {
    ROUNDCAST_MUTANT=$1
    shift
    local program status
    for program in "$@"; do
        (ulimit -t "$limit" && echo "$BASHPID" && exec "$program") 2>&1 |
            awk -f "$here/first.awk" >"$base.run"
        status=${PIPESTATUS[0]}
        if [ "$status" -ne 0 ]; then
            echo "${program##*/}$([ "$status" -ne 137 ] || echo ', ended')"
            return 0
        fi
    done
    return 1
}

# verdict NUMBER WHAT BY
verdict() {
    printf '%s\t%s\t%s\t' "$1" "$2" "$3"
    sed -n "$1p" "$base.faults"
}

# Or all would be killed for nothing.
TIMEFORMAT=%0U
if spent=$({ time killed 0 "$@" >"$base.by"; } 2>&1); then
    echo "rtl.sh: $(<"$base.by") fails on $machine without a fault; see $base.run" >&2
    exit 1
fi
limit=$((2 + 4 * spent))
[ "$numbers" != all ] || numbers=$(seq "$(wc -l <"$base.list")")

left=
for number in $numbers; do
    if by=$(killed "$number" "$@"); then
        verdict "$number" killed "$by"
    else
        left+=" $number"
    fi
done >"$out.part"
# shellcheck disable=SC2086  # numbers are words
equal=$("$here/equal.sh" "$base.il" $left)
limit=$((10 * limit))
for number in $left; do
    if grep -qx "$number" <<<"$equal"; then
        verdict "$number" equal -
    elif by=$(ROUNDCAST_EXHAUSTIVE=1 killed "$number" "$@"); then
        verdict "$number" killed "$by"
    else
        verdict "$number" survives -
    fi
done >>"$out.part"
mv "$out.part" "$out"
