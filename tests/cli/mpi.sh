#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mpi: ranks of Open MPI execute schedules, up to 16 ranks on any number of processors.
#
# `roundcast mpi` checks every byte that arrives. A schedule of each collective and model runs in
# one of both orders; each algorithm in both with ROUNDCAST_MPI=all (`make test-mpi`).
# Counter-cases: a byte that is changed on its way (tests/mpi/fault.c) is reported by rank, packet
# and byte, in any message; illegal schedules, and schedules that ranks cannot execute, are rejected
# before anything starts.
#
# Reductions combine bytes, and floats in the order of the schedule, whose bits are checked.
#
# `export --mpi-c` is compiled with all warnings, and run next to the library's own collective on
# the same buffers (tests/mpi/compare.c), which must leave the same bytes; reductions with two
# operators, one of which does not commute (tests/mpi/compare_combined.c). Counter-cases: the same
# fault, a table with one changed number, and an operator on the wrong side.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
ranks="ranks of MPI execute schedules"
. "$(dirname "$0")/../support/mpi.sh"

check "roundcast itself needs no MPI" test "$(ldd "$ROUNDCAST" | grep -c libmpi)" = 0
check "(its ranks do)" test "$(ldd "$ranks_program" | grep -c 'libmpi\.')" = 1

# -- Schedules -------------------------------------------------------------------------------------

# executes BESIDE ORDER ALGORITHM…: executes its schedule with MPI.
executes() {
    local beside=$1 order=$2
    shift 2
    rm -f a.sched
    "$ROUNDCAST" schedule "$@" -o a.sched >/dev/null
    accepts 'all bytes are right' "$* by $order" mpi a.sched --order "$order" --bytes 1,1500 \
        --repeat 2
    check "… beside $beside" grep -qE "^packet .* by $order .*$beside" out
    check "… with the trees of the schedule, if it combines packets" test \
        "$(sed -n '1s/.*, trees //p' out)" = \
        "$("$ROUNDCAST" verify a.sched | sed -n 's/^  trees *\([^ ]*\).*/\1/p')"
}

printf '0,2,1,0\n1,0,2,0\n2,1,0,3\n0,0,1,0\n' >matrix.csv
executes MPI_Bcast rounds matching -n 16 -m 8 -s 3
if [ "${ROUNDCAST_MPI:-}" = all ]; then
    for order in rounds dependency; do
        for algorithm in binomial path binary-tree dary-trees hypercube-trees fibonacci matching \
            circulant fabric-broadcast; do
            executes MPI_Bcast $order $algorithm -n 8 -m 5
        done
        executes MPI_Bcast $order matching -n 7 -m 4 --model telephone
        executes MPI_Bcast $order telegraph -n 7 -m 4
        for algorithm in postal-repeat postal-pack postal-pipeline postal-dtree \
            postal-block postal-swarm; do
            executes MPI_Bcast $order $algorithm -n 9 -m 4 --lambda 5/2
        done
        for pattern in zipf:3 uniform:3 permutation:3 hot:3,50 blocks:2,3 moe:20,2; do
            executes none $order traffic --pattern $pattern -n 6
        done
        executes MPI_Allgather $order all-gather -n 16 -m 2
        executes MPI_Alltoall $order total-exchange -n 16 -m 2
        executes MPI_Allgather $order cube-all-gather --dim 4
    done
    executes MPI_Reduce_scatter rounds circulant-reduce-scatter -n 7 -m 2
    executes MPI_Allreduce rounds halving-all-reduce -n 8 -m 4
    executes MPI_Allreduce rounds circulant-all-reduce -n 6 -m 12
    executes MPI_Scan rounds path-scan -n 5 -m 4
    executes MPI_Exscan rounds exclusive-scan -n 8 -m 2 --method 123
