#include "cube_phases.h"

#include "cube_tree.h"

#include <stdlib.h>

/* A packet on its way to a root. */
struct climber {
    unsigned tree;
    uint32_t node;
    uint64_t since; /* the slot in which it came to the node, 0 if it starts there */
    uint32_t sender;
    uint32_t packet;
};

/* Queue by queue, that is, by tree and node; in a queue by age. */
static int compare(const void *left, const void *right)
{
    const struct climber *a = left, *b = right;
    if (a->tree != b->tree)
        return a->tree < b->tree ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    return a->packet < b->packet ? -1 : a->packet > b->packet;
}

struct gathering {
    size_t count; /* of packets that have not reached their roots */
    struct climber *climber;
    struct cube_roots *roots;
    uint32_t got[TOPOLOGY_MAX_DIMENSIONS + 1]; /* [tree] packets that its root has */
};

/* It has reached its root, or it stays a climber. */
static void arrive(struct gathering *g, struct climber climber)
{
    if (climber.node == cube_tree_root(climber.tree))
        g->roots->packet[g->roots->first[climber.tree] + g->got[climber.tree]++] = climber.packet;
    else
        g->climber[g->count++] = climber;
}

/* One slot: the head of each queue goes to its parent. */
static bool climb(struct gathering *g, uint64_t slot, uint64_t after, struct schedule *schedule,
                  struct err *err)
{
    size_t before = g->count;
    qsort(g->climber, before, sizeof *g->climber, compare);
    struct transfer *to = schedule_open_step(schedule, after + slot, before, err);
    if (to == NULL)
        return false;
    size_t sent = 0;
    unsigned tree = 0;
    uint32_t node = 0;
    g->count = 0;
    for (size_t which = 0; which < before; which++) {
        struct climber climber = g->climber[which];
        if (climber.tree != tree || climber.node != node) {
            tree = climber.tree;
            node = climber.node;
            climber.sender = node;
            climber.node = cube_tree_parent(tree, node);
            climber.since = slot;
            to[sent++] = (struct transfer){node, climber.node, climber.packet};
        }
        arrive(g, climber);
    }
    schedule_close_step(schedule, sent);
    return true;
}

bool cube_phases_reserve(uint32_t packets, struct schedule *schedule, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint64_t slots = 2 * (cube_phases_share(packets, d) + d);
    return schedule_reserve(schedule, slots, (size_t)packets * (schedule->nodes - 1), err);
}

bool cube_gather(uint32_t count, const uint32_t source[], uint64_t after, struct schedule *schedule,
                 struct cube_roots *roots, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    *roots = (struct cube_roots){.packet = malloc(((size_t)count + 1) * sizeof *roots->packet)};
    struct gathering g = {.climber = malloc(((size_t)count + 1) * sizeof *g.climber), .roots = roots};
    bool gathered = roots->packet != NULL && g.climber != NULL;
    if (!gathered)
        err_set(err, ERR_TOO_BIG, "no memory for the ways of %u packets", count);
    for (unsigned tree = 1; tree <= d; tree++)
        roots->first[tree + 1] = roots->first[tree] + count / d + (tree <= count % d);
    for (uint32_t packet = 1; gathered && packet <= count; packet++)
        arrive(&g, (struct climber){
                       .tree = (count - packet) % d + 1, .node = source[packet - 1], .packet = packet});
    for (uint64_t slot = 1; gathered && g.count > 0; slot++)
        gathered = climb(&g, slot, after, schedule, err);
    free(g.climber);
    return gathered;
}

void cube_roots_free(struct cube_roots *roots)
{
    free(roots->packet);
    *roots = (struct cube_roots){0};
}

/* The nodes by how many bits they have: those with x are node[first[x] … first[x + 1] - 1]. A counting sort. */
struct by_bits {
    uint32_t *node;
    uint32_t first[TOPOLOGY_MAX_DIMENSIONS + 2];
};

static bool sort_by_bits(uint32_t nodes, struct by_bits *sorted)
{
    *sorted = (struct by_bits){.node = malloc(nodes * sizeof *sorted->node)};
    if (sorted->node == NULL)
        return false;
    for (uint32_t node = 0; node < nodes; node++)
        sorted->first[__builtin_popcount(node)]++;
    for (unsigned bits = 1; bits < TOPOLOGY_MAX_DIMENSIONS + 2; bits++)
        sorted->first[bits] += sorted->first[bits - 1];
    for (uint32_t node = nodes; node-- > 0;)
        sorted->node[--sorted->first[__builtin_popcount(node)]] = node;
    return true;
}

/* Slot `slot` of a tree, in which depth x gets what the root sent in slot - x + 1. Returns one past the last. */
static struct transfer *put_tree(struct transfer *to, const struct cube_roots *roots, unsigned tree,
                                 uint32_t last, uint64_t slot, const struct by_bits *by_bits, unsigned d)
{
    const uint32_t *packet = roots->packet + roots->first[tree];
    uint64_t count = roots->first[tree + 1] - roots->first[tree];
    for (unsigned depth = 1; depth <= d && depth <= slot; depth++) {
        uint64_t turn = slot - depth; /* from 0 */
        if (turn > count || (turn == count && last == 0))
            continue;
        uint32_t sent = turn < count ? packet[turn] : last + tree - 1;
        for (uint32_t which = by_bits->first[depth]; which < by_bits->first[depth + 1]; which++) {
            uint32_t node = by_bits->node[which] ^ cube_tree_root(tree);
            *to++ = (struct transfer){cube_tree_parent(tree, node), node, sent};
        }
    }
    return to;
}

bool cube_spread(const struct cube_roots *roots, uint32_t last, uint64_t after, struct schedule *schedule,
                 struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t nodes = schedule->nodes;
    uint64_t turns = roots->first[2] - roots->first[1] + (last != 0); /* the first tree has the most */
    struct by_bits by_bits = {0};
    bool spread = sort_by_bits(nodes, &by_bits) ||
                  err_set(err, ERR_TOO_BIG, "no memory for the order of %u nodes", nodes);
    for (uint64_t slot = 1; spread && turns > 0 && slot < turns + d; slot++) {
        struct transfer *start = schedule_open_step(schedule, after + slot, (size_t)d * nodes, err),
                        *to = start;
        spread = start != NULL;
        for (unsigned tree = 1; spread && tree <= d; tree++)
            to = put_tree(to, roots, tree, last, slot, &by_bits, d);
        if (spread)
            schedule_close_step(schedule, (size_t)(to - start));
    }
    free(by_bits.node);
    return spread;
}
