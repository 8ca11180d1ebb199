#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# judge_models: every topology and model with every command for schedules of one's own.
#
# A schedule of each row is stretched: two empty rounds, or units of time, precede each step. It is
# judged, also as a list of transfers that is read by the rules of the row; compacted, which must
# give no later end than before it was stretched, and the same file if it is repeated; planned
# beside the algorithms; and run on csim, in a batch and in a study, or, where there is no machine,
# rejected with the reason and run without an engine.
. "$(dirname "$0")/tap.sh"
[ -x "$ROUNDCAST" ] && ROUNDCAST=$(realpath "$ROUNDCAST")
cd "$TMP" || exit

# stretch FILE: prints the schedule with each step two units after the step before it. A time is a
# whole number or a fraction, N/D.
stretch() {
    awk '
        function later(time, units,    part) {
            if (split(time, part, "/") < 2) return time + units
            return part[1] + units * part[2] "/" part[2]
        }
        $1 == "round" || $1 == "time" { shift += 2; $2 = later($2, shift) }
        $1 == "end" { $2 = later($2, shift) }
        { print }' "$1"
}

# judged FILE RULE…: judges the file and reads the report: sets holds, collective_of (its first
# word), compact and end (the rounds or the time). A value of the report itself, and not of an
# object in it, has two blanks before it. What is missing is empty.
judged() {
    local line
    holds="" collective_of="" compact="" end=""
    "$ROUNDCAST" judge "$@" --json >judged.json 2>err
    while IFS= read -r line; do
        line=${line%,} line=${line//\"/}
        case $line in
        "  holds: "*) holds=${line#*: } ;;
        "  collective: "*) line=${line#*: } collective_of=${line%% *} ;;
        "  compact: "*) compact=${line#*: } ;;
        "  rounds: "* | "  time: "*) end=${line#*: } ;;
        esac
    done <judged.json
}

# is_at_most A B: returns whether A <= B; both are whole numbers or fractions, N/D.
is_at_most() {
    local form='^([0-9]+)(/([1-9][0-9]*))?$' a b
    [[ $1 =~ $form ]] || return
    a=("${BASH_REMATCH[1]}" "${BASH_REMATCH[3]:-1}")
    [[ $2 =~ $form ]] || return
    b=("${BASH_REMATCH[1]}" "${BASH_REMATCH[3]:-1}")
    [ $((a[0] * b[1])) -le $((b[0] * a[1])) ]
}

# is_later A B: returns whether A > B.
is_later() { is_at_most "$2" "$1" && ! is_at_most "$1" "$2"; }

# Judges, plans and compacts mine.sched.
judges() {
    local early latest
    judged mine.sched
    check "$name: a schedule is judged" test "$holds,$collective_of" = "true,$collective"
    early=$compact latest=$end
    stretch mine.sched >long.sched
    judged long.sched
    check "… after compaction it ends as early" test "$compact" = "$early"
    check "… and without it later" is_later "$end" "$latest"
    "$ROUNDCAST" import long.sched --compact -o once.sched >out 2>err
    judged once.sched
    check "… and keeps the rules" test "$holds,$end" = "true,$early"
    check "… no later than before" is_at_most "$early" "$latest"
    "$ROUNDCAST" import once.sched --compact -o twice.sched >out 2>err
    check "… and twice is once" cmp once.sched twice.sched
    accepts '' "… it is planned" plan --with mine.sched --with once.sched
    check "… beside an algorithm" grep -q 'mine.sched' "$TMP/out"
}

# Judges the schedule as a list, read by the rules of the row.
judges_list() {
    "$ROUNDCAST" export mine.sched --to csv -o mine.csv >out
    # shellcheck disable=SC2086
    {
        judged mine.csv $rules
        check "… a list is judged" test "$holds,$collective_of" = "true,$collective"
        accepts '' "… compared with the demands" verify mine.csv $rules --all --demands mine.sched
        accepts 'mine.csv' "… and planned" plan $rules --with mine.csv
        [ "$collective" = demands ] || [ "$collective" = traffic ] ||
            accepts '' "… as the expected collective" judge mine.csv $rules --expect "$collective"
    }
}

# Runs mine.sched on csim, alone, in a batch and in a study, or finds the reason why not.
runs() {
    echo 'mine.sched --engine csim' >mine.batch
    printf '%s\n' 'roundcast-study 1' 'schedule mine.sched' 'engine csim' >mine.study
    rm -f mine.sqlite
    if [ "$reason" = runs ]; then
        accepts 'Every packet arrived in its predicted cycle' "… it runs" run mine.sched --engine csim
        accepts '1 run, 0 failed' "… in a batch" run --batch mine.batch
        accepts '0 with an error' "… in a study" sweep mine.study -o mine.sqlite
        return
    fi
    refuses 2 E208 "$reason" "… no machine runs it" run mine.sched --engine csim
    refuses 2 E208 "mine.batch:1: " "… in a batch" run --batch mine.batch
    accepts 'keeps all rules' "… it is checked" run mine.sched --engine none
    sed -i 's/csim/none/' mine.batch mine.study
    accepts '1 run, 0 failed' "… in a batch" run --batch mine.batch
    accepts '0 with an error' "… in a study" sweep mine.study -o mine.sqlite
}

check "(5/2 is not at most 2, and nothing is not at most 1)" eval \
    '! is_at_most 5/2 2 && ! is_at_most "" 1 && is_at_most 2 5/2'

while IFS='|' read -r reason collective name problem rules; do
    # shellcheck disable=SC2086
    "$ROUNDCAST" schedule $name $problem $rules -o mine.sched >out
    judges
    [[ $name == fabric-*reduce || $name == cube-broadcast ]] || judges_list
    runs
done <<'END'
runs|broadcast|path|-m 3|-n 8
runs|broadcast|matching|-m 2|-n 9 --model telephone
runs|broadcast|telegraph|-m 3|-n 8
runs|broadcast|matching|-m 4|-n 9 --ports 3
runs|all-gather|all-gather|-m 1|-n 5 --ports 2 --model telephone
runs|broadcast|postal-dtree|-m 2|-n 8 --lambda 5/2
runs|broadcast|postal-swarm|-m 3|-n 7 --lambda 2 --ports 2
runs|reduce|reduce|-m 3|-n 8
runs|reduce|reduce|-m 3|-n 8 --lambda 5/2
runs|scan|path-scan|-m 2|-n 5
runs|traffic|traffic|--pattern uniform:3|-n 5
runs|broadcast|fabric-broadcast|-m 3|-n 8 --model fabric-multicast
runs|broadcast|fabric-broadcast|-m 3|-n 8 --lambda 5/2 --model fabric-postal
runs|reduce|fabric-reduce|-m 3|-n 8
runs|all-reduce|fabric-all-reduce|-m 3|-n 8
runs|broadcast|tree-broadcast||--tree 2,2
runs|all-gather|tree-all-gather||--tree 2,3 --capacity exp --ports multi
runs|total-exchange|tree-total-exchange||--tree 2,2 --ports multi --half-duplex
runs|all-gather|cube-all-gather|-m 1|--dim 3
runs|demands|cube-broadcast|--random 6|--dim 3
no machine has routers of different sizes|scatter|tree-scatter||--parents 4,4,5,6,5,6
no machine is wired as a torus|all-gather|torus-all-gather|-m 2|--torus 3,3 --ports single
no machine is wired as a torus|reduce|torus-reduce|-m 2|--torus 3,2 --ports multi
no machine is wired as a mesh|scatter|mesh-scatter|-m 1 -s 4|--mesh 3,3 --ports single
END
finish
