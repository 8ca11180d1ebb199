#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# peers: the programs of `make peers` build, and their comparisons can fail. One pair each, on 8 to
# 64 nodes; the figures are not checked.
#
# Counter-cases: the SystemC model with one switch of one row flipped; schedules in which two
# packets leave a node at once, two arrive at once, or a node sends a packet before it arrives, each
# of which ends later in SimGrid than the schedule claims; another λ.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MAKELEVEL
build=$(dirname "$ROUNDCAST")
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
# what_is HEADER PACKAGE TEXT: returns whether the package is installed; if not, skips the test.
what_is() { [ -e "$1" ] || { skip "$3" "no $1 ($2); make peers installs it"; return 1; }; }
# fails PART TEXT COMMAND…: checks for exit status 1 and PART on standard error.
fails() {
    local part=$1 text=$2 status=0
    shift 2
    "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
    if [ $status -eq 1 ] && grep -qF -e "$part" "$TMP/err"; then
        ok "$text"
    else
        not_ok "$text" "$*: exit $status: $(cat "$TMP/out" "$TMP/err")"
    fi
}

# --- SystemC --------------------------------------------------------------------------------------

# image NAME PORTS ALGORITHM…: makes $TMP/NAME/image.hex.
image() {
    local name=$1 ports=$2
    shift 2
    "$ROUNDCAST" schedule "$@" -o "$TMP/$name.sched" >/dev/null
    "$ROUNDCAST" route "$TMP/$name.sched" --flits 4 --network benes:$ports -o "$TMP/$name" \
        >/dev/null
}

if what_is /usr/include/systemc.h libsystemc-dev "the model in SystemC"; then
    network=$build/bench/peers-network
    check "the model in SystemC builds" make -s BUILD="$build" "$network"
    image some 8 circulant -n 8 -m 3
    image many 64 matching -n 61 -m 5
    for form in switches stages; do
        for name in some many; do
            check "SystemC's $form and csim have the same packets ($name)" \
                "$network" $form "$TMP/$name/image.hex" "$TMP/$name/image.hex" 1 csim
        done
    done
    # The last word of the last stage's table belongs to row 63; the first nonzero word belongs to a
    # row of the run.
    awk '/^@/ { table = /^@10000100/ } table && !done && /[1-9a-f]/ && !/^@/ {
             done = sub(/0000000[1-9a-f]/, "00000000") } { print }' \
        "$TMP/some/image.hex" >"$TMP/other.hex"
    check "(one word of the tables is another)" \
        test "$(diff "$TMP/some/image.hex" "$TMP/other.hex" | grep -c '^<')" = 1
    for form in switches stages; do
        fails 'SystemC' "SystemC's $form with that word have other packets" \
            "$network" $form "$TMP/some/image.hex" "$TMP/other.hex" 1 csim
    done
fi

# --- SimGrid --------------------------------------------------------------------------------------

# transfers LINE…: writes a schedule of four nodes and two packets of node 0.
transfers() {
    printf '%s\n' 'roundcast-schedule 1' 'algorithm own' 'topology complete 4' \
        'model send-receive' 'demand 1-2 0 *' "$@" >"$TMP/own.sched"
}

if what_is /usr/include/simgrid/s4u.hpp libsimgrid-dev "schedules in SimGrid"; then
    simgrid=$build/bench/peers-simgrid
    check "the program for SimGrid builds" make -s BUILD="$build" "$simgrid"
    "$ROUNDCAST" schedule matching -n 22 -m 8 -o "$TMP/a.sched" >/dev/null
    check "rounds end as in SimGrid" "$simgrid" "$TMP/a.sched" 1 1
    "$ROUNDCAST" schedule postal-dtree -n 22 -m 8 --lambda 5/2 -o "$TMP/a.sched" >/dev/null
    check "the postal model ends as in SimGrid" "$simgrid" "$TMP/a.sched" 2.5 1
    fails 'the schedule says' "… with another λ not" "$simgrid" "$TMP/a.sched" 2 1
    transfers 'round 1' '0 1 1' '0 2 2' 'end 1'
    fails 'SimGrid ends at 2;' "two packets that leave a node at once take longer" \
        "$simgrid" "$TMP/own.sched" 1 1
    transfers 'round 1' '0 2 1' '1 2 2' 'end 1'
    fails 'SimGrid ends at 2;' "two that come at once, too" "$simgrid" "$TMP/own.sched" 1 1
    transfers 'round 1' '1 2 1' 'round 2' '0 1 1' 'end 2'
    fails 'SimGrid ends at 3;' "a packet that is sent before it has come, too" \
        "$simgrid" "$TMP/own.sched" 1 1
fi
finish
