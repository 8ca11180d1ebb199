# SPDX-License-Identifier: Apache-2.0
"""check_pages: do pages show what their schedules, and the scoreboard, say?

Reads lines "PAGE SCHEDULE REPORT [IMAGE]" (`-`: was not run), and "index… TITLE…", from standard
input and prints for each the page and "holds", or what it shows that it should not. One Chromium
opens them all, from files. What is expected is read here, from the schedule and the report of
`--json`, and, for the settings of a Beneš network, by tests/readers/image.awk; what is shown is
what stands in the page's elements, never its data.
"""

import json
import os
import re
import subprocess
import sys
import time

from browser import address, browser
from schedule import Schedule, ranges
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

MOST_MOMENTS = 6  # that are compared of a page
OPEN_SECONDS = 10  # a loaded machine is slow

CIRCUITS = """return [...document.querySelectorAll(arguments[0])].map(({dataset: d, classList}) =>
    [d.source, d.destination, d.packet, d.lanes ?? null, classList.contains("astray")])"""
ROWS = """return [...document.querySelectorAll(arguments[0] + " tbody tr")].map(row =>
    [...row.cells].map(cell => cell.textContent))"""


SWITCHES = """return [...document.querySelectorAll("#network .wire")].map(({dataset: d}) =>
    [d.stage, d.switch, d.setting])"""
MIDDLE = """const svg = document.querySelector("#spread svg");
    svg.scrollIntoView({ block: "center" });
    const box = svg.getBoundingClientRect();
    return [box.left, box.top, box.width, box.height]"""
PLAY = """document.getElementById("speed").value = "80";
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    return document.getElementById("play").textContent"""


class Wrong(Exception):
    """What the page shows that it should not."""


def expect(what, seen, expected):
    if seen != expected:
        raise Wrong(f"{what}: shows {str(seen)[:200]}; expected {str(expected)[:200]}")


