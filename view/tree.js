/* SPDX-License-Identifier: Apache-2.0 */
/* tree: draws routers, the lanes between them, the packets on these lanes in a moment, and the
 * packets that wait in each router for a later moment. Processors are at the bottom. */
"use strict";

const tree = (() => {
    if (topology.kind !== "tree") return null;
    const { children, capacity, nodes } = topology,
        height = children.length;
    const first = [0],
        count = [nodes];
    children.forEach((k, level) => {
        first.push(first[level] + count[level]);
        count.push(count[level] / k);
    });
    const levelOf = node => first.findLastIndex(start => start <= node);
    const parentOf = (node, level) =>
        first[level + 1] + Math.floor((node - first[level]) / children[level]);

    /* The last moment in which each router sends each packet. */
    const lastSent = Array.from({ length: topology.all }, () => new Map());
    for (const { source, packet, sent } of transfers) lastSent[source].set(packet, sent);
    const waiting = (node, moment) =>
        [...held[node]]
            .filter(([packet, got]) => got <= moment && (lastSent[node].get(packet) ?? 0) > moment)
            .map(([packet]) => packet);

    const top = 40,
        gap = 118;
    const chip = 12 + 7 * String(schedule.packets).length; // width of a waiting packet
    let wide; // width of a leaf, as wide as the page allows

    /* Returns the positions of nodes, on a scale of leaves. A subtree that is too narrow is one
     * triangle. */
    function layout(scale) {
        const leaf = (node, level, end) => {
            const below = nodes / count[level];
            return (node - first[level]) * below + (end ? below - 1 : 0);
        };
        const x = node => {
            const level = levelOf(node);
            return (
                40 +
                (scale.place(leaf(node, level, false)) + scale.place(leaf(node, level, true))) / 2
            );
        };
        const y = node => top + (height - levelOf(node)) * gap;
        const narrow = node => {
            const level = levelOf(node),
                a = leaf(node, level, false),
                b = leaf(node, level, true);
            return (
                level > 0 &&
                !scale.whole &&
                !scale.clear(a) &&
                !scale.clear(b) &&
                scale.place(b) - scale.place(a) < 26
            );
        };
        /* Returns the node itself, or the triangle that contains it. */
        const shown = node => {
            let at = node;
            for (let level = levelOf(node); level < height; level++) {
                node = parentOf(node, level);
                if (narrow(node)) at = node;
            }
            return at;
        };
        return { x, y, narrow, shown };
    }

    function drawBranch(svg, place, node, level) {
        const parent = parentOf(node, level),
            lanes = capacity[level],
            drawnLanes = Math.min(lanes, 8);
        for (let lane = 0; lane < drawnLanes; lane++) {
            const shift = offset(lane, lanes);
            svg.append(
                drawn(
                    "line",
                    {
                        class: "wire",
                        x1: place.x(node) + shift,
                        y1: place.y(node),
                        x2: place.x(parent) + shift,
                        y2: place.y(parent)
                    },
                    title(`${plural(lanes, "lane")} each way`)
                )
            );
        }
    }
    const offset = (lane, lanes) => (lane - (lanes - 1) / 2) * Math.min(6, 30 / lanes);

    function drawNode(svg, place, node, level, moment) {
        const x = place.x(node),
            y = place.y(node),
            name = nodeName(node);
        const marks = { class: `unit${node === look.node ? " chosen" : ""}`, "data-node": node };
        if (place.narrow(node)) {
            svg.append(
                drawn(
                    "path",
                    { ...marks, d: `M${x} ${y - 8}l10 18h-20z` },
                    title(`the subtree of ${name}`)
                )
            );
            return;
        }
        if (level === 0) {
            svg.append(
                drawn("circle", { ...marks, cx: x, cy: y, r: Math.min(11, wide / 2 - 1) }),
                text(x, y + 4, "middle", name)
            );
            return;
        }
        svg.append(
            drawn("rect", { ...marks, x: x - 18, y: y - 11, width: 36, height: 22, rx: 5 }),
            text(x, y + 4, "middle", name)
        );
        const room = Math.abs(place.x(node + 1) - x) || 200; // up to the next router
        drawQueue(
            svg,
            x + 22,
            y,
            waiting(node, moment),
            name,
            clamp(Math.floor((room - 66) / chip), 0, 8)
        );
    }

    /* Draws waiting packets as numbers in their colours, or their number if there are more than a
     * few. */
    function drawQueue(svg, x, y, packets, name, most) {
        const some = packets.slice(0, packets.length === most + 1 ? most + 1 : most),
            group = drawn(
                "g",
                { class: "queue", "data-waiting": packets.join(" ") },
                title(
                    `${name} keeps ${packets.length ? "packets " + packets.join(", ") : "nothing"}`
                )
            );
        some.forEach((packet, k) =>
            group.append(
                drawn("rect", {
                    class: "chip",
                    style: packetHue(packet),
                    x: x + k * chip,
                    y: y - 8,
                    width: chip - 1,
                    height: 16,
                    rx: 3
                }),
                text(x + k * chip + chip / 2, y + 4, "middle", packet)
            )
        );
        if (packets.length > some.length)
            group.append(
                text(x + some.length * chip + 2, y + 4, "start", `+${packets.length - some.length}`)
            );
        svg.append(group);
    }

    /* Returns a point near the end, so that an arrow ends before the other node. */
    const near = (from, to) => from + (to - from) * 0.88;
    function drawMove(svg, place, transfer) {
        const { source, destination, packet, lane } = transfer;
        const up = destination > source,
            level = levelOf(up ? source : destination);
        const shift = offset(lane, capacity[level]) + (up ? -1.5 : 1.5);
        const x1 = place.x(source) + shift,
            x2 = place.x(destination) + shift;
        const y1 = place.y(source),
            y2 = place.y(destination),
            at = (up ? 0.35 : 0.65) + ((lane + 0.5) / capacity[level] - 0.5) * 0.35;
        svg.append(
            drawn(
                "path",
                {
                    class: "circuit" + faded(transfer),
                    style: packetHue(packet),
                    "data-lane": lane,
                    "marker-end": "url(#arrow)",
                    ...transferData(transfer),
                    d: `M${x1} ${y1 + (up ? -12 : 12)}L${near(x1, x2)} ${near(y1, y2)}`
                },
                title(`${circuitText(transfer)}, lane ${lane}`)
            )
        );
        const x = x1 + (x2 - x1) * at + 4,
            y = y1 + (y2 - y1) * at + (up ? 4 : 8);
        svg.append(tag(x, y, "start", transfer));
    }

    function draw(parent) {
        const atLeaf = look.node === null ? 0 : look.node < nodes ? look.node : 0;
        const room = parent.clientWidth - 150;
        wide = nodes > 64 ? 22 : clamp(room / nodes, 20, 92);
        const scale = lens(nodes, 64, room, wide, atLeaf),
            place = layout(scale);
        const svg = drawing(
            parent,
            80 + scale.room + 60,
            top + height * gap + 30,
            `a tree of ${topology.all - nodes} routers; what moves is in the table`
        );
        svg.append(arrowMarker());
        const visible = [];
        for (let level = height; level >= 0; level--)
            for (let node = first[level]; node < first[level] + count[level]; node++)
                if (place.shown(node) === node) visible.push([node, level]);
        for (const [node, level] of visible)
            if (level < height) drawBranch(svg, place, node, level);
        for (const transfer of underWay[look.moment])
            if (
                place.shown(transfer.source) === transfer.source &&
                place.shown(transfer.destination) === transfer.destination
            )
                drawMove(svg, place, transfer);
        for (const [node, level] of visible) drawNode(svg, place, node, level, look.moment);
        return scale;
    }
    return {
        draw(parent) {
            const { whole, from, to } = draw(parent);
            return whole
                ? ""
                : ` The lens shows leaves ${from} … ${to - 1}; subtrees that are too ` +
                      "narrow elsewhere are triangles. Choose a leaf to move it.";
        },
        about:
            "Processors are at the bottom, routers above them; an arrow is a packet on a lane. " +
            "Beside a router stand the packets that it keeps for a later round."
    };
})();
