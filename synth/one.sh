#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# one.sh: synthesises one design for one target or all; `make synth` runs it if any of these is set.
#
#     DESIGN=router-5               a line of designs.txt, or
#     NETWORK=benes:12              a multistage network without its shell, in the syntax of
#                                   `roundcast route --network`, or
#     MACHINE=benes:12              a whole machine of this network; with TREE=4,4 or DIM=3 if its
#                                   routers are those of a tree or a hypercube
#     WIDTH=W                       bits of a word (default: 16)
#     MEMORY=packets=…,flits=…,rows=…
#                                   capacities (default: packets=16,flits=16,rows=256)
#     TARGET=ice40                  or ecp5, xilinx, generic (default: all)
#     RAM_STYLE=auto                or block, distributed: how memories are implemented (default:
#                                   block on ecp5, otherwise auto)
#     LIBERTY=file.lib              an ASIC library; alone, or as an additional target
#
#     one.sh FOLDER RTL.sv...       writes the reports to FOLDER
#
# The parameters are those of the engine that the program would compile for the machine.
set -eu
here=$(dirname "$0")
folder=$1/one roundcast=${ROUNDCAST:-build/roundcast}
shift
targets='generic ice40 ecp5 xilinx'
widest=1022    # bits of a network's words; a machine's have at most 512, as the program says

# refuse WHERE WHAT: prints a message and exits with the status of invalid usage.
refuse() {
    echo "synth: $1: $2" >&2
    exit 2
}

# one_of NAME VALUE CHOICE…
one_of() {
    local name=$1 value=$2
    shift 2
    [[ " $* " == *" $value "* && $value != *' '* ]] || refuse "$name" "'$value'; expected one of $*"
}

# machine_name NETWORK WIDTH: prints the name of the engine of a machine, without the kind of the
# engine. Any schedule of its nodes yields the same machine, because the memories are given.
machine_name() {
    local schedule=(path -n 2 -m 1) rounds=$folder/rounds
    case $1 in
    fat-tree*) schedule=(tree-all-gather --tree "${TREE:-2,2}") ;;
    cube*) schedule=(cube-broadcast --dim "${DIM:-2}" --random 1) ;;
    esac
    mkdir -p "$folder"
    "$roundcast" schedule "${schedule[@]}" -o "$rounds.sched" >"$rounds.log" || exit 2
    "$roundcast" route "$rounds.sched" --network "$1" --width "$2" \
        --memory "${MEMORY:-packets=16,flits=16,rows=256}" -o "$rounds" >"$rounds.log" || exit 2
    "$roundcast" engines --names "$rounds" | sed 's/^rtl-//' || exit 2
}

# network_parameters LANE_BITS: converts the parameters of a machine on standard input to those of
# its network.
network_parameters() {
    tr ' ' '\n' | sed -nE '/^(Kind|Ports|Middle|Radix|Levels|Pipe|Pad|Rows)=/p' | tr '\n' ' '
    echo "LaneBits=$1"
}

[ -n "${DESIGN-}${NETWORK-}${MACHINE-}" ] ||
    refuse "${TARGET:-$LIBERTY}" "of no design; expected DESIGN, NETWORK or MACHINE"
[ "$(wc -w <<<"${DESIGN:+1} ${NETWORK:+1} ${MACHINE:+1}")" = 1 ] ||
    refuse "DESIGN, NETWORK, MACHINE" "several; expected one of them"
# shellcheck disable=SC2086 # words
[ -z "${TARGET-}" ] || one_of TARGET "$TARGET" $targets
[ -z "${RAM_STYLE-}" ] || one_of RAM_STYLE "$RAM_STYLE" auto block distributed
[ -z "${LIBERTY-}" ] || [ -r "$LIBERTY" ] || refuse "$LIBERTY" "cannot be read; expected a Liberty file"
[ -z "${LIBERTY-}" ] || grep -q '^ *library *(' "$LIBERTY" ||
    refuse "$LIBERTY" "no 'library (…)'; expected a Liberty file"

width=${WIDTH:-16} designs=$folder/designs.txt
if [ -n "${DESIGN-}" ]; then
    # shellcheck disable=SC2046 # words
    one_of DESIGN "$DESIGN" $(awk '!/^#/ && NF { print $1 }' "$here/designs.txt")
    name=$DESIGN designs=$here/designs.txt
elif [ -n "${NETWORK-}" ]; then
    case $NETWORK in
    fat-tree* | cube*) refuse NETWORK "'$NETWORK' is routers; expected MACHINE=$NETWORK" ;;
    esac
    [[ $width =~ ^[1-9][0-9]{0,3}$ && $width -le $widest ]] ||
        refuse WIDTH "'$width'; expected a number in 1 … $widest"
    machine=$(machine_name "$NETWORK" 16) || exit 2
    name=network
    echo "network rc_multistage_network try $(awk -f "$here/parameters.awk" -v form='%s=%s' \
        <<<"$machine" | network_parameters $((width + 1)))" >"$designs"
else
    machine=$(machine_name "$MACHINE" "$width") || exit 2
    name=machine
    echo "machine ${machine%%-*} try $(awk -f "$here/parameters.awk" -v form='%s=%s' \
        <<<"$machine")" >"$designs"
fi

mkdir -p "$folder"
chosen=${TARGET:-$([ -n "${LIBERTY-}" ] || echo "$targets")}
lines=()
for target in $chosen ${LIBERTY:+liberty}; do
    rm -f "$folder/$name.$target.csv"
    echo "  synth $name.$target" >&2
    "$here/synth.sh" "$folder/$name.$target.csv" "$name" "$target" "$designs" "$@"
    lines+=("$folder/$name.$target.csv")
done
echo
awk -f "$here/one.awk" "${lines[@]}"
