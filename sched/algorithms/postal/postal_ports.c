/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/postal/postal_ports.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/numbers/postal.h"

#include <stdlib.h>

uint64_t postal_ports_end(const struct collective *collective)
{
    struct postal table;
    if (!postal_init_ports(&table, collective->lambda.numerator, collective->lambda.denominator,
                           collective->ports / collective->m, collective->n, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t index = table.index;
    postal_free(&table);
    return index;
}

/* A node that sends next at `time`. */
struct caller {
    uint64_t time;
    uint32_t node;
};

/* Callers in order of time. */
struct queue {
    struct caller *caller;
    size_t first, end;
};

static uint64_t next_time(const struct queue *queue)
{
    return queue->first < queue->end ? queue->caller[queue->first].time : UINT64_MAX;
}

struct trees {
    const struct collective *collective;
    struct queue again, called; /* callers that have sent; callers to which a packet is under way */
    uint32_t reached;           /* nodes 0 … reached - 1 have a caller */
};

/* Sends all packets from the first caller of a queue to new nodes. */
static bool call(struct trees *trees, struct queue *queue, struct schedule *schedule,
                 struct err *err)
{
    const struct collective *asked = trees->collective;
    struct caller caller = queue->caller[queue->first++];
    uint32_t calls = MIN(asked->ports / asked->m, asked->n - trees->reached);
    for (uint32_t which = 0; which < calls; which++) {
        uint32_t node = trees->reached++;
        for (uint32_t packet = 1; packet <= asked->m; packet++)
            if (!schedule_append(schedule, (struct transfer){caller.node, node, packet}, err))
                return false;
        trees->called.caller[trees->called.end++] =
            (struct caller){caller.time + asked->lambda.numerator, node};
    }
    if (calls > 0)
        trees->again.caller[trees->again.end++] =
            (struct caller){caller.time + asked->lambda.denominator, caller.node};
    return true;
}

static bool grow(struct trees *trees, struct schedule *schedule, struct err *err)
{
    trees->again.caller[trees->again.end++] = (struct caller){0};
    while (trees->reached < trees->collective->n) {
        uint64_t again = next_time(&trees->again), called = next_time(&trees->called);
        uint64_t time = MIN(again, called);
        bool grown = schedule_open_step(schedule, time, 1, err) != NULL;
        while (grown && next_time(&trees->again) == time)
            grown = call(trees, &trees->again, schedule, err);
        while (grown && next_time(&trees->called) == time)
            grown = call(trees, &trees->called, schedule, err);
        if (!grown)
            return false;
        schedule_close_step(schedule, 0);
    }
    return true;
}

bool postal_ports_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    size_t n = collective->n;
    struct trees trees = {.collective = collective, .reached = 1};
    void *memory = arena_new((const struct arena_array[]){ARENA(trees.again.caller, n + 1),
                                                          ARENA(trees.called.caller, n)},
                             2);
    if (memory == NULL)
        return err_no_memory(err, "the calls of %zu nodes", n);
    bool built = schedule_reserve(schedule, 0, (n - 1) * collective->m + 1, err) &&
                 grow(&trees, schedule, err);
    free(memory);
    return built;
}
