/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_fifo.h"

#include "sched/base/compare.h"

#include <stdlib.h>

/* The packets of a queue are linked by number; 0: none. */
struct queue {
    uint32_t first, last;
    bool active; /* listed in fifo.active or fifo.fresh */
};

/* In the single-port model queue q holds the packets that node q has to send. In the multiport
 * model queue q holds the packets that go up from node q, and for q ≥ tree->all those that come
 * down to node q - tree->all. In ascending order of their numbers the queues that feed a node are
 * in the order in which it accepts arrivals: its children are numbered left to right and below it,
 * and the queue from above is last. */
struct fifo {
    const struct topology *tree;
    bool single;
    const struct tree_path *path; /* [packet - 1] */
    uint32_t *next;               /* [packet]: the packet after it in its queue */
    struct queue *queue;          /* [2 · tree->all] */
    uint32_t active_count, fresh_count;
    uint32_t *active; /* nonempty queues, ascending */
    uint32_t *fresh;  /* queues that become nonempty in this step */
    uint32_t *merged; /* buffer for the next step's active */
};

/* Returns the next node of a packet. O(h). */
static uint32_t next_node(const struct fifo *fifo, uint32_t node, uint32_t packet)
{
    const struct topology *tree = fifo->tree;
    unsigned level = topology_level(tree, node);
    uint32_t to = fifo->path[packet - 1].to;
    if (to / tree->leaves[level] != topology_index(tree, level, node))
        return topology_parent(tree, level, node);
    return topology_node(tree, level - 1, to / tree->leaves[level - 1]);
}

static void put(struct fifo *fifo, uint32_t node, uint32_t packet)
{
    uint32_t next = next_node(fifo, node, packet);
    uint32_t number = fifo->single || node < next ? node : fifo->tree->all + next;
    struct queue *queue = &fifo->queue[number];
    if (queue->first == 0)
        queue->first = packet;
    else
        fifo->next[queue->last] = packet;
    queue->last = packet;
    fifo->next[packet] = 0;
    if (!queue->active)
        fifo->fresh[fifo->fresh_count++] = number;
    queue->active = true;
}

/* Sends one step's packets of a queue, each on a lane of its own. E104. */
static bool send_next(struct fifo *fifo, uint32_t number, struct schedule *schedule,
                      struct err *err)
{
    const struct topology *tree = fifo->tree;
    struct queue *queue = &fifo->queue[number];
    uint32_t lower = number % tree->all, node = lower, lanes = 1;
    if (!fifo->single) {
        unsigned level = topology_level(tree, lower);
        lanes = tree->capacity[level + 1];
        node = number < tree->all ? lower : topology_parent(tree, level, lower);
    }
    for (uint32_t lane = 0; lane < lanes && queue->first != 0; lane++) {
        uint32_t packet = queue->first;
        queue->first = fifo->next[packet];
        struct transfer transfer = {node, next_node(fifo, node, packet), packet};
        if (!schedule_append_lane(schedule, transfer, lane, err))
            return false;
    }
    return true;
}

/* Removes the queues that are now empty from the active ones and adds the fresh ones. */
static void update_active(struct fifo *fifo)
{
    qsort(fifo->fresh, fifo->fresh_count, sizeof *fifo->fresh, compare_u32);
    uint32_t count = 0, fresh = 0;
    for (uint32_t which = 0; which < fifo->active_count; which++) {
        uint32_t number = fifo->active[which];
        while (fresh < fifo->fresh_count && fifo->fresh[fresh] < number)
            fifo->merged[count++] = fifo->fresh[fresh++];
        struct queue *queue = &fifo->queue[number];
        queue->active = queue->first != 0;
        if (queue->active)
            fifo->merged[count++] = number;
    }
    while (fresh < fifo->fresh_count)
        fifo->merged[count++] = fifo->fresh[fresh++];
    uint32_t *old = fifo->active;
    fifo->active = fifo->merged;
    fifo->merged = old;
    fifo->active_count = count;
    fifo->fresh_count = 0;
}

static bool run_step(struct fifo *fifo, uint64_t t, struct schedule *schedule, struct err *err)
{
    size_t first = schedule->transfer_count;
    if (schedule_open_step(schedule, t, 1, err) == NULL)
        return false;
    for (uint32_t which = 0; which < fifo->active_count; which++)
        if (!send_next(fifo, fifo->active[which], schedule, err))
            return false;
    schedule_close_step(schedule, 0);
    for (size_t index = first; index < schedule->transfer_count; index++) {
        struct transfer now = schedule->transfer[index];
        if (now.destination != fifo->path[now.packet - 1].to)
            put(fifo, now.destination, now.packet);
    }
    update_active(fifo);
    return true;
}

static bool run(struct fifo *fifo, uint32_t packets, struct schedule *schedule, struct err *err)
{
    for (uint32_t packet = 1; packet <= packets; packet++)
        put(fifo, fifo->path[packet - 1].from, packet);
    update_active(fifo);
    for (uint64_t t = 1; fifo->active_count > 0; t++)
        if (!run_step(fifo, t, schedule, err))
            return false;
    return true;
}

bool tree_fifo_build(const struct topology *tree, enum model model, uint32_t packets,
                     const struct tree_path path[], struct schedule *schedule, struct err *err)
{
    size_t queues = 2 * (size_t)tree->all;
    struct fifo fifo = {.tree = tree,
                        .single = model_row(model)->one_link,
                        .path = path,
                        .next = malloc(((size_t)packets + 1) * sizeof *fifo.next),
                        .queue = calloc(queues, sizeof *fifo.queue),
                        .active = malloc(queues * sizeof *fifo.active),
                        .fresh = malloc(queues * sizeof *fifo.fresh),
                        .merged = malloc(queues * sizeof *fifo.merged)};
    bool built = fifo.next != NULL && fifo.queue != NULL && fifo.active != NULL &&
                 fifo.fresh != NULL && fifo.merged != NULL;
    built = built ? run(&fifo, packets, schedule, err)
                  : err_no_memory(err, "the queues of %u nodes", tree->all);
    free(fifo.next);
    free(fifo.queue);
    free(fifo.active);
    free(fifo.fresh);
    free(fifo.merged);
    return built;
}

/* -- Awake routers ----------------------------------------------------------------------------- */

bool tree_awake_step(uint64_t awake[], const struct topology *tree, tree_awake_serve *serve,
                     void *queues, struct schedule *schedule, struct err *err)
{
    size_t words = tree_awake_words(tree);
    unsigned level = 1;
    for (size_t word = 0; word < words; word++)
        for (uint64_t left = awake[word]; left != 0; left &= left - 1) {
            uint32_t router = tree->nodes + (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(left);
            size_t before = schedule->transfer_count;
            while (router >= tree->first[level + 1])
                level++;
            if (!serve(queues, router, level, schedule, err))
                return false;
            if (schedule->transfer_count == before)
                awake[word] &= ~(left & -left);
        }
    return true;
}
