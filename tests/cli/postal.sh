#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# postal: the postal model on the command line: λ, flits and registers that fit each other or are
# rejected.
#
# The paper's example to the cycle; λ from the hardware and hardware from λ; files give the same
# result as one command; the netlist; schedules and images that do not fit each other. Bad input:
# each case with its exact status and message.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

example='postal-bcast -n 14 -m 1 --lambda 5/2'
"$ROUNDCAST" run $example >/dev/null 2>&1 # builds the engine
accepts 'postal: time 15/2 (bound 15/2)' "n = 14, λ = 5/2 ends at 15/2" run $example
check "… on csim and the RTL" grep -qF 'csim and rtl, in lockstep: 30 cycles' "$TMP/out"
check "… after 30 cycles" grep -qE '^cycles of the run +30 +30  ok' "$TMP/out"
check "… with 13 receipts" grep -qE '^receipts in their exact cycle +13 +13  ok' "$TMP/out"
json '"time": "15/2"' "… as JSON" run $example --engine csim --json

# Times of any size are read back as written; here their numerators exceed 2^32.
"$ROUNDCAST" schedule postal-repeat -n 2 -m 100000 --lambda 65535/65534 -o \
    "$TMP/long.sched" >/dev/null
accepts 'time       6553400001/65534 (bound 6553400001/65534)' \
    "a long schedule of a small tick" verify "$TMP/long.sched"
rm -f "$TMP/long.sched"

# Hardware from λ.
accepts 'latency 6 cycles; a unit of time is 4 cycles, λ = 5/2' \
    "registers are chosen for λ" run $example --engine csim
accepts 'latency 0 cycles; a unit of time is 4 cycles, λ = 1' \
    "none for λ = 1" run postal-repeat -n 9 -m 3 --lambda 1 --engine csim
accepts 'latency 60 cycles; a unit of time is 1 cycle, λ = 61' \
    "fewer flits for a large λ" run postal-bcast -n 9 -m 1 --lambda 61 --engine csim
accepts 'latency 8 cycles; a unit of time is 6 cycles, λ = 7/3' \
    "flits are rounded up to ticks" run postal-pack -n 9 -m 3 --lambda 7/3 --engine csim
accepts 'a packet is 6 flits' "… and filled" run postal-pack -n 9 -m 3 --lambda 7/3 --engine csim
accepts 'latency 9 cycles; a unit of time is 6 cycles, λ = 5/2' \
    "flits are chosen for registers that were given" \
    run postal-repeat -n 9 -m 3 --lambda 5/2 --network benes:16,pipe=1,pad=2 --engine csim
accepts 'λ = 5/2' "10/4 is 5/2" run postal-bcast -n 14 -m 1 --lambda 10/4 --engine csim

# Packets that arrive out of order, and in several phases of a unit.
accepts 'Every packet arrived in its predicted cycle.' "postal-block: λ = 7/3" \
    run postal-block -n 22 -m 8 --lambda 7/3 --engine csim
accepts 'time 17 (bound 15)' "… λ = 2: 2 above the bound" \
    run postal-block -n 22 -m 8 --lambda 2 --engine csim
accepts 'time 81 (bound 79)' "… also for 1000 nodes" \
    schedule postal-block -n 1000 -m 64 --lambda 2 -o "$TMP/block.sched"
accepts '(63936 arrivals, 0 redundant)' "… which verify accepts" verify "$TMP/block.sched"
rm -f "$TMP/block.sched"
refuses 2 E103 'expected at most 2048 nodes' "… not for more than 2048" \
    schedule postal-block -n 2049 -m 2 --lambda 2

# A search by simulation, which reaches the bound for few nodes.
accepts 'Every packet arrived in its predicted cycle.' "postal-swarm: λ = 7/3" \
    run postal-swarm -n 22 -m 8 --lambda 7/3 --engine csim
accepts 'time 15 (bound 15)' "… λ = 2: at the bound" \
    run postal-swarm -n 22 -m 8 --lambda 2 --engine csim
refuses 2 E103 'postal-swarm of 65537 receipts; expected at most 65536' "… of few receipts" \
    schedule postal-swarm -n 2 -m 65537 --lambda 2

# λ from the hardware.
accepts 'a unit of time is 4 cycles, λ = 11/4' \
    "λ follows from the network" run postal-bcast -n 14 -m 1 --network benes:16 --engine csim
accepts 'a unit of time is 7 cycles, λ = 2' \
    "… and the flits" run postal-bcast -n 14 -m 1 --network benes:16 --flits 7 --engine csim
head -c 100 "$0" >"$TMP/bytes"
accepts 'a unit of time is 10 cycles, λ = 19/10' \
    "… or those that the payload needs" run postal-repeat -n 22 -m 5 --payload \
    "$TMP/bytes" --engine csim

# Through files.
"$ROUNDCAST" schedule postal-dtree -n 14 -m 3 -d 2 --lambda 5/2 -o "$TMP/d.sched" >/dev/null
accepts 'time       27/2 (bound 10)' "verify reports the time" verify "$TMP/d.sched"
json '"time": "27/2"' "… as JSON" verify "$TMP/d.sched" --json
accepts '27 rows of 2 cycles, 4 flits' "a row is a tick" route "$TMP/d.sched" -o "$TMP/d"
accepts 'Every packet arrived in its predicted cycle.' "simulate the folder" simulate \
    "$TMP/d" --engine both
accepts 'time 0' "unpack reports times" unpack "$TMP/d/image.hex"
same_schedule "… and the schedule" "$TMP/d.sched" "$TMP/d"
json '"time": "0"' "… as JSON" unpack "$TMP/d/image.hex" --json
refuses 2 E101 '-r: the image has times' "unpack has no rounds then" unpack \
    "$TMP/d/image.hex" --round 2
