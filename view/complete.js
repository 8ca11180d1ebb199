/* SPDX-License-Identifier: Apache-2.0 */
/* complete: draws the nodes of a complete graph on a ring and the transfers between them, for
 * schedules without a network. */
"use strict";

const complete = (() => {
    const count = topology.nodes,
        radius = 270,
        middle = radius + 60;

    function draw(parent) {
        const scale = lens(count, 96, 360, count <= 96 ? 360 / count : 7.5, look.node ?? 0);
        const at = (node, r = radius) => {
            const angle = ((scale.place(node) - 90) * Math.PI) / 180;
            return [middle + r * Math.cos(angle), middle + r * Math.sin(angle)];
        };
        const svg = drawing(
            parent,
            2 * middle,
            2 * middle,
            `${plural(count, "node")} on a ring; the table has what they send`
        );
        svg.append(
            arrowMarker(),
            drawn("circle", { class: "ring", cx: middle, cy: middle, r: radius })
        );
        for (const transfer of underWay[look.moment])
            if (scale.clear(transfer.source) || scale.clear(transfer.destination))
                drawMove(svg, at, transfer);
        drawBundles(svg, scale, at);
        for (let node = 0; node < count; node++) {
            if (!scale.clear(node)) continue;
            const [x, y] = at(node),
                [tx, ty] = at(node, radius + 20);
            const has = look.packet !== null && hasPacket(node, look.packet, look.moment);
            svg.append(
                drawn("circle", {
                    class: `unit${node === look.node ? " chosen" : ""}${has ? " has" : ""}`,
                    cx: x,
                    cy: y,
                    r: count <= 40 ? 7 : 4,
                    "data-node": node
                }),
                text(tx, ty + 4, "middle", node)
            );
        }
        return lensNote(scale, "nodes");
    }
    const bend = ([x1, y1], [x2, y2]) => {
        const cx = middle + (x1 + x2 - 2 * middle) * 0.15,
            cy = middle + (y1 + y2 - 2 * middle) * 0.15;
        return [cx, cy];
    };
    function drawMove(svg, at, transfer) {
        const a = at(transfer.source, radius - 8),
            b = at(transfer.destination, radius - 14),
            c = bend(a, b);
        svg.append(
            drawn(
                "path",
                {
                    class: "circuit" + faded(transfer),
                    style: packetHue(transfer.packet),
                    d: `M${a}Q${c} ${b}`,
                    "marker-end": "url(#arrow)",
                    ...transferData(transfer)
                },
                title(circuitText(transfer))
            )
        );
        const near = 0.8,
            [x, y] = [0, 1].map(
                k => (1 - near) ** 2 * a[k] + 2 * near * (1 - near) * c[k] + near ** 2 * b[k]
            );
        if (count <= 40) svg.append(tag(x, y + 4, "middle", transfer));
    }
    function drawBundles(svg, scale, at) {
        const counts = new Map();
        for (const { source, destination } of underWay[look.moment]) {
            if (scale.clear(source) || scale.clear(destination)) continue;
            const key = `${scale.band(source)},${scale.band(destination)}`;
            counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        for (const [key, many] of counts) {
            const [a, b] = key.split(",").map(Number);
            svg.append(
                drawn(
                    "path",
                    {
                        class: "bundle",
                        "data-count": many,
                        "stroke-width": clamp(0.5 + many * 0.4, 0.8, 7),
                        d: `M${at(a)}Q${bend(at(a), at(b))} ${at(b)}`
                    },
                    title(plural(many, "transfer"))
                )
            );
        }
    }
    return { draw, about: "The schedule alone: an arrow leads from the sender to the receiver." };
})();
