#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pages: the pages of docs/ that commands write equal the present output of these commands.
#
# docs/cli.md is generated again; so is docs/results.md, from runs on csim alone: the other engines
# of a line must count the same, or `make results` stops. Counter-cases: a page with a different
# word or digit, and a run that fails.
#
# tags: long source
. "$(dirname "$0")/tap.sh"

docs=$(cd "$(dirname "$0")/../../docs" && pwd)
export ROUNDCAST

# is_today PAGE FRESH: checks that the pages are equal.
is_today() {
    diff "$1" "$2"
}

check "docs/cli.md can be written" bash -c '"$0" >"$1"' "$docs/cli.sh" "$TMP/cli.md"
check "… and is up to date; else: make docs" is_today "$docs/cli.md" "$TMP/cli.md"
for command in $(sed -nE 's/^ +X\(([a-z]+)\).*/\1/p' "$docs/../cli/command.h"); do
    check "… with all options of $command" grep -qx -e "\$ roundcast $command --help" "$docs/cli.md"
done
for code in E101 E301 E901; do
    check "… and the code $code" grep -q "^| .$code. | [a-z-]* | .* |$" "$docs/cli.md"
done
check "… and every other code" test "$(grep -c '^ *X(' "$docs/../sched/base/err.h")" -eq \
    "$(grep -c '^| `E' "$docs/cli.md")"

check "the runs of docs/results.md hold" bash -c '"$0" csim >"$1"' "$docs/results.sh" \
    "$TMP/results.md"
check "… and give its figures; else: make results" is_today "$docs/results.md" "$TMP/results.md"
check "… (more than 30)" test "$(grep -c '^| `' "$TMP/results.md")" -gt 30

sed 's/--engine ENGINE/--engine ENGINES/' "$docs/cli.md" >"$TMP/wrong.md"
check "an option that is called otherwise is found" test -n "$(is_today "$TMP/wrong.md" "$TMP/cli.md")"
sed '/matching -n 64 -m 16/s/| 21 |/| 22 |/' "$docs/results.md" >"$TMP/wrong.md"
check "… and another digit" test -n "$(is_today "$TMP/wrong.md" "$TMP/results.md")"
sed 's/matching -n 64 -m 16$/matching -n 65 -m 16/' "$docs/results.sh" >"$TMP/broken.sh"
status=0
bash "$TMP/broken.sh" csim >"$TMP/out" 2>"$TMP/err" || status=$?
check "a run that is refused ends the page, which stays empty" \
    test "$status,$(wc -c <"$TMP/out"),$(grep -c 'does not hold' "$TMP/err")" = 1,0,1

finish
