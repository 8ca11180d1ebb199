#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# uart: the UART executes each complete frame once, on a line that is too fast, too slow or has
# single-cycle glitches, and ignores damaged frames: uart_tb.sv, in Icarus.
#
# Counter-cases are faults of the RTL, each of which the testbench must detect. With
# ROUNDCAST_EXHAUSTIVE each bit of a frame is damaged, otherwise every fifth bit; with the faults,
# every twelfth.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
bench=$(dirname "$0")/../rtl/uart_tb.sv
rtl="$(grep -l '^package' rtl/*/*.sv) rtl/bus/rc_bus_port.sv"
step=${ROUNDCAST_EXHAUSTIVE:+1}

# bench FOLDER STEP FRAMES: prints the testbench's output for the RTL in FOLDER.
bench() {
    # shellcheck disable=SC2086 # a list of files
    "${IVERILOG:-iverilog}" -g2012 -Irtl/common -s uart_tb -Puart_tb.Step="$2" \
        -Puart_tb.Frames="$3" -o "$1/vvp" $rtl "$1"/rc_uart*.sv "$bench" 2>"$1/log" &&
        vvp -n "$1/vvp" 2>&1
}

mkdir "$TMP/good"
cp rtl/bus/rc_uart*.sv "$TMP/good"
said=$(bench "$TMP/good" "${step:-5}" 3)
if [ "$said" = PASS ]; then ok "frames are done once, or not at all"; else
    not_ok "frames are done once, or not at all" "$said"; fi

# fault FILE SCRIPT WHAT: checks that the testbench detects the fault.
fault() {
    rm -rf "$TMP/bad"
    cp -r "$TMP/good" "$TMP/bad"
    sed -i "$2" "$TMP/bad/$1"
    if cmp -s "$TMP/good/$1" "$TMP/bad/$1"; then
        not_ok "($3)" "the script changes nothing"
    else
        check "($3)" test "$(bench "$TMP/bad" 12 1 | tail -n 1)" = FAIL
    fi
}
fault rc_uart_receiver.sv 's/wire line = .*/wire line = samples_q[2]; wire none =/' \
    "a line without the majority of samples"
fault rc_uart_receiver.sv 's,Divider / 2 - 1,Divider - 1,' "bits that are read at their ends"
fault rc_uart_receiver.sv 's/error_o <= ~line/error_o <= 1'"'b0/" "a stop bit that is not checked"
fault rc_uart.sv "s/ && check_q == '0//" "a checksum that is not checked"
fault rc_uart.sv "s/8'h07/8'h03/" "another polynomial"
fault rc_uart.sv 's/wrong_q <= wrong_q | error/wrong_q <= error/' "an error that the next byte hides"
fault rc_uart.sv 's/what_q == Read \&\& !refused ? host_rdata_i/what_q == Read ? frame_q[31:0]/' \
    "a word that is the address"
fault rc_uart.sv 's/(ack ? !refused : done_q) ? Done/ack ? Done/' "a reset that is not reported as done"
fault rc_uart.sv "s/(ack ? !refused : done_q) ? Done/(ack ? 1'b1 : done_q) ? Done/" \
    "an access that is rejected, but reported as done"
fault rc_uart_sender.sv "s/bits_q <= 4'd10/bits_q <= 4'd9/" "a byte without its stop bit"
finish
