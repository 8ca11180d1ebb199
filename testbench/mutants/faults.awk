# SPDX-License-Identifier: Apache-2.0
# faults.awk: "MODULE<tab>FAULT" for each line of a list of Yosys' `mutate`, without numbers of its
# own:
#
#     rc_frame<tab>const0 obs_o[42] at .Q[10], rc_frame.sv:268
#
# The mode; the wire, if it has a name; the cell's kind or name with the bit of its port; for cnot
# the bit of that port that makes the fault; the line. An instance has its name, a cell its kind.

function value(option) {
    if (!match($0, " -" option " [^ ]+"))
        return ""
    return substr($0, RSTART + length(option) + 3, RLENGTH - length(option) - 3)
}

{
    module = value("module")
    sub(/\\[A-Z].*/, "", module)
    sub(/.*\\/, "", module)
    cell = value("cell")
    sub(/.*\\/, "", cell)                   # $xor$rtl/...:43$1469 is an xor
    if (cell ~ /^\$/)
        sub(/\$rtl.*|\$auto.*|\$[0-9]+$/, "", cell)
    place = cell "." value("port") "[" value("portbit") "]"
    if (value("wire") != "")
        place = value("wire") "[" value("wirebit") "] at " place
    if (value("ctrlbit") != "")
        place = place " by bit " value("ctrlbit")
    line = $NF
    sub(/^.*\//, "", line)
    sub(/\.[0-9]+-.*/, "", line)
    printf "%s\t%s %s, %s\n", module, value("mode"), place, line
}
