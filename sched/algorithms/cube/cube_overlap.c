/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_overlap.h"

#include "sched/algorithms/cube/cube_climb.h"
#include "sched/algorithms/cube/cube_tree.h"

#include <stdlib.h>

/* The spread sends the packets of a tree in the order in which they reached its root. Therefore the
 * number of them that a node has also determines which ones it has, and the packets that wait for
 * the arc to a child are those that the child lacks. */
struct overlap {
    unsigned d;
    uint32_t nodes;
    struct cube_climb climb;
    struct cube_arcs arcs;
    uint32_t *has; /* [(tree - 1) · nodes + node] */
    uint64_t left; /* receipts of the spread that are still to come */
};

static bool overlap_init(const struct collective *collective, struct rng *rng,
                         struct overlap *overlap, struct err *err)
{
    const struct topology *cube = collective->topology;
    *overlap =
        (struct overlap){.d = cube->dimensions,
                         .nodes = cube->nodes,
                         .has = calloc((size_t)cube->nodes * cube->dimensions, sizeof(uint32_t)),
                         .left = (uint64_t)collective->m * (cube->nodes - 1)};
    if (overlap->has == NULL)
        return err_no_memory(err, "the trees of %u nodes", cube->nodes);
    return cube_arcs_init(cube, &overlap->arcs, err) &&
           cube_climb_init(cube->dimensions, collective->m, collective->sources, rng,
                           &overlap->climb, err);
}

static void overlap_free(struct overlap *overlap)
{
    free(overlap->has);
    cube_arcs_free(&overlap->arcs);
    cube_climb_free(&overlap->climb);
}

/* A slot of a tree's spread. What is received counts from the next slot on. Returns one past the
 * last transfer. */
static struct transfer *spread_tree(struct overlap *overlap, unsigned tree, uint64_t slot,
                                    struct transfer *to)
{
    uint32_t *has = &overlap->has[(size_t)(tree - 1) * overlap->nodes], root = cube_tree_root(tree);
    const struct cube_roots *roots = &overlap->climb.roots;
    struct transfer *start = to;
    for (uint32_t node = 0; node < overlap->nodes; node++) {
        uint32_t parent = node != root ? cube_tree_parent(tree, node) : root;
        if (has[node] < has[parent] && cube_arcs_use(&overlap->arcs, parent, node, slot))
            *to++ = (struct transfer){parent, node, roots->packet[roots->first[tree] + has[node]]};
    }
    for (const struct transfer *sent = start; sent < to; sent++)
        has[sent->destination]++;
    overlap->left -= (uint64_t)(to - start);
    return to;
}

static struct transfer *spread(struct overlap *overlap, uint64_t slot, struct transfer *to)
{
    for (unsigned tree = 1; tree <= overlap->d; tree++)
        to = spread_tree(overlap, tree, slot, to);
    return to;
}

/* One slot, in which roots send what they have had before it. */
static size_t step(struct overlap *overlap, bool gather_first, uint64_t slot,
                   struct transfer *start)
{
    struct transfer *to = start;
    for (unsigned tree = 1; tree <= overlap->d; tree++)
        overlap->has[(size_t)(tree - 1) * overlap->nodes + cube_tree_root(tree)] =
            overlap->climb.roots.got[tree];
    if (!gather_first)
        to = spread(overlap, slot, to);
    to += cube_climb_step(&overlap->climb, slot, &overlap->arcs, to);
    if (gather_first)
        to = spread(overlap, slot, to);
    return (size_t)(to - start);
}

bool cube_overlap_build(const struct collective *collective, struct rng *rng, bool gather_first,
                        uint64_t after, struct schedule *schedule, struct err *err)
{
    struct overlap overlap;
    bool built = overlap_init(collective, rng, &overlap, err);
    size_t arcs = (size_t)overlap.nodes * overlap.d; /* each carries a packet at most */
    for (uint64_t slot = 1; built && overlap.left > 0; slot++) {
        struct transfer *to = schedule_open_step(schedule, after + slot, arcs, err);
        built = to != NULL;
        if (built)
            schedule_close_step(schedule, step(&overlap, gather_first, slot, to));
    }
    overlap_free(&overlap);
    return built;
}
