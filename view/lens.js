/* SPDX-License-Identifier: Apache-2.0 */
/* lens: a scale that gives full width to the places around the selected node; the other places
 * share the remaining room, in bands. If there are few places, all are in the lens. */
"use strict";

/* lens(count, few, room, wide, at): a scale of `count` places. Up to `few` places are side by side,
 * each `wide`. If there are more, a window of about few/4 places around place `at` has this width,
 * and the others are squeezed into the rest of `room`. It has
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

/* Returns a scale of places without a window, which share the room equally. */
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

/* Returns the text of a drawing about its lens. */
const lensNote = (scale, noun) =>
    scale.whole
        ? ""
        : ` The lens shows ${noun} ${scale.from} … ${scale.to - 1} one by one; the others are ` +
          `in bands of ${scale.size}, whose circuits are drawn together. Choose a node to move it.`;
