/* SPDX-License-Identifier: Apache-2.0 */
/* network: draws the network or topology of the schedule. */
"use strict";

/* Creates the head of an arrow, in the colour of its line. */
function arrowMarker() {
    return drawn(
        "defs",
        {},
        drawn(
            "marker",
            {
                id: "arrow",
                viewBox: "0 0 8 8",
                refX: 5,
                refY: 4,
                markerWidth: 5,
                markerHeight: 5,
                orient: "auto"
            },
            drawn("path", { d: "M0 0L8 4L0 8z", fill: "context-stroke" })
        )
    );
}

/* Wide drawings use the full width of the page. */
document.body.classList.toggle(
    "wide",
    multistage !== null
        ? network.stages.length > 11
        : topology.kind !== "complete" && topology.nodes > 32
);

function showNetwork() {
    const kind = multistage ?? tree ?? cube ?? complete;
    const note = kind.draw(document.querySelector("#network .scroll"));
    byId("network-note").textContent = kind.about + note;
}
document.querySelector("#network").addEventListener("click", event => {
    const unit = event.target.closest("[data-node]");
    if (unit) lookAt({ node: Number(unit.dataset.node) });
});
