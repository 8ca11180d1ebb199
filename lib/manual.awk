# SPDX-License-Identifier: Apache-2.0
# manual.awk: converts headers to a man page of section 3.
#
#     awk -f manual.awk -v version=V roundcast.h roundcast/error.h …
#
# The name and summary of the page are from the first header, `/* NAME: SUMMARY`; each further
# header becomes a section. `/* --- TITLE --- */` begins a section. Any other comment at the left
# edge describes the declarations below it, up to an empty line. Indented lines of comments are
# printed verbatim.

# Escapes a text for roff: backslashes, hyphens, leading full stops and quotes.
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}

# Prints the comment that was read, paragraph by paragraph.
function print_text(    k, drawn, now) {
    for (k = 1; k <= lines; k++) {
        now = text[k] ~ /^    /
        if (now != drawn) print now ? ".PP\n.nf" : ".fi"
        else if (text[k] == "" && !now) print ".PP"
        if (text[k] != "") print roff(text[k])
        drawn = now
    }
    if (drawn) print ".fi"
    lines = 0
}

# Prints the declarations and their comment.
function flush() {
    if (code != "") printf ".PP\n.nf\n%s.fi\n.RS 4\n", code
    if (lines) print_text()
    if (code != "") print ".RE"
    code = ""
}

function begin(name, summary) {
    printf ".TH %s 3 \"\" \"roundcast %s\" \"Roundcast\"\n", toupper(name), version
    printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B #include <%s.h>\n.PP\n", roff(name),
        roff(summary), name
    printf ".B cc\nFILE\n.B $(pkg\\-config \\-\\-cflags \\-\\-libs %s)\n.SH DESCRIPTION\n", name
}

/^\/\* SPDX/ { next }

# Returns the path of a header relative to the folder of the first header, as programs include it.
function header(    path) {
    path = FILENAME
    sub(/^(.*\/)?lib\//, "", path)
    return path
}

FNR == 1 && NR > 1 { flush() }

/^\/\* --- / { flush(); print ".SS " toupper(substr($3, 1, 1)) substr($3, 2); next }

/^\/\*/ {
    flush()
    inside = 1
    sub(/^\/\* /, "")
    if (!named++) {
        colon = index($0, ": ")
        sub(/\.$/, "")
        begin(substr($0, 1, colon - 1), substr($0, colon + 2))
        next
    }
    if (FNR <= 2) {
        colon = index($0, ": ")
        print ".SH " toupper(substr($0, 1, colon - 1)) "\n.B #include <" header() ">\n.PP"
        $0 = toupper(substr($0, colon + 2, 1)) substr($0, colon + 3)
    }
}

inside {
    inside = !/\*\/$/
    sub(/ *\*\/$/, "")
    sub(/^ \*? ?/, "")
    text[++lines] = $0
    next
}

/^#define [A-Z_]+ [0-9]/ { flush(); code = "\\fB" roff($0) "\\fR\n"; flush(); next }

/^#|^extern "C"/ || (/^}$/ && !depth) { next }

# An empty line ends declarations, but not a structure.
/^$/ { if (depth) code = code "\n"; else if (code != "") flush(); next }

{
    code = code "\\fB" roff($0) "\\fR\n"
    depth += gsub(/{/, "{") - gsub(/}/, "}")
}

END { print ".SH SEE ALSO\n.BR roundcast (1),\n.BR roundcast\\-schedule (5)" }
