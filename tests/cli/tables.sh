#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tables: reports are no wider than the terminal, or COLUMNS, or 100 columns if neither is known,
# and lose no word because of the limit.
#
# Every command that prints a table, at 80, 100 and 120 columns, in a pipe and on a terminal.
# Counter-case: with enough columns the same tables are wider, so that the limit has an effect.
. "$(dirname "$0")/tap.sh"
export LC_ALL=C
unset COLUMNS

"$ROUNDCAST" schedule circulant -n 22 -m 3 -o "$TMP/c.sched" >/dev/null
"$ROUNDCAST" schedule tree-total-exchange --tree 2,2 -o "$TMP/t.sched" >/dev/null
reports='list
plan -n 22 -m 8
plan -n 9 -m 3 --lambda 5/2
plan --tree 4,4 --capacity exp
plan --dim 4 --sources 1,2,3
bound -n 22 -m 8
bound -n 22 -m 8 -d 3 -t 6
bound -n 9 -m 3 --lambda 5/2
bound --tree 4,4
tune --bytes 500 -n 8
verify t.sched
run circulant -n 8 -m 3 --engine csim
help'

# widest: prints the width of standard input, without the command that tune shows.
widest() {
    tr -d '\r' | grep -v '^roundcast run' | awk '{ columns = gsub(/[^\200-\277]/, "&") }
        columns > most { most = columns } END { print most + 0 }'
}
# words: prints the words of a report with counts, except values that differ from run to run.
words() { grep -v '^engine ' | tr -s ' \n' '\n' | sort; }

cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
wider=0
while read -r report; do
    # shellcheck disable=SC2086  # words
    said() { "$ROUNDCAST" $report; }
    most=$(COLUMNS=1000 said | widest)
    wider=$((wider + (most > 100)))
    for columns in 80 100 120; do
        seen=$(COLUMNS=$columns said | widest)
        check "$report: $seen of $columns columns" test "$seen" -gt 0 -a "$seen" -le $columns
    done
    check "… no word is lost" test "$(COLUMNS=120 said | words)" = "$(COLUMNS=1000 said | words)"
    check "… 100 if the width is unknown" test "$(said | widest)" -le 100
    if command -v script >/dev/null; then
        seen=$(script -qec "stty cols 80; '$ROUNDCAST' $report" /dev/null </dev/null | widest)
        check "… 80 on a terminal of 80" test "$seen" -gt 0 -a "$seen" -le 80
    else
        skip "… 80 on a terminal of 80" "no script"
    fi
done <<<"$reports"
check "most are wider where they may ($wider)" test $wider -ge 5
finish
