# SPDX-License-Identifier: Apache-2.0
# parameters.awk: converts the name of an engine to the parameters of its RTL.
#
#     echo rc_fat_tree_machine-height2-children4_3-pad0-traced | awk -f parameters.awk -v form='-set
#     %s %s' -set Height 2 -set Children 384'h30004 -set Pad 0
#
# The first word is the module. Some parameters of a tree have 384 bits, 16 per level, which are
# written from level 1 on, separated by _. The word `traced` concerns the simulation only. Exit
# status 1 for a word of another form.

BEGIN { FS = "-" }

# setting_period → SettingPeriod
function camel(name,    parts, part, k, text) {
  parts = split(name, part, "_")
  for (k = 1; k <= parts; k++) text = text toupper(substr(part[k], 1, 1)) substr(part[k], 2)
  return text
}

$1 !~ /^rc_((multistage|fat_tree|cube|cube_auto)_machine|wishbone|axi_lite|apb|uart)$/ { exit 1 }

{
  for (w = 2; w <= NF; w++) {
    if ($w == "traced") continue
    if (!match($w, /^[a-z_]+/)) exit 1
    name = substr($w, 1, RLENGTH)
    value = substr($w, RLENGTH + 1)
    if ($1 == "rc_fat_tree_machine" && name ~ /^(children|capacity|depth|queue)$/ && value ~ /^[0-9]+(_[0-9]+)*$/) {
      levels = split(value, of_level, "_")
      value = sprintf("384'h%x", of_level[levels])
      for (l = levels - 1; l >= 1; l--) value = value sprintf("%04x", of_level[l])
    } else if (name !~ /^(kind|ports|middle|radix|levels|pipe|pad|width|packets|flits|rows|height|reads|auto|dimensions|depth|queue|settings|tables|setting_period|computed|reconfig|combine|operators|shared|ranges|splits|field_bits|pipelined|divider)$/) exit 1
    else if (value !~ /^[0-9]+$/) exit 1
    text = text sprintf(form " ", camel(name), value)
  }
  print text
}
