/* SPDX-License-Identifier: Apache-2.0 */
/* cube: draws a hypercube by its dimensions: 1 to the right, 2 up, 3 into the depth, then cubes
 * next to cubes. With many dimensions the upper ones form a drawing whose nodes are cubes, and a
 * second drawing, the lens, shows the cube of the selected node. */
"use strict";

const cube = (() => {
    if (topology.kind !== "hypercube") return null;
    const { dimensions } = topology,
        most = 7,
        inLens = 5;
    const ways = [
        [1, 0],
        [0, -1],
        [0.42, -0.34],
        [1.95, -0.17],
        [0.22, -1.9],
        [4.1, 0.36],
        [-0.45, -4.1]
    ];
    const wayOf = j => ways[j] ?? wayOf(j - 2).map(long => 2 * long);

    /* Draws a cube of `size` dimensions at x, y; `nodes` describes node k. */
    function drawCube(svg, size, long, origin, { name, data }, moves) {
        const at = node => {
            let [x, y] = origin;
            for (let j = 0; j < size; j++)
                if ((node >> j) & 1) [x, y] = [x + wayOf(j)[0] * long, y + wayOf(j)[1] * long];
            return [x, y];
        };
        for (let node = 0; node < 2 ** size; node++)
            for (let j = 0; j < size; j++)
                if (!((node >> j) & 1)) {
                    const [x1, y1] = at(node),
                        [x2, y2] = at(node | (1 << j));
                    svg.append(
                        drawn(
                            "line",
                            { class: "wire", x1, y1, x2, y2 },
                            title(`dimension ${j + 1}`)
                        )
                    );
                }
        for (const move of moves) drawMove(svg, at(move.from), at(move.to), move);
        for (let node = 0; node < 2 ** size; node++) {
            const [x, y] = at(node);
            svg.append(
                drawn("circle", { cx: x, cy: y, r: 11, ...data(node) }),
                text(x, y + 4, "middle", name(node))
            );
        }
    }

    function drawMove(svg, [x1, y1], [x2, y2], { transfers: group }) {
        const long = Math.hypot(x2 - x1, y2 - y1),
            ux = (x2 - x1) / long,
            uy = (y2 - y1) / long;
        const bx = -uy * 3,
            by = ux * 3; // each direction has its own side
        const one = group[0],
            alone = group.length === 1;
        const from = [x1 + ux * 12 + bx, y1 + uy * 12 + by],
            to = [x2 - ux * 17 + bx, y2 - uy * 17 + by];
        svg.append(
            drawn(
                "path",
                {
                    class: (alone ? "circuit" : "bundle") + faded(one),
                    "marker-end": "url(#arrow)",
                    style: packetHue(one.packet),
                    d: `M${from}L${to}`,
                    ...(alone
                        ? transferData(one)
                        : {
                              "data-count": group.length,
                              "stroke-width": Math.min(1 + group.length / 4, 6)
                          })
                },
                title(alone ? circuitText(one) : plural(group.length, "packet"))
            )
        );
        const label = [0, 1].map(k => (from[k] * 2 + to[k] * 3) / 5 + [bx, by][k] * 3);
        const words = alone ? `p${one.packet}` : `×${group.length}`;
        svg.append(tag(label[0], label[1] + 4, "middle", one, words));
    }

    /* Groups the transfers of the moment by their two places. */
    function movesOf(place, wanted) {
        const groups = new Map();
        for (const transfer of underWay[look.moment]) {
            const from = place(transfer.source),
                to = place(transfer.destination);
            if (from === to || !wanted(transfer)) continue;
            const key = `${from},${to}`;
            if (!groups.has(key)) groups.set(key, { from, to, transfers: [] });
            groups.get(key).transfers.push(transfer);
        }
        return [...groups.values()];
    }

    /* Returns the extent of a cube, right or left of node 0, up or down: [least, most]. */
    const extent = (size, axis) =>
        Array.from({ length: size }, (_, j) => wayOf(j)[axis]).reduce(
            ([least, most], by) => [least + Math.min(by, 0), most + Math.max(by, 0)],
            [0, 0]
        );
    const frame = (size, long) => {
        const [[left, right], [up, down]] = [extent(size, 0), extent(size, 1)];
        return {
            wide: 60 + (right - left) * long,
            high: 60 + (down - up) * long,
            origin: [30 - left * long, 30 - up * long] // of node 0
        };
    };
    /* Returns the length of an edge for which there is room. */
    const longOf = (size, room) => {
        const { wide, high } = frame(size, 1);
        return clamp(Math.min((room - 60) / (wide - 60), 640 / (high - 60)), 70, 230);
    };

    const nodeMarks = node => ({
        class:
            `unit${node === look.node ? " chosen" : ""}` +
            (look.packet !== null && hasPacket(node, look.packet, look.moment) ? " has" : ""),
        "data-node": node
    });

    function draw(parent) {
        const split = dimensions > most,
            size = split ? dimensions - inLens : dimensions;
        const lensLong = 130,
            inside = frame(inLens, lensLong);
        const long = longOf(size, parent.clientWidth - (split ? 40 + inside.wide : 0));
        const { wide, high, origin } = frame(size, long);
        const svg = drawing(
            parent,
            wide + (split ? 40 + inside.wide : 0),
            split ? Math.max(high, inside.high) : high,
            `a hypercube of ${plural(dimensions, "dimension")}`
        );
        svg.append(arrowMarker());
        const base = (look.node ?? 0) >> inLens;
        if (!split) {
            drawCube(
                svg,
                size,
                long,
                origin,
                { name: String, data: nodeMarks },
                movesOf(
                    node => node,
                    () => true
                )
            );
            return "";
        }
        drawCube(
            svg,
            size,
            long,
            origin,
            {
                name: part => part,
                data: part => ({
                    class: `unit${part === base ? " chosen" : ""}`,
                    "data-part": part
                })
            },
            movesOf(
                node => node >> inLens,
                () => true
            )
        );
        drawCube(
            svg,
            inLens,
            lensLong,
            [wide + 40 + inside.origin[0], inside.origin[1]],
            {
                name: node => node + base * 2 ** inLens,
                data: node => nodeMarks(node + base * 2 ** inLens)
            },
            movesOf(
                node => node & (2 ** inLens - 1),
                ({ source, destination }) =>
                    source >> inLens === base && destination >> inLens === base
            )
        );
        return (
            ` On the left each node is a cube of ${2 ** inLens} processors; the lens on the ` +
            `right is cube ${base}. Choose a node to move it.`
        );
    }
    return {
        draw,
        about:
            "Dimension 1 goes to the right, 2 up, 3 into the depth, then cubes stand beside " +
            "cubes. An arrow is a packet on an arc."
    };
})();
