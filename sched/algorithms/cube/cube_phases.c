/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_phases.h"

#include "sched/algorithms/cube/cube_tree.h"

#include <stdlib.h>

bool cube_phases_reserve(uint32_t packets, struct schedule *schedule, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint64_t rounds = 2 * (cube_phases_share(packets, d) + d);
    return schedule_reserve(schedule, rounds, (size_t)packets * (schedule->nodes - 1), err);
}

bool cube_phases_add_last(uint32_t count, struct schedule *schedule, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t *part = malloc((cube_phases_share(count, d) + 1) * sizeof *part);
    bool added = part != NULL || err_no_memory(err, "the packets of a tree");
    for (unsigned tree = 1; added && tree <= d; tree++) {
        uint32_t packets = cube_phases_of_tree(count, tree, d);
        for (uint32_t which = 0; which < packets; which++)
            part[which] = count + 1 - tree - (packets - 1 - which) * d;
        const struct control last = {.value = packets, .part_count = packets, .part = part};
        added = schedule_add_control(schedule, &last, topology_across(0, tree), NULL, 0, err);
    }
    free(part);
    return added;
}

bool cube_gather(uint64_t after, struct cube_climb *climb, struct schedule *schedule,
                 struct err *err)
{
    bool gathered = true;
    for (uint64_t round = 1; gathered && climb->count > 0; round++) {
        struct transfer *to = schedule_open_step(schedule, after + round, climb->count, err);
        gathered = to != NULL;
        if (gathered)
            schedule_close_step(schedule, cube_climb_step(climb, round, NULL, to));
    }
    return gathered;
}

/* The nodes sorted by their number of one bits: those with x ones are node[first[x] … first[x + 1]
 * - 1]. A counting sort. */
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

/* A spread of the packets that the roots have. */
struct spread {
    const struct cube_roots *roots;
    unsigned d;
    uint32_t last; /* the last packet of tree 1; 0: trees have no last packets */
    struct by_bits by_bits;
};

/* Writes round `round` of a tree, in which nodes at depth x receive the packet that the root sent
 * in round - x + 1. Returns one past the last transfer. */
static struct transfer *put_tree(const struct spread *spread, unsigned tree, uint64_t round,
                                 struct transfer *to)
{
    const struct cube_roots *roots = spread->roots;
    const struct by_bits *by_bits = &spread->by_bits;
    const uint32_t last = spread->last;
    const uint32_t *packet = roots->packet + roots->first[tree];
    uint64_t count = roots->first[tree + 1] - roots->first[tree];
    for (unsigned depth = 1; depth <= spread->d && depth <= round; depth++) {
        uint64_t sent_before = round - depth; /* from 0 */
        if (sent_before > count || (sent_before == count && last == 0))
            continue;
        uint32_t sent = sent_before < count ? packet[sent_before] : last + tree - 1;
        for (uint32_t which = by_bits->first[depth]; which < by_bits->first[depth + 1]; which++) {
            uint32_t node = by_bits->node[which] ^ cube_tree_root(tree);
            *to++ = (struct transfer){cube_tree_parent(tree, node), node, sent};
        }
    }
    return to;
}

bool cube_spread(const struct cube_roots *roots, uint32_t last, uint64_t after,
                 struct schedule *schedule, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t nodes = schedule->nodes;
    /* tree 1 has the most packets, and at least one */
    uint64_t sends = roots->first[2] - roots->first[1] + (last != 0);
    struct spread spread = {.roots = roots, .d = d, .last = last};
    bool built =
        sort_by_bits(nodes, &spread.by_bits) || err_no_memory(err, "the order of %u nodes", nodes);
    for (uint64_t round = 1; built && round < sends + d; round++) {
        struct transfer *start =
                            schedule_open_step(schedule, after + round, (size_t)d * nodes, err),
                        *to = start;
        built = start != NULL;
        for (unsigned tree = 1; built && tree <= d; tree++)
            to = put_tree(&spread, tree, round, to);
        if (built)
            schedule_close_step(schedule, (size_t)(to - start));
    }
    free(spread.by_bits.node);
    return built;
}
