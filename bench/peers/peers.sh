#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# peers: prints the tables of `make peers`. Every value is a median of PAIRS turns (5). In each turn
# the peer and Roundcast do the same work; a ratio is the median of the ratios of the turns.
#
#     peers.sh [network] [simgrid] [open_mpi]
set -eu
ROUNDCAST=${ROUNDCAST:-build/roundcast}
PAIRS=${PAIRS:-5}
programs=$(dirname "$ROUNDCAST")/bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

# schedule NAME ALGORITHM…: writes $work/NAME.sched.
schedule() {
    local name=$1
    shift
    "$ROUNDCAST" schedule "$@" -o "$work/$name.sched" >/dev/null
}

network() {
    echo "SystemC: circulant, 16 packets of 64 flits over benes:N; M lane-stages per CPU-second"
    echo "ports   rows modules    SystemC |          here    ratio |"
    local engines="csim rtl"
    for ports in 8 64 256; do
        [ $ports -lt 256 ] || engines=csim # whose RTL takes minutes to compile
        schedule $ports circulant -n $ports -m 16
        "$ROUNDCAST" route "$work/$ports.sched" --flits 64 --network benes:$ports \
            -o "$work/$ports" >/dev/null
        for form in switches stages; do
            "$programs/peers-network" $form "$work/$ports/image.hex" "$work/$ports/image.hex" \
                "$PAIRS" $engines
        done
    done
    echo "Of each row, the packets of all nodes were the same in the three, word for word."
}

simgrid() {
    echo "SimGrid: the end of a schedule, in units of time; M transfers per CPU-second"
    echo "schedule          nodes transfers      end  SimGrid   SimGrid    verify   ratio"
    for nodes in 64 1024; do
        schedule c$nodes circulant -n $nodes -m 16
        "$programs/peers-simgrid" "$work/c$nodes.sched" 1 "$PAIRS"
        for algorithm in postal-pack postal-dtree; do
            schedule $algorithm $algorithm -n $nodes -m 16 --lambda 5/2
            "$programs/peers-simgrid" "$work/$algorithm.sched" 2.5 "$PAIRS"
        done
    done
}

# median COLUMN FILE: prints the median of the figures in this column.
median() {
    sort -g -k"$1,$1" "$2" | awk -v column="$1" '
        { figure[NR] = $column }
        END { print figure[int((NR + 1) / 2)] }'
}

# mpi ORDER ALGORITHM…: measures the broadcast by ranks, and MPI_Bcast, on the same bytes. Each turn
# takes the least of 20 executions, because ranks that wait for a processor measure other work of
# the machine.
mpi() {
    local order=$1 bytes file=$work/times
    shift
    schedule mpi "$@"
    for bytes in 1024 65536; do
        for ((turn = 0; turn < PAIRS; turn++)); do
            "$ROUNDCAST" mpi "$work/mpi.sched" --order "$order" --bytes $bytes --repeat 20 |
                awk '/^ *[0-9]+ .* s$/ { print $2, $4 * 1e6, $8 * 1e6, $4 / $8 }'
        done >"$file"
        printf '%-12s %-12s %9s %11.0f %11.0f %8.2f\n' "$1" "$order" "$(median 1 "$file")" \
            "$(median 3 "$file")" "$(median 2 "$file")" "$(median 4 "$file")"
    done
}

open_mpi() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader
    export OMPI_MCA_mpi_yield_when_idle=1 HWLOC_COMPONENTS=-gl
    echo "Open MPI: a broadcast of 16 packets among 4 ranks over shared memory; µs, least of 20"
    echo "schedule     order          message   MPI_Bcast     by ours    ratio"
    for algorithm in matching binary-tree; do
        mpi rounds $algorithm -n 4 -m 16
        mpi dependency $algorithm -n 4 -m 16
    done
}

[ $# -gt 0 ] || set -- network simgrid open_mpi
for part in "$@"; do
    $part
    echo
done
