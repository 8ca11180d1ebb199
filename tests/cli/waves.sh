#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# waves: pictures of the waves of a run are made; a blank picture is rejected, whether it is given
# or GTKWave shows nothing; in all cases no server, viewer or wrong picture is left.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"

png=$(dirname "$0")/../../waves/png.sh
missing=
for tool in gtkwave Xvfb xwininfo import; do
    command -v $tool >/dev/null 2>&1 || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    skip "pictures of waves" "not installed:$missing"
    finish
fi

# refuses_picture PART TEXT ARGUMENT…: png.sh fails with PART in its message, and leaves no picture.
refuses_picture() {
    local part=$1 text=$2 output status=0
    shift 2
    output=$("$png" "$@" 2>&1) || status=$?
    if [ $status -ne 1 ] || [[ $output != *"$part"* ]]; then
        not_ok "$text" "png.sh $*: exit $status: $output"
    elif [ -e "$TMP/out.png" ]; then
        not_ok "$text" "a picture was written"
    elif pgrep -f "gtkwave.* $TMP/" >/dev/null; then
        not_ok "$text" "gtkwave still runs"
    else
        ok "$text"
    fi
}

convert -size 300x200 xc:black "$TMP/black.png"
convert -size 300x200 xc:white -fill black -draw 'rectangle 10,10 90,90' "$TMP/box.png"
echo nothing >"$TMP/text.png"
refuses_picture 'is blank' 'a black picture' --check "$TMP/black.png"
refuses_picture 'is blank' 'a black box on white' --check "$TMP/box.png"
refuses_picture 'not a picture' 'a picture that is none' --check "$TMP/text.png"

roundcast run matching -n 4 -m 2 --engine csim --waves "$TMP/x.fst"
check 'a picture of a run' "$png" "$TMP/x.fst" "$TMP/run.png"
check 'which is not blank' "$png" --check "$TMP/run.png"
check 'a picture of two groups' "$png" "$TMP/x.fst" "$TMP/two.png" sends 'stage by stage'
refuses_picture 'has not all of these groups' 'a group that is not there' "$TMP/x.fst" \
    "$TMP/out.png" sends nosuch
roundcast run tree-all-gather --tree 2,2 --ports multi --engine csim --waves "$TMP/tree.fst"
check 'a picture of a tree' "$png" "$TMP/tree.fst" "$TMP/tree.png" 'the tree, level by level'
roundcast run tree-total-exchange --tree 2,2 --network fat-tree-auto --engine csim --waves \
    "$TMP/auto.fst" --waves-from 2 --waves-to 4
check '… and of a level of self-timed routers, some rounds' "$png" "$TMP/auto.fst" \
    "$TMP/auto.png" sends 'level 2'
refuses_picture 'has not all of these groups' 'stages of a tree' "$TMP/tree.fst" "$TMP/out.png" \
    'stage by stage'

cp "$TMP/x.fst" "$TMP/empty.fst"
grep -e '^\[' "$TMP/x.gtkw" >"$TMP/empty.gtkw"
refuses_picture 'is blank' 'a window without signals' "$TMP/empty.fst" "$TMP/out.png"
echo nothing >"$TMP/broken.fst"
cp "$TMP/x.gtkw" "$TMP/broken.gtkw"
refuses_picture 'gtkwave ended' 'a trace that is none' "$TMP/broken.fst" "$TMP/out.png"
refuses_picture 'expected a trace' 'a trace that is not there' "$TMP/none.fst" "$TMP/out.png"
rm "$TMP/broken.gtkw"
refuses_picture 'expected the save file' 'a trace without a save file' "$TMP/broken.fst" \
    "$TMP/out.png"

finish
