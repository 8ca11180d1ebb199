#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# glossary: the glossary of docs/concepts.md names identifiers that exist, and identifiers avoid the
# words that tests/cli/glossary.txt replaces.
#
# The columns C and RTL of the section "## Glossary" hold identifiers in backticks. Each must occur,
# as a whole word outside of comments and strings, in the product's C or RTL; one with a slash or a
# dot is the path of a file. Every C and RTL file of product and tests is searched for the replaced
# words and names. Counter-cases, in a small tree: an identifier that no file has, in either column,
# a row with too few fields, a page without the section, a replaced word, a replaced name, and an
# exception that nothing needs.
# tags: source
. "$(dirname "$0")/tap.sh"

same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
words=$PWD/tests/cli/glossary.awk

# identifiers FOLDER SUFFIX…: prints FILE<tab>IDENTIFIER for all files with the suffixes.
identifiers() {
    local folder=$1
    shift
    (cd "$folder" && find . -path ./build -prune -o -path ./.git -prune -o -type f \
        "$@" -print0 | sed -z 's|^\./||' | sort -z | xargs -0 -r awk -f "$words")
}

# of_c FOLDER, of_rtl FOLDER: print the identifiers of C and of RTL.
of_c() { identifiers "$1" '(' -name '*.[ch]' -o -name '*.cc' ')'; }
of_rtl() { identifiers "$1" '(' -name '*.sv' -o -name '*.svh' ')'; }

# undefined FOLDER: prints the errors in the glossary of its docs/concepts.md, a line each; nothing
# if all its identifiers exist.
undefined() {
    of_c "$1" | grep -v '^tests/' | cut -f 2 | sort -u >"$TMP/c"
    of_rtl "$1" | grep -v '^formal/' | cut -f 2 | sort -u >"$TMP/rtl"
    awk -F '|' -v c="$TMP/c" -v rtl="$TMP/rtl" -v root="$1" '
        BEGIN {
            while ((getline word < c) > 0) has["C", word] = 1
            while ((getline word < rtl) > 0) has["RTL", word] = 1
        }
        /^## / { inside = $0 == "## Glossary" }
        !inside || !/^\|/ || /^\| *-/ { next }
        { gsub(/\\\|/, "/") }
        NF != 6 { print "line " FNR ": expected | term | meaning | C | RTL |"; next }
        $2 ~ /^ *term *$/ { next }
        { rows++; check("C", $4); check("RTL", $5) }
        function check(kind, field,    part, parts, k, path) {
            parts = split(field, part, "`")
            for (k = 2; k <= parts; k += 2) {
                if (part[k] ~ /[.\/]/) {
                    path = root "/" part[k]
                    if (system("test -e \"" path "\"") != 0) print part[k] ": no such file"
                } else if (!((kind, part[k]) in has)) print part[k] ": no identifier of " kind
            }
        }
        END { if (!rows) print "no section \"## Glossary\" with a table" }
    ' "$1/docs/concepts.md"
}

