# SPDX-License-Identifier: Apache-2.0
# benes.awk: draws a Beneš network with the settings of a row, from the output of
# tests/readers/image.awk: `# stage 0 0110` for each stage, then `source destination packet` for
# each circuit.

function lane_y(lane) { return 50 + 34 * lane }

/^# stage/ { stages = $3 + 1; set[$3] = $4; lanes = 2 * length($4); next }
{ from[++circuits] = $1; to[circuits] = $2; packet[circuits] = $3 }

# Returns the bit in which the lanes of a switch differ.
function bit(stage,    level) {
    level = stage < levels ? stage : 2 * levels - 2 - stage
    return levels - 1 - level
}

# Returns the switch of a lane in a stage: the lane without that bit.
function switch_of(stage, lane,    b) {
    b = 2 ^ bit(stage)
    return int(lane / (2 * b)) * b + lane % b
}

function crossed(stage, lane) { return substr(set[stage], switch_of(stage, lane) + 1, 1) }

function across(stage, lane,    b) {
    b = 2 ^ bit(stage)
    return int(lane / b) % 2 ? lane - b : lane + b
}

END {
    levels = (stages + 1) / 2
    wide = 120
    svg_begin(130 + wide * stages, lane_y(lanes) + 4, "A Beneš network of " lanes " ports")
    for (c = 1; c <= circuits; c++) on[from[c]] = c
    for (lane = 0; lane < lanes; lane++) {
        svg_text(28, lane_y(lane) + 5, "end", lane)
        svg_text(102 + wide * stages, lane_y(lane) + 5, "start", lane)
    }
    for (stage = 0; stage < stages; stage++) {
        x = 70 + wide * stage
        svg_text(x + 30, 22, "middle", "stage " stage)
        for (lane = 0; lane < lanes; lane++) {
            colour[lane] = lane in on ? "c" (on[lane] - 1) % 4 : "pale"
            next_lane = crossed(stage, lane) == 1 ? across(stage, lane) : lane
            svg_line(colour[lane], x - 34, lane_y(lane), x, lane_y(lane))
            svg_line(colour[lane], x, lane_y(lane), x + 60, lane_y(next_lane))
            svg_line(colour[lane], x + 60, lane_y(next_lane), x + 92, lane_y(next_lane))
            if (lane in on) going[next_lane] = on[lane]
        }
        for (lane = 0; lane < lanes; lane++) delete on[lane]
        for (lane in going) on[lane] = going[lane]
        for (lane in on) delete going[lane]
        for (lane = 0; lane < lanes; lane++) {
            svg_circle("box", x, lane_y(lane), 3)
            svg_circle("box", x + 60, lane_y(lane), 3)
        }
    }
    for (c = 1; c <= circuits; c++) {
        svg_text(44, lane_y(from[c]) - 5, "start", "p" packet[c])
        svg_text(82 + wide * stages, lane_y(to[c]) - 5, "end", "p" packet[c])
    }
    svg_end()
}
