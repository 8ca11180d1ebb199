#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# refusals: input that a command rejects, for each kind of error, next to the nearest input that it
# accepts (the counter-case): no file, one too many, options that exclude each other, numbers one
# beyond the range, folders whose files do not belong together.
. "$(dirname "$0")/tap.sh"

cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST

# quiet ARGUMENT…: the command succeeds; its output is not checked.
quiet() { check "$1 $2 …" "$ROUNDCAST" "$@"; }
quiet schedule circulant -n 8 -m 3 -o s.sched
quiet schedule path -n 8 -m 1 -o one.sched
quiet schedule postal-pipeline -n 8 -m 3 --lambda 5/2 -o postal.sched
quiet schedule cube-broadcast --dim 3 --sources 0,3 -o cube.sched
quiet schedule fabric-broadcast -n 8 -m 2 -o fabric.sched
quiet route s.sched -o s
quiet route postal.sched -o postal
quiet route s.sched -o omega --network omega:8 --split
quiet export s.sched --to sccl -o s.json
printf '0 1 2\n1 0 1\n1 1 0\n' >m.txt
printf '0 0\n0 0\n' >empty.txt
printf 'wrong\n' >wrong.html

# No file, and one too many.
for command in route 'run' unpack simulate view import draw verify; do
    refuses 2 E101 expected "$command of nothing" "$command"
    check "… says which command" grep -qE "^roundcast: ($command: no |ALGORITHM is required)" "$TMP/err"
done
refuses 2 E101 '-o is required; expected the folder to write' "route without -o" route s.sched
refuses 2 E101 'one file too many; expected only s.sched' "two schedules" view s.sched one.sched
refuses 2 E101 'standard output carries the page' "a page and a report" view s.sched --json
refuses 2 E101 'standard output carries the schedule' "a schedule and a report" \
    import s.json --from sccl --json
refuses 2 E201 'cannot open' "no such schedule" view nothing.sched -o x.html
refuses 2 E204 'no report' "an index of what is no page" view --index wrong.html -o x.html
refuses 2 E201 'cannot open' "an index of nothing" view --index nothing.html -o x.html
mkdir bare && cp s.sched bare/schedule.sched
refuses 2 E201 'image.hex' "a folder without an image" view bare -o x.html
accepts 'to be opened' "a page of a folder" view s -o s.html
accepts '"shows": 1' "a page of times, as JSON" view postal -o postal.html --json
accepts '<!doctype html>' "a page on standard output" view one.sched
accepts 'to be opened' "an index" view --index s.html postal.html -o index.html
accepts 'to be opened' "an index of a page in another folder" view --index "$TMP/s.html" -o x.html
accepts '<!doctype html>' "an index on standard output" view --index s.html
accepts '"transfers"' "a report of what is imported" import s.json --from sccl --json -o back.sched
accepts 'roundcast-schedule 1' "an imported schedule on standard output" import s.json --from sccl

# Options that exclude each other, or that require others.
refuses 2 E101 '--seed: nothing is drawn' "a seed of nothing" \
    schedule circulant -n 4 -m 1 --seed 3
refuses 2 E101 '--total requires --matrix or --entries' "shares of a pattern" plan -n 4 --pattern uniform:2 --total 9
refuses 2 E101 '--packet-bytes requires --matrix, --entries or --pattern' "bytes of nothing" plan -n 4 -m 2 --packet-bytes 9
refuses 2 E101 '--matrix, --entries, --pattern: 2 are given' "two demands" plan --matrix m.txt --entries m.txt
refuses 2 E101 '--pattern requires -n, 2 or more' "a pattern of one node" plan -n 1 --pattern uniform:2
refuses 2 E101 '--capacity requires --tree' "a capacity of no tree" plan -n 4 -m 1 --capacity 1,2
refuses 2 E102 '-n: 5; expected 4, the leaves of the tree' "another number of leaves" plan -n 5 --tree 2,2
refuses 2 E103 '2 packets in a tree; expected 1 packet' "packets of a scatter in a tree" \
    schedule tree-scatter -m 2 --tree 2,2
refuses 2 E103 '2 packets in a tree; expected 1 packet' "packets of an all-gather in any tree" \
    schedule tree-all-gather -m 2 --parents 3,3,4,4
