#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reduce_product: each algorithm that combines packets, reversing each algorithm that it accepts, in
# each of its models, on small shapes. A schedule holds, is not below its bound and ends with the
# broadcast or all-gather that it reverses; it is drawn, plotted and shown, written in each format,
# read again where that is possible, and run with the certificate of the schedule; or the stage
# rejects it with a reason and one of its codes, and leaves no file. No stage crashes or fails a
# check. Counter-cases: a check that fails, and a rejection with another code, are reported.
#
# One in 4 of the reversed algorithms, and of the formats of a schedule, is drawn;
# ROUNDCAST_EXHAUSTIVE takes all. TEST_PART, 0 … 3, repeats what was drawn.
# tags: long
. "$(dirname "$0")/tap.sh"

case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
cd "$TMP" || exit
formats=$(exported)
declare -A count
failures=""
if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then parts=1 least=20; else parts=4 least=1; fi
part=$((${TEST_PART:-$RANDOM} % parts))
turn=0

# is_drawn: the next of the reversed algorithms or formats belongs to the sample.
is_drawn() { [ $((turn++ % parts)) = "$part" ]; }

# stage NAME CODES ARGUMENT…: runs a stage. Returns 0 if it succeeds. A rejection with another code
# than CODES, and any other status than 2, is a failure.
stage() {
    local name=$1 codes=$2 status message
    shift 2
    "$ROUNDCAST" "$@" >out 2>err
    status=$?
    if [ $status = 0 ]; then
        count[$name]=$((${count[$name]:-0} + 1))
        return 0
    fi
    contents message err
    [ $status = 2 ] && [[ $message =~ \[(E[0-9]+)\ [a-z-]+\] ]] &&
        [[ " $codes " == *" ${BASH_REMATCH[1]} "* ]] ||
        failures+="$asked: $name: status $status: ${message:0:160}"$'\n'
    return 1
}

# trees VARIABLE FIELD: sets the variable to a field of the object trees of a JSON report, which is
# in report, or to nothing.
trees() {
    local form='"trees": \{[^}]*"'$2'": "([0-9a-f]+)"'
    printf -v "$1" ''
    [[ ! $report =~ $form ]] || printf -v "$1" '%s' "${BASH_REMATCH[1]}"
}

# follow: passes a.sched, whose verdict is in verdict.json, through all stages.
follow() {
    local format
    stage draw "E102 E104" draw a.sched -o a.dot
    stage view "E104" view a.sched -o a.html
    stage plot "E102" plot spread a.sched --data a
    for format in $formats; do
        is_drawn || continue
        if ! stage "export $format" "E103 E104 E208" export a.sched --to "$format" -o "a.$format"; then
            [ ! -e "a.$format" ] || failures+="$asked: export $format left a file"$'\n'
            continue
        fi
        case $format in
        sccl | msccl | mscclpp)
            stage "import $format" "E208" import "a.$format" --from "$format" -o b.sched
            ;;
        jsonl | csv)
            stage "import $format" "E103 E208" import "a.$format" --demands a.sched -o b.sched
            ;;
        esac
        rm -f "a.$format" b.sched
    done
    stage run "E208 E401 E402 E404" run a.sched --engine csim --json || return
    local seen expected certificate
    contents report out
    trees seen seen
    trees expected expected
    contents report verdict.json
    trees certificate certificate
    [[ -n $seen && $seen == "$expected" ]] ||
        failures+="$asked: the run has other trees"$'\n'
    # Routers, and nodes of a hypercube, combine in the order of their ports.
    [[ $topology == cube || $topology == tree || $seen == "$certificate" ]] ||
        failures+="$asked: the run has other trees than the schedule"$'\n'
}

# try ALGORITHM ARGUMENT…: builds a schedule and follows it.
try() {
    asked="$*"
    count[asked]=$((${count[asked]:-0} + 1))
    rm -f a.sched
    stage schedule "E101 E102 E103 E208" schedule "$@" -o a.sched || return
    stage verify "" verify a.sched --json || return
    mv out verdict.json
    follow
}

# end: prints when the schedule on standard input ends.
end() { sed -n 's/^end //p'; }

declare -A shapes=(
    [complete]="-n 5;-n 8" [tree]="--tree 2,3" [cube]="--dim 2" [torus]="--torus 2,3"
    [mesh]="--mesh 2,3")
"$ROUNDCAST" list --json >list.json
jq -r '.algorithms[] | "\(.name) \(.models | join(" "))"' list.json >algorithms
grep -E '(^|-)(reduce|scan)' algorithms >combining
check "there are reductions of each topology" test "$(sed 's/ .*//; s/-.*//' combining | sort -u |
    grep -cE '^(tree|cube|torus|mesh|reduce)$')" = 5

while read -r name models; do
    topology=${name%%-*}
    [[ -v shapes[$topology] ]] || topology=complete
    for model in $models; do
        options="--model $model"
        [ "$model" != postal ] || options="--lambda 5/2"
        failures=""
        IFS=';' read -ra each <<<"${shapes[$topology]}"
        m=2
        [[ $topology != tree || $name != *scatter ]] || m=1 # the most on a tree
        for shape in "${each[@]}"; do
            # shellcheck disable=SC2086 # several words
            try $name $shape -m $m $options
            while read -r by _; do
                is_drawn || continue
                # shellcheck disable=SC2086 # several words
                try $name $shape -m $m $options --by "$by"
                [[ $name =~ ^(reduce|reduce-scatter)$ && -s a.sched ]] || continue
                # shellcheck disable=SC2086 # several words
                [ "$(end <a.sched)" = "$("$ROUNDCAST" schedule "$by" $shape -m $m $options | end)" ] ||
                    failures+="$asked: does not end with $by"$'\n'
            done < <([[ ! $name =~ (^|-)(reduce|reduce-scatter|all-reduce)$ ]] ||
                grep -vE '(^|-)(reduce|scan)|^(traffic|general) ' algorithms |
                grep -E " $model( |\$)")
        done
        check "$name, $model: $failures" test -z "$failures"
    done
done <combining
rm -f a.*

for name in schedule verify draw view plot run "export goal" "export msccl" "export booksim-trace" \
    "import msccl" "import mscclpp" "import sccl" "import csv"; do
    check "$name succeeded ${count[$name]:-0} times of ${count[asked]}, part $part of $parts" \
        test "${count[$name]:-0}" -ge $least
done

# Counter-cases.
report='{"seen": "1", "trees": {"expected": "2"}, "x": {"seen": "3"}}'
trees seen seen
trees expected expected
check "trees of a report that has none are not found" test "$seen,$expected" = ",2"
asked="a damaged schedule" failures=""
"$ROUNDCAST" schedule reduce -n 4 -m 1 2>/dev/null | sed '/^3 1 1$/d' >a.sched
stage verify "" verify a.sched
check "a check that fails is reported" grep -q "verify: status 1: .*E310" <<<"$failures"
failures=""
stage draw "E208" draw none.sched
check "another code is reported" grep -q "draw: status 2: .*E201" <<<"$failures"

finish