fi
executes MPI_Bcast dependency matching -n 5 -m 3 --model telephone
executes MPI_Bcast rounds telegraph -n 4 -m 3
executes MPI_Bcast dependency postal-pipeline -n 6 -m 4 --lambda 5/2
executes MPI_Bcast rounds fabric-broadcast -n 5 -m 3
executes MPI_Scatter dependency scatter -n 5 -m 2 -s 2
executes MPI_Gather rounds gather -n 5 -m 2 -s 4
executes MPI_Allgather dependency all-gather -n 4 -m 2 --model telephone
executes MPI_Alltoall rounds total-exchange -n 4 -m 1 --model postal --lambda 3/2
executes none dependency traffic --matrix matrix.csv
executes none rounds cube-ranked --dim 2 --sources 0,3
executes MPI_Bcast dependency cube-single --dim 3 -m 3
executes MPI_Reduce rounds reduce -n 6 -m 3 -s 2
executes MPI_Reduce_scatter rounds reduce-scatter -n 5 -m 2
executes MPI_Allreduce rounds window-all-reduce -n 9 -m 2 --lambda 5/2
executes MPI_Scan rounds scan -n 6 -m 2
executes MPI_Exscan rounds exclusive-scan -n 5 -m 2
executes MPI_Exscan rounds exclusive-scan -n 5 -m 2 --method 123
refuses 2 E208 '--order: dependency does not apply to packets that are combined' \
    "packets that are combined need rounds" mpi a.sched --order dependency
"$ROUNDCAST" schedule reduce --tree 2,2 -o tree.sched >/dev/null
refuses 2 E208 'the schedule has routers between its nodes' "a reduction of a tree" mpi tree.sched
"$ROUNDCAST" schedule binomial -n 4 -m 2 -o b.sched >/dev/null
json '"beside": "MPI_Bcast"' "a report as JSON, of a schedule that is piped in" mpi - --json \
    --bytes 10 --repeat 1 <b.sched
check "… in which each of three receipts of 2 packets of 10 bytes is checked" grep -q \
    '"checked_bytes": 60,' out
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
    'model send-receive' 'demand 1 0 1' 'round 1' '0 2 1' 'round 2' '2 1 1' 'round 3' '0 1 1' \
    'round 4' '1 0 1' 'end 4' >again.sched
accepts 'all bytes are right' "a packet comes again, and back to its source" mpi again.sched \
    --bytes 8 --repeat 1
check "… and all four receipts are checked" grep -qE '^ +8 +- +32 ' out

# Packet 1 is combined at node 0, and the result replaces what the others have; packet 2 is only
# moved. Three results and two receipts of 8 bytes are checked.
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
    'model send-receive' 'reduce 1 * *' 'demand 2 1 0,2' 'round 1' '1 0 1' 'round 2' '2 0 1' \
    'round 3' '0 1 1 replace' 'round 4' '0 2 1 replace' 'round 5' '1 0 2' 'round 6' '0 2 2' \
    'end 6' >mixed.sched
accepts 'all bytes are right' "results replace, beside a packet that is moved" mpi mixed.sched \
    --bytes 8 --repeat 1
check "… and all of them are checked" grep -qE '^ +8 +- +40 ' out

# -- A wrong byte ----------------------------------------------------------------------------------

check "a fault is compiled" mpicc -shared -fPIC -o fault.so "$here/fault.c"
# faulty FAULT PART TEXT ARGUMENT…: checks that the fault is reported with PART.
faulty() {
    export LD_PRELOAD=$TMP/fault.so FAULT=$1
    refuses 1 E604 "$2" "$3" mpi "${@:4}"
    unset LD_PRELOAD FAULT
}
faulty 0:1 'the schedule: rank 2: packet 1: byte 4 of 9' "a byte of the second message is changed" \
    b.sched --bytes 9 --repeat 1
faulty 1:0 'the schedule: rank 3: packet 1: byte 500 of 1000' "… or one that is passed on" b.sched \
    --bytes 1000 --repeat 1 --order dependency
"$ROUNDCAST" schedule reduce -n 4 -m 1 --by path -o c.sched >/dev/null
faulty 1:0 'the schedule: rank 0: packet 1: byte 4 of 9' "… or a byte that is combined" c.sched \
    --bytes 9 --repeat 1
faulty 1:1 'the schedule, in floats: rank 0: packet 1: byte 16 of 32' "… or a float" c.sched \
    --bytes 9 --repeat 1
faulty 1:2 'the schedule: the trees of the results are' "… or the hash of a tree" c.sched \
    --bytes 9 --repeat 1
LD_PRELOAD=$TMP/fault.so FAULT=0:99 roundcast mpi b.sched --bytes 9 --repeat 1
check "(the last message has no fault)" test "$status" = 0

# -- Functions that fail ---------------------------------------------------------------------------

# failing FAULT CODE PART TEXT ARGUMENT…: checks that the failure is reported with this code.
failing() {
    export LD_PRELOAD=$TMP/fault.so FAULT=$1
    refuses 2 "$2" "$3" "$4" mpi "${@:5}" --repeat 1
    unset LD_PRELOAD FAULT
}
"$ROUNDCAST" schedule traffic --matrix matrix.csv -o none.sched >/dev/null
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
    'model send-receive' 'reduce 1 0 1,2' 'round 1' '1 2 1' 'round 2' '2 0 1' 'end 2' >part.sched
