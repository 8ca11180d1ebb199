#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# birkhoff: the scoreboard of decompositions, on matrices whose results are computed by hand.
. "$(dirname "$0")/tap.sh"

mkdir "$TMP/known"
printf '%s\n' 'instance,n,density,best_known,optimal' 'two,3,sparse,2,yes' 'four,2,dense,4,' \
    >"$TMP/known/best.csv"
printf '%s\n' '0,3,4' '3,4,0' '4,0,3' >"$TMP/known/two.csv"
printf '%s\n' '2,1' '1,2' >"$TMP/known/four.csv"

# board FOLDER: runs make birkhoff.
board() {
    make --no-print-directory birkhoff BIRKHOFF="$1" BIRKHOFF_SECONDS=0.1 >"$TMP/out" 2>"$TMP/err"
}

check "two matrices" board "$TMP/known"
check "… one as few as proved" grep -qE '^two +3  sparse +2\* +2  equal ' "$TMP/out"
check "… one in fewer than listed" grep -qE '^four +2  dense +4 +2  better ' "$TMP/out"
check "… the count of both" grep -qF '1 better, 1 equal, 0 worse' "$TMP/out"

# seen PART: checks that the board fails with PART in its message.
seen() {
    ! board "$TMP/known" && grep -qF -- "$1" "$TMP/err"
}

printf '%s\n' '0,3,4' '3,x,0' >"$TMP/known/two.csv"
check "a matrix that is cut short" seen 'two.csv: 4 numbers; expected 9 [E204 syntax]'
printf '%s\n' '0,3,4' '3,4,0' '4,1,3' >"$TMP/known/two.csv"
check "sums that are not equal" seen 'two.csv: row or column 1 has the sum 8; expected 7'
rm "$TMP/known/two.csv"
check "a matrix that is not there" seen 'two.csv: cannot open'
check "no folder" test "$(board "$TMP/none" || grep -cF 'best.csv: cannot open' "$TMP/err")" = 1

finish
