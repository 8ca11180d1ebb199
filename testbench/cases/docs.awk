# SPDX-License-Identifier: Apache-2.0
# docs.awk: the commands that a page shows, and what it says they print.
#
#     awk -v folder=DIR [-v slow=1] -f docs.awk PAGE.md
#
# In a block ```console a line `$ COMMAND` is a command; the lines up to the next one are what it
# prints. A command goes on behind a `\` at the end of a line, and to the END of its <<END. Blocks
# ```console slow are left out unless slow=1. The K-th command becomes DIR/K.command, DIR/K.expected
# and DIR/K.line, its line in the page.

function name(suffix) { return sprintf("%s/%03d.%s", folder, count, suffix) }

function command_line(text) {
    print text > name("command")
    if (text ~ /<<END$/) until = "END"
    else if (text ~ /\\$/) until = "a line without a backslash"
}

!inside && /^```console/ {
    inside = 1
    shown = !/ slow$/ || slow
    begun = 0
    next
}
inside && /^```$/ { inside = 0; next }
!inside || !shown { next }
until == "END" {
    print > name("command")
    if ($0 == "END") until = ""
    next
}
until { until = ""; command_line($0); next }
/^\$ / {
    count++
    begun = 1
    printf "%d\n", FNR > name("line")
    printf "" > name("expected")
    command_line(substr($0, 3))
    next
}
begun { print > name("expected") }
!begun { print FILENAME ":" FNR ": output without a command" > "/dev/stderr"; bad = 1 }
END {
    if (inside) { print FILENAME ": a block without an end" > "/dev/stderr"; bad = 1 }
    exit bad
}
