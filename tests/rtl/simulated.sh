# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# simulated.sh: functions that make bundles and run them on the RTL in Icarus or Verilator
# (four_state_run.sv). The scripts of tests/cli that need them source this file, after tap.sh.
project=$PWD
# Packages first.
rtl=$(grep -l '^package' rtl/*/*.sv && grep -L '^package' rtl/*/*.sv)

# engine_of BUNDLE: prints the name of its compiled engine, without rtl-.
engine_of() { "$ROUNDCAST" engines --names "$1" | sed 's/^rtl-//'; }

# machine_of BUNDLE: prints the module with its parameters.
machine_of() {
    local engine
    engine=$(engine_of "$1")
    echo "${engine%%-*} #($(awk -f synth/parameters.awk -v form='.%s(%s),' <<<"$engine" |
        sed 's/, *$//'))"
}

# writes_of IMAGE: prints its words in order, as lines of address and word.
writes_of() {
    sed 's,//.*,,' "$1" | awk '
        function hex(text,    k, value) {
            for (k = 1; k <= length(text); k++) {
                value = value * 16 + index("0123456789abcdef", substr(text, k, 1)) - 1
            }
            return value
        }
        { for (k = 1; k <= NF; k++)
              if ($k ~ /^@/) at = hex(substr($k, 2)); else printf "%08x%s\n", at++, $k }'
}

# simulated FOLDER BUNDLE ENDPOINTS ROUTERS [OPTION…]: simulates the bundle's run with the RTL of a
# folder; the options are for Icarus.
simulated() {
    writes_of "$2/image.hex" >"$2/writes.hex"
    # shellcheck disable=SC2086  # a list of files without blanks
    (cd "$1" && "${IVERILOG:-iverilog}" -g2012 "${@:5}" -Irtl/common \
        -DMACHINE="$(cat "$2/machine")" -Pfour_state_run.Endpoints="$3" \
        -Pfour_state_run.Writes="$(wc -l <"$2/writes.hex")" -Pfour_state_run.Routers="$4" \
        -s four_state_run -o "$TMP/vvp" $rtl \
        "$project/tests/rtl/four_state_run.sv" >"$TMP/log" 2>&1) || { cat "$TMP/log"; return; }
    vvp -n "$TMP/vvp" +writes="$2/writes.hex"
}

# compiled FOLDER BUNDLE ENDPOINTS ROUTERS [OPTION…]: compiles the RTL of a folder for a simulated
# bundle with Verilator, with random registers, as $TMP/model/random; the options are for Verilator.
compiled() {
    rm -rf "$TMP/model"
    # shellcheck disable=SC2086  # a list of files without blanks
    (cd "$1" && "${VERILATOR:-verilator}" --binary --x-initial unique -Wno-fatal -O0 "${@:5}" \
        -Irtl/common -DMACHINE="$(cat "$2/machine")" -GWrites="$(wc -l <"$2/writes.hex")" \
        -GEndpoints="$3" -GRouters="$4" --top-module four_state_run -Mdir "$TMP/model" $rtl \
        "$project/tests/rtl/four_state_run.sv" -o random >"$TMP/log" 2>&1) || cat "$TMP/log"
}

# bundle NAME NETWORK SCHEDULE…: schedules and routes. SCHEDULE may end in -- OPTION… for route.
bundle() {
    local name=$1 network=$2 schedule=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do schedule+=("$1"); shift; done
    "$ROUNDCAST" schedule "${schedule[@]}" -o "$TMP/$name.sched" >/dev/null &&
        "$ROUNDCAST" route "$TMP/$name.sched" --network "$network" "${@:2}" -o "$TMP/$name" \
            >/dev/null &&
        machine_of "$TMP/$name" >"$TMP/$name/machine"
}
