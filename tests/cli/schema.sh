#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# schema: the output of commands with --json matches docs/schema/reports.json.
#
# Reports of each command over the models, networks, settings, programs and machines that differ in
# their keys, and errors of each command. Counter-cases: for each of these, a removed key, an added
# key, and a value of another type for each key are rejected; and no report matches another command.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
schema=$here/../../docs/schema/reports.json
python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -W ignore -c 'import jsonschema' 2>/dev/null; then python=$candidate && break; fi
done
if [ -z "$python" ]; then
    skip "reports are as the schema says" "no package python3-jsonschema"
    finish
fi
cd "$TMP" || exit
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST

count=0
# said NAME ARGUMENT…: runs a command and keeps its report, of this name, for the final checks.
said() {
    local name=$1
    shift
    count=$((count + 1))
    roundcast "$@" --json
    mkdir -p "reports/$name"
    cp out "reports/$name/$count.json"
    echo "$*" >"reports/$name/$count"
}

said list list
for model in send-receive telephone telegraph fabric-multicast; do
    said plan plan -n 8 -m 3 --model $model
    said bound bound -n 8 -m 3 --model $model
done
said plan plan -n 8 -m 3 --lambda 5/2
said plan plan --tree 4,4
said plan plan --dim 4 --sources 1,2,3
said bound bound -n 8 -m 3 --lambda 5/2 -t 7/2
said bound bound -d 3 -t 200
said bound bound --dim 4 --random 9
said bound bound --tree 2,2 --capacity exp
said tune tune --bytes 500 -n 8
said tune tune --bytes 500 -n 6 --collective scatter
said tune tune --pattern zipf:500 -n 6
said tune tune --pattern zipf:500 -n 6 --reconfigure 9
said schedule schedule circulant -n 8 -m 3 -o c.sched
said schedule schedule matching -n 8 -m 4 -o m.sched
said schedule schedule postal-bcast -n 5 -m 1 --lambda 5/2 -o p.sched
said schedule schedule tree-broadcast --tree 2,2 -o t.sched
said schedule schedule tree-total-exchange --tree 2,2 --ports multi -o e.sched
said schedule schedule cube-broadcast --dim 3 --sources 0,3 -o q.sched
said schedule schedule total-exchange -n 4 -m 1 -o x.sched
said schedule schedule fabric-broadcast -n 8 -m 3 -o f.sched
sed 's/^end .*/end 5/; 0,/^0 4 1/s//4 0 1/' c.sched >bad.sched
for name in c p t e q x f bad; do said verify verify $name.sched; done
said verify verify bad.sched --all
said verify-files verify c.sched bad.sched nowhere
for name in c p t e q x f bad; do said judge judge $name.sched; done
for settings in full indexed tags masks; do
    said route route c.sched -o $settings --settings $settings
done
said route route c.sched -o computed --programs computed
said route route c.sched -o omega --network omega:8 --split
said route route x.sched -o blocked --network omega:4 --split
said route route p.sched -o postal
said route route p.sched -o ranges --programs ranges
for name in t e; do said route route $name.sched -o $name; done
said route route t.sched -o auto --network fat-tree-auto
said route route q.sched -o cube
said route route q.sched -o lowered --network benes:8
said route route f.sched -o copies
for name in full indexed tags computed omega postal lowered; do
    said unpack unpack $name/image.hex
done
for name in full indexed tags computed omega postal t e auto cube lowered copies; do
    said simulate simulate $name --engine csim
done
awk '/^@30/ && !done { print; getline; print "00000000"; done = 1; next } 1' full/image.hex >deaf
mv deaf full/image.hex
said simulate simulate full --engine csim
said run run circulant -n 8 -m 3 --engine csim
said run run postal-bcast -n 5 -m 1 --lambda 5/2 --engine csim
said run run tree-broadcast --tree 2,2 --engine csim
said run run path -n 1 -m 1 --engine csim
said run run matching -n 4 -m 2 --engine csim --reconfigure 3
printf '%s\n' 'path -n 4' 'matching -n 6 --network omega:8' >a.batch
said batch run --batch a.batch -m 3 --engine csim
sed -i 2d a.batch
said batch run --batch a.batch -m 3 --engine csim
printf '0,2,1\n1,0,2\n2,1,0\n' >matrix.csv
said schedule schedule traffic --matrix matrix.csv --reconfigure 10 -o held.sched
said plan plan --matrix matrix.csv --model telephone
said plan plan --matrix matrix.csv --reconfigure 10
said plan plan --pattern blocks:2,80 -n 80 --reconfigure 3
said plan plan --matrix matrix.csv --reconfigure 10 --planes 2
said bound bound --matrix matrix.csv --reconfigure 10
said schedule schedule traffic --matrix matrix.csv -o held.sched
said schedule schedule general --demands c.sched -o general.sched
said bound bound --demands held.sched
said plan plan --demands held.sched
said export export c.sched --to goal -o c.goal
said export export c.sched --to sccl -o c.json
said import import c.json --from sccl -o again.sched
said export export c.sched --to msccl -o c.xml
said import import c.xml --from msccl --model telephone -o again.sched
said draw draw c.sched -o c.dot
said draw draw --tree hat -d 3 -n 7 -o hat.dot
said view view c.sched -o c.html
said plot plot spread c.sched --data c
said plot plot tune -n 6 --bytes 40 --data c
printf 'roundcast-study 1\nalgorithm path\nn 4 5\nm 1\nengine csim\n' >a.study
said sweep sweep a.study -o a.sqlite
said sweep sweep a.study -o a.sqlite
if [ -x "${ROUNDCAST%/*}/roundcast-mpi" ] && command -v mpirun >/dev/null; then
    said mpi mpi c.sched --bytes 1,9 --repeat 1
    said mpi mpi m.sched --order dependency --bytes 2 --repeat 2
fi
XDG_CACHE_HOME=$TMP said engines engines
said engine-names engines --names full tags
for command in list plan bound tune schedule verify judge route unpack draw view plot export import simulate run \
    mpi sweep engines; do
    said failure $command --nonsense
done
said failure verify nowhere
said failure run path -n 4 -m 1 --network benes:3,pad=100
said failure run --batch a.batch
said failure route x.sched -o new --settings masks --network benes:3

groups=()
for folder in reports/*; do groups+=(-- "${folder##*/}" "$folder"/*.json); done
seen=0
while read -r name kind wrong; do
    seen=$((seen + 1))
    files=("reports/$name"/*.json)
    text="$name: ${#files[@]} reports are as the schema says"
    [ "$kind" = good ] || text="… and no change of one is"
    if [ -z "$wrong" ]; then ok "$text"; else not_ok "$text" "$name: $wrong"; fi
done < <("$python" -W ignore "$here/schema.py" "$schema" "${groups[@]:1}" 2>&1)
check "(two lines for each command)" test "$seen" = $(($(echo reports/* | wc -w) * 2))
bound=(reports/bound/*.json)
"$python" -W ignore "$here/schema.py" "$schema" list "${bound[0]}" -- run "${bound[0]}" \
    -- failure "${bound[0]}" >none 2>&1
for name in list run failure; do
    check "a report of bound is none of $name" grep -qE "^$name good .+" none
done
finish
