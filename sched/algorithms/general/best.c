/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/best.h"

#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

bool best_keep(struct best *best, uint64_t end, const struct list_send send[], size_t count,
               struct err *err)
{
    struct list_send *copy = malloc((count + 1) * sizeof *copy);
    if (copy == NULL)
        return err_no_memory(err, "%zu packets to send", count);
    memcpy(copy, send, count * sizeof *copy);
    free(best->send);
    *best = (struct best){.end = end, .count = count, .send = copy};
    return true;
}

bool best_take(struct best *best, const struct schedule *schedule, struct err *err)
{
    struct list_send *send = malloc((schedule->transfer_count + 1) * sizeof *send);
    if (send == NULL)
        return err_no_memory(err, "%zu packets to send", schedule->transfer_count);
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            send[t] = (struct list_send){schedule->step[k].time, schedule->transfer[t]};
    free(best->send);
    *best = (struct best){.end = schedule->end, .count = schedule->transfer_count, .send = send};
    snprintf(best->by, sizeof best->by, "%s", schedule->algorithm);
    return true;
}

/* -- Schedules -------------------------------------------------------------------------------- */

static int compare_sends(const void *left, const void *right)
{
    const struct list_send *a = left, *b = right;
    int from = COMPARE(a->transfer.source, b->transfer.source),
        to = COMPARE(a->transfer.destination, b->transfer.destination);
    return compare_then(COMPARE(a->time, b->time), compare_then(from, to));
}

/* Appends the sends of one time. The packets over a branch take its lanes in order. E104. */
static bool append_time(const struct list_send send[], size_t count, struct schedule *schedule,
                        struct err *err)
{
    bool lanes = topology_has_routers(&schedule->topology), appended = true;
    struct transfer *room = schedule_open_step(schedule, send->time, count, err);
    uint32_t lane = 0;
    for (size_t k = 0; room != NULL && appended && k < count; k++) {
        const struct transfer *now = &send[k].transfer;
        bool beside = k > 0 && now->source == send[k - 1].transfer.source &&
                      now->destination == send[k - 1].transfer.destination;
        lane = beside ? lane + 1 : 0;
        if (lanes)
            appended = schedule_append_lane(schedule, *now, lane, err);
        else
            room[k] = *now;
    }
    if (room == NULL || !appended)
        return false;
    schedule_close_step(schedule, lanes ? 0 : count);
    return true;
}

bool best_append(struct list_send send[], size_t count, struct schedule *schedule, struct err *err)
{
    bool appended = true;
    qsort(send, count, sizeof *send, compare_sends);
    for (size_t k = 0, next; appended && k < count; k = next) {
        for (next = k + 1; next < count && send[next].time == send[k].time;)
            next++;
        appended = append_time(send + k, next - k, schedule, err);
    }
    return appended;
}
