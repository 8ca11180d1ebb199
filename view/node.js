/* SPDX-License-Identifier: Apache-2.0 */
/* node: fills the tables of the transfers under way in the moment, and of the packets that a node
 * sends and receives. */
"use strict";

const MOST_ROWS = 1000;

const transferRow = (transfer, ...cells) =>
    row(
        {
            ...transferData(transfer),
            "data-moment": transfer.sent,
            "data-got": transfer.got,
            class: chosen(transfer) ? "" : "faded"
        },
        ...cells
    );
const atMoment = () =>
    `${timed || look.moment === 0 ? "at" : "in"} ${timeText(times[look.moment])}`;
const swatch = packet =>
    element("span", { class: "swatch", style: packetHue(packet) }, String(packet));

/* Returns the contributors in a combined packet of a transfer, and its options. */
function carriesText(transfer) {
    if (!isCombined(transfer)) return "";
    replay(transfer.packet);
    const { carries, received, replaces } = transfer;
    return setText(carries) + (received ? ", received" : "") + (replaces ? ", replaces" : "");
}

/* Returns the contributors in what a node has of the packet that is chosen. */
function partialText(node) {
    if (look.packet === null || !contributorsOf.has(look.packet)) return "";
    const parts = setText(partialOf(node, look.packet, look.moment));
    return ` Of packet ${look.packet} it has the contributions of ${parts || "no node"}.`;
}

function showTransfers() {
    const list = underWay[look.moment],
        lanes = schedule.lanes.length > 0,
        combined = contributorsOf.size > 0;
    const heading = [
        "from",
        "to",
        "packet",
        ...(combined ? ["contributors"] : []),
        ...(lanes ? ["lane"] : []),
        ...(timed ? ["leaves", "is there"] : [])
    ];
    fillTable(
        document.querySelector("#transfers table"),
        heading,
        list
            .slice(0, MOST_ROWS)
            .map(transfer =>
                transferRow(
                    transfer,
                    nodeName(transfer.source),
                    nodeName(transfer.destination),
                    swatch(transfer.packet),
                    ...(combined ? [carriesText(transfer)] : []),
                    ...(lanes ? [String(transfer.lane)] : []),
                    ...(timed ? [fraction(transfer.time), fraction(transfer.time + flight)] : [])
                )
            )
    );
    const got = byId("now").dataset.received;
    byId("transfers-note").textContent =
        `${plural(list.length, "transfer")} ${atMoment()}; ` +
        `${got} of ${transfers.length} receipts so far.` +
        (list.length > MOST_ROWS ? ` The first ${MOST_ROWS} are shown.` : "");
}

function showNode() {
    const node = look.node,
        table = document.querySelector("#one table");
    if (node === null) {
        byId("one-note").textContent =
            "Choose a node: with ↑ and ↓, by its number above, or in a picture.";
        table.replaceChildren();
        return;
    }
    const all = transfers.filter(
        ({ source, destination }) => source === node || destination === node
    );
    const own = [...held[node]].filter(([, got]) => got === 0).length;
    const has = [...held[node]].filter(([, got]) => got <= look.moment).map(([packet]) => packet);
    byId("one-note").textContent =
        `${node < topology.nodes ? "Node" : "Router"} ${nodeName(node)} starts with ` +
        `${plural(own, "packet")} and has ${has.length} ${atMoment()}` +
        (has.length && has.length <= 24 ? `: ${has.sort((a, b) => a - b).join(", ")}.` : ".") +
        partialText(node);
    byId("one-note").dataset.holds = has.length;
    fillTable(
        table,
        [timed ? "time" : "round", "sends", "receives"],
        all.slice(0, MOST_ROWS).map(transfer => {
            const sends = transfer.source === node,
                other = nodeName(sends ? transfer.destination : transfer.source);
            const cell = element(
                "span",
                {},
                swatch(transfer.packet),
                sends ? ` → ${other}` : ` ← ${other}`
            );
            const moment = sends ? transfer.sent : transfer.got,
                link = element(
                    "a",
                    { href: "#" + hashOf({ ...look, moment }) },
                    timed ? fraction(times[moment]) : String(times[moment])
                );
            const line = transferRow(transfer, link, sends ? cell : "", sends ? "" : cell);
            line.classList.toggle("current", moment === look.moment);
            return line;
        })
    );
}
