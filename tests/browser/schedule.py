# SPDX-License-Identifier: Apache-2.0
"""schedule: a reader of schedules, from docs/formats.md alone: what a page must show."""

from fractions import Fraction
from math import prod


def names(kind, numbers):
    """Of all nodes, "5", or "2:1" for a router of a tree, level by level."""
    if kind != "tree":
        count = int(numbers[0]) if kind == "complete" else 2 ** int(numbers[0])
        return [str(node) for node in range(count)]
    children = [int(number) for number in numbers[: numbers.index("capacity")]]
    count = prod(children)
    found = [str(leaf) for leaf in range(count)]
    for level, each in enumerate(children, 1):
        count //= each
        found += [f"{level}:{index}" for index in range(count)]
    return found


class Schedule:
    """Nodes are the names that the file has."""

    def __init__(self, path):
        self.steps = []  # (time, [(source, destination, packet, lane)])
        self.timed, self.flight = False, Fraction(0)
        self.starts = {}  # packet: nodes
        self.combined = set()  # packets
        self.options = {}  # (time, source, destination, packet): words
        for line in open(path, encoding="utf-8", errors="replace"):
            words = line.split("#")[0].split()
            if words:
                self._line(words)

    def _line(self, words):
        if words[0] == "topology":
            self.kind, self.names = words[1], names(words[1], words[2:])
        elif words[0] == "model" and words[1].endswith("postal"):
            self.timed, self.flight = True, Fraction(words[2])
        elif words[0] in ("demand", "control"):
            first, _, last = words[1].partition("-")
            for packet in range(int(first), int(last or first) + 1):
                self.starts[packet] = {words[2]}
        elif words[0] == "reduce":
            first, _, last = words[1].partition("-")
            leaves = [name for name in self.names if ":" not in name]
            for packet in range(int(first), int(last or first) + 1):
                self.starts[packet] = set(leaves if words[3] == "*" else words[3].split(","))
                self.combined.add(packet)
        elif words[0] in ("round", "time"):
            self.steps.append((Fraction(words[1]), []))
        elif words[0][0].isdigit():
            source, destination = (node.removeprefix("0:") for node in words[:2])
            lane = int(words[3]) if len(words) > 3 and words[3].isdigit() else 0
            self.steps[-1][1].append((source, destination, int(words[2]), lane))
            time = self.steps[-1][0]
            self.options[time, source, destination, int(words[2])] = words[3:]
        elif words[0] == "end":
            self.end = Fraction(words[1])

    def moments(self):
        """All rounds, or all times at which something leaves or arrives."""
        if not self.timed:
            return [Fraction(time) for time in range(1, int(self.end) + 1)]
        times = {time for time, _ in self.steps}
        return sorted(times | {time + self.flight for time in times})

    def under_way(self, moment):
        """Transfers that have left and are not there before the moment ends."""
        return sorted(
            (source, destination, packet)
            for time, transfers in self.steps
            if time == moment or (self.timed and time < moment < time + self.flight)
            for source, destination, packet, _ in transfers
        )

    def leaving(self, moment):
        """Transfers whose flits leave in a moment: in a model with times, for a unit of time."""
        return {
            (source, destination, str(packet))
            for time, transfers in self.steps
            if time == moment or (self.timed and time < moment < time + 1)
            for source, destination, packet, _ in transfers
        }

    def received(self, moment):
        """(node, packet, moment of the receipt) of all receipts up to a moment."""
        return [
            (destination, packet, time + self.flight)
            for time, transfers in self.steps
            if time + self.flight <= moment
            for _, destination, packet, _ in transfers
        ]

    def holds(self, node, moment):
        """How many packets a node has then."""
        own = {packet for packet, nodes in self.starts.items() if node in nodes}
        return len(own | {packet for at, packet, _ in self.received(moment) if at == node})

    def carried(self):
        """{(time, source, destination, packet): contributors} of all combined transfers."""
        found, under_way = {}, []  # (when it counts, node, packet, contributors, replaces)
        whole = {(n, p): {n} for p in self.combined for n in self.starts[p]}
        received = {}
        for time, transfers in self.steps:
            for arrival in [a for a in under_way if a[0] <= time]:
                under_way.remove(arrival)
                _, node, packet, nodes, replaces = arrival
                for has in whole, received:
                    before = set() if replaces else has.get((node, packet), set())
                    has[node, packet] = before | nodes
            for source, destination, packet, _ in transfers:
                if packet in self.combined:
                    options = self.options[time, source, destination, packet]
                    has = received if "received" in options else whole
                    nodes = set(has[source, packet])
                    found[time, source, destination, packet] = nodes
                    counts = time + (self.flight if self.timed else 1)
                    replaces = "replace" in options
                    under_way.append((counts, destination, packet, nodes, replaces))
        return found


def ranges(nodes):
    """Nodes as "0, 2–5"."""
    parts, left = [], sorted(int(node) for node in nodes)
    while left:
        last = left[0]
        while last + 1 in left:
            last += 1
        parts.append(f"{left[0]}–{last}" if last > left[0] else str(last))
        left = [node for node in left if node > last]
    return ", ".join(parts)
