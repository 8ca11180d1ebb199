/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/furthest_first.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdlib.h>

/* A packet that the source sends (scatter) or the destination receives (gather). */
struct member {
    uint32_t packet, leaf; /* its number, and the leaf at its other end */
    unsigned meet;         /* level at which that leaf and the source meet */
};

/* The packets that the source of the scatter sends in step t are member[start[t] … start[t + 1] -
 * 1]. */
struct timetable {
    const struct collective *collective;
    bool gather;
    unsigned level;        /* level of the source; 0: a leaf */
    uint64_t last;         /* last step in which the source sends */
    uint32_t *start;       /* [n + 2]: at most one step per packet */
    struct member *member; /* [n] */
    uint32_t *lane;        /* [2 · all]: packets up from a node and, from all on, down to it */
    uint64_t *step;        /* [2 · all]: the step in which `lane` counts them */
};

/* The packets left to send and the limits of one step, by the level at which leaves meet the
 * source. */
struct pace {
    unsigned from; /* level of the source */
    bool one_link;
    uint32_t left[TOPOLOGY_MAX_HEIGHT + 1];   /* packets of the level */
    uint32_t up[TOPOLOGY_MAX_HEIGHT + 1];     /* most over the path up, with higher levels */
    uint64_t spread[TOPOLOGY_MAX_HEIGHT + 1]; /* most into all subtrees of the level */
};

static struct pace pace_of(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    struct pace pace = {.from = topology_level(tree, collective->source),
                        .one_link = model_row(collective->model)->one_link};
    uint32_t lanes = UINT32_MAX;
    for (unsigned level = MAX(pace.from, 1); level <= tree->height; level++) {
        uint32_t subtrees = tree->children[level] - (level > pace.from);
        lanes = level > pace.from ? MIN(lanes, tree->capacity[level]) : lanes;
        pace.left[level] = subtrees * tree->leaves[level - 1];
        pace.up[level] = lanes;
        pace.spread[level] = subtrees * topology_flow(tree, level);
    }
    return pace;
}

/* Returns how many packets of a level leave in a step in which `sent` packets of higher levels
 * leave, and subtracts them. Packets for the leaves below a router share no branch with other
 * packets. */
static uint32_t pace_take(struct pace *pace, unsigned level, uint32_t sent)
{
    uint64_t room = pace->one_link       ? 1 - sent
                    : level > pace->from ? MIN(pace->up[level] - sent, pace->spread[level])
                                         : pace->spread[level];
    uint32_t taken = (uint32_t)MIN(pace->left[level], room);
    pace->left[level] -= taken;
    return taken;
}

uint64_t furthest_first_leaf_end(const struct topology *tree, bool one_link)
{
    uint64_t end = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t width = one_link ? 1 : topology_narrowest(tree, level);
        uint64_t steps = bits_divide_up(tree->nodes - tree->leaves[level - 1], width);
        end = MAX(end, steps + 2 * (uint64_t)level - 1);
    }
    return end;
}

/* Returns the last step of a scatter from a router: the latest arrival of the packets of a
 * level. */
static uint64_t router_end(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    struct pace pace = pace_of(collective);
    uint64_t end = 0;
    for (uint64_t t = 1, left = tree->nodes; left > 0; t++) {
        uint32_t sent = 0;
        for (unsigned level = tree->height; level >= pace.from; level--) {
            uint32_t taken = pace_take(&pace, level, sent);
            sent += taken;
            end = taken > 0 ? MAX(end, t + 2 * (uint64_t)level - pace.from - 1) : end;
        }
        left -= sent;
    }
    return end;
}

uint64_t furthest_first_end(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    return collective->source < tree->nodes
               ? furthest_first_leaf_end(tree, model_row(collective->model)->one_link)
               : router_end(collective);
}

uint64_t furthest_first_hops(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const struct pace pace = pace_of(collective);
    uint64_t hops = 0;
    for (unsigned level = MAX(pace.from, 1); level <= tree->height; level++)
        hops += (2 * (uint64_t)level - pace.from) * pace.left[level];
    return hops;
}

/* Orders packets as self-timed routers queue the packets of a gather that arrive together: from the
 * nearest branch to the furthest, and from left to right in each. */
static int compare_nearest(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return compare_then(COMPARE(a->meet, b->meet), COMPARE(a->leaf, b->leaf));
}

/* Returns packet number q of a level, where the highest q is sent first: from a leaf in descending
 * order of packet numbers, from a router evenly over all branches (tree_reverse). */
