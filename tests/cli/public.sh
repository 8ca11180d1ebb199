#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# public: the command line stands on the library as it is installed: files of cli include files of
# cli and public headers only.
#
# Files that still include internal headers are listed here; a file that does not need to be listed
# fails. Counter-cases: an internal header, and one of lib that is not installed.
#
# tags: source
. "$(dirname "$0")/tap.sh"

# internal FOLDER: the files of a folder that include more than the command line and the library.
internal() {
    grep -nE '^[ \t]*#[ \t]*include[ \t]*"' "$1"/*.[ch] |
        grep -vE '"(cli/[a-z0-9_]+|lib/roundcast|lib/roundcast/[a-z0-9_]+)\.h"' |
        sed 's/:.*//; s,.*/,,' | sort -u
}

unmoved=$(cat <<'END'
options.h
unmoved.h
END
)
found=$(internal cli)
if [ "$found" = "$unmoved" ]; then
    ok "only listed files include internal headers"
else
    not_ok "only listed files include internal headers" \
        "$(diff <(echo "$unmoved") <(echo "$found"))"
fi

mkdir "$TMP/cli"
printf '#include "%s"\n' cli/a.h lib/roundcast.h lib/roundcast/text.h >"$TMP/cli/right.c"
printf '  # include "sched/base/text.h"\n' >"$TMP/cli/core.c"
printf '#include "lib/inside.h"\n' >"$TMP/cli/inside.h"
found=$(internal "$TMP/cli")
check "(others are found)" test "$found" = "core.c
inside.h"

finish
