/* SPDX-License-Identifier: Apache-2.0 */
/* postal_bcast: Algorithm BCAST, which is optimal: one packet along the generalised Fibonacci tree.
 *
 * Every node that has the packet sends it to a new node in every unit of time. Node 0 has the range
 * 0 … n-1; the holder of a range of c nodes keeps the first j = F_λ(f_λ(c) - 1) and sends to the
 * first of the others, which gets their range when the packet arrives, λ later. Figure 1, n = 14, λ
 * = 5/2:
 *
 *     from node    at times                  to nodes
 *     0            0, 1, 2, 3, 4, 5          9, 6, 4, 3, 2, 1
 *     9            5/2, 7/2, 9/2             12, 11, 10
 *     6            7/2, 9/2                  8, 7
 *     4            9/2                       5
 *     12           5                         13                  arrives at 15/2 = f_λ(14)
 *
 * With one port it ends at exactly f_λ(n), which is optimal. The tree for λ = 1 is binomial. Nodes
 * with several ports: postal_bcast.c. O(n log n).
 *
 * Bar-Noy and Kipnis, section 3, Theorem 6. (The paper prints `p_n - 1` for the last node,
 * p_{n-1}.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/postal_tree.h"
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/numbers/postal.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

#include <stdlib.h>

/* -- Several ports ----------------------------------------------------------------------------- */

/* M ≤ k packets over k ports per node in the postal model, each down a tree of its own.
 *
 * Each packet uses p = ⌊k/m⌋ ports of every node. Every node that has it sends it to p new nodes in
 * every unit of time. n = 6, m = 1, k = 2, λ = 3/2:
 *
 *     time 0      0→1  0→2
 *     time 1      0→3  0→4
 *     time 3/2    1→5              arrives at 3
 *
 * A tree reaches F(t) = F(t - 1) + p F(t - λ) nodes by time t (numbers/postal.h), which is the
 * maximum: it is optimal for one packet, and m packets end no later than one packet over ⌊k/m⌋
 * ports.
 *
 * A. Bar-Noy, J. Bruck, C.-T. Ho, S. Kipnis, B. Schieber, Computing global combine operations in
 * the multiport postal model, IEEE TPDS 6, 1995. */

/* Returns the tick at which the last packet arrives; ALGORITHM_UNKNOWN if there is no memory.
 * Precondition: n ≥ 2, m ≤ ports. O(steps of F). */
static uint64_t postal_ports_end(const struct collective *collective)
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

/* Appends the transfers. Precondition: as postal_ports_end. E104. O(transfers). */
static bool postal_ports_build(const struct collective *collective, struct schedule *schedule,
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

static struct postal_pace pace_of(const struct collective *collective)
{
    return (struct postal_pace){.sender = collective->lambda.denominator,
                                .recipient = collective->lambda.numerator,
                                .period = 1}; /* there are no further packets */
}

static uint64_t bcast_end(const struct collective *collective)
{
    if (collective->ports > 1)
        return postal_ports_end(collective);
    struct postal_pace pace = pace_of(collective);
    return postal_tree_end(collective, &pace);
}

static bool bcast_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    if (collective->ports > 1)
        return postal_ports_build(collective, schedule, err);
    struct postal_pace pace = pace_of(collective);
    return postal_tree_build(collective, &pace, schedule, err);
}

static bool bcast_accepts(const struct collective *collective, struct err *err)
{
    uint32_t most = MAX(collective->ports, 1);
    if (collective->m > most)
        return err_set(
            err, ERR_ALGORITHM,
            "postal-bcast of %u packet%s; expected %s%u packet%s, or postal-repeat, postal-pack, "
            "postal-pipeline, postal-dtree, postal-block or postal-swarm",
            collective->m, text_s(collective->m), most > 1 ? "1 … " : "", most, text_s(most));
    return true;
}

static bool bcast_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    uint64_t end = bcast_end(collective);
    return end != ALGORITHM_UNKNOWN &&
           guarantee_set(guarantee, end, "f_λ(n)", "Bar-Noy, Kipnis, Theorem 6");
}

/* Returns whether each tree uses a single port of every node: ⌊ports / m⌋ = 1. */
static bool bcast_keeps_ports(const struct collective *collective)
{
    return collective->ports / collective->m == 1;
}

const struct algorithm algorithm_postal_bcast = {
    .name = "postal-bcast",
    .summary = "optimal for one packet: every node that has it sends it in every unit of time",
    .source = "Bar-Noy, Kipnis, section 3",
    .models = 1u << MODEL_POSTAL,
    .several_ports = 1u << MODEL_POSTAL,
    .keeps_ports = bcast_keeps_ports,
    .accepts = bcast_accepts,
    .end = bcast_end,
    .guarantee = bcast_guarantee,
    .build = bcast_build,
};
