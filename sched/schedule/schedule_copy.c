/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_copy: copies a schedule. */
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
