/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_tree.h"

#include "sched/algorithms/cube/cube_draw.h"
#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

/* A packet on its way to a root. */
struct cube_climber {
    unsigned tree;
    uint32_t node;
    uint64_t since; /* the round in which it reached the node; 0 if it starts there */
    uint32_t sender;
    uint32_t packet;
};

bool cube_arcs_init(const struct topology *cube, struct cube_arcs *arcs, struct err *err)
{
    size_t count = (size_t)cube->nodes * cube->dimensions;
    *arcs = (struct cube_arcs){.d = cube->dimensions, .used = calloc(count, sizeof *arcs->used)};
    return arcs->used != NULL || err_no_memory(err, "%zu arcs", count);
}

void cube_arcs_free(struct cube_arcs *arcs)
{
    free(arcs->used);
    *arcs = (struct cube_arcs){0};
}

/* Orders climbers by queue (tree, then node) and within a queue by arrival round, sender and
 * packet. */
static int compare(const void *left, const void *right)
{
    const struct cube_climber *a = left, *b = right;
    int queue = compare_then(COMPARE(a->tree, b->tree), COMPARE(a->node, b->node)),
        age = COMPARE(a->since, b->since),
        last = compare_then(COMPARE(a->sender, b->sender), COMPARE(a->packet, b->packet));
    return compare_then(queue, compare_then(age, last));
}

/* Adds a climber to the packets of its root if it has reached it, else back to the climbers. */
static void arrive(struct cube_climb *climb, struct cube_climber climber)
{
    struct cube_roots *roots = &climb->roots;
    if (climber.node == cube_tree_root(climber.tree))
        roots->packet[roots->first[climber.tree] + roots->got[climber.tree]++] = climber.packet;
    else
        climb->climber[climb->count++] = climber;
}

bool cube_climb_init(unsigned d, uint32_t count, const uint32_t source[], struct rng *rng,
                     struct cube_climb *climb, struct err *err)
{
    *climb = (struct cube_climb){.climber = malloc(((size_t)count + 1) * sizeof *climb->climber),
                                 .tree = malloc((size_t)count + 1),
                                 .roots.packet =
                                     malloc(((size_t)count + 1) * sizeof *climb->roots.packet)};
    if (climb->climber == NULL || climb->tree == NULL || climb->roots.packet == NULL)
        return err_no_memory(err, "the ways of %u packets", count);
    for (uint32_t packet = 1; packet <= count; packet++) {
        unsigned tree = rng != NULL ? cube_draw_tree(d, rng) : (count - packet) % d + 1;
        climb->climber[packet - 1] =
            (struct cube_climber){.tree = tree, .node = source[packet - 1], .packet = packet};
        climb->tree[packet - 1] = (uint8_t)tree;
        climb->roots.first[tree + 1]++;
    }
    for (unsigned tree = 1; tree <= d; tree++)
        climb->roots.first[tree + 1] += climb->roots.first[tree];
    for (uint32_t packet = 1; packet <= count; packet++)
        arrive(climb, climb->climber[packet - 1]);
    return true;
}

void cube_climb_free(struct cube_climb *climb)
{
    free(climb->climber);
    free(climb->tree);
    free(climb->roots.packet);
    *climb = (struct cube_climb){0};
}

size_t cube_climb_step(struct cube_climb *climb, uint64_t round, struct cube_arcs *arcs,
                       struct transfer to[])
{
    size_t before = climb->count, sent = 0;
    unsigned tree = 0;
    uint32_t node = 0;
    qsort(climb->climber, before, sizeof *climb->climber, compare);
    climb->count = 0;
    for (size_t which = 0; which < before; which++) {
        struct cube_climber climber = climb->climber[which];
        bool head = climber.tree != tree || climber.node != node;
        tree = climber.tree;
        node = climber.node;
        uint32_t parent = cube_tree_parent(tree, node);
        if (head && (arcs == NULL || cube_arcs_use(arcs, node, parent, round))) {
            to[sent++] = (struct transfer){node, parent, climber.packet};
            climber.sender = node;
            climber.node = parent;
            climber.since = round;
        }
        arrive(climb, climber);
    }
    return sent;
}

void cube_climb_mark(const struct cube_climb *climb, const struct topology *cube, bool waits[])
{
    memset(waits, 0, (size_t)cube->nodes * cube->dimensions * sizeof *waits);
    for (size_t which = 0; which < climb->count; which++) {
        const struct cube_climber *climber = &climb->climber[which];
        waits[(size_t)(climber->tree - 1) * cube->nodes + climber->node] = true;
    }
}
