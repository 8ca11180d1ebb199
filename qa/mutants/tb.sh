#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh: a bench of rtl/bus as a test program (rtl.sh): it fails if what the bench says of the
# bridge ROUNDCAST_MUTANT_OF with the fault ROUNDCAST_MUTANT is not what it should say.
#
# ROUNDCAST_ENGINES has a folder bench-BRIDGE: the program Vbench, what it loads, and `expected`.
cd "$ROUNDCAST_ENGINES/bench-$ROUNDCAST_MUTANT_OF" || exit
./Vbench "+mutant=$ROUNDCAST_MUTANT" | sed '/^- /d' | cmp -s - expected
status=("${PIPESTATUS[@]}")
[ "${status[0]}" -eq 0 ] || exit "${status[0]}"
exit "${status[2]}"
