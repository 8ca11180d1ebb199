#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# integrate: the testbenches of docs/integrate.md, for a machine, for a network alone and for a
# machine on a Wishbone bus, run in Icarus and in Verilator, by the commands of the page. The
# listing on the page equals the file. Counter-cases: an edited image, arrival or transfer.
#
# Verilator compiles one testbench; all of them with ROUNDCAST_EXHAUSTIVE.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
here=docs/integrate page=docs/integrate.md

check "the page has the bench" diff "$here/machine_tb.v" <(sed -n '/^```verilog/,/^```/p' $page |
    sed '1d;$d')
check "… of at most 60 lines" test "$(wc -l <$here/machine_tb.v)" -le 60

# The page's own commands, in a shell.
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
mkdir "$TMP/bin"
ln -s "$ROUNDCAST" "$TMP/bin/roundcast"
sed -n '/^```sh$/,/^```/p' $page | grep -v '^```' >"$TMP/commands"
check "its commands make what the benches read" env -C "$TMP" PATH="$TMP/bin:$PATH" bash -e commands

# The output of the testbenches, without and with a fault.
declare -A prints=([machine]="45 cycles, 21 arrivals, 0 errors" [network]="21 transfers, 0 errors"
    [wishbone]="8 nodes have the packet, 0 errors")
said() { (cd "$TMP" && "$@" 2>&1) | grep -v -e '^WARNING: .*Not enough words' -e 'Verilog $finish' -e '^- '; }
runs() {
    local text=$1 expected=$2 seen
    shift 2
    seen=$(said "$@")
    if [ "$seen" = "$expected" ]; then ok "$text"; else not_ok "$text" "$seen"; fi
}
fails() {
    local text=$1 seen
    shift
    seen=$(said "$@")
    case $seen in
    *", 0 errors"*) not_ok "$text" "$seen" ;;
    *" errors"*) ok "$text" ;;
    *) not_ok "$text" "$seen" ;;
    esac
}

for bench in machine network wishbone; do
    seen=$(cd rtl && "${IVERILOG:-iverilog}" -g2012 -Wall -s ${bench}_tb -o "$TMP/$bench.vvp" \
        -c roundcast.f ../$here/${bench}_tb.v 2>&1 | grep -v 'constant selects in always_\*')
    if [ -z "$seen" ]; then ok "Icarus compiles ${bench}_tb"; else not_ok "Icarus" "$seen"; fi
    runs "… which says ${prints[$bench]}" "${prints[$bench]}" vvp -n $bench.vvp
    [ $bench = machine ] || [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ] || continue
    check "Verilator compiles it" "${VERILATOR:-verilator}" --binary -Wall -Wno-DECLFILENAME \
        -Wno-PINCONNECTEMPTY -Wno-BLKSEQ -Wno-UNUSED -Mdir "$TMP/verilated-$bench" \
        -F rtl/roundcast.f rtl/roundcast.vlt $here/${bench}_tb.v --top-module ${bench}_tb
    runs "… which says the same" "${prints[$bench]}" verilated-$bench/V${bench}_tb
done

# A fabric with endpoints outside equals the machine, in Icarus; 2056 words are all of the memories.
fabric() {
    (cd rtl && "${IVERILOG:-iverilog}" -g2012 -Wall "$@" -s fabric_tb -o "$TMP/fabric.vvp" \
        -c roundcast.f ../$here/fabric_tb.sv 2>&1)
}
check "Icarus compiles fabric_tb without a warning" test -z "$(fabric)"
same="2214 cycles, 5 rows observed, 2056 words read, 0 differences"
runs "a fabric with endpoints outside equals the machine" "$same" vvp -n fabric.vvp
fabric -Pfabric_tb.Faulty=1 >"$TMP/log"
seen=$(said vvp -n fabric.vvp)
check "(with an endpoint that does not receive it differs)" \
    test "${seen%, *} ${seen##*, }" != "${same%, *} 0 differences"

