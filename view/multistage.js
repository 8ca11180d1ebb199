/* SPDX-License-Identifier: Apache-2.0 */
/* multistage: draws the stages of a network under the settings of a row, and the circuits through
 * them.
 *
 * Lanes are drawn from left to right; the port of a node is the lane with its number. The settings
 * are those of the image: each circuit is followed from its output back to the input that feeds
 * it; in the stages that combine, from its input to the lane that it reaches. */
"use strict";

const multistage = (() => {
    if (network === null) return null;
    const { stages, copies, combining, ports } = network; // the first `combining` stages combine
    const offset = [0];
    for (const stage of stages) offset.push(offset.at(-1) + stage.columns);

    /* Returns the words of a row of settings. */
    function wordsOf(row) {
        const bytes = Uint8Array.from(atob(network.settings[row]), letter => letter.charCodeAt(0));
        return new DataView(bytes.buffer);
    }
    function field(words, s, index) {
        const { bits } = stages[s],
            inWord = Math.floor(32 / bits);
        const word = words.getUint32(4 * (offset[s] + Math.floor(index / inWord)), true);
        return (word >>> ((index % inWord) * bits)) & ((1 << bits) - 1);
    }

    /* Returns the lane before stage s that is connected to a lane after it; -1: none. */
    function before(words, s, lane) {
        const stage = stages[s];
        if (stage.inputs === undefined) {
            const sw = stage.switch[lane];
            return sw >= 0 && field(words, s, copies ? lane : sw) ? stage.partner[lane] : lane;
        }
        const { inputs, stride } = stage,
            input = field(words, s, lane) - 1;
        const crossbar = crossbarOf(stage, lane);
        if (input < 0 || input >= inputs) return -1;
        return (
            Math.floor(crossbar / stride) * stride * inputs + input * stride + (crossbar % stride)
        );
    }
    function crossbarOf({ outputs, stride }, lane) {
        return Math.floor(lane / (stride * outputs)) * stride + (lane % stride);
    }

    /* Returns the lane after a stage s that combines that gets the word of a lane before it. */
    function after(words, s, lane) {
        return field(words, s, lane) ? stages[s].partner[lane] : lane;
    }

    /* Returns the lanes of a transfer, the input first, from its sender through the stages that
     * combine, and to its receiver through the others; -1 where the two do not meet; fewer if a
     * crossbar selects no input. */
    function trace(words, { source, destination }) {
        const ahead = [source],
            back = [destination];
        while (ahead.length <= combining) ahead.push(after(words, ahead.length - 1, ahead.at(-1)));
        if (combining === stages.length) return ahead;
        for (let s = stages.length - 1; s >= combining && back[0] >= 0; s--)
            back.unshift(before(words, s, back[0]));
        const meet = combining === 0 || ahead.at(-1) === back[0];
        return [...ahead.slice(0, -1).map(lane => (meet ? lane : -1)), ...back];
    }

    /* Returns the switches of a stage: number, lanes after the stage, and the lane before it that
     * each gets; if it combines, the lane after the stage to which each lane before it leads, and
     * that lane. */
    function switches(words, s) {
        const stage = stages[s],
            combines = s < combining,
            units = new Map();
        for (let lane = 0; lane < stage.lanes; lane++) {
            const unit = stage.inputs ? crossbarOf(stage, lane) : stage.switch[lane];
            const key = unit < 0 ? `lane ${lane}` : unit,
                from = combines ? lane : before(words, s, lane);
            if (!units.has(key)) units.set(key, { unit, lanes: [], from: [] });
            units.get(key).lanes.push(combines ? after(words, s, lane) : lane);
            units.get(key).from.push(from);
        }
        return [...units.values()];
    }
    function settingText({ unit, lanes, from }, stage, combines) {
        if (unit < 0) return "passes by";
        if (stage.inputs)
            return lanes
                .map((lane, k) => (from[k] < 0 ? "" : `${from[k]}>${lane}`))
                .filter(Boolean)
                .join(" ");
        const crossed = lanes.map((lane, k) => from[k] !== lane);
        if (crossed[0] === crossed[1]) return crossed[0] ? "crossed" : "straight";
        if (combines) return `combined on the ${crossed[0] ? "lower" : "upper"} lane`;
        return crossed[0] ? "lower broadcast" : "upper broadcast";
    }

    const left = 64,
        top = 34;
    let gap; // between stages: as wide as the page allows
    const wide = ports <= 8 ? 40 : ports <= 16 ? 28 : ports <= 32 ? 19 : ports <= 64 ? 13 : 9;
    const x = s => left + s * gap;
    const lanesAt = s => (s === 0 ? ports : stages[s - 1].lanes);

    const noun = stages[0].inputs ? "crossbar" : "switch";
    function drawSwitches(svg, words, scales, s) {
        const y = (column, lane) => top + scales[column].place(lane);
        for (const unit of switches(words, s)) {
            const path = unit.lanes
                .map((lane, k) =>
                    unit.from[k] < 0
                        ? ""
                        : curve(x(s), y(s, unit.from[k]), x(s + 1), y(s + 1, lane))
                )
                .join("");
            const setting = settingText(unit, stages[s], s < combining);
            svg.append(
                drawn(
                    "path",
                    {
                        class: setting === "straight" || unit.unit < 0 ? "wire" : "wire turned",
                        d: path,
                        "data-stage": s,
                        "data-switch": unit.unit,
                        "data-setting": setting
                    },
                    title(`stage ${s}, ${noun} ${unit.unit}: ${setting}`)
                )
            );
        }
    }

    /* Draws circuits outside of the lens as one bundle if they use the same bands. */
    function drawBundles(svg, circuits, scales) {
        const counts = new Map();
        for (const { lanes } of circuits)
            for (let s = 0; s + 1 < lanes.length; s++) {
                const key = [s, scales[s].band(lanes[s]), scales[s + 1].band(lanes[s + 1])].join();
                counts.set(key, (counts.get(key) ?? 0) + 1);
            }
        for (const [key, count] of counts) {
            const [s, a, b] = key.split(",").map(Number);
            svg.append(
                drawn(
                    "path",
                    {
                        class: "bundle",
                        "stroke-width": clamp(0.5 + count * 0.35, 0.8, 7),
                        "data-count": count,
                        d: curve(
                            x(s),
                            top + scales[s].place(a),
                            x(s + 1),
                            top + scales[s + 1].place(b)
                        )
                    },
                    title(plural(count, "circuit"))
                )
            );
        }
    }

    function drawCircuit(svg, { transfer, lanes }, scales) {
        const first = stages.length + 1 - lanes.length;
        const path = lanes
            .slice(1)
            .map((lane, k) =>
                lanes[k] < 0
                    ? ""
                    : curve(
                          x(first + k),
                          top + scales[first + k].place(lanes[k]),
                          x(first + k + 1),
                          top + scales[first + k + 1].place(lane)
                      )
            )
            .join("");
        const astray = lanes[0] !== transfer.source || lanes.at(-1) !== transfer.destination;
        svg.append(
            drawn(
                "path",
                {
                    class: `circuit${astray ? " astray" : ""}${faded(transfer)}`,
                    d: path,
                    style: packetHue(transfer.packet),
                    "data-lanes": lanes.join(" "),
                    ...transferData(transfer)
                },
                title(
                    circuitText(transfer) + (astray ? ", but the settings lead elsewhere" : "")
                )
            )
        );
        const label = (at, lane, s, anchor) =>
            scales[s].clear(lane) &&
            svg.append(tag(at, top + scales[s].place(lane) - 3, anchor, transfer));
        label(x(0) - 5, transfer.source, 0, "end");
        label(x(stages.length) + 5, transfer.destination, stages.length, "start");
    }

    function labels(svg, scales) {
        const each = Math.ceil(11 / wide);
        stages.forEach((stage, s) =>
            svg.append(text(x(s) + gap / 2, 16, "middle", gap < 56 && s > 0 ? s : `stage ${s}`))
        );
        for (let port = 0; port < ports; port++) {
            const y = top + scales[0].place(port);
            if (!scales[0].clear(port) || (scales[0].whole && port % each)) continue;
            svg.append(
                text(12, y + 4, "start", port),
                text(x(stages.length) + 52, y + 4, "end", port)
            );
        }
    }

    /* Returns all circuits of a moment: transfers whose packets are on the lanes, with their
     * lanes. */
    function circuitsOf(moment, words) {
        const row = times[moment];
        return underWay[moment]
            .filter(({ time }) => row < time + unit)
            .map(transfer => ({ transfer, lanes: trace(words, transfer) }));
    }

    function draw(parent) {
        gap = clamp((parent.clientWidth - 2 * left - 4) / stages.length, 44, 150);
        const ends = lens(ports, 128, 760, ports > 128 ? 13 : wide, look.node ?? 0);
        const scales = Array.from({ length: stages.length + 1 }, (_, s) =>
            s === 0 || s === stages.length
                ? ends
                : ends.whole
                  ? lens(lanesAt(s), Infinity, 0, wide, 0)
                  : squeezed(lanesAt(s), ends.room)
        );
        const height = top + 12 + Math.max(...scales.map(scale => scale.room));
        const svg = drawing(
            parent,
            x(stages.length) + 64,
            height,
            `${plural(ports, "port")}, ${plural(stages.length, "stage")}`
        );
        svg.classList.add("multistage");
        labels(svg, scales);
        const row = times[look.moment] - !timed;
        if (row < 0 || row >= network.rows) return scales[0];
        const words = wordsOf(row),
            circuits = circuitsOf(look.moment, words);
        const shown = ({ transfer }) =>
            scales[0].clear(transfer.source) || scales[0].clear(transfer.destination);
        for (let s = 0; ends.whole && s < stages.length; s++) drawSwitches(svg, words, scales, s);
        drawBundles(
            svg,
            circuits.filter(circuit => !shown(circuit)),
            scales
        );
        for (const circuit of circuits.filter(shown)) drawCircuit(svg, circuit, scales);
        return scales[0];
    }

    return {
        draw: parent => lensNote(draw(parent), "ports"),
        about:
            "Lanes go from left to right. A grey line is how a switch is set, a coloured one " +
            "a circuit with the number of its packet at both ends."
    };
})();
