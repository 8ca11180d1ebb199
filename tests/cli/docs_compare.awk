# SPDX-License-Identifier: Apache-2.0
# docs_compare.awk: compares the output of commands with the output that their pages show.
#
#     awk -v folder=DIR -f docs_compare.awk STATUSES LIST
#
# LIST is the output of docs.awk. STATUSES has a line `STEM STATUS` for each command that was run,
# and DIR/STEM.printed is its output. Prints a line `good STEM PAGE LINE COMMAND` or `bad …` for
# each command. For a bad one, DIR/STEM.wanted and DIR/STEM.got are the two texts without the parts
# that may differ (docs.sh lists them), or DIR/STEM.problem states another error.

# Returns the text with all matches of the pattern replaced, except those inside a longer word.
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

# Reads the lines of a file, with seconds and megabytes set to 0 and without notices about builds;
# returns their number.
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

# Checks whether got[1 … n] matches wanted[1 … m]. On a mismatch the last … matches one line more.
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

# Checks whether the K-th command of the list is good.
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
