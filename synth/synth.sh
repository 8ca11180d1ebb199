#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth.sh: one design of designs.txt on one target; writes OUT.csv and, beside it, Yosys' OUT.log.
#
#     synth.sh OUT.csv NAME generic|ice40 DESIGNS.txt RTL.sv...
#
# The line of OUT.csv:
#     name,module,parameters,target,ports,stages,lane_bits,luts,
#     flip_flops,ram_blocks,levels,fmax_mhz
#
# generic   LUT4s by abc, flip-flops with enable and reset, every memory one RAM block whatever its
#           size
# ice40     SB_LUT4, SB_DFF*, SB_RAM40_4K; levels counts LUTs and carries
#
# fmax is nextpnr-ice40's estimate on an hx8k (ct256) between registers: a design has more ports
# than a chip has pins, so its inputs come from a shift register and its outputs are captured in
# another one.
set -eu
if [ $# -lt 5 ]; then
  echo "usage: synth.sh OUT.csv NAME generic|ice40 DESIGNS.txt RTL.sv..." >&2
  exit 2
fi
out=$1 name=$2 target=$3 designs=$4
shift 4
base=${out%.csv}
yosys=${YOSYS:-yosys}
nextpnr=${NEXTPNR:-nextpnr-ice40}

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
read_rtl="read_verilog -sv -defer $rtl; chparam"
for parameter in $parameters; do
  read_rtl="$read_rtl -set ${parameter%%=*} ${parameter#*=}"
done
read_rtl="$read_rtl $module"

run() {  # run LOG SCRIPT: Yosys; its log on standard error if it fails
  "$yosys" -q -l "$1" -p "$2" || { tail -n 20 "$1" >&2; exit 1; }
}

case $target in
generic)
  run "$base.log" "
    $read_rtl
    synth -flatten -top $module -run begin:fine
    opt -fast -full; techmap; opt -fast
    abc -lut 4; opt -fast
    check -assert; stat
    ltp -noff" ;;
ice40)
  run "$base.log" "
    $read_rtl
    synth_ice40 -top $module
    check -assert; stat
    write_rtlil $base.il
    tee -q -o $base.ports portlist
    delete t:SB_DFF* t:SB_RAM*; ltp" ;;
*)
  echo "synth.sh: target '$target'; expected generic or ice40" >&2
  exit 2 ;;
esac

fmax=
if [ "$target" = ice40 ] && [ "${place%-more}" = yes ]; then
  awk '
    $1 == "input" || $1 == "output" {
      split(substr($2, 2), range, ":")
      width = range[1] + 1
      if ($3 == "clk_i") { clock = ", .clk_i(clk)"; next }
      if ($1 == "input") { from = inputs; inputs += width } else { from = outputs; outputs += width }
      bind = bind sprintf(", .%s(%s[%d:%d])", $3, $1 == "input" ? "in_q" : "out", from + width - 1, from)
    }
    $1 == "module" { module = $2 }
    END {
      printf "module scan(input clk, input scan_i, output scan_o);\n"
      printf "  reg [%d:0] in_q;\n  reg [%d:0] out_q, chain_q;\n  wire [%d:0] out;\n", inputs-1, outputs-1, outputs-1
      printf "  %s dut (%s);\n", module, substr(clock bind, 3)
      printf "  always @(posedge clk) begin\n    in_q <= {in_q, scan_i};\n"
      printf "    out_q <= out;\n    chain_q <= {chain_q, 1'\''b0} ^ out_q;\n  end\n"
      printf "  assign scan_o = chain_q[%d];\nendmodule\n", outputs-1
    }' "$base.ports" > "$base-scan.v"
  run "$base-scan.log" "
    read_rtlil $base.il; read_verilog $base-scan.v
    synth_ice40 -top scan -json $base-scan.json"
  "$nextpnr" --hx8k --package ct256 --seed 1 --timing-allow-fail --json "$base-scan.json" \
    --log "$base-pnr.log" --quiet > /dev/null 2>&1 || { tail -n 20 "$base-pnr.log" >&2; exit 1; }
  fmax=$(awk '/Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i+1) == "MHz") mhz = $i }
              END { print mhz }' "$base-pnr.log")
  if [ -z "$fmax" ]; then
    echo "synth.sh: $name: nextpnr reported no frequency; see $base-pnr.log" >&2
    exit 1
  fi
fi

awk -v name="$name" -v module="$module" -v parameters="$parameters" -v target="$target" -v fmax="$fmax" '
  function hexadecimal(digits,   number, d) {
    for (d = 1; d <= length(digits); d++)
      number = number * 16 + index("0123456789abcdef", substr(digits, d, 1)) - 1
    return number
  }
  BEGIN {
    words = split(parameters, word, " ")
    for (i = 1; i <= words; i++) { split(word[i], pair, "="); value[pair[1]] = pair[2] }
    if (module == "rc_switch2") { ports = 2; stages = 1 }
    else if (module ~ /^rc_(endpoint|wishbone|axi_lite|apb)$/) ports = 1
    else if (module == "rc_fat_tree_machine") {         # 16 bits per level; the highest may have fewer digits
      levels = "000" substr(value["Children"], index(value["Children"], "h") + 1)
      for (ports = 1; length(levels) >= 4; levels = substr(levels, 1, length(levels) - 4))
        ports *= hexadecimal(substr(levels, length(levels) - 3))
    }
    else if (module == "rc_router") ports = value["Ports"]
    else if (module == "rc_crossbar") { ports = value["Outputs"]; stages = 1 }
    else if (module == "cube_node" || module == "rc_cube_auto_node") ports = value["Dimensions"]
    else if (module == "rc_cube_machine") ports = value["Dimensions"] * 2 ^ value["Dimensions"]
    else if (module == "rc_router_auto") ports = value["Children"] * value["ChildLanes"] + value["ParentLanes"]
    else {
      ports = value["Ports"]
      for (levels = 0; 2 ^ levels < ports; levels++);
      if (value["Kind"] == 2) levels = "Levels" in value ? value["Levels"] : 2
      stages = module == "rc_stage" ? 1 : value["Kind"] == 1 ? levels : value["Kind"] == 3 ? 4 * levels - 3 : 2 * levels - 1
    }
    lane = "LaneBits" in value ? value["LaneBits"] : value["Width"] + 1
  }
  /Number of cells:/ { luts = ffs = rams = 0 }      # the last statistics count
  $1 == "$lut" || $1 == "SB_LUT4"                      { luts += $2 }
  $1 ~ /^(\$_S?DFF|SB_DFF)/ && NF == 2                 { ffs += $2 }
  ($1 == "$mem_v2" || $1 == "SB_RAM40_4K") && NF == 2  { rams += $2 }
  /Longest topological path/ { sub(/.*length=/, ""); levels = $0 + 0 }
  END {
    printf "%s,%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%s\n",
      name, module, parameters, target, ports, stages, lane, luts, ffs, rams, levels, fmax
  }' "$base.log" > "$out"
