# SPDX-License-Identifier: Apache-2.0
# house.awk: draws the folders and their floors from layers.txt, one floor per line, the roof first.

BEGIN { row = 0 }
/^#/ || NF == 0 { if (row > 0) ended = 1; next }
ended || /:/ { next }
{
    rows = row + 1
    rooms[row] = NF
    for (k = 1; k <= NF; k++) room[row, k] = $k
    row++
}

function width_of(text) { return 16 + 7.2 * length(text) }

END {
    high = 34
    for (row = 0; row < rows; row++) {
        wide = 0
        for (k = 1; k <= rooms[row]; k++) wide += width_of(room[row, k]) + 8
        if (wide > most) most = wide
    }
    svg_begin(most + 40, 50 + rows * high, "The house: a folder includes folders of lower floors")
    for (row = 0; row < rows; row++) {
        y = 16 + row * high
        svg_line("pale", 12, y + high - 3, most + 28, y + high - 3)
        wide = 0
        for (k = 1; k <= rooms[row]; k++) wide += width_of(room[row, k]) + 8
        x = 20 + (most - wide) / 2
        for (k = 1; k <= rooms[row]; k++) {
            svg_rect("box", x, y, width_of(room[row, k]), 26)
            svg_text(x + width_of(room[row, k]) / 2, y + 18, "middle", room[row, k])
            x += width_of(room[row, k]) + 8
        }
    }
    svg_text(20, 16 + rows * high + 20, "start", "includes go down, never up or across")
    svg_end()
}
