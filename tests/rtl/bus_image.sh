#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bus_image: what bus_tb.sv loads.
#
#     bus_image.sh FOLDER
#
# FOLDER gets image.writes, by which 3 packets go from a node of a machine of 8 ports to all others.
set -eu
"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$1/b.sched" >/dev/null
"$ROUNDCAST" route "$1/b.sched" --width 31 --image writes -o "$1" >/dev/null