static struct member member_of(const struct collective *collective, unsigned from, unsigned level,
                               uint32_t q)
{
    const struct topology *tree = collective->topology;
    if (from == 0) {
        uint32_t packet = tree->leaves[level - 1] + q;
        return (struct member){packet, topology_move(tree, packet, collective->source), level};
    }
    uint32_t subtrees = tree->children[level] - (level > from), own = 0;
    uint32_t above = topology_ancestor(tree, collective->source, level);
    if (level > from)
        own = topology_ancestor(tree, collective->source, level - 1) -
              topology_child(tree, level, above, 0) + 1;
    uint32_t child = (own + q % subtrees) % tree->children[level];
    uint32_t leaf = topology_index(tree, level, above) * tree->leaves[level] +
                    child * tree->leaves[level - 1] + tree_reverse(tree, level, q / subtrees);
    return (struct member){leaf + 1, leaf, level};
}

/* Fills the timetable. In each step the source sends as many packets of the furthest level as pass
 * without waiting, then as many of the next level as still pass, and so on. O(n log n) for the
 * gather. */
static void fill(struct timetable *table)
{
    const struct topology *tree = table->collective->topology;
    struct pace pace = pace_of(table->collective);
    uint32_t all = tree->nodes - (pace.from == 0), sent = 0;
    unsigned lowest = MAX(pace.from, 1);
    for (table->last = 0; sent < all;) {
        uint32_t first = table->start[++table->last] = sent;
        for (unsigned level = tree->height; level >= lowest; level--) {
            uint32_t before = pace.left[level], above = sent - first;
            for (uint32_t taken = pace_take(&pace, level, above), k = 0; k < taken; k++)
                table->member[sent++] =
                    member_of(table->collective, pace.from, level, before - 1 - k);
        }
        if (table->gather)
            qsort(table->member + first, sent - first, sizeof *table->member, compare_nearest);
    }
    table->start[table->last + 1] = sent;
}

/* Returns the node after `hop` hops of the path from the source to a member's leaf. */
static uint32_t node_on_path(const struct timetable *table, const struct member *member,
                             unsigned hop)
{
    const struct topology *tree = table->collective->topology;
    unsigned top = member->meet - table->level;
    return hop <= top ? topology_ancestor(tree, table->collective->source, table->level + hop)
                      : topology_ancestor(tree, member->leaf, member->meet - (hop - top));
}

/* Returns the lane of a transfer in step t: the transfers over a branch take its lanes in order. */
static uint32_t next_lane(const struct timetable *table, const struct transfer *now, uint64_t t)
{
    uint32_t all = table->collective->topology->all;
    uint32_t direction = now->source < now->destination ? now->source : all + now->destination;
    if (table->step[direction] != t)
        table->lane[direction] = 0;
    table->step[direction] = t;
    return table->lane[direction]++;
}

/* Appends in step t hop number `hop` of the packets that leave the source in step `sent`. */
static bool append_hop(const struct timetable *table, uint64_t sent, unsigned hop, uint64_t t,
                       struct schedule *schedule, struct err *err)
{
    for (uint32_t which = table->start[sent]; which < table->start[sent + 1]; which++) {
        const struct member *member = &table->member[which];
        if (hop >= 2 * member->meet - table->level)
            continue;
        uint32_t from = node_on_path(table, member, hop), to = node_on_path(table, member, hop + 1);
        struct transfer now = {table->gather ? to : from, table->gather ? from : to,
                               member->packet};
        if (!schedule_append_lane(schedule, now, next_lane(table, &now, t), err))
            return false;
    }
    return true;
}

/* Appends step t of the scatter: only packets sent in the last 2h steps are still on their way.
 * Reversed, the same hops are step end + 1 - t of the gather. */
static bool append_step(const struct timetable *table, uint64_t t, struct schedule *schedule,
                        struct err *err)
{
    uint64_t most = 2 * (uint64_t)table->collective->topology->height;
    for (uint64_t sent = t > most ? t - most + 1 : 1; sent <= t && sent <= table->last; sent++)
        if (!append_hop(table, sent, (unsigned)(t - sent), t, schedule, err))
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
    if (!schedule_reserve(schedule, furthest_first_end(collective), furthest_first_hops(collective),
                          err))
        return false;
    struct timetable table = {.collective = collective,
                              .gather = gather,
                              .level = topology_level(tree, collective->source)};
    const struct arena_array arrays[] = {
        ARENA(table.start, (size_t)tree->nodes + 2), ARENA(table.member, tree->nodes),
        ARENA(table.lane, 2 * (size_t)tree->all), ARENA(table.step, 2 * (size_t)tree->all)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the timetable of %u leaves", tree->nodes);
    fill(&table);
    bool built = append_steps(&table, schedule, err);
    free(memory);
    return built;
}
