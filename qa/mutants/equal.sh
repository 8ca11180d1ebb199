#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# equal.sh: prints the numbers of the faults of a machine that the solver proves to have no effect.
#
#     equal.sh MACHINE.il NUMBER…
#
# MACHINE.il and MACHINE.list are outputs of netlist.sh. The machines with and without the fault
# have the same outputs, the same next state and the same accesses to their memories (rc_ram,
# rc_column_ram), in any state and for any inputs; unused logic is removed before, and registers
# with a constant value are replaced by it. For a fault in a memory, the memory alone is compared,
# with its words as state. A proof holds for any run. Faults in unreachable states, or that change
# only what no run observes, are not proved; neither is the clock of a memory, because a design with
# several clocks has no model.
set -eu
il=$1
shift
base=${il%.il} yosys=${YOSYS:-yosys} limit=${EQUAL_SECONDS:-60}
[ $# -gt 0 ] || exit 0

# chosen NUMBER: the constraint that selects a fault in the solver.
chosen() {
    local bit
    for bit in {0..15}; do printf ' -set in_mutant_i_%d %d' "$bit" $(($1 >> bit & 1)); done
}

# prove TOP FLATTEN NUMBER…: in both machines, states become inputs and next states outputs. gate is
# the machine with the fault that mutant_i selects, gold the one without.
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
    # The limit of Yosys counts wall time, which depends on the load of the machine.
    (ulimit -t $((limit * ($# + 1))) &&
        exec "$yosys" -q -w "did not match any module" -l "$base.equal.log" -s "$base.equal.ys" >/dev/null) || [ $? -eq 137 ]
    for number in "$@"; do
        ! grep -qs 'no model found: SUCCESS!' "$base.equal-$number" || echo "$number"
        rm -f "$base.equal-$number"
    done
}

# Proves faults of memories in their own modules, all others together.
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