class Page:
    def __init__(self, driver, path):
        self.driver, self.path = driver, path
        self.keys = driver.find_element(By.TAG_NAME, "body").send_keys

    def now(self):
        return self.driver.execute_script("return {...document.getElementById('now').dataset}")

    def moment(self):
        return int(self.now()["moment"])

    def rows(self, section):
        return self.driver.execute_script(ROWS, section)

    def text(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def point(self, x, y):
        actions = ActionBuilder(self.driver)
        actions.pointer_action.move_to_location(int(x), int(y))
        actions.perform()

    def attribute(self, selector, name):
        return self.driver.find_element(By.CSS_SELECTOR, selector).get_attribute(name)

    def scrub(self, moment):
        self.driver.execute_script(
            "const scrub = document.getElementById('scrub'); scrub.value = arguments[0];"
            "scrub.dispatchEvent(new Event('input'))",
            moment,
        )


def open_page(driver, path):
    driver.get_log("browser")
    driver.get_log("performance")
    driver.get("about:blank")
    begun = time.monotonic()
    driver.get(address(path))
    seconds = time.monotonic() - begun
    ready = driver.execute_script("return document.body.dataset.ready")
    errors = [entry["message"] for entry in driver.get_log("browser")]
    expect("the console", (ready, errors), ("yes", []))
    if seconds > OPEN_SECONDS:
        raise Wrong(f"takes {seconds:.1f} s to open")
    return seconds


def loaded(driver):
    """What the browser asked for: files and addresses."""
    events = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    sent = (e["params"] for e in events if e["method"] == "Network.requestWillBeSent")
    requests = (parameters["request"]["url"] for parameters in sent)
    return {url.split("#")[0] for url in requests if not url.startswith(("data:", "about:"))}


def check_settings(page, image, row):
    """Is each switch crossed, or straight, as in the image?"""
    reader = os.path.join(os.path.dirname(__file__), "../readers/image.awk")
    printed = subprocess.run(
        ["awk", "-f", reader], input=f"{image} {row}\n", check=True, capture_output=True, text=True
    ).stdout
    stages = re.findall(r"# stage (\d+) ([01]+)", printed)
    names = {"0": "straight", "1": "crossed"}
    expected = {(s, str(k)): names[bit] for s, bits in stages for k, bit in enumerate(bits)}
    seen = {(s, k): setting for s, k, setting in page.driver.execute_script(SWITCHES)}
    expect(f"the switches of row {row}", seen, expected)


def check_contributors(schedule, moment, rows):
    """The contributors that the transfers of a round carry."""
    expected = {
        (source, destination, packet): ranges(nodes)
        for (time, source, destination, packet), nodes in schedule.carried().items()
        if time == moment
    }
    seen = {(r[0], r[1], int(r[2])): r[3].partition(", re")[0] for r in rows if r[3]}
    expect(f"the contributors at {moment}", seen, expected)


def check_moment(page, schedule, moments, k, fails):
    moment = moments[k - 1]
    unit = schedule.flight.denominator if schedule.timed else 1
    expect("the moment", int(page.now()["time"]), int(moment * unit))
    expected = schedule.under_way(moment)
    rows = page.rows("#transfers")
    seen = sorted((row[0], row[1], int(row[2])) for row in rows)
    expect(f"the table at {moment}", seen, expected)
    if schedule.combined and not schedule.timed:
        check_contributors(schedule, moment, rows)
    received = len(schedule.received(moment))
    expect(f"receipts up to {moment}", int(page.now()["received"]), received)
    circuits = page.driver.execute_script(CIRCUITS, "#network .circuit")
    named = [(*(schedule.names[int(node)] for node in c[:2]), *c[2:]) for c in circuits]
    shown = {(source, destination, packet) for source, destination, packet, *_ in named}
    bundled = page.driver.find_elements(By.CSS_SELECTOR, "#network .bundle")
    stages = page.driver.find_elements(By.CSS_SELECTOR, "#network .multistage")
    drawn = schedule.leaving(moment) if stages else {(s, d, str(p)) for s, d, p in expected}
    if bundled:
        expect(f"the lens at {moment}", shown - drawn, set())
    else:
        expect(f"the network at {moment}", shown, drawn)
    for source, destination, packet, lanes, astray in named:
        if lanes is not None:
            lost = (lanes.split()[0], lanes.split()[-1]) != (source, destination)
            which = f"the lanes of packet {packet} at {moment}"
            expect(which, (lost, astray), (lost and fails,) * 2)


def check_spread(page, schedule, moments):
    """Cells of nodes × rounds: a path for each packet, of rectangles from a corner on."""
    names = [b.text for b in page.driver.find_elements(By.CSS_SELECTOR, "#spread-views button")]
    expect("the first picture", names[0] in ("nodes × rounds", "nodes × times"), True)
    page.driver.find_elements(By.CSS_SELECTOR, "#spread-views button")[0].click()
    box = ("x", "y", "width", "height")
    paper = [float(page.attribute("#spread .paper", name)) for name in box]
    count = len(schedule.names)
    paths = page.driver.execute_script(
        "return [...document.querySelectorAll('#spread .cell')].map(cell =>"
        "[cell.dataset.packet, cell.getAttribute('d')])"
    )
    seen = []
    for packet, d in paths:
        for x, y in re.findall(r"M([\d.]+) ([\d.]+)h", d):
            column = int((float(x) - paper[0]) / paper[2] * len(moments) + 1e-3)
            node = int((float(y) - paper[1]) / paper[3] * count + 1e-3)
            seen.append((schedule.names[node], int(packet), moments[column]))
    expect("the spread", sorted(seen), sorted(schedule.received(moments[-1])))
    if count <= 64:
        check_pointer(page, schedule, paths)


def check_pointer(page, schedule, paths):
    """The cell in the middle names its receipt, and shows the tree of its packet."""
    left, top, width, height = page.driver.execute_script(MIDDLE)
    cells = []  # how far from the middle, where, the packet
    for packet, d in paths:
        for corner in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)", d):
            x, y, wide, high = (float(part) for part in corner)
            x, y = x + wide / 2, y + high / 2
            cells.append((abs(x - width / 2) + abs(y - height / 2), x + left, y + top, packet))
    _, x, y, packet = min(cells)
    page.point(x, y)
    told = f"receives packet {packet} from" in page.text("#spread-note")
    expect("the note of a cell", told, True)
    received = schedule.received(schedule.moments()[-1])
    receivers = {node for node, of, _ in received if of == int(packet)}
    edges = len(receivers - schedule.starts[int(packet)])
    if int(packet) in schedule.combined:
        edges = sum(1 for _, of, _ in received if of == int(packet))
    expect("the tree of a packet", page.attribute("#spread .packet-tree", "data-edges"), str(edges))
    page.point(0, 0)
    expect("no tree", page.driver.find_elements(By.CSS_SELECTOR, "#spread .packet-tree"), [])


