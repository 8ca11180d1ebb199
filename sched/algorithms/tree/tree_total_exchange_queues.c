/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_fifo.h"

#include <inttypes.h>
#include <stdlib.h>

/* All packets that a queue ever holds are stored in one array, in order of arrival. */
struct queue {
    uint32_t *packet;
    size_t head, tail; /* packet[head … tail-1] wait */
};

/* The index of a router is node - n. */
struct queues {
    const struct topology *tree;
    struct queue *up, *down; /* [router] */
    uint32_t *room;          /* storage of the queues, router by router: up, down */
    uint64_t *awake;         /* tree_fifo.h */
};

/* Returns the number of packets that a router of a level sends upwards. */
static size_t count_up(const struct topology *tree, unsigned level)
{
    return (size_t)tree->leaves[level] * (tree->nodes - tree->leaves[level]);
}

/* Returns the number of packets that a router of a level sends downwards: those from above, as many
 * as it sends up, and those between its children's subtrees. */
static size_t count_down(const struct topology *tree, unsigned level)
{
    return count_up(tree, level) +
           (size_t)tree->leaves[level] * (tree->leaves[level] - tree->leaves[level - 1]);
}

static size_t count_routers(const struct topology *tree)
{
    size_t all = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        all +=
            (count_up(tree, level) + count_down(tree, level)) * (tree->nodes / tree->leaves[level]);
    return all;
}

static size_t count_transfers(const struct topology *tree)
{
    return count_routers(tree) + (size_t)tree->nodes * (tree->nodes - 1);
}

static bool allocate(struct queues *queues)
{
    const struct topology *tree = queues->tree;
    size_t routers = tree->all - tree->nodes;
    queues->up = calloc(routers, sizeof *queues->up);
    queues->down = calloc(routers, sizeof *queues->down);
    queues->awake = calloc(tree_awake_words(tree), sizeof *queues->awake);
    queues->room = malloc(count_routers(tree) * sizeof *queues->room);
    if (queues->up == NULL || queues->down == NULL || queues->room == NULL || queues->awake == NULL)
        return false;
    uint32_t *next = queues->room;
    for (unsigned level = 1; level <= tree->height; level++)
        for (uint32_t node = tree->first[level]; node < tree->first[level + 1]; node++) {
            queues->up[node - tree->nodes].packet = next;
            queues->down[node - tree->nodes].packet = next + count_up(tree, level);
            next += count_up(tree, level) + count_down(tree, level);
        }
    return true;
}

static void put(struct queue *queue, uint32_t packet)
{
    queue->packet[queue->tail++] = packet;
}

/* Returns the destination of a packet (collective.h). */
static uint32_t destination_of(uint32_t n, uint32_t packet)
{
    uint32_t from = (packet - 1) / (n - 1), other = (packet - 1) % (n - 1);
    return other + (other >= from);
}

/* Returns the destination of packet number `which` (from 0) of leaf x, which sends first to the
 * leaves that it meets at the root, from left to right, then to those that it meets at level h - 1,
 * and so on. */
static uint32_t furthest(const struct topology *tree, uint32_t x, uint32_t which)
{
    unsigned level = tree->height;
    while (which >= tree->leaves[level] - tree->leaves[level - 1]) {
        which -= tree->leaves[level] - tree->leaves[level - 1];
        level--;
    }
    uint32_t all = tree->leaves[level], own = tree->leaves[level - 1];
    uint32_t child = x % all / own * own; /* first leaf of the child's subtree, in this one */
    return x - x % all + which + (which < child ? 0 : own);
}

static bool send_leaves(const struct topology *tree, uint64_t round, struct schedule *schedule,
                        struct err *err)
{
    for (uint32_t leaf = 0; leaf < tree->nodes && round < tree->nodes; leaf++) {
        uint32_t to = furthest(tree, leaf, (uint32_t)round - 1);
        const struct transfer transfer = {
            leaf, topology_parent(tree, 0, leaf),
            collective_packet(COLLECTIVE_TOTAL_EXCHANGE, tree->nodes, leaf, to)};
        if (!schedule_append_lane(schedule, transfer, 0, err))
            return false;
    }
    return true;
}

/* Appends the packet that a router sends in a step. Phase A, upwards, never idles, so it is over
 * when no packet is left to go up; phase B, downwards, follows. */
static bool serve(void *all, uint32_t router, unsigned level, struct schedule *schedule,
                  struct err *err)
{
    struct queues *queues = all;
    const struct topology *tree = queues->tree;
    struct queue *up = &queues->up[router - tree->nodes],
                 *down = &queues->down[router - tree->nodes];
    bool rises = up->head < up->tail;
    struct queue *queue = rises ? up : down;
    if (queue->head == queue->tail)
        return true;
    uint32_t packet = queue->packet[queue->head++];
    uint32_t to =
        rises ? topology_parent(tree, level, router)
              : topology_node(tree, level - 1,
                              destination_of(tree->nodes, packet) / tree->leaves[level - 1]);
    return schedule_append_lane(schedule, (struct transfer){router, to, packet}, 0, err);
}

/* Queues the packets sent from transfer `first` on at their receivers. Senders ascend, so that
 * packets from children are queued before packets from the parent. */
static void queue_up(struct queues *queues, const struct schedule *schedule, size_t first)
{
    const struct topology *tree = queues->tree;
    for (size_t index = first; index < schedule->transfer_count; index++) {
        const struct transfer *transfer = &schedule->transfer[index];
        uint32_t router = transfer->destination;
        if (router < tree->nodes)
            continue;
        unsigned level = topology_level(tree, router);
        uint32_t to = destination_of(tree->nodes, transfer->packet);
        bool below = to / tree->leaves[level] == topology_index(tree, level, router);
        put(below ? &queues->down[router - tree->nodes] : &queues->up[router - tree->nodes],
            transfer->packet);
        tree_awake_wake(queues->awake, tree, router);
    }
}

static bool run(struct queues *queues, struct schedule *schedule, struct err *err)
{
    const struct topology *tree = queues->tree;
    size_t all = count_transfers(tree);
    for (uint64_t round = 1; schedule->transfer_count < all; round++) {
        size_t first = schedule->transfer_count;
        if (schedule_open_step(schedule, round, 1, err) == NULL ||
            !send_leaves(tree, round, schedule, err) ||
            !tree_awake_step(queues->awake, tree, serve, queues, schedule, err))
            return false;
        schedule_close_step(schedule, 0);
        queue_up(queues, schedule, first);
    }
    return true;
}

bool tree_total_exchange_queues_build(const struct collective *collective,
                                      struct schedule *schedule, struct err *err)
{
    struct queues queues = {.tree = collective->topology};
    /* Reserved first, because this rejects schedules that are too large. */
    if (!schedule_reserve(schedule, 0, count_transfers(queues.tree), err))
        return false;
    bool built = allocate(&queues)
                     ? run(&queues, schedule, err)
                     : err_no_memory(err, "the queues of %" PRIu32 " nodes", queues.tree->all);
    free(queues.up);
    free(queues.down);
    free(queues.room);
    free(queues.awake);
    return built;
}
