#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fat_tree: machines of routers on the command line: route, run, the errors for illegal input, and
# the checks that fail.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

fat="--tree 4,4,4 --capacity exp --ports multi"
small="--tree 2,2 --capacity exp --ports multi"

# The compiler's report about the routers.
"$ROUNDCAST" schedule tree-all-gather --tree 4,4,4 --capacity 1,2,4 --ports multi -o \
    "$TMP/flood.sched" >/dev/null
accepts 'fat-tree 4,4,4 capacity 1,2,4, 21 routers, latency 0 cycles; 64 rows of 4 cycles' \
    "route" route "$TMP/flood.sched" -o "$TMP/flood"
check "… reports the queue of a router, and the required and available buffers" \
  grep -qE '^ +2 +4 +12 +32 +9 +16$' "$TMP/out"
check "… the image names the tree" grep -q \
    '^// tree 4,4,4 capacity=1,2,4 depth=16,16,16 queue=0,0,0 reads=1 ports=multi$' \
    "$TMP/flood/image.hex"
json '"routers": 21' "route as JSON" route "$TMP/flood.sched" -o "$TMP/flood" --json
accepts 'Every packet arrived' "simulate what was routed" simulate "$TMP/flood" --engine csim
accepts 'fat-tree-auto' "route for self-timed routers" route \
    "$TMP/flood.sched" --network fat-tree-auto -o "$TMP/auto"
accepts 'Every packet arrived' "… and simulate it" simulate "$TMP/auto" --engine csim

# Every collective, on both kinds of routers, on csim; links with registers.
for network in fat-tree fat-tree-auto fat-tree,pad=2; do
  for run in "tree-broadcast $fat -s 21" "tree-scatter $fat" "tree-gather $fat" \
      "tree-gather $fat --method greedy" \
    "tree-all-gather $fat" "tree-total-exchange $fat" "tree-total-exchange --tree 3,2,2 --ports single" \
    "tree-all-gather --tree 3,2,2 --ports single" "tree-broadcast --tree 8" \
    "tree-broadcast --tree 3,2,2 -m 5 --ports single"; do
    # shellcheck disable=SC2086 # the words of a command line
    accepts 'Every packet arrived' "$network: $run" run $run --network $network --engine csim
  done
done

# Leaves with several links, with an endpoint for each. In a total exchange on 2,3 packets use other
# lanes than those that self-timed routers would choose.
thick="--tree 3,2 --capacity 2,3 --ports multi"
for network in fat-tree fat-tree-auto fat-tree,pad=2; do
  for run in "tree-broadcast $thick -s 4" "tree-scatter $thick -s 1" "tree-gather $thick -s 5" \
      "tree-gather $thick --method greedy" "tree-all-gather $thick" \
      "tree-all-gather --tree 3,2 --capacity 2,3 --ports single"; do
    # shellcheck disable=SC2086
    accepts 'Every packet arrived' "$network: $run" run $run --network $network --engine csim
  done
done
accepts 'Every packet arrived' "a queue-free all-gather, leaves with two links" run \
    tree-all-gather --tree 3,2 --capacity 2,3 --ports multi --method queue-free --engine csim
accepts 'Every packet arrived' "8 groups of 8 with fast links inside" run tree-total-exchange --tree \
    8,8 --capacity 8,1 --ports multi --engine csim
accepts 'Every packet arrived' "a total exchange, leaves with two links" run tree-total-exchange \
    --tree 2,3 --capacity 2,3 --ports multi --engine csim
refuses 2 E208 'expected packet 4 by the rules of self-timed routers' "… self-timed" run \
    tree-total-exchange --tree 2,3 --capacity 2,3 --ports multi --network fat-tree-auto

# Half-duplex schedules use one direction of a lane at a time; self-timed routers have no such rule.
for collective in scatter all-gather total-exchange; do
  accepts 'Every packet arrived' "half-duplex: $collective" run tree-$collective --tree 3,2 \
      --capacity 2,1 --half-duplex --ports multi --engine csim
done
for ports in single multi; do
  accepts 'Every packet arrived' "half-duplex: all-reduce of 3 packets, $ports" run tree-all-reduce \
      --tree 3,2 -m 3 --half-duplex --ports $ports --engine csim