def check_walk(page, schedule, moments, fails, image):
    """Keys, the slider, playing, and an address that names a moment."""
    last = len(moments)
    page.keys(Keys.HOME)
    expect("the start", page.moment(), 0)
    page.keys(Keys.ARROW_RIGHT)
    expect("a step", page.moment(), 1)
    for k in sorted({1 + (last - 1) * part // (MOST_MOMENTS - 1) for part in range(MOST_MOMENTS)}):
        page.scrub(k)
        check_moment(page, schedule, moments, k, fails)
        if image is not None:
            check_settings(page, image, k - 1)
    page.keys(Keys.END)
    expect("the last receipt", int(page.now()["received"]), len(schedule.received(moments[-1])))
    page.scrub(max(0, last - 2))
    expect("the button", page.driver.execute_script(PLAY), "⏸ pause")
    end = time.monotonic() + OPEN_SECONDS
    while page.moment() < last and time.monotonic() < end:
        time.sleep(0.05)
    expect("playing", page.moment(), last)
    middle, word = moments[last // 2], "time" if schedule.timed else "round"
    page.driver.get(address(page.path, f"{word}={middle}&node=1"))
    expect("the address", page.moment(), last // 2 + 1)
    holds = page.attribute("#one-note", "data-holds")
    expect("what node 1 has", int(holds), schedule.holds("1", middle))


def check_report(page, report):
    verdict = page.text("#verdict")
    if report is None:
        expect("the verdict", verdict[0], "○")
        return
    error = report["error"]
    expect("the verdict", verdict[0], "✓" if error is None else "✗")
    if error is not None:
        expect("the first failure", error["message"] in verdict, True)
        expect("its code", f"[E{error['code']} {error['name']}]" in verdict, True)
        moment = re.search(r"(round|time) [\d/]+", error["message"])[0].replace(" ", "=")
        expect("its moment", f"#{moment}&" in page.attribute("#verdict a", "href"), True)
    checked, corrupt = report["packets_checked"], report["packets_corrupt"]
    seen = [row[2] for row in page.rows("#checks")]
    expected = [report[key] for key in ("run_cycles", "seen", "wrong", "flags")]
    expected.append(checked - corrupt)
    if report["trees"] is not None:
        expected.append(report["trees"]["seen"])
    expect("what was checked", seen, [str(number) for number in expected])
    rows = page.rows("#checks")
    expect("what was expected", rows[1][1], str(report["expected"]))
    if error is None:
        expect("the cycles that were expected", rows[0][1], str(report["run_cycles"]))


def check(driver, path, schedule_path, report_path, image=None):
    schedule = Schedule(schedule_path)
    report = None if report_path == "-" else json.load(open(report_path, encoding="utf-8"))
    seconds = open_page(driver, path)
    expect("what is loaded", loaded(driver), {address(path)})
    page, moments = Page(driver, path), schedule.moments()
    check_report(page, report)
    check_spread(page, schedule, moments)
    fails = report is not None and report["error"] is not None
    check_walk(page, schedule, moments, fails, image)
    errors = [entry["message"] for entry in driver.get_log("browser")]
    expect("the console", errors, [])
    return f"holds, {os.path.getsize(path) // 1000} kB, opened in {seconds:.2f} s"


def check_index(driver, path, *titles):
    """Its links lead to pages of these titles."""
    driver.get(address(path))
    links = [link.get_attribute("href") for link in driver.find_elements(By.CSS_SELECTOR, "li a")]
    seen = []
    for link in links:
        driver.get(link)
        seen.append(driver.title)
    expect("the titles of pages", [title.partition(":")[0] for title in seen], list(titles))
    expect("the console", [entry["message"] for entry in driver.get_log("browser")], [])
    return "holds"


driver = browser()
try:
    for line in sys.stdin:
        try:
            index = line.startswith("index")
            verdict = (check_index if index else check)(driver, *line.split())
        except Wrong as wrong:
            verdict = str(wrong)
        print(f"{os.path.basename(line.split()[0])}: {verdict}", flush=True)
finally:
    driver.quit()
