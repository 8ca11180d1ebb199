# SPDX-License-Identifier: Apache-2.0
# tree.awk: draws a tree of routers, -v children=2,3 -v capacity=1,2: the values of levels 1, 2, …

function x_of(level, index_,    span) {
    span = leaves[level] * 74
    return 60 + span * index_ + span / 2
}
function y_of(level) { return 50 + 86 * (height - level) }

BEGIN {
    height = split(children, k, ",")
    split(capacity, c, ",")
    leaves[0] = 1
    for (level = 1; level <= height; level++) leaves[level] = leaves[level - 1] * k[level]
    n = leaves[height]
    svg_begin(80 + 74 * n, y_of(0) + 40, "A tree of " n " leaves")
    for (level = 0; level <= height; level++) svg_text(10, y_of(level) + 5, "start", "level " level)
    for (level = 0; level < height; level++)
        for (i = 0; i < n / leaves[level]; i++)
            for (lane = 0; lane < c[level + 1]; lane++) {
                shift = 8 * (lane - (c[level + 1] - 1) / 2)
                svg_line("c" lane % 4, x_of(level, i) + shift, y_of(level),
                    x_of(level + 1, int(i / k[level + 1])) + shift, y_of(level + 1))
            }
    for (level = 0; level <= height; level++)
        for (i = 0; i < n / leaves[level]; i++) {
            x = x_of(level, i)
            if (level == 0) svg_circle("box", x, y_of(level), 16)
            else svg_rect("box", x - 22, y_of(level) - 16, 44, 32)
            svg_text(x, y_of(level) + 5, "middle", level == 0 ? i : level ":" i)
        }
    svg_end()
}