done
accepts 'Every packet arrived' "half-duplex, self-timed" run tree-gather --tree 3,2 --half-duplex \
    --ports multi --network fat-tree-auto --engine csim
refuses 2 E208 'by the rules of self-timed routers' "half-duplex, which self-timed routers are not" \
    run tree-all-gather --tree 3,2 --half-duplex --ports multi --network fat-tree-auto

# shellcheck disable=SC2086
accepts 'Every packet arrived' "a payload from a file" run tree-total-exchange $fat --payload README.md \
    --engine csim
accepts '68 rounds' "68 steps of total exchange" run tree-total-exchange $fat --engine csim
check "… a step is as many cycles as a packet has flits" grep -q 'a round is 4 cycles' "$TMP/out"
# shellcheck disable=SC2086
accepts 'a round is 1 cycle' "a step of one cycle" run tree-total-exchange $fat --flits 1 --engine csim
check "… and no more" grep -q 'csim: 68 cycles' "$TMP/out"

# Lockstep, and the netlist. Building an engine prints messages, so each engine is built first.
two="--tree 2,2 --capacity 2,2 --ports multi"
for network in fat-tree fat-tree-auto; do
  # shellcheck disable=SC2086
  "$ROUNDCAST" run tree-all-gather $two --network $network --engine rtl >/dev/null 2>&1
  for collective in scatter all-gather total-exchange; do
    # shellcheck disable=SC2086
    accepts 'csim and rtl, in lockstep' "$network: $collective, leaves with two links" run \
        tree-$collective $two --network $network --engine both
  done
done
for engine in "--engine rtl" "--engine rtl --network fat-tree-auto" "--engine netlist"; do
  # shellcheck disable=SC2086
  "$ROUNDCAST" run tree-all-gather $small $engine >/dev/null 2>&1
done
# shellcheck disable=SC2086
accepts 'csim and rtl, in lockstep' "csim and RTL" run tree-total-exchange $small --engine both
# shellcheck disable=SC2086
accepts 'csim and rtl, in lockstep' "… self-timed" run tree-total-exchange $small --network \
    fat-tree-auto --engine both
for collective in all-gather total-exchange; do
    # shellcheck disable=SC2086
    accepts 'csim and rtl, in lockstep' "… $collective, interleaved" run tree-$collective $small \
        --method interleaved --engine both
done
for network in fat-tree fat-tree-auto; do
    accepts 'csim and rtl, in lockstep' "… packets one by one, $network" run tree-broadcast --tree 2,2 \
        --capacity exp -m 4 --network $network --engine both
done
# shellcheck disable=SC2086
accepts 'Every packet arrived' "the netlist of 3 routers and 4 leaves" run tree-all-gather $small \
    --engine netlist

# Bad input.
refuses 2 E407 'expected buffers of 9 packets or more at level 2, not 8' \
    "a buffer one packet too small" \
  route "$TMP/flood.sched" --memory packets=64,flits=8,rows=64,depth=8 -o "$TMP/none"
check "… nothing is written" test ! -e "$TMP/none"
accepts '64 rows' "… and one of the right size" route \
    "$TMP/flood.sched" --memory packets=64,flits=8,rows=64,depth=16 -o "$TMP/exact"
refuses 2 E401 'expected fat-tree' "a Beneš network for a tree" run tree-broadcast --tree 4,4 \
    --network benes:16
refuses 2 E401 'expected benes:N, omega:N, multicast:N, combine:N, all-reduce:N, clos:m,n,r' \
    "a tree for a complete graph" run matching -n 8 -m 1 --network fat-tree
refuses 2 E401 'expected fat-tree[,pad=D]' \
    "a network that is none" run tree-broadcast --tree 4,4 --network fat-tree:4
refuses 2 E101 'D 1 … 65535' "buffers of nothing" run tree-broadcast --tree 4,4 --memory \
    packets=2,flits=4,rows=16,depth=0
refuses 2 E102 'expected at least 3' "no room for a header" run tree-broadcast --tree 4,4 \
    --network fat-tree-auto --flits 2
