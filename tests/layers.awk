# SPDX-License-Identifier: Apache-2.0
# layers.awk: what #includes break layers.txt, a line each; nothing, if none does.
#
#     awk -f layers.awk layers.txt FILE.c FILE.h…        paths from the root, as includes have them
#
# Reported: an include of the same or a higher floor, of a folder that an `only` line leaves out, of
# a folder or from a folder that no line names, and one that names no folder. What <…> includes is
# somebody else's.

# The folder of a file, as the page has it.
function folder_of(path,    above) {
    if (!sub(/\/[^\/]*$/, "", path))
        return ""
    if (path in floor)
        return path
    above = path
    do {
        if ((above "/*") in floor)
            return above "/*"
    } while (sub(/\/[^\/]*$/, "", above))
    return path
}

function only_of(    i) {
    sub(/:$/, "", $1)
    limited[$1] = 1
    for (i = 2; i <= NF; i++)
        allowed[$1, $i] = 1
}

FNR == NR {
    if (/^#/ || !NF)
        next
    if ($1 ~ /:$/)
        only_of()
    else
        for (i = 1; i <= NF; i++)
            floor[$i] = FNR
    next
}

FNR == 1 {
    here = folder_of(FILENAME)
    if (!(here in floor))
        print FILENAME ": in no folder of layers.txt"
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    to = folder_of(part[2])
    if (!(to in floor) && (("lib/" to) in floor))
        to = "lib/" to # a public header, by the path that it is installed at
    if (to == here || here ~ /^testbench\/(engine|board)$/ && part[2] ~ /^(Vmachine(__Syms|___024root)?|verilated(_fst_c|_cov)?)\.h$/)
        next
    if (!(to in floor))
        print FILENAME ":" FNR ": includes " part[2] ", of no folder of layers.txt"
    else if (floor[to] <= floor[here])
        print FILENAME ":" FNR ": includes " part[2] ", of a floor that is not below " here
    else if (here in limited && !((here, to) in allowed))
        print FILENAME ":" FNR ": includes " part[2] ", which " here " may not see"
}
