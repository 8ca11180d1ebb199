/* SPDX-License-Identifier: Apache-2.0 */
/* moment: the reader's selection: a moment, a node, a packet. It is stored in the address after #,
 * as "round=5&node=3" or "time=5/2", and all parts of the page are notified when it changes. */
"use strict";

const look = { moment: 0, node: null, packet: null };
const watchers = [];
let timer = null;

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/* Changes the selection: any of {moment, node, packet}. */
function lookAt(change) {
    const before = { ...look };
    Object.assign(look, change);
    look.moment = clamp(look.moment, 0, lastMoment);
    if (look.node !== null) look.node = clamp(look.node, 0, topology.all - 1);
    if (look.packet !== null) look.packet = clamp(look.packet, 1, schedule.packets);
    if (Object.keys(look).every(key => look[key] === before[key])) return;
    showAll();
    history.replaceState(null, "", "#" + hashOf(look));
}
function showAll() {
    for (const watcher of watchers) watcher(look);
}

function hashOf({ moment, node, packet }) {
    const parts = [moment === 0 ? "start" : timeText(times[moment]).replace(" ", "=")];
    if (node !== null) parts.push(`node=${nodeName(node)}`);
    if (packet !== null) parts.push(`packet=${packet}`);
    return parts.join("&");
}

/* Returns the last moment that is not after a round "5" or a time "5/2". */
function momentAt(text) {
    const [whole, below] = text.split("/").map(Number);
    const time = timed ? (whole * unit) / (below || 1) : whole;
    if (Number.isNaN(time)) return 0;
    let moment = 0;
    while (moment < lastMoment && times[moment + 1] <= time) moment++;
    return moment;
}
function nodeAt(text) {
    for (let node = 0; node < topology.all; node++) if (nodeName(node) === text) return node;
    return null;
}
function readHash() {
    const hash = new URLSearchParams(location.hash.slice(1));
    const at = hash.get("round") ?? hash.get("time"),
        packet = parseInt(hash.get("packet"), 10);
    return {
        moment: at === null ? 0 : momentAt(at),
        node: nodeAt(hash.get("node")),
        packet: Number.isNaN(packet) ? null : packet
    };
}

function pause() {
    clearInterval(timer);
    timer = null;
    showAll();
}
function play() {
    if (look.moment === lastMoment) lookAt({ moment: 0 });
    timer = setInterval(
        () => {
            lookAt({ moment: look.moment + 1 });
            if (look.moment === lastMoment) pause();
        },
        Number(document.getElementById("speed").value)
    );
    showAll();
}
function togglePlay() {
    timer === null ? play() : pause();
}
function stepTo(moment) {
    if (timer !== null) pause();
    lookAt({ moment });
}

/* Returns the next or previous node or packet, beginning with none. */
const another = (value, by, first, last) =>
    value === null ? (by > 0 ? first : last) : clamp(value + by, first, last);

const keys = {
    " ": togglePlay,
    ArrowRight: () => stepTo(look.moment + 1),
    ArrowLeft: () => stepTo(look.moment - 1),
    Home: () => stepTo(0),
    End: () => stepTo(lastMoment),
    ArrowDown: () => lookAt({ node: another(look.node, 1, 0, topology.all - 1) }),
    ArrowUp: () => lookAt({ node: another(look.node, -1, 0, topology.all - 1) }),
    "]": () => lookAt({ packet: another(look.packet, 1, 1, schedule.packets) }),
    "[": () => lookAt({ packet: another(look.packet, -1, 1, schedule.packets) }),
    Escape: () => lookAt({ node: null, packet: null })
};
document.addEventListener("keydown", event => {
    const typing = event.target.matches("input[type=number], select");
    const pressing = event.key === " " && event.target.matches("button, a");
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || typing || pressing)
        return;
    event.preventDefault();
    keys[event.key]();
});
addEventListener("hashchange", () => lookAt(readHash()));
