#!/bin/bash
# oracles: what executes an image shares no code with what made it, nor with what judges it.
#
# The objects of csim and its engine may call the machine's parameters and errors, and nothing of the
# compiler or the scoreboard; the scoreboard may call the schedule and the payload, and nothing of the
# router or the engines. Counter-case: the bench, which brings both together, is found out.
. "$(dirname "$0")/tap.sh"

objects=$(dirname "$ROUNDCAST")/obj
compiler='^(schedule|route|verify|algorithm|bound|plan|tune|image|unpack|payload|benes_route|benes_any|clos|omega|network_route|passes|split|multistage_trace)(_|$)'

# calls PATTERN OBJECT…: the symbols that the objects need from elsewhere and that match.
calls() {
    local pattern=$1
    shift
    nm --undefined-only "$@" 2>/dev/null | awk '$1 == "U" {print $2}' | sort -u | grep -E "$pattern"
}

for engine in "$objects"/csim/*/*.o "$objects"/testbench/engine/dut_csim.o; do
    name=${engine#"$objects"/}
    if [ ! -s "$engine" ]; then
        not_ok "$name calls nothing of the compiler" "there is no such object"
    elif found=$(calls "$compiler|^scoreboard_" "$engine"); then
        not_ok "$name calls nothing of the compiler" "it calls $found"
    else
        ok "$name calls nothing of the compiler"
    fi
done

if found=$(calls '^(route|image|unpack|benes|clos|omega|network|passes|split|engine|bench|dut|csim)_' "$objects/testbench/run/scoreboard.o"); then
    not_ok "the scoreboard calls neither router nor engine" "it calls $found"
else
    check "the scoreboard calls neither router nor engine" test -s "$objects/testbench/run/scoreboard.o"
fi

check "the bench is found to call both" test -n "$(calls '^scoreboard_' "$objects/testbench/run/simulate.o")" -a \
    -n "$(calls '^payload_' "$objects/testbench/run/simulate.o")"

finish
