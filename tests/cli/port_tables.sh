#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# port_tables: the head of each top, and of each module that an integrator connects to it, has a
# table of its ports: name, direction, bits, the cycle in which it is valid, and meaning. The table
# has the ports of the module, in their order.
# Counter-cases: a table without a port, with another direction, and with another width.
#
# tags: source
. "$(dirname "$0")/tap.sh"

# listed FILE: prints "NAME DIRECTION BITS" for each row of the table. A row `clk_i ... obs_o`
# stands for the ports of a machine.
listed() {
    awk '/^module/ { exit }
        $2 == "clk_i" && $3 == "..." { while ((getline line < machine) > 0) print line; next }
        $1 == "//" && $2 ~ /^[a-z_]+_(i|o|ni)$/ && $3 ~ /^(in|out)$/ { print $2, $3, $4 }' \
        machine="$TMP/machine" "$1"
}

# declared FILE: prints the same for each port of the module.
declared() {
    sed -n '/^) (/,/^);/p' "$1" | sed 's,//.*,,' |
        sed -nE 's/^ *(in|out)put +(wire|logic) *(\[(.*)-1:0\])? *([a-z_]+),? *$/\5 \1 \4/p
            s/^ *(in|out)put +(wire|logic) +\[([A-Za-z0-9]+):0\] +([a-z_]+),? *$/\4 \1 \3+1/p' |
        awk '{ if ($3 == "") $3 = 1; if ($3 ~ /^[0-9]+[+]1$/) $3 = $3 + 1; print $1, $2, $3 }'
}

# agrees FILE: checks the table of a top.
agrees() { diff <(declared "$1") <(listed "$1"); }

listed rtl/multistage/rc_multistage_machine.sv >"$TMP/machine"
check "the table of a machine has ports" test "$(wc -l <"$TMP/machine")" -ge 16
tops=$(grep -lE '^module rc_[a-z_]+_(machine|fabric) ' rtl/*/*.sv)
for top in $tops rtl/bus/rc_{axi_lite,wishbone,apb,uart,stream_endpoint}.sv; do
    check "the ports of ${top##*/}" agrees "$top"
    check "… each with a meaning" bash -c \
        '! sed "/^module/,\$d" "$1" | grep -E "^//     [a-z_]+_(i|o) +(in|out) " |
            grep -vqE "(in|out) +[^ ]+ .*[a-z]{2}"' _ "$top"
done

# differs SCRIPT TEXT: changes a table with sed; it no longer agrees.
differs() {
    sed "$1" rtl/routers/rc_cube_machine.sv >"$TMP/top.sv"
    check "($2)" bash -c '! cmp -s "$1" "$2"' _ rtl/routers/rc_cube_machine.sv "$TMP/top.sv"
    check "(… is found)" bash -c '! '"$(declare -f declared listed agrees)"'; TMP=$2; ! agrees "$1"' \
        _ "$TMP/top.sv" "$TMP"
}
differs '/^\/\/     irq_o/d' "a port that is missing"
differs 's,^//     busy_o   *out,//     busy_o in,' "another direction"
differs 's,^//     host_addr_i   *in   *32,//     host_addr_i in 16,' "another width"
finish
