/* SPDX-License-Identifier: Apache-2.0 */
/* tree-all-gather: every leaf of a tree broadcasts a packet of its own to all leaves.
 *
 * Each router sends each packet on every branch except the branch it came from. k = 2, 2: leaves 0,
 * 1 and their router 1:0, with its upward and downward sends and those of the root 2:0; the other
 * half is symmetric:
 *
 *     single-port                              multiport, flood
 *     step   1:0 up   2:0      1:0 down        step   1:0 up   2:0              1:0 down
 *     2      1                                 2      1                         2→0 1→1
 *     3      2        3→1:0                    3      2        3→1:0 1→1:1
 *     4               1→1:1    2→0             4               4→1:0 2→1:1      3→0 3→1
 *     5               4→1:0    1→1             5                                4→0 4→1
 *     6               2→1:1    3→0
 *     7                        3→1             step 1: leaf x sends packet x + 1
 *     8                        4→0
 *     9                        4→1
 *
 * Optimal; docs/algorithms/tree.md explains how the paper is interpreted. queue-free and
 * interleaved: each router forwards arriving packets at once (tree_queue_free.h).
 *
 * O(transfers · h), single-port O(transfers + steps · routers / 64). n(n + routers - 1) transfers;
 * queue-free has n(Σ l(k_l - 1) - h) more, upwards, and interleaved fewer of these. V. V.
 * Dimakopoulos and N. J. Dimopoulos, "Leaf Communications in Complete Trees", 1996, sections 2.3
 * (Figure 4a) and 3.2.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/furthest_first.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/algorithms/tree/tree_fifo.h"
#include "sched/algorithms/tree/tree_queue_free.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/schedule/schedule.h"

#include <inttypes.h>
#include <stdlib.h>

enum method { FLOOD, QUEUE_FREE, INTERLEAVED };

static const char *const methods[] = {"flood", "queue-free", "interleaved", NULL};

/* -- Flooding ---------------------------------------------------------------------------------- */

/* Each router sends every packet on every branch except the branch it came from. */

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
    uint64_t *awake;      /* tree_fifo.h */
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

/* Appends the steps of an all-gather of one packet per leaf. Each branch has a queue, first in,
 * first out; packets that arrive in one step are queued in the order children, left to right, then
 * parent.
 *
 * multiport      c packets per step from every queue whose branch has c lanes
 * single-port    one packet from the queue to the parent, else from those to the children in turn
 *
 * O(transfers + steps · routers / 64), memory O(n · routers), no more than the schedule's n(n +
 * routers - 1) transfers. E104. */
static bool tree_flood_build(const struct collective *collective, struct schedule *schedule,
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

static bool multinode_accepts(const struct collective *collective, struct err *err)
{
    if (collective->method != FLOOD && collective->topology->half_duplex)
        return err_set(err, ERR_ALGORITHM,
                       "{method}: %s requires full-duplex links, because packets in the "
                       "other direction make routers wait; expected flood",
                       methods[collective->method]);
    if (!tree_accepts_no_source("tree-all-gather", methods, collective, err))
        return false;
    return collective->method != INTERLEAVED || tree_queue_free_interleaves(collective->topology) ||
           err_set(err, ERR_ALGORITHM,
                   "{method}: interleaved requires that paths to levels 2 … h are equally wide; "
                   "expected flood or queue-free");
}

/* Returns the last step in the single-port model, in which the root, or the last router of level i,
 * sends without a pause:
 *
 *     max( h + n(k_h - 1) + Σ_{j<h} k_j,   max_{i<h} [ i + n k_i + Σ_{j<i} k_j ] )
 *         =  kn + (k+1)(h-2) + 1     for k_i = k and h ≥ 2
 *
 * The form for general k_i is ours. */
static uint64_t single_port_end(const struct topology *tree)
{
    uint64_t n = tree->nodes, below = 0, end = 0; /* below: Σ_{j<i} k_j */
    for (unsigned i = 1; i <= tree->height; i++) {
        uint64_t k = tree->children[i], busy = i + n * (i < tree->height ? k : k - 1) + below;
        end = MAX(end, busy);
        below += k;
    }
    return end;
}

static uint64_t multinode_end(const struct collective *collective)
{
    if (collective->topology->any)
        return tree_any_end(collective);
    const struct topology *tree = collective->topology;
    if (model_row(collective->model)->one_link)
        return single_port_end(tree);
    if (collective->method == FLOOD)
        return furthest_first_leaf_end(tree, false);
    return tree_queue_free_end(tree, collective->method == INTERLEAVED);
}

static bool multinode_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    if (collective->topology->any)
        return tree_any_build(collective, schedule, err);
    const struct topology *tree = collective->topology;
    if (collective->method == FLOOD)
        return tree_flood_build(collective, schedule, err);
    return tree_queue_free_build(tree, collective->method == INTERLEAVED, schedule, err);
}

const struct algorithm algorithm_tree_all_gather = {
    .name = "tree-all-gather",
    .alias = "tree-multinode",
    .summary =
        "every leaf to all leaves: flood and, without queues in routers, interleaved are optimal",
    .source = "Dimakopoulos, Dimopoulos, Figure 4a and Theorem 7",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_ALL_GATHER,
    .methods = methods,
    .method_models = 1u << MODEL_MULTIPORT,
    .accepts = multinode_accepts,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = multinode_end,
    .build = multinode_build,
};
