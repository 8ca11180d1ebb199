#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exchange_run: schedules that come from other tools run on csim and RTL in lockstep, one for each
# format that can be read. Counter-case: an image in which a receiver expects no packet.
. "$(dirname "$0")/tap.sh"

# A ring of three GPUs for an all-gather, in the form of MSCCL.
{
    echo '<algo name="ring" coll="allgather" inplace="1" ngpus="3">'
    for gpu in 0 1 2; do
        echo "<gpu id=\"$gpu\" i_chunks=\"0\" o_chunks=\"3\" s_chunks=\"0\">"
        echo "<tb id=\"0\" send=\"$(((gpu + 1) % 3))\" recv=\"$(((gpu + 2) % 3))\" chan=\"0\">"
        for step in 0 1 2; do
            type=$(cut -d ' ' -f $((step + 1)) <<<"s rcs r") chunk=$(((gpu + 3 - step) % 3))
            echo "<step s=\"$step\" type=\"$type\" srcbuf=\"o\" srcoff=\"$chunk\" dstbuf=\"o\"" \
                "dstoff=\"$chunk\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>"
        done
        echo '</tb></gpu>'
    done
    echo '</algo>'
} >"$TMP/ring.msccl"
# A broadcast of two steps, in the form of SCCL.
printf '%s\n' '{"msccl_type": "algorithm", "collective": {"nodes": 4, "chunks":' \
    '  [{"pre": [1], "post": [0, 1, 2, 3], "addr": 0}]}, "steps": [{"sends": [[0, 1, 3]]},' \
    '  {"sends": [[0, 1, 0], [0, 3, 2]]}]}' >"$TMP/spread.sccl"

# runs FILE PART: imports and routes the file, and runs it on both engines.
runs() {
    local file=$TMP/$1
    accepts "$2" "$1 is imported" import "$file" --from "${1#*.}" -o "$file.sched"
    accepts '' "… routed" route "$file.sched" --network benes:8 -o "$file.image"
    accepts 'Every packet arrived in its predicted cycle' "… and runs on csim and RTL" \
        simulate "$file.image" --engine both
}
runs ring.msccl '3 packets, 3 nodes: 2 rounds, 6 transfers'
runs spread.sccl '1 packet, 4 nodes: 2 rounds, 3 transfers'
awk '/^@30/ && !done { print; getline; print "00000000"; done = 1; next } 1' \
    "$TMP/ring.msccl.image/image.hex" >"$TMP/deaf"
mv "$TMP/deaf" "$TMP/ring.msccl.image/image.hex"
roundcast simulate "$TMP/ring.msccl.image" --engine both
check "(a node that expects no packet is reported)" test "$status" = 1
finish
