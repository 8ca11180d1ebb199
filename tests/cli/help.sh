#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# help: the help, the man page and the completion of each command come from one table.
#
# For every command: the help has at most 100 columns, by characters, and 60 lines; its columns are
# aligned; each option is below a heading; it ends with two or three examples. The man page and the
# table of completion have the same options as the help, and no others. Options that a command
# rejects are in none of them. The values that completion offers are accepted. Counter-cases: a line
# of 101 columns, and a line that looks like a heading but is not.
. "$(dirname "$0")/tap.sh"
export LC_ALL=C
unset COLUMNS

# letters: removes the continuation bytes of UTF-8, so that each character is one byte.
letters() { tr -d '\200-\277'; }
wide() { letters | awk 'length($0) > 100'; }
check "a line of 101 columns is wide" test "$(printf '%0101d\n%098dλ…\n' 0 0 | wide | wc -l)" = 1
headings='Problem|Topology and model|Machine|Run|Output|Examples'
# stray: prints lines that end in a colon and are not a heading.
stray() { grep -E '^[^ ].*:$' | grep -vE "^($headings):$"; }
check "a heading that is none is found" test "$(printf 'Run:\nRuns:\n' | stray)" = Runs:

"$ROUNDCAST" help --table >"$TMP/table"
for command in $(awk '$1 == "command" { print $2 }' "$TMP/table"); do
    roundcast "$command" --help
    cp "$TMP/out" "$TMP/help"
    check "$command: help" test "$status" = 0
    roundcast help "$command"
    check "$command: the same by 'help'" cmp -s "$TMP/help" "$TMP/out"
    check "$command: 100 columns" test -z "$(wide <"$TMP/help")"
    check "$command: 60 lines" test "$(wc -l <"$TMP/help")" -le 60
    check "$command: headings" test -z "$(stray <"$TMP/help")"
    check "$command: examples" test "$(sed '1,/^Examples:/d' "$TMP/help" | grep -c '^  roundcast')" -ge 1
    # The texts of options begin in one column.
    letters <"$TMP/help" | sed -n '/^Examples:/q; s/^\( *\(-., \)\?--[^ ]*\( [^ ]*\)\?  *\).*/\1/p' |
        awk '{ print length($0) }' | sort -u >"$TMP/columns"
    check "$command: one column" test "$(wc -l <"$TMP/columns")" = 1
    grep -oE '^ +(-., )?--[a-z-]+' "$TMP/help" | grep -oE -- '--[a-z-]+' | sort >"$TMP/options"
    check "$command: no option twice" test -z "$(uniq -d "$TMP/options")"
    awk -F '\t' -v c="$command" '$1 == "option" && $2 == c { print $3 }' "$TMP/table" | sort >"$TMP/offered"
    check "$command: completion has the same options" cmp -s "$TMP/options" "$TMP/offered"
    "$ROUNDCAST" help --manual "$command" >"$TMP/page"
    grep -oE '\\-\\-[a-z\\-]+\\fR' "$TMP/page" | sed 's/\\fR//; s/\\//g' | sort >"$TMP/paged"
    check "$command: the man page has the same options" cmp -s "$TMP/options" "$TMP/paged"
done

# Fields that a command reads only to explain why it rejects them.
for option in method exact prefix overlap randomised; do
    for command in plan bound; do
        check "$command shows no --$option" test "$("$ROUNDCAST" "$command" --help | grep -c -- "--$option")" = 0
    done
    check "run shows --$option" test "$("$ROUNDCAST" run --help | grep -c -- " --$option")" -ge 1
done

# The values that completion offers are accepted.
offer() { awk -F '\t' -v c="$1" -v o="$2" '$1 == "option" && $2 == c && $3 == o { sub(/^values /, "", $7); print $7 }' "$TMP/table"; }
for settings in $(offer route --settings); do
    accepts 'benes:4' "--settings $settings" run path -n 4 -m 1 --network benes:4 --engine csim --settings "$settings"
done
for engine in $(offer run --engine); do
    roundcast run --engine "$engine"
    check "--engine $engine is known" grep -q 'ALGORITHM is required' "$TMP/err"
done
for model in $(offer plan --model); do
    roundcast plan --model "$model" -n 0
    check "--model $model is known" grep -q -- '^roundcast: -n: 0 is out of range' "$TMP/err"
done
for kind in $(offer bound --collective); do
    accepts 'tightest' "--collective $kind" bound -n 4 -m 1 --collective "$kind"
done
for format in $(offer export --to); do
    roundcast export nothing --to "$format"
    check "--to $format is known" grep -q 'nothing: cannot open' "$TMP/err"
done
check "a network goes on after its colon" test "$(offer run --network | grep -c 'benes: ')" = 1
check "a file is offered as a file" test "$(offer run --payload),$(offer route --output)" = files,folders
finish
