#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# four_state: the values that a host reads in a four-state simulator, where an uninitialised
# register and an index out of range are unknown, not 0 as in Verilator: machines of all kinds,
# including those whose stages, routers or columns are no power of two.
#
# Counter-cases: the RTL without the zeros at unused places.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")/../rtl
# Packages first.
rtl=$(cd "$here/../.." && grep -l '^package' rtl/*/*.sv &&
    grep -L '^package' rtl/*/*.sv)
memories='.Width(5), .Packets(2), .Flits(2), .Rows(2)'

# reads FOLDER BITS MACHINE: simulates the machine of the RTL in a folder; its output is in
# $TMP/out.
reads() {
    # shellcheck disable=SC2086  # a list of files without blanks
    (cd "$1" && "${IVERILOG:-iverilog}" -g2012 -Irtl/common -DMACHINE="$3" \
        -Pfour_state.Bits="$2" -s four_state -o "$TMP/vvp" $rtl "$OLDPWD/$here/four_state.sv" >"$TMP/log" 2>&1) || return
    vvp -n "$TMP/vvp" >"$TMP/out"
}

# known BITS TEXT MACHINE: checks that all words that are read are known.
known() {
    if ! reads . "$1" "$3"; then
        not_ok "$2" "$(head -5 "$TMP/log")"
    elif grep -qx "$((8 << $1)) words, 0 unknown, first 00000000" "$TMP/out"; then
        ok "$2"
    else
        not_ok "$2" "$(cat "$TMP/out")"
    fi
}

# unknown FILE SCRIPT BITS FIRST TEXT MACHINE: checks that with that file broken some word is
# unknown, the first at this address.
unknown() {
    mkdir -p "$TMP/broken"
    cp -r rtl "$TMP/broken/"
    sed "$2" "rtl/$1" >"$TMP/broken/rtl/$1"
    if cmp -s "rtl/$1" "$TMP/broken/rtl/$1"; then
        not_ok "$5" "the sed script changes nothing in $1"
    elif ! reads "$TMP/broken" "$3" "$6"; then
        not_ok "$5" "$(head -5 "$TMP/log")"
    elif grep -q "words, [1-9][0-9]* unknown, first $4\$" "$TMP/out"; then
        ok "$5"
    else
        not_ok "$5" "$(cat "$TMP/out")"
    fi
}

if ! command -v "${IVERILOG:-iverilog}" >/dev/null; then
    skip "what a host reads in four states" "no iverilog"
    finish
fi

multistage() { echo "rc_multistage_machine #($1, $memories)"; }
benes=$(multistage '.Ports(8)')
clos=$(multistage '.Kind(2), .Ports(12), .Middle(5), .Radix(4), .Levels(2)')
levels=".Height(2), .Children(384'h20003), .Capacity(384'h20001), .Depth(384'h50003), .Queue(384'h30003)"
tree="rc_fat_tree_machine #($levels, .Reads(3), $memories)"
known 6 "a Benes network: five stages" "$benes"
known 6 "one stage" "$(multistage '.Ports(2)')"
known 6 "an omega network: three stages" "$(multistage '.Kind(1), .Ports(8)')"
known 6 "a multicast network" "$(multistage '.Kind(3), .Ports(8)')"
known 7 "a Clos network: stages with other columns" "$clos"
known 6 "an order of rows of tables" \
    "$(multistage '.Ports(8), .Settings(1), .Tables(2), .SettingPeriod(2)')"
known 6 "tags, and computed programs" \
    "$(multistage '.Ports(7), .Settings(2), .SettingPeriod(2), .Computed(1)')"
known 6 "ranges, which no node has before a run" \
    "$(multistage '.Ports(3), .Ranges(1), .Splits(2)')"
known 6 "masks" "$(multistage '.Ports(8), .Settings(3), .Tables(2), .SettingPeriod(2)')"
known 8 "a tree of routers" "$tree"
known 8 "a tree of self-timed routers" "rc_fat_tree_machine #($levels, .Auto(1), $memories)"
known 8 "a hypercube" "rc_cube_machine #(.Dimensions(3), .Depth(3), $memories)"
known 6 "a hypercube without routers" "rc_cube_machine #(.Dimensions(1), $memories)"
known 8 "a self-timed hypercube" \
    "rc_cube_auto_machine #(.Dimensions(2), .Depth(4), .Queue(4), .Width(6), .Packets(16), .Flits(2), .Rows(2))"

unknown multistage/rc_multistage_network.sv "/assign rdata.s. = '0;/d" 6 1000000a \
    "a stage that is not there" "$benes"
unknown multistage/rc_setting_table.sv "/assign column.c. = '0;/d" 7 "[0-9a-f]*" \
    "a column that is not there" "$clos"
unknown routers/rc_router.sv "s/32'(column_q) < Sources ?/1'b1 ?/" 8 "[0-9a-f]*" \
    "a column that a router has not" "$tree"
unknown shell/rc_host_port.sv "s/rows_o  *<= initial_run.*//" 6 00000008 "a register that is not reset" \
    "$benes"
unknown shell/rc_endpoint.sv "s/not_held_q <= ~clear_i & (/not_held_q <= (/" 6 50000000 "a flag that is not reset" \
    "$benes"
finish
