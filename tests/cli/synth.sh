#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# synth: `make synth` of one design, network or machine prints the counts of Yosys' own statistics,
# with the parameters that the program gives an engine, and rejects unknown designs by name; the
# whole output equals the table of synth/README.md.
#
# A switch and a crossbar of the table are synthesised again. The library has five cells of 10 ps
# each; counter-cases are a library whose cells take twice as long, and a table with one LUT too
# many.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
library=$(dirname "$0")/synth/tiny.lib
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

# synth ARGUMENT…: runs make synth; sets $TMP/out and $status.
synth() {
    status=0
    doing="make synth $*"
    make -s --no-print-directory SYNTH="$TMP/synth" synth "$@" >"$TMP/out" 2>"$TMP/err" ||
        status=$?
}
# field COLUMN TARGET: prints a field of the line of that target.
field() { awk -v column="$1" -v target="$2" '$2 == target { print $column }' "$TMP/out"; }
# cells TYPE TARGET NAME: prints how often Yosys counted the cell type at the end.
cells() {
    awk -v type="$1" '/Number of cells/ { n = 0 } $1 == type { n = $2 } END { print n + 0 }' \
        "$TMP/synth/one/$3.$2.log"
}

synth DESIGN=switch2
same "a switch is synthesised on four targets" "$(awk '$1 == "switch2" { print $2 }' "$TMP/out")" \
    "$(printf '%s\n' generic ice40 ecp5 xilinx)"
same "… of as many LUTs as it has output bits, in each" \
    "$(awk '$1 == "switch2" { print $5 }' "$TMP/out" | uniq)" 34
check "… with a clock rate on iCE40" grep -qE ' ice40 .* [0-9]+\.[0-9]+$' "$TMP/out"
check "… and on no other" bash -c "! grep -E ' (generic|ecp5|xilinx) .*[0-9.]+ +[0-9]+\.[0-9]+$' '$TMP/out'"

synth NETWORK=benes:12 WIDTH=32 TARGET=ecp5
same "a network of words of 32 bits" "$(tail -n 1 "$TMP/out")" \
    "rc_multistage_network Ports=12 Pipe=1 Pad=0 Rows=256 LaneBits=33"
same "… has the stages that the program says" "$(field 4 ecp5)" \
    "$("$ROUNDCAST" run path -n 2 -m 1 --network benes:12 --engine csim |
        sed -n 's/.* \([0-9]*\) stages.*/\1/p')"
same "… and the flip-flops that Yosys counts" "$(field 6 ecp5)" \
    "$(cells TRELLIS_FF ecp5 network)"
synth NETWORK=benes:4 TARGET=ecp5
same "the tables of a network are block RAMs on ECP5" "$(field 7 ecp5)" 3
synth NETWORK=benes:4 TARGET=ecp5 RAM_STYLE=distributed
same "… unless another style is selected" "$(field 7 ecp5),$(cells DP16KD ecp5 network)" 0,0
check "… and then memories in LUTs" test "$(cells TRELLIS_DPR16X4 ecp5 network)" -gt 0
synth MACHINE=fat-tree TREE=2 WIDTH=7 TARGET=generic MEMORY=packets=2,flits=2,rows=4
same "a machine of routers is that of its tree" "$(tail -n 1 "$TMP/out" | tr ' ' '\n' |
    grep -E 'Children|Width|Packets|Rows' | tr '\n' ' ')" "Children=384'h2 Width=7 Packets=2 Rows=4 "

