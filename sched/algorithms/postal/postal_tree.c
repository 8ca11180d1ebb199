/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/postal/postal_tree.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/numbers/postal.h"

/* Input of a call: F_λ', and whether the caller calls again sooner than the recipient. */
struct split {
    struct postal table;
    bool caller_is_sooner;
};

static uint64_t sooner(const struct postal_pace *pace)
{
    return MIN(pace->sender, pace->recipient);
}

static uint64_t later(const struct postal_pace *pace)
{
    return MAX(pace->sender, pace->recipient);
}

static bool tabulate(const struct postal_pace *pace, uint32_t n, struct postal *table,
                     struct err *err)
{
    return postal_init(table, later(pace), sooner(pace), n, err);
}

/* Makes the next call of a caller; `left` counts the nodes of its range except the first, the
 * caller. */
static struct postal_caller call(const struct postal_shape *shape, struct postal_caller *caller)
{
    const struct split *split = shape->with;
    uint32_t range = caller->left + 1;
    uint32_t kept = (uint32_t)postal_split(&split->table, range);
    if (!split->caller_is_sooner)
        kept = range - kept;
    caller->left = kept - 1;
    return (struct postal_caller){.node = caller->node + kept, .left = range - kept - 1};
}

uint64_t postal_tree_end(const struct collective *collective, const struct postal_pace *pace)
{
    struct postal table;
    if (!tabulate(pace, collective->n, &table, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t last_call = table.index - later(pace);
    postal_free(&table);
    return last_call + (collective->m - 1) * pace->period + collective->lambda.numerator;
}

uint32_t postal_tree_degree(const struct collective *collective, const struct postal_pace *pace)
{
    struct split split = {.caller_is_sooner = pace->sender <= pace->recipient};
    if (!tabulate(pace, collective->n, &split.table, NULL))
        return 0;
    const struct postal_shape shape = {.with = &split};
    struct postal_caller root = {.left = collective->n - 1};
    uint32_t calls = 0;
    for (; root.left > 0; calls++)
        call(&shape, &root);
    postal_free(&split.table);
    return calls;
}

bool postal_tree_build(const struct collective *collective, const struct postal_pace *pace,
                       struct schedule *schedule, struct err *err)
{
    struct split split = {.caller_is_sooner = pace->sender <= pace->recipient};
    if (!tabulate(pace, collective->n, &split.table, err))
        return false;
    const struct postal_shape shape = {.call = call, .left = collective->n - 1, .with = &split};
    bool built = postal_grow(&shape, pace, schedule, err);
    postal_free(&split.table);
    return built;
}
