#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install: the files that `make install` puts below a prefix work without the sources, and `make
# uninstall` removes all of them.
#
# The prefix has a space, a quote and a non-ASCII letter in its name, and is moved after the
# installation; the program runs in another folder, without the sources, with a HOME and a prefix
# that are not writable. Counter-cases: a prefix without its share folder, and a foreign file.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
unset ROUNDCAST_ENGINES ROUNDCAST_ROOT XDG_CACHE_HOME MAKEFLAGS MAKELEVEL

build=$(dirname "$ROUNDCAST")
first="$TMP/it's \"first\""
moved="$TMP/a préfix"
make() { command make -s BUILD="$build" "$@"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

check "make install" make install DESTDIR="$first" PREFIX=/usr
root=$PWD
mv "$first" "$moved"
prefix=$moved/usr
ROUNDCAST=$prefix/bin/roundcast
version=$(sed -n 's/^#define ROUNDCAST_VERSION "\(.*\)"/\1/p' sched/base/version.h)
accepts "roundcast $version" "the version is the one of the sources" --version
same "every file is the owner's to write alone" "$(find "$moved" -perm /022 ! -type l | wc -l)" 0
same "none names the folder of the sources" \
    "$(grep -rlF -e "$root" "$prefix/share" | wc -l)" 0

# The pages that are installed link to one another and to installed files.
# broken_links NAME: prints links of these pages that break if the file of that name is missing.
broken_links() (
    cd "$prefix/share/doc/roundcast" || exit
    mapfile -t pages < <(find . -name '*.md')
    find . ! -path "$1" | awk -f "$root/tests/cli/links.awk" - "${pages[@]}"
)
same "every link of an installed page leads to an installed file" "$(broken_links ./none)" ""
check "a page that is not installed is missed" test -n "$(broken_links ./synth/README.md)"

# Man pages: one for each command, with each option of its --help, and without a warning.
# missing PAGE COMMAND: prints the options of the command's --help that the page lacks.
missing() {
    "$ROUNDCAST" "$2" --help | grep -oE -e '^ {2,6}(-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+' |
        while read -r option; do
            sed 's/\\-/-/g' "$1" | grep -qF -e "\\fB$option\\fR" || echo "$option"
        done
}
man1=$prefix/share/man/man1
for command in $("$ROUNDCAST" help | sed -nE 's/^  roundcast ([a-z]+) .*/\1/p' | grep -vx help); do
    same "roundcast-$command(1) has all options" \
        "$(missing "$man1/roundcast-$command.1" "$command")" ""
    check "… and roundcast(1) names it" grep -qF -e "roundcast-$command (1)" "$man1/roundcast.1"
done
check "the page of another command has not" test -n "$(missing "$man1/roundcast-list.1" run)"
# warnings PAGE…: prints the warnings of groff, which man uses to format pages.
warnings() { LC_ALL=C.UTF-8 groff -ww -k -t -mandoc -T utf8 "$@" 2>&1 >/dev/null; }
if command -v groff >/dev/null; then
    warnings "$prefix"/share/man/man*/* >"$TMP/warnings"
    for page in "$prefix"/share/man/man*/*; do
        same "man reads ${page##*/}" "$(grep -F -e "$page:" "$TMP/warnings")" ""
    done
    same "… and groff has nothing else to say" "$(<"$TMP/warnings")" ""
    printf '.TH X 1\n.nosuch\n' >"$TMP/wrong.1"
    check "(a page with a word that is none is found)" grep -qF "$TMP/wrong.1:2: " \
        <(warnings "$TMP/wrong.1" "$man1/roundcast.1")
else
    skip "man reads the pages" "no groff"
fi

# Completion, in the installed shells.
# offers SHELL WORDS PART TEXT: checks that the completions after these words contain PART.
offers() {
    local offered share=$prefix/share
    command -v "$1" >/dev/null || { skip "$4" "no $1"; return; }
    if [ "$1" = fish ]; then
        offered=$(HOME=$TMP fish -c 'source $argv[1]; complete -C $argv[2]' \
            "$share/fish/vendor_completions.d/roundcast.fish" "$2" | cut -f 1)
    else
        # shellcheck disable=SC2016
        offered=$(bash -c '. "$1"; COMP_WORDS=($2); [ "${2% }" = "$2" ] || COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _roundcast; printf "%s\n" "${COMPREPLY[@]}"' \
            bash "$share/bash-completion/completions/roundcast" "$2")
    fi
    if grep -qxF -e "$3" <<<"$offered"; then ok "$4"; else not_ok "$4" "$offered"; fi
}
for shell in bash fish; do
    offers $shell 'roundcast ver' verify "$shell completes a command"
    offers $shell 'roundcast run --net' --network "$shell completes an option"
    offers $shell 'roundcast run circ' circulant "$shell completes an algorithm"
    offers $shell 'roundcast plan --model tele' telephone "$shell completes a value"
    offers $shell 'roundcast help un' unpack "$shell completes a command of help"
    offers $shell 'roundcast run --network be' benes: "$shell completes a network"
    offers $shell 'roundcast route --settings ma' masks "$shell completes settings"
    offers $shell 'roundcast bound --collective sca' scatter "$shell completes a collective"
    offers $shell 'roundcast run --engine net' netlist "$shell completes an engine"
    offers $shell 'roundcast export --to go' goal "$shell completes a format"
    offers $shell 'roundcast run --payload Make' Makefile "$shell completes a file"
done
if command -v zsh >/dev/null; then
    check "zsh reads its completion" zsh -n "$prefix/share/zsh/site-functions/_roundcast"
else
    skip "zsh reads its completion" "no zsh"
fi

# In another folder; only this folder and TMPDIR are writable.
mkdir -p "$TMP/elsewhere" "$TMP/tmp"
touch "$TMP/home"
export HOME=$TMP/home TMPDIR="$TMP/tmp"
[ "$(id -u)" = 0 ] || chmod -R a-w "$prefix"
cd "$TMP/elsewhere" || exit 1
accepts 'matching' "plan" plan -n 4 -m 2
accepts '' "schedule" schedule matching -n 4 -m 2 -o "ein plän.sched"
accepts 'benes:4' "route" route "ein plän.sched" -o "the image"
accepts 'Every packet arrived' "run on csim" run matching -n 4 -m 2 --engine csim
before=$(find "$prefix" -printf '%p %T@ %s\n' | sort | sha256sum)
if command -v verilator >/dev/null; then
    roundcast run matching -n 4 -m 2 --engine rtl
    same "run in RTL" "$status,$(grep -c 'Every packet arrived' "$TMP/out"),$(
        grep -c "engines are kept in $TMPDIR" "$TMP/err")" 0,1,1
    accepts 'ready' "its engine is kept" engines
    # The sources make the same engine, because the key depends on their contents, not their place.
    ROUNDCAST_ROOT=$root accepts 'ready' "the installed sources are those of the tree" engines
    ROUNDCAST_ROOT=$TMP accepts ' old ' "others are not" engines
else
    skip "run in RTL" "no Verilator"
fi
same "nothing was written below the prefix" \
    "$(find "$prefix" -printf '%p %T@ %s\n' | sort | sha256sum)" "$before"
mv "$prefix/share/roundcast" "$TMP/share"
refuses 2 E501 'no sources of the RTL' "a prefix without its share builds no engine" \
    run matching -n 4 -m 2 --engine rtl
mv "$TMP/share" "$prefix/share/roundcast"
[ "$(id -u)" = 0 ] || chmod -R u+w "$prefix"

cd "$root" || exit 1
touch "$prefix/share/other"
check "make uninstall" make uninstall DESTDIR="$moved" PREFIX=/usr
same "no file is left but one that is not ours" "$(cd "$moved" && find . ! -type d)" ./usr/share/other
same "no folder that is ours" "$(find "$moved" -name '*roundcast*' | wc -l)" 0

finish