# A machine whose clock is gated is the same machine; ce_i of a network does not stall it.
# stalled BENCH SED-SCRIPT: compiles the edited testbench.
stalled() {
    sed "$2" "$here/$1_tb.v" >"$TMP/stalled.v"
    ! cmp -s "$here/$1_tb.v" "$TMP/stalled.v" || return
    (cd rtl && "${IVERILOG:-iverilog}" -g2012 -s "$1_tb" -o "$TMP/stalled.vvp" -c roundcast.f "$TMP/stalled.v")
}
gated='s/always #5 clk = ~clk;/reg on = 1; always begin #5 on = $random; #5 clk = on; #5 clk = 0; end/'
check "a machine with a gated clock is compiled" stalled machine "$gated"
runs "… and runs as with a free clock" "${prints[machine]}" vvp -n stalled.vvp
check "a network with a stalled ce_i is compiled" stalled network \
    's/.ce_i(1.b1)/.ce_i(on)/; s/initial clk = 0;/initial clk = 0; reg on = 1; always @(negedge clk) on = $random;/'
fails "(… and loses flits)" vvp -n stalled.vvp

# A total exchange between AXI4-Stream ports, by the commands of the page.
sed -n '/^roundcast schedule total-exchange/,/exchange.hex$/p' $page >"$TMP/commands"
check "the commands for streams run" env -C "$TMP" PATH="$TMP/bin:$PATH" bash -e commands
stream() {
    (cd rtl && "${IVERILOG:-iverilog}" -g2012 -Wall "$@" -s stream_tb -o "$TMP/stream.vvp" \
        -c roundcast.f ../$here/stream_tb.sv 2>&1)
}
check "Icarus compiles stream_tb without a warning" test -z "$(stream)"
runs "streams exchange all packets" "224 words, 0 errors, error_o 0" vvp -n stream.vvp
stream -Pstream_tb.Late=3 >"$TMP/log"
runs "(a sink that is late loses words, which error_o reports)" "213 words, 0 errors, error_o 1" \
    vvp -n stream.vvp

# Words of 33 to 512 bits, each bit of which counts.
for width in 33 64 128 512; do
    sed "s/^roundcast route/& --width $width/" "$TMP/commands" >"$TMP/wide"
    check "streams of $width bits are routed" env -C "$TMP" PATH="$TMP/bin:$PATH" bash -e wide
    check "… compiled without a warning" test -z "$(stream -Pstream_tb.Width=$width)"
    runs "… and exchange all packets" "224 words, 0 errors, error_o 0" vvp -n stream.vvp
done
cp -r rtl "$TMP/"
sed -i "s/tdata_o <= lane_i/tdata_o <= {2'b0, {(Width-2){1'b1}}} \& lane_i/" \
    "$TMP/rtl/bus/rc_stream_endpoint.sv"
(cd "$TMP/rtl" && "${IVERILOG:-iverilog}" -g2012 -Pstream_tb.Width=512 -s stream_tb \
    -o "$TMP/stream.vvp" -c roundcast.f "$OLDPWD/$here/stream_tb.sv") >"$TMP/log" 2>&1
fails "(an endpoint that loses the highest two bits is seen)" vvp -n stream.vvp

for file in image.writes arrivals.hex transfers.hex; do cp "$TMP/$file" "$TMP/good.$file"; done
sed -i 's/^1000000000000.../10000000000005a5/' "$TMP/image.writes"
fails "(another setting is seen in the machine)" vvp -n machine.vvp
fails "(… and in the network)" vvp -n network.vvp
sed 's/^3[0-9a-f]*$/3000000000000000/' "$TMP/good.image.writes" >"$TMP/image.writes"
fails "(a receiver that expects nothing is seen over Wishbone)" vvp -n wishbone.vvp
cp "$TMP/good.image.writes" "$TMP/image.writes"
sed -i 2d "$TMP/arrivals.hex"
fails "(an arrival too many is seen)" vvp -n machine.vvp
sed '/^f/i 00ff00070000' "$TMP/good.arrivals.hex" >"$TMP/arrivals.hex"
fails "(one too few)" vvp -n machine.vvp
sed -i '1s/..$/00/' "$TMP/transfers.hex"
fails "(another destination)" vvp -n network.vvp
finish
