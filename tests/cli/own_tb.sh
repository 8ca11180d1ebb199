#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# own_tb: a testbench written from docs/machine.md alone runs an image: own_tb.sv, in Icarus. Its
# output matches the schedule and the payload, and it detects a broken image.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")/../rtl
# Packages first.
rtl="$(grep -l '^package' rtl/*/*.sv) $(grep -L '^package' rtl/*/*.sv)"

# shellcheck disable=SC2086 # a list of files without blanks
check "it is compiled" "${IVERILOG:-iverilog}" -g2012 -Irtl/common -s own_tb -o "$TMP/vvp" $rtl \
    "$here/own_tb.sv"
printf 'abcdefgh%016d' 7 >"$TMP/payload"
"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$TMP/b.sched" >/dev/null
"$ROUNDCAST" route "$TMP/b.sched" --payload "$TMP/payload" -o "$TMP/b" >/dev/null

# runs EXPECTED TEXT IMAGE: checks the testbench's output for the image.
runs() {
    local seen
    seen=$(vvp -n "$TMP/vvp" +image="$3" 2>&1)
    if [ "$seen" = "$1" ]; then ok "$2"; else not_ok "$2" "$seen"; fi
}

# Five rounds of 4 flits and 5 cycles; 3 packets reach 7 nodes; the first two bytes of each packet
# of 8, the lower one first.
runs '45 cycles, 21 packets completed, 0 flags
slot 0: 00006261
slot 1: 00003030
slot 2: 00003030' "a broadcast" "$TMP/b/image.hex"
first=$(awk '/^@30/ { print NR; exit }' "$TMP/b/image.hex")
sed "$((first + 1))s/.*/00000000/" "$TMP/b/image.hex" >"$TMP/deaf.hex"
check "(a receiver that expects nothing is seen)" bash -c \
    "vvp -n '$TMP/vvp' +image='$TMP/deaf.hex' | grep -q ' [1-9][0-9]* flags'"

finish
