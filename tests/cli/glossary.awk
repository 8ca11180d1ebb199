# SPDX-License-Identifier: Apache-2.0
# glossary.awk: prints the identifiers of C and RTL, without comments and strings.
#
#     find csim -name '*.c' | xargs awk -f glossary.awk
#
# Prints a line for each file and identifier, once: FILE<tab>IDENTIFIER. Words of #include lines are
# not identifiers.

FNR == 1 { inside = 0 }

{
    text = $0
    if (!inside && text ~ /^#include/) next
    while (1) {
        if (inside) {
            end = index(text, "*/")
            if (end == 0) next
            text = substr(text, end + 2)
            inside = 0
        }
        if (!match(text, /'\\?"'|"|\/\*|\/\//)) break
        opened = substr(text, RSTART, RLENGTH)
        before = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        words(before)
        if (opened == "//") next
        if (opened ~ /^'/) continue
        if (opened == "/*") inside = 1
        else if (match(text, /^([^"\\]|\\.)*"/)) text = substr(text, RLENGTH + 1)
        else next
    }
    words(text)
}

function words(code,    word) {
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH)
        if (!((FILENAME, word) in seen)) {
            seen[FILENAME, word] = 1
            print FILENAME "\t" word
        }
    }
}
