/* SPDX-License-Identifier: Apache-2.0 */
/* views: the pictures of the packets that nodes have: nodes × rounds, nodes × packets, and, if each
 * packet has one destination, destinations × sources. */
"use strict";

/* A view defines the position and the colour of the cell of a receipt. All cells of one colour are
 * one path, so that tens of thousands are drawn at once. */
const spreadViews = (() => {
    const nodes = topology.all;
    const views = [
        {
            name: timed ? "nodes × times" : "nodes × rounds",
            columns: lastMoment,
            column: ({ got }) => got - 1,
            group: ({ packet }) => packet,
            hueOf: packet => hue(packet - 1, schedule.packets),
            tag: ({ packet }) => packet,
            key: "packet",
            about:
                `Across: ${timed ? "times" : "rounds"}. Down: nodes. A cell is a packet that ` +
                "comes to a node, with its number and colour; what is still to come is pale.",
            heading: k => (timed ? fraction(times[k + 1]) : times[k + 1]),
            all: true
        },
        {
            name: "nodes × packets",
            columns: schedule.packets,
            column: ({ packet }) => packet - 1,
            group: ({ got }) => got,
            hueOf: got => hue(got, lastMoment + 1),
            tag: ({ got }) => (timed ? "" : times[got]),
            key: "moment",
            about:
                "Across: packets. Down: nodes. A cell says that the node has the packet, " +
                `and since which ${timed ? "time" : "round"}; sources have theirs from the start.`,
            heading: k => k + 1,
            all: false,
            atStart: true
        }
    ];
    const alone = [...wantedBy.values()].every(wanted => wanted.length === 1);
    if (alone && sourceOf.size > 1 && contributorsOf.size === 0)
        views.push({
            name: "destinations × sources",
            columns: nodes,
            column: ({ packet }) => sourceOf.get(packet),
            row: ({ packet }) => wantedBy.get(packet)[0],
            group: ({ got }) => got,
            hueOf: got => hue(got, lastMoment + 1),
            tag: ({ got }) => (timed ? "" : times[got]),
            key: "moment",
            about:
                "Across: sources of packets. Down: nodes that want them. A cell is received " +
                `in the ${timed ? "time" : "round"} that it shows.`,
            heading: k => k,
            all: false,
            only: ({ packet, destination }) => wantedBy.get(packet)[0] === destination
        });
    return views;
})();
let spreadView = spreadViews.at(spreadViews.length > 2 ? 2 : 0);

/* The packets that nodes hold at the beginning, as receipts in moment 0 from no node. */
const heldAtStart = held.flatMap((packets, destination) =>
    [...packets]
        .filter(([, got]) => got === 0)
        .map(([packet]) => ({ source: null, destination, packet, sent: 0, got: 0, first: true }))
);

/* Cells of one node and column share its room. */
const cellsOf = (() => {
    const known = new Map();
    return view => {
        if (known.has(view)) return known.get(view);
        const rooms = new Map(),
            cells = [];
        for (const transfer of view.atStart ? [...heldAtStart, ...transfers] : transfers) {
            if ((!transfer.first && !view.all) || (view.only && !view.only(transfer))) continue;
            const y = view.row ? view.row(transfer) : transfer.destination,
                x = view.column(transfer);
            const key = y * view.columns + x,
                cell = { transfer, x, y, k: rooms.get(key) ?? 0 };
            rooms.set(key, cell.k + 1);
            cells.push(cell);
        }
        for (const cell of cells) cell.of = rooms.get(cell.y * view.columns + cell.x);
        known.set(view, cells);
        return cells;
    };
})();
