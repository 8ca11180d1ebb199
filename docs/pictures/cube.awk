# SPDX-License-Identifier: Apache-2.0
# cube.awk: draws the hypercube of three dimensions, with one colour for the arcs of each dimension.

function bit(node, which) { return int(node / 2 ^ which) % 2 }
function x_of(node) { return 70 + 170 * bit(node, 0) + 80 * bit(node, 2) }
function y_of(node) { return 240 - 150 * bit(node, 1) - 56 * bit(node, 2) }

BEGIN {
    split("000 001 010 011 100 101 110 111", binary, " ")
    svg_begin(520, 280, "A hypercube of three dimensions")
    for (node = 0; node < 8; node++)
        for (j = 0; j < 3; j++)
            if (!bit(node, j))
                svg_line("c" j, x_of(node), y_of(node), x_of(node + 2 ^ j), y_of(node + 2 ^ j))
    for (node = 0; node < 8; node++) {
        svg_circle("box", x_of(node), y_of(node), 16)
        svg_text(x_of(node), y_of(node) + 5, "middle", node)
        svg_text(x_of(node) + 16, y_of(node) + 26, "start", binary[node + 1])
    }
    for (j = 0; j < 3; j++) {
        svg_line("c" j, 392, 110 + 24 * j, 424, 110 + 24 * j)
        svg_text(432, 115 + 24 * j, "start", "dimension " j + 1)
    }
    svg_end()
}
