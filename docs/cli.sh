#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli: prints docs/cli.md from the output of --help and the table of error codes.
#
#     cli.sh
#
# ROUNDCAST names the program (build/roundcast).
set -euo pipefail
roundcast=${ROUNDCAST:-build/roundcast}
errors=$(dirname "$0")/../sched/base/err.h

# shown ARGUMENT…: prints a block with a command and its output.
shown() {
    printf '```console\n$ roundcast %s\n' "$*"
    "$roundcast" "$@" | sed 's/[[:space:]]*$//'
    printf '```\n'
}

# codes: prints a table row for each code in err.h.
codes() {
    sed -nE 's/^ *X\(([0-9]+), [A-Z_]+, "([a-z-]+)"\) *\/\* (.*) \*\/ *\\?$/| `E\1` | \2 | \3 |/p' "$errors"
}

commands=$("$roundcast" help | sed -nE 's/^  roundcast ([a-z]+) .*/\1/p' | grep -vx help)

cat <<PAGE
# The command line

After reading this page you can look up every option of every command, the environment variables,
the exit status and the error codes. \`make docs\` writes it from \`--help\` and from the table of
codes in \`sched/base/err.h\`. The [tutorial](tutorial.md) shows the commands at work.

$(shown help)

## Messages and files

A message on standard error has the form \`where: what is wrong; what would be right [CODE name]\`.
If several errors of the same kind occur, the program prints the first one and the number of the
others. A command that fails leaves no partial output file.

The suffix of an output file must not belong to another kind of file: \`view -o x.png\` is rejected,
and the message names the command that writes PNG files. Unknown suffixes, and names without a
suffix, are accepted. Pages and pictures are not written to a terminal.

## Environment variables

| variable | meaning |
| --- | --- |
| \`OMP_NUM_THREADS\` | threads that process a large schedule (default: one per core) |
| \`XDG_CACHE_HOME\` | folder whose subfolder \`roundcast\` holds the engines (default: \`~/.cache\`) |
| \`TMPDIR\` | folder of the engines if that folder is not writable (default: \`/tmp\`) |
| \`ROUNDCAST_ENGINES\` | folder of ready engines; if it is set, no engine is compiled |
| \`ROUNDCAST_ROOT\` | folder of the engine sources (default: found relative to the program) |
| \`COLUMNS\` | width of tables (default: that of the terminal, or 100) |
| \`CXX\`, \`VERILATOR\`, \`YOSYS\` | tools that compile engines (default: their usual names) |

A large schedule is read, written, verified and routed by several threads.
$(for command in $commands; do printf '\n## %s\n\n' "$command"; shown "$command" --help; done)

## Error codes

The hundreds digit is the error class.

| class | meaning | exit status |
| --- | --- | ---: |
| E1xx | usage: an option or argument is invalid | 2 |
| E2xx | files: a file cannot be read or written, or its contents are invalid | 2 |
| E3xx | schedules: a check failed, the schedule violates its model | 1 |
| E4xx | networks and images: the input does not fit the machine | 2 |
| E5xx | tools: an external program is missing or failed | 2 |
| E6xx | runs: a check failed, a run differs from its schedule | 1 |
| E7xx | csim models: a model does not elaborate | 3 |
| E9xx | internal error of roundcast | 3 |

| code | name | meaning |
| --- | --- | --- |
$(codes)
PAGE
