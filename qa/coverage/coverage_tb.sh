#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage_tb: runs the testbenches of rtl/bus with the counters of Verilator, for coverage_rtl.mk.
#
#     coverage_tb.sh MODELS DATA
#
# MODELS contains bus0 ... bus4, where 0 is the host port without a bus, and uart, each with a
# Vbench. DATA receives the counts of rtl/bus; the rest of the RTL is counted in engines. Each bus
# must produce the output of the host port alone (tests/cli/buses.sh checks this in Icarus).
set -eu -o pipefail
models=$(realpath "$1") data=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tests/rtl/bus_image.sh "$work"
cd "$work"

# run BENCH: prints its output; its counts are kept.
run() {
    "$models/$1/Vbench" | sed '/^- /d'
    sed -n '/rtl\/bus\//p' bench.dat >"$data/$1.dat"
}
run bus0 >port
for bus in bus1 bus2 bus3 bus4; do
    run "$bus" | cmp - port
done
run uart | grep PASS >uart
