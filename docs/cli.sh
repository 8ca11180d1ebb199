#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli: docs/cli.md, from what the program says of itself and from the table of its messages.
#
#     cli.sh
#
# It prints the page. ROUNDCAST names the program (build/roundcast).
set -euo pipefail
roundcast=${ROUNDCAST:-build/roundcast}
errors=$(dirname "$0")/../sched/base/err.h

# shown ARGUMENT…: a command and what it prints.
shown() {
    printf '```console\n$ roundcast %s\n' "$*"
    "$roundcast" "$@" | sed 's/[[:space:]]*$//'
    printf '```\n'
}

# codes: a row of a table for each message in err.h.
codes() {
    sed -nE 's/^ *X\(([0-9]+), [A-Z_]+, "([a-z-]+)"\) *\/\* (.*) \*\/ *\\?$/| `E\1` | \2 | \3 |/p' "$errors"
}

commands=$("$roundcast" help | sed -nE 's/^  roundcast ([a-z]+) .*/\1/p' | grep -vx help)

cat <<PAGE
# The command line

\`make docs\` writes this page from \`--help\` and from the table of messages in
\`sched/base/err.h\`. The [tutorial](tutorial.md) shows the commands at work.

$(shown help)

A message on standard error reads \`where: what; expected what [CODE name]\`. Where several things of
a kind are wrong, it tells the first and counts the others. A command that fails leaves no file half
written.

The suffix of an output file must not belong to another kind of file: \`view -o x.png\` is rejected,
and the message names the command that writes that kind. Names without a suffix, or with one that is
not known, are accepted. Pages and pictures are not written to a terminal.

| variable | says |
| --- | --- |
| \`OMP_NUM_THREADS\` | how many threads read, write, verify and route a large schedule (one a core) |
| \`XDG_CACHE_HOME\` | where compiled engines are kept, in \`roundcast\` (\`~/.cache\`) |
| \`TMPDIR\` | where they stand if that cannot be written (\`/tmp\`) |
| \`ROUNDCAST_ENGINES\` | a folder of compiled engines that stand ready: none is compiled then |
| \`ROUNDCAST_ROOT\` | the folder of the sources of engines (found above the program) |
| \`CXX\`, \`VERILATOR\`, \`YOSYS\` | the tools that compile engines (their usual names) |
$(for command in $commands; do printf '\n## %s\n\n' "$command"; shown "$command" --help; done)

## Codes

The family of a code says whose move it is. E1xx (usage), E2xx (files), E4xx (networks and images)
and E5xx (tools) are about the input: exit status 2. E3xx (a schedule breaks its model) and E6xx (a
run broke its promise) are checks that failed: exit status 1. E7xx is a model for csim that does not
elaborate, E9xx a bug of roundcast: exit status 3.

| code | name | says |
| --- | --- | --- |
$(codes)
PAGE
