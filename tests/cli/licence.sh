#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# licence: every file that can hold a comment names the licence at its top, and .reuse/dep5 lists
# the other files. Counter-cases: files of each kind without the line, and with it too far down.
#
# tags: source tooling
. "$(dirname "$0")/tap.sh"

spdx=$PWD/qa/spdx.sh
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

mapfile -t files < <(find . -name .git -prune -o -path ./build -prune -o -type f -print |
    sed 's,^\./,,' | sort)
same "every file names its licence" "$("$spdx" "${files[@]}")" ""
check "there are some hundred" test ${#files[@]} -gt 500
check ".reuse/dep5 says that of the rest" grep -qxF "License: Apache-2.0" .reuse/dep5
check "the licence's text is there" grep -qF "Apache License" LICENSE

cd "$TMP" || exit 1
mkdir debian
names=(a.c a.h a.js a.css a.html a.cc a.sv a.svh a.vlt a.sh a.awk a.mk a.map a.pc a.py a.txt Makefile
    .gitignore debian/rules)
for name in "${names[@]}"; do printf '#!first\nsecond\nthird\n' >"$name"; done
# All files at once; `has` searches for a name in the output.
has() { [[ $'\n'$2$'\n' == *$'\n'$1$'\n'* ]]; }
found=$("$spdx" "${names[@]}")
"$spdx" --add "${names[@]}" >/dev/null
left=$("$spdx" "${names[@]}")
twice=$("$spdx" --add "${names[@]}")
for name in "${names[@]}"; do
    mapfile -t lines <"$name"
    check "$name without a line is found" has "$name" "$found"
    same "… and gets it" "$(! has "$name" "$left" || echo "$name"),${#lines[@]}" ,4
    same "… once" "$(! has "$name" "$twice" || echo "$name"),${#lines[@]}" ,4
    same "… below the line of the shell" "${lines[0]}" '#!first'
done
printf '\n\n\n# %s Apache-2.0\n' 'SPDX-License-Identifier:' >far.sh
same "one that is too far down is found" "$("$spdx" far.sh)" far.sh
touch a.csv a.png
same "a file that can hold none is not" "$("$spdx" a.csv a.png)" ""

finish