accepts 'tree-broadcast' "one packet" plan -n 4 -m 1 --tree 2,2
refuses 2 E101 'with --matrix' "a collective of a matrix" \
    plan --matrix m.txt --collective gather
refuses 2 E101 '--collective: all collectives of a tree, hypercube, torus or mesh are shown' "a collective of a tree" plan --tree 2,2 --collective gather
refuses 2 E101 'λ of the postal' "times without λ" plan -n 4 -m 1 --model postal
refuses 2 E101 'held in the model send-receive only' "settings that are held, of times" \
    plan --matrix m.txt --reconfigure 3 --lambda 2
refuses 2 E102 'empty.txt: a message of 0 bytes; expected 1 … 1073741824 bytes' "tune: an empty matrix" \
    tune --matrix empty.txt
refuses 2 E101 'ALGORITHM: traffic requires --matrix, --entries or --pattern' "traffic of nothing" schedule traffic -n 4 -m 1
refuses 2 E101 '-r: the image has times' "a round of times" unpack postal/image.hex --round 1
refuses 2 E102 'expected 1 …' "a round that is none" unpack s/image.hex --round 99
refuses 2 E101 'a name that ends in .fst' "a trace of another form" simulate s --waves s.vcd
refuses 2 E101 '--waves-from requires --waves' "a part of no trace" simulate s --waves-from 2

# Memories and words of a machine.
refuses 2 E101 '--memory:' "a memory of 3 packets" \
    route s.sched -o x --memory packets=3,flits=4,rows=8
refuses 2 E401 'more than 28 bits of address' "a memory that is too large" \
    route s.sched -o x --memory packets=65536,flits=65536,rows=64
refuses 2 E101 '--memory:' "two numbers" route s.sched -o x --memory packets=4,flits=4
refuses 2 E101 '--memory:' "no depth" route s.sched -o x --memory packets=4,flits=4,rows=8,depth=0
refuses 2 E101 '--memory:' "a depth too large" \
    route s.sched -o x --memory packets=4,flits=4,rows=8,depth=99999999
refuses 2 E101 '--memory:' "another word" \
    route s.sched -o x --memory packets=4,flits=4,rows=8,deep=1
refuses 2 E101 '--memory:' "text after it" \
    route s.sched -o x --memory packets=4,flits=4,rows=8,depth=1x
accepts 's' "a memory that is large enough" \
    route s.sched -o x --memory packets=4,flits=4,rows=16
refuses 2 E102 'expected at most 4 on this machine' "packets longer than the memory" \
    route s.sched -o x --memory packets=4,flits=4,rows=16 --flits 5
refuses 2 E102 'are the header' "a header and no data" \
    route cube.sched -o x --network cube-auto --flits 1
refuses 2 E102 '--lambda: requires' "a clock that takes longer packets than the memory has" \
    route postal.sched -o x --network benes:8,pad=7 --memory packets=4,flits=2,rows=64

# Payloads that cannot be cut.
: >nothing.bin
refuses 2 E405 'nothing.bin: the file is empty' "an empty payload" \
    route s.sched -o x --payload nothing.bin
refuses 2 E201 'none.bin' "no payload" route s.sched -o x --payload none.bin
head -c 99999 /dev/zero >large.bin
refuses 2 E405 'or -m ' "a large payload in short packets reports the number of packets" \
    route s.sched -o x --payload large.bin --flits 2
refuses 2 E405 'expected at most 12' "… but not with a memory that is given" \
    route s.sched -o x --payload large.bin --flits 2 --memory packets=4,flits=2,rows=16

# A folder with files from two schedules, or from two machines.
cp -r s two && cp one.sched two/schedule.sched
refuses 2 E404 'expected the machine of' "the image of another schedule" simulate two --engine csim
cp cube.sched two/schedule.sched
refuses 2 E404 'another topology' "the image of another topology" simulate two --engine csim
cp -r postal times && cp s/schedule.sched times/
refuses 2 E404 expected "the image of a schedule with times" simulate times --engine csim
cp s.sched plain
refuses 2 E202 expected "a folder that is a file" route s.sched -o plain

