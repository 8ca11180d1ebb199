#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# given: schedules in place of algorithms: files in any format, patterns of files, and commands that
# print a schedule, in run, batches, studies, plans and plots.
#
# The schedule is a ring of n nodes: an all-gather in n - 1 rounds, the bound. Every run is checked
# by the scoreboard on csim. Counter-cases: schedules that fail, other numbers, fields of
# algorithms.
. "$(dirname "$0")/tap.sh"
[ -x "$ROUNDCAST" ] && ROUNDCAST=$(realpath "$ROUNDCAST")
cd "$TMP" || exit

cat >ring <<'END'
n=$1
for ((round = 0; round < n - 1; round++)); do
    for ((node = 0; node < n; node++)); do
        echo "$round $node $(((node + 1) % n)) $(((node - round + n) % n))"
    done
done
END
for n in 4 8; do bash ring $n >ring-$n.csv; done
"$ROUNDCAST" import ring-4.csv -o ring.sched >out
"$ROUNDCAST" export ring.sched --to msccl -o ring.xml >out
sed 6d ring-4.csv >less.csv
arrives='Every packet arrived in its predicted cycle'

# -- run -------------------------------------------------------------------------------------------

for file in ring-4.csv ring.sched ring.xml; do
    accepts "$arrives" "run $file" run $file --engine csim
done
accepts "$arrives" "a pattern" run 'ring-{n}.csv' -n 8 -m 1 --engine csim
accepts "$arrives" "a pattern of a long name" run 'ring-{nodes}.csv' -n 4 --engine csim
accepts "$arrives" "a command" run '|bash ring {n}' -n 5 --engine csim
accepts "$arrives" "standard input" run - --engine csim <ring-8.csv
accepts "$arrives" "another network" run ring-8.csv --network benes:16 --engine csim --flits 2
json '"algorithm": "csv"' "a report as JSON" run ring-4.csv --engine csim --json
accepts "$arrives" "a page" run ring-4.csv --engine csim --view ring.html
check "… is written" test -s ring.html
refuses 1 E302 'less.csv:10: round 3: node 2 sends packet 1' "a schedule that fails" run less.csv
refuses 1 E305 'ring-4.csv:2:' "another model" run ring-4.csv --model telegraph --engine csim
refuses 2 E102 '-n: 3, but ring-4.csv has node 3' "fewer nodes" run ring-4.csv -n 3
refuses 2 E102 '-n: 5, but ring.sched has 4; expected 4' "more nodes than a schedule" run ring.sched -n 5
refuses 2 E102 '-m: 2, but the schedule has 1; expected 1' "more packets" run ring-4.csv -m 2
refuses 2 E101 '-s: the schedule has no single source' "a source" run ring-4.csv -s 1
refuses 2 E101 '-d cannot be used together with a schedule, ring-4.csv' "a degree" run ring-4.csv -d 2
# Lists are read by the rules of the request: times, ports, and trees with routers.
for rules in "postal-bcast -n 5 -m 1 --lambda 4/3" "matching -n 9 -m 4 --ports 3" \
    "tree-broadcast --tree 2,2 --ports multi"; do
    # shellcheck disable=SC2086
    "$ROUNDCAST" schedule $rules | "$ROUNDCAST" export - --to csv >rules.csv
    # shellcheck disable=SC2086
    accepts 'Every packet arrived' "a list of $rules" run rules.csv --engine csim \
        $(sed -E 's/^[^ ]* //; s/-m [0-9]+//' <<<"$rules")
done
refuses 2 E208 'no machine is wired as a torus' "a list on a torus" run ring-4.csv --torus 4
refuses 2 E101 '--pattern cannot be used together with a schedule' "traffic" run ring-4.csv \
    --pattern zipf:3
refuses 2 E101 '-n is required, because ring-{n}.csv contains it' "a pattern without its field" \
    run 'ring-{n}.csv'
refuses 2 E201 'r-{q}.csv: cannot open' "a field that does not exist" run 'r-{q}.csv'
refuses 2 E201 'nowhere.csv: cannot open' "no such file" run nowhere.csv
refuses 2 E501 "'exit 3' failed; expected it to print a schedule" "a command that fails" run '|exit 3'
refuses 2 E501 "failed; expected it to print a schedule" "… after its output" run \
    '|cat ring-4.csv; exit 3'
