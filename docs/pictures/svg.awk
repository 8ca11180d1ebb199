# SPDX-License-Identifier: Apache-2.0
# svg.awk: drawing functions of the pictures of docs. Coordinates are in pixels, from the top left.
#
# A class is a colour of a line or fill, for light and dark pages: ink (lines), word (text), box
# (filled, with a line), pale (guides), and c0 … c3 to distinguish objects.

function svg_begin(width, height, title) {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", width, height
    printf "viewBox=\"0 0 %d %d\" role=\"img\" ", width, height
    print "font-family=\"sans-serif\" font-size=\"13\">"
    print "<title>" title "</title>"
    print "<style>"
    print ".paper{fill:#fff}.ink{stroke:#24292f}.pale{stroke:#d0d7de}.box{fill:#f6f8fa;stroke:#57606a}"
    print ".word{fill:#24292f}.c0{stroke:#0969da}.c1{stroke:#bc4c00}.c2{stroke:#1a7f37}"
    print ".c3{stroke:#8250df}.f0{fill:#b6d7ff}.f1{fill:#ffd0a8}.f2{fill:#b4e7c0}.f3{fill:#dcc8ff}"
    print "line,path,polyline{fill:none;stroke-width:1.5}"
    print "@media (prefers-color-scheme:dark){"
    print ".paper{fill:#0d1117}.ink{stroke:#c9d1d9}.pale{stroke:#30363d}"
    print ".box{fill:#161b22;stroke:#8b949e}.word{fill:#e6edf3}.c0{stroke:#58a6ff}.c1{stroke:#f0883e}"
    print ".c2{stroke:#3fb950}.c3{stroke:#bc8cff}.f0{fill:#1f4b80}.f1{fill:#7a4315}"
    print ".f2{fill:#1f5c30}.f3{fill:#523a80}}"
    print "</style>"
    printf "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", width, height
}

function svg_end() { print "</svg>" }

function svg_line(class, x1, y1, x2, y2) {
    printf "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", class, x1, y1, x2, y2
}

function svg_rect(class, x, y, width, height) {
    printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x, y, width,
        height
}

function svg_circle(class, x, y, radius) {
    printf "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", class, x, y, radius
}

# `anchor` is start, middle or end.
function svg_text(x, y, anchor, text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    printf "<text class=\"word\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text
}