# Every rank fails in the first round, so that none waits for another.
"$ROUNDCAST" schedule binomial -n 2 -m 1 -o two.sched >/dev/null
"$ROUNDCAST" schedule reduce -n 2 -m 1 -o sum.sched >/dev/null
for fault in start wait; do
    for arguments in two.sched sum.sched 'two.sched --order dependency'; do
        # shellcheck disable=SC2086
        failing $fault E501 'MPI: error 16; expected none' "MPI fails ($fault): $arguments" \
            $arguments --bytes 9
    done
done
failing start E501 'MPI: error 16; expected none' "… at ranks that contribute nothing" part.sched \
    --bytes 9
# The buffers of 3000000 bytes: of the library's collective, then of the schedule.
failing memory:1 E104 'no memory for 4 blocks of 6000000 bytes' "no memory for the library" b.sched \
    --bytes 3000000
failing memory:2 E104 'no memory for 4 blocks of 6000000 bytes' "… for what it receives" b.sched \
    --bytes 3000000
failing memory:1 E104 'packets of 3000000 bytes' "no memory for packets" none.sched --bytes 3000000
export LD_PRELOAD=$TMP/fault.so FAULT=memory:1
refuses 2 E104 'no memory for 1000000 times' "no memory for times" mpi two.sched --bytes 1 \
    --repeat 1000000
unset LD_PRELOAD FAULT
for call in 1 2 3 4 5; do
    failing memory:$call E104 'no memory for 1 packets of 3000000 bytes' \
        "no memory for packets that are combined, buffer $call" part.sched --bytes 3000000
done

# -- Exported functions ----------------------------------------------------------------------------

# exported COLLECTIVE ROOT M ALGORITHM…: adds a function to functions.h and a file fK.c.
functions=0
exported() {
    local collective=$1 root=$2 m=$3 ranks=$4
    shift 4
    functions=$((functions + 1))
    "$ROUNDCAST" schedule "$@" -n "$ranks" -m "$m" -o e.sched >/dev/null &&
        "$ROUNDCAST" export e.sched --mpi-c -o "f$functions.c" >/dev/null &&
        echo "F(run_$functions, $collective, $ranks, $root, $m)" >>functions.h
}
compile() { mpicc -O1 -Wall -Wextra -Werror -Droundcast_run="run_${1//[!0-9]/}" -c "$1"; }
export -f compile

sizes="2 3 7 16"
[ "${ROUNDCAST_MPI:-}" != all ] || sizes=$(seq 2 16 | xargs)
for ranks in $sizes; do
    exported BROADCAST 1 3 "$ranks" matching -s 1
    exported ALL_GATHER 0 2 "$ranks" all-gather
    exported EXCHANGE 0 1 "$ranks" total-exchange
done
exported SCATTER 2 2 6 scatter -s 2
exported GATHER 3 2 6 gather -s 3
exported BROADCAST 0 4 9 postal-pipeline --lambda 5/2
check "what is exported compiles without a warning" \
    xargs -P 2 -n 1 bash -c 'compile "$0"' < <(ls f*.c)
check "… beside the library's collectives" mpicc -Wall -Wextra -Werror -I. -o compare \
    "$here/compare.c" f*.o
mpirun --oversubscribe -n 16 ./compare >compared 2>compared.err
check "all $functions leave the same bytes as the library" test \
    "$?,$(grep -c ' same$' compared)" = "0,$functions"
check "a function and its table are some hundred lines" test "$(wc -l <f1.c)" -le 160
LD_PRELOAD=$TMP/fault.so FAULT=0:0 mpirun --quiet --oversubscribe -n 3 ./compare >compared
check "(a changed byte makes one of them another)" test "$(grep -c ' differs$' compared)" = 1
sed -n 's/^F(\(.*\), EXCHANGE, 3, .*/\1/p' functions.h >name
changed=f$(tr -dc 0-9 <name).c
awk '/rank 1/ { on = 1 } on && sub(/, 2, -1}/, ", 1, -1}") { on = 0 } 1' "$changed" >other.c
cmp -s other.c "$changed" && not_ok "a table is changed"
cp other.c "$changed"
compile "$changed" && mpicc -I. -o compare "$here/compare.c" f*.o
mpirun --quiet --oversubscribe -n 3 ./compare >compared 2>/dev/null
check "(another packet in a table makes it another)" grep -q "$(cat name) differs" compared

