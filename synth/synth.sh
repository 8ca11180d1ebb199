#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth.sh: synthesises one design of designs.txt for one target; writes OUT.csv and the log of
# Yosys, OUT.log.
#
#     synth.sh OUT.csv NAME generic|ice40|ecp5|xilinx|liberty DESIGNS.txt RTL.sv...
#
# The line of OUT.csv:
#     name,module,parameters,target,ports,stages,lane_bits,luts,
#     flip_flops,ram_blocks,levels,fmax_mhz
#
#   generic   LUT4s by abc, flip-flops with enable and reset, every memory counts as one RAM block
#   ice40     SB_LUT4, SB_DFF*, SB_RAM40_4K; levels counts LUTs and carries
#   ecp5      LUT4 (a CCU2C is two, a TRELLIS_DPR16X4 four), TRELLIS_FF, DP16KD
#   xilinx    series 7: LUT1 to LUT6 (a memory in LUTs counts up to four), FD*, RAMB18E1 and
#             RAMB36E1
#   liberty   cells of the file LIBERTY, every memory a separate RAM; in place of levels and
#             fmax_mhz the area of the cells and the delay of abc in ps, in the units of the file
#
# RAM_STYLE is the style of all memories, auto, block or distributed (rtl/common/rc_ram_style.svh);
# by default block on ECP5, where Yosys builds small memories from more LUTs than the rest of a
# network has, and auto on other targets. LUTs that a multiplexer of ECP5 joins are counted one by
# one, so none are joined.
#
# fmax is the estimate of nextpnr-ice40 for an hx8k (ct256) between registers. A design has more
# ports than a chip has pins, so shift registers drive its inputs and capture its outputs. fmax is
# omitted if NEXTPNR is empty and, for a design that is marked `try`, if the chip is too small.
set -eu
if [ $# -lt 5 ]; then
  echo "usage: synth.sh OUT.csv NAME generic|ice40|ecp5|xilinx|liberty DESIGNS.txt RTL.sv..." >&2
  exit 2
fi
here=$(dirname "$0")
out=$1 name=$2 target=$3 designs=$4
shift 4
base=${out%.csv}
yosys=${YOSYS:-yosys}
nextpnr=${NEXTPNR-nextpnr-ice40}

# shellcheck disable=SC2046  # the fields of the line are words
set -- "$*" $(awk -v name="$name" '$1 == name' "$designs")
if [ $# -lt 5 ]; then
  echo "synth.sh: no design '$name' in $designs" >&2
  exit 2
fi
rtl=$1 module=$3 place=$4
shift 4
parameters=$*
mkdir -p "$(dirname "$out")"
case $target in ecp5) style=${RAM_STYLE:-block} ;; *) style=${RAM_STYLE:-auto} ;; esac
read_rtl="read_verilog -sv -defer -DRC_RAM_STYLE=\"$style\" $rtl; chparam"
for parameter in $parameters; do
  read_rtl="$read_rtl -set ${parameter%%=*} ${parameter#*=}"
done
read_rtl="$read_rtl $module"

run() {  # run LOG SCRIPT: Yosys; its log on standard error if it fails
  "$yosys" -q -l "$1" -p "$2" > "$1.said" 2>&1 || { tail -n 20 "$1.said" "$1" >&2; exit 1; }
}

# Yosys lets abc print the delay only for a design with constraints, so it gets a script of its own;
# the script does no sizing, which would require the wires.
asic="strash;ifraig;scorr;dc2;strash;&get,-n;&dch,-f;&nf;&put;topo;stime,-p"
gates="$read_rtl; synth -flatten -top $module -run begin:fine; opt -fast -full; techmap; opt -fast"
# Source locations that a module keeps are not cells.
check="delete t:\$scopeinfo; check -assert; stat"

case $target in
generic) script="$gates; abc -lut 4; opt -fast; $check; ltp -noff" ;;
ice40) script="$read_rtl; synth_ice40 -top $module; $check
    select $module; write_rtlil -selected $base.il; select -clear
    tee -q -o $base.ports portlist $module
    delete t:SB_DFF* t:SB_RAM*; ltp $module" ;;
ecp5) script="$read_rtl; synth_ecp5 -nowidelut -top $module; $check; delete t:TRELLIS_FF t:DP16KD; ltp $module" ;;
xilinx) script="$read_rtl; synth_xilinx -flatten -noiopad -noclkbuf -top $module; $check
    delete t:FD* t:RAMB*; ltp $module" ;;
liberty) script="$gates; dfflibmap -liberty $LIBERTY; opt -fast
    abc -liberty $LIBERTY -script +$asic; opt_clean
    read_liberty -lib $LIBERTY; $check -liberty $LIBERTY" ;;
*)
  echo "synth.sh: target '$target'; expected generic, ice40, ecp5, xilinx or liberty" >&2
  exit 2 ;;
esac
run "$base.log" "$script"

fmax=
if [ "$target" = ice40 ] && [ "${place%-more}" != no ] && [ -n "$nextpnr" ]; then
  awk -f "$here/scan.awk" "$base.ports" > "$base-scan.v"
  run "$base-scan.log" "
    read_rtlil $base.il; read_verilog $base-scan.v
    synth_ice40 -top scan; delete t:\$scopeinfo; write_json $base-scan.json"
  if "$nextpnr" --hx8k --package ct256 --seed 1 --timing-allow-fail --json "$base-scan.json" \
    --log "$base-pnr.log" --quiet > /dev/null 2>&1
  then
    fmax=$(awk '/Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i+1) == "MHz") mhz = $i }
                END { print mhz }' "$base-pnr.log")
    [ -n "$fmax" ] || { echo "synth.sh: $name: no frequency in $base-pnr.log" >&2; exit 1; }
  elif [ "$place" != try ] || ! grep -q 'no BELs remaining\|Unable to place' "$base-pnr.log"; then
    tail -n 20 "$base-pnr.log" >&2
    exit 1
  fi
fi

awk -f "$here/count.awk" -v name="$name" -v module="$module" -v parameters="$parameters" \
  -v target="$target" -v fmax="$fmax" "$base.log" > "$out"
