#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bus_driver: the driver of driver/ runs machines of wide flits over Wishbone, AXI4-Lite, APB and
# UART, in Verilator (tests/rtl/bus_driver.cc). Flits of several parts are loaded in order, in
# reverse order, with a reset between two parts, and without one of them; accesses of packets during
# a run are rejected and change nothing; a flit without its held bit sets a flag. Flits have 33 and
# 512 bits, and with ROUNDCAST_EXHAUSTIVE also 32, 64 and 128.
#
# The expected packets are computed from the bytes of the payload. Counter-cases: a driver that
# reads one part too few or takes parts for flits, a memory that writes all parts at once, and a
# bridge that accepts an access during a run.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
root=$PWD
command -v "${VERILATOR:-verilator}" >/dev/null || { skip "the driver" "no verilator"; finish; }

# driver: compiles the driver in $TMP as a shared library.
driver() {
    "${CC:-cc}" -std=c11 -O2 -fPIC -shared -I"$TMP" -o "$TMP/librc_driver.so" "$TMP/driver/rc_driver.c"
}

# compiled WIDTH: compiles the machine in $TMP, with the library, as $TMP/model/bus_driver.
compiled() {
    rm -rf "$TMP/model"
    (cd "$TMP" && "${VERILATOR:-verilator}" --cc --exe --build -O3 -Wno-fatal -Wno-lint \
        --noassert -CFLAGS "-Og -I$TMP" -LDFLAGS "-L$TMP -lrc_driver -Wl,-rpath,$TMP" \
        -MAKEFLAGS -s --Mdir model -GWidth="$1" --top-module bus_driver_top -F rtl/roundcast.f \
        "$root/tests/rtl/bus_driver_top.sv" "$root/tests/rtl/bus_driver.cc" -o bus_driver) \
        >"$TMP/log" 2>&1
}

# routed WIDTH: routes a broadcast of two packets of two flits of random bytes.
routed() {
    mkdir "$TMP/$1"
    head -c $((2 * $1 / 8 * 2)) /dev/urandom >"$TMP/$1/payload"
    "$ROUNDCAST" route "$TMP/b.sched" --width "$1" --flits 2 --payload "$TMP/$1/payload" \
        --image writes -o "$TMP/$1" >/dev/null
}

# expected WIDTH: prints what the driver prints for a bus.
expected() {
    local width=$1 parts=$(($1 / 32 + 1)) old=93579bdf what
    case $width in
    32) old=80000000 ;;
    33) old=80000001 ;;
    esac
    od -An -v -w1 -tu1 "$TMP/$width/payload" | awk -v width="$width" -v nodes=4 -v packets=2 \
        -v flits=2 -v parts=$parts -f "$root/tests/rtl/bus_words.awk" >"$TMP/words"
    echo "4 ports, flits of $width bits in $parts parts"
    for what in "in order" "in reverse order" "with a reset between parts" "without a part" slowly; do
        echo "$what"
        if [ "$what" = "without a part" ]; then
            awk -v every=$((4 * parts)) -v old=$old 'NR % every == 2 { $2 = old } 1' "$TMP/words"
        else
            cat "$TMP/words"
        fi
    done
    echo "node 0: not held"
}

# seen WIDTH: prints the output of the driver over all buses, each after the name of the bus.
seen() { timeout 300 "$TMP/model/bus_driver" "$TMP/$1/image.writes" 2 2; }

"$ROUNDCAST" schedule matching -n 4 -m 2 -o "$TMP/b.sched" >/dev/null
cp -r rtl driver "$TMP/"
check "the driver is compiled" driver
for width in ${ROUNDCAST_EXHAUSTIVE:+32 64 128} 512 33; do
    check "$width bits: a broadcast is routed" routed $width
    check "… and the machine is compiled" compiled $width
    expected $width >"$TMP/expected"
    seen $width >"$TMP/seen"
    for bus in "Wishbone" "Wishbone, pipelined" "AXI4-Lite" "APB" "UART"; do
        check "… the driver over $bus" cmp "$TMP/expected" \
            <(awk -v bus="bus $bus" '/^bus / { here = $0 == bus; next } here' "$TMP/seen")
    done
done

# faulty BUILD FILE SCRIPT TEXT: plants a fault with sed and builds again; the output must be
# another one, of 33 bits.
faulty() {
    sed -i "$3" "$TMP/$2"
    check "(the fault is planted: $4)" bash -c '! cmp -s "$1" "$2"' _ "$2" "$TMP/$2"
    # shellcheck disable=SC2086  # a command with its argument
    check "(… and compiled)" $1
    check "($4)" bash -c '! cmp -s "$1" "$2"' _ "$TMP/expected" \
        <(seen 33 | awk '/^bus / { here = $0 == "bus APB"; next } here')
    cp "$2" "$TMP/$2"
}
faulty driver driver/rc_driver.c 's/width \/ 32 + 1/width \/ 32/' \
    "a driver that knows one part too few"
faulty driver driver/rc_driver.c 's/flit << driver->flit_shift/flit/' \
    "a driver that takes parts for flits"
driver
faulty "compiled 33" rtl/common/rc_ram.sv 's/if (we_i.p.)/if (|we_i)/' \
    "a part that overwrites the others"
faulty "compiled 33" rtl/shell/rc_shell.sv 's/closed_i(busy_q | start_i |/closed_i(start_i |/' \
    "a packet that is accessed during a run"
finish
