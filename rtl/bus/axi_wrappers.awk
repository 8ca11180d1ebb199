# SPDX-License-Identifier: Apache-2.0
# axi_wrappers.awk: prints a wrapper of axi_wrappers.txt, or the names of all.
#
#     awk [-v wrapper=NAME] -f axi_wrappers.awk axi_wrappers.txt axi_template.txt
#
# Status 1 if there is no wrapper of this name.

FNR == 1 { file++ }

# axi_wrappers.txt
file == 1 && /^#/ { next }
file == 1 && NF == 0 { begun = 0; next }
file == 1 && !begun {
    begun = 1
    wanted = $1 == wrapper
    if (wrapper == "") print $1
    if (wanted) { machine = $2; count = 0 }
    next
}
file == 1 {
    if (wanted) {
        declaration[++count] = $0
        name[count] = $1 ~ /^\[/ ? $2 : $1
    }
    next
}

# Prints the connections of the parameters, in lines of at most 98 characters.
function print_assignments(  at, line, item) {
    line = "   "
    for (at = 1; at <= count; at++) {
        item = "." name[at] "(" name[at] "),"
        if (length(line) + 1 + length(item) > 98) { print line; line = "   " }
        line = line " " item
    }
    print line
}

# axi_template.txt
wrapper == "" || machine == "" { exit }
/^@PARAMETERS@$/ {
    for (at = 1; at <= count; at++) print "  parameter " declaration[at] ","
    next
}
/^@ASSIGNMENTS@$/ { print_assignments(); next }
{ gsub(/@WRAPPER@/, wrapper); gsub(/@MACHINE@/, machine); print }

END { if (wrapper != "" && machine == "") exit 1 }
