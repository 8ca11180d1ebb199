#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# public: the command line uses the library as it is installed: files of cli include only files of
# cli and public headers, and the program is linked with libroundcast, whose other names are hidden.
#
# Counter-cases: an internal header, and a header of lib that is not installed; an object that calls
# an internal function.
#
# tags: source
. "$(dirname "$0")/tap.sh"

# internal FOLDER: prints the files of a folder that include more than cli and public headers.
internal() {
    grep -nE '^[ \t]*#[ \t]*include[ \t]*"' "$1"/*.[ch] |
        grep -vE '"(cli/[a-z0-9_]+|lib/roundcast|lib/roundcast/[a-z0-9_]+)\.h"' |
        sed 's/:.*//; s,.*/,,' | sort -u
}

check "only public headers are included" test -z "$(internal cli)"

mkdir "$TMP/cli"
printf '#include "%s"\n' cli/a.h lib/roundcast.h lib/roundcast/text.h >"$TMP/cli/right.c"
printf '  # include "sched/base/text.h"\n' >"$TMP/cli/core.c"
printf '#include "lib/inside.h"\n' >"$TMP/cli/inside.h"
found=$(internal "$TMP/cli")
check "(others are found)" test "$found" = "core.c
inside.h"

# --- symbols --------------------------------------------------------------------------------------

build=$(dirname "$ROUNDCAST")
objects=$(for file in cli/*.c; do echo "$build/obj/${file%.c}.o"; done)
# defined OBJECT…, undefined OBJECT…: print the names of functions and variables.
defined() { nm -g --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u; }
undefined() { nm -u "$@" | awk 'NF == 2 { print $2 }' | sort -u; }

# called OBJECT…: prints the project's names that these objects use but do not define.
called() {
    comm -12 <(undefined "$@") <(defined "$build/objects.a") | comm -23 - <(defined $objects)
}
check "the command line has objects" test "$(defined $objects | wc -l)" -gt 50
# shellcheck disable=SC2086
called $objects >"$TMP/called"
check "it calls the library" test "$(grep -c '^roundcast_' "$TMP/called")" -gt 80
check "it calls nothing else of the sources" test -z "$(grep -v '^roundcast_' "$TMP/called")"
check "libroundcast has no other names" test -z \
    "$(defined "$build/lib/libroundcast.a" | grep -v '^roundcast_')"

cat >"$TMP/inside.c" <<'END'
int err_exit_status(int code);
int main(void) { return err_exit_status(0); }
END
gcc -c -o "$TMP/inside.o" "$TMP/inside.c"
called "$TMP/inside.o" >"$TMP/called"
check "(an internal function is found)" test "$(cat "$TMP/called")" = err_exit_status

finish
