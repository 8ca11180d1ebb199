# SPDX-License-Identifier: Apache-2.0
# registers.awk: prints the registers of registers.txt in one of four forms:
#
#     awk -v form=FORM [-v prefix=PREFIX] -f registers.awk registers.txt
#
#   table     the Markdown table of docs/machine.md
#   package   the SystemVerilog package rc_registers
#   header    a C header whose names begin with PREFIX
#   rdl       SystemRDL 2.0
#
# A form has the number of each register and, for each field whose bits do not depend on the
# machine, its lowest bit and its width. Status 1, with a message, if a line is not as described in
# registers.txt.

BEGIN { FS = " *[|] *"; bits_of_number = 6; registers = fields = 0; last_number = -1 }

/^#/ { next }

function stop(problem) {
    print FILENAME ":" FNR ": " problem > "/dev/stderr"
    status = 1
    exit
}

{
    if (NF != 8) stop(NF " columns; expected 8")
    if ($1 != "") {
        if ($1 !~ /^[0-9]+$/ || $1 + 0 <= last_number || $1 >= 2 ^ bits_of_number)
            stop("register " $1 "; expected a number above that of the register before")
        if ($2 !~ /^([A-Z][a-z]*)+$/) stop("name '" $2 "'; expected UpperCamelCase")
        number[registers] = last_number = $1 + 0
        name[registers++] = $2
        next_bit = 32
    } else if (registers == 0 || $2 != "" || field[fields - 1] == "-") {
        stop("a field without a register")
    }
    if ($3 !~ /^(-|[a-z_]+)$/) stop("field '" $3 "'; expected lower_case, or -")
    if ($5 !~ /^(RO|RW|WO|RW1C)$/) stop("access '" $5 "'; expected RO, RW, WO or RW1C")
    if ($6 !~ /^(built|[0-9a-f]+)$/) stop("reset '" $6 "'; expected hexadecimal, or built")
    if ($7 !~ /^(all|routers|SettingPeriod(, Ranges)?|Computed|Reconfig|Combine)$/)
        stop("machines '" $7 "'")
    low[fields] = high[fields] = -1
    if ($4 ~ /^[0-9]+(:[0-9]+)?$/) {
        split($4, bound, ":")
        high[fields] = bound[1] + 0
        low[fields] = bound[$4 ~ /:/ ? 2 : 1] + 0
        if (high[fields] >= next_bit || low[fields] > high[fields])
            stop("bits " $4 "; expected bits below " next_bit)
        next_bit = low[fields]
    }
    owner[fields] = registers - 1
    field[fields] = $3; bits[fields] = $4; access[fields] = $5; reset[fields] = $6
    machines[fields] = $7; description[fields++] = $8
}

# UPPER_CASE of a name in UpperCamelCase.
function upper(text) {
    gsub(/[A-Z]/, "_&", text)
    return toupper(substr(text, 2))
}

# UpperCamelCase of a name in lower_case.
function camel(text,    part, k, count, joined) {
    count = split(text, part, "_")
    for (k = 1; k <= count; k++) joined = joined toupper(substr(part[k], 1, 1)) substr(part[k], 2)
    return joined
}

# The lowest bit and the width of a field are constants if its bits do not depend on the machine and
# the register has other fields.
function has_place(f) { return field[f] != "-" && low[f] >= 0 }

function print_table(    f, r, cells) {
    print "| number | name | bits | access | reset | machines | description |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    for (f = 0; f < fields; f++) {
        r = owner[f]
        cells = f > 0 && owner[f - 1] == r ? "| | |" : "| " number[r] " | `" name[r] "` |"
        print cells, bits[f] " | " access[f] " | " reset[f] " | " \
            (machines[f] ~ /[A-Z]/ ? "`" machines[f] "`" : machines[f]) " | " \
            (field[f] == "-" ? "" : "`" field[f] "`: ") description[f] " |"
    }
}

