#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# buses: a machine that is loaded, started and read over Wishbone, AXI4-Lite or APB behaves and
# holds the same words as over its host port: bus_tb.sv, in Icarus. Masters wait and the machine is
# stalled at random. Each bus rejects writes of single bytes and, during a run, a second start and a
# read of a packet.
#
# Flits have 31 bits, one part, or 32 to 512 bits in 2 to 17 parts, which are also written out of
# order, with resets between them, and in part. The words that the nodes hold after the run are
# those of the payload, computed here from its bytes. Counter-cases: a wrapper that writes single
# bytes or answers while the machine is stalled, a machine that obeys the second start, and memories
# that write or read the wrong parts are detected.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
root=$PWD
iverilog=${IVERILOG:-iverilog}
image=$(dirname "$0")/../rtl/bus_image.sh

cp -r rtl "$TMP/"

# seen FOLDER WIDTH BUS: prints the testbench's output over this bus with the image of a folder.
seen() {
    (cd "$TMP/rtl" && "$iverilog" -g2012 -s bus_tb -Pbus_tb.Width="$2" -Pbus_tb.Bus="$3" \
        -o "$TMP/vvp" -c roundcast.f "$root/tests/rtl/bus_tb.sv") 2>&1 |
        grep -v 'constant selects in always_\*'
    (cd "$TMP/$1" && timeout 60 vvp -n "$TMP/vvp") | grep -v '^WARNING: .*Not enough words'
}

# same FOLDER WIDTH: checks that each bus behaves as the host port, whose output is FOLDER/port.
same() {
    local bus=0 name
    for name in "Wishbone" "Wishbone, pipelined" "AXI4-Lite" "APB"; do
        bus=$((bus + 1))
        seen "$1" "$2" $bus >"$TMP/bus"
        check "over $name they arrive, and all else is the same" cmp "$TMP/bus" "$TMP/$1/port"
    done
}

# faulty FOLDER WIDTH BUS FILE SCRIPT TEXT: plants a fault with sed; the output must change.
faulty() {
    sed -i "$5" "$TMP/rtl/$4"
    check "(the fault is planted: $6)" bash -c '! cmp -s "$1" "$2"' _ "rtl/$4" "$TMP/rtl/$4"
    seen "$1" "$2" "$3" >"$TMP/bus"
    check "($6 is seen)" bash -c '! cmp -s "$1" "$2"' _ "$TMP/bus" "$TMP/$1/port"
    cp "rtl/$4" "$TMP/rtl/$4"
}

# words WIDTH: prints the words of two flits of three packets at eight nodes from the payload.
words() {
    local parts=1
    while [ $parts -lt $(($1 / 32 + 1)) ]; do parts=$((2 * parts)); done
    od -An -v -w1 -tu1 | awk -v width="$1" -v nodes=8 -v packets=3 -v flits=2 -v parts=$parts \
        -f "$root/tests/rtl/bus_words.awk"
}

mkdir "$TMP/b"
"$image" "$TMP/b"
seen b 31 0 >"$TMP/b/port"
check "over the host port 21 packets arrive" test "$(grep -c '^cycle' "$TMP/b/port")" = 21
check "… and three partial writes, a second start and a read in the run are rejected" test \
    "$(grep -m 2 ' refusals' "$TMP/b/port" | tr '\n' ' ')" = "3 refusals 5 refusals "
same b 31
for width in 32 33 64 128 512; do
    mkdir "$TMP/$width"
    "$image" "$TMP/$width" $width
    seen $width $width 0 >"$TMP/$width/port"
    check "$width bits: over the host port 21 packets arrive" test \
        "$(grep -c '^cycle' "$TMP/$width/port")" = 21
    check "… and no part is wrong" grep -qx '0 parts wrong' "$TMP/$width/port"
    check "… and four partial writes, a second start and a read in the run are rejected" test \
        "$(grep -m 2 ' refusals' "$TMP/$width/port" | tr '\n' ' ')" = "4 refusals 6 refusals "
    words $width <"$TMP/$width/payload" >"$TMP/words"
    check "… and each node holds the payload" cmp "$TMP/words" \
        <(grep '^word ' "$TMP/$width/port")
    same $width $width
done

faulty b 31 4 bus/rc_bus_port.sv 's/& whole;/;/' "a wrapper that writes single bytes"
faulty b 31 4 bus/rc_bus_port.sv 's/ack_q3 & host_ready_i/ack_q3/' "an answer during a stall"
faulty b 31 4 shell/rc_shell.sv \
    's/start_i & ~busy_q & ~rst_i/start_i/; s/closed_i(busy_q | start_i |/closed_i(/' \
    "a second start that is obeyed"
faulty 33 33 3 common/rc_ram.sv 's/if (we_i.p.)/if (|we_i)/' "a part that overwrites the others"
faulty 33 33 2 shell/rc_host_word.sv 's/read_q <= parts_i/read_q <= ~parts_i/' \
    "a part that is read in place of another"
faulty 64 64 1 shell/rc_host_port.sv \
    's/host_packet_o <= host_addr_i.FlitBits+PartBits/host_packet_o <= host_addr_i[FlitBits/' \
    "a packet that is addressed by its part"
faulty 33 33 4 bus/rc_bus_port.sv "s/28'(addr_i\[FieldBits-1:0\])/28'(addr_i[FieldBits-2:0])/" \
    "a bus that drops the highest bit of a field"
head -c 1 "$TMP/33/payload" | tr '\0-\377' '\1-\377\0' >"$TMP/other"
tail -c +2 "$TMP/33/payload" >>"$TMP/other"
check "(another payload is seen)" bash -c '! cmp -s "$1" <(grep "^word " "$2")' _ \
    <(words 33 <"$TMP/other") "$TMP/33/port"
finish
