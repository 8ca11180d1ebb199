#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deleted.sh: which flip-flops of a design of designs.txt Yosys deletes, and why.
#
#     deleted.sh OUT.txt NAME DESIGNS.txt RTL.sv...
#
# The passes of `synth.sh … generic` in single steps, on flip-flops of one bit. The step behind
# which one is gone says why: opt_dff finds a constant, opt_clean what nobody reads, opt_merge what
# another one has as well, and memory takes what reads a table into the table's port.
#
# A line of OUT.txt says how many bits of a register went for one reason; that of `kept`, what is
# left:
#     NAME REASON BITS REGISTER
set -eu
if [ $# -lt 4 ]; then
  echo "usage: deleted.sh OUT.txt NAME DESIGNS.txt RTL.sv..." >&2
  exit 2
fi
here=$(dirname "$0")
out=$1 name=$2 designs=$3
shift 3
# shellcheck disable=SC2046  # the fields of the line are words
set -- "$*" $(awk -v name="$name" '$1 == name' "$designs")
if [ $# -lt 4 ]; then
  echo "deleted.sh: no design '$name' in $designs" >&2
  exit 2
fi
rtl=$1 module=$3
shift 4
work=${out%.txt}.steps
rm -rf "$work"
mkdir -p "$work"

script="read_verilog -sv -defer $rtl; chparam"
for parameter in "$@"; do script="$script -set ${parameter%%=*} ${parameter#*=}"; done
script="$script $module; hierarchy -top $module; proc; flatten; simplemap t:\$*dff*"

steps=100
step() {  # step REASON PASSES: what there is behind them
  script="$script; $2; tee -q -o $work/$steps-$1 dump t:\$_*DFF*"
  steps=$((steps + 1))
}
round() {
  step kept "opt_expr -full; opt_muxtree; opt_reduce"
  step merged opt_merge
  step constant opt_dff
  step unused opt_clean
}
rounds() { round && round && round; }

step written ""
step unused opt_clean
rounds
step kept "wreduce; peepopt; alumacc; share"
rounds
step memory "memory -nomap"
rounds
step kept techmap
rounds
step kept "abc -lut 4"
rounds

"${YOSYS:-yosys}" -q -l "$work/log" -p "$script" > "$work/said" 2>&1 ||
  { tail -n 20 "$work/said" >&2; exit 1; }
awk -f "$here/deleted.awk" -v name="$name" "$work"/[0-9]* > "$out.part"
sort "$out.part" > "$out"
rm -r "$out.part" "$work"
