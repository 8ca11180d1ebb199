# SPDX-License-Identifier: Apache-2.0
# links.awk: finds links of pages that lead to no file, or to a heading that the page does not have.
#
#     find . | awk [-v paths=1] -f links.awk - PAGE.md…
#
# Reads the names of all files, then the pages, whose names are as find prints them. Prints
# `PAGE:LINE: TARGET` for each broken link. Links are those of Markdown, in a line or by a
# reference, and attributes href and src; blocks of code and spans of code contain no links. The
# anchor of a heading is GitHub's: lower case, without punctuation, blanks as hyphens, -1, -2, …
# after an anchor that exists. Links to other hosts are not followed. With -v paths=1 a span of code
# that is the path of a file in a folder at the root, such as `sched/base/err.h`, is a link too,
# relative to the root or the page.

# Returns the target as a path from the root; empty if it is above the root.
function path_of(page, target,    parts, count, k, depth, path) {
    sub(/[^\/]*$/, "", page)
    count = split(page target, parts, "/")
    depth = 0
    for (k = 1; k <= count; k++) {
        if (parts[k] == "" || parts[k] == ".") continue
        if (parts[k] != "..") kept[++depth] = parts[k]
        else if (--depth < 0) return ""
    }
    path = "."
    for (k = 1; k <= depth; k++) path = path "/" kept[k]
    return path
}

# The bytes of a dash, an ellipsis, an arrow, a sign of multiplication and the like.
function anchor_of(heading,    anchor) {
    anchor = tolower(heading)
    gsub(/\]\([^)]*\)/, "", anchor)
    gsub(/\342[\200-\277][\200-\277]|\302[\240-\277]|\303\227/, "", anchor)
    gsub(/[^a-z0-9_ \200-\377-]/, "", anchor)
    gsub(/ /, "-", anchor)
    return anchor
}

function link(target) {
    sub(/ +"[^"]*"$/, "", target)
    gsub(/^<|>$/, "", target)
    if (target ~ /^[a-z][a-z0-9+.-]*:/) return
    links++
    link_target[links] = target
    link_page[links] = FILENAME
    link_line[links] = FNR
}

# Records the links of the line that match, without `before` and `after` characters at the ends.
function each(text, pattern, before, after) {
    while (match(text, pattern)) {
        link(substr(text, RSTART + before, RLENGTH - before - after))
        text = substr(text, RSTART + RLENGTH)
    }
}

function broken(k,    target, anchor, path) {
    target = link_target[k]
    anchor = ""
    if (match(target, /#/)) {
        anchor = substr(target, RSTART + 1)
        target = substr(target, 1, RSTART - 1)
    }
    path = target == "" ? link_page[k] : path_of(link_page[k], target)
    if (!(path in is_file)) return 1
    return anchor != "" && !((path "#" anchor) in is_anchor)
}

# Records a span of code if it is a path in a folder of the tree and no file has that path.
function path(target,    folder) {
    if (target !~ /^[a-z]+\/[a-z0-9_.\/-]*\.[a-z]+$/) return
    folder = substr(target, 1, index(target, "/") - 1)
    if (folder == "build" || !(("./" folder) in is_file) || ("./" target) in is_file) return
    link(target)
}

FILENAME == "-" || FILENAME == "" || FILENAME == "/dev/stdin" { is_file[$0]; next }
FNR == 1 { block = 0 }
/^ *```/ { block = !block; next }
block || /^    / { next }
/^#+ / {
    heading = $0
    sub(/^#+ +/, "", heading)
    anchor = FILENAME "#" anchor_of(heading)
    if (anchor in is_anchor) anchor = anchor "-" ++taken[anchor]
    is_anchor[anchor]
}
{
    # A table of numbers is the record of a run, whose files may have been renamed since then.
    if (paths && $0 !~ /^\| `[^`]*` \|( [0-9]+ \|)+$/) {
        count = split($0, span, "`")
        for (k = 2; k < count; k += 2) path(span[k])
    }
    text = $0
    gsub(/`[^`]*`/, "", text)
    each(text, "\\]\\([^)]*\\)", 2, 1)
    each(text, "\\]\\([^)]*$", 2, 0) # goes on in the next line, which no page of ours does
    each(text, "href=\"[^\"]*\"", 6, 1)
    each(text, "src=\"[^\"]*\"", 5, 1)
    if (match(text, /^ ? ? ?\[[^]]+\]: */)) link(substr(text, RLENGTH + 1))
}
END {
    for (k = 1; k <= links; k++)
        if (broken(k)) print link_page[k] ":" link_line[k] ": " link_target[k]
}
