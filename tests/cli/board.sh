#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# board: a bitstream broadcasts. It is placed, routed and packed, turned back into Verilog, loaded
# through its serial pins and judged by the testbench; then the host's program talks to it over a
# pseudo-terminal.
#
# The machine has 2 ports, to be quick; `make bitstream` has 8. Counter-cases: an image whose
# receiver expects no packet, an image of another machine, and a file that is not a port.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
machine=rc_multistage_machine-ports2-pipe1-pad0-width15-packets16-flits16-rows256
memory=packets=16,flits=16,rows=256
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

doing="make bitstream"
make -s --no-print-directory bitstream BITSTREAM=$machine >"$TMP/out" 2>"$TMP/err"
same "a bitstream is made and runs" $? 0
check "… every packet in its predicted cycle" grep -q \
    'Every packet arrived in its predicted cycle' "$TMP/out"
check "… of cells, RAM blocks and a clock" grep -qE \
    '^logic cells [0-9]+ of 7680, RAM blocks [0-9]+ of 32, .* [0-9.]+ MHz' "$TMP/out"
same "… as large as the chip's memory" "$(wc -c <build/board/netlist-$machine/chip.bin)" 135100

# routed NAME NETWORK: routes a broadcast of three packets.
routed() {
    "$ROUNDCAST" schedule matching -n 2 -m 3 -o "$TMP/$1.sched" >/dev/null
    "$ROUNDCAST" route "$TMP/$1.sched" --network "$2" --width 15 --memory $memory -o "$TMP/$1" \
        >/dev/null
}
routed good benes:2
routed other benes:2,pad=1
cp -r "$TMP/good" "$TMP/deaf"
awk '/^@30/ && !done { print; getline; print "00000000"; done = 1; next } 1' \
    "$TMP/good/image.hex" >"$TMP/deaf/image.hex"
export ROUNDCAST_ENGINES=build/board
accepts 'Every packet arrived' "an image is loaded through the pins" \
    simulate "$TMP/good" --engine netlist
roundcast simulate "$TMP/deaf" --engine netlist
same "(a receiver that expects nothing is seen)" "$status" 1

make -s --no-print-directory build/board/load build/board/pty >"$TMP/log" 2>&1
build/board/pty build/board/netlist-$machine/dut.so >"$TMP/name" &
board=$!
trap 'kill $board; tap_clean' EXIT
for _ in {1..100}; do [ -s "$TMP/name" ] || sleep 0.1; done
# loaded TEXT STATUS PORT FOLDER PART: loads the folder through a port; checks status and message.
loaded() {
    local said status=0
    said=$(timeout 120 build/board/load "$3" "$TMP/$4" 2>&1) || status=$?
    if [ "$status" = "$2" ] && grep -qF -e "$5" <<<"$said"; then ok "$1"; else
        not_ok "$1" "exit $status: $said"; fi
}
port=$(cat "$TMP/name")
# Three packets of four flits at two nodes.
loaded "the host's program loads and judges it" 0 "$port" good \
    "2 nodes, 0 with a flag; they hold 24 words of the image's packets, 0 of them different"
printf 'WRX' >"$port"
loaded "… after half a frame of another program" 0 "$port" good "0 of them different"
loaded "(a receiver that expects nothing has a flag)" 1 "$port" deaf "2 nodes, 1 with a flag"
loaded "(another machine's image is refused)" 2 "$port" other "expected"
loaded "(a file that is not a serial port is rejected)" 2 /dev/null good "/dev/null: no serial port"
loaded "(a folder without an image is refused)" 2 "$port" . "image.hex"
finish
