#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs: the commands of README.md and of the pages of docs/ print the output that the page shows.
#
#     docs.sh [PAGE.md…]          checks all pages, or only these
#
# docs.awk extracts the commands from the pages. They run in order, in one shell and one scratch
# folder per page, where `roundcast` is the program and `make` runs in the project's folder.
# docs_compare.awk compares their output, including errors, line by line:
#
#     …                                 alone on a line matches one line or more
#     seconds and megabytes             may differ
#     blanks at the end of a line, empty lines before and after, and notices about builds
#                                       are ignored
#
# A command must succeed, unless the next one is `echo $?`, which shows its status. Pages have no
# lines of more than 100 columns except tables and output; README.md has no wide tables either.
. "$(dirname "$0")/tap.sh"

# Containers have no user except root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir "$TMP/bin"
ln -s "$(realpath "$ROUNDCAST")" "$TMP/bin/roundcast"

# run_page FOLDER/P: runs the commands FOLDER/P-001.command, … of page P. Each prints to
# FOLDER/P-K.printed; a line `P-K STATUS` for each goes to standard output.
run_page() {
    mkdir "$1.scratch"
    # shellcheck disable=SC2016
    (cd "$1.scratch" && PATH=$TMP/bin:$PATH bash -c '
        root=$2
        make() {
            env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory -C "$root" "$@"
        }
        # Sets `$?` for a command to the status of the previous command.
        after() { return "$1"; }
        status=0
        for command in "$1"-*.command; do
            IFS= read -rd "" text <"$command"
            after "$status"
            eval "$text" >"${command%.command}.printed" 2>&1 </dev/null
            status=$?
            stem=${command%.command}
            echo "${stem##*/} $status" >&3
        done' docs "$1" "$root" 3>&1)
}

# try FOLDER PAGE…: runs the commands of the pages under FOLDER; docs_compare.awk writes the results
# to FOLDER/verdicts. Fails if a page cannot be read.
try() {
    local folder=$1 command readable=0
    shift
    mkdir "$folder"
    awk -v folder="$folder" -v slow="${ROUNDCAST_EXHAUSTIVE:-}" -f "$here/docs.awk" "$@" \
        >"$folder/list" || readable=1
    for command in "$folder"/*-001.command; do
        [ ! -e "$command" ] || run_page "${command%-001.command}"
    done >"$folder/statuses"
    awk -v folder="$folder" -f "$here/docs_compare.awk" "$folder/statuses" "$folder/list" \
        >"$folder/verdicts"
    return $readable
}

# --- pages ---------------------------------------------------------------------------------------

# problem STEM: prints the fault of a bad command.
problem() {
    if [ -e "$1.problem" ]; then cat "$1.problem"; else diff "$1.wanted" "$1.got"; fi
}

cd "$root" || exit
mapfile -t pages < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else
    find README.md docs -name '*.md' | sort; fi)
check "the pages are read" try "$TMP/pages" "${pages[@]}"
shown=0
while read -r verdict stem page line command; do
    shown=$((shown + 1))
    if [ "$verdict" = good ]; then
        ok "$page:$line: $command"
    else
        not_ok "$page:$line: $command" "$(problem "$TMP/pages/$stem")"
    fi
done <"$TMP/pages/verdicts"
check "there are commands in the pages" test "$shown" -gt 0
[ $# -eq 0 ] || finish

# wide FILE…: prints lines of more than 100 columns outside blocks; tables count in README.md only.
wide() {
    LC_ALL=C awk '/^```/ { block = !block } length($0) <= 100 { next } { columns = gsub(/[^\200-\277]/, "&") }
        columns > 100 && !block && (!/^\|/ || FILENAME == "README.md") { print FILENAME ":" FNR }' "$@"
}

# nothing TEXT COMMAND…: checks that the command prints nothing.
nothing() {
    local found
    found=$("${@:2}")
    if [ -z "$found" ]; then ok "$1"; else not_ok "$1" "$found"; fi
}

nothing "no line of a page is wider than 100 columns, but for tables and output" wide "${pages[@]}"
check "README.md has at most 130 lines" test "$(wc -l <README.md)" -le 130

# --- counter-cases ------------------------------------------------------------------------------

# page LINE…: writes a page with these lines to $TMP/page.md.
page() {
    printf '%s\n' "$@" >"$TMP/page.md"
}

tried=0
# gets VERDICTS TEXT: checks the verdicts of $TMP/page.md, in one line.
gets() {
    local expected=$1 text=$2 got folder
    folder=$TMP/tried-$((tried += 1))
    try "$folder" "$TMP/page.md" 2>"$TMP/err" || echo unreadable >>"$folder/verdicts"
    got=$(while read -r verdict _; do printf '%s ' "$verdict"; done <"$folder/verdicts")
    [ "$got" = "${expected:+$expected }" ] || { not_ok "$text" "expected $expected, got $got"; return; }
    ok "$text"
}

page '```console' '$ echo a; echo b' 'a' 'b' '```'
gets good "a command with what it prints"
page '```console' '$ echo a; echo b' 'a' 'c' '```'
gets bad "another output is found"
page '```console' '$ echo a; echo b' 'a' '```'
gets bad "… and one with a line more than is shown"
page '```console' '$ echo a' 'a' 'b' '```'
gets bad "… or a line less"
page '```console' '$ echo "[a]*"' '[a]*' '$ echo xa' '[a]*' '$ echo x' '*' '```'
gets "good bad bad" "characters of patterns are characters"
page '```console' '$ seq 5' '1' '…' '4' '5' '$ seq 5' '1' '…' '4' '$ seq 2' '1' '…' '2' '```'
gets "good bad bad" "… stands for one line or more, and for no others"
page '```console' '$ seq 9' '1' '…' '5' '…' '9' '$ seq 9' '…' '$ seq 9' '…' '8' '$ true' '…' '```'
gets "good good bad bad" "… several times, and at both ends"
page '```console' '$ echo took 1.25 s, 7 MB, 12 rounds' 'took 0.11 s, 13 MB, 12 rounds' \
    '$ echo took 1.25 s, 7 MB, 12 rounds' 'took 0.11 s, 13 MB, 13 rounds' '```'
gets "good bad" "seconds and megabytes may differ, nothing else"
page '```console' '$ false' '$ true' '```'
gets "bad good" "a command that fails is found"
page '```console' '$ (exit 3)' '$ echo $?' '3' '```'
gets "good good" "… unless its status is shown"
page '```console' '$ (exit 3)' '$ echo $?' '2' '```'
gets "good bad" "… as it is"
page '```console' '$ echo a >&2' '```'
gets bad "errors are printed, too"
page '```console' '$ cat >a <<END' 'one' 'two' 'END' '```' '```console' '$ echo "$(wc -l \' \
    '    <a) lines"' '2 lines' '```'
gets "good good" "a page has one folder; commands may have several lines"
page '```console' '$ cat a' 'one' '```'
gets bad "… and it is another page's no longer"
page '```console' 'a' '```'
gets unreadable "output without a command is no page of ours"
page '```console' '$ echo a' 'a'
gets "good unreadable" "… nor is a block without an end"
page 'text' '```' '$ false' '```'
gets "" "other blocks show no commands"
page '```console slow' '$ false' '```'
ROUNDCAST_EXHAUSTIVE='' gets "" "slow ones are left out"
ROUNDCAST_EXHAUSTIVE=1 gets "bad" "… unless every space is exhausted"
page "$(printf '%0101d' 0)" "| $(printf '%0101d' 0) |" '```' "$(printf '%0101d' 0)" '```'
check "a wide line is found" test "$(wide "$TMP/page.md")" = "$TMP/page.md:1"
printf '| %0101d |\n' 0 >"$TMP/README.md"
cd "$TMP" || exit
check "… and a wide row of README.md" test "$(wide README.md)" = README.md:1

finish