refuses 2 E207 'true:1: the file is cut off here' "a command without output" run '|true'
refuses 2 E402 '2 ports for 4 nodes; expected benes:4' "a network that is too small" run ring-4.csv --network benes:2
refuses 2 E103 "ring-4.csv is a file; expected an algorithm; 'roundcast run ring-4.csv' runs a" \
    "no algorithm" schedule ring-4.csv
awk '{ print $1, $2, $3, $4 + 1 }' ring-4.csv >numbers.csv
accepts "$arrives" "the demands of an exercise" run numbers.csv --demands ring.sched --engine csim
refuses 2 E205 'ring-4.csv:1: a packet that the demands do not have' "… of another one" run \
    ring-4.csv --demands ring.sched

# -- other commands --------------------------------------------------------------------------------

accepts '' "route" route ring-4.csv -o routed
accepts "$arrives" "… and simulate" simulate routed --engine csim
accepts '' "view" view ring-4.csv -o view.html
check "… writes a page" test -s view.html
accepts 'digraph' "draw" draw ring-4.csv --packet 2
accepts 'num_ranks 4' "export" export ring-4.csv --to goal
accepts '' "plot" plot spread ring-4.csv --data spread
check "… writes numbers" test -s spread.dat
refuses 1 E302 'less.csv:10:' "route of a schedule that fails" route less.csv -o other
check "… writes no folder" test ! -e other
refuses 1 E302 'less.csv:10:' "export of it" export less.csv --to goal
if [ -x "${ROUNDCAST%/*}/roundcast-mpi" ] && command -v mpirun >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    accepts 'ranks' "mpi" mpi ring-4.csv --bytes 8 --repeat 1
else
    skip "mpi" "no roundcast-mpi"
fi

# By the rules of a topology or a model.
"$ROUNDCAST" schedule torus-total-exchange --torus 3,2 -m 1 --ports multi |
    "$ROUNDCAST" export - --to csv -o links.csv >out
accepts '' "a page of a list on a torus" view links.csv --torus 3,2 -o links.html
check "… is written" grep -q 'torus' links.html
accepts 'round,source' "a list of a list" export links.csv --torus 3,2 --to csv
refuses 1 E301 'links.csv:3:' "… without the rules" export links.csv --to csv
"$ROUNDCAST" schedule postal-dtree -n 5 -m 2 --lambda 5/2 | "$ROUNDCAST" export - --to csv \
    -o times.csv >out
accepts '' "route of a list with times" route times.csv --lambda 5/2 -o timed
accepts "$arrives" "… and simulate" simulate timed --engine csim
refuses 2 E101 'timed has the rules of its schedule' "rules of a folder" view timed --torus 4

# -- batches ---------------------------------------------------------------------------------------

printf '%s\n' 'ring-4.csv --engine csim' "'ring-{n}.csv' -n 8 --engine csim" \
    "'|bash ring 6' --engine csim" 'circulant -n 4 -m 2 --engine csim' >good.batch
accepts '4 runs, 0 failed' "a batch" run --batch good.batch
echo 'less.csv --engine csim' >>good.batch
"$ROUNDCAST" run --batch good.batch >out 2>err
check "… with a schedule that fails" test "$?,$(grep -c 'good.batch:5: less.csv:10:.*E302' err)" = 1,1

# -- studies ---------------------------------------------------------------------------------------

printf '%s\n' 'roundcast-study 1' 'algorithm all-gather ring-{n}.csv |bash ring {n} # a script' \
    'n 4 8' 'm 1' 'engine csim' >ring.study
accepts '6 points, 0 left out' "a study" sweep ring.study -o ring.sqlite
"$ROUNDCAST" sweep --csv ring.sqlite >ring.values
check "… whose points hold" test "$(grep -c ',all-gather,\|,ring-{n}.csv,\||bash ring {n},' ring.values)" = 6
"$ROUNDCAST" sweep --list ring.study >out
check "the commands are quoted" grep -qF "roundcast run '|bash ring {n}' -n 8" out
bash -c "$(sed -n "s|^roundcast|'$ROUNDCAST'|p" out | tail -1)" >out
check "… and run" grep -q '"holds": true' out
sed 's/^algorithm all-gather/schedule/' ring.study >own.study
accepts '4 points, 0 left out' "a line of schedules" sweep own.study -o own.sqlite
printf '%s\n' 'roundcast-study 1' 'algorithm path' 'schedule a.csv' 'n 4' 'm 1' >two.study
refuses 2 E206 "'schedule' next to 'algorithm'; expected all algorithms and schedules on one line" \
    "both lines" sweep two.study -o two.sqlite
