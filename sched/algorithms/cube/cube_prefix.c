/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_variant.h"

#include <stdlib.h>

/* Returns an array: from[x] is the number of packets that start at nodes x, …, n - 1, and from[n] =
 * 0. Returns NULL with E104. */
static uint32_t *sums_of(const struct schedule *schedule, struct err *err)
{
    uint32_t *from = calloc((size_t)schedule->nodes + 1, sizeof *from);
    if (from == NULL) {
        err_no_memory(err, "the sums of %u nodes", schedule->nodes);
        return NULL;
    }
    for (size_t d = 0; d < schedule->demand_count; d++)
        from[schedule->demand[d].source] +=
            schedule->demand[d].last_packet - schedule->demand[d].first_packet + 1;
    for (uint32_t node = schedule->nodes; node-- > 0;)
        from[node] += from[node + 1];
    return from;
}

/* Returns the control packet with the sum of nodes first … end - 1, composed of the packets in
 * `part`; an empty one if first = end. */
static struct control sum_of(const uint32_t from[], uint32_t first, uint32_t end, uint32_t part[],
                             uint32_t count)
{
    if (first == end)
        return (struct control){0};
    return (struct control){.value = from[first] - from[end],
                            .first_node = first,
                            .node_count = end - first,
                            .part_count = count,
                            .part = part};
}

/* Sends a sum across a dimension, to the node there. */
static bool send_roots(struct schedule *schedule, uint32_t node, unsigned dimension,
                       const struct control *sum, struct err *err)
{
    uint32_t to = topology_across(node, dimension);
    return schedule_add_control(schedule, sum, node, &to, 1, err) &&
           schedule_append(schedule, (struct transfer){node, to, schedule->packets}, err);
}

/* The folded tree. Each node except node 0 sends one sum up, and receives one sum from the same
 * node on the way down. */
struct fold {
    const uint32_t *from;
    uint32_t *up, *down; /* [nodes]: the numbers of these packets; 0: not sent yet */
};

/* Lists the sums that a node has received on the way up over dimensions 1 … count. */
static void kept(const struct fold *fold, uint32_t node, uint32_t count, uint32_t part[])
{
    for (unsigned dimension = 1; dimension <= count; dimension++)
        part[dimension - 1] = fold->up[topology_across(node, dimension)];
}

/* Appends round `dimension`: the upper half of each block of 2^dimension nodes sends its sum to the
 * lower half. */
static bool fold_up(struct schedule *schedule, unsigned dimension, struct fold *fold,
                    struct err *err)
{
    uint32_t half = topology_across(0, dimension), part[TOPOLOGY_MAX_DIMENSIONS];
    bool sent = schedule_open_step(schedule, dimension, 1, err) != NULL;
    for (uint32_t node = half; sent && node < schedule->nodes; node += 2 * half) {
        kept(fold, node, dimension - 1, part);
        const struct control sum = sum_of(fold->from, node, node + half, part, dimension - 1);
        sent = send_roots(schedule, node, dimension, &sum, err);
        fold->up[node] = schedule->packets;
    }
    if (sent)
        schedule_close_step(schedule, 0);
    return sent;
}

/* Appends round 2d + 1 - dimension: the lower half of each block sends the upper half the sum of
 * all nodes to the right of the block. It is composed of the sum that came up over the next
 * dimension and the sum that was sent to that node; or, if the block is itself an upper half, it is
 * the sum that it received. */
static bool fold_down(struct schedule *schedule, unsigned dimension, struct fold *fold,
                      struct err *err)
{
    uint32_t half = topology_across(0, dimension), block = 2 * half, nodes = schedule->nodes;
    uint64_t round = 2 * (uint64_t)schedule->topology.dimensions + 1 - dimension;
    bool sent = schedule_open_step(schedule, round, 1, err) != NULL;
    for (uint32_t node = 0; sent && node < nodes; node += block) {
        bool upper = (node & block) != 0;
        uint32_t next = node + block,
                 part[2] = {upper ? fold->down[node] : fold->up[next % nodes], 0};
        if (!upper && next + block < nodes)
            part[1] = fold->down[next];
        const struct control sum = sum_of(fold->from, next, nodes, part, 1 + (part[1] != 0));
        sent = send_roots(schedule, node, dimension, &sum, err);
        fold->down[node + half] = schedule->packets;
    }
    if (sent)
        schedule_close_step(schedule, 0);
    return sent;
}

