#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# wide: flits of up to 512 bits, which the host reads and writes in parts of 32 bits.
#
# Runs on csim at widths around those at which a flit gets another part: of every network and
# machine that has flits above 31 bits, with tags, masks, ranges, computed programs, shared
# memories, reconfiguration, postal rows, and reductions by each operator in nodes, switches and
# routers; test_wide_rtl.c compares csim with the RTL. The words of an image, computed here from the
# bytes of the file by od: the parts of a flit of 64 bits are the words of the file, and its last
# part is the held bit alone. An image is read back, simulated from its folder, and rewritten as the
# fewest writes. Counter-case: a payload too large by a byte.
# Bad input: widths out of range, and what is defined for flits of one word only, each with its
# reason.
. "$(dirname "$0")/tap.sh"
export COLUMNS=400 # a row is a line

for width in 31 32 33 63 64 65 127 128 511 512; do
    accepts 'Every packet arrived' "$width bits" run binomial -n 8 -m 5 --width "$width" \
        --engine csim
done
while read -r words; do
    # shellcheck disable=SC2086
    accepts 'Every packet arrived' "$words" run $words --engine csim
done <<'END'
circulant -n 8 -m 5 --network omega:8 --width 100
circulant -n 13 -m 5 --network waksman:13 --width 70
circulant -n 12 -m 5 --network clos:4,3,4 --width 512
fabric-broadcast -n 8 -m 5 --network multicast:8 --width 40
circulant -n 8 -m 9 --settings tags --programs computed --network benes:8 --width 96
binomial -n 8 -m 5 --settings masks --network benes:8 --width 33
matching -n 8 -m 5 --ports 2 --width 64
matching -n 8 -m 5 --reconfigure 9 --width 64
postal-pipeline -n 8 -m 3 --programs ranges --network benes:8 --width 64
postal-pipeline -n 8 -m 3 --flits 2 --lambda 5/2 --width 64
total-exchange -n 8 -m 1 --width 256
circulant -n 40 -m 3 --flits 1 --network benes:64,pipe=0 --width 512
tree-broadcast --tree 3,2 --capacity 1,2 -m 1 --width 64
cube-broadcast --dim 3 --random 5 --width 64
END
for operator in sum saturating-sum min max and or xor; do
    for width in 31 32 33 64 512; do
        accepts 'Every packet arrived' "all-reduce of $width bits by $operator" run all-reduce \
            -n 7 -m 3 --combine "$operator" --width "$width" --engine csim
        accepts 'Every packet arrived' "… in the network" run fabric-reduce -n 8 -m 3 \
            --network combine:8 --combine "$operator" --width "$width" --engine csim
        accepts 'Every packet arrived' "… in routers" run tree-all-reduce --tree 3,2 -m 1 \
            --combine "$operator" --width "$width" --engine csim
    done
done
accepts 'Every packet arrived' "a network that combines and copies" run all-reduce -n 8 -m 2 \
    --network all-reduce:8 --width 100 --engine csim

head -c 64 /dev/urandom >"$TMP/bytes"
accepts 'payload   64 bytes; a packet is 4 flits of 64 bits' "a file" run path -n 3 -m 2 --width 64 \
    --flits 4 --payload "$TMP/bytes" --engine csim
refuses 2 E405 'expected at most 64' "a file of one byte more" run path -n 3 -m 2 --width 64 \
    --flits 4 --payload <(cat "$TMP/bytes"; echo) --engine csim

accepts '' "a schedule" schedule path -n 3 -m 2 -o "$TMP/a.sched"
accepts '' "its image" route "$TMP/a.sched" --width 64 --flits 4 --payload "$TMP/bytes" \
    --image writes -o "$TMP/a"
# Prints the words of a part, or of parts 0 and 1, of the packets of node 0: the last digit of an
# address has one bit of the flit and two of the part.
words_of_part() {
    awk -v wanted="$1" '/^4/ {
        part = (index("0123456789abcdef", substr($1, 8, 1)) - 1) % 4
        if (part == wanted || (wanted == "data" && part < 2)) print substr($1, 9)
    }' "$TMP/a/image.writes"
}
words_of_part data >"$TMP/data"
od -An -v -w4 -tx4 "$TMP/bytes" | tr -d ' ' >"$TMP/file"
check "the parts of flits are the words of the file" cmp -s "$TMP/data" "$TMP/file"
check "the last part of each flit is its held bit" test \
    "$(words_of_part 2 | sort | uniq -c | tr -s ' ')" = " 8 80000000"
check "there is no fourth part" test "$(words_of_part 3 | wc -l)" = 0
accepts 'demand 1-2 0 *' "the image read back" unpack "$TMP/a"
accepts 'Every packet arrived' "the image from its folder" simulate "$TMP/a" --engine csim
cp -r "$TMP/a" "$TMP/w"
cp "$TMP/a/image.writes" "$TMP/w/image.hex"
accepts 'Every packet arrived' "… as the fewest writes" simulate "$TMP/w" --engine csim
json '"width": 512' "the registers of the machine" route "$TMP/a.sched" --width 512 -o "$TMP/j" \
    --json

refuses 2 E102 '--width: 513 is out of range; expected 1 … 512' "513 bits" run path -n 3 -m 1 \
    --width 513
refuses 2 E208 '--width: 64 bits; nodes of hypercubes combine flits of one word; expected 1 … 31' \
    "a reduction in a hypercube" run cube-doubling-all-reduce --dim 2 -m 2 --network cube --width 64
accepts '' "its schedule" schedule cube-doubling-all-reduce --dim 2 -m 2 -o "$TMP/c.sched"
refuses 2 E208 'nodes of hypercubes combine flits of one word' "its image" route "$TMP/c.sched" \
    --network cube --width 32 -o "$TMP/c"
refuses 2 E208 'self-timed routers read headers of one word; expected 1 … 31' "a self-timed tree" \
    run tree-broadcast --tree 2,2 -m 1 --network fat-tree-auto --width 32
refuses 2 E208 'self-timed routers read headers of one word; expected 1 … 31' \
    "a self-timed hypercube" run cube-broadcast --dim 2 --random 3 --network cube-auto --width 99
refuses 2 E208 'mem has memories of flits of at most 31 bits' "an image of memories" route \
    "$TMP/a.sched" --width 32 --image mem -o "$TMP/m"
refuses 2 E208 'csim traces flits of at most 31 bits, not of 32; expected --engine rtl' "waves of csim" run \
    path -n 3 -m 1 --width 32 --engine csim --waves "$TMP/a.fst"
finish