accepts 'Every packet arrived' "waves of some units of time" simulate \
    "$TMP/d" --engine csim --waves "$TMP/d.fst" --waves-from 3 --waves-to 5
check "… with a marker at the first" grep -q '^\[markername\] Atime 3$' "$TMP/d.gtkw"
check "… and two in all" test "$(grep -c '^\[markername\]' "$TMP/d.gtkw")" = 2
refuses 2 E102 '--waves-from: 14; expected 0 … 12' "waves after the end" simulate \
    "$TMP/d" --engine csim --waves "$TMP/d.fst" --waves-from 14

# The netlist.
netlist='--memory packets=4,flits=4,rows=16 --network benes:8 --engine netlist'
"$ROUNDCAST" run path -n 2 -m 1 $netlist >/dev/null 2>&1 # builds it
accepts 'λ = 6' "netlist: λ = 6" run postal-bcast -n 8 -m 1 --flits 1 $netlist
accepts 'λ = 7/2' "netlist: λ = 7/2" run postal-bcast -n 5 -m 1 --flits 2 $netlist

# Schedules and images that do not fit.
refuses 2 E101 '--lambda is required' "a schedule needs λ" schedule postal-bcast -n 14 -m 1
refuses 2 E102 "--lambda: '1/2'; expected P/Q, P or a decimal number, at least 1" \
    "λ below 1" schedule postal-bcast -n 14 -m 1 --lambda 1/2
refuses 2 E102 "--lambda: '2.5x'" "λ that is no fraction" schedule postal-bcast -n 14 -m 1 --lambda \
    2.5x
refuses 2 E102 "--lambda: '5/0'" "λ by 0" run postal-bcast -n 14 -m 1 --lambda 5/0
refuses 2 E101 '--lambda: matching does not run in the postal model' \
    "λ for another model" run matching -n 14 -m 1 --lambda 2
refuses 2 E103 'does not keep the model postal' \
    "an algorithm of another model" schedule matching -n 14 -m 1 --model postal --lambda 2
refuses 2 E103 'expected' "BCAST of two packets" schedule postal-bcast -n 14 -m 2 --lambda 2
refuses 2 E401 '--flits: 3; expected a multiple of 2' \
    "flits that make no tick" run $example --flits 3
refuses 2 E401 '7 registers; expected a multiple of 3 for λ = 5/2' \
    "registers that cannot make λ" run $example --network benes:16,pipe=1
refuses 2 E401 '--flits: 8; expected 6 for λ = 5/2' \
    "flits for other registers" run $example --flits 8 --network benes:16,pipe=1,pad=2
refuses 2 E401 'expected pipe=0,pad=0 for λ = 1' \
    "registers for λ = 1" run postal-bcast -n 14 -m 1 --lambda 1 --network benes:16,pipe=1
refuses 2 E401 'registers; expected at most 71' \
    "more registers than there are" run postal-bcast -n 14 -m 1 --lambda 100
refuses 2 E103 'expected' "a degree that is too large" schedule postal-dtree -n 14 -m 1 -d 14 \
    --lambda 2
refuses 2 E103 'has no degree' "a degree for an algorithm that has none" \
    schedule postal-pack -n 14 -m 1 -d 2 --lambda 2
cp -r "$TMP/d" "$TMP/other"
sed -i 's|pad=3|pad=5|' "$TMP/other/image.hex"
refuses 2 E404 \
    '4 flits through 8 registers in rows of 2 cycles; expected the clock of schedule.sched, postal with λ = 5/2' \
    "an image with other registers" simulate "$TMP/other" --engine csim
cp "$TMP/d/image.hex" "$TMP/other/image.hex"
sed -i 's|row-cycles=2|row-cycles=1|; 5s|00000002$|00000001|' "$TMP/other/image.hex"
refuses 2 E404 'in rows of 1 cycle; expected the clock of schedule.sched' \
    "an image with other rows" simulate "$TMP/other" --engine csim
cp "$TMP/d/image.hex" "$TMP/other/image.hex"
sed -i 's|row-cycles=2|row-cycles=3|' "$TMP/other/image.hex"
refuses 2 E205 'a divisor of flits and latency' "rows that divide nothing" simulate \
    "$TMP/other" --engine csim

# An image without a row.
"$ROUNDCAST" schedule postal-bcast -n 1 -m 1 --lambda 2 -o "$TMP/alone.sched" >/dev/null
"$ROUNDCAST" route "$TMP/alone.sched" -o "$TMP/alone" >/dev/null
accepts 'model postal 2' "unpack without a row" unpack "$TMP/alone/image.hex"
check "… ends at once" grep -qx 'end 0' "$TMP/out"

# Exit 1: breaches of the model.
sed 's|^time 5/2$|time 2|; 0,/^time 2$/!{0,/^time 2$/s|^time 2$|time 9/4|}' \
    "$TMP/d.sched" >"$TMP/tick.sched"
refuses 2 E205 'expected a multiple of 1/2, the tick of λ' "a time between ticks" verify \
    "$TMP/tick.sched"
sed 's|^time 5/2$|time 3/2|' "$TMP/d.sched" >"$TMP/order.sched"
refuses 2 E206 'time 3/2 follows time 2; expected a later time' "times out of order" verify \
    "$TMP/order.sched"
sed 's|^model postal 5/2$|model postal 7/2|; s|^end .*|end 29/2|' "$TMP/d.sched" >"$TMP/early.sched"
refuses 1 E302 \
    'time 5/2: node 1 sends packet 1, which it does not hold; expected it to arrive by then' \
    "a send before the receipt" verify "$TMP/early.sched"

finish
