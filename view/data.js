/* SPDX-License-Identifier: Apache-2.0 */
/* data: the schedule of the page as arrays of transfers, in order of time, and the times at which
 * nodes have packets.
 *
 * A moment is a round (if there are thousands, a round with transfers), or, in a model with times,
 * a time at which a transfer starts or arrives; moment 0 is the beginning. A transfer leaves in
 * moment `sent` and has arrived in moment `got`: the same round, or λ later. */
"use strict";

const json = id => JSON.parse(document.getElementById(id).textContent);
const report = json("report"),
    { schedule, clock, network } = json("data");
const topology = schedule.topology,
    timed = schedule.timed;
const [flight, unit] = schedule.lambda; // λ and 1 in ticks

/* The times of all moments, and the index of each time. */
const times = (() => {
    const all = new Set();
    if (!timed && schedule.end <= 4096)
        for (let round = 1; round <= schedule.end; round++) all.add(round);
    for (const step of schedule.steps) {
        all.add(step[0]);
        if (timed) all.add(step[0] + flight);
    }
    return [timed ? -1 : 0, ...[...all].sort((a, b) => a - b)];
})();
const momentOf = new Map(times.map((time, moment) => [time, moment]));
const lastMoment = times.length - 1;

const transfers = (() => {
    const list = [];
    schedule.steps.forEach((step, k) => {
        const sent = momentOf.get(step[0]),
            got = timed ? momentOf.get(step[0] + flight) : sent;
        for (let at = 1; at < step.length; at += 3) {
            const lane = schedule.lanes.length ? schedule.lanes[k][(at - 1) / 3] : 0;
            const options = schedule.combining.length ? schedule.combining[k][(at - 1) / 3] : 0;
            list.push({
                time: step[0],
                sent,
                got,
                lane,
                received: (options & 1) !== 0,
                replaces: (options & 2) !== 0,
                source: step[at],
                destination: step[at + 1],
                packet: step[at + 2]
            });
        }
    });
    return list;
})();

/* Returns the transfers that are under way in a moment. */
const underWay = (() => {
    const lists = times.map(() => []);
    for (const transfer of transfers)
        for (let m = transfer.sent; m < Math.max(transfer.got, transfer.sent + 1); m++)
            lists[m].push(transfer);
    return lists;
})();

/* held[node]: packet → the first moment in which the node has it, 0 at its source, and at all
 * contributors if the packet is combined. */
const held = Array.from({ length: topology.all }, () => new Map());
const sourceOf = new Map(),
    wantedBy = new Map(),
    contributorsOf = new Map(); // of packets that are combined
for (const [first, last, source, wanted, contributors] of schedule.demands)
    for (let packet = first; packet <= last; packet++) {
        const all = contributors?.length === 0;
        const starts = all ? Array.from({ length: topology.nodes }, (_, k) => k) : contributors;
        for (const node of starts ?? [source]) held[node].set(packet, 0);
        if (starts) contributorsOf.set(packet, new Set(starts));
        sourceOf.set(packet, source);
        wantedBy.set(packet, wanted);
    }
for (const transfer of transfers) {
    const has = held[transfer.destination];
    if (!has.has(transfer.packet)) {
        has.set(transfer.packet, transfer.got);
        transfer.first = true;
    }
}
const isCombined = ({ packet }) => contributorsOf.has(packet);

/* Of a packet that is combined, the last receipt of a node is the one that counts. */
{
    const last = new Map();
    for (const transfer of transfers.filter(isCombined)) {
        transfer.first = false;
        last.set(`${transfer.destination},${transfer.packet}`, transfer);
    }
    for (const transfer of last.values()) transfer.first = true;
}

