# SPDX-License-Identifier: Apache-2.0
# c.awk: prints small faults that a line of C may have, one per line: "LINE<tab>FAULT<tab>THE LINE
# WITH IT". Comments, preprocessor lines and string literals are not changed.
#
# Faults are: a relation inverted or shifted by one, && and || exchanged, + and - exchanged, a
# number one more or one less, a statement deleted. Statements that allocate, free or count memory
# are not changed: too much memory is visible to no test, too little only to sanitizers.

# emit AT LENGTH PUT: prints the line with LENGTH characters at AT replaced.
function emit(at, length_, put) {
    printf "%d\t%s for %s\t%s%s%s\n", FNR, put == "" ? "nothing" : put, substr($0, at, length_),
        substr($0, 1, at - 1), put, substr($0, at + length_)
}

# Visits each occurrence of a token in the code of the line.
function replace(token, put,    at, from) {
    for (from = 1; at = index(substr(code, from), token); from = at + length(token)) {
        at += from - 1
        emit(at, length(token), put)
    }
}

# Blanks out comments and literals, character by character.
function code_of(line,    text, at) {
    text = line
    while (match(text, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*.*\*\/|\/\*.*$/))
        text = substr(text, 1, RSTART - 1) sprintf("%" RLENGTH "s", "") substr(text, RSTART + RLENGTH)
    return text
}

{
    opened = comment
    if (comment || $0 ~ /^[ \t]*\/\*/)
        comment = $0 !~ /\*\//
}
opened || /(alloc|free)\(|room/ || /^ *char [a-z]+\[/ || /^[ \t]*\/\*/ || /^#/ || /\\$/ || /^static|^(const|struct|enum|bool|void|u?int)/ { next }
/\/\*/ { comment = $0 !~ /\*\// }

{
    code = code_of($0)
    replace(" < ", " <= "); replace(" <= ", " < "); replace(" > ", " >= "); replace(" >= ", " > ")
    replace(" == ", " != "); replace(" != ", " == ")
    replace(" && ", " || "); replace(" || ", " && ")
    replace(" + ", " - "); replace(" - ", " + ")
    rest = code
    for (gone = 0; match(rest, /[^A-Za-z0-9_.][0-9]+[^A-Za-z0-9_.x]/); ) {
        at = gone + RSTART + 1
        number = substr(code, at, RLENGTH - 2)
        emit(at, RLENGTH - 2, number + 1)
        if (number > 0)
            emit(at, RLENGTH - 2, number - 1)
        gone += RSTART + RLENGTH - 2
        rest = substr(code, gone + 1)
    }
    if (match(code, /^ +[a-z_>.*\[\]()-]+(\(.*\)| [-+|&]?= .*);$/) && code !~ /^ *(return|for|while|[a-z_]+ \*?[a-z_]+ = )/)
        emit(match($0, /[^ ]/), length($0), ";")
}
