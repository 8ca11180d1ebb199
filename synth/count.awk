# SPDX-License-Identifier: Apache-2.0
# count.awk: converts the log of Yosys for a design to its line of the report (synth.sh describes
# it).
#
#     awk -f count.awk -v name=… -v module=… -v parameters='Ports=5 …' -v target=… -v fmax=… LOG

function hexadecimal(digits,   number, d) {
  for (d = 1; d <= length(digits); d++)
    number = number * 16 + index("0123456789abcdef", substr(digits, d, 1)) - 1
  return number
}

# Number of leaves of a tree; 16 bits per level, the highest of which may have fewer digits.
function leaves(children,   levels, product) {
  levels = "000" substr(children, index(children, "h") + 1)
  for (product = 1; length(levels) >= 4; levels = substr(levels, 1, length(levels) - 4))
    product *= hexadecimal(substr(levels, length(levels) - 3))
  return product
}

BEGIN {
  words = split(parameters, word, " ")
  for (i = 1; i <= words; i++) { split(word[i], pair, "="); value[pair[1]] = pair[2] }
  if (module ~ /^rc_(switch2|combine_switch)$/) { ports = 2; stages = 1 }
  else if (module ~ /^rc_(endpoint|wishbone|axi_lite|apb|uart)$/) ports = 1
  else if (module == "rc_fat_tree_machine") ports = leaves(value["Children"])
  else if (module == "rc_router") ports = value["Ports"]
  else if (module == "rc_crossbar") { ports = value["Outputs"]; stages = 1 }
  else if (module == "cube_node" || module == "rc_cube_auto_node") ports = value["Dimensions"]
  else if (module ~ /^rc_cube_(auto_)?machine$/) ports = value["Dimensions"] * 2 ^ value["Dimensions"]
  else if (module == "rc_router_auto") ports = value["Children"] * value["ChildLanes"] + value["ParentLanes"]
  else {
    ports = value["Ports"]
    for (levels = 0; 2 ^ levels < ports; levels++);
    if (value["Kind"] == 2) levels = "Levels" in value ? value["Levels"] : 2
    stages = module == "rc_stage" ? 1 : value["Kind"] == 1 ? levels : value["Kind"] == 3 || value["Kind"] == 5 ? 4 * levels - 3 : value["Kind"] == 6 ? 6 * levels - 4 : 2 * levels - 1
  }
  lane = "LaneBits" in value ? value["LaneBits"] : value["Width"] + 1
  luts["$lut"] = luts["SB_LUT4"] = luts["LUT4"] = 1
  luts["LUT1"] = luts["LUT2"] = luts["LUT3"] = luts["LUT5"] = luts["LUT6"] = 1
  luts["CCU2C"] = 2
  luts["TRELLIS_DPR16X4"] = luts["RAM32M"] = luts["RAM64M"] = luts["RAM128X1D"] = luts["RAM256X1S"] = 4
  luts["RAM32X1S"] = luts["RAM64X1S"] = luts["SRL16E"] = luts["SRLC32E"] = 1
  luts["RAM32X1D"] = luts["RAM64X1D"] = luts["RAM128X1S"] = 2
  rams["$mem_v2"] = rams["SB_RAM40_4K"] = rams["DP16KD"] = rams["RAMB18E1"] = rams["RAMB36E1"] = 1
}

/Number of cells:/ { depth = cells = logic = ffs = blocks = 0; cells = $4 }    # the last statistics count
NF == 2 && $1 in luts                                  { logic += luts[$1] * $2 }
NF == 2 && $1 ~ /^(\$_S?DFF|SB_DFF|TRELLIS_FF$|FD[CPRS]E)/ { ffs += $2 }
NF == 2 && $1 in rams                                  { blocks += rams[$1] * $2 }
/Longest topological path/ { sub(/.*length=/, ""); depth = $0 + 0 }
/Chip area for/ { area = $NF }
/ABC:.* Delay = / { sub(/.* Delay = */, ""); delay = $1 }
/^ +mapped [0-9]+ .*DFF.* cells to/ { mapped += $2 }       # by dfflibmap

END {
  if (target == "liberty") { logic = cells - blocks; ffs = mapped; depth = area + 0; fmax = delay + 0 }
  printf "%s,%s,%s,%s,%d,%d,%d,%d,%d,%d,%s,%s\n",
    name, module, parameters, target, ports, stages, lane, logic, ffs, blocks, depth, fmax
}