refuses 2 E208 'more than once' "a timetable for self-timed routers" run tree-all-gather --tree 4,4 \
    --ports multi --method queue-free --network fat-tree-auto
refuses 2 E208 'more than once' "… interleaved" run tree-all-gather --tree 4,4 \
    --ports multi --method interleaved --network fat-tree-auto
"$ROUNDCAST" schedule tree-broadcast --tree 2,2 -o "$TMP/turn.sched" >/dev/null
sed -e 's/^1:1 2 1$/1:1 x 1/' -e 's/^1:1 3 1$/1:1 2 1/' -e 's/x/3/' \
    "$TMP/turn.sched" >"$TMP/swapped.sched"
accepts 'holds' "leaf 3 before leaf 2 is legal" verify "$TMP/swapped.sched"
accepts '5 rows' "… and done by tables" route "$TMP/swapped.sched" -o "$TMP/swapped"
otherwise='round 4: router 1:1 sends packet 1 to 3; expected nothing by the rules of self-timed routers'
refuses 2 E208 "$otherwise" "… but not by self-timed routers" route \
    "$TMP/swapped.sched" --network fat-tree-auto -o "$TMP/none"
check "… nothing is written" test ! -e "$TMP/none"
"$ROUNDCAST" route "$TMP/turn.sched" --network fat-tree-auto -o "$TMP/turn" >/dev/null
cp "$TMP/swapped.sched" "$TMP/turn/schedule.sched"
refuses 2 E208 "$otherwise" "… nor in a bundle" simulate "$TMP/turn" --engine csim
refuses 2 E407 'buffers of 8 packets and queues of 32 at level 1; expected 16 and 32 or more' \
    "self-timed routers with small buffers" \
  route "$TMP/flood.sched" --network fat-tree-auto --memory packets=64,flits=8,rows=64,depth=8 -o \
      "$TMP/none"
refuses 2 E401 'which a header needs' "words that hold no header" run tree-total-exchange --tree 4,4 \
    --network fat-tree-auto --width 5 --flits 9
refuses 2 E208 'the image of a machine of routers' "unpack" unpack "$TMP/flood/image.hex"
sed 's/depth=16,16,16/depth=16,16/' "$TMP/flood/image.hex" >"$TMP/bad.hex"
mkdir -p "$TMP/bad" && cp "$TMP/flood/schedule.sched" "$TMP/flood/payload.bin" "$TMP/bad" &&
    mv "$TMP/bad.hex" "$TMP/bad/image.hex"
refuses 2 E204 "image.hex:4: not a tree" "a tree of two heights" simulate "$TMP/bad" --engine csim
sed 's/^@10000000$/@1f000000/' "$TMP/flood/image.hex" >"$TMP/bad/image.hex"
refuses 2 E406 'expected one that the machine has' "a router that is not there" simulate \
    "$TMP/bad" --engine csim

# The image of one tree with the schedule of another: as many rows and packets, and enough leaves.
"$ROUNDCAST" schedule tree-broadcast --tree 3,2 --ports multi -o "$TMP/two.sched" >/dev/null
"$ROUNDCAST" schedule tree-broadcast --tree 3,3 --ports multi -o "$TMP/three.sched" >/dev/null
"$ROUNDCAST" route "$TMP/three.sched" -o "$TMP/three" >/dev/null
accepts 'Every packet arrived' "a tree's own image" simulate "$TMP/three" --engine csim
cp "$TMP/two.sched" "$TMP/three/schedule.sched"
refuses 2 E404 'three/image.hex: a machine of another topology; expected that of schedule.sched' \
    "another tree's" simulate "$TMP/three" --engine csim
"$ROUNDCAST" schedule cube-single --dim 1 -o "$TMP/cube.sched" >/dev/null
cp "$TMP/cube.sched" "$TMP/three/schedule.sched"
refuses 2 E404 'a machine of another topology' "a hypercube's" simulate "$TMP/three" --engine csim
"$ROUNDCAST" schedule path -n 3 -m 2 -o "$TMP/three/schedule.sched" >/dev/null
refuses 2 E404 'a machine of another topology' "a complete graph's" simulate \
    "$TMP/three" --engine csim

finish
