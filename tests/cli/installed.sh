#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# installed: an ordinary user works with only a prefix, as docs/install.md shows.
#
# The sources are a copy that is removed after `make install`. The commands of the page's block
# ```text session are run in a shell of the user `nobody` (of the calling user, unless it is root):
# HOME is not writable, $without is a PATH without Verilator. Their output must be that of the page,
# except seconds, sizes and names of folders. Counter-cases: another page, and the user, who cannot
# write to HOME or the prefix.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
unset ROUNDCAST_ENGINES ROUNDCAST_ROOT XDG_CACHE_HOME MAKEFLAGS MAKELEVEL

same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
root=$PWD
build=$(realpath "$(dirname "$ROUNDCAST")")
prefix=$TMP/prefix
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
if ! "${user[@]}" true 2>/dev/null; then
    skip "an ordinary user works with a prefix" "no setpriv, and this is root"
    finish
fi
command -v verilator >/dev/null || { skip "the session of the page" "no Verilator"; finish; }

# --- only a prefix --------------------------------------------------------------------------------

mkdir "$TMP/sources" "$TMP/home" "$TMP/tmp" "$TMP/session" "$TMP/without"
for item in *; do
    [ "$item" = build ] || cp -a "$item" "$TMP/sources"
done
check "make install" make -s -C "$TMP/sources" BUILD="$build" install PREFIX="$prefix"
rm -r "$TMP/sources"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    ln -s "$folder"/* "$TMP/without" 2>/dev/null
done
rm -f "$TMP"/without/verilator*
chmod 755 "$TMP"
chmod 555 "$TMP/home"
chmod 1777 "$TMP/tmp" "$TMP/session"
[ ${#user[@]} -gt 0 ] || chmod -R a-w "$prefix"
for folder in home prefix prefix/share/roundcast; do
    check "the user may not write $folder" "${user[@]}" test ! -w "$TMP/$folder"
done

# --- the session ----------------------------------------------------------------------------------

# plain: removes seconds, sizes, and the names of folders and users, which differ every time.
plain() {
    sed -E "s,$TMP(/tmp)?/,/tmp/,g; s/[0-9]+\.[0-9]+ s\>/0.00 s/g; s/[0-9]+ MB/0 MB/; s/ +$//
            s/(ready +)[0-9]+$/\\10/; s/(roundcast)-[0-9]+$/\\1-1000/"
}

# session PAGE: runs the commands of its block and prints their output.
session() {
    # shellcheck disable=SC2016
    sed -n '/^```text session$/,/^```$/s/^\$ //p' "$1" |
        (cd "$TMP/session" && "${user[@]}" env HOME="$TMP/home" TMPDIR="$TMP/tmp" \
            without="$prefix/bin:$TMP/without" PATH="$prefix/bin:$PATH" bash -c '
            while read -r command <&3; do
                echo "$ $command"
                eval "$command" 2>&1 </dev/null
            done' 3<&0) | plain
}

# shown PAGE: prints the output that the block shows.
shown() { sed -n '/^```text session$/,/^```$/p' "$1" | sed '1d;$d' | plain; }

doing="the session of docs/install.md"
shown docs/install.md >"$TMP/shown"
session docs/install.md >"$TMP/printed"
check "the page shows a session" test -s "$TMP/shown"
check "it is what a user gets" diff "$TMP/shown" "$TMP/printed"
for word in plan schedule route 'simulate .*csim' 'run .*rtl' waves without; do
    check "… with $word" grep -qE "^[$] .*$word" "$TMP/shown"
done
printf '```text session\n$ id -u; touch "$HOME/x" || echo no\n0\n```\n' >"$TMP/page"
check "(another page does not)" test "$(session "$TMP/page")" != "$(shown "$TMP/page")"
check "(the user is not root, and HOME is not written)" grep -qx no <(session "$TMP/page")

# --- files that remain ----------------------------------------------------------------------------

same "no engine is left" "$(find "$TMP/tmp" "$TMP/home" -mindepth 1 ! -type d | wc -l)" 0
[ ${#user[@]} -gt 0 ] || chmod -R u+w "$prefix"
check "make uninstall, by the sources elsewhere" make -s -C "$root" BUILD="$build" uninstall \
    PREFIX="$prefix"
same "no file is left" "$(find "$prefix" ! -type d)" ""
chmod 755 "$TMP/home"

finish
