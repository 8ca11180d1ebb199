# SPDX-License-Identifier: Apache-2.0
# clos.awk: draws a Clos network, -v m=… -v n=… -v r=…: r crossbars n×m, m of r×r, r of m×n.

function box(x, y, high, text) {
    svg_rect("box", x, y, 64, high)
    svg_text(x + 32, y + high / 2 + 5, "middle", text)
}

# Returns the position of terminal `which` of `count` on a box.
function at(y, high, which, count) { return y + high * (2 * which + 1) / (2 * count) }

BEGIN {
    high = 84
    gap = 26
    outer = r * (high + gap)
    middle = outer / m
    svg_begin(560, outer + 40, "A Clos network of " n * r " ports")
    for (q = 0; q < m; q++) my[q] = 30 + (q + 0.5) * middle - high / 2
    for (e = 0; e < r; e++) ey[e] = 30 + e * (high + gap)
    for (e = 0; e < r; e++)
        for (q = 0; q < m; q++) {
            svg_line("c" q % 4, 144, at(ey[e], high, q, m), 248, at(my[q], high, e, r))
            svg_line("c" q % 4, 312, at(my[q], high, e, r), 416, at(ey[e], high, q, m))
        }
    for (e = 0; e < r; e++) {
        for (i = 0; i < n; i++) {
            y = at(ey[e], high, i, n)
            svg_line("ink", 50, y, 80, y)
            svg_line("ink", 480, y, 510, y)
            svg_text(44, y + 5, "end", e + i * r)
            svg_text(516, y + 5, "start", e + i * r)
        }
        box(80, ey[e], high, n "×" m)
        box(416, ey[e], high, m "×" n)
    }
    for (q = 0; q < m; q++) box(248, my[q], high, r "×" r)
    svg_text(112, 20, "middle", "stage 0")
    svg_text(280, 20, "middle", "stage 1")
    svg_text(448, 20, "middle", "stage 2")
    svg_end()
}
