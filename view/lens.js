/* SPDX-License-Identifier: Apache-2.0 */
/* lens: a scale on which some of many places have room, those around the node that was chosen, and
 * the others share what is left, in bands. Drawings of few places have them all in the lens. */
"use strict";

/* lens(count, few, room, wide, at): `count` places; up to `few` of them stand side by side, each
 * `wide`. Of more, a window of about few/4 around place `at` does, and the others are squeezed into
 * the rest of `room`. Has
 *
 *     room          of all
 *     place(k)      the middle of place k
 *     band(k)       the first place of its band; k itself within the window
 *     clear(k)      is it in the window?
 */
function lens(count, few, room, wide, at) {
    if (count <= few)
        return {
            whole: true,
            room: count * wide,
            from: 0,
            to: count,
            place: k => (k + 0.5) * wide,
            band: k => k,
            clear: () => true
        };
    const window = Math.floor(few / 4);
    const from = clamp(Math.floor(at - window / 2), 0, count - window),
        to = from + window;
    const thin = (room - window * wide) / (count - window),
        size = Math.ceil(8 / thin);
    const edge = k =>
        Math.min(k, from) * thin + clamp(k - from, 0, window) * wide + Math.max(k - to, 0) * thin;
    const clear = k => k >= from && k < to;
    return {
        whole: false,
        room,
        from,
        to,
        size,
        clear,
        place: k => (edge(k) + edge(k + 1)) / 2,
        band: k => (clear(k) ? k : k - (k % size))
    };
}

/* Places without a window: all share the room. */
const squeezed = (count, room) => {
    const thin = room / count,
        size = Math.ceil(8 / thin);
    return {
        whole: false,
        room,
        place: k => (k + 0.5) * thin,
        band: k => k - (k % size),
        clear: () => false
    };
};

/* The text of a drawing about its lens. */
const lensNote = (scale, noun) =>
    scale.whole
        ? ""
        : ` The lens shows ${noun} ${scale.from} … ${scale.to - 1} one by one; the others are ` +
          `in bands of ${scale.size}, whose circuits are drawn together. Choose a node to move it.`;
