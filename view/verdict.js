/* SPDX-License-Identifier: Apache-2.0 */
/* verdict: shows the results of verify and the scoreboard, and the moment of the first failure. */
"use strict";

const ran = report.run_cycles !== undefined && report.run_cycles !== null;
const failure = report.error ?? report.legal ?? null;
const codeText = error =>
    `${error.message} [E${error.code} ${error.name}]` +
    (error.further ? ` (and ${error.further} more)` : "");

/* Finds round, node and packet in a message; null if the message does not name one. */
const failurePlace = (() => {
    if (failure === null) return null;
    const part = pattern => failure.message.match(pattern)?.[1];
    const at = part(/\b(?:round|time) (\d+(?:\/\d+)?)/),
        packet = part(/\bpackets? (\d+)/);
    return {
        moment: at === undefined ? null : momentAt(at),
        node: nodeAt(part(/\bnode (\d+(?::\d+)?)/)),
        packet: packet === undefined ? null : Number(packet)
    };
})();

/* The checks: [what, expected, seen]. The expected cycles come from the clock of the machine
 * (view/data.h), the observed cycles from the engine. */
const checks = ran
    ? [
          ["cycles of the run", clock.end, report.run_cycles],
          ["receipts in their exact cycle", report.expected, report.seen],
          ["receipts of anything else", 0, report.wrong],
          ["nodes and routers with an error flag", 0, report.flags],
          [
              "packets in memory, byte for byte",
              report.packets_checked,
              report.packets_checked - report.packets_corrupt
          ]
      ].concat(
          report.trees === null
              ? []
              : [["trees of the combined packets", report.trees.expected, report.trees.seen]]
      )
    : [];

/* If the data of a page disagree with its report, the page shows that, even if the report shows
 * success. */
const differing = checks.filter(([, expected, seen]) => expected !== seen);

const verdictText = (() => {
    if (failure !== null) return `✗ fails: ${codeText(failure)}`;
    if (differing.length > 0) return `✗ fails: ${differing[0][0]}: not as expected`;
    if (ran) return "✓ every packet arrived in its predicted cycle";
    return "○ keeps the rules of its model; not run";
})();

function showVerdict() {
    byId("title").textContent = document.title = report.title;
    byId("facts").textContent = report.facts;
    const verdict = byId("verdict");
    verdict.textContent = verdictText;
    verdict.className = failure || differing.length ? "bad" : ran ? "good" : "";
    if (failurePlace !== null && failurePlace.moment !== null) {
        const link = element("a", { href: "#" + hashOf({ ...failurePlace }) }, "show it");
        verdict.append(" ", link);
    }
    byId("checks-note").textContent = [
        report.legal
            ? "verify refuses the schedule."
            : "verify: the schedule keeps its model's rules and meets its demand.",
        ran
            ? `Ran on ${report.engine}.`
            : "It was not run: “run --view” and “simulate --view” add what the scoreboard saw."
    ].join(" ");
    if (ran)
        fillTable(
            document.querySelector("#checks table"),
            ["check", "expected", "seen", ""],
            checks.map(([what, expected, seen]) =>
                row(
                    {
                        "data-expected": expected,
                        "data-seen": seen,
                        class: expected === seen ? "good" : "bad"
                    },
                    what,
                    String(expected),
                    String(seen),
                    expected === seen ? "ok" : "WRONG"
                )
            )
        );
    byId("made").textContent = `Roundcast ${report.version} (${report.commit})`;
}