/* Returns ascending nodes as "0, 2–5". */
function setText(nodes) {
    const sorted = [...nodes].sort((a, b) => a - b),
        parts = [];
    for (let from = 0, to; from < sorted.length; from = to + 1) {
        for (to = from; sorted[to + 1] === sorted[to] + 1; ) to++;
        parts.push(to > from ? `${sorted[from]}–${sorted[to]}` : `${sorted[from]}`);
    }
    return parts.join(", ");
}

/* Finds the contributors of a combined packet that each of its transfers carries (`carries`), and
 * those in the partial result that its destination then has (`makes`). */
const replayed = new Set();
function replay(packet) {
    if (replayed.has(packet)) return;
    replayed.add(packet);
    const own = contributorsOf.get(packet),
        all = new Map([...own].map(node => [node, new Set([node])])),
        got = new Map(),
        list = transfers.filter(transfer => transfer.packet === packet);
    let arrived = 0;
    const arrive = is => {
        for (; arrived < list.length && is(list[arrived]); arrived++) {
            const { destination, carries, replaces } = list[arrived];
            for (const parts of [all, got])
                parts.set(
                    destination,
                    new Set([...(replaces ? [] : (parts.get(destination) ?? [])), ...carries])
                );
            list[arrived].makes = all.get(destination);
        }
    };
    list.forEach(transfer => {
        arrive(({ carries, got }) => carries && got < transfer.sent + (timed ? 1 : 0));
        transfer.carries = (transfer.received ? got : all).get(transfer.source) ?? new Set();
    });
    arrive(() => true);
}

/* Returns the contributors in what a node has of a combined packet in a moment. */
function partialOf(node, packet, moment) {
    replay(packet);
    const last = transfers.findLast(
        transfer =>
            transfer.packet === packet &&
            transfer.destination === node &&
            transfer.got <= moment
    );
    return last?.makes ?? new Set(contributorsOf.get(packet).has(node) ? [node] : []);
}

/* Returns whether a node has a packet in a moment, or the combination of all contributions. */
function hasPacket(node, packet, moment) {
    if (!contributorsOf.has(packet)) return held[node].get(packet) <= moment;
    return partialOf(node, packet, moment).size === contributorsOf.get(packet).size;
}

/* Returns the name of a node in schedules: "5", or "2:1" for a router of a tree. */
const nodeName = (() => {
    let first = topology.nodes,
        count = topology.nodes;
    const routers = [];
    topology.children.forEach((children, k) => {
        count /= children;
        for (let index = 0; index < count; index++) routers[first + index] = `${k + 1}:${index}`;
        first += count;
    });
    return node => routers[node] ?? String(node);
})();

/* Returns "round 4" or "time 5/2". */
function fraction(ticks) {
    const gcd = (a, b) => (b ? gcd(b, a % b) : a),
        by = gcd(ticks, unit) || 1;
    return unit / by === 1 ? String(ticks / by) : `${ticks / by}/${unit / by}`;
}
function timeText(time) {
    if (time < 0 || (time === 0 && !timed)) return "the start";
    return timed ? `time ${fraction(time)}` : `round ${time}`;
}
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/* Returns the first and last cycle of a row, from the spans that the program wrote; twice the end
 * of the run for a row after the last one. */
function cyclesOfRow(row) {
    let before = 0;
    for (const [rows, first, last] of clock.rows) {
        const each = (last - first + 1) / rows,
            from = first + (row - before) * each;
        if (row < before + rows) return [from, from + each - 1];
        before += rows;
    }
    return [clock.end, clock.end];
}

/* Returns the first and last cycle of a moment: those of its round, or, for a time, all cycles up
 * to the next moment; for the last time, when the run is over, its last cycle. Null without a
 * machine. */
function cyclesOf(moment) {
    if (clock === null || moment === 0) return null;
    if (!timed) return cyclesOfRow(times[moment] - 1);
    const next = moment < lastMoment ? cyclesOfRow(times[moment + 1])[0] : clock.end;
    return [Math.min(cyclesOfRow(times[moment])[0], clock.end - 1), next - 1];
}
