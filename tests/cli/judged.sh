#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# judged: the program that test scripts run judges the images that it routes
# (tests/support/judge_route.c), whatever the network and its settings.
#
# Counter-case: if one switch of the first stage is flipped, the program reports it and aborts.
. "$(dirname "$0")/tap.sh"
judged=${ROUNDCAST%-judged}-judged
faulty=$(dirname "$ROUNDCAST")/fault/roundcast-judged
ulimit -c 0

machines=(benes:8 waksman:7 'clos:3,2,3' 'omega:8 --split' multicast:8 'benes:8 --settings indexed')
for machine in "${machines[@]}"; do
    # shellcheck disable=SC2206  # words
    words=(matching -n 6 -m 2 --network $machine --engine csim)
    check "$machine: circuits are those of the schedule" "$judged" run "${words[@]}"
    status=0
    # A shell also reports the signal that ended the program.
    bash -c '"$@"; exit $?' _ "$faulty" run "${words[@]}" >"$TMP/out" 2>"$TMP/err" || status=$?
    check "($machine: others are found)" test "$status $(grep -cE \
        '^matching: [1-9][0-9]* circuits of the image are not those of the schedule$' \
        "$TMP/err")" = "134 1"
done
finish