# Names that exceed the system's limit.
long=$(printf './%.0s' {1..2040})
accepts 's' "a folder of a long name" route s.sched -o "${long:0:3000}d"
refuses 2 E202 'the name is too long' "… whose files have longer ones, to write" \
    route s.sched -o "${long}d"
refuses 2 E202 'the name is too long' "… to read" simulate "${long}s" --engine csim

# More folders whose files do not belong together.
quiet schedule path -n 21 -m 1 -o five.sched
quiet schedule path -n 2 -m 20 -o four.sched
quiet route five.sched -o five
cp four.sched five/schedule.sched
refuses 2 E404 'expected the machine of schedule.sched with 2 nodes, 20 packets' \
    "a schedule of more packets, with as many rounds" simulate five --engine csim
quiet route cube.sched -o auto --network cube-auto
accepts 'Every packet' "a cube that times itself" simulate auto --engine csim
quiet schedule cube-broadcast --dim 2 --random 0 -o none.sched
quiet route none.sched -o none --network cube-auto
accepts 'Every packet' "no packets at all" simulate none --engine csim

# Numbers and their units.
refuses 2 E102 '-n: 7; expected 8, the nodes of the hypercube' "another number of nodes" \
    schedule cube-all-gather -n 7 --dim 3
accepts 'cube-all-gather' "… this one" schedule cube-all-gather -n 8 --dim 3
refuses 2 E102 'one for each source' "another number of packets" \
    schedule cube-broadcast -m 3 --dim 3 --sources 0,1
accepts 'cube-broadcast' "… this one" schedule cube-broadcast -m 2 --dim 3 --sources 0,1
refuses 2 E102 expected "a hypercube too large" schedule cube-all-gather --dim 99
refuses 2 E102 'out of range' "a number of more than 64 bits" plan -n 99999999999999999999999 -m 1
refuses 2 E101 'accepts no argument' "what is no option" plan -
for memory in packets=4,flits=3,rows=8 packets=4,flits=4,rows=9; do
    refuses 2 E101 '--memory:' "$memory" route s.sched -o x --memory $memory
done
refuses 2 E101 "'5xs'; expected a number of cycles" "another unit" \
    plan --matrix m.txt --reconfigure 5xs
refuses 2 E102 'expected at most' "a price too large" plan --matrix m.txt --reconfigure 99999999999
refuses 2 E101 'a number of cycles' "a price below 0" plan --matrix m.txt --reconfigure=-3
accepts 'traffic' "shares of entries" plan --entries m.txt --total 9
refuses 2 E402 expected "more nodes than ports" route s.sched -o x --network omega:4
refuses 2 E408 expected "times on a network that blocks" route postal.sched -o x --network omega:8
accepts '"stages"' "a network that copies, as JSON" \
    route fabric.sched -o x2 --network multicast:8 --json
quiet schedule path -n 2 -m 1 -o hop.sched
accepts '1 of 1 round passes' "one round of a network that blocks" \
    route hop.sched -o x3 --network omega:8
accepts 'F_2(7)' "a function of λ" bound --lambda 2 --time 7
accepts 'bound' "… beside a tree" bound --lambda 2 --time 7 --tree 2,2
accepts 'bound' "… beside a hypercube" bound --lambda 2 --time 7 --dim 2
accepts 'hanging' "… beside a tree of parents" bound --lambda 2 --time 7 --parents 4,4,5,6,5,6
accepts 'time' "times alone" plan -n 9 -m 4 --model postal --lambda 5/2
accepts 'roundcast run' "-h" -h
refuses 2 E101 "--manual=x: unknown option" "a form of the manual that is none" list --manual=x
check "the table of options" eval '"$ROUNDCAST" help --table | grep -q "^option"'
accepts 'opened' "a page of a long schedule" view five.sched -o x.html
quiet schedule path -n 60 -m 9 -o long.sched
accepts 'opened' "… of more rounds than the index shows" view long.sched -o x.html
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
    'model send-receive' 'demand 1 0 *' 'round 1' '1 2 1' 'end 1' >broken.sched
