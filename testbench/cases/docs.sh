#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs: what README.md and the pages of docs/ show is what the commands beside it print.
#
# docs.awk takes the commands out of a page. They run in order, in one shell and one scratch folder
# per page, where `roundcast` is the program and `make` runs in the project's folder. What they
# print, errors too, is compared line by line:
#
#     …                                 alone on a line stands for one line or more
#     seconds and megabytes             may differ
#     blanks at the end of a line, empty lines before and behind, and notices of what is built
#                                       do not count
#
# A command has to succeed, unless the next one is `echo $?`, which shows its status. Pages have no
# lines of more than 100 columns but for tables and output.
. "$(dirname "$0")/tap.sh"

# Containers have no user but root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir "$TMP/bin"
ln -s "$(realpath "$ROUNDCAST")" "$TMP/bin/roundcast"

# run_all FOLDER: run its commands; the K-th prints to K.printed and ends with K.status.
run_all() {
    mkdir "$1/scratch"
    # shellcheck disable=SC2016
    (cd "$1/scratch" && PATH=$TMP/bin:$PATH bash -c '
        root=$2
        make() {
            env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory -C "$root" "$@"
        }
        for command in "$1"/*.command; do
            text=$(<"$command")
            (exit "${status:-0}")
            eval "$text" >"${command%.command}.printed" 2>&1 </dev/null
            status=$?
            echo "$status" >"${command%.command}.status"
        done' docs "$1" "$root")
}

# plain: a text without what differs from run to run.
plain() {
    sed -E '/^  (cc|link|verilate|synth) /d; s/[0-9]+\.[0-9]+ s\>/0.00 s/g; s/\<[0-9]+ MB/0 MB/g
            s/[[:space:]]+$//' "$1" | sed -e '/./,$!d' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# agrees PRINTED EXPECTED: a pattern of the shell, in which only … stands for anything.
agrees() {
    local printed pattern
    printed=$(plain "$1")
    pattern=$(plain "$2" | sed -E 's/[][*?\\()|+@!]/\\&/g; s/^…$/*/')
    # shellcheck disable=SC2053
    [[ $printed == $pattern ]]
}

# problem_of STEM: what is wrong with the command STEM.command, or nothing.
problem_of() {
    local status next
    status=$(cat "$1.status" 2>/dev/null) || { echo "was not run"; return; }
    next=$(cat "$(printf '%s/%03d.command' "${1%/*}" $((10#${1##*/} + 1)))" 2>/dev/null)
    if ! agrees "$1.printed" "$1.expected"; then
        diff <(plain "$1.expected") <(plain "$1.printed")
    elif [ "$status" -ne 0 ] && [ "$next" != 'echo $?' ]; then
        echo "exit status $status"
    fi
}

# try PAGE FOLDER: run what the page shows, under FOLDER; a line `good LINE COMMAND` or `bad …` for
# each command in FOLDER/verdicts, with what is wrong in FOLDER/K.problem.
try() {
    mkdir "$2"
    : >"$2/verdicts"
    awk -v folder="$2" -v slow="${ROUNDCAST_EXHAUSTIVE:-}" -f "$here/docs.awk" "$1" || return
    compgen -G "$2/*.command" >/dev/null || return 0
    run_all "$2"
    for command in "$2"/*.command; do
        local stem=${command%.command} verdict=good
        problem_of "$stem" >"$stem.problem"
        [ ! -s "$stem.problem" ] || verdict=bad
        echo "$verdict $stem $(cat "$stem.line") $(head -n 1 "$command")" >>"$2/verdicts"
    done
}

# --- pages ---------------------------------------------------------------------------------------

pages=$(cd "$root" && find README.md docs -name '*.md' | sort)
shown=0
for page in $pages; do
    doing=$page
    folder=$TMP/${page//\//-}
    try "$root/$page" "$folder" || not_ok "$page is read"
    [ -s "$folder/verdicts" ] || skip "$page" "shows no commands"
    while read -r verdict stem line command; do
        shown=$((shown + 1))
        if [ "$verdict" = good ]; then
            ok "$page:$line: $command"
        else
            not_ok "$page:$line: $command" "$(cat "$stem.problem")"
        fi
    done <"$folder/verdicts"
done
check "there are commands in the pages" test "$shown" -gt 0

# wide FILE…: lines of more than 100 columns that are neither rows of tables nor in blocks.
wide() {
    LC_ALL=C awk '/^```/ { block = !block } { columns = gsub(/[^\200-\277]/, "&") }
        columns > 100 && !block && !/^\|/ { print FILENAME ":" FNR }' "$@"
}

# nothing TEXT COMMAND…: it prints nothing.
nothing() {
    local found
    found=$("${@:2}")
    if [ -z "$found" ]; then ok "$1"; else not_ok "$1" "$found"; fi
}

cd "$root" || exit
nothing "no line of a page is wider than 100 columns, but for tables and output" wide $pages
check "README.md has at most 150 lines" test "$(wc -l <README.md)" -le 150

# --- what is no good ----------------------------------------------------------------------------

# page LINE…: a page with these lines, in $TMP/page.md.
page() {
    printf '%s\n' "$@" >"$TMP/page.md"
}

tried=0
# gets VERDICTS TEXT: what $TMP/page.md gets, in one line.
gets() {
    local expected=$1 text=$2 got
    tried=$((tried + 1))
    try "$TMP/page.md" "$TMP/tried-$tried" 2>"$TMP/err" || echo "unreadable" >>"$TMP/tried-$tried/verdicts"
    got=$(cut -d ' ' -f 1 "$TMP/tried-$tried/verdicts" | paste -sd ' ')
    if [ "$got" = "$expected" ]; then ok "$text"; else not_ok "$text" "expected $expected, got $got"; fi
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
gets "unreadable" "… nor is a block without an end"
page 'text' '```' '$ false' '```'
gets "" "other blocks show no commands"
page '```console slow' '$ false' '```'
ROUNDCAST_EXHAUSTIVE='' gets "" "slow ones are left out"
ROUNDCAST_EXHAUSTIVE=1 gets "bad" "… unless every space is exhausted"
page "$(printf '%0101d' 0)" "| $(printf '%0101d' 0) |" '```' "$(printf '%0101d' 0)" '```'
check "a wide line is found" test "$(wide "$TMP/page.md")" = "$TMP/page.md:1"

finish
