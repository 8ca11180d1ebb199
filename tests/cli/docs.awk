# SPDX-License-Identifier: Apache-2.0
# docs.awk: extracts the commands of pages, and the output that the pages show for them.
#
#     awk -v folder=DIR [-v slow=1] -f docs.awk PAGE.md…
#
# In a block ```console a line `$ COMMAND` is a command; the lines up to the next command are its
# output. A command continues after a `\` at the end of a line, and up to the END of its <<END.
# Blocks ```console slow are omitted unless slow=1.
#
# The K-th command of page P becomes DIR/P-K.command and DIR/P-K.expected; pages and commands are
# numbered from 001. For each command, a line is printed, P-K PAGE LINE COMMAND, with the first line
# of the command.
# Exit status 1 if a page is malformed.

function name(suffix) { return sprintf("%s/%s.%s", folder, stem, suffix) }

function bad(text) {
    print text > "/dev/stderr"
    failed = 1
}

function command_line(text) {
    print text > name("command")
    if (text ~ /<<END$/) until = "END"
    else if (text ~ /\\$/) until = "a line without a backslash"
}

# Closes the files of a command, because mawk keeps only a few hundred open.
function done() {
    if (!stem) return
    close(name("command"))
    close(name("expected"))
    stem = ""
}

function end_page() {
    if (inside) bad(file ": a block without an end")
    done()
    inside = until = ""
}

FNR == 1 { end_page(); file = FILENAME; page++; count = 0 }
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
    done()
    stem = sprintf("%03d-%03d", page, ++count)
    begun = 1
    printf "" > name("expected")
    command_line(substr($0, 3))
    print stem, FILENAME, FNR, substr($0, 3)
    next
}
begun { print > name("expected") }
!begun { bad(FILENAME ":" FNR ": output without a command") }
END { end_page(); exit failed }
