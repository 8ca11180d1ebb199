#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# netlist.sh: a machine with many small faults in it, of which an input chooses one.
#
#     netlist.sh OUT.v MACHINE SEED COUNT "MODULE…" RTL.sv…
#
# MACHINE is named as for synth/netlist.sh. Faults are drawn from the seed, COUNT for each of the
# modules: a bit of a cell's port that is inverted, 0, 1, or so wherever another bit is. A fault
# stands in each instance of the module with the same parameters. Those numbered 1, 2 … are chosen
# by mutant_i, none by 0.
#
# OUT.list has a command of Yosys for each, OUT.faults a line MODULE<tab>FAULT<tab>LINE (draw.awk);
# OUT.il is the machine without them.
set -eu
out=$1 machine=$2 seed=$3 count=$4 modules=$5
shift 5
base=${out%.v} yosys=${YOSYS:-yosys} top=${machine%%-*}
parameters=$(awk -f synth/parameters.awk -v form='-set %s %s' <<<"$machine")
mkdir -p "$(dirname "$out")"

# Opt is before the faults: what is constant has none. It is not flattened: modules have names.
"$yosys" -q -w "mutations requested" -l "$base.log" -p "
    read_verilog -sv -defer $*
    chparam $parameters $top
    hierarchy -top $top
    proc; opt -full
    write_rtlil $base.il
    mutate -list 1000000 -ctrl mutant_i 16 1 -o $base.all" >/dev/null

awk -v modules="$modules" -v count="$count" -v seed="$seed" -f "${0%/*}/draw.awk" "$base.all" |
    LC_ALL=C sort -t $'\t' -k1,1 -k2,2n -k3,3n |
    awk -F '\t' -v OFS='\t' -v count="$count" -v list="$base.list" '
        drawn[$1]++ < count {
            sub(/mutant_i 16 [0-9]+/, "mutant_i 16 " ++number, $4)
            print $4 >list
            print $1, $5, $6
        }' >"$base.faults"

# A bridge has no such input for its bench: the wire is driven from within (tb_mutant.sv).
wire=
[[ $top == *_machine ]] || wire="delete -port $top/w:mutant_i"

# A vector whose bits feed one another looks like a loop to a simulator.
"$yosys" -q -l "$base.log" -p "
    read_rtlil $base.il
    script $base.list
    add -global_input mutant_i 16
    check -assert
    flatten; opt -fast; splitnets; opt_clean -purge
    $wire
    write_verilog -noattr $out.part"
rm -f "$base.all"
# The bench of a bridge gives it parameters, which it has.
[[ $top == *_machine ]] ||
    sed -i "s/^module $top(/module $top #(parameter FieldBits = 0, Pipelined = 0, Divider = 0) (/" "$out.part"
mv "$out.part" "$out"