# -- Exported functions that combine ---------------------------------------------------------------

# combining COLLECTIVE ROOT M RANKS ALGORITHM…: adds a function to combined.h and a file gK.c.
combining() {
    local collective=$1 root=$2 m=$3 ranks=$4
    shift 4
    number=$((number + 1))
    "$ROUNDCAST" schedule "$@" -n "$ranks" -m "$m" -o e.sched >/dev/null &&
        "$ROUNDCAST" export e.sched --mpi-c -o "g$number.c" >/dev/null &&
        echo "F(run_$number, $collective, $ranks, $root, $m)" >>combined.h
}
number=0
for ranks in $sizes; do
    combining REDUCE 1 3 "$ranks" reduce -s 1
    combining REDUCE_SCATTER 0 2 "$ranks" reduce-scatter
    combining ALL_REDUCE 0 1 "$ranks" window-all-reduce
    combining ALL_REDUCE 0 3 "$ranks" blocks-all-reduce
    combining SCAN 0 2 "$ranks" scan
    combining EXSCAN 0 2 "$ranks" exclusive-scan
done
combining REDUCE 0 4 9 reduce --lambda 5/2
combining SCAN 0 2 9 scan --lambda 5/2
combining EXSCAN 0 3 8 exclusive-scan --method 123
combining ALL_REDUCE 0 4 8 halving-all-reduce
check "functions that combine compile without a warning" \
    xargs -P 2 -n 1 bash -c 'compile "$0"' < <(ls g*.c)
check "… beside the library's reductions" mpicc -Wall -Wextra -Werror -I. -o combined \
    "$here/compare_combined.c" g*.o
mpirun --oversubscribe -n 16 ./combined >compared 2>compared.err
check "all $number leave the results of the library, and keep the order of scans" test \
    "$?,$(grep -c ' same$' compared)" = "0,$number"
LD_PRELOAD=$TMP/fault.so FAULT=0:0 mpirun --quiet --oversubscribe -n 3 ./combined >compared 2>&1
check "(a changed byte makes one of them another)" test "$(grep -c ' differs$' compared)" = 1
changed=g$(sed -n 's/^F(run_\([0-9]*\), SCAN, 3, .*/\1/p' combined.h).c
sed -i 's/{0, EXECUTE_BELOW/{0, EXECUTE_ABOVE/g' "$changed"
compile "$changed" && mpicc -I. -o combined "$here/compare_combined.c" g*.o
mpirun --quiet --oversubscribe -n 3 ./combined >compared 2>/dev/null
check "(a scan on the other side of the operator is another)" \
    grep -q "run_${changed//[!0-9]/} differs" compared
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
    'model send-receive' 'reduce 1 0 0,2 ordered' 'round 1' '2 1 1' 'round 2' '1 0 1' 'end 2' \
    >order.sched
refuses 2 E208 'packet 1 is combined in order, and a transfer from node 2 to node 1 has options' \
    "an order that the function cannot keep" export order.sched --mpi-c
sed -i 's/0,2 ordered/* ordered/' order.sched
accepts 'EXECUTE_ABOVE' "… and one that it keeps" export order.sched --mpi-c

# -- Schedules that are rejected -------------------------------------------------------------------

sed 's/^0 1 1/1 0 1/' b.sched >bad.sched
refuses 1 E302 'node 1' "a schedule that does not hold" mpi bad.sched
"$ROUNDCAST" schedule tree-broadcast --tree 2,2 -o t.sched >/dev/null
refuses 2 E208 'routers between its nodes' "routers" mpi t.sched
refuses 2 E208 'routers between its nodes' "… also as a function" export t.sched --to mpi-c
"$ROUNDCAST" schedule cube-broadcast --dim 3 --sources 0,3,5 -o c.sched >/dev/null
refuses 2 E208 'packets of control, whose numbers' "numbers that nodes count" mpi c.sched
refuses 2 E101 "--order: 'time'" "an order that does not exist" mpi b.sched --order time
refuses 2 E101 "--bytes: '4x'" "bytes that are no numbers" mpi b.sched --bytes 1,4x
refuses 2 E102 '--bytes: 0 is out of range; expected 1' "no bytes" mpi b.sched --bytes 1,0
refuses 2 E102 'more than 32 sizes' "too many sizes" mpi b.sched --bytes "$(seq -s, 33)"
refuses 2 E102 '--repeat: 0 is out of range; expected 1' "no executions" mpi b.sched --repeat 0
refuses 2 E101 'no file' "no schedule" mpi
refuses 2 E102 'expected at most 2147483647 bytes together' "more than the library counts" mpi \
    b.sched --bytes 1073741824 --repeat 1
