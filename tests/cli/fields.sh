#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fields: a message names a field of the request in the words of its reader.
#
# One error each, of an algorithm and of a machine, is read on the command line (the option, by its
# letter if it has one), in a JSON report (the field's name), in a study (its key) and in a batch.
# No message of the core names an option: every string in a call of sched, csim, testbench/run and
# testbench/engine is searched; counter-case: one that does is found, and options of other programs
# are not.
. "$(dirname "$0")/tap.sh"

root=$PWD
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
cd "$TMP" || exit

# -- Each reader's words ---------------------------------------------------------------------------

refuses 2 E103 'roundcast: -d: path has no degree; expected none' "the option by its letter" \
    run path -n 4 -m 1 -d 2
refuses 2 E401 'roundcast: --network: benes:8,pipe=99; expected at most the 5 stages' \
    "the option by its name" run path -n 8 -m 1 --network benes:8,pipe=99 ||
    true
for asked in 'degree E103 -d 2' 'ports E103 --ports 2'; do
    read -r field _ option value <<<"$asked"
    "$ROUNDCAST" run path -n 4 -m 1 "$option" "$value" --json >report 2>err
    check "JSON names the field $field" grep -q "\"field\": \"$field\"" report
    check "… its message, too" grep -q "\"message\": \"$field: path " report
    check "… where the command line has $option" grep -q "^roundcast: $option: path " err
done
"$ROUNDCAST" run none -n 4 --json >report 2>/dev/null
check "no field, if the message is about none" grep -q '"field": null' report
