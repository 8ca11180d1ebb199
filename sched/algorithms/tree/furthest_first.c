/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/furthest_first.h"

#include "sched/base/compare.h"

#include <stdlib.h>

/* A packet that the source sends, or the destination receives. */
struct member {
    uint32_t packet, leaf; /* its number, and the leaf at the other end */
    unsigned meet;         /* level at which that leaf and the source meet */
};

/* The packets that the source of the scatter sends in step t are member[start[t] … start[t + 1] -
 * 1]. */
struct timetable {
    const struct collective *collective;
    bool gather;
    uint64_t last;         /* step in which the source sends last */
    uint32_t *start;       /* [n + 1]: at most one step per packet */
    struct member *member; /* [n - 1] */
};

/* Returns the packets that cross level i in a step: width[i], which falls with i. */
static void find_widths(const struct collective *collective, uint32_t width[])
{
    const struct topology *tree = collective->topology;
    bool one_link = model_row(collective->model)->one_link;
    for (unsigned level = 1; level <= tree->height; level++)
        width[level] = one_link ? 1 : topology_narrowest(tree, level);
}

uint64_t furthest_first_end(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint32_t width[TOPOLOGY_MAX_HEIGHT + 1];
    uint64_t end = 0;
    find_widths(collective, width);
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t packets = tree->nodes - tree->leaves[level - 1];
        end = MAX(end, (packets + width[level] - 1) / width[level] + 2 * (uint64_t)level - 1);
    }
    return end;
}

uint64_t furthest_first_hops(const struct topology *tree)
{
    uint64_t hops = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        hops += 2 * (uint64_t)level * (tree->leaves[level] - tree->leaves[level - 1]);
    return hops;
}

/* The order in which self-timed routers queue the packets of a gather that arrive together: from
 * the nearest branch to the furthest, and from left to right in each. */
static int compare_nearest(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return compare_then(COMPARE(a->meet, b->meet), COMPARE(a->leaf, b->leaf));
}

/* Fills the timetable. In each step as many packets of the furthest level leave as cross it, then
 * as many of the next level as still cross that, and so on. O(n log n) for the gather. */
static void fill(struct timetable *table)
{
    const struct collective *collective = table->collective;
    const struct topology *tree = collective->topology;
    uint32_t width[TOPOLOGY_MAX_HEIGHT + 1], next[TOPOLOGY_MAX_HEIGHT + 1], sent = 0;
    find_widths(collective, width);
    for (unsigned level = 1; level <= tree->height; level++)
        next[level] = tree->leaves[level] - 1;
    for (table->last = 0; sent < tree->nodes - 1;) {
        uint32_t first = table->start[++table->last] = sent;
        for (unsigned level = tree->height; level > 0; level--)
            for (; sent - first < width[level] && next[level] >= tree->leaves[level - 1];
                 next[level]--, sent++) {
                uint32_t leaf = topology_move(tree, next[level], collective->source);
                table->member[sent] = (struct member){next[level], leaf, level};
            }
        if (table->gather)
            qsort(table->member + first, sent - first, sizeof *table->member, compare_nearest);
    }
    table->start[table->last + 1] = sent;
}

/* The node after `hop` hops of the path from the source to a member's leaf. */
static uint32_t node_on_path(const struct collective *collective, const struct member *member,
                             unsigned hop)
{
    const struct topology *tree = collective->topology;
    bool rises = hop <= member->meet;
    unsigned level = rises ? hop : 2 * member->meet - hop;
    uint32_t leaf = rises ? collective->source : member->leaf;
    return topology_node(tree, level, leaf / tree->leaves[level]);
}

/* Appends hop number `hop` of the packets that leave the source in one step. Those on one branch
 * are adjacent, and take its lanes in their order. */
static bool append_hop(const struct timetable *table, uint64_t sent, unsigned hop,
                       struct schedule *schedule, struct err *err)
{
    struct transfer before = {0};
    uint32_t lane = 0;
    for (uint32_t which = table->start[sent]; which < table->start[sent + 1]; which++) {
        const struct member *member = &table->member[which];
        if (hop >= 2 * member->meet)
            continue;
        uint32_t from = node_on_path(table->collective, member, hop);
        uint32_t to = node_on_path(table->collective, member, hop + 1);
        struct transfer now = {table->gather ? to : from, table->gather ? from : to,
                               member->packet};
        bool same = now.source == before.source && now.destination == before.destination;
        lane = same ? lane + 1 : 0;
        if (!schedule_append_lane(schedule, now, lane, err))
            return false;
        before = now;
    }
    return true;
}

/* Step t of the scatter: the packets on their way are those of the last 2h steps. The same hops
 * backwards are step end + 1 - t of the gather. */
static bool append_step(const struct timetable *table, uint64_t t, struct schedule *schedule,
                        struct err *err)
{
    uint64_t most = 2 * (uint64_t)table->collective->topology->height;
    for (uint64_t sent = t > most ? t - most + 1 : 1; sent <= t && sent <= table->last; sent++)
        if (!append_hop(table, sent, (unsigned)(t - sent), schedule, err))
            return false;
    return true;
}

static bool append_steps(const struct timetable *table, struct schedule *schedule, struct err *err)
{
    uint64_t end = furthest_first_end(table->collective);
    for (uint64_t t = 1; t <= end; t++) {
        if (schedule_open_step(schedule, t, 1, err) == NULL ||
            !append_step(table, table->gather ? end + 1 - t : t, schedule, err))
            return false;
        schedule_close_step(schedule, 0);
    }
    return true;
}

bool furthest_first_build(const struct collective *collective, bool gather,
                          struct schedule *schedule, struct err *err)
{
    const struct topology *tree = collective->topology;
    uint32_t n = tree->nodes;
    if (!schedule_reserve(schedule, furthest_first_end(collective), furthest_first_hops(tree), err))
        return false;
    struct timetable table = {.collective = collective,
                              .gather = gather,
                              .start = malloc(((size_t)n + 1) * sizeof *table.start),
                              .member = malloc((size_t)n * sizeof *table.member)};
    bool built = table.start != NULL && table.member != NULL;
    if (built) {
        fill(&table);
        built = append_steps(&table, schedule, err);
    } else {
        err_no_memory(err, "the timetable of %u leaves", n);
    }
    free(table.start);
    free(table.member);
    return built;
}
