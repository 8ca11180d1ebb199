#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equal.sh: proves that a module of equal.txt and its netlist are the same machine.
#
#     equal.sh OUT.tap NAME EQUAL.txt RTL.sv...
#
# Writes two lines to OUT.tap: "ok - title (seconds)" if they are proved equal, and one if the
# solver distinguishes the RTL from a netlist with one wrong gate, the middle one. The netlist is
# the output of netlist.sh, read back from its Verilog.
#
# Both have the same registers and memory words, by name. In any state and for any inputs they must
# produce the same outputs and the same next state, so that from equal states they never differ.
# Nothing is required where the RTL is undefined: the result of an index out of range, and memory
# words that were never written. Where a netlist has fewer registers because of such a choice, the
# same choice is made on both sides. A netlist returns x for a word that is read while it is
# written; here it is the old word, as in the RTL (README.md explains this for RAM macros).
#
# Transformations that Yosys needs before registers can be compared are applied to the RTL as well:
# registers that always have the same value are merged, constant registers are removed. The proof
# therefore covers what Yosys does after that, from operators to the text, but not that part of
# Yosys.
set -eu
if [ $# -lt 4 ]; then
  echo "usage: equal.sh OUT.tap NAME EQUAL.txt RTL.sv..." >&2
  exit 2
fi
out=$1 name=$2 list=$3
shift 3
work=${out%.tap} yosys=${YOSYS:-yosys} limit=${FORMAL_SECONDS:-120}
rm -rf "$work"
mkdir -p "$work"

design=$(awk -v name="$name" '$1 == name { $1 = ""; print substr($0, 2) }' "$list")
if [ -z "$design" ]; then
  echo "equal.sh: no module '$name' in $list" >&2
  exit 2
fi
module=${design%% *}
parameters=$(echo "${design#"$module"}" | sed -E 's/([A-Za-z]+)=([^ ]+)/-set \1 \2/g')

now() { date +%s%N; }

# verdict TITLE START STATUS WHY
verdict() {
  tenths=$((($(now) - $2) / 100000000))
  seconds=$((tenths / 10)).$((tenths % 10))
  if [ "$3" = 0 ]; then
    echo "ok - $1 ($seconds s)"
  else
    echo "not ok - $1 ($seconds s): $4"
  fi
}

# within COMMAND…: runs the command until it ends or has used the limit of processor time.
within() { (ulimit -t "$limit" && exec "$@"); }

# compare LOG GATE.v: in both, the state of registers becomes inputs and the next state outputs.
compare() {
  within "$yosys" -q -l "$1" -p "
    read_verilog $2; hierarchy -top $module; proc; memory_map; techmap
    opt_expr; opt_clean; dffunmap; simplemap; opt_expr; opt_clean
    splitnets -ports; splitnets; opt_clean; rename -top gate; read_rtlil $work/gold.il
    expose -shared -dff -evert-dff gold gate; opt_clean -purge
    miter -equiv -ignore_gold_x -make_assert -flatten gold gate miter; hierarchy -top miter
    opt_expr; opt_merge; opt_clean; select -assert-none t:\$_*FF*_ t:\$*ff t:\$mem*
    sat -verify -prove-asserts -enable_undef -set-def-inputs miter" > "$work/said" 2>&1
}

# gold STEPS OPTION RTL.sv...: the RTL as gates, without the steps that only a netlist needs: no
# abc. With -full, undefined values are chosen as for the netlist, which omits registers that become
# constant. STEPS narrow operators; they can give a register another name than in the netlist.
gold() {
  steps=$1 full=$2
  shift 2
  within "$yosys" -q -l "$work/gold.log" -p "
    read_verilog -sv -defer $*
    chparam $parameters $module; hierarchy -top $module
    proc; flatten; opt; $steps memory -nomap; opt; techmap; opt $full
    memory_map; opt_expr; opt_clean; techmap; opt_expr; opt_clean; dffunmap; simplemap
    opt_expr; opt_dff -nodffe -nosdff; opt_expr; opt_clean
    splitnets -ports; splitnets; opt_clean; rename -top gold
    write_rtlil $work/gold.il" > "$work/said" 2>&1
}

start=$(now)
status=1
"$(dirname "$0")/netlist.sh" "$work/netlist.v" "$module ${design#"$module"}" "$@" &&
    awk '/^ *if \(.*==.*\)$/ { held = $0; next }
         held != "" { if (!/<= [0-9]+.hx+;/) print held "\n" $0; held = ""; next }
         { print }' "$work/netlist.v" > "$work/gate.v" &&
    { gold "wreduce; opt;" "" "$@" && compare "$work/proof.log" "$work/gate.v" ||
        gold "wreduce; opt;" -full "$@" && compare "$work/proof.log" "$work/gate.v" ||
        gold "" "" "$@" && compare "$work/proof.log" "$work/gate.v"; } && status=0
verdict "equal: $name, RTL and netlist" "$start" $status "see $work/proof.log" > "$out.part"

# Replaces the middle gate; in a module without gates, inverts an enable.
start=$(now)
status=1
awk -v pass=1 '
  { line[NR] = $0 }
  /^  assign .* [&|^] [^ ]*;$/ { gate[++gates] = NR }
  /^    if \(/ { enable[++enables] = NR }
  END {
    at = gates ? gate[int((gates + 1) / 2)] : enable[int((enables + 1) / 2)]
    if (gates) { if (!sub(/ & /, " | ", line[at])) sub(/ [|^] /, " \\& ", line[at]) }
    else { sub(/if \(/, "if (!(", line[at]); sub(/\)/, "))", line[at]) }
    for (n = 1; n <= NR; n++) print line[n]
  }' "$work/gate.v" > "$work/wrong.v"
cmp -s "$work/gate.v" "$work/wrong.v" || compare "$work/wrong.log" "$work/wrong.v" ||
    ! grep -q 'proof did fail' "$work/wrong.log" || status=0
verdict "equal: $name refutes a wrong gate" "$start" $status "see $work/wrong.log" >> "$out.part"
mv "$out.part" "$out"
