# SPDX-License-Identifier: Apache-2.0
"""Finds the fewest steps of a collective in a small tree with the SAT solver CaDiCaL.

    tree_optima.py exchange|queue-free CHILDREN CAPACITIES STEPS FILE

Writes a schedule of so many steps to FILE and prints "found", or prints "none" if no schedule
exists. The encoding shares no code with the product, and `roundcast verify` checks what is found.

exchange      A packet follows the path between its leaves. done[j, t]: it has crossed branch number
              j of its path by the end of step t. A branch carries c packets in a step.
queue-free    The all-gather in which a router sends a packet only in the step after it came.
              x[p, u, v, t]: packet p crosses the branch from u to v in step t.
"""
import itertools
import subprocess
import sys


class Formula:
    def __init__(self):
        self.count = 0
        self.clauses = []

    def variable(self):
        self.count += 1
        return self.count

    def add(self, *literals):
        self.clauses.append(literals)

    def at_most(self, literals, most):
        """Sequential counter (Sinz): row[j] is true if more than j of the literals so far are."""
        if len(literals) <= most:
            return
        before = None
        for literal in literals:
            row = [self.variable() for _ in range(most)]
            self.add(-literal, row[0])
            if before is not None:
                self.add(-literal, -before[-1])
                for j in range(most):
                    self.add(-before[j], row[j])
                for j in range(1, most):
                    self.add(-literal, -before[j - 1], row[j])
            before = row

    def solve(self):
        """Returns the true variables, or None if there is no solution."""
        text = [f"p cnf {self.count} {len(self.clauses)}\n"]
        text += [" ".join(map(str, clause)) + " 0\n" for clause in self.clauses]
        run = subprocess.run(["cadical", "-q"], input="".join(text), capture_output=True, text=True)
        if run.returncode == 20:
            return None
        assert run.returncode == 10, run
        lines = [line[2:] for line in run.stdout.splitlines() if line.startswith("v ")]
        return {int(word) for line in lines for word in line.split() if int(word) > 0}


class Tree:
    def __init__(self, children, capacity):
        self.children, self.capacity = children, capacity
        self.leaves = 1
        for k in children:
            self.leaves *= k
        self.parent, self.level, self.name = {}, {}, {}
        first, count = 0, self.leaves
        for level in range(len(children) + 1):
            for index in range(count):
                node = first + index
                self.level[node] = level
                self.name[node] = str(node) if level == 0 else f"{level}:{index}"
                if level < len(children):
                    self.parent[node] = first + count + index // children[level]
            first += count
            count = count // children[level] if level < len(children) else 0
        self.all = first

    def lanes(self, u, v):
        return self.capacity[max(self.level[u], self.level[v]) - 1]

    def neighbours(self, u):
        up = [self.parent[u]] if u in self.parent else []
        return up + [v for v, parent in self.parent.items() if parent == u]

    def path(self, a, b):
        up, down = [a], [b]
        while up[-1] != down[-1]:
            up.append(self.parent[up[-1]])
            down.append(self.parent[down[-1]])
        return up + down[-2::-1]


def exchange(tree, steps):
    """The packets, as (source, destination), and their crossings (step, u, v, packet), or None."""
    formula, crossing, packets = Formula(), {}, []
    for a, b in itertools.permutations(range(tree.leaves), 2):
        path = tree.path(a, b)
        hops = len(path) - 1
        packets.append((a, b))
        done = {}
        for j in range(hops):
            first, last = j + 1, steps - (hops - 1 - j)
            if last < first:
                return packets, None
            for t in range(first, last):
                done[j, t] = formula.variable()
            for t in range(first, last - 1):
                formula.add(-done[j, t], done[j, t + 1])
            for t in range(first, last + 1):
                crosses = formula.variable()
                clause = [crosses]
                clause += [-done[j, t]] if t < last else []
                clause += [done[j, t - 1]] if t > first else []
                formula.add(*clause)
                # and only then
                if t < last:
                    formula.add(-crosses, done[j, t])
                if t > first:
                    formula.add(-crosses, -done[j, t - 1])
                crossing[t, path[j], path[j + 1], len(packets)] = crosses
        for j in range(1, hops):
            for t in range(j + 1, steps - (hops - 1 - j)):
                if (j - 1, t - 1) in done:
                    formula.add(-done[j, t], done[j - 1, t - 1])
            last = steps - (hops - 1 - j)
            if (j - 1, last - 1) in done:
                formula.add(done[j - 1, last - 1])
    share(tree, formula, crossing)
    return packets, found(formula, crossing)


def queue_free(tree, steps):
    formula, crossing = Formula(), {}
    for p in range(tree.leaves):
        for u in range(tree.all):
            for v in tree.neighbours(u):
                if (u >= tree.leaves or u == p) and v != p:
                    for t in range(1, steps + 1):
                        crossing[t, u, v, p + 1] = formula.variable()
    for (t, u, v, packet), variable in crossing.items():
        if u >= tree.leaves:
            came = [(t - 1, w, u, packet) for w in tree.neighbours(u) if w != v]
            formula.add(-variable, *[crossing[key] for key in came if key in crossing])
    for p, q in itertools.permutations(range(tree.leaves), 2):
        receipts = [crossing[t, tree.parent[q], q, p + 1] for t in range(1, steps + 1)]
        formula.add(*receipts)
        formula.at_most(receipts, 1)
    share(tree, formula, crossing)
    return [(p, None) for p in range(tree.leaves)], found(formula, crossing)


def share(tree, formula, crossing):
    together = {}
    for (t, u, v, _), variable in crossing.items():
        together.setdefault((t, u, v), []).append(variable)
    for (_, u, v), variables in together.items():
        formula.at_most(variables, tree.lanes(u, v))


def found(formula, crossing):
    true = formula.solve()
    if true is None:
        return None
    return sorted(k for k, variable in crossing.items() if variable in true)


def write(tree, packets, sends, steps, path):
    with open(path, "w", encoding="utf-8") as file:
        words = [*map(str, tree.children), "capacity", *map(str, tree.capacity)]
        print("roundcast-schedule 1\nalgorithm optimum\ntopology tree", *words, file=file)
        print("model multiport", file=file)
        for number, (a, b) in enumerate(packets, 1):
            print("demand", number, a, "*" if b is None else b, file=file)
        for t, of_step in itertools.groupby(sends, key=lambda send: send[0]):
            print("round", t, file=file)
            lane = {}
            for _, u, v, packet in of_step:
                lane[u, v] = lane.get((u, v), -1) + 1
                print(tree.name[u], tree.name[v], packet, lane[u, v], file=file)
        print("end", steps, file=file)


def main():
    kind, children, capacity, steps, path = sys.argv[1:]
    tree = Tree([int(k) for k in children.split(",")], [int(c) for c in capacity.split(",")])
    solve = {"exchange": exchange, "queue-free": queue_free}[kind]
    packets, sends = solve(tree, int(steps))
    if sends is not None:
        write(tree, packets, sends, int(steps), path)
    print("none" if sends is None else "found")


main()
