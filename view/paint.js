/* SPDX-License-Identifier: Apache-2.0 */
/* paint: creates elements of SVG and HTML, and colours of packets. */
"use strict";

const byId = id => document.getElementById(id);

/* Creates an element with attributes and children: texts or elements. */
function element(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    return dress(node, attributes, children);
}
function drawn(name, attributes = {}, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    return dress(node, attributes, children);
}
function dress(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes))
        if (value !== undefined && value !== null) node.setAttribute(key, value);
    node.append(...children);
    return node;
}

/* Creates a drawing of a given size in a scrolling part of the page; `role` img requires a text. */
function drawing(parent, width, height, label) {
    const svg = drawn("svg", {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": label
    });
    parent.replaceChildren(svg);
    return svg;
}
const text = (x, y, anchor, words, attributes = {}) =>
    drawn("text", { x, y, "text-anchor": anchor, ...attributes }, String(words));
const title = words => drawn("title", {}, words);

/* The hues of packets range from green through blue and red to orange: yellow is too pale to
 * read. */
const hue = (which, count) => (145 + (275 * which) / Math.max(count, 1)) % 360;
const packetHue = packet => `--hue:${hue(packet - 1, schedule.packets).toFixed(0)}`;

/* Returns a curve through places that is level at both ends. */
const curve = (...places) => {
    const [x1, y1, x2, y2] = places.map(place => place.toFixed(1)),
        middle = ((places[0] + places[2]) / 2).toFixed(1);
    return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
};

/* Returns whether a transfer is selected. All are selected if there is no selection. */
const chosen = ({ source, destination, packet }) =>
    (look.packet === null || packet === look.packet) &&
    (look.node === null || source === look.node || destination === look.node);
const faded = transfer => (chosen(transfer) ? "" : " faded");

/* Labels a transfer with the number of its packet, or with `words`. If there are many transfers,
 * only selected ones have a label. */
function tag(x, y, anchor, transfer, words = `p${transfer.packet}`) {
    const some = look.node !== null || look.packet !== null;
    if (underWay[look.moment].length > 120 && !(some && chosen(transfer))) return "";
    const attributes = { class: "tag" + faded(transfer), style: packetHue(transfer.packet) };
    return text(x, y, anchor, words, attributes);
}

const circuitText = ({ source, destination, packet }) =>
    `packet ${packet}: ${nodeName(source)} → ${nodeName(destination)}`;

/* Returns the attributes of elements that show a transfer; tests read them. */
const transferData = ({ source, destination, packet }) => ({
    "data-source": source,
    "data-destination": destination,
    "data-packet": packet
});

/* Fills a table; the first row is its heading. */
function fillTable(table, heading, rows) {
    const head = element("tr", {}, ...heading.map(words => element("th", { scope: "col" }, words)));
    table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}
const row = (attributes, ...cells) =>
    element("tr", attributes, ...cells.map(cell => element("td", {}, cell)));