function print_package(    f, r) {
    print "// SPDX-License-Identifier: Apache-2.0"
    print "// rc_registers: the numbers of the registers, and the lowest bits and widths of their"
    print "// fields. Generated from registers.txt by `make registers`; docs/machine.md describes them."
    print "`default_nettype none\n"
    print "package rc_registers;\n"
    print "  /* verilator lint_off UNUSEDPARAM */                // not every design uses every one\n"
    print "  localparam int NumberBits = " bits_of_number ";\n"
    for (r = 0; r < registers; r++)
        printf "  localparam bit [%d:0] %s = %d'd%d;\n", bits_of_number - 1, name[r], \
            bits_of_number, number[r]
    print ""
    for (f = 0; f < fields; f++)
        if (has_place(f))
            printf "  localparam int %s%sLow = %d, %s%sBits = %d;\n", name[owner[f]], \
                camel(field[f]), low[f], name[owner[f]], camel(field[f]), high[f] - low[f] + 1
    print "  /* verilator lint_on UNUSEDPARAM */\n\nendpackage\n"
    print "`default_nettype wire"
}

# Prints the list of registers as a macro, with its backslashes in one column.
function print_list(    r, width, line) {
    line[-1] = "#define " prefix "_REGISTER_TABLE(X)"
    for (r = 0; r < registers; r++)
        line[r] = "    X(" upper(name[r]) ", \"" name[r] "\", " number[r] ")"
    for (r in line)
        if (length(line[r]) > width) width = length(line[r])
    for (r = -1; r < registers - 1; r++) printf "%-" width "s \\\n", line[r]
    print line[r]
}

function print_header(    f, r, guard) {
    guard = prefix == "MACHINE" ? "ROUNDCAST_MACHINE_REGISTERS_H" : prefix "_REGISTERS_H"
    print "/* SPDX-License-Identifier: Apache-2.0 */"
    print "/* The numbers of the registers of a machine, and the lowest bits and widths of their fields."
    print " * Generated from rtl/shell/registers.txt by `make registers`; docs/machine.md describes them."
    print " */"
    print "#ifndef " guard "\n#define " guard "\n"
    print "#define " prefix "_REGISTER_BITS " bits_of_number " /* of a register number */\n"
    print "enum " tolower(prefix) "_register {"
    for (r = 0; r < registers; r++)
        print "    " prefix "_" upper(name[r]) " = " number[r] (r < registers - 1 ? "," : "")
    print "};\n"
    print "/* The registers: name, text, number. */"
    print_list()
    print ""
    for (f = 0; f < fields; f++)
        if (has_place(f)) {
            r = prefix "_" upper(name[owner[f]]) "_" toupper(field[f])
            print "#define " r "_LOW " low[f]
            print "#define " r "_BITS " high[f] - low[f] + 1
        }
    print "\n#endif"
}

function print_rdl(    f, r, top) {
    print "// SPDX-License-Identifier: Apache-2.0"
    print "// The registers of a machine in SystemRDL 2.0, at byte addresses. Generated from registers.txt"
    print "// by `make registers`. A field whose width depends on the machine has its largest width here."
    print "addrmap roundcast_registers {"
    print "    default regwidth = 32;\n    default accesswidth = 32;\n    default hw = rw;"
    for (f = 0; f < fields; f++) {
        r = owner[f]
        if (f == 0 || owner[f - 1] != r) print "    reg {"
        top = low[f] >= 0 ? high[f] ":" low[f] : "31:0"
        gsub(/`|"/, "", description[f])
        printf "        field { sw = %s;%s desc = \"%s\"; }\n            %s[%s]%s;\n", \
            access[f] == "RO" ? "r" : access[f] == "WO" ? "w" : "rw", \
            access[f] == "RW1C" ? " onwrite = woclr;" : "", description[f], \
            field[f] == "-" ? "value" : field[f], top, \
            reset[f] == "built" ? "" : " = 0x" reset[f]
        if (f == fields - 1 || owner[f + 1] != r)
            printf "    } %s @ 0x%x;\n", tolower(upper(name[r])), number[r] * 4
    }
    print "};"
}

END {
    if (status) exit status
    if (form == "table") print_table()
    else if (form == "package") print_package()
    else if (form == "header") print_header()
    else if (form == "rdl") print_rdl()
    else { print "form '" form "'; expected table, package, header or rdl" > "/dev/stderr"; exit 1 }
}
