#include "cube_prefix.h"

/* A new packet crosses a dimension, for the node there. */
static bool tell(struct schedule *schedule, uint32_t from, unsigned dimension, struct err *err)
{
    uint32_t to = topology_across(from, dimension);
    return schedule_add_demand(schedule, 1, from, &to, 1, err) &&
           schedule_append(schedule, (struct transfer){from, to, schedule->packets}, err);
}

/* All nodes whose low `dimension` bits are those of `low` send over the dimension. */
static bool fold(struct schedule *schedule, uint64_t slot, unsigned dimension, uint32_t low, struct err *err)
{
    if (schedule_open_step(schedule, slot, 1, err) == NULL)
        return false;
    bool told = true;
    for (uint32_t node = low; told && node < schedule->nodes; node += UINT32_C(1) << dimension)
        told = tell(schedule, node, dimension, err);
    if (told)
        schedule_close_step(schedule, 0);
    return told;
}

/* Node 0 sends K to all its neighbours, the roots. */
static bool tell_roots(struct schedule *schedule, uint64_t slot, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t root[TOPOLOGY_MAX_DIMENSIONS];
    for (unsigned tree = 1; tree <= d; tree++)
        root[tree - 1] = topology_across(0, tree);
    if (!schedule_add_demand(schedule, 1, 0, root, d, err))
        return false;
    struct transfer *to = schedule_open_step(schedule, slot, d, err);
    if (to == NULL)
        return false;
    for (unsigned tree = 1; tree <= d; tree++)
        to[tree - 1] = (struct transfer){0, root[tree - 1], schedule->packets};
    schedule_close_step(schedule, d);
    return true;
}

bool cube_prefix_build(struct schedule *schedule, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    bool built = true;
    for (unsigned dimension = 1; built && dimension <= d; dimension++)
        built = fold(schedule, dimension, dimension, topology_across(0, dimension), err);
    for (unsigned dimension = d; built && dimension > 0; dimension--)
        built = fold(schedule, 2 * d + 1 - dimension, dimension, 0, err);
    return built && tell_roots(schedule, cube_prefix_slots(d), err);
}
