#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# netlist.sh: builds a machine with many small faults, one of which an input activates.
#
#     netlist.sh OUT.v MACHINE SEED COUNT "MODULE…" RTL.sv…
#
# MACHINE is named as for synth/netlist.sh. COUNT faults per module are drawn from the seed: a bit
# of a cell port is inverted, constant 0 or 1, or equal to another bit. A fault is present in every
# instance of the module with the same parameters. mutant_i activates the faults 1, 2 …; 0 activates
# none.
#
# OUT.list contains a Yosys command for each fault, OUT.faults a line MODULE<tab>FAULT<tab>LINE
# (draw.awk), OUT.il the machine without faults.
set -eu
out=$1 machine=$2 seed=$3 count=$4 modules=$5
shift 5
base=${out%.v} yosys=${YOSYS:-yosys} top=${machine%%-*}
parameters=$(awk -f synth/parameters.awk -v form='-set %s %s' <<<"$machine")
mkdir -p "$(dirname "$out")"

# opt runs before faults are planted, so constant logic has none. The hierarchy is kept, because
# faults name modules.
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

# The testbench of a bridge does not connect this input: tb_mutant.sv drives the wire
# hierarchically.
wire=
[[ $top == *_machine ]] || wire="delete -port $top/w:mutant_i"

# Vectors stay whole: a model of single bits takes up to three times as long to compile and to run.
"$yosys" -q -l "$base.log" -p "
    read_rtlil $base.il
    script $base.list
    add -global_input mutant_i 16
    check -assert
    flatten; opt -fast; opt_clean -purge
    $wire
    write_verilog -noattr $out.part"
rm -f "$base.all"
# The testbench of a bridge sets parameters, which are already applied.
[[ $top == *_machine ]] ||
    sed -i "s/^module $top(/module $top #(parameter FieldBits = 0, Pipelined = 0, Divider = 0) (/" "$out.part"
mv "$out.part" "$out"
