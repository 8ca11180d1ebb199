/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/demand_groups.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <stdlib.h>

struct split {
    const struct schedule *schedule;
    uint32_t *root;    /* root[nodes]: a node nearer to the lowest node of the group */
    uint32_t *inside;  /* inside[nodes]: the number of a node within its group */
    uint32_t *size;    /* size[nodes]: for a root, the number of nodes in its group … */
    uint32_t *packets; /* … and of packets */
    size_t *which;     /* which[nodes]: for a root, the index of its group */
    uint32_t *list;    /* list[nodes]: the nodes of one demand */
};

static uint32_t find(uint32_t root[], uint32_t node)
{
    while (root[node] != node)
        node = root[node] = root[root[node]];
    return node;
}

static void join(uint32_t root[], uint32_t one, uint32_t other)
{
    uint32_t a = find(root, one), b = find(root, other);
    root[MAX(a, b)] = MIN(a, b);
}

static void join_all(const struct split *split)
{
    const struct schedule *schedule = split->schedule;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        split->root[node] = node;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        uint32_t all = demand->wanted_count == 0 ? schedule->nodes : 0;
        for (uint32_t node = 0; node < all; node++)
            join(split->root, demand->source, node);
        for (uint32_t k = 0; k < demand->wanted_count; k++)
            join(split->root, demand->source, demand->wanted[k]);
    }
}

/* Numbers the nodes of each group, and counts its packets. */
static void count_all(const struct split *split)
{
    const struct schedule *schedule = split->schedule;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        split->inside[node] = split->size[find(split->root, node)]++;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        if (schedule_wanted_by_others(schedule, demand) > 0)
            split->packets[find(split->root, demand->source)] +=
                demand->last_packet - demand->first_packet + 1;
    }
}

static bool open_group(const struct split *split, uint32_t root, struct demand_group *group,
                       struct err *err)
{
    const struct schedule *schedule = split->schedule;
    const struct topology complete = topology_complete(split->size[root]);
    if (!schedule_init_empty(&group->demands, "demands", &complete, schedule->model, err))
        return false;
    group->demands.lambda = schedule->lambda;
    group->node = malloc(split->size[root] * sizeof *group->node);
    group->packet = malloc(split->packets[root] * sizeof *group->packet);
    return (group->node != NULL && group->packet != NULL) || err_no_memory(err, "a group of nodes");
}

static bool open_groups(const struct split *split, struct demand_groups *groups, struct err *err)
{
    uint32_t nodes = split->schedule->nodes;
    size_t count = 0;
    for (uint32_t node = 0; node < nodes; node++)
        count += split->root[node] == node && split->packets[node] > 0;
    groups->group = calloc(count + 1, sizeof *groups->group);
    if (groups->group == NULL)
        return err_no_memory(err, "%zu groups of nodes", count);
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t root = find(split->root, node);
        if (split->packets[root] == 0)
            continue;
        if (root == node) {
            split->which[root] = groups->count++;
            if (!open_group(split, root, &groups->group[split->which[root]], err))
                return false;
        }
        groups->group[split->which[root]].node[split->inside[node]] = node;
    }
    return true;
}

/* Returns whether two demands have the same source and the same wanting nodes. */
static bool is_same(const struct demand *one, const struct demand *other)
{
    bool same = one->source == other->source && one->wanted_count == other->wanted_count;
    for (uint32_t k = 0; same && k < one->wanted_count; k++)
        same = one->wanted[k] == other->wanted[k];
    return same;
}

/* Adds the identical demands first … last - 1 to their group. */
static bool add_demand(const struct split *split, size_t first, size_t last,
                       struct demand_groups *groups, struct err *err)
{
    const struct schedule *schedule = split->schedule;
    const struct demand *demand = &schedule->demand[first];
    uint32_t others = schedule_wanted_by_others(schedule, demand), count = 0;
    if (others == 0)
        return true;
    struct demand_group *group = &groups->group[split->which[find(split->root, demand->source)]];
    bool all = others + 1 == group->demands.nodes;
    for (uint32_t k = 0; !all && k < demand->wanted_count; k++)
        if (demand->wanted[k] != demand->source)
            split->list[count++] = split->inside[demand->wanted[k]];
    uint32_t before = group->demands.packets;
    group->receipts +=
        (size_t)others * (schedule->demand[last - 1].last_packet - demand->first_packet + 1);
    uint32_t packets = schedule->demand[last - 1].last_packet - demand->first_packet + 1;
    for (uint32_t p = 0; p < packets; p++)
        group->packet[before + p] = demand->first_packet + p;
    return schedule_add_demand(&group->demands, packets, split->inside[demand->source], split->list,
                               count, err);
}

static bool fill(const struct split *split, struct demand_groups *groups, struct err *err)
{
    const struct schedule *schedule = split->schedule;
    bool filled = true;
    join_all(split);
    count_all(split);
    filled = open_groups(split, groups, err);
    for (size_t d = 0, next; filled && d < schedule->demand_count; d = next) {
        for (next = d + 1; next < schedule->demand_count &&
                           is_same(&schedule->demand[d], &schedule->demand[next]);)
            next++;
        filled = add_demand(split, d, next, groups, err);
    }
    return filled;
}

bool demand_groups_new(const struct schedule *schedule, struct demand_groups *groups,
                       struct err *err)
{
    struct split split = {.schedule = schedule};
    size_t n = schedule->nodes;
    const struct arena_array arrays[] = {ARENA(split.root, n),  ARENA(split.inside, n),
                                         ARENA(split.size, n),  ARENA(split.packets, n),
                                         ARENA(split.which, n), ARENA(split.list, n)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    *groups = (struct demand_groups){0};
    bool made = memory != NULL ? fill(&split, groups, err) : err_no_memory(err, "groups of nodes");
    free(memory);
    if (!made)
        demand_groups_free(groups);
    return made;
}

void demand_groups_free(struct demand_groups *groups)
{
    for (size_t g = 0; g < groups->count; g++) {
        free(groups->group[g].node);
        free(groups->group[g].packet);
        schedule_free(&groups->group[g].demands);
    }
    free(groups->group);
    *groups = (struct demand_groups){0};
}
