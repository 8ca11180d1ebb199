#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tb.sh: runs the testbench of a bridge of rtl/bus as a test program (rtl.sh). It fails if the
# output for the bridge ROUNDCAST_MUTANT_OF with the fault ROUNDCAST_MUTANT is not as expected.
#
# The folder ROUNDCAST_ENGINES/bench-BRIDGE contains the program Vbench, its input, and `expected`.
cd "$ROUNDCAST_ENGINES/bench-$ROUNDCAST_MUTANT_OF" || exit
./Vbench "+mutant=$ROUNDCAST_MUTANT" | sed '/^- /d' | cmp -s - expected
status=("${PIPESTATUS[@]}")
[ "${status[0]}" -eq 0 ] || exit "${status[0]}"
exit "${status[2]}"