synth DESIGN=switch2 LIBERTY="$library"
area=0
for cell in INV:1 BUF:2 NAND2:2 NOR2:2 DFF:6; do
    area=$((area + ${cell#*:} * $(cells "${cell%:*}" liberty switch2)))
done
same "a library's area is that of the cells that were used" "$(field 8 liberty)" $area
same "… among them a flip-flop for each bit" "$(field 6 liberty)" 34
delay=$(field 9 liberty)
sed 's/"10, 10", "10, 10"/"20, 20", "20, 20"/' "$library" >"$TMP/slow.lib"
synth DESIGN=switch2 LIBERTY="$TMP/slow.lib"
same "(one that is twice as slow takes twice as long)" "$(field 9 liberty)" $((2 * delay))

# refused PART VARIABLE=VALUE…: checks for exit status 2, no standard output, and PART in the
# message. The program of `make synth` is run directly, because make itself takes longer.
sources=$(sed '/^\/\//d; s,^,rtl/,' rtl/roundcast.f)
refused() {
    local part=$1
    shift
    status=0
    # shellcheck disable=SC2086  # a list of files without blanks
    env ROUNDCAST="$ROUNDCAST" "$@" synth/one.sh "$TMP/synth" $sources synth/cube_node.sv \
        >"$TMP/out" 2>"$TMP/err" || status=$?
    if [ "$status" = 2 ] && [ ! -s "$TMP/out" ] && grep -qF -e "$part" "$TMP/err"; then
        ok "refused: $*"
    else
        not_ok "refused: $*" "exit $status: $(cat "$TMP/out" "$TMP/err")"
    fi
}
synth DESIGN=router-55
check "make passes on what is wrong" contains "$TMP/err" \
    "DESIGN: 'router-55'; expected one of switch2 "
same "… with its exit status for errors" "$status" 2
refused "DESIGN: 'router-55'; expected one of switch2 " DESIGN=router-55
refused "TARGET: 'ice'; expected one of generic ice40 ecp5 xilinx" DESIGN=switch2 TARGET=ice
refused "RAM_STYLE: 'small'; expected one of auto block distributed" DESIGN=switch2 RAM_STYLE=small
refused "ice40: of no design; expected DESIGN, NETWORK or MACHINE" TARGET=ice40
refused "several; expected one of them" DESIGN=switch2 NETWORK=benes:4
refused "[E401 network]" NETWORK=benes:1
refused "[E401 network]" MACHINE=bens:4
refused "NETWORK: 'cube' is routers; expected MACHINE=cube" NETWORK=cube
refused "WIDTH: '0'; expected a number in 1 … 1022" NETWORK=benes:4 WIDTH=0
refused "[E102 range]" MACHINE=benes:4 WIDTH=513
refused "nowhere.lib: cannot be read" DESIGN=switch2 LIBERTY=nowhere.lib
refused "README.md: no 'library (…)'" DESIGN=switch2 LIBERTY=README.md
sed 's/cell(DFF)/cell(D' "$library" >"$TMP/broken.lib" 2>/dev/null || head -c 900 "$library" \
    >"$TMP/broken.lib"
synth DESIGN=switch2 LIBERTY="$TMP/broken.lib"
same "refused: half a library" "$status,$(wc -c <"$TMP/out")" 2,0

# Compares the table: prints lines of README.md that are missing from a report with the same
# designs. The clock rate depends on the placement, which any other module of the RTL may change.
table() { awk '/^```$/ { inside = !inside } inside && ($2 == "generic" || $2 == "ice40")' "$1"; }
counts() { awk '{ $9 = ""; print }'; }
differs() {
    table "$2" | grep -wE "^($3)" | counts | grep -vxF -f <(awk -f synth/table.awk "$1" | counts)
}
echo header >"$TMP/report.csv"
for design in switch2 crossbar-4; do
    for target in generic ice40; do
        synth DESIGN=$design TARGET=$target
        cat "$TMP/synth/one/$design.$target.csv"
    done
done >>"$TMP/report.csv"
designs='switch2|crossbar-4'
same "the table of README.md has its lines" "$(table synth/README.md | grep -cwE "^($designs)")" 4
same "… as they are made" "$(differs "$TMP/report.csv" synth/README.md "$designs")" ""
sed -E 's/^(switch2 +generic.*) 34 /\1 35 /' synth/README.md >"$TMP/README.md"
check "(a LUT too many is found)" test -n "$(differs "$TMP/report.csv" "$TMP/README.md" "$designs")"
finish
