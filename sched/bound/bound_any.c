/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound.h"

#include "sched/base/compare.h"

#include <stdlib.h>

bool bound_any_applies(const struct collective *collective)
{
    return collective->topology->any;
}

bool bound_any_is_levels(const struct collective *collective)
{
    return !collective->topology->any;
}

static int compare_descending(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return COMPARE(b, a);
}

uint64_t bound_any_hanging(const struct topology *tree, uint32_t node, uint32_t from, bool one_link)
{
    uint64_t steps[TOPOLOGY_MAX_PARENTS], most = 0;
    uint32_t count = 0;
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0)
            steps[count++] = bound_any_hanging(tree, next, node, one_link);
    qsort(steps, count, sizeof *steps, compare_descending);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = steps[i] + (one_link ? i + 1 : 1);
        most = MAX(most, end);
    }
    return most;
}

uint64_t bound_any_broadcast(const struct collective *collective)
{
    return bound_any_hanging(collective->topology, collective->source, collective->source,
                             model_row(collective->model)->one_link);
}

uint64_t bound_any_distance(const struct collective *collective)
{
    return bound_any_hanging(collective->topology, collective->source, collective->source, false);
}

/* Appends the distances of the leaves in the part of the tree that hangs from `node`. */
static void list_leaves(const struct topology *tree, uint32_t node, uint32_t from,
                        uint64_t distance, uint64_t list[], uint32_t *count)
{
    if (node < tree->nodes)
        list[(*count)++] = distance;
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0)
            list_leaves(tree, next, node, distance + 1, list, count);
}

/* Returns the end of packets that leave over one port, `lanes` in a step, those with the furthest
 * destinations first. */
static uint64_t port_end(uint64_t distance[], uint32_t count, uint32_t lanes)
{
    uint64_t most = 0;
    qsort(distance, count, sizeof *distance, compare_descending);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = i / lanes + distance[i];
        most = MAX(most, end);
    }
    return most;
}

uint64_t bound_any_scatter(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint32_t source = collective->source, count = 0;
    uint64_t distance[TOPOLOGY_MAX_PARENTS], most = 0;
    bool one_link = model_row(collective->model)->one_link;
    for (uint32_t next = 0; next < tree->all; next++) {
        if (topology_branch(tree, source, next) == 0)
            continue;
        count = one_link ? count : 0;
        list_leaves(tree, next, source, 1, distance, &count);
        uint64_t end = one_link ? 0 : port_end(distance, count, tree->capacity[1]);
        most = MAX(most, end);
    }
    return one_link ? port_end(distance, count, 1) : most;
}
