/* SPDX-License-Identifier: Apache-2.0 */
/* cube-unbalanced: packets from any nodes of a hypercube to all nodes, each along a tree of its
 * own, in at most d + K - 1 rounds.
 *
 * A node that receives a packet over dimension j forwards it over dimensions j + 1 … d; its source
 * sends it over all dimensions: the completely unbalanced spanning tree of the source. Each arc
 * serves its queue first come, first served; packets that arrive at a node in one round are queued
 * by ascending source, then packet. d = 2, packets 1 of node 0 and 2 of node 1, by round:
 *
 *     round      1            2
 *     0 → 1      1
 *     1 → 0      2
 *     0 → 2      1            2
 *     1 → 3      2            1
 *
 * A packet that lets another packet pass is never delayed by it again, because both take the same
 * route from there; so each packet waits at most K - 1 times. The method suits few packets; d + K -
 * 1 is attained if one node has them all. O(transfers · log transfers).
 *
 * Stamoulis and Tsitsiklis, sections 2.2 and 3.3.1.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <stdlib.h>

/* A copy of a packet that waits for an arc. Index 0 means none. */
struct copy {
    uint32_t packet;
    uint32_t next; /* in the arc's queue */
};

/* The queue of the arc out of `node` over dimension j is number node · d + j - 1. */
struct queues {
    const struct topology *cube;
    struct copy *copy; /* [1 … copies], in order of arrival */
    size_t copies;
    uint32_t *head, *tail; /* [arcs]: indices of copies */
    size_t *busy;          /* [busy_count]: arcs with a nonempty queue */
    size_t busy_count;
};

static bool queues_init(struct queues *queues, const struct topology *cube, size_t copies)
{
    size_t arcs = (size_t)cube->nodes * cube->dimensions, most = MIN(arcs, copies);
    *queues = (struct queues){.cube = cube,
                              .copy = malloc((copies + 1) * sizeof *queues->copy),
                              .head = calloc(arcs, sizeof *queues->head),
                              .tail = calloc(arcs, sizeof *queues->tail),
                              .busy = malloc(most * sizeof *queues->busy)};
    return queues->copy != NULL && queues->head != NULL && queues->tail != NULL &&
           queues->busy != NULL;
}

static void queues_free(struct queues *queues)
{
    free(queues->copy);
    free(queues->head);
    free(queues->tail);
    free(queues->busy);
}

/* Queues a packet that has reached a node over a dimension (0 if it starts there) at the arcs of
 * all higher dimensions. */
static void queue_up(struct queues *queues, uint32_t node, unsigned dimension, uint32_t packet)
{
    for (unsigned j = dimension + 1; j <= queues->cube->dimensions; j++) {
        size_t arc = (size_t)node * queues->cube->dimensions + j - 1;
        uint32_t copy = (uint32_t)++queues->copies;
        queues->copy[copy] = (struct copy){packet, 0};
        if (queues->head[arc] == 0) {
            queues->head[arc] = copy;
            queues->busy[queues->busy_count++] = arc;
        } else {
            queues->copy[queues->tail[arc]].next = copy;
        }
        queues->tail[arc] = copy;
    }
}

/* Sends the head of each queue. Returns the number of transfers. */
static size_t send_heads(struct queues *queues, struct transfer *to)
{
    size_t sent = 0, still_busy = 0;
    for (size_t which = 0; which < queues->busy_count; which++) {
        size_t arc = queues->busy[which];
        uint32_t node = (uint32_t)(arc / queues->cube->dimensions);
        unsigned dimension = (unsigned)(arc % queues->cube->dimensions) + 1;
        const struct copy *head = &queues->copy[queues->head[arc]];
        to[sent++] = (struct transfer){node, topology_across(node, dimension), head->packet};
        queues->head[arc] = head->next;
        if (head->next != 0)
            queues->busy[still_busy++] = arc;
    }
    queues->busy_count = still_busy;
    return sent;
}

/* Orders transfers by packet, and so by source; a node receives a packet once. */
static int compare(const void *left, const void *right)
{
    const struct transfer *a = left, *b = right;
    return compare_then(COMPARE(a->packet, b->packet), COMPARE(a->destination, b->destination));
}

static bool append_steps(struct queues *queues, struct schedule *schedule, struct err *err)
{
    for (uint64_t round = 1; queues->busy_count > 0; round++) {
        struct transfer *sent = schedule_open_step(schedule, round, queues->busy_count, err);
        if (sent == NULL)
            return false;
        size_t count = send_heads(queues, sent);
        qsort(sent, count, sizeof *sent, compare);
        for (size_t which = 0; which < count; which++)
            queue_up(queues, sent[which].destination,
                     topology_dimension(sent[which].source, sent[which].destination),
                     sent[which].packet);
        schedule_close_step(schedule, count);
    }
    return true;
}

static bool unbalanced_build(const struct collective *collective, struct schedule *schedule,
                             struct err *err)
{
    const struct topology *cube = collective->topology;
    size_t transfers = (size_t)collective->m * (cube->nodes - 1);
    if (transfers >= UINT32_MAX)
        return err_set(err, ERR_TOO_BIG,
                       "cube-unbalanced: %zu transfer%s; expected fewer than 2^32", transfers,
                       text_s(transfers));
    if (!schedule_reserve(schedule, cube->dimensions + collective->m - 1, transfers, err))
        return false;
    struct queues queues;
    bool built = queues_init(&queues, cube, transfers) ||
                 err_no_memory(err, "the queues of %u nodes", cube->nodes);
    for (uint32_t packet = 1; built && packet <= collective->m; packet++)
        queue_up(&queues, collective->sources[packet - 1], 0, packet);
    built = built && append_steps(&queues, schedule, err);
    queues_free(&queues);
    return built;
}

static uint64_t unbalanced_end(const struct collective *collective)
{
    return collective->m == 1 ? collective->topology->dimensions : ALGORITHM_UNKNOWN;
}

static bool unbalanced_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    return guarantee_set(guarantee, (uint64_t)collective->topology->dimensions + collective->m - 1,
                         "d+K-1", "Stamoulis, Tsitsiklis, section 3.3.1");
}

static bool unbalanced_accepts(const struct collective *collective, struct err *err)
{
    return cube_accepts_no_source("cube-unbalanced", collective, err) &&
           cube_accepts_packets("cube-unbalanced", collective, 1, SCHEDULE_MAX_PACKETS, err);
}

const struct algorithm algorithm_cube_unbalanced = {
    .name = "cube-unbalanced",
    .summary =
        "for few packets: each along the tree of its source, queues at the arcs; at most d + K - 1",
    .source = "Stamoulis, Tsitsiklis, section 3.3.1",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_SIMULTANEOUS,
    .accepts = unbalanced_accepts,
    .end = unbalanced_end,
    .guarantee = unbalanced_guarantee,
    .build = unbalanced_build,
};
