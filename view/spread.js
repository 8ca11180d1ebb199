/* SPDX-License-Identifier: Apache-2.0 */
/* spread: draws the packets that nodes have as cells, which views.js defines. A picture is built
 * once per view; parts that depend on the moment are drawn over it. */
"use strict";

let spreadShape = null; // {view, svg, size}

const px = number => +number.toFixed(2);

/* Returns the size of cells of cw × ch pixels, right of and below the margins left and top. */
function spreadSize(view) {
    const room = document.querySelector("#spread .scroll").clientWidth - 64;
    const across = Math.max(300, room) / view.columns;
    return {
        cw: clamp(across > 3 ? Math.floor(across) : across, 0.5, 44),
        ch: clamp(Math.floor(640 / topology.all), 1, 24),
        left: 44,
        top: 22
    };
}

/* Returns the position of a cell; cells that share the room of a node and a column are side by
 * side. */
function cellBox({ x, y, k, of }, { cw, ch, left, top }) {
    const edge = cw / of > 5 && ch > 5 ? 0.5 : 0;
    return {
        x: px(left + (x + k / of) * cw + edge),
        y: top + y * ch + edge,
        wide: px(cw / of - 2 * edge),
        high: ch - 2 * edge
    };
}

/* Adds the cells. All cells of one colour are one path, so that tens of thousands are drawn at
 * once. */
function addCells(svg, view, size) {
    const groups = new Map();
    for (const cell of cellsOf(view)) {
        const group = view.group(cell.transfer),
            { x, y, wide, high } = cellBox(cell, size);
        if (!groups.has(group)) groups.set(group, []);
        groups.get(group).push(`M${x} ${y}h${wide}v${high}h${-wide}z`);
    }
    for (const [group, parts] of groups)
        svg.append(
            drawn("path", {
                class: "cell",
                d: parts.join(""),
                style: `--hue:${view.hueOf(group).toFixed(0)}`,
                [`data-${view.key}`]: group,
                "data-cells": parts.length
            })
        );
}

/* Adds the labels of the cells. */
function addTags(svg, view, size) {
    const cells = cellsOf(view);
    if (cells.length > 3000) return;
    for (const cell of cells) {
        const { x, y, wide, high } = cellBox(cell, size);
        if (wide < 14 || high < 10) continue;
        const attributes = { class: "in-cell", "data-got": cell.transfer.got };
        const tag = view.tag(cell.transfer);
        svg.append(text(x + wide / 2, y + high / 2 + 4, "middle", tag, attributes));
    }
}

function addHeadings(svg, view, { cw, ch, left, top }) {
    const stepX = Math.ceil(26 / cw),
        stepY = Math.ceil(13 / ch);
    for (let k = 0; k < view.columns; k += stepX)
        svg.append(text(left + (k + 0.5) * cw, top - 7, "middle", view.heading(k)));
    for (let node = 0; node < topology.all; node += stepY)
        svg.append(text(left - 5, top + (node + 0.5) * ch + 4, "end", nodeName(node)));
}

function buildSpread(view) {
    const size = spreadSize(view),
        { cw, ch, left, top } = size;
    const width = view.columns * cw,
        height = topology.all * ch;
    const parent = document.querySelector("#spread .scroll");
    const svg = drawing(parent, left + width + 10, top + height + 8, view.name);
    svg.classList.add("spread");
    svg.append(drawn("rect", { class: "paper", x: left, y: top, width, height }));
    addCells(svg, view, size);
    addTags(svg, view, size);
    addHeadings(svg, view, size);
    svg.append(drawn("g", { class: "over" }));
    spreadShape = { view, svg, size };
}

