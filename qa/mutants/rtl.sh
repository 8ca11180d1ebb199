#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl.sh: tests the faults of a machine.
#
#     rtl.sh OUT.tsv MACHINE NUMBERS PROGRAM…
#
# NUMBERS are line numbers of build/mutants/MACHINE.list (netlist.sh), or `all`. The test programs
# run on each fault, with the engine build/mutants/rtl-MACHINE or the testbench
# build/mutants/bench-MACHINE. The first program that fails kills the fault; so does one that hangs,
# that is, uses `limit` seconds of CPU time, four times what all need without a fault. Faults that
# no program detects go to the solver, which may prove them equal (equal.sh). On the remaining ones,
# unless listed_rtl.txt states why no test can detect them, the programs run as `make test-all` runs
# them; a fault that is still not detected survives.
#
# OUT.tsv: number, result, program, module, fault, its line.
set -eu
out=$1 machine=$2 numbers=$3
shift 3
here=$(dirname "$0")
base=build/mutants/$machine
export ROUNDCAST_ENGINES=$PWD/build/mutants ROUNDCAST_MUTANT ROUNDCAST_HOST_SHAPE
export ROUNDCAST_MUTANT_OF=$machine
ROUNDCAST_HOST_SHAPE=$(awk -v machine="$machine" '/^[^ ]/ && $2 == machine { print $1 }' "$here/machines.txt")

# CPU time does not depend on the load of the machine.
limit=600

# killed NUMBER PROGRAM…: prints the first program that detects the fault.
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

# listed NUMBER: reports whether listed_rtl.txt contains the fault. The programs would take minutes
# for each.
listed() {
    sed -n "$1p" "$base.faults" | cut -f 1,2 | tr '\t' ' ' | grep -qxFf - "$here/listed_rtl.txt"
}

# verdict NUMBER WHAT BY
verdict() {
    printf '%s\t%s\t%s\t' "$1" "$2" "$3"
    sed -n "$1p" "$base.faults"
}

# A program that fails without a fault would kill every fault.
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
    elif ! listed "$number" && by=$(ROUNDCAST_EXHAUSTIVE=1 killed "$number" "$@"); then
        verdict "$number" killed "$by"
    else
        verdict "$number" survives -
    fi
done >>"$out.part"
mv "$out.part" "$out"