printf '%s\n' 'roundcast-study 1' 'n 4' 'm 1' >none.study
refuses 2 E207 "no algorithm; expected a line 'algorithm' or 'schedule'" "no line" sweep none.study -o two.sqlite

# A list on a torus: each point reports that there is no machine.
printf '%s\n' 'roundcast-study 1' 'schedule links.csv' 'torus 3,2' 'engine csim' >torus.study
accepts '1 point, 0 left out' "a study of a torus" sweep torus.study -o torus.sqlite
check "… whose point names the reason" grep -q 'no machine is wired as a torus' \
    <("$ROUNDCAST" sweep --csv torus.sqlite)
"$ROUNDCAST" schedule tree-scatter --tree 2,2 | "$ROUNDCAST" export - --to csv -o branches.csv >out
printf '%s\n' 'roundcast-study 1' 'schedule branches.csv' 'tree 2,2' 'engine csim' >tree.study
accepts '0 with an error' "a study of a list on a tree" sweep tree.study -o tree.sqlite
printf '%s\n' 'roundcast-study 1' 'schedule times.csv' 'lambda 5/2' 'engine csim' >times.study
accepts '0 with an error' "… of a list with times" sweep times.study -o times.sqlite

# Without an engine a schedule is only checked, also on topologies without machines.
accepts 'The schedule keeps all rules; no engine has run it' "a run without an engine" run ring-4.csv \
    --engine none
accepts 'torus-multiport: 3 rounds (bound 3)' "… on a torus" run links.csv --torus 3,2 --engine none
accepts 'single-port: 10 rounds (bound 8)' "… of an algorithm" run torus-all-gather --torus 3,3 -m 1 \
    --engine none
json '"network": null' "… as JSON" run ring-4.csv --engine none --json
refuses 1 E302 'less.csv:10' "… of a schedule that fails" run less.csv --engine none
refuses 2 E101 '--flits cannot be used together with --engine none' "… with a machine" run \
    ring-4.csv --engine none --flits 2
refuses 2 E101 '--view cannot be used together with --engine none' "… with a page" run ring-4.csv \
    --engine none --view ring.html
refuses 2 E101 '--engine: none runs nothing; expected an engine' "… of a folder" simulate routed \
    --engine none
printf '%s\n' 'links.csv --torus 3,2 --engine none' 'mesh-scatter --mesh 3,3 -m 1 --engine none' >none.batch
accepts '2 runs, 0 failed' "… in a batch" run --batch none.batch
printf '%s\n' 'roundcast-study 1' 'schedule links.csv' 'torus 3,2' 'engine none' >none.study
accepts '0 with an error' "… in a study" sweep none.study -o none.sqlite
check "… with its rounds and its bound" grep -q ',3,.*,3,' <("$ROUNDCAST" sweep --csv none.sqlite)
printf '%s\n' 'roundcast-study 1' 'algorithm torus-scatter' 'torus 2,2 3,3 4,4' 'm 1' 'ports single' \
    'engine none' >sizes.study
accepts '3 points, 0 left out' "… of several sizes" sweep sizes.study -o sizes.sqlite
accepts '' "… which are plotted" plot sweep sizes.sqlite --x nodes --y rounds,bound --data sizes
check "… beside the bound, n - 1" grep -q '^16 15$' sizes.dat

# -- plots -----------------------------------------------------------------------------------------

"$ROUNDCAST" plot sweep ring.sqlite --x nodes --y rounds,bound --by algorithm --data ring >out
check "the bound is a curve" test "$(grep -A 2 ': bound$' ring.dat | tail -2 | tr '\n' ,)" = '4 3,8 7,'
check "… beside the others" test "$(grep -c '^# .*: ' ring.dat)" = 4
refuses 2 E101 '--y: more than 8 columns' "many columns" plot sweep ring.sqlite --x nodes \
    --y rounds,rounds,rounds,rounds,rounds,rounds,rounds,rounds,rounds --data ring

