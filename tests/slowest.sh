#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slowest: of lines "SECONDS NAME" on standard input, a title and the ten with most seconds.
#
#     slowest.sh TITLE <TIMES
#
# awk reads what it does not print, too: `head` would close the pipe early, and end `sort` by a
# signal whenever that had not written all of it yet.
set -euo pipefail
echo "== $1"
sort -rn |
    awk 'NR <= 10 { seconds = $1; $1 = ""; printf "  %9.2f s %s\n", seconds, $0 }'
