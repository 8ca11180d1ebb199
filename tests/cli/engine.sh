#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# engine: engines that are built, and the errors for engines that cannot be built or that are of
# another shape.
#
# The netlist runs the same testbench and images as csim and the RTL, valid ones and a broken one.
# An engine of another shape, one that does not build, and one that exports nothing are made in a
# folder that stands in for the project's.
. "$(dirname "$0")/tap.sh"

capacity=packets=4,flits=4,rows=16
small="--memory $capacity --network benes:8 --engine netlist"

# The first run builds the netlist and may print messages.
"$ROUNDCAST" run path -n 2 -m 1 $small >/dev/null 2>&1
for case in 'matching -n 8 -m 3' 'matching -n 8 -m 4 --model telephone' 'matching -n 5 -m 4' \
    'circulant -n 7 -m 4' \
    'circulant -n 8 -m 1 --flits 1' 'path -n 6 -m 2 --source 3' \
        'binomial -n 8 -m 3 --model telegraph' \
    'binary-tree -n 8 -m 4 --flits 3'; do
    accepts 'Every packet arrived in its predicted cycle.' "netlist: $case" run $case $small
done

"$ROUNDCAST" schedule circulant -n 8 -m 3 -o "$TMP/c8.sched" >/dev/null
"$ROUNDCAST" route "$TMP/c8.sched" --network benes:8 --memory $capacity -o "$TMP/c8" >/dev/null
# Stage 2, row 3 of the switch tables: the last round, in which every node but one receives.
sed -i 's|^// end|@10000023\n0000000f\n&|' "$TMP/c8/image.hex"
count=$(awk '/^[0-9a-f]/ {n += NF} END {print n}' "$TMP/c8/image.hex")
sed -i "s|^// end.*|// end $count|" "$TMP/c8/image.hex"
roundcast simulate "$TMP/c8" --engine netlist
if [ "$status" -eq 1 ] && grep -q 'round 4: .*E60[14] ' "$TMP/err"; then
    ok "netlist: other settings in round 4 are caught"
else
    not_ok "netlist: other settings in round 4 are caught" "exit $status: $(cat "$TMP/err")"
fi

# The trace of a compiled engine if no file may be larger than a given number of kB: either an error
# and no file, or a complete file.
mkdir "$TMP/waves"
"$ROUNDCAST" run path -n 4 -m 1 --engine rtl --waves "$TMP/waves/a.fst" >/dev/null 2>&1
traced=$(stat -c %s "$TMP/waves/a.fst")
check "RTL writes a trace" test "$traced" -gt 1000
for most in 1 2 3 $((traced / 1024)); do
    rm -f "$TMP"/waves/*
    status=0
    (ulimit -f "$most" && exec "$ROUNDCAST" run path -n 4 -m 1 --engine rtl \
        --waves "$TMP/waves/a.fst") >/dev/null 2>"$TMP/err" || status=$?
    check "… of at most $most kB is refused, and nothing left" test "$status,$(
        grep -c 'expected room on the disk \[E202 write\]$' "$TMP/err"),$(
        find "$TMP/waves" -type f | wc -l)" = 2,1,0
done

# A folder that replaces the sources, whose engines come from a makefile of this test.
mkdir -p "$TMP/root/testbench/engine"
fake() {
    printf '%s:\n\t@mkdir -p $(@D)\n\t%s\n' build/engine/%/dut.so "$1" build/engine/%/runtime.a \
        '@touch $@' >"$TMP/root/testbench/engine/build.mk"
    rm -rf "$TMP/cache"
}
refused() {
    local code=$1 part=$2 text=$3
    ROUNDCAST_ENGINES='' ROUNDCAST_ROOT=$TMP/root XDG_CACHE_HOME=$TMP/cache \
        roundcast run path -n 4 -m 1 --engine rtl
    if [ "$status" -eq 2 ] && grep -qE "^roundcast: .*$part.* \[$code " "$TMP/err"; then
        ok "$text"
    else
        not_ok "$text" "exit $status: $(cat "$TMP/err")"
    fi
}
name=netlist-rc_multistage_machine-ports8-pipe1-pad0-width16-packets4-flits4-rows16
other=$(find "${ROUNDCAST_ENGINES:-${XDG_CACHE_HOME:-$HOME/.cache}/roundcast}" \
    -path "*/$name/dut.so" | head -n 1)
fake "@cp $other \$@"
refused E404 'register Ports is 8; expected 4' "an engine of another shape is refused by its own registers"
fake '@false'
refused E501 'failed; expected the engine to build' "an engine that does not build is refused"
fake '@touch $@'
refused E501 'expected an engine' "a library that is none is refused"

# Variables that the make of an engine must not inherit: those that run other commands, and those
# that find other sources.
printf '$(shell touch %s/ran)\n' "$TMP" >"$TMP/other.mk"
for setting in "MAKEFILES=$TMP/other.mk" "GNUMAKEFLAGS=--eval=\$\$(shell\ touch\ $TMP/ran)" \
    "MAKEFLAGS= --eval=\$\$(shell\ touch\ $TMP/ran)" "VPATH=$TMP" "GPATH=$TMP" SANITIZE=1; do
    name=${setting%%=*}
    fake "@test -z '\$($name)' -o $name = MAKEFLAGS && touch \$@"
    export "${setting?}"
    refused E501 'expected an engine' "$name does not steer the make that builds an engine"
    unset "$name"
    check "… nor runs anything" test ! -e "$TMP/ran"
    rm -f "$TMP/ran"
done

# Engines that are prebuilt elsewhere: nothing is built.
ROUNDCAST_ENGINES=$TMP/none ROUNDCAST_ROOT=$TMP/root refuses 2 E501 'not in ROUNDCAST_ENGINES' \
    "an engine that does not stand ready" \
    run path -n 4 -m 1 --engine rtl
mkdir -p "$TMP/ready"
ln -s "$(dirname "$other")" "$TMP/ready/$(basename "$(dirname "$other")")"
ROUNDCAST_ENGINES=$TMP/ready ROUNDCAST_ROOT=$TMP/nowhere accepts 'Every packet arrived' \
    "one that does, with no project around it" \
    run path -n 4 -m 1 $small

finish