accepts 'opened' "… of a schedule that breaks a rule" view broken.sched -o broken.html
check "… which the page shows" grep -q '"code":30' broken.html
accepts 'Every packet' "the page of a run" simulate s --engine csim --view run.html
check "… shows what was checked" grep -q '"packets_wanted"' run.html
refuses 2 E202 expected "… in no folder" simulate s --engine csim --view nowhere/run.html
refuses 2 E202 expected "a page where no folder is" view s -o nowhere/x.html
refuses 2 E202 expected "an index there" view --index s.html -o nowhere/x.html
for report in 'list' 'plan -n 4 -m 1' 'bound -n 4 -m 1'; do
    status=0
    # shellcheck disable=SC2086  # words
    "$ROUNDCAST" $report --json >/dev/full 2>err || status=$?
    check "$report where nothing can be written" \
        eval '[ "$status" -eq 2 ] && grep -q "E202 write" err'
done

# Schedules that other tools' formats cannot express.
quiet schedule binomial -n 8 -m 1 --model telegraph -o telegraph.sched
accepts 'for OpenOptics' "half-duplex links" export telegraph.sched --to openoptics -o x.slices
quiet schedule cube-broadcast --dim 3 --sources 0,3 -o control.sched
refuses 2 E208 expected "packets of control" export control.sched --to goal -o x.goal
quiet schedule total-exchange -n 3 -m 1 -o all.sched
for format in goal openoptics sccl msccl; do
    refuses 2 E202 /dev/full "$format where nothing can be written" \
        export s.sched --to $format -o /dev/full
    accepts '1 packet' "$format of one packet" export one.sched --to $format -o x.out
    accepts 'x.out' "… of an exchange" export all.sched --to $format -o x.out
done
refuses 2 E202 /dev/full "a page there" view s -o /dev/full
refuses 2 E202 /dev/full "an index there" view --index s.html -o /dev/full
accepts 'model' "one node" plan -n 1 -m 1
accepts 'cycles' "the first of the table" tune --bytes 1000 -n 6 --top 1
accepts 'cycles' "more than there are" tune --bytes 1000 -n 6 --top 999

# Payloads that are not a file, or larger than any number of packets; other cases.
check "a payload from standard input that is too large" eval \
    '! "$ROUNDCAST" route s.sched -o x --payload - --flits 2 <large.bin 2>err && grep -q E405 err'
refuses 2 E405 'expected at most' "a payload that does not end" \
    route s.sched -o x --payload /dev/zero --flits 2
truncate -s 1T huge.bin
refuses 2 E405 'expected at most' "one of more than all packets" \
    route s.sched -o x --payload huge.bin --flits 2
accepts 'of 3 dimensions' "a depth that is given" route cube.sched -o x4 --network cube-auto \
    --memory packets=64,flits=4,rows=64,depth=20
refuses 2 E101 'send-receive only' "settings that are held, of calls" \
    plan --matrix m.txt --reconfigure 3 --model telephone
refuses 2 E103 'expected none' "a method of what has none" schedule path -n 4 -m 1 --method x
refuses 2 E102 'out of range' "a number just above 64 bits" plan -n 18446744073709551619 -m 1
mkdir folder.fst
refuses 2 E202 'no regular file' "a trace in the place of a folder" \
    simulate s --engine csim --waves folder.fst
printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' 'topology complete 3' \
    'model send-receive' 'demand 1 0 2' 'round 1' '0 1 1' 'round 2' '1 2 1' 'end 2' >relay.sched
for format in goal openoptics sccl msccl; do
    accepts '2 transfers' "$format of a packet that a node only sends on" \
        export relay.sched --to $format -o x.out
done
accepts 'Every packet' "a trace until a round that does not come" \
    simulate s --engine csim --waves a.fst --waves-to 999
accepts 'Every packet' "… until the first" simulate s --engine csim --waves b.fst --waves-to 1
check "… which is shorter" test "$(stat -c %s b.fst)" -lt "$(stat -c %s a.fst)"
accepts 'cycles' "settings that are held, in their model" \
    plan --matrix m.txt --reconfigure 3 --model send-receive
refuses 2 E101 'sweep: no file' "a sweep of nothing" sweep
refuses 2 E102 '--jobs: 0' "… by no process" sweep a.study --jobs 0
refuses 2 E101 'jobs read the study, too' "jobs of a study that only one can read" \
    sweep - --via parallel
