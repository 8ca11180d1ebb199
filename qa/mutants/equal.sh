#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# equal.sh: which faults of a machine are none? Prints the numbers of those that the solver proves
# to change nothing.
#
#     equal.sh MACHINE.il NUMBER…
#
# MACHINE.il and MACHINE.list are those of netlist.sh. The machine with a fault and the one without
# have the same outputs, the same next state and the same accesses to their memories (rc_ram,
# rc_column_ram), in any state and for any inputs: what nobody reads is left out before, and a
# register that only ever takes one value has it. A fault in a memory is proved so for the memory
# alone, with its words as state. What is proved holds in any run; what cannot be reached, or is
# changed where no run looks, is not proved here. Nor is a clock of a memory's own: one of several
# clocks has no model.
set -eu
il=$1
shift
base=${il%.il} yosys=${YOSYS:-yosys} limit=${EQUAL_SECONDS:-60}
[ $# -gt 0 ] || exit 0

# chosen NUMBER: what the solver sets.
chosen() {
    local bit
    for bit in {0..15}; do printf ' -set in_mutant_i_%d %d' "$bit" $(($1 >> bit & 1)); done
}

# prove TOP FLATTEN NUMBER…: states are inputs, next states are outputs, of both. The gate is the
# machine with the fault that mutant_i chooses, gold is without.
prove() {
    local top=$1 flatten=$2 number bit
    shift 2
    {
        echo "read_rtlil $il"
        for number in "$@"; do sed -n "${number}p" "$base.list"; done
        echo "add -global_input mutant_i 16
            hierarchy -top $top
            $flatten; opt_expr; opt_clean; opt_dff -nodffe -nosdff
            opt_expr; opt_clean; opt_dff -nodffe -nosdff; opt_clean -purge
            dffunmap; techmap; opt_expr; splitnets -ports -format _; opt_clean -purge
            rename -enumerate -pattern unnamed_% w:\$*
            expose -dff -evert -evert-dff
            opt_clean -purge
            delete -port o:*.mutant_i*
            rename $top gate; copy gate gold; cd gold"
        for bit in {0..15}; do
            echo "rename mutant_i_$bit off_$bit; delete -port w:off_$bit
                connect -set off_$bit 1'b0; add -input mutant_i_$bit 1"
        done
        echo "cd ..
            miter -equiv -make_assert gold gate miter
            hierarchy -top miter; flatten; opt -full; opt_clean -purge"
        for number in "$@"; do
            echo "tee -q -o $base.equal-$number sat -timeout $((10 * limit)) -prove-asserts" \
                "$(chosen "$number") miter"
        done
    } >"$base.equal.ys"
    # Yosys' own limit counts the time of day, and a busy machine would take it away.
    (ulimit -t $((limit * ($# + 1))) &&
        exec "$yosys" -q -w "did not match any module" -l "$base.equal.log" -s "$base.equal.ys" >/dev/null) || [ $? -eq 137 ]
    for number in "$@"; do
        ! grep -qs 'no model found: SUCCESS!' "$base.equal-$number" || echo "$number"
        rm -f "$base.equal-$number"
    done
}

# Faults of memories in their own modules; the others together.
machine=$(basename "$base")
others=
for number in "$@"; do
    ! sed -n "${number}p" "$base.list" | grep -q 'memwr.* -port CLK ' || continue
    module=$(sed -nE "${number}s/.*-module ([^ ]*rc_(column_)?ram) .*/\\1/p" "$base.list")
    if [ -n "$module" ]; then
        prove "$module" "memory_map" "$number"
    else
        others+=" $number"
    fi
done
# shellcheck disable=SC2086  # numbers are words
[ -z "$others" ] ||
    prove "${machine%%-*}" "setattr -mod -set keep_hierarchy 1 *rc_*ram; flatten" $others
