// SPDX-License-Identifier: Apache-2.0
// replay_pages: checks that a page shows the content of the report of its run.
//
// Reads lines of JSON from standard input and prints one line for each: "holds", or what the page
// shows that it should not.
//
//     {"page": file, "report": output of `run --json`} {…, "change": [[text, other], …]} the page
//     with other texts; the page must contain all of them {…, "from": file} the page with the
//     report of another page
//
// The scripts of a page run in node on the document of dom.js. The comparison reads the elements of
// the page, not its data, except for the demands, which test_view compares with the schedule. The
// cycles of each round follow from the report alone: rounds of `row_cycles` cycles, `changes` waits
// of `reconfigure` cycles before some of them, and no cycle after the last one.
"use strict";

const fs = require("fs");
const vm = require("vm");
const readline = require("readline");
const { open } = require("./dom.js");

class Wrong extends Error {}

function expect(what, seen, expected) {
    if (String(seen) !== String(expected))
        throw new Wrong(`${what}: shows ${seen}; expected ${expected}`);
}

const REPORT = /<script type="application\/json" id="report">.*?<\/script>/s;

function textOf({ page, change = [], from }) {
    let html = fs.readFileSync(page, "utf8");
    if (from !== undefined)
        html = html.replace(REPORT, () => fs.readFileSync(from, "utf8").match(REPORT)[0]);
    for (const [text, other] of change) {
        if (!html.includes(text)) throw new Error(`${page}: no "${text}" to be changed`);
        html = html.replace(text, () => other);
    }
    return html;
}

// Scripts are the same in most pages: each is compiled once.
const compiled = new Map();

function run(html) {
    const document = open(html);
    const script = document.querySelectorAll("script").at(-1).textContent;
    if (!compiled.has(script)) compiled.set(script, new vm.Script(script));
    const noTimer = () => null;
    compiled.get(script).runInContext(
        vm.createContext({
            document,
            location: { hash: "" },
            history: { replaceState() {} },
            addEventListener() {},
            setInterval: noTimer,
            clearInterval: noTimer,
            atob,
            URLSearchParams
        })
    );
    expect("the page", document.body.dataset.ready, "yes");
    return document;
}

function checkVerdict(document, report) {
    const rows = document.querySelectorAll("#checks tr").slice(1);
    const cells = rows.map(row => row.children.map(cell => cell.textContent));
    const cycles = report.run_cycles;
    expect("cycles of the run", cells[0].slice(1), [cycles, cycles, "ok"]);
    expect("receipts", cells[1].slice(1, 3), [report.expected, report.seen]);
    for (const [what, , , verdict] of cells) expect(what, verdict, "ok");
    expect("the checks", cells.length, 5);
    expect("the verdict", document.getElementById("verdict").textContent[0], "✓");
}

// Moments from the first to the last, and the cycles of each.
function walk(document) {
    const [unit, now, next, first] = ["unit", "now", "next", "first"].map(id =>
        document.getElementById(id)
    );
    const moments = [];
    unit.value = "cycle";
    unit.emit("change");
    first.emit("click");
    for (let k = 1; k <= Number(document.getElementById("scrub").max); k++) {
        next.emit("click");
        const match = now.textContent.match(/^cycles (\d+) … (\d+) of 0 … (\d+)$/);
        if (match === null) throw new Wrong(`moment ${k}: shows ${now.textContent}`);
        moments.push({ time: Number(now.dataset.time), cycles: match.slice(1).map(Number) });
        expect("the moment", now.dataset.moment, k);
    }
    return moments;
}

function checkCycles(moments, report) {
    const timed = report.rounds === null,
        end = report.run_cycles - 1;
    let before = -1,
        waits = 0;
    moments.forEach(({ time, cycles: [from, to, last] }, k) => {
        expect("the last cycle", last, end);
        if (from > to || to > end) throw new Wrong(`cycles ${from} … ${to} of 0 … ${end}`);
        if (timed) {
            expect(`the cycle of tick ${time}`, from, Math.min(time * report.row_cycles, end));
        } else {
            expect(`the cycles of round ${k + 1}`, to - from + 1, report.row_cycles);
            const wait = from - before - 1;
            if (wait !== 0) expect(`the wait before round ${k + 1}`, wait, report.reconfigure);
            waits += wait;
        }
        before = to;
    });
    if (moments.length > 0) expect("the end", before, end);
    if (timed) return;
    expect("the rounds", moments.length, report.rounds);
    expect("cycles of waiting", waits, (report.changes ?? 0) * (report.reconfigure ?? 0));
}

// Nodes × packets: what stands there from the start is what sources hold; what stands there at the
// end has all that is wanted.
function checkHeld(document, moments) {
    const { schedule } = JSON.parse(document.getElementById("data").textContent);
    const buttons = document.querySelectorAll("#spread-views button");
    buttons.find(button => button.textContent === "nodes × packets").emit("click");
    const svg = document.querySelector("#spread svg"),
        number = (element, name) => Number(element.getAttribute(name));
    const paper = svg.querySelector(".paper");
    const shown = () => {
        const cells = new Set();
        const paths = svg.querySelectorAll(".cell");
        for (const path of paths.filter(cell => !cell.classList.contains("later")))
            for (const [, x, y] of path.getAttribute("d").matchAll(/M([\d.]+) ([\d.]+)h/g)) {
                const across = (x - number(paper, "x")) / number(paper, "width"),
                    down = (y - number(paper, "y")) / number(paper, "height");
                const node = Math.floor(down * schedule.topology.all + 1e-3);
                cells.add(`${node} ${1 + Math.floor(across * schedule.packets + 1e-3)}`);
            }
        return cells;
    };
    const sources = new Set(),
        wanted = new Set();
    for (const [first, last, source, nodes, contributors] of schedule.demands)
        for (let packet = first; packet <= last; packet++) {
            const leaves = [...Array(schedule.topology.nodes).keys()];
            const starts = contributors?.length === 0 ? leaves : (contributors ?? [source]);
            starts.forEach(node => sources.add(`${node} ${packet}`));
            const all = nodes.length > 0 ? nodes : leaves;
            all.forEach(node => wanted.add(`${node} ${packet}`));
        }
    document.getElementById("first").emit("click");
    expect("what sources hold", [...shown()].sort(), [...sources].sort());
    document.getElementById("last").emit("click");
    const had = shown();
    expect("what is missing at the end", [...wanted].filter(pair => !had.has(pair)), []);
    if (moments.length > 0) expect("the last moment", svg.querySelectorAll(".later").length, 0);
}

function check(line) {
    const document = run(textOf(line)),
        { report } = line;
    checkVerdict(document, report);
    const moments = walk(document);
    checkCycles(moments, report);
    checkHeld(document, moments);
    return "holds";
}

readline.createInterface({ input: process.stdin }).on("line", line => {
    let verdict;
    try {
        verdict = check(JSON.parse(line));
    } catch (error) {
        verdict = error instanceof Wrong ? error.message : `does not run: ${error.stack}`;
    }
    console.log(verdict.replaceAll("\n", " "));
});
