#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# signoff: SIGNOFF.md is generated from its checklist and the recorded runs; the files and targets
# that it names exist; its statements about the sources are true. Counter-cases: an edited page, an
# item without a state or a reason, a run that fails or prints nothing.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"
folder=$(dirname "$0")/../../qa/signoff

# page CHECKLIST RUNS RESULTS: prints the page.
page() {
    awk -f "$folder/page.awk" -v tables="$(echo "$folder"/tables/*.md)" "$1" "$2" "$3" \
        "$folder/page.md"
}

# is_page FILE: checks that the file equals the page that the sources make.
is_page() { page "$folder"/{checklist,runs,results}.txt | cmp -s - "$1"; }

check "SIGNOFF.md is the page" is_page SIGNOFF.md
sed 's/, not met: /, met: /' SIGNOFF.md >"$TMP/better"
check "(one that says more is not)" bash -c '! cmp -s "$0" SIGNOFF.md' "$TMP/better"
for item in SPEC_COMPLETE FEATURE_COMPLETE SEC_CM_IMPLEMENTED REVIEW_RTL TESTPLAN_COMPLETED \
    SIM_CODE_COVERAGE_V2 FPV_SEC_CM_PROVEN X_PROP_ANALYSIS_COMPLETED; do
    check "$item is in it" grep -q "^- [*][*]$item[*][*], " SIGNOFF.md
done
check "no item is in it twice" test -z \
    "$(awk '/^[DV][0-9]/ { print $1, $2 }' "$folder/checklist.txt" | sort | uniq -d)"

# The targets of make and the files that the page names.
# missing FILE: prints names in backquotes that are neither.
missing() {
    grep -oE '`[^`]+`' "$1" | tr -d '`' | grep -vxE 'met|not met|does not apply|[a-z]' |
        sort -u | while read -r name; do
        case $name in
        "make "*) name=${name#make }
            grep -qxF "${name%% *}" "$TMP/targets" || echo "make $name" ;;
        */* | *.md) [ -e "$name" ] || echo "$name" ;;
        esac
    done
}
make help-all | awk '$1 == "make" { print $2 }' >"$TMP/targets"
check "all that it names is there" test -z "$(missing "$folder/checklist.txt")"
# shellcheck disable=SC2016
printf '`make nothing` `rtl/none.sv`\n' >"$TMP/names"
check "(missing names are found)" test "$(missing "$TMP/names" | wc -l)" = 2

# Its statements about the sources.
# found PATTERN FOLDER…: prints lines of C, RTL, shell, awk and make that match.
found() {
    grep -rnE --include=*.{c,h,cc,sv,sh,awk,mk} --exclude-dir=build -e "$1" "${@:2}" | wc -l
}
check "nothing is left to do" test "$(found '\b(TO[D]O|FIX[M]E|XX[X])\b' .)" = 0
check "the RTL assigns no x" test "$(found "'[bhdo]?[xX]" rtl)" = 0
mkdir "$TMP/rtl"
echo "assign a = 1'bx; // TO""DO" >"$TMP/rtl/a.sv"
check "(both are found)" test \
    "$(found '\b(TO[D]O|FIX[M]E|XX[X])\b' "$TMP/rtl")$(found "'[bhdo]?[xX]" "$TMP/rtl")" = 11

# refused TEXT LINES: checks that a checklist of these lines is rejected.
refused() {
    printf '%b' "$2" >"$TMP/checklist"
    check "$1" bash -c '! awk -f "$0/page.awk" "$1" "$0/runs.txt" "$0/results.txt" "$0/page.md"' \
        "$folder" "$TMP/checklist"
}
refused "(an item in no state is refused)" 'D1 A perhaps\n  text\n'
refused "(an item without a reason is refused)" 'D1 A met\nD1 B met\n  text\n'
refused "(so is a last one)" 'D1 A met\n  text\nD1 B not met\n'

# Runs.
cat >"$TMP/runs" <<'END'
good   printf '3 passed, 0 failed\nend\n' | ^[0-9]+ passed
bad    echo 2 passed, 1 failed; exit 1 | ^[0-9]+ passed
silent true | ^[0-9]+ passed
END
check "a run is noted" "$folder/run.sh" "$TMP/runs" "$TMP/results" good
check "… with its result" grep -qE '^good [0-9-]{10} [0-9]+ 0 3 passed, 0 failed$' "$TMP/results"
check "(one that fails is an error)" bash -c '! "$@"' _ "$folder/run.sh" "$TMP/runs" \
    "$TMP/results" bad
check "… and noted" grep -qE '^bad .* 1 2 passed, 1 failed$' "$TMP/results"
check "(so is one that prints nothing)" bash -c '! "$@"' _ "$folder/run.sh" "$TMP/runs" \
    "$TMP/results" silent
check "… and noted as such" grep -qE '^silent .* nothing that matches$' "$TMP/results"
"$folder/run.sh" "$TMP/runs" "$TMP/results" good >/dev/null
check "a run replaces its line" test "$(grep -c '^good' "$TMP/results")" = 1
check "the page shows it" bash -c 'grep -q "2 passed, 1 failed (exit status 1)"' \
    <<<"$(page "$folder/checklist.txt" "$TMP/runs" "$TMP/results")"

# All runs at once.
whole() { env -u RUNS -u MAKEFLAGS make -n signoff "$@" | grep -c 'echo "signoff '; }
check "a run of all is noted as such" test "$(whole)" = 1
check "(one of some is not)" test "$(whole RUNS='lint proofs')" = 0
echo "signoff 2026-02-03 7380 1 0123abc" >>"$TMP/results"
check "the page says how long it took" grep -q \
    'begun at commit 0123abc, ended on 2026-02-03 with exit status 1; it took 2 h 03 min.$' \
    <<<"$(page "$folder/checklist.txt" "$TMP/runs" "$TMP/results")"
finish
