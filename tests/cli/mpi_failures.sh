#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mpi_failures: ranks of Open MPI whose memory, streams or collectives fail (tests/mpi/fault.c).
#
# Exhaustive: each allocation of the program of the ranks after the schedule was read fails in turn,
# for a schedule that moves packets and for one that combines them, on one rank. Each run must end
# with E104 and name what the memory was for, in this order. The collective of the library that is
# executed beside the schedule returns an error, or leaves a wrong byte, for each way to check it.
# Counter-cases: the same runs without a fault, and one whose fault comes after the last allocation.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
ranks="ranks of MPI fail"
. "$(dirname "$0")/../support/mpi.sh"
check "a fault is compiled" mpicc -Wall -Wextra -Werror -shared -fPIC -o fault.so "$here/fault.c"

# runs FAULT COUNT FILE [ARGUMENT…]: runs COUNT ranks with the fault; `-`: none. Sets $message, of
# the error, and $status, of a rank alone; with the variable above mpirun has no other status.
runs() {
    local fault=$1 count=$2 command=()
    [ "$count" = 1 ] || command=(mpirun --quiet --oversubscribe -n "$count")
    shift 2
    status=0
    if [ "$fault" = - ]; then
        "${command[@]}" "$ranks_program" "$@" >out || status=$?
    else
        LD_PRELOAD=$TMP/fault.so FAULT=$fault "${command[@]}" "$ranks_program" "$@" >out || status=$?
    fi
    [ "$count" = 1 ] || status=-
    message=$(sed -n 's/^ *"message": "\(.*\)",$/\1/p' out)
}

# fails FAULT COUNT CODE PART TEXT FILE [ARGUMENT…]: checks that the ranks report the failure.
fails() {
    runs "$1" "$2" "${@:6}" --bytes 9 --repeat 1
    local expected=2
    [ "$2" = 1 ] || expected=-
    check "$5" test "$status,$(grep -c "\"code\": $3," out),$(grep -cF -- "$4" out)" = \
        "$expected,1,1"
}

# -- Memory ----------------------------------------------------------------------------------------

"$ROUNDCAST" schedule path -n 1 -m 1 -o moved.sched >/dev/null
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 1' \
    'model send-receive' 'reduce 1 0 *' 'end 0' >combined.sched

# The ranks have agreed three times when the schedule is read.
# each_allocation FILE PURPOSE…: fails each allocation in turn, until a run needs no more of them.
each_allocation() {
    local file=$1 call before='' purposes=() wrong=0
    shift
    for ((call = 1; call < 100; call++)); do
        runs "after:3:$call" 1 "$file" --bytes 9 --repeat 1
        [ "$status" != 0 ] || break
        if [ "$status" != 2 ] || [[ $message != 'no memory for '*'; expected less of it, '* ]]; then
            echo "# call $call: exit $status, $message"
            wrong=$((wrong + 1))
        fi
        message=${message#no memory for }
        message=${message%%;*}
        [ "$message" = "$before" ] || purposes+=("$message")
        before=$message
    done
    check "$file: each of $((call - 1)) failures is E104" test "$wrong,$status,$message" = 0,0,
    check "… for these purposes, in this order" test "$(printf '%s\n' "${purposes[@]}")" = \
        "$(printf '%s\n' "$@")"
    check "… and a run without them ends well" grep -q '"packet_bytes": 9,' out
}
each_allocation moved.sched 'the operations of 0 transfers' '0 operations of a rank' \
    '0 operations' '1 blocks of 9 bytes' '1 packets of 9 bytes' '1 times' 'the report'
each_allocation combined.sched 'the operations of 0 transfers' '1 packets' '1 blocks of 9 bytes' \
    '1 packets of 9 bytes' '1 times' '1 packets of 32 bytes' '1 times' \
    'the partial results of 1 ranks' '1 times' '1 packets of 8 bytes' 'the trees of 1 packets' \
    '1 times' 'the transfers of combined packets' 'the report'

# The text of the schedule: the stream of rank 0, the bytes of the others, and the stream of each.
"$ROUNDCAST" schedule path -n 2 -m 1 -o two.sched >/dev/null
fails open_memstream 1 104 'no memory for the text of a schedule' "no memory to write the text" \
    moved.sched
fails after:1:1:1 2 104 'no memory for the text of a schedule' "… to receive it" two.sched
fails fmemopen 1 104 'no memory for the text of a schedule' "… to read it" moved.sched
runs after:1:1:0 1 moved.sched
check "(a rank alone receives no text)" test "${message%% *}" = the

# -- The collectives of the library ----------------------------------------------------------------

# Packet 1 is checked by rank 1, and packet 2 of 2 by rank 2 in a scatter; a reduce-scatter leaves
# two packets at each rank.
"$ROUNDCAST" schedule scatter -n 3 -m 2 -o scatter.sched >/dev/null
"$ROUNDCAST" schedule reduce-scatter -n 3 -m 2 -o reduce-scatter.sched >/dev/null
runs - 3 scatter.sched --bytes 9 --repeat 1
check "(scatter, without a fault)" grep -q '"beside": "MPI_Scatter"' out
runs - 3 reduce-scatter.sched --bytes 9 --repeat 1
check "(reduce-scatter, without a fault)" grep -q '"beside": "MPI_Reduce_scatter"' out
fails result 3 604 'MPI_Scatter: rank 1: packet 1: byte 0 of 9' "a wrong byte of MPI_Scatter" \
    scatter.sched
fails result 3 604 'MPI_Reduce_scatter: rank 0: packet 1: byte 0 of 9' \
    "… of MPI_Reduce_scatter" reduce-scatter.sched
fails collective 3 501 'MPI: error 16; expected none' "MPI_Scatter fails" scatter.sched
fails collective 3 501 'MPI: error 16; expected none' "MPI_Reduce_scatter fails" \
    reduce-scatter.sched

# -- Operations ------------------------------------------------------------------------------------

# In the first of several rounds each rank sends and receives, and the first of both fails.
"$ROUNDCAST" schedule all-gather -n 3 -m 1 -o gather.sched >/dev/null
"$ROUNDCAST" schedule window-all-reduce -n 3 -m 1 -o reduce.sched >/dev/null
fails start 3 501 'MPI: error 16; expected none' "the first of several operations fails" gather.sched
fails start 3 501 'MPI: error 16; expected none' "… by dependency" gather.sched --order dependency
fails start 3 501 'MPI: error 16; expected none' "… of packets that are combined" reduce.sched

# -- Partial results -------------------------------------------------------------------------------

# with_header LINE…: writes a schedule of three nodes to part.sched.
with_header() {
    printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
        'model send-receive' "$@" >part.sched
    runs - 3 part.sched --bytes 9 --repeat 1
}
with_header 'reduce 1 0 1,2' 'round 1' '1 2 1' 'round 2' '2 0 1' 'end 2'
check "a result at a node that contributes nothing" grep -q '"checked_bytes": 9,' out
with_header 'reduce 1 * *' 'round 1' '2 1 1' 'round 2' '1 0 1' 'round 3' '0 1 1 replace' \
    'round 4' '0 2 1 replace' 'end 4'
check "a result replaces the partial result of a node" grep -q '"checked_bytes": 27,' out

finish
