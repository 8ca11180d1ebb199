# SPDX-License-Identifier: Apache-2.0
# time.awk: draws a run with barriers, and one without: the flits of packets a and b on the lanes of
# each node, cycle by cycle.

function x_of(cycle) { return 150 + 28 * cycle }

# Draws the cycles, and `name` with a number at every `every`-th of them.
function ruler(y, cycles, every, name, half,    cycle, k) {
    svg_text(140, y - 26, "end", name)
    svg_text(140, y - 6, "end", "cycle")
    for (cycle = 0; cycle < cycles; cycle++) {
        svg_text(x_of(cycle) + 14, y - 6, "middle", cycle)
        if (cycle % every) continue
        k = cycle / every
        svg_text(x_of(cycle) + 14 * every, y - 26, "middle",
            half ? (k % 2 ? k "/2" : k / 2) : "round " k + 1 ", row " k)
    }
    for (cycle = 0; cycle <= cycles; cycle += every)
        svg_line("pale", x_of(cycle), y - 40, x_of(cycle), y + 92)
}

# Draws the flits of a packet on a lane from a cycle on, beginning with flit `first`.
function lane(y, name) { svg_text(140, y + 17, "end", name) }
function flits(y, cycle, count, packet, class, first,    k) {
    for (k = 0; k < count; k++) {
        svg_rect(class, x_of(cycle + k) + 1, y, 26, 24)
        svg_text(x_of(cycle + k) + 14, y + 17, "middle", packet (first + k) % count)
    }
}

BEGIN {
    svg_begin(600, 400, "Time with barriers and without")
    svg_text(12, 20, "start", "With barriers: F = 3 flits, L = 2 cycles, a row is C = F + L = 5 cycles")
    ruler(76, 15, 5, "round")
    lane(82, "node 0 sends"); flits(82, 0, 3, "a", "f0", 0); flits(82, 5, 3, "b", "f1", 0)
    lane(112, "node 4 receives"); flits(112, 2, 3, "a", "f0", 0)
    lane(142, "node 4 sends"); flits(142, 5, 3, "a", "f0", 0)
    flits(112, 12, 3, "b", "f1", 0)
    svg_text(12, 214, "start",
        "Without barriers: F = 4, L = 6, a row is a tick of C = 2 cycles, λ = 1 + 6/4 = 5/2")
    ruler(270, 14, 2, "time", 1)
    lane(276, "node 0 sends"); flits(276, 0, 4, "a", "f0", 0); flits(276, 4, 4, "a", "f0", 0)
    lane(306, "node 3 receives"); flits(306, 6, 4, "a", "f0", 0)
    lane(336, "node 3 sends"); flits(336, 10, 4, "a", "f0", 2)
    svg_text(12, 388, "start",
        "Node 3 has packet a at time 5/2 and sends it on at once, from the flit that is due.")
    svg_end()
}
