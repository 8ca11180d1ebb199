/* SPDX-License-Identifier: Apache-2.0 */
/* timeline: the bar that plays, steps and scrubs, and shows the number of transfers in each
 * moment. */
"use strict";

function setUpTimeline() {
    const act = (id, what) => byId(id).addEventListener("click", what);
    act("first", () => stepTo(0));
    act("back", () => stepTo(look.moment - 1));
    act("play", togglePlay);
    act("next", () => stepTo(look.moment + 1));
    act("last", () => stepTo(lastMoment));
    byId("scrub").max = lastMoment;
    byId("scrub").parentElement.style.setProperty("--moments", lastMoment + 1);
    byId("scrub").addEventListener("input", event => stepTo(Number(event.target.value)));
    byId("unit").addEventListener("change", showTimeline);
    if (clock === null) byId("unit").parentElement.hidden = true;
    byId("speed").addEventListener("change", () => {
        if (timer !== null) {
            pause();
            play();
        }
    });
    byId("node").max = topology.all - 1;
    byId("packet").max = schedule.packets;
    for (const id of ["node", "packet"])
        byId(id).addEventListener("input", event =>
            lookAt({ [id]: event.target.value === "" ? null : Number(event.target.value) })
        );
    drawActivity();
}

/* Draws a bar for each moment, at its position on the slider, whose height is the number of
 * transfers under way; a frame marks the first failure of the run. */
function drawActivity() {
    const svg = byId("activity"),
        high = 34,
        most = Math.max(1, ...underWay.map(list => list.length));
    svg.setAttribute("viewBox", `-0.5 0 ${lastMoment + 1} ${high}`);
    svg.setAttribute("preserveAspectRatio", "none");
    underWay.forEach((list, moment) =>
        svg.append(
            drawn("rect", {
                x: moment - 0.42,
                width: 0.84,
                y: high - (high * list.length) / most,
                height: (high * list.length) / most,
                "data-moment": moment,
                "data-count": list.length
            })
        )
    );
    if (failurePlace !== null && failurePlace.moment !== null)
        svg.append(
            drawn("rect", {
                class: "failure",
                x: failurePlace.moment - 0.5,
                width: 1,
                y: 0,
                height: high
            })
        );
}

function nowText() {
    const moment = look.moment,
        cycles = cyclesOf(moment);
    const whole = timed ? fraction(schedule.end) : schedule.end;
    const words = moment === 0 ? "the start" : `${timeText(times[moment])} of ${whole}`;
    if (byId("unit").value !== "cycle" || cycles === null) return words;
    return `cycles ${cycles[0]} … ${cycles[1]} of 0 … ${clock.end - 1}`;
}

function showTimeline() {
    const moment = look.moment;
    byId("scrub").value = moment;
    byId("scrub").setAttribute("aria-valuetext", nowText());
    const now = byId("now");
    now.textContent =
        nowText() +
        (failurePlace?.moment === moment && moment > 0 ? " · the first failure is here ✗" : "");
    now.dataset.moment = moment;
    now.dataset.time = times[moment];
    now.dataset.cycles = cyclesOf(moment) ?? "";
    now.dataset.received = transfers.filter(({ got }) => got <= moment).length;
    now.setAttribute("aria-live", timer === null ? "polite" : "off");
    byId("play").textContent = timer === null ? "▶ play" : "⏸ pause";
    byId("play").setAttribute("aria-label", timer === null ? "play" : "pause");
    for (const id of ["node", "packet"])
        if (document.activeElement !== byId(id)) byId(id).value = look[id] ?? "";
    for (const bar of byId("activity").children)
        bar.classList.toggle("past", Number(bar.dataset.moment) <= moment);
}