# replaced FOLDER LIST: prints identifiers with a word that LIST replaces, and exceptions that are
# not needed, a line each.
replaced() {
    { of_c "$1"; of_rtl "$1"; } | awk -v list="$2" '
        BEGIN {
            while ((getline line < list) > 0) {
                if (line ~ /^#/ || line == "") continue
                split(line, field, / +/)
                if (field[1] == "word") known[field[2]] = 1
                else if (field[1] == "name") retired[field[2]] = 1
                else if (field[1] == "except" && any_known("^(" field[2] ")$")) {
                    n++
                    word_of[n] = "^(" field[2] ")$"
                    files[n] = "^(" field[3] ")$"
                    names[n] = "^(" field[4] ")$"
                    text[n] = line
                } else print "not understood: " line
            }
            FS = "\t"
        }
        $2 in retired { print $1 ": " $2 }
        {
            whole = $2
            gsub(/[A-Z]+/, "_&", whole)
            parts = split(tolower(whole), part, /[_0-9]+/)
            for (k = 1; k <= parts; k++)
                if (part[k] in known && !allowed(part[k])) print $1 ": " $2
        }
        function any_known(pattern,    word) {
            for (word in known) if (word ~ pattern) return 1
            return 0
        }
        function allowed(word,    e, found) {
            for (e = 1; e <= n; e++)
                if (word ~ word_of[e] && $1 ~ files[e] && $2 ~ names[e])
                    used[e] = found = 1
            return found
        }
        END { for (e = 1; e <= n; e++) if (!used[e]) print "not needed: " text[e] }
    '
}

same "the identifiers of the glossary exist" "$(undefined .)" ""
same "identifiers avoid the replaced words" "$(replaced . tests/cli/glossary.txt)" ""

tree=$TMP/tree
mkdir -p "$tree/docs" "$tree/csim" "$tree/rtl"
echo 'struct shell { int period; }; /* frame_new */ const char *name = "frame";' >"$tree/csim/a.c"
printf '%s\n' 'module rc_shell (input wire clk_i); // rc_frame' 'endmodule' >"$tree/rtl/rc_shell.sv"

# glossary ROW…: writes the page of the small tree.
glossary() {
    printf '%s\n' '# Concepts' '' '| a | b | `nothing` | |' '' '## Glossary' '' \
        '| term | meaning | C | RTL |' '| --- | --- | --- | --- |' "$@" '' '## More' '' \
        '| a | b | `nothing` | |' >"$tree/docs/concepts.md"
}

glossary '| shell | around a network | `shell`, `csim/a.c` | `rc_shell` |' '| gap | a number | | |'
same "a glossary whose identifiers exist" "$(undefined "$tree")" ""
glossary '| shell | around a network | `shel` | `rc_shell` |'
same "an identifier that no C has" "$(undefined "$tree")" "shel: no identifier of C"
glossary '| shell | around a network | `frame_new` | |'
same "… which a comment has" "$(undefined "$tree")" "frame_new: no identifier of C"
glossary '| shell | around a network | `name` | `shell` |'
same "an identifier of C is none of RTL" "$(undefined "$tree")" "shell: no identifier of RTL"
glossary '| shell | around a network | `csim/b.c` | |'
same "a file that does not exist" "$(undefined "$tree")" "csim/b.c: no such file"
glossary '| shell | around a network | `shell` |'
same "a row without its last field" "$(undefined "$tree" | head -n 1)" \
    "line 9: expected | term | meaning | C | RTL |"
printf '%s\n' '# Concepts' '' '| shell | text | `shell` | |' >"$tree/docs/concepts.md"
same "a page without the section" "$(undefined "$tree")" 'no section "## Glossary" with a table'

list=$TMP/list
printf 'word   frame   shell\n' >"$list"
same "comments and strings may have a replaced word" "$(replaced "$tree" "$list")" ""
printf '%s\n' 'int cube_frame; int FRAME_BITS; int framework;' >"$tree/csim/b.c"
echo 'wire FrameBits;' >"$tree/rtl/b.sv"
same "a replaced word, as a part of identifiers" "$(replaced "$tree" "$list")" \
    "csim/b.c: cube_frame
csim/b.c: FRAME_BITS
rtl/b.sv: FrameBits"
printf 'name   framework  shell\nname   cube  other\n' >"$TMP/names"
same "a replaced name, as a whole" "$(replaced "$tree" "$TMP/names")" "csim/b.c: framework"
printf 'except frame   csim/.*   .*frame.*|FRAME.*   a reason\n' >>"$list"
same "an exception is for its files" "$(replaced "$tree" "$list")" "rtl/b.sv: FrameBits"
printf 'except fr.*e   rtl/.*   .*   a reason\nexcept frame   rtl/c.sv   .*   a reason\n' >>"$list"
printf 'except frames   .*   .*   no such word\n' >>"$list"
same "exceptions that nothing needs, and of no word" "$(replaced "$tree" "$list")" \
    "not understood: except frames   .*   .*   no such word
not needed: except frame   rtl/c.sv   .*   a reason"

finish
