#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bus_image: what bus_tb.sv loads.
#
#     bus_image.sh FOLDER [WIDTH]
#
# FOLDER gets image.writes, by which 3 packets go from a node of a machine of 8 ports to all others.
# With a WIDTH, flits have that many bits, and packets have two flits of the random bytes that
# FOLDER gets as `payload`.
set -eu
"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$1/b.sched" >/dev/null
if [ $# = 1 ]; then
    "$ROUNDCAST" route "$1/b.sched" --width 31 --image writes -o "$1" >/dev/null
else
    head -c $((2 * $2 / 8 * 3)) /dev/urandom >"$1/payload"
    "$ROUNDCAST" route "$1/b.sched" --width "$2" --flits 2 --payload "$1/payload" --image writes \
        -o "$1" >/dev/null
fi