# -- plans -----------------------------------------------------------------------------------------

accepts 'send-receive      ring-4.csv          3      3    0' "a plan with a schedule" plan --with \
    ring-4.csv
accepts 'ring.xml' "… with several" plan --with ring-4.csv --with ring.xml
"$ROUNDCAST" schedule path -n 8 -m 2 -o path.sched >/dev/null
accepts 'send-receive  path.sched               8      4    4' "… also after the best ones" \
    plan --with path.sched --model send-receive --top 1
json '"algorithm": "ring-4.csv"' "… as JSON" plan --with ring-4.csv --json
accepts 'ring-4.csv' "… of a given problem" plan -n 4 -m 1 --collective all-gather --with ring-4.csv
refuses 2 E101 'ring-4.csv is a schedule of another problem' "another problem" plan -n 4 -m 1 \
    --with ring-4.csv
"$ROUNDCAST" schedule reduce -n 5 -m 2 -s 2 -o reduce.sched >/dev/null
accepts 'reduce.sched' "… of a reduction to a node" plan -n 5 -m 2 --collective reduce -s 2 \
    --with reduce.sched
refuses 2 E101 'reduce.sched is a schedule of another problem, reduce of 2 packets, at node 2' \
    "a reduction to another node" plan -n 5 -m 2 --collective reduce --with reduce.sched
accepts 'keeps all rules' "a run to the node of the schedule" run reduce.sched -s 2 --engine none
refuses 2 E102 '-s: 1, but that of the schedule is 2' "… to another node" run reduce.sched -s 1
refuses 2 E102 '-n: 4, but ring-8.csv has node 7' "more nodes" plan -n 4 -m 1 --with ring-8.csv
refuses 1 E302 'less.csv:10' "a plan with a schedule that fails" plan -n 4 -m 1 --with less.csv
refuses 2 E211 'ring-4.csv:1: no branch joins 0 and 1' "a list that is none of a tree" plan \
    --tree 2,2 --with ring-4.csv
refuses 2 E101 '--reconfigure and --planes plan the cycles of traffic' "a plan in cycles" plan \
    --with ring-4.csv --reconfigure 3
"$ROUNDCAST" schedule matching -n 9 -m 4 --ports 2 -o ports.sched >/dev/null
accepts 'send-receive  ports.sched          4      4    0' "several ports" plan --with ports.sched
refuses 2 E101 'ports.sched is a schedule of another problem' "… of a problem of one port" plan \
    -n 9 -m 4 --with ports.sched
printf '%s\n' '1 0 1 a' '1 0 2 b' >two.csv
accepts 'send-receive  two.csv            1      1    0' "… of a list" plan --ports 2 --with two.csv
refuses 1 E301 'two.csv:2' "… which has one port without --ports" plan --with two.csv
"$ROUNDCAST" schedule postal-dtree -n 8 -m 4 --lambda 5/2 -o postal.sched >/dev/null
accepts 'postal  postal.sched        27/2' "the postal model" plan --with postal.sched \
    --model postal
accepts '27/2' "… with λ as a decimal number" plan -n 8 -m 4 --lambda 2.5 --with postal.sched
refuses 2 E103 '--lambda: postal.sched has another λ' "… and another λ" plan -n 8 -m 4 \
    --lambda 2 --with postal.sched
printf '%s\n' '1 0 1 a' '2 0 2 a' '1 3 4 b' >some.csv
accepts 'send-receive  some.csv ' "demands that are no collective" plan \
    --with some.csv
check "… beside a search for any demands" grep -q 'send-receive  general  ' "$TMP/out"

# Every topology and model. The first row of the model is that of the algorithm that made the
# schedule, with the same rounds and bound.
while read -r name rules; do
    # shellcheck disable=SC2086
    "$ROUNDCAST" schedule $name $rules -o mine.sched >out
    "$ROUNDCAST" plan --with mine.sched --json >plan.json
    check "a plan with $name $rules" python3 - "$name" <<'END'