refuses 2 E101 '--program requires --via' "a program of jobs, and none" sweep a.study --program x
refuses 2 E101 '--sshlogin requires --via parallel' "hosts, and no parallel" sweep a.study --sshlogin x
refuses 2 E101 '-o is required; expected the database' "a database on standard output" sweep a.study -o -
printf '%s\n' 'roundcast-study 1' 'algorithm path' 'n 3' 'm 1' 'engine csim' >a.study
printf '#!/bin/sh\nPATH=/nowhere exec %q "$@"\n' "$ROUNDCAST" >without
chmod +x without
ROUNDCAST=./without refuses 2 E501 'parallel is not on PATH' "jobs without what runs them" \
    sweep a.study -o a.sqlite --via parallel
ROUNDCAST=./without refuses 2 E501 'parallel is not on PATH' "… of another program" \
    sweep a.study -o a.sqlite --via parallel --program roundcast
ROUNDCAST=./without roundcast plan --matrix m.txt --reconfigure 3
check "without a solver the minimum is not printed" test "$status,$(grep -c '^exact' "$TMP/out")" = 0,0
env -u PATH "$ROUNDCAST" plan --matrix m.txt --reconfigure 3 >out
check "… nor without a PATH" test "$?,$(grep -c '^exact' out)" = 0,0
PATH=$(printf '/%.0s' {1..5000}) "$ROUNDCAST" plan --matrix m.txt --reconfigure 3 >out
check "… nor with one that is too long" test "$?,$(grep -c '^exact' out)" = 0,0
ROUNDCAST=./without refuses 2 E501 'glpsol: cannot run' "… where it is asked for" \
    schedule traffic --matrix m.txt --reconfigure 3 --method exact
mkdir tools
# solver LINE…: writes a stand-in for GLPK's solver, which prints these lines.
solver() {
    printf '%s\n' '#!/bin/sh' 'cat >/dev/null' "printf '%s\\n' $(printf '"%s" ' "$@")" >tools/glpsol
    chmod +x tools/glpsol
}
solver 's mip 1 1 u 0' 'j 9999 1'
PATH=$PWD/tools:$PATH refuses 2 E501 'no proof within' "a solver without a proof" \
    schedule traffic --matrix m.txt --reconfigure 3 --method exact
solver 's mip 1 1 o 0'
PATH=$PWD/tools:$PATH refuses 2 E501 'settings that leave out a packet' "… without settings" \
    schedule traffic --matrix m.txt --reconfigure 3 --method exact
refuses 2 E102 'packets; expected at most' "more packets than a solver is given" \
    schedule traffic --matrix <(printf '0 2000000\n0 0\n') --reconfigure 3 --method exact
quiet sweep a.study -o a.sqlite
refuses 2 E204 "no column 'none'" "a column that no sweep has" \
    plot sweep a.sqlite --x none --y rounds --data x.dat
refuses 2 E204 "no column 'a'" "… nor a table" plot table m.txt --x a --y b --data x.dat
refuses 2 E201 'cannot open' "a table that is not there" plot table nowhere --x a --y b --data x.dat
refuses 2 E102 'expected 2 or more' "a tree of one child" plot depth --tree 1 --data x.dat
accepts '"title": "scatter, 5 nodes, clos:3,3,3,pipe=1,pad=0, flits of 8 bits"' "a plot of another machine" \
    plot tune -n 5 --bytes 6 --collective scatter --network clos:3,3,3 --width 8 --data x.dat --json
refuses 2 E101 '--planes requires --reconfigure' "planes of settings that cost nothing" \
    plan --matrix m.txt --planes 2
accepts 'algorithm' "a model in which one node needs no algorithm" \
    plan -n 1 -m 2 --collective total-exchange --model fabric-multicast
accepts '"bound": 0' "one node" plan -n 1 -m 1 --json
refuses 2 E101 '-n is required; expected the number of nodes' "packets for no node, beside a time" bound --time 7 --lambda 5/2 -m 3
refuses 2 E101 '--exact: requires an algorithm' "a solver for all" plan -n 3 -m 2 --exact
refuses 2 E101 '--collective cannot be used together with --demands' "two words for the demands" \
    plan --collective scatter --demands relay.sched
