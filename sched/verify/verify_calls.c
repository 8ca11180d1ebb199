/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/verify_rules.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

bool verify_calls_allocate(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    const struct model_row *model = model_row(schedule->model);
    size_t most = 0;
    if (schedule->ports <= 1 || !model->pairs)
        return true;
    for (size_t k = 0; k < schedule->step_count; k++)
        most = MAX(most, schedule_step_end(schedule, k) - schedule->step[k].first);
    v->call = malloc((most + 1) * sizeof *v->call);
    return v->call != NULL;
}

static int by_pair(const void *left, const void *right)
{
    const struct call *a = left, *b = right;
    int pair = compare_then(COMPARE(a->low, b->low), COMPARE(a->high, b->high));
    return compare_then(pair, COMPARE(a->index, b->index));
}

static int by_index(const void *left, const void *right)
{
    const struct call *a = left, *b = right;
    return COMPARE(a->index, b->index);
}

/* Finds the transfers that open a call: a transfer opens a call if, in its direction, its pair has
 * as many transfers before it as the pair has calls. */
static void open_calls(const struct verifier *v, size_t count)
{
    size_t up = 0, down = 0;
    qsort(v->call, count, sizeof *v->call, by_pair);
    for (size_t which = 0; which < count; which++) {
        struct call *call = &v->call[which];
        if (which > 0 && (call->low != call[-1].low || call->high != call[-1].high))
            up = down = 0;
        size_t calls = MAX(up, down);
        size_t *direction = v->schedule->transfer[call->index].source == call->low ? &up : &down;
        call->opens = ++*direction > calls;
    }
    qsort(v->call, count, sizeof *v->call, by_index);
}

/* Counts a call of a node. Returns false if the node has no free port. */
static bool count_call(struct verifier *v, uint32_t node, uint32_t stamp)
{
    struct port *calls = &v->port[node]; /* in the step of `received`, `sent` counts the calls */
    if (calls->received != stamp)
        *calls = (struct port){.received = stamp};
    return ++calls->sent <= v->schedule->ports;
}

static void breach(struct verifier *v, size_t index, uint32_t node)
{
    char time[SCHEDULE_TIME_TEXT];
    const struct transfer *now = &v->schedule->transfer[index];
    verifier_breach(v, index, ERR_PAIRING,
                    "%s: node %" PRIu32 " calls node %" PRIu32 " over no port; at most %" PRIu32
                    " calls per round",
                    verifier_time_of(v, index, time), node,
                    node == now->source ? now->destination : now->source, v->schedule->ports);
}

void verify_calls_step(struct verifier *v, size_t k)
{
    const struct schedule *schedule = v->schedule;
    size_t first = schedule->step[k].first, count = schedule_step_end(schedule, k) - first;
    uint32_t stamp = (uint32_t)k + 1;
    for (size_t which = 0; which < count; which++) {
        const struct transfer *now = &schedule->transfer[first + which];
        v->call[which] = (struct call){MIN(now->source, now->destination),
                                       MAX(now->source, now->destination), first + which, false};
    }
    open_calls(v, count);
    for (size_t which = 0; which < count; which++) {
        size_t index = first + which;
        const struct transfer *now = &schedule->transfer[index];
        bool source = !v->call[which].opens || count_call(v, now->source, stamp);
        bool destination = !v->call[which].opens || count_call(v, now->destination, stamp);
        if (!verifier_has(v, index))
            verifier_breach_not_held(v, index);
        else if (verify_is_early(v, index, stamp))
            verify_control_breach(v, index, stamp);
        else if (!source || !destination)
            breach(v, index, source ? now->destination : now->source);
    }
}
