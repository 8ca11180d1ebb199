#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# targets: `make help` is short and complete, and the documents name only targets that exist.
#
# `make help-all` lists every target with a description, `make help` those that users and developers
# type. Every `make TARGET` of the documents and of .ci/run, in backquotes or on a line of its own,
# must exist; counter-case: a page that names another target. The makefiles run no command before
# the first target, except for the number of processors, and set no -j for another make;
# counter-case: a makefile that does both.
#
# tags: source
. "$(dirname "$0")/tap.sh"

unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES TEST CASE
make -s help-all | awk '$1 == "make" { print $2 }' | sort >"$TMP/all"
make -s help | awk '$1 == "make" { print $2 }' | sort >"$TMP/typed"
check "make help has a target for each line" test "$(make -s help | wc -l)" = "$(wc -l <"$TMP/typed")"
check "… 12 to 20 of them" test "$(wc -l <"$TMP/typed")" -ge 12 -a "$(wc -l <"$TMP/typed")" -le 20
check "make help-all has them, too" test -z "$(comm -23 "$TMP/typed" "$TMP/all")"
check "… and more than twice as many" \
    test "$(wc -l <"$TMP/all")" -gt $((2 * $(wc -l <"$TMP/typed")))
check "no target is listed twice" test -z "$(uniq -d "$TMP/all")"
# Each line of the help names a rule.
unknown=$(while read -r target; do
    grep -qE "^([a-z0-9-]+ )*$target( [a-z0-9-]+)*:" Makefile ./*.mk ./*/*.mk ./*/*/*.mk ||
        echo "$target"
done <"$TMP/all")
check "each is a rule" test -z "$unknown"

# missing FILE…: prints targets that the files name and that do not exist.
missing() {
    { grep -ohE '`make [a-z][a-z0-9-]*( |`|$)' "$@"
        grep -ohE '^( *\$ |step |    )?make [a-z][a-z0-9-]*( |$)' "$@"; } |
        grep -oE 'make [a-z0-9-]+' | cut -d ' ' -f 2 | sort -u |
        grep -vE '^(tools|need)-' | comm -23 - "$TMP/all"
}
mapfile -t pages < <(find . -path ./build -prune -o -name node_modules -prune -o -name '*.md' -print)
check "there are pages to look at" test "${#pages[@]}" -gt 40
check "the documents name only targets that exist" test -z "$(missing "${pages[@]}" .ci/run)"
printf '%s\n' 'Type `make nothing` or' 'make none' '$ make no-such X=1' '`make test` makes rings' \
    'and we make up' >"$TMP/page.md"
check "(others are found)" test "$(missing "$TMP/page.md" | paste -sd ' ')" = "no-such none nothing"

# commands GOAL ARGUMENT…: prints how many commands make runs to read its makefiles. The recipes
# that need the flags of MPI ask for them.
cat >"$TMP/shell" <<END
#!/bin/bash
[[ \$* == *"mpicc --showme"* ]] || echo >>"$TMP/ran"
exec /bin/bash "\$@"
END
chmod +x "$TMP/shell"
commands() {
    : >"$TMP/ran"
    make -n "$@" SHELL="$TMP/shell" >"$TMP/out" 2>&1
    wc -l <"$TMP/ran"
}
check "make help runs no command but its own" test "$(commands help)" = 0
check "… nor does make clean" test "$(commands clean)" = 0
check "make all asks for the number of processors alone" test "$(commands all)" -le 1
printf 'A := $(shell true)\nall:\n\t$(MAKE) -j4 b\n' >"$TMP/bad.mk"
check "(a command is counted)" test "$(commands -f "$TMP/bad.mk")" -ge 1

jobs() { grep -nE '\$\(MAKE\)[^#]* -j' "$@" /dev/null; }
check "no makefile sets the jobs of another make" \
    test -z "$(jobs Makefile ./*.mk ./*/*.mk ./*/*/*.mk)"
check "(one that does is found)" jobs "$TMP/bad.mk"
finish
