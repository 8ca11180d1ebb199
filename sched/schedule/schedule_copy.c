/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_copy: copies a schedule, or the first packets of a stream. */
#include "sched/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

/* Copies the first `count` entries of `entry` bytes. Returns NULL without memory, and for no
 * entries. */
static void *copy_of(const void *entries, size_t count, size_t entry, bool *whole)
{
    void *copy = count > 0 ? malloc(count * entry) : NULL;
    if (copy != NULL)
        memcpy(copy, entries, count * entry);
    *whole = *whole && (copy != NULL || count == 0);
    return copy;
}

/* Returns a schedule with the numbers of `from` and copies of its arrays, except its demands. */
static struct schedule copy_arrays(const struct schedule *from, bool *whole)
{
    struct schedule to = *from;
    const size_t lanes = from->lane != NULL ? from->transfer_count : 0;
    to.packets = 0;
    to.demand_count = to.demand_room = 0;
    to.demand = NULL;
    to.lone_count = to.lone_room = 0;
    to.lone = NULL;
    to.watch = (struct watch){0};
    to.algorithm = copy_of(from->algorithm, strlen(from->algorithm) + 1, 1, whole);
    to.step = copy_of(from->step, from->step_count, sizeof *to.step, whole);
    to.step_room = from->step_count;
    to.transfer = copy_of(from->transfer, from->transfer_count, sizeof *to.transfer, whole);
    to.transfer_room = from->transfer_count;
    to.lane = copy_of(from->lane, lanes, sizeof *to.lane, whole);
    to.lane_room = lanes;
    to.combining = copy_of(from->combining, from->combining_count, sizeof *to.combining, whole);
    to.combining_room = from->combining_count;
    to.jump = copy_of(from->jump, from->jump_count, sizeof *to.jump, whole);
    to.jump_room = from->jump_count;
    to.origin = copy_of(from->origin, from->origin_count, sizeof *to.origin, whole);
    return to;
}

bool schedule_copy(const struct schedule *from, struct schedule *to, struct err *err)
{
    bool whole = true;
    *to = copy_arrays(from, &whole);
    if (!whole)
        err_no_memory(err, "a copy of a schedule");
    bool copied = whole &&
                  (from->lone_count == 0 || schedule_reserve_demands(to, from->lone_count, err)) &&
                  schedule_copy_demands(from, to, err);
    if (!copied)
        schedule_free(to);
    return copied;
}

bool schedule_stop(const struct schedule *stream, uint32_t packets, struct schedule *stopped,
                   struct err *err)
{
    *stopped = (struct schedule){0};
    if (!schedule_init_empty(stopped, stream->algorithm, &stream->topology, stream->model, err))
        return false;
    stopped->ports = stream->ports;
    stopped->stream = true;
    const struct demand *demand = &stream->demand[0];
    bool made = schedule_add_demand(stopped, packets, demand->source, demand->wanted,
                                    demand->wanted_count, err);
    for (size_t k = 0; made && k < stream->step_count; k++) {
        size_t first = stream->step[k].first, count = 0;
        size_t all = schedule_step_end(stream, k) - first;
        struct transfer *room = schedule_open_step(stopped, stream->step[k].time, all, err);
        made = room != NULL;
        for (size_t which = 0; made && which < all; which++)
            if (stream->transfer[first + which].packet <= packets)
                room[count++] = stream->transfer[first + which];
        if (made)
            schedule_close_step(stopped, count);
    }
    stopped->end = stream->end - (stream->packets - packets);
    if (!made)
        schedule_free(stopped);
    return made;
}
