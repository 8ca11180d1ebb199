#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# netlist.sh: a machine with many small faults in it, of which an input chooses one.
#
#     netlist.sh OUT.v MACHINE SEED COUNT "MODULE…" RTL.sv…
#
# MACHINE is named as for synth/netlist.sh. Yosys draws faults from the seed, COUNT for each of the
# modules: a bit of a cell's port that is inverted, 0, 1, or so wherever another bit is. A fault
# stands in each instance of the module with the same parameters. Those numbered 1, 2 … are chosen
# by mutant_i, none by 0.
#
# OUT.list has a line for each, OUT.il is the machine without them.
set -eu
out=$1 machine=$2 seed=$3 count=$4 modules=$5
shift 5
base=${out%.v} yosys=${YOSYS:-yosys} top=${machine%%-*}
parameters=$(awk -f synth/parameters.awk -v form='-set %s %s' <<<"$machine")
mkdir -p "$(dirname "$out")"

# Opt is before the faults: what is constant has none. It is not flattened: modules have names.
"$yosys" -q -l "$base.log" -p "
    read_verilog -sv -defer $*
    chparam $parameters $top
    hierarchy -top $top
    proc; opt -full
    write_rtlil $base.il
    mutate -list 4000 -seed $seed -ctrl mutant_i 16 1 -o $base.all" >/dev/null

awk -v modules="$modules" -v count="$count" '
    BEGIN { words = split(modules, word); for (k = 1; k <= words; k++) wanted[word[k]] = 1 }
    {
        match($0, /-module [^ ]+/)
        module = substr($0, RSTART + 8, RLENGTH - 8)
        sub(/\\[A-Z].*/, "", module)
        sub(/.*\\/, "", module)
        if (wanted[module] && drawn[module]++ < count) {
            sub(/mutant_i 16 [0-9]+/, "mutant_i 16 " ++number)
            print
        }
    }' "$base.all" >"$base.list"

# A vector whose bits feed one another looks like a loop to a simulator.
"$yosys" -q -l "$base.log" -p "
    read_rtlil $base.il
    script $base.list
    add -global_input mutant_i 16
    check -assert
    flatten; opt -fast; splitnets; opt_clean -purge
    write_verilog -noattr $out.part"
rm -f "$base.all"
mv "$out.part" "$out"
