/* SPDX-License-Identifier: Apache-2.0 */
/* goal: GOAL, the input text of LogGOPSim and htsim (Hoefler, Siebert, Lumsdaine 2009; the grammar
 * is that of LogGOPSim's txt2bin).
 *
 *     round 1   0 → 1         num_ranks 3
 *     round 2   1 → 2         rank 0 {
 *                             s0: send 8b to 1 tag 1
 *                             }
 *                             rank 1 {
 *                             r0: recv 8b from 0 tag 1
 *                             s1: send 8b to 2 tag 1
 *                             s1 requires r0
 *                             }
 *                             …
 *
 * A tag is a packet's number. A send requires the receipt of its packet, and the sends of the last
 * step in which the node sent; a receipt requires the receipts of the last step in which the node
 * received. GOAL has no times because the simulator computes them, so schedules with times are
 * supported. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/goal_program.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <string.h>

/* The operations of a node in one direction in one step, and those of the previous step that had
 * any: indices of `operation`. */
struct chain {
    size_t step;
    size_t first, end;   /* of this step; operations of the other direction may be between them */
    size_t before, last; /* of the previous step */
};

/* Adds the next operation, `k`, of a step. */
static void advance(struct chain *chain, size_t step, size_t k)
{
    if (chain->end == 0 || chain->step != step) {
        chain->before = chain->first;
        chain->last = chain->end;
        chain->step = step;
        chain->first = k;
    }
    chain->end = k + 1;
}

static void put_operation(FILE *to, const struct transfer *transfer, size_t operation,
                          uint64_t bytes)
{
    bool receives = operation % 2 == 1;
    fprintf(to, "%c%zu: %s %" PRIu64 "b %s %" PRIu32 " tag %" PRIu32 "\n", receives ? 'r' : 's',
            operation / 2, receives ? "recv" : "send", bytes, receives ? "from" : "to",
            receives ? transfer->source : transfer->destination, transfer->packet);
}

static void put_node(FILE *to, const struct schedule *schedule, const struct operations *operations,
                     uint32_t node, uint64_t bytes)
{
    struct chain chains[2] = {{0}, {0}};
    const size_t *operation = operations->operation;
    size_t step = 0;
    fprintf(to, "rank %" PRIu32 " {\n", node);
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        size_t index = operation[k] / 2, receives = operation[k] % 2;
        struct chain *chain = &chains[receives];
        while (index >= schedule_step_end(schedule, step))
            step++;
        advance(chain, step, k);
        put_operation(to, &schedule->transfer[index], operation[k], bytes);
        if (!receives && operations->needs[index] != OPERATIONS_NONE)
            fprintf(to, "s%zu requires r%zu\n", index, operations->needs[index]);
        for (size_t j = chain->before; j < chain->last; j++)
            if (operation[j] % 2 == receives)
                fprintf(to, "%c%zu requires %c%zu\n", receives ? 'r' : 's', index,
                        receives ? 'r' : 's', operation[j] / 2);
    }
    fprintf(to, "}\n");
}

static bool write_goal(FILE *to, const struct schedule *schedule,
                       const struct exchange_options *options, struct err *err)
{
    struct operations operations;
    if (!operations_new(schedule, &operations, err))
        return false;
    fprintf(to, "num_ranks %" PRIu32 "\n", schedule->nodes);
    for (uint32_t node = 0; node < schedule->nodes && !ferror(to); node++)
        put_node(to, schedule, &operations, node, options->bytes);
    operations_free(&operations);
    return true;
}

static bool is_goal(const char *head)
{
    const char *first = strstr(head, "num_ranks");
    return first != NULL && (first == head || (head[0] == '/' && strstr(head, "rank ") != NULL));
}

const struct exchange_format exchange_goal = {
    .name = "goal",
    .what = "GOAL, for LogGOPSim and htsim",
    .suffix = "goal",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_COPIES | EXCHANGE_COMBINES,
    .most = SCHEDULE_MAX_NODES,
    .write = write_goal,
    .list = goal_list,
    .is_like = is_goal,
};
