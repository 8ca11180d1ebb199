/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/best.h"

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