/* Appends the round in which node 0 sends K to all its neighbours, the roots. */
static bool send_all_roots(struct schedule *schedule, uint64_t round, const struct fold *fold,
                           struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t root[TOPOLOGY_MAX_DIMENSIONS], part[TOPOLOGY_MAX_DIMENSIONS];
    for (unsigned tree = 1; tree <= d; tree++)
        root[tree - 1] = topology_across(0, tree);
    kept(fold, 0, d, part);
    const struct control sum = sum_of(fold->from, 0, schedule->nodes, part, d);
    if (!schedule_add_control(schedule, &sum, 0, root, d, err))
        return false;
    struct transfer *to = schedule_open_step(schedule, round, d, err);
    if (to == NULL)
        return false;
    for (unsigned tree = 1; tree <= d; tree++)
        to[tree - 1] = (struct transfer){0, root[tree - 1], schedule->packets};
    schedule_close_step(schedule, d);
    return true;
}

static bool build_tree(struct schedule *schedule, const uint32_t from[], bool to_roots,
                       struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    struct fold fold = {.from = from,
                        .up = calloc(schedule->nodes, sizeof *fold.up),
                        .down = calloc(schedule->nodes, sizeof *fold.down)};
    bool built = (fold.up != NULL && fold.down != NULL) ||
                 err_no_memory(err, "the sums of %u nodes", schedule->nodes);
    for (unsigned dimension = 1; built && dimension <= d; dimension++)
        built = fold_up(schedule, dimension, &fold, err);
    for (unsigned dimension = d; built && dimension > 0; dimension--)
        built = fold_down(schedule, dimension, &fold, err);
    if (built && to_roots)
        built = send_all_roots(schedule, 2 * (uint64_t)d + 1, &fold, err);
    free(fold.up);
    free(fold.down);
    return built;
}

/* Appends round `dimension`: the halves of each block of 2^dimension nodes exchange their sums. A
 * sum is composed of sums of the round before; the sum of a single node is known. */
static bool exchange(struct schedule *schedule, unsigned dimension, const uint32_t from[],
                     struct err *err)
{
    uint32_t half = topology_across(0, dimension), before = schedule->packets + 1 - schedule->nodes;
    bool sent = schedule_open_step(schedule, dimension, 1, err) != NULL;
    for (uint32_t node = 0; sent && node < schedule->nodes; node++) {
        uint32_t block = node - node % half, lower = node & ~(half / 2);
        uint32_t two[2] = {before + lower, before + lower + half / 2},
                 other = before + (node ^ half / 2);
        const struct control sum = sum_of(from, block, block + half, dimension > 2 ? two : &other,
                                          dimension > 2 ? 2 : dimension - 1);
        sent = send_roots(schedule, node, dimension, &sum, err);
    }
    if (sent)
        schedule_close_step(schedule, 0);
    return sent;
}

static bool build_exchange(struct schedule *schedule, const uint32_t from[], struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    bool built = schedule_reserve(schedule, d, (size_t)d * schedule->nodes, err);
    for (unsigned dimension = 1; built && dimension <= d; dimension++)
        built = exchange(schedule, dimension, from, err);
    return built;
}

uint64_t cube_prefix_rounds(enum cube_prefix prefix, unsigned dimensions)
{
    if (prefix == CUBE_PREFIX_NONE)
        return 0;
    return prefix == CUBE_PREFIX_EXCHANGE ? dimensions
                                          : 2 * (uint64_t)dimensions + (prefix == CUBE_PREFIX_TREE);
}

bool cube_prefix_build(enum cube_prefix prefix, struct schedule *schedule, struct err *err)
{
    if (prefix == CUBE_PREFIX_NONE)
        return true;
    uint32_t *from = sums_of(schedule, err);
    bool built =
        from != NULL && (prefix == CUBE_PREFIX_EXCHANGE
                             ? build_exchange(schedule, from, err)
                             : build_tree(schedule, from, prefix == CUBE_PREFIX_TREE, err));
    free(from);
    return built;
}
