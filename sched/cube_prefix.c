#include "cube_prefix.h"

#include <stdlib.h>

/* from[x]: the packets that start at nodes x, …, n - 1; from[n] = 0. NULL with E104. */
static uint32_t *sums_of(const struct schedule *schedule, struct err *err)
{
    uint32_t *from = calloc((size_t)schedule->nodes + 1, sizeof *from);
    if (from == NULL) {
        err_set(err, ERR_TOO_BIG, "no memory for the sums of %u nodes", schedule->nodes);
        return NULL;
    }
    for (size_t d = 0; d < schedule->demand_count; d++)
        from[schedule->demand[d].source] +=
            schedule->demand[d].last_packet - schedule->demand[d].first_packet + 1;
    for (uint32_t node = schedule->nodes; node-- > 0;)
        from[node] += from[node + 1];
    return from;
}

/* A sum crosses a dimension, for the node there. */
static bool tell(struct schedule *schedule, uint32_t node, unsigned dimension, uint32_t sum, struct err *err)
{
    uint32_t to = topology_across(node, dimension);
    return schedule_add_control(schedule, sum, node, &to, 1, err) &&
           schedule_append(schedule, (struct transfer){node, to, schedule->packets}, err);
}

/* Slot `dimension`: the upper half of each block of 2^dimension nodes tells the lower its sum. */
static bool fold_up(struct schedule *schedule, unsigned dimension, const uint32_t from[], struct err *err)
{
    uint32_t half = topology_across(0, dimension);
    bool told = schedule_open_step(schedule, dimension, 1, err) != NULL;
    for (uint32_t node = half; told && node < schedule->nodes; node += 2 * half)
        told = tell(schedule, node, dimension, from[node] - from[node + half], err);
    if (told)
        schedule_close_step(schedule, 0);
    return told;
}

/* Slot 2d + 1 - dimension: the lower half tells the upper the sum of all that is right of the block. */
static bool fold_down(struct schedule *schedule, unsigned dimension, const uint32_t from[], struct err *err)
{
    uint32_t block = 2 * topology_across(0, dimension);
    uint64_t slot = 2 * (uint64_t)schedule->topology.dimensions + 1 - dimension;
    bool told = schedule_open_step(schedule, slot, 1, err) != NULL;
    for (uint32_t node = 0; told && node < schedule->nodes; node += block)
        told = tell(schedule, node, dimension, from[node + block], err);
    if (told)
        schedule_close_step(schedule, 0);
    return told;
}

/* Node 0 sends K to all its neighbours, the roots. */
static bool tell_roots(struct schedule *schedule, uint64_t slot, uint32_t sum, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t root[TOPOLOGY_MAX_DIMENSIONS];
    for (unsigned tree = 1; tree <= d; tree++)
        root[tree - 1] = topology_across(0, tree);
    if (!schedule_add_control(schedule, sum, 0, root, d, err))
        return false;
    struct transfer *to = schedule_open_step(schedule, slot, d, err);
    if (to == NULL)
        return false;
    for (unsigned tree = 1; tree <= d; tree++)
        to[tree - 1] = (struct transfer){0, root[tree - 1], schedule->packets};
    schedule_close_step(schedule, d);
    return true;
}

static bool build_tree(struct schedule *schedule, const uint32_t from[], struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    bool built = true;
    for (unsigned dimension = 1; built && dimension <= d; dimension++)
        built = fold_up(schedule, dimension, from, err);
    for (unsigned dimension = d; built && dimension > 0; dimension--)
        built = fold_down(schedule, dimension, from, err);
    return built && tell_roots(schedule, 2 * (uint64_t)d + 1, from[0], err);
}

/* Slot `dimension`: both halves of each block of 2^dimension nodes tell each other their sums. */
static bool exchange(struct schedule *schedule, unsigned dimension, const uint32_t from[], struct err *err)
{
    uint32_t half = topology_across(0, dimension);
    bool told = schedule_open_step(schedule, dimension, 1, err) != NULL;
    for (uint32_t node = 0; told && node < schedule->nodes; node++) {
        uint32_t block = node - node % half;
        told = tell(schedule, node, dimension, from[block] - from[block + half], err);
    }
    if (told)
        schedule_close_step(schedule, 0);
    return told;
}

static bool build_exchange(struct schedule *schedule, const uint32_t from[], struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    bool built = schedule_reserve(schedule, d, (size_t)d * schedule->nodes, err);
    for (unsigned dimension = 1; built && dimension <= d; dimension++)
        built = exchange(schedule, dimension, from, err);
    return built;
}

uint64_t cube_prefix_slots(enum cube_prefix prefix, unsigned dimensions)
{
    if (prefix == CUBE_PREFIX_NONE)
        return 0;
    return prefix == CUBE_PREFIX_EXCHANGE ? dimensions : 2 * (uint64_t)dimensions + 1;
}

bool cube_prefix_build(enum cube_prefix prefix, struct schedule *schedule, struct err *err)
{
    if (prefix == CUBE_PREFIX_NONE)
        return true;
    uint32_t *from = sums_of(schedule, err);
    bool built = from != NULL && (prefix == CUBE_PREFIX_EXCHANGE ? build_exchange(schedule, from, err)
                                                                 : build_tree(schedule, from, err));
    free(from);
    return built;
}