ended() { env -u OMPI_MCA_orte_abort_on_non_zero_status mpirun --quiet --oversubscribe -n "$@"; }
ended 3 "$ranks_program" b.sched >out
check "another number of ranks" test "$?,$(grep -c '"message": "b.sched: 4 nodes, and 3 ranks; expected' out)" \
    = 2,1
ended 4 "$ranks_program" bad.sched >out
check "ranks that are started by hand verify, too" test "$?,$(grep -c '"code": 302' out)" = 1,1
# by_hand STATUS CODE PART TEXT ARGUMENT…: runs one rank, without mpirun.
by_hand() {
    status=0
    "$ranks_program" "${@:5}" >out || status=$?
    check "$4" test "$status,$(grep -c "\"code\": $2," out),$(grep -cF -- "$3" out)" = "$1,1,1"
}
by_hand 2 101 "--frob: unknown option; 'roundcast-mpi --help' lists the options" "an unknown option" \
    b.sched --frob
by_hand 2 101 '--bytes: requires a value' "an option without its value" b.sched --bytes
by_hand 2 102 'repeat: 0 is out of range' "a value that is out of range" b.sched --repeat 0
by_hand 2 101 'roundcast-mpi: 0 files; expected one schedule' "no file"
by_hand 2 101 'roundcast-mpi: 2 files; expected one schedule' "two files" b.sched b.sched
by_hand 2 201 'none: cannot open' "a file that does not exist" none
by_hand 1 302 'node 1' "a schedule that does not hold" bad.sched
by_hand 2 102 'b.sched: 4 nodes, and 1 rank; expected a rank for each' "one rank for four nodes" b.sched
printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology complete 2 shared 2' \
    'model send-receive' 'demand 1 0 1' 'end 0' >shared.sched
printf '%s\n' 'roundcast-schedule 1' 'algorithm hand' 'topology complete 2' \
    'model send-receive 2' 'demand 1 0 1' 'round 1' '0 1 1' 'end 1' >ports.sched
ended 2 "$ranks_program" shared.sched >out
check "a shared memory" test "$?,$(grep -c '"code": 208,' out)" = 2,1
ended 2 "$ranks_program" ports.sched >out
check "two ports" test "$?,$(grep -c '"code": 103,' out)" = 2,1
check "the help lists the options" test \
    "$("$ranks_program" --help | grep -cE -- '--(order|bytes|repeat|help)')" = 4
# Open MPI requires two variables to run as root: without them the command names both and starts no
# process.
if [ "$(id -u)" = 0 ]; then
    mkdir spy
    printf '#!/bin/sh\ntouch %q\n' "$TMP/started" >spy/mpirun
    printf '#!/bin/sh\nunset OMPI_ALLOW_RUN_AS_ROOT%s\nPATH=%q:$PATH exec %q "$@"\n' '' "$TMP/spy" \
        "$ROUNDCAST" >as_root
    printf '#!/bin/sh\nunset OMPI_ALLOW_RUN_AS_ROOT%s\nPATH=%q:$PATH exec %q "$@"\n' _CONFIRM \
        "$TMP/spy" "$ROUNDCAST" >unconfirmed
    chmod +x spy/mpirun as_root unconfirmed
    for variables in as_root unconfirmed; do
        ROUNDCAST=$TMP/$variables refuses 2 E501 \
            'set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1' \
            "root without the variables of Open MPI ($variables)" mpi b.sched
    done
    check "… and no rank starts" test ! -e started
else
    unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    accepts 'all bytes are right' "a user needs no variables" mpi b.sched --bytes 8 --repeat 1
fi
cp "$ROUNDCAST" alone
ROUNDCAST=$TMP/alone refuses 2 E501 'libopenmpi-dev' "no program of the ranks" mpi b.sched
mkdir bin
printf '#!/bin/sh\nPATH=%q exec %q "$@"\n' "$TMP/bin" "$ROUNDCAST" >without
printf '#!/bin/sh\nexit 1\n' >failing
chmod +x without failing
ROUNDCAST=$TMP/without refuses 2 E501 'expected Open MPI (the package openmpi-bin)' "no mpirun" mpi \
    b.sched
mv failing bin/mpirun
ROUNDCAST=$TMP/without refuses 2 E501 'printed no report' "ranks that do not start" mpi b.sched

finish
