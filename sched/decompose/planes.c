/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/decompose.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* Distributes all rounds over the planes, one plane after another up to `limit`; a setting is cut
 * where a plane is full. Returns the number of parts, stored in part[] unless it is NULL; 0 if not
 * all rounds fit. */
static size_t fill(const struct decomposition *decomposition, struct traffic_cost cost,
                   uint32_t planes, uint64_t limit, struct plane_part part[])
{
    size_t parts = 0, setting = 0;
    uint64_t left = decomposition->count > 0 ? decomposition->duration[0] : 0;
    for (uint32_t plane = 0; plane < planes && setting < decomposition->count; plane++) {
        uint64_t room = limit;
        while (setting < decomposition->count && room >= cost.change + cost.round) {
            uint64_t fits = (room - cost.change) / cost.round, rounds = MIN(left, fits);
            if (part != NULL)
                part[parts] = (struct plane_part){plane, setting, rounds};
            parts++;
            room -= traffic_takes(cost, rounds, 1);
            left -= rounds;
            if (left == 0 && ++setting < decomposition->count)
                left = decomposition->duration[setting];
        }
    }
    return setting == decomposition->count ? parts : 0;
}

/* Returns the time at which the last plane ends. */
static uint64_t last_end(const struct plane_part part[], size_t count, struct traffic_cost cost)
{
    uint64_t last = 0, end = 0;
    for (size_t k = 0; k < count; k++) {
        uint64_t takes = traffic_takes(cost, part[k].duration, 1);
        end = (k > 0 && part[k].plane == part[k - 1].plane ? end : 0) + takes;
        last = MAX(last, end);
    }
    return last;
}

bool planes_share(const struct decomposition *decomposition, struct traffic_cost cost,
                  uint32_t count, struct planes *planes, struct err *err)
{
    uint64_t all = decomposition_makespan(decomposition, cost);
    /* At each border between two planes less than a reconfiguration and a round is lost, because of
     * a cut or because the rest is too short. */
    uint64_t low = all / count, high = low + cost.change + cost.round;
    *planes = (struct planes){.part = calloc(decomposition->count + count, sizeof *planes->part)};
    if (planes->part == NULL)
        return err_no_memory(err, "%zu settings on %" PRIu32 " planes", decomposition->count,
                             count);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (fill(decomposition, cost, count, middle, NULL) > 0)
            high = middle;
        else
            low = middle + 1;
    }
    planes->count = fill(decomposition, cost, count, high, planes->part);
    planes->makespan = last_end(planes->part, planes->count, cost);
    return true;
}

void planes_free(struct planes *planes)
{
    free(planes->part);
    *planes = (struct planes){0};
}
