/* SPDX-License-Identifier: Apache-2.0 */
/* verify_tree: the rules of the single-port and multiport models in trees. */
#include "sched/verify/verifier.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where the lanes of a branch begin in v->lane, for one direction: level by level, branch by
 * branch. */
static size_t lanes_before(const struct topology *tree, unsigned level, uint32_t lower)
{
    size_t before = 0;
    for (unsigned below = 1; below < level; below++)
        before += (size_t)(tree->nodes / tree->leaves[below - 1]) * tree->capacity[below];
    return before + (size_t)topology_index(tree, level - 1, lower) * tree->capacity[level];
}

static size_t all_lanes(const struct topology *tree)
{
    return lanes_before(tree, tree->height + 1, tree->all);
}

bool verify_tree_allocate(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    if (!topology_has_routers(&schedule->topology) || model_row(schedule->model)->one_link)
        return true;
    v->lane = calloc(2 * all_lanes(&schedule->topology), sizeof *v->lane);
    return v->lane != NULL;
}

/* The stamp of the lane that a transfer takes: upward lanes first. */
static uint32_t *lane_of(struct verifier *v, size_t index)
{
    const struct topology *tree = &v->schedule->topology;
    struct transfer now = v->schedule->transfer[index];
    bool up = now.source < now.destination;
    uint32_t lower = up ? now.source : now.destination;
    unsigned level = topology_branch(tree, now.source, now.destination);
    return &v->lane[(up ? 0 : all_lanes(tree)) + lanes_before(tree, level, lower) +
                    schedule_lane(v->schedule, index)];
}

static void breach_lane(struct verifier *v, size_t index)
{
    const struct topology *tree = &v->schedule->topology;
    struct transfer now = v->schedule->transfer[index];
    uint32_t lane = schedule_lane(v->schedule, index);
    size_t before = index;
    do
        before--;
    while (v->schedule->transfer[before].source != now.source ||
           v->schedule->transfer[before].destination != now.destination ||
           schedule_lane(v->schedule, before) != lane);
    char time[SCHEDULE_TIME_TEXT], from[TOPOLOGY_NODE_TEXT], to[TOPOLOGY_NODE_TEXT];
    verifier_breach(v, index, ERR_LANE,
                    "%s: lane %" PRIu32 " from %s to %s carries packets %" PRIu32 " and %" PRIu32
                    "; at most 1 per round",
                    verifier_time_of(v, index, time), lane,
                    topology_node_text(tree, now.source, from),
                    topology_node_text(tree, now.destination, to),
                    v->schedule->transfer[before].packet, now.packet);
}

static void check(struct verifier *v, size_t index, uint32_t stamp)
{
    struct transfer now = v->schedule->transfer[index];
    uint32_t *taken = v->lane != NULL ? lane_of(v, index) : &v->port[now.source].sent;
    if (!verifier_holds(v, now.source, now.packet))
        verifier_breach_not_held(v, index);
    else if (verifier_is_early(v, index, stamp))
        verify_control_breach(v, index, stamp);
    else if (*taken == stamp && v->lane != NULL)
        breach_lane(v, index);
    else if (*taken == stamp)
        verifier_breach_twice(v, index, now.source, true);
    *taken = stamp;
}

void verify_tree_step(struct verifier *v, size_t k)
{
    size_t end = schedule_step_end(v->schedule, k);
    for (size_t index = v->schedule->step[k].first; index < end; index++)
        check(v, index, (uint32_t)k + 1);
}
