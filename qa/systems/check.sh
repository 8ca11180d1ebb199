#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check: runs one check of `make test-tools`, in the root of the sources, on the system under test.
#
#     check.sh gcc|clang|demo|lint|lockstep|netlist|benches|synth|first-run|versions
#
# Exit status 0 if it passes. A missing tool is a failure: no check is skipped.
set -euo pipefail
here=qa/systems

# build FOLDER COMPILER: builds the program and its libraries; a warning stops the build.
build() { make CC="$2" BUILD="$1" "$1/roundcast" && make CC="$2" BUILD="$1" libraries; }

# images: writes the image of each line of runs.txt to build/systems/NAME.
images() {
    local name schedule route
    rm -rf build/systems && mkdir -p build/systems
    while IFS='|' read -r name schedule route; do
        build/roundcast schedule $schedule -o "build/systems/$name.sched"
        build/roundcast route "build/systems/$name.sched" $route -o "build/systems/$name"
        names+=("$name")
    done < <(sed '/^#/d; s/ *| */|/g' $here/runs.txt)
    [ ${#names[@]} -gt 0 ]
}

# simulate ENGINE NAME: runs the image; every packet must arrive in its cycle.
simulate() {
    echo "== $2"
    build/roundcast simulate "build/systems/$2" --engine "$1" | tee build/systems/log
    grep -qx 'Every packet arrived in its predicted cycle\.' build/systems/log
}

# compile rtl|netlist NAME…: compiles the engines of the images in parallel, with the options of
# tests, in a third of the usual time.
compile() {
    local kind=$1 engines=()
    shift
    mapfile -t engines < <(
        build/roundcast engines --names --engine "$kind" "${@/#/build/systems/}" | sort -u)
    engines=("${engines[@]/#/build/engine-quick/}")
    make "${engines[@]/%//dut.so}"
    export ROUNDCAST_ENGINES=$PWD/build/engine-quick
}

# Machines of all kinds, csim and RTL.
lockstep() {
    local names=() name
    images
    compile rtl "${names[@]}"
    for name in "${names[@]}"; do simulate both "$name"; done
}

# A multistage machine and each kind of router, after synthesis.
netlist() {
    local names=() name
    images
    set -- benes fat-tree fat-tree-auto cube cube-auto
    compile netlist "$@"
    for name in "$@"; do simulate netlist "$name"; done
}

# Scripts that compile the RTL with Icarus; a skipped result counts as failed.
benches() {
    local script
    for script in own_tb init integrate four_state; do
        echo "== $script.sh"
        ROUNDCAST=$PWD/build/roundcast bash tests/cli/$script.sh | tee build/systems.tap
        ! grep -q '^not ok\|# SKIP' build/systems.tap
        grep -q '^ok' build/systems.tap
    done
}

# versions: prints a line `name version` for each tool.
versions() {
    local tool
    for tool in gcc clang verilator iverilog yosys make; do
        case $tool in
        iverilog) printf 'iverilog ' && { iverilog -V || true; } 2>&1 | sed -n 1p ;;
        yosys) printf 'yosys ' && yosys -V ;;
        *) printf '%s ' $tool && $tool --version | sed -n 1p ;;
        esac
    done | sed -E 's/^([^ ]+) [^0-9]*([0-9.]*[0-9]).*/\1 \2/'
}

case $1 in
gcc) build build gcc ;;
clang) build build/clang clang ;;
demo | lint) make "$1" ;;
synth) make synth DESIGNS=quick ;;
first-run) time make demo ;;
lockstep | netlist | benches | versions) "$1" ;;
*) echo "check.sh: unknown check: $1" >&2 && exit 2 ;;
esac
