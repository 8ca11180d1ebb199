/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_flood.h"

#include "sched/algorithms/tree/tree_awake.h"
#include "sched/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

/* The packets that routers have received. A queue is a position in that list: packets before it
 * have been sent, or came from that branch. The index of a router is node - n; a branch has the
 * number of its lower node. */
struct flood {
    const struct topology *tree;
    uint32_t *heard;      /* [router][n]: packets in order of arrival */
    uint32_t *count;      /* [router]: number of packets received */
    uint32_t *up;         /* [branch]: position of the queue to the parent */
    uint32_t *down;       /* [branch]: position of the parent's queue to this child */
    uint32_t *next_child; /* [router]: the child to serve next; single-port */
    uint64_t *awake;      /* tree_awake.h */
};

/* A link over which `router` sends: the branch above `lower`, a node of `level`, which is the
 * router itself or its child. `lanes` packets can cross it in a step. */
struct link {
    uint32_t router;
    unsigned level;
    uint32_t lower, lanes;
};

static struct link link_up(const struct topology *tree, uint32_t router, unsigned level)
{
    return (struct link){router, level, router, tree->capacity[level + 1]};
}

static struct link link_down(const struct topology *tree, uint32_t router, unsigned level,
                             uint32_t which)
{
    return (struct link){router, level - 1, topology_child(tree, level, router, which),
                         tree->capacity[level]};
}

/* Removes and returns the next packet for a link; 0 if there is none. */
static uint32_t take(struct flood *flood, struct link link)
{
    const struct topology *tree = flood->tree;
    const uint32_t router = link.router, lower = link.lower;
    const unsigned level = link.level;
    bool up = router == lower;
    uint32_t *position = &(up ? flood->up : flood->down)[lower];
    uint32_t count = flood->count[router - tree->nodes], index = topology_index(tree, level, lower);
    const uint32_t *heard = flood->heard + (size_t)(router - tree->nodes) * tree->nodes;
    while (*position < count) {
        uint32_t packet = heard[(*position)++];
        bool below = (packet - 1) / tree->leaves[level] == index;
        if (below == up)
            return packet;
    }
    return 0;
}

/* Sends the packets of a step over a link and sets *sent to their number. E104. */
static bool send_over_link(struct flood *flood, struct link link, uint32_t *sent,
                           struct schedule *schedule, struct err *err)
{
    uint32_t packet, to = link.router == link.lower
                              ? topology_parent(flood->tree, link.level, link.lower)
                              : link.lower;
    for (*sent = 0; *sent < link.lanes && (packet = take(flood, link)) != 0; ++*sent)
        if (!schedule_append_lane(schedule, (struct transfer){link.router, to, packet}, *sent, err))
            return false;
    return true;
}

static bool serve_all(void *queues, uint32_t router, unsigned level, struct schedule *schedule,
                      struct err *err)
{
    struct flood *flood = queues;
    const struct topology *tree = flood->tree;
    uint32_t sent;
    if (level < tree->height &&
        !send_over_link(flood, link_up(tree, router, level), &sent, schedule, err))
        return false;
    for (uint32_t which = 0; which < tree->children[level]; which++)
        if (!send_over_link(flood, link_down(tree, router, level, which), &sent, schedule, err))
            return false;
    return true;
}

/* Appends the packet that a router sends in a step. Phase A of Figure 4a, upwards, never idles, so
 * it is over when no packet is left to go up; phase B, downwards, follows. */
static bool serve_one(void *queues, uint32_t router, unsigned level, struct schedule *schedule,
                      struct err *err)
{
    struct flood *flood = queues;
    const struct topology *tree = flood->tree;
    uint32_t sent = 0, *next_child = &flood->next_child[router - tree->nodes];
    struct link up = link_up(tree, router, level);
    up.lanes = 1;
    if (level < tree->height && !send_over_link(flood, up, &sent, schedule, err))
        return false;
    for (uint32_t tried = 0; tried < tree->children[level] && sent == 0; tried++) {
        struct link down = link_down(tree, router, level, *next_child);
        down.lanes = 1;
        if (!send_over_link(flood, down, &sent, schedule, err))
            return false;
        *next_child = (*next_child + 1) % tree->children[level];
    }
    return true;
}

static bool send_leaves(const struct topology *tree, struct schedule *schedule, struct err *err)
{
    for (uint32_t leaf = 0; leaf < tree->nodes; leaf++) {
        const struct transfer transfer = {leaf, topology_parent(tree, 0, leaf), leaf + 1};
        if (!schedule_append_lane(schedule, transfer, 0, err))
            return false;
    }
    return true;
}

/* Records the arrival of the packets sent from transfer `first` on. Senders ascend, so that packets
 * from children are recorded before packets from the parent. */
static void hear(struct flood *flood, const struct schedule *schedule, size_t first)
{
    uint32_t n = flood->tree->nodes;
    for (size_t index = first; index < schedule->transfer_count; index++) {
        const struct transfer *transfer = &schedule->transfer[index];
        if (transfer->destination < n)
            continue;
        size_t router = transfer->destination - n;
        flood->heard[router * n + flood->count[router]++] = transfer->packet;
        tree_awake_wake(flood->awake, flood->tree, transfer->destination);
    }
}

/* Returns the number of transfers: each packet crosses each branch once. */
static size_t count_transfers(const struct topology *tree)
{
    return (size_t)tree->nodes * (tree->all - 1);
}

static bool run(struct flood *flood, enum model model, struct schedule *schedule, struct err *err)
{
    const struct topology *tree = flood->tree;
    size_t all = count_transfers(tree);
    for (uint64_t round = 1; schedule->transfer_count < all; round++) {
        size_t first = schedule->transfer_count;
        if (schedule_open_step(schedule, round, 1, err) == NULL ||
            (round == 1 && !send_leaves(tree, schedule, err)) ||
            !tree_awake_step(flood->awake, tree, model_row(model)->one_link ? serve_one : serve_all,
                             flood, schedule, err))
            return false;
        schedule_close_step(schedule, 0);
        hear(flood, schedule, first);
    }
    return true;
}

bool tree_flood_build(const struct collective *collective, struct schedule *schedule,
                      struct err *err)
{
    const struct topology *tree = collective->topology;
    size_t routers = tree->all - tree->nodes;
    /* Reserved first, because this rejects schedules that are too large. */
    if (!schedule_reserve(schedule, 0, count_transfers(tree), err))
        return false;
    struct flood flood = {.tree = tree};
    const struct arena_array arrays[] = {ARENA(flood.heard, routers * tree->nodes),
                                         ARENA(flood.count, routers),
                                         ARENA(flood.up, tree->all),
                                         ARENA(flood.down, tree->all),
                                         ARENA(flood.next_child, routers),
                                         ARENA(flood.awake, tree_awake_words(tree))};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool built = memory != NULL ? run(&flood, collective->model, schedule, err)
                                : err_no_memory(err, "the queues of %" PRIu32 " nodes", tree->all);
    free(memory);
    return built;
}
