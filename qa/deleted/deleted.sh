#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deleted.sh: lists the flip-flops of a design of designs.txt that Yosys deletes, with the reason.
#
#     deleted.sh OUT.txt NAME DESIGNS.txt RTL.sv...
#
# Runs the passes of `synth.sh … generic` in single steps, on flip-flops of one bit. The step after
# which a flip-flop is missing gives the reason: opt_dff finds a constant, opt_clean an unused bit,
# opt_merge a duplicate, and memory moves the read register of a table into its port.
#
# A line of OUT.txt contains the number of bits of a register that were deleted for one reason; the
# line `kept` counts the remaining bits:
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
step() {  # step REASON PASSES: dumps the flip-flops after them
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