/* Draws the overlay of the picture: the moment, the node, the tree of the packet. */
function overlays({ view, size: { cw, ch, left, top } }) {
    const mark = (name, x, y, width, height) => drawn("rect", { class: name, x, y, width, height });
    const high = topology.all * ch,
        now = left + look.moment * cw,
        marks = [];
    if (view.all) {
        marks.push(mark("future", now, top, (lastMoment - look.moment) * cw, high));
        if (look.moment > 0) marks.push(mark("cursor", now - cw, top, cw, high));
        if (look.packet !== null) marks.push(packetTree(look.packet));
    }
    if (look.node !== null)
        marks.push(mark("cursor", left, top + look.node * ch, view.columns * cw, ch));
    return marks;
}

function showSpread() {
    if (spreadShape === null || spreadShape.view !== spreadView) buildSpread(spreadView);
    const { svg } = spreadShape;
    if (!spreadView.all)
        for (const part of svg.querySelectorAll(".cell, .in-cell"))
            part.classList.toggle("later", (part.dataset.moment ?? part.dataset.got) > look.moment);
    svg.querySelector(".over").replaceChildren(...overlays(spreadShape));
    byId("spread-note").textContent = spreadView.about;
}

/* Returns the tree of a packet, in nodes × rounds: from each receipt to the receipts that it leads
 * to. */
function packetTree(packet) {
    const { cw, ch, left, top } = spreadShape.size;
    const centre = (moment, node) => `${left + (moment - 0.5) * cw} ${top + (node + 0.5) * ch}`;
    const combined = contributorsOf.has(packet);
    const since = ({ source, sent }) =>
        Math.max(combined ? sent - (timed ? 0 : 1) : (held[source].get(packet) ?? 0), 0.5);
    const lines = transfers
        .filter(transfer => transfer.packet === packet && (combined || transfer.first))
        .map(transfer => {
            const { source: a, destination: b, got } = transfer;
            return `M${centre(since(transfer), a)}L${centre(got, b)}`;
        });
    return drawn("path", {
        class: "packet-tree",
        d: lines.join(""),
        "data-packet": packet,
        "data-edges": lines.length
    });
}

/* The receipt under the pointer. The tree of its packet is shown until the pointer leaves. */
let pointed = null;

function cellAt(event) {
    const { view, svg, size } = spreadShape,
        box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left - size.left) / size.cw,
        y = Math.floor((event.clientY - box.top - size.top) / size.ch);
    const here = cell => cell.y === y && cell.x === Math.floor(x);
    return cellsOf(view).find(cell => here(cell) && cell.k === Math.floor((x - cell.x) * cell.of));
}

function pointAt(event) {
    const cell = event === null ? null : (cellAt(event) ?? null);
    if (cell === pointed) return;
    pointed = cell;
    showSpread();
    if (cell === null) return;
    const { source, destination, packet, got } = cell.transfer;
    if (spreadView.all && packet !== look.packet)
        spreadShape.svg.querySelector(".over").append(packetTree(packet));
    byId("spread-note").textContent =
        source === null
            ? `Node ${nodeName(destination)} has packet ${packet} from the start.`
            : `Node ${nodeName(destination)} receives packet ${packet} from node ` +
              `${nodeName(source)}, ${timeText(times[got])}.`;
}

function choosePointed() {
    if (pointed === null) return;
    const { packet, destination } = pointed.transfer;
    lookAt({ packet, node: destination });
}

function setUpSpread() {
    const scroll = document.querySelector("#spread .scroll"),
        group = byId("spread-views");
    scroll.addEventListener("pointermove", pointAt);
    scroll.addEventListener("pointerleave", () => pointAt(null));
    scroll.addEventListener("click", choosePointed);
    for (const view of spreadViews) {
        const button = element("button", { "aria-pressed": view === spreadView }, view.name);
        button.addEventListener("click", () => {
            spreadView = view;
            for (const other of group.children)
                other.setAttribute("aria-pressed", other === button);
            showSpread();
        });
        group.append(button);
    }
    addEventListener("resize", () => {
        spreadShape = null;
        showSpread();
    });
}
