/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound.h"

#include "sched/base/bits.h"
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
        if (next != from && topology_branch(tree, node, next) != 0) {
            steps[count] = bound_any_hanging(tree, next, node, one_link);
            count += steps[count] != BOUND_NO_LEAF;
        }
    if (count == 0 && node >= tree->nodes)
        return BOUND_NO_LEAF;
    qsort(steps, count, sizeof *steps, compare_descending);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = steps[i] + (one_link ? i + 1 : 1);
        most = MAX(most, end);
    }
    return most;
}

/* Returns the steps in which the first of the m packets that cross a branch are ahead of the last:
 * ⌈m/c⌉ - 1, with c = 1 in the single-port model. */
static uint64_t steps_ahead(const struct collective *collective)
{
    const bool one_link = model_row(collective->model)->one_link;
    return bits_divide_up(collective->m, one_link ? 1 : collective->topology->capacity[1]) - 1;
}

uint64_t bound_any_broadcast(const struct collective *collective)
{
    return bound_any_hanging(collective->topology, collective->source, collective->source,
                             model_row(collective->model)->one_link) +
           steps_ahead(collective);
}

uint64_t bound_any_distance(const struct collective *collective)
{
    return bound_any_hanging(collective->topology, collective->source, collective->source, false) +
           steps_ahead(collective);
}

/* Returns the distance of the nearest leaf in the part of the tree that hangs from `node`;
 * BOUND_NO_LEAF if there is none. */
static uint64_t nearest_leaf(const struct topology *tree, uint32_t node, uint32_t from)
{
    uint64_t nearest = node < tree->nodes ? 0 : BOUND_NO_LEAF;
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0) {
            const uint64_t distance = nearest_leaf(tree, next, node);
            if (distance != BOUND_NO_LEAF)
                nearest = MIN(nearest, distance + 1);
        }
    return nearest;
}

/* The neighbours of a node that lead to leaves, and the fewest steps of a broadcast beyond one. */
struct beyond {
    uint32_t branches;
    uint64_t steps;
};

static struct beyond beyond_of(const struct topology *tree, uint32_t node, uint32_t from)
{
    struct beyond beyond = {0, BOUND_NO_LEAF};
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0) {
            const uint64_t steps = bound_any_hanging(tree, next, node, true);
            beyond.branches += steps != BOUND_NO_LEAF;
            beyond.steps = MIN(beyond.steps, steps);
        }
    return beyond;
}

/* Returns the largest end of a node in the part of the tree that hangs from `node`, which a packet
 * reaches in step `before`. Each node then sends m packets to each neighbour but `from`. */
static uint64_t copies_below(const struct topology *tree, uint32_t node, uint32_t from,
                             uint64_t before, uint64_t m)
{
    const struct beyond beyond = beyond_of(tree, node, from);
    uint64_t most = beyond.branches > 0 ? before + beyond.branches * m + beyond.steps : 0;
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0) {
            const uint64_t end = copies_below(tree, next, node, before + 1, m);
            most = MAX(most, end);
        }
    return most;
}

uint64_t bound_any_copies(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const uint32_t source = collective->source;
    uint64_t most = 0;
    if (collective->kind == COLLECTIVE_BROADCAST)
        return copies_below(tree, source, source, 0, collective->m);
    for (uint32_t node = tree->nodes; node < tree->all; node++) {
        const struct beyond beyond = beyond_of(tree, node, node);
        if (beyond.branches < 2)
            continue;
        const uint64_t end = nearest_leaf(tree, node, node) +
                             beyond.branches * (uint64_t)collective->m + beyond.steps;
        most = MAX(most, end);
    }
    return most;
}

uint64_t bound_any_both_directions(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const uint32_t c = tree->capacity[1];
    const uint64_t lanes = model_row(collective->model)->one_link ? MIN(c, 2) : c;
    uint64_t most = 0;
    for (uint32_t node = 0; node < tree->all; node++)
        for (uint32_t next = 0; next < node; next++) {
            if (topology_branch(tree, node, next) == 0)
                continue;
            /* `node` is the parent of `next`, below which there is a leaf. */
            const uint64_t one = nearest_leaf(tree, node, next),
                           other = nearest_leaf(tree, next, node);
            if (one == BOUND_NO_LEAF)
                continue;
            const uint64_t beyond_one = bound_any_hanging(tree, node, next, false),
                           beyond_other = bound_any_hanging(tree, next, node, false);
            const uint64_t end = MIN(one, other) +
                                 bits_divide_up(2 * (uint64_t)collective->m, lanes) +
                                 MIN(beyond_one, beyond_other);
            most = MAX(most, end);
        }
    return most;
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

/* A packet of a reduce-scatter that a node has to send. */
struct errand {
    uint64_t after; /* links on which partial results travel to the node first */
    uint64_t links; /* from the node to the packet's leaf */
};

static int compare_errands(const void *left, const void *right)
{
    const struct errand *a = left, *b = right;
    return COMPARE(b->links, a->links);
}

/* Lists the packets that a router has to send: those for the leaves on each branch if there are
 * leaves on other branches. Returns how many there are. */
static uint32_t list_errands(const struct topology *tree, uint32_t node, struct errand errand[])
{
    uint64_t distance[TOPOLOGY_MAX_PARENTS], furthest[TOPOLOGY_MAX_PARENTS];
    uint32_t begin[TOPOLOGY_MAX_PARENTS + 1], branches = 0, leaves = 0, count = 0;
    for (uint32_t next = 0; next < tree->all; next++) {
        if (topology_branch(tree, node, next) == 0)
            continue;
        begin[branches] = leaves;
        list_leaves(tree, next, node, 1, distance, &leaves);
        furthest[branches] = 0;
        for (uint32_t k = begin[branches]; k < leaves; k++)
            furthest[branches] = MAX(furthest[branches], distance[k]);
        begin[++branches] = leaves;
    }
    for (uint32_t branch = 0; branch < branches; branch++) {
        uint64_t after = 0;
        for (uint32_t other = 0; other < branches; other++)
            after = other == branch ? after : MAX(after, furthest[other]);
        for (uint32_t k = begin[branch]; k < begin[branch + 1]; k++)
            if (after > 0)
                errand[count++] = (struct errand){after, distance[k]};
    }
    return count;
}

/* Returns the last step of a node that sends one packet in a step, of those whose partial results
 * have arrived the one with the most links to go, which is optimal (Jackson).
 * O(packets · steps). */
static uint64_t errands_end(struct errand errand[], uint32_t count)
{
    uint64_t end = 0;
    qsort(errand, count, sizeof *errand, compare_errands);
    for (uint64_t step = 1; count > 0; step++) {
        uint32_t k = 0;
        while (k < count && errand[k].after >= step)
            k++;
        if (k == count)
            continue;
        end = MAX(end, step + errand[k].links - 1);
        for (count--; k < count; k++)
            errand[k] = errand[k + 1];
    }
    return end;
}

/* Of routers only: the router of a leaf sends the same packets a step later, a link nearer. */
uint64_t bound_any_sends(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    struct errand errand[TOPOLOGY_MAX_PARENTS];
    uint64_t most = 0;
    for (uint32_t node = tree->nodes; node < tree->all; node++) {
        const uint32_t count = list_errands(tree, node, errand);
        const uint64_t end = errands_end(errand, count);
        most = MAX(most, end);
    }
    return most;
}
