#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# yowasp: a current Yosys, from npm, reads rtl/roundcast.f and produces the areas that
# synth/README.md lists next to those of the distribution's Yosys, and its netlist of a machine runs
# against the scoreboard.
#
# One router of the areas is synthesised again, or four designs if every space is exhausted. Any new
# file of the RTL changes the results of abc (uart: 175 and 201 LUTs), so that LUTs may differ by
# 15 %; flip-flops and RAMs may not. Counter-cases: a file too few, an image whose receiver expects
# no packet, and a fifth more LUTs.
#
# tags: long tools tooling
. "$(dirname "$0")/tap.sh"
make=(make -s --no-print-directory YOSYS=yowasp)
yosys=qa/yowasp/yosys
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

check "it is installed" "${make[@]}" build/yowasp/installed
wanted=$(sed -n 's/.*"@yowasp.yosys": "\([0-9]*\.[0-9]*\)\..*/\1/p' qa/yowasp/package.json)
same "… of the version that is asked for" "$($yosys -V | awk '{ print $2 }')" "$wanted"

tops="rc_cube_auto_machine rc_cube_machine rc_fat_tree_machine rc_multistage_machine rc_uart"
list=$(grep -v '^[/+]' rtl/roundcast.f | sed 's,^,rtl/,' | tr '\n' ' ')
# elaborated FILES: elaborates all tops from these files.
elaborated() {
    local script="read_verilog -sv -defer $1;" top
    for top in $tops; do
        script+=" design -push-copy; hierarchy -check -top $top; proc; check -assert; design -pop;"
    done
    $yosys -q -p "$script" >"$TMP/log" 2>&1
}
check "it elaborates every top from the list" elaborated "$list"
check "(without one of the files it does not)" bash -c "! $yosys -q -p \
    'read_verilog -sv -defer ${list/rtl\/common\/rc_ram.sv/}; hierarchy -check -top rc_cube_machine' \
    >/dev/null 2>&1"

# The table "design LUTs FFs RAMs" of both Yosys versions: lines of README.md, and of reports.
designs=router-5
[ -z "${ROUNDCAST_EXHAUSTIVE:-}" ] || designs='switch2 crossbar-4 endpoint-15 router-5 uart'
beside() {
    grep -E "^\| \`$1\` \| [0-9]" "${2:-synth/README.md}" | tr -d '|`' |
        awk '{ print $1, $5, $6, $7 }'
}
# about WANTED MADE: checks for the same design, flip-flops and RAMs, and LUTs within 15 %.
about() {
    awk '{ if (NR == 1) { d = $1; l = $2; f = $3; r = $4 }
           else exit !(d == $1 && f == $3 && r == $4 && $2 * 100 >= l * 85 && $2 * 100 <= l * 115) }' \
        <<<"$1"$'\n'"$2"
}
for design in $designs; do
    "${make[@]}" SYNTH="$TMP/synth" synth DESIGN="$design" TARGET=ice40 >"$TMP/out" 2>&1
    made=$(awk '$2 == "ice40" { print $1, $5, $6, $7 }' "$TMP/out")
    check "README.md has the area of $design" \
        about "$(beside "$design")" "${made:-$(tail -n 3 "$TMP/out")}"
done
read -r design luts others <<<"$(beside router-5)"
differs() { ! about "$@"; }
check "(a fifth more is found)" \
    differs "$design $luts $others" "$design $((luts * 6 / 5)) $others"

machine=netlist-rc_multistage_machine-ports2-pipe1-pad0-width16-packets4-flits4-rows16
check "its netlist of a machine is compiled" "${make[@]}" build/yowasp/engine-quick/$machine/dut.so
"$ROUNDCAST" schedule matching -n 2 -m 3 -o "$TMP/b.sched" >/dev/null
"$ROUNDCAST" route "$TMP/b.sched" --network benes:2 --memory packets=4,flits=4,rows=16 \
    -o "$TMP/b" >/dev/null
export ROUNDCAST_ENGINES=build/yowasp/engine-quick
accepts 'Every packet arrived in its predicted cycle.' "… and runs" simulate "$TMP/b" \
    --engine netlist
awk '/^@30/ && !done { print; getline; print "00000000"; done = 1; next } 1' "$TMP/b/image.hex" \
    >"$TMP/deaf"
mv "$TMP/deaf" "$TMP/b/image.hex"
roundcast simulate "$TMP/b" --engine netlist
same "(a receiver that expects nothing is seen)" "$status" 1
finish
