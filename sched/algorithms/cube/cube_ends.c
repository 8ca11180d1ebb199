/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_ends.h"

#include "sched/algorithms/cube/cube_tree.h"

#include <stdlib.h>

/* The packets of a gather: packet p starts at source[p - 1] and belongs to climb->tree[p - 1]. */
struct gathered {
    const struct cube_climb *climb;
    const uint32_t *source;
    uint32_t count;
};

/* The packets of a tree that pass each node on their way to the root: those of node x are
 * packet[first[x]] … packet[first[x + 1] - 1], ascending. */
struct passing {
    size_t *first; /* [nodes + 2]; while packets are being entered, node x uses first[x + 1] */
    uint32_t *packet;
};

/* Counts (packet is NULL) or enters a packet at each node from its source to the root. */
static void walk(unsigned tree, uint32_t node, uint32_t packet, struct passing *passing)
{
    for (uint32_t root = cube_tree_root(tree);; node = cube_tree_parent(tree, node)) {
        if (passing->packet == NULL)
            passing->first[node + 2]++;
        else
            passing->packet[passing->first[node + 1]++] = packet;
        if (node == root)
            return;
    }
}

static void walk_all(const struct gathered *gathered, unsigned tree, struct passing *passing)
{
    for (uint32_t packet = 1; packet <= gathered->count; packet++)
        if (gathered->climb->tree[packet - 1] == tree)
            walk(tree, gathered->source[packet - 1], packet, passing);
}

/* Finds the packets that pass each node of a tree. Returns false if there is no memory. The caller
 * frees both arrays, also after an error. */
static bool find_passing(const struct gathered *gathered, unsigned tree, uint32_t nodes,
                         struct passing *passing)
{
    *passing = (struct passing){.first = calloc((size_t)nodes + 2, sizeof *passing->first)};
    if (passing->first == NULL)
        return false;
    walk_all(gathered, tree, passing);
    for (uint32_t node = 0; node < nodes; node++)
        passing->first[node + 2] += passing->first[node + 1];
    passing->packet = malloc((passing->first[nodes + 1] + 1) * sizeof *passing->packet);
    if (passing->packet == NULL)
        return false;
    walk_all(gathered, tree, passing);
    return true;
}

/* Adds the control packet of a node: its end, wanted by its parent; or the root's last packet,
 * wanted by all nodes. */
static bool add_control(const struct passing *passing, unsigned tree, uint32_t node,
                        struct schedule *schedule, struct err *err)
{
    uint32_t parts = (uint32_t)(passing->first[node + 1] - passing->first[node]);
    const struct control control = {
        .value = parts, .part_count = parts, .part = passing->packet + passing->first[node]};
    bool root = node == cube_tree_root(tree);
    uint32_t parent = root ? 0 : cube_tree_parent(tree, node);
    return schedule_add_control(schedule, &control, node, root ? NULL : &parent, !root, err);
}

/* Adds the control packets of a tree and records their numbers and the children of each node. E102,
 * E104. */
static bool add_tree(const struct gathered *gathered, unsigned tree, struct schedule *schedule,
                     struct cube_ends *ends, struct err *err)
{
    size_t base = (size_t)(tree - 1) * ends->nodes;
    struct passing passing;
    bool added = find_passing(gathered, tree, ends->nodes, &passing) ||
                 err_no_memory(err, "the ends of %u nodes", ends->nodes);
    for (uint32_t node = 0; added && node < ends->nodes; node++) {
        added = add_control(&passing, tree, node, schedule, err);
        ends->packet[base + node] = schedule->packets;
        if (node != cube_tree_root(tree))
            ends->open[base + cube_tree_parent(tree, node)]++;
    }
    free(passing.first);
    free(passing.packet);
    return added;
}

bool cube_ends_init(const struct cube_climb *climb, const uint32_t source[], uint32_t count,
                    struct schedule *schedule, struct cube_ends *ends, struct err *err)
{
    const struct gathered gathered = {.climb = climb, .source = source, .count = count};
    unsigned d = schedule->topology.dimensions;
    size_t queues = (size_t)d * schedule->nodes;
    *ends = (struct cube_ends){.d = d,
                               .nodes = schedule->nodes,
                               .packet = calloc(queues, sizeof *ends->packet),
                               .open = calloc(queues, sizeof *ends->open),
                               .sent = calloc(queues, sizeof *ends->sent),
                               .waits = calloc(queues, sizeof *ends->waits)};
    bool added =
        (ends->packet != NULL && ends->open != NULL && ends->sent != NULL && ends->waits != NULL) ||
        err_no_memory(err, "the ends of %u nodes", ends->nodes);
    for (unsigned tree = 1; added && tree <= d; tree++)
        added = add_tree(&gathered, tree, schedule, ends, err);
    return added;
}

void cube_ends_free(struct cube_ends *ends)
{
    free(ends->packet);
    free(ends->open);
    free(ends->sent);
    free(ends->waits);
    *ends = (struct cube_ends){0};
}

/* Writes the ends that leave in a tree in this round. Ends that arrive in this round count from the
 * next round on. */
static struct transfer *step_tree(struct cube_ends *ends, unsigned tree, uint64_t round,
                                  struct cube_arcs *arcs, struct transfer *to)
{
    size_t base = (size_t)(tree - 1) * ends->nodes;
    const struct transfer *start = to;
    for (uint32_t node = 0; node < ends->nodes; node++) {
        size_t at = base + node;
        if (node == cube_tree_root(tree) || ends->sent[at] || ends->open[at] > 0 || ends->waits[at])
            continue;
        uint32_t parent = cube_tree_parent(tree, node);
        cube_arcs_use(arcs, node, parent, round);
        *to++ = (struct transfer){node, parent, ends->packet[at]};
        ends->sent[at] = true;
    }
    for (; start < to; start++)
        ends->open[base + start->destination]--;
    return to;
}

struct transfer *cube_ends_step(struct cube_ends *ends, const struct cube_climb *climb,
                                const struct topology *cube, uint64_t round, struct cube_arcs *arcs,
                                struct transfer *to)
{
    cube_climb_mark(climb, cube, ends->waits);
    for (unsigned tree = 1; tree <= ends->d; tree++)
        to = step_tree(ends, tree, round, arcs, to);
    return to;
}

bool cube_ends_detected(const struct cube_ends *ends, unsigned tree)
{
    return ends->open[(size_t)(tree - 1) * ends->nodes + cube_tree_root(tree)] == 0;
}

uint32_t cube_ends_last(const struct cube_ends *ends, unsigned tree)
{
    return ends->packet[(size_t)(tree - 1) * ends->nodes + cube_tree_root(tree)];
}
