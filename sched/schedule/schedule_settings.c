/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_settings.h"

#include "sched/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

/* A circuit of the current setting, by sender and by receiver; of an earlier one if `since` is less
 * than the number of settings. */
struct end {
    uint64_t since;
    uint32_t partner;
};

static bool agrees(const struct end *end, uint64_t setting, uint32_t partner)
{
    return end->since != setting || end->partner == partner;
}

bool schedule_settings(const struct schedule *schedule, uint64_t *settings, struct err *err)
{
    struct end *sends, *receives;
    void *memory = arena_new((const struct arena_array[]){ARENA(sends, schedule->nodes),
                                                          ARENA(receives, schedule->nodes)},
                             2);
    if (memory == NULL)
        return err_no_memory(err, "the circuits of %" PRIu32 " nodes", schedule->nodes);
    *settings = schedule->step_count > 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        const struct transfer *first = schedule->transfer + schedule->step[k].first;
        const struct transfer *end = schedule->transfer + schedule_step_end(schedule, k);
        bool held = true;
        for (const struct transfer *t = first; held && t < end; t++)
            held = agrees(&sends[t->source], *settings, t->destination) &&
                   agrees(&receives[t->destination], *settings, t->source);
        *settings += !held;
        for (const struct transfer *t = first; t < end; t++) {
            sends[t->source] = (struct end){*settings, t->destination};
            receives[t->destination] = (struct end){*settings, t->source};
        }
    }
    free(memory);
    return true;
}
