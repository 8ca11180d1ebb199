#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fields: a message names a field of the request in the words of its reader.
#
# Errors of an algorithm and of a machine are read on the command line (the option, by its letter if
# it has one), in JSON reports (the field's name), in a study (its key) and in a batch. Marks and
# escape sequences in the name of a file change nothing. No message of the library names an option:
# every string of its sources is searched. Counter-case: a message that names an option is found,
# and options of other programs are not.
. "$(dirname "$0")/tap.sh"

root=$PWD
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
cd "$TMP" || exit

# -- The names for each reader ---------------------------------------------------------------------

refuses 2 E103 'roundcast: -d: path has no degree; expected none' "the option by its letter" \
    run path -n 4 -m 1 -d 2
refuses 2 E401 'roundcast: --network: pipe=9; expected at most the 5 stages' \
    "the option by its name" run path -n 8 -m 1 --network benes:8,pipe=9
refuses 2 E103 'expected --sources or --random' "several options" \
    schedule cube-ranked --dim 3 -m 2

# reported FIELD OPTION ARGUMENT…: the report names the field, standard error the option.
reported() {
    local field=$1 option=$2
    "$ROUNDCAST" "${@:3}" --json >report 2>err
    check "JSON has the field $field" grep -qxF "    \"field\": \"$field\"," report
    check "… and names it in the message" grep -q "^    \"message\": \"$field: " report
    check "… where standard error has $option" grep -q "^roundcast: $option: " err
}
reported degree -d run path -n 4 -m 1 -d 2
reported network --network run path -n 8 -m 1 --network benes:8,pipe=9
"$ROUNDCAST" run path -n 4 --no-such-option --json >report 2>/dev/null
check "the message is about no field" grep -qxF '    "field": null,' report

printf 'roundcast-study 1\nalgorithm path\nn 4\nnetwork benes:4 benes:4,pipe=9\n' >a.study
refuses 2 E401 'a.study:4:17: network: pipe=9; expected' "the key of a study" \
    sweep a.study -o a.sqlite
printf 'path -n 4 -m 1 -d 2\n' >lines
refuses 2 E103 'lines:1: -d: path has no degree' "the option of a line" run --batch lines
"$ROUNDCAST" run --batch lines --json >report 2>/dev/null
check "… the field in its report" grep -q '"message": "lines:1: degree: path has no degree' report

odd=$'{nodes}\e[31m.sched'
refuses 2 E201 'roundcast: {nodes}?[31m.sched: ' "the name of a file is no mark" verify "$odd"

# -- Messages of the library -----------------------------------------------------------------------

# named FOLDER…: prints strings that name an option, with their files and lines.
named() { grep -nE '"[^"]*(--[a-z]|[ "(]-[a-z][ :,;")])' -r "$@" --include='*.[ch]' | grep -v ':[0-9]*:\( \*\|/\*\)'; }
cd "$root" || exit
others='\(char\[\]\)\{"|execlp\(|\*arguments\[\] ='
if found=$(named sched csim testbench/run testbench/engine plot view waves lib |
    grep -vE "$others"); then
    not_ok "no message of the library names an option" "$found"
else
    ok "no message of the library names an option"
fi
mkdir "$TMP/core"
printf 'err_set(err, ERR_RANGE, "%s");\n' '--tree: x' 'expected no -m' 'a-b' '{tree}: -1' \
    >"$TMP/core/bad.c"
check "… and one that does is found" test "$(named "$TMP/core" | cut -d: -f2 | tr '\n' ' ')" = "1 2 "
check "options of other programs are there" test "$(named sched | grep -cE "$others")" -gt 0
finish
