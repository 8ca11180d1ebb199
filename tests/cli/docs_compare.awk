# SPDX-License-Identifier: Apache-2.0
# docs_compare.awk: did commands print what their pages show?
#
#     awk -v folder=DIR -f docs_compare.awk STATUSES LIST
#
# LIST is what docs.awk printed. STATUSES has a line `STEM STATUS` for each command that was run,
# and DIR/STEM.printed is its output. Prints a line `good STEM PAGE LINE COMMAND` or `bad …` for
# each command. For a bad one, DIR/STEM.wanted and DIR/STEM.got are the two texts without what may
# differ, or DIR/STEM.problem says what else is wrong. docs.sh says what may differ.

# replaced TEXT PATTERN BY: the text with all that matches the pattern, but beginnings of words.
function replaced(text, pattern, by,    before) {
    before = ""
    while (match(text, pattern)) {
        before = before substr(text, 1, RSTART - 1)
        if (substr(text, RSTART + RLENGTH, 1) ~ /[A-Za-z0-9_]/)
            before = before substr(text, RSTART, RLENGTH)
        else
            before = before by
        text = substr(text, RSTART + RLENGTH)
    }
    return before text
}

# plain FILE LINES: fills in the lines of a file without what may differ, and returns their number.
function plain(file, lines,    line, count) {
    count = 0
    while ((getline line < file) > 0) {
        sub(/[ \t\r]+$/, "", line)
        if (line ~ /^  (cc|link|verilate|synth) / || (line == "" && count == 0)) continue
        line = replaced(line, "[0-9]+\\.[0-9]+ s", "0.00 s")
        lines[++count] = replaced(line, "[0-9]+ MB", "0 MB")
    }
    close(file)
    while (count > 0 && lines[count] == "") count--
    return count
}

# agrees: is got[1 … n] what wanted[1 … m] shows? On a mismatch the last … takes one line more.
function agrees(m, n,    w, g, gap, gap_end) {
    w = g = 1
    gap = 0
    while (g <= n) {
        if (w <= m && wanted[w] == "…") {
            gap = w++
            gap_end = g++
        } else if (w <= m && wanted[w] == got[g]) {
            w++
            g++
        } else if (gap) {
            w = gap + 1
            g = ++gap_end + 1
        } else
            return 0
    }
    return w > m
}

function write(file, lines, count,    k) {
    printf "" > file
    for (k = 1; k <= count; k++) print lines[k] > file
    close(file)
}

# is_good K: is the K-th command of the list?
function is_good(k,    path, m, n) {
    path = folder "/" stem[k]
    if (!(stem[k] in status)) {
        print "was not run" > (path ".problem")
        close(path ".problem")
        return 0
    }
    m = plain(path ".expected", wanted)
    n = plain(path ".printed", got)
    if (!agrees(m, n)) {
        write(path ".wanted", wanted, m)
        write(path ".got", got, n)
        return 0
    }
    if (status[stem[k]] == 0 || (page[k + 1] == page[k] && command[k + 1] == "echo $?")) return 1
    print "exit status " status[stem[k]] > (path ".problem")
    close(path ".problem")
    return 0
}

FILENAME == ARGV[1] { status[$1] = $2; next }
{
    stem[++count] = $1
    page[count] = $2
    line[count] = $3
    command[count] = $0
    sub(/^[^ ]* [^ ]* [^ ]* /, "", command[count])
}
END {
    for (k = 1; k <= count; k++)
        print (is_good(k) ? "good" : "bad"), stem[k], page[k], line[k], command[k]
}
