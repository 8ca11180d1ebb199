#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage_tb: run the benches of rtl/bus with Verilator's counters, for coverage_rtl.mk.
#
#     coverage_tb.sh MODELS DATA
#
# MODELS has bus0 ... bus4, where 0 is no bus, and uart, each with a Vbench; DATA gets what they
# counted in rtl/bus: the rest of the RTL is in engines. Over each bus must be seen what is seen
# without one (cases/buses.sh does so in Icarus).
set -eu -o pipefail
models=$(realpath "$1") data=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${0%/*}/bus_image.sh" "$work"
cd "$work"

# run BENCH: what it says; what it counted is kept.
run() {
    "$models/$1/Vbench" | sed '/^- /d'
    sed -n '/rtl\/bus\//p' bench.dat >"$data/$1.dat"
}
run bus0 >port
for bus in bus1 bus2 bus3 bus4; do
    run "$bus" | cmp - port
done
run uart | grep PASS >uart
