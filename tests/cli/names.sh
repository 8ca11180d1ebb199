#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# names: file names, and texts of files, of any bytes: every command that reports as JSON still
# reports, and its verdict stands.
#
# JSON is UTF-8, names are bytes: a part that is not UTF-8 becomes U+FFFD in a report, as the
# Unicode Standard counts parts; control characters are escaped, and replaced in messages. Names
# with a byte that cannot start a character, an overlong sequence, a surrogate, a cut sequence, a
# newline, a quote and a backslash; valid characters are kept. Counter-case: valid UTF-8 has no
# U+FFFD.
. "$(dirname "$0")/tap.sh"
export LC_ALL=C

odd=$'o\xff \xc0\xaf \xed\xa0\x80 \xe2\x82x\n\x01"\\\x7f \xc3\xa9'
mark=$'\xef\xbf\xbd'
# The same in JSON: one U+FFFD for the byte ff, two for the overlong slash, three for the surrogate,
# one for the cut sequence.
shown="o$mark $mark$mark $mark$mark$mark ${mark}x\\n\\u0001\\\"\\\\"$'\x7f \xc3\xa9'
# A schedule's text has no control characters except tabs, and # begins a comment.
words=$'by \xff\xfe hand\t\xf0\x9f\x98\x80 \xf4\x90\x80\x80 "\\'
told="by $mark$mark hand\\t"$'\xf0\x9f\x98\x80'" $mark$mark$mark$mark \\\"\\\\"

# A folder of its own, so that paths consist of the name alone.
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
root=$PWD
cd "$TMP" || exit

json "\"file\": \"$shown\"" "schedule to an odd name" schedule path -n 4 -m 2 --json -o "$odd"
json "\"file\": \"$shown\"" "verify an odd name" verify --json "$odd"
json '"holds": true' "… which holds" verify --json "$odd"
sed "2s/.*/algorithm ${words//\\/\\\\}/" "$odd" >odd.sched
json "\"algorithm\": \"$told\"" "verify an odd text" verify --json odd.sched
json "\"folder\": \"dir$shown\"" "route to an odd folder" route odd.sched -o \
    "dir$odd" --network benes:4 --json
json "\"algorithm\": \"$told\"" "simulate a schedule with an odd text" simulate \
    "dir$odd" --engine csim --json
json '"circuits"' "unpack from an odd folder" unpack "dir$odd/image.hex" --json
json "\"file\": \"$shown\"" "draw to an odd name" draw odd.sched --json -o "$odd"
json "\"drawn\": \"$told" "draw a schedule with an odd text" draw odd.sched --json -o drawn.dot
json '"algorithm": "path"' "run with a payload of an odd name" run path -n 4 -m 2 --payload \
    "$odd" --engine csim --json
for command in list 'plan -n 4 -m 2' 'bound -n 4 -m 2' 'tune -n 4 --bytes 9'; do
    json '{' "${command%% *}" $command --json
    check "… without a mark" test "$(grep -c "$mark" out)" = 0
done

# The verdict, whatever the name: exit 1, and the breach in the report.
# breach FILE PART TEXT: verify rejects the file, and reports PART in JSON.
breach() {
    roundcast verify --json "$1"
    check "$3" test "$status,$(grep -cF -e "$2" out)" = 1,1
    check "… which parses ($3)" parses out
}
sed '/^round 1$/,/^round 2$/{/^0/d;/^round 1/d}' odd.sched >"b$odd"
breach "b$odd" "\"file\": \"b$shown\"" "a breach in a file of an odd name"
breach "b$odd" '"name": "not-held"' "… is reported"
# A message has no control characters: each is a question mark.
said=${shown//\\n/?}
said=${said//\\u0001/?}
said=${said//$'\x7f'/?}
breach "b$odd" "\"message\": \"b$said:" "… at its line"
long=$(printf 'e%.0s' {1..149})$'\xc3\xa9'e
cp "b$odd" "$long"
breach "$long" "\"file\": \"$long\"" "a long name of valid letters is reported in full"
breach "$long" "\"message\": \"${long:0:149}$mark:" "… where a letter is cut in two there is a mark"

cd "$root" || exit
finish
