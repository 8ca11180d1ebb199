/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_overlap.h"

#include "sched/algorithms/cube/cube_climb.h"
#include "sched/algorithms/cube/cube_ends.h"
#include "sched/algorithms/cube/cube_tree.h"

#include <stdlib.h>

/* The spread sends the packets of a tree in the order in which they reached its root. Therefore the
 * number of packets that a node has also determines which packets it has, and the packets that wait
 * for the arc to a child are those that the child lacks. */
struct overlap {
    unsigned d;
    uint32_t nodes;
    enum cube_overlap kind;
    struct cube_climb climb;
    struct cube_ends ends; /* used if kind is CUBE_DETECTED */
    struct cube_arcs arcs;
    uint32_t *has; /* [(tree - 1) · nodes + node]: number of packets of the tree */
    uint64_t left; /* receipts of the spread that are still to come */
};

static bool overlap_init(const struct collective *collective, struct rng *rng,
                         struct schedule *schedule, struct overlap *overlap, struct err *err)
{
    const struct topology *cube = collective->topology;
    const uint32_t count = collective->m, *source = collective->sources;
    bool detected = overlap->kind == CUBE_DETECTED;
    uint64_t packets = (uint64_t)count + (detected ? cube->dimensions : 0);
    *overlap =
        (struct overlap){.d = cube->dimensions,
                         .nodes = cube->nodes,
                         .kind = overlap->kind,
                         .has = calloc((size_t)cube->nodes * cube->dimensions, sizeof(uint32_t)),
                         .left = packets * (cube->nodes - 1)};
    if (overlap->has == NULL)
        return err_no_memory(err, "the trees of %u nodes", cube->nodes);
    return cube_arcs_init(cube, &overlap->arcs, err) &&
           cube_climb_init(cube->dimensions, count, source, rng, &overlap->climb, err) &&
           (!detected ||
            cube_ends_init(&overlap->climb, source, count, schedule, &overlap->ends, err));
}

static void overlap_free(struct overlap *overlap)
{
    free(overlap->has);
    cube_arcs_free(&overlap->arcs);
    cube_climb_free(&overlap->climb);
    cube_ends_free(&overlap->ends);
}

/* Returns packet number k, from 0, that the root of a tree sends. */
static uint32_t packet_of(const struct overlap *overlap, unsigned tree, uint32_t k)
{
    const struct cube_roots *roots = &overlap->climb.roots;
    uint32_t at = roots->first[tree] + k;
    return at < roots->first[tree + 1] ? roots->packet[at] : cube_ends_last(&overlap->ends, tree);
}

/* Returns how many packets the root of a tree is allowed to send. */
static uint32_t ready(const struct overlap *overlap, unsigned tree)
{
    uint32_t got = overlap->climb.roots.got[tree];
    if (overlap->kind != CUBE_DETECTED)
        return got;
    return cube_ends_detected(&overlap->ends, tree) ? got + 1 : 0;
}

/* Writes the transfers of a round of a tree's spread. Packets received in this round count from the
 * next round on. Returns one past the last transfer. */
static struct transfer *spread_tree(struct overlap *overlap, unsigned tree, uint64_t round,
                                    struct transfer *to)
{
    uint32_t *has = &overlap->has[(size_t)(tree - 1) * overlap->nodes], root = cube_tree_root(tree);
    struct transfer *start = to;
    for (uint32_t node = 0; node < overlap->nodes; node++) {
        uint32_t parent = node != root ? cube_tree_parent(tree, node) : root;
        if (has[node] < has[parent] && cube_arcs_use(&overlap->arcs, parent, node, round))
            *to++ = (struct transfer){parent, node, packet_of(overlap, tree, has[node])};
    }
    for (const struct transfer *sent = start; sent < to; sent++)
        has[sent->destination]++;
    overlap->left -= (uint64_t)(to - start);
    return to;
}

static struct transfer *spread(struct overlap *overlap, uint64_t round, struct transfer *to)
{
    for (unsigned tree = 1; tree <= overlap->d; tree++)
        to = spread_tree(overlap, tree, round, to);
    return to;
}

/* Writes the transfers of one round, in which roots send packets received in earlier rounds.
 * Returns their number. */
static size_t step(struct overlap *overlap, const struct topology *cube, uint64_t round,
                   struct transfer *start)
{
    bool gather_first = overlap->kind != CUBE_SPREAD_FIRST;
    struct transfer *to = start;
    for (unsigned tree = 1; tree <= overlap->d; tree++)
        overlap->has[(size_t)(tree - 1) * overlap->nodes + cube_tree_root(tree)] =
            ready(overlap, tree);
    if (!gather_first)
        to = spread(overlap, round, to);
    if (overlap->kind == CUBE_DETECTED)
        to = cube_ends_step(&overlap->ends, &overlap->climb, cube, round, &overlap->arcs, to);
    to += cube_climb_step(&overlap->climb, round, &overlap->arcs, to);
    if (gather_first)
        to = spread(overlap, round, to);
    return (size_t)(to - start);
}

bool cube_overlap_build(const struct collective *collective, struct rng *rng,
                        enum cube_overlap kind, uint64_t after, struct schedule *schedule,
                        struct err *err)
{
    struct overlap overlap = {.kind = kind};
    bool built = overlap_init(collective, rng, schedule, &overlap, err);
    size_t arcs = (size_t)overlap.nodes * overlap.d; /* each arc carries at most one packet */
    for (uint64_t round = 1; built && overlap.left > 0; round++) {
        struct transfer *to = schedule_open_step(schedule, after + round, arcs, err);
        built = to != NULL;
        if (built)
            schedule_close_step(schedule, step(&overlap, &schedule->topology, round, to));
    }
    overlap_free(&overlap);
    return built;
}