refuses 2 E101 'determines the packets and their sources; expected neither' "a source beside demands" plan --source 1 --demands relay.sched
accepts 'general' "as many nodes as the demands have" plan -n 3 --demands relay.sched
refuses 2 E101 "'%' does not exist; expected single or multi" "ports that are no number" \
    schedule traffic --matrix m.txt --ports %
refuses 2 E101 'for the model send-receive only' "several ports in another model" \
    schedule traffic --matrix m.txt --ports 2 --model telephone
accepts 'send-receive: 2 rounds' "… in that model" \
    schedule traffic --matrix m.txt --ports 2 --model send-receive -o x.sched
accepts 'Every packet' "settings that are held, for any demands" \
    run general --matrix m.txt --reconfigure 3 --engine csim
refuses 2 E101 '--seed: nothing is drawn' "tune: a seed of a matrix" tune --matrix m.txt --seed 3
accepts 'settings  3 cycles to change one' "packets for settings that are held" \
    tune --matrix m.txt --reconfigure 3 --model send-receive
accepts '- not run: it would take long' "methods that take long are not run" \
    plan --pattern uniform:3 -n 1100 --reconfigure 100
refuses 2 E208 'cube-auto' "memories of nodes that count their packets" \
    route cube.sched --network cube-auto --image mem -o x
quiet route cube.sched --network cube-auto -o auto
last=$(sed -n 's/^end //p' auto/schedule.sched)
sed -i "s/^\\(round\\|end\\) $last\$/\\1 99/" auto/schedule.sched
refuses 2 E404 'rows; expected the machine of schedule.sched' "a self-timed run that ends too late" simulate auto --engine csim
# A router that sends from place 14 of its buffer instead of place 0.
quiet schedule cube-all-gather --dim 2 -o small.sched
quiet route small.sched -o small
awk '/^@/ { table = /^@1/ } table && !done && /^8/ { done = sub(/0000$/, "000e") } 1' small/image.hex >image
mv image small/image.hex
roundcast simulate small --engine csim
check "a router that sends what it does not hold is found" test \
    "$status,$(grep -c 'does not receive packet .* \[E601 lost\]' "$TMP/err")" = 1,1
check "… which raises its flag" grep -qE 'nodes and routers with an error flag +0 +[1-9].*WRONG' "$TMP/out"
quiet schedule traffic --matrix m.txt --reconfigure 3 -o reconfig.sched
quiet route reconfig.sched --reconfigure 3 --settings indexed -o reconfig
accepts 'reconfig1' "a machine that holds settings has an engine of its own" engines --names reconfig
refuses 2 E102 'expected 1 … 3' "waves that begin after their end" \
    simulate s --engine csim --waves c.fst --waves-from 5 --waves-to 3
accepts '144 packets' "a search of few steps for larger settings" schedule traffic -n 16 \
    --pattern uniform:9 --reconfigure 40 --method search -o x.sched
# by_hand TOPOLOGY MODEL LINE…: writes the file hand.sched.
by_hand() {
    printf '%s\n' 'roundcast-schedule 1' 'algorithm by hand' "topology $1" "model $2" "${@:3}" >hand.sched
}
by_hand 'complete 3' 'send-receive 2' 'demand 1 0 *' 'round 1' '0 1 1' '0 2 1' 'end 1'
accepts 'holds: by hand, 1 packet, 3 nodes' "a broadcast over two ports, which has no known bound" \
    verify hand.sched
by_hand 'complete 3' send-receive 'end 0'
accepts 'holds: by hand, 0 packets, 3 nodes' "a schedule of nothing" verify hand.sched
by_hand 'complete 3' send-receive 'end 1'
refuses 2 E206 "'end 1'; expected the last round, 0" "a round of nothing" verify hand.sched
by_hand 'tree 16 16 16 16 capacity 1 1 1 1' multiport 'demand 1-100000000 0 *' 'end 0'
refuses 2 E104 'does not fit in memory' "more ways than any machine holds" \
    schedule general --demands hand.sched
refuses 2 E103 'packets of control; expected demands of data' "demands that nodes count" \
    schedule general --demands cube.sched
finish
