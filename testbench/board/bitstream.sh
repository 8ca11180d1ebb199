#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bitstream.sh: prints the resources of the chip that a bitstream uses, and runs it in the
# testbench.
#
#     bitstream.sh build/board MACHINE [ALGORITHM OPTION…]
#
# MACHINE is the name of the machine's engine, rc_multistage_machine-ports8-…. The run is a
# broadcast unless an algorithm is given.
set -eu
board=$1 machine=$2
shift 2
folder=$board/netlist-$machine
value() { grep -oE -- "-$1[0-9]+" <<<"$machine" | grep -oE '[0-9]+'; }

awk '$2 == "ICESTORM_LC:" || $2 == "ICESTORM_RAM:" || $2 == "SB_IO:" { sub(/%/, " %"); used[$2] = $3 " of " $4 + 0 }
    /Max frequency for clock/ { mhz = $(NF - 5) }
    END { printf "logic cells %s, RAM blocks %s, pins %s; clock up to %s MHz (board: 12 MHz)\n",
              used["ICESTORM_LC:"], used["ICESTORM_RAM:"], used["SB_IO:"], mhz }' <(tr -s '\t/' ' ' <"$folder/place.log")
echo "bitstream $folder/chip.bin, $(wc -c <"$folder/chip.bin") bytes"
echo
[ $# -gt 0 ] || set -- matching --nodes "$(value ports)" --packets 3
ROUNDCAST_ENGINES=$board ${ROUNDCAST:-build/roundcast} run "$@" --network "benes:$(value ports)" --width "$(value width)" \
    --memory "packets=$(value packets),flits=$(value flits),rows=$(value rows)" --engine netlist
