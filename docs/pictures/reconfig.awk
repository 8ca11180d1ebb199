# SPDX-License-Identifier: Apache-2.0
# reconfig.awk: draws runs of the same traffic: when data flows, and when the switch is
# reconfigured. A line of the input is a run: its method, the cycles of a reconfiguration and of a
# row, and the rows of each setting.

function x_of(cycle) { return int(150 + 600 * cycle / longest) }

{
    name[NR] = $1
    change[NR] = $2
    row[NR] = $3
    settings[NR] = NF - 3
    for (k = 4; k <= NF; k++) rows[NR, k - 3] = $k
    for (k = 4; k <= NF; k++) total[NR] += $2 + $k * $3
    if (total[NR] > longest) longest = total[NR]
}

# Draws a run, with alternating colours for its settings; the line is the switch during a
# reconfiguration.
function run(which, y,    k, cycle, begin) {
    svg_text(140, y + 17, "end", name[which] ", δ = " change[which])
    for (k = 1; k <= settings[which]; k++) {
        begin = cycle + change[which]
        if (change[which]) svg_line("ink", x_of(cycle), y + 12, x_of(begin), y + 12)
        cycle = begin + rows[which, k] * row[which]
        svg_rect("f" k % 4, x_of(begin), y, x_of(cycle) - x_of(begin), 24)
    }
    svg_text(x_of(cycle) > 600 ? x_of(cycle) : x_of(cycle) + 6, x_of(cycle) > 600 ? y + 40 : y + 17,
        x_of(cycle) > 600 ? "end" : "start", total[which] " cycles, " settings[which] " settings")
}

END {
    svg_begin(770, 60 + 50 * NR, "Changing settings takes time")
    svg_text(12, 20, "start", "Data flows (boxes, a colour for each setting) or the switch turns " \
        "(lines), for δ cycles a change")
    for (which = 1; which <= NR; which++) run(which, 40 + 50 * (which - 1))
    svg_end()
}
