#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# registers: what is generated from rtl/shell/registers.txt is up to date, and the SystemVerilog
# package, read by Icarus, and the C header, read by the C compiler, have the numbers and bits of
# the table in docs/machine.md. Counter-cases: lines that the generator rejects, and a header that
# is out of date.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
generate() { awk -v form="$1" -v prefix=MACHINE -f rtl/shell/registers.awk "$2"; }
description=rtl/shell/registers.txt

up_to_date() { cmp <(generate "$1" $description) "$2"; }
check "the package is up to date" up_to_date package rtl/shell/rc_registers.sv
check "… the C header" up_to_date header sched/machine/machine_registers.h
check "… the SystemRDL" up_to_date rdl rtl/shell/registers.rdl
check "… the header of the driver" cmp driver/rc_registers.h \
    <(awk -v form=header -v prefix=RC -f rtl/shell/registers.awk $description)
generate table $description >"$TMP/table"
check "… the table in the docs" cmp "$TMP/table" \
    <(awk '/^\| number \| name \| bits/ { on = 1 } !/^\|/ { on = 0 } on' docs/machine.md)
sed 's/RunFlits/RunWords/' $description >"$TMP/other.txt"
generate header "$TMP/other.txt" >"$TMP/other.h"
check "(another name is seen)" bash -c '! cmp -s "$1" sched/machine/machine_registers.h' _ \
    "$TMP/other.h"

# The table of the docs, without the generator: "NAME NUMBER" of registers, "NAME_FIELD LOW WIDTH"
# of the fields of constant bits.
awk -F ' *[|] *' '
    /^\| number \| name \| bits/ { on = 1; getline; next }
    !/^\|/ { on = 0 }
    on {
        if ($2 != "") { name = $3; gsub(/`/, "", name); print name, $2 }
        bits = $(NF - 5)
        if (bits !~ /^[0-9:]+$/ || !match($(NF - 1), /^`[a-z_]+`: /)) next
        field = substr($(NF - 1), 2, RLENGTH - 4)
        split(bits, bound, ":")
        low = bits ~ /:/ ? bound[2] : bound[1]
        print name "_" field, low, bound[1] - low + 1
    }' docs/machine.md >"$TMP/docs"
check "the docs list the registers" grep -qx 'Status_done 1 1' "$TMP/docs"

{
    echo 'module top; initial begin'
    while read -r name number width; do
        case $name in
        *_*) # Status_done: StatusDoneLow
            constant=$(sed 's/_\(.\)/\U\1/g' <<<"$name")
            echo "\$display(\"$name %0d %0d\", rc_registers::${constant}Low, " \
                "rc_registers::${constant}Bits);" ;;
        *) echo "\$display(\"$name %0d\", rc_registers::$name);" ;;
        esac
    done <"$TMP/docs"
    echo 'end endmodule'
} >"$TMP/top.sv"
check "Icarus reads the package" "${IVERILOG:-iverilog}" -g2012 -o "$TMP/vvp" -s top \
    rtl/shell/rc_registers.sv "$TMP/top.sv"
check "… which has the numbers and bits of the docs" diff "$TMP/docs" <(vvp -n "$TMP/vvp")

{
    echo '#include "sched/machine/machine_registers.h"'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    while read -r name number width; do
        constant=MACHINE$(sed 's/\([A-Z]\)/_\1/g; s/.*/\U&/' <<<"$name")
        case $name in
        *_*) echo "printf(\"$name %d %d\\n\", ${constant}_LOW, ${constant}_BITS);" ;;
        *) echo "printf(\"$name %d\\n\", $constant);" ;;
        esac
    done <"$TMP/docs"
    echo 'return 0; }'
} >"$TMP/main.c"
check "the C compiler reads the header" "${CC:-cc}" -I. -o "$TMP/main" "$TMP/main.c"
check "… which has them, too" diff "$TMP/docs" <("$TMP/main")

# rejects TEXT EXPRESSION: the generator rejects the description changed by sed, with this text.
rejects() {
    sed "$2" $description >"$TMP/bad.txt"
    if generate table "$TMP/bad.txt" >"$TMP/bad.md" 2>"$TMP/said"; then
        not_ok "$1" "accepted"
    else
        check "rejected: $1" grep -qF "$1" "$TMP/said"
    fi
}
rejects "expected a number above" 's/^9 | RunFlits/8 | RunFlits/'
rejects "expected a number above" 's/^16 |/64 |/'
rejects "expected UpperCamelCase" 's/RunFlits/run_flits/'
rejects "expected bits below 31" \
    's/^11 | Status | done | 1 /11 | Status | done | 31 /; s/| busy | 0 /| busy | 31 /'
rejects "access 'R'" 's/| RO | built/| R | built/'
rejects "a field without a register" \
    '/^11 /d; /^10 /d; s/^9 .*/# &/; s/^8 .*/# &/; s/^[0-7] .*/# &/; /version/d'
rejects "columns; expected 8" 's/^7 | Routers |/7 |/'
finish
