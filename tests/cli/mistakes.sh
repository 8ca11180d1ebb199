#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mistakes: common first mistakes, and the error that names the intended command.
#
# A schedule in the place of an algorithm or a folder, and the reverse; a drawing of a schedule that
# is invalid; names that other tools use; missing topologies; an ambiguous option; numbers with a
# suffix or a decimal point; the version by three names. Each error names the command, option or
# algorithm that was meant; forms that are accepted give the same result as the correct form.
# Counter-case: the correct form next to each.
. "$(dirname "$0")/tap.sh"

cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
accepts '' "a schedule" schedule matching -n 8 -m 2 -o good.sched
accepts '' "a folder" route good.sched -o good

# Files and folders.
accepts 'Every packet arrived' "run of a schedule" run good.sched --engine csim
refuses 2 E103 "./good.sched is a file; expected an algorithm" "schedule of a schedule" schedule ./good.sched
check "… names the command" grep -qF "'roundcast run ./good.sched' runs a schedule" "$TMP/err"
refuses 2 E201 "other.sched: cannot open" "a file that is none" run other.sched
refuses 2 E101 "good.sched: is a file; expected a folder" "simulate of a schedule" simulate good.sched
check "… names the command" grep -q "'roundcast route good.sched -o DIR'" "$TMP/err"
refuses 2 E201 "good: is a folder; expected a schedule, such as good/schedule.sched" "verify of a folder" verify good
accepts 'holds' "… of its schedule" verify good/schedule.sched
for command in verify draw mpi; do
    refuses 2 E201 ".: is a folder; expected a schedule" "$command of the current folder" $command .
done
refuses 2 E101 "ends in .sched, but a folder is written" "a folder like a schedule" route good.sched -o x.sched
"$ROUNDCAST" unpack good/image.hex >image.text
accepts 'round 1' "unpack of a folder" unpack good
check "… is that of its image" cmp -s image.text "$TMP/out"

# A drawing of an invalid schedule: node 2 sends packet 2, whose receipt is removed.
sed '/^0 2 2$/d' good.sched >broken.sched
refuses 1 E302 "broken.sched:12: round 3: node 2 sends packet 2, which it does not hold; expected it" \
    "draw of a packet that is sent before it arrives" draw broken.sched --packet 2
accepts 'digraph' "… of the other packet" draw broken.sched --packet 1
accepts 'digraph' "… of the complete schedule" draw good.sched --packet 2

# Names of other tools.
refuses 2 E103 "'ring' does not exist; expected path" "a ring" run ring -n 4 -m 1
refuses 2 E103 "'pipeline' does not exist; expected path" "a pipeline" run pipeline -n 4 -m 1
refuses 2 E208 'combine' "a reduction on routers without tables" run allreduce --tree 2,2 \
    --network fat-tree-auto --engine csim
refuses 2 E103 "expected binomial" "a tree" schedule tree -n 4 -m 1
accepts 'algorithm total-exchange' "all-to-all" schedule all-to-all -n 4 -m 1
accepts 'schedule  total-exchange, 12 packets' "… on a machine" run all-to-all -n 4 -m 1 --engine csim
accepts 'schedule  circulant, 2 packets' "broadcast" run broadcast -n 4 -m 2 --engine csim
for name in path all-gather binomial; do
    accepts "algorithm $name" "… $name is one" schedule "$name" -n 4 -m 1
done

# A missing topology.
refuses 2 E101 "--dim is required; cube-all-gather runs on a hypercube" "a hypercube by -n" run cube-multinode -n 8
accepts 'hypercube 3' "… by --dim" schedule cube-multinode --dim 3
refuses 2 E101 "--tree is required; tree-scatter runs on a tree" "a tree by -n" schedule tree-scatter -n 8
accepts 'tree' "… by --tree" schedule tree-scatter --tree 2,2

# Values and options.
refuses 2 E101 '--packet is ambiguous; expected one of --packets, --packet-bytes' "an ambiguous option" \
    schedule path -n 4 --packet 2
accepts 'model postal 5/2' "λ as a decimal number" schedule postal-bcast -n 4 -m 1 --lambda 2.5
cp "$TMP/out" decimal
accepts 'model postal 5/2' "… as a fraction" schedule postal-bcast -n 4 -m 1 --lambda 5/2
check "… the same" cmp -s decimal "$TMP/out"
for wrong in 2. .5 2.5.1 2.x +2.5 0.99 65536.5 1e1 2.12345; do
    refuses 2 E102 "--lambda: '$wrong'; expected P/Q, P or a decimal number" "λ $wrong" \
        schedule postal-bcast -n 4 -m 1 --lambda=$wrong
done
accepts 'message   64000 bytes' "bytes with a suffix" tune --bytes 64K -n 8
accepts 'message   1000000 bytes' "… of a million" tune --bytes 1M -n 8
refuses 2 E101 "-n is required" "… without nodes" tune --bytes 1M
refuses 2 E101 "'1s'; expected a number of cycles, or, with --clock, a time in ms, us or ns" "seconds" \
    plan --pattern uniform:2 -n 4 --reconfigure 1s
accepts 'a change of settings 100000 cycles' "milliseconds" \
    plan --pattern uniform:2 -n 4 --reconfigure 1ms --clock 100
refuses 2 E103 'expected an odd degree' "an even degree of Fibonacci trees" schedule fibonacci -n 8 -m 2 -d 4

# The program's name alone, and its version.
roundcast
check "no command" test "$status,$(grep -c 'no command given' "$TMP/err")" = 2,1
check "… shows the commands" grep -q '^  roundcast run ' "$TMP/out"
roundcast --version
version=$(cat "$TMP/out")
for words in -V version; do
    roundcast "$words"
    check "$words" test "$status,$(cat "$TMP/out")" = "0,$version"
done
finish