import json, sys
rows = json.load(open("plan.json"))["plan"]
mine = [row for row in rows if row["algorithm"] == "mine.sched"]
same = [row for row in rows if row["algorithm"] == sys.argv[1]]
end = lambda row: row.get("rounds", row.get("time"))
assert len(mine) == 1 and mine[0]["bound"] in [row["bound"] for row in same], rows
assert any(end(row) == end(mine[0]) and row["model"] == mine[0]["model"] for row in same), rows
END
done <<'END'
tree-broadcast --tree 2,2
tree-all-gather --tree 2,3 --capacity exp --ports multi
tree-total-exchange --tree 2,2 --ports multi --half-duplex
tree-scatter --parents 4,4,5,6,5,6
tree-reduce --tree 2,2
cube-broadcast --dim 3 --random 6
cube-all-reduce --dim 3 -m 2
torus-all-gather --torus 3,3 -m 2
torus-reduce --torus 3,2 -m 2 --ports multi
mesh-scatter --mesh 3,3 -m 1 -s 4
matching -n 9 -m 4 --ports 3
all-gather -n 6 -m 2 --lambda 5/2 --model postal
fabric-broadcast -n 8 -m 3 --lambda 5/2 --model fabric-postal
fabric-reduce -n 8 -m 3
fabric-all-reduce -n 8 -m 3
reduce -n 8 -m 3 --model telegraph
path-scan -n 5 -m 2
traffic --pattern uniform:3 -n 5
END
"$ROUNDCAST" schedule torus-all-gather --torus 3,2 -m 1 -o torus.sched >out
"$ROUNDCAST" export torus.sched --to csv -o torus.csv
accepts 'torus-multiport    torus.csv ' "a list on a torus" plan --torus 3,2 --with torus.csv
accepts 'torus.sched ' "… beside a schedule" plan --torus 3,2 --with torus.csv --with torus.sched
accepts 'torus.sched ' "… of a given problem" plan --torus 3,2 -m 1 --with torus.sched
refuses 2 E101 'torus.sched is a schedule of another problem, all-gather' "… of another one" plan \
    --torus 3,2 -m 2 --with torus.sched
refuses 2 E103 'torus.sched: the schedule has another topology' "… on another torus" plan \
    --torus 2,3 -m 1 --with torus.sched
refuses 1 E313 'ring-4.csv: 4 nodes of another topology' "schedules of two topologies" plan \
    --with torus.sched --with ring-4.csv
"$ROUNDCAST" schedule gather -n 4 -m 1 -o gather.sched >out
refuses 1 E313 '0 packets from node 0 for all nodes; expected 1' "… of two collectives" plan \
    --with ring-4.csv --with gather.sched
accepts 'torus-single-port  torus.sched ' "one model" plan --with torus.sched --ports single --top 1
refuses 2 E103 '--model: torus.sched is a schedule of torus-single-port' "a model of another topology" plan --with torus.sched \
    --model telephone
"$ROUNDCAST" schedule torus-scatter --torus 3,2 -m 1 -o scatter.sched >out
accepts 'scatter.sched ' "the demands of a file" plan --demands scatter.sched --with scatter.sched
refuses 2 E101 'torus.sched is a schedule of another problem' "… that are others" plan \
    --demands scatter.sched --with torus.sched
"$ROUNDCAST" schedule cube-unbalanced --dim 3 --random 6 -o cube.sched >out
accepts 'cube.sched ' "the sources of a hypercube" plan --dim 3 --random 6 --with cube.sched
refuses 2 E101 'cube.sched is a schedule of another problem' "… that are others" plan \
    --dim 3 --random 6 --seed 2 --with cube.sched
"$ROUNDCAST" schedule traffic --pattern uniform:3 -n 5 -o traffic.sched >out
accepts 'traffic.sched ' "traffic" plan --pattern uniform:3 -n 5 --with traffic.sched
refuses 2 E101 'traffic.sched is a schedule of another problem' "… other traffic" plan \
    --pattern uniform:3 -n 5 --seed 2 --with traffic.sched
accepts 'send-receive ' "a degree" plan --with path.sched -d 2 --model send-receive
refuses 2 E101 '-d: no algorithm that applies has a degree' "… that no algorithm has" plan \
    --with torus.sched -d 2
printf 'roundcast-schedule 1\nalgorithm a\ntopology complete 4 shared 2\nmodel send-receive\n%s' \
    $'demand 1 0 2\nround 1\n0 2 1\nend 1\n' >shared.sched
refuses 2 E208 'shared.sched: its demands are those of no algorithm' "demands of no algorithm" plan \
    --with shared.sched

finish
