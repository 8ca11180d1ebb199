/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/divided_steps.h"

#include "sched/base/compare.h"
#include "sched/route/partial_results.h"

#include <inttypes.h>
#include <stdlib.h>

/* The last step in which a node received a packet, counted from 1, and its first part with one. */
struct divided_receipt {
    size_t step;
    uint32_t part;
    bool replaces;
};

bool divided_steps_open(struct divided_steps *steps, const struct schedule *schedule,
                        struct err *err)
{
    *steps = (struct divided_steps){.schedule = schedule};
    if (!schedule->has_reductions)
        return true;
    steps->receipt = calloc((size_t)schedule->packets * schedule->nodes, sizeof *steps->receipt);
    return steps->receipt != NULL || err_no_memory(err, "%" PRIu32 " packets at %" PRIu32 " nodes",
                                                   schedule->packets, schedule->nodes);
}

void divided_steps_close(struct divided_steps *steps)
{
    free(steps->receipt);
}

static bool reject(const struct divided_steps *steps, size_t step, uint32_t node, uint32_t packet,
                   const char *what, struct err *err)
{
    const struct schedule *schedule = steps->schedule;
    char time[SCHEDULE_TIME_TEXT];
    return err_set(err, ERR_UNSUPPORTED,
                   "network: %s: node %" PRIu32 " %s packet %" PRIu32
                   " in a round that is divided; expected a reduction in which the order of its "
                   "transfers changes no partial result",
                   schedule_time_text(schedule, schedule->step[step].time, time), node, what,
                   packet);
}

/* Records a receipt of a combined packet. Returns NULL, or what depends on the order. */
static const char *receive_again(const struct reduction *reduction, struct divided_receipt now,
                                 struct divided_receipt *last)
{
    const struct divided_receipt before = *last;
    *last = now;
    if (before.step != now.step)
        return NULL;
    last->part = MIN(before.part, now.part);
    if (before.replaces || now.replaces)
        return "replaces and receives again";
    return reduction->ordered ? "combines in order and receives twice" : NULL;
}

bool divided_steps_check(struct divided_steps *steps, size_t step, divided_part *part,
                         const void *context, struct err *err)
{
    const struct schedule *schedule = steps->schedule;
    if (!schedule->has_reductions)
        return true;
    const size_t first = schedule->step[step].first, end = schedule_step_end(schedule, step);
    for (size_t t = first; t < end; t++) {
        const struct transfer *now = &schedule->transfer[t];
        const struct reduction *reduction = schedule_demand_of(schedule, now->packet)->reduction;
        const struct divided_receipt receipt = {
            step + 1, part(context, now), schedule_combining(schedule, t) & COMBINING_REPLACE};
        if (reduction == NULL)
            continue;
        const char *wrong = receive_again(
            reduction, receipt,
            &steps->receipt[partial_results_pair(schedule, now->destination, now->packet)]);
        if (wrong != NULL)
            return reject(steps, step, now->destination, now->packet, wrong, err);
    }
    for (size_t t = first; t < end; t++) {
        const struct transfer *now = &schedule->transfer[t];
        const struct divided_receipt *receipt =
            &steps->receipt[partial_results_pair(schedule, now->source, now->packet)];
        if (receipt->step == step + 1 && receipt->part < part(context, now))
            return reject(steps, step, now->source, now->packet, "receives and sends", err);
    }
    return true;
}
