/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/hypercube_to_rounds.h"

#include "sched/base/text.h"

#include <inttypes.h>

/* What crosses a dimension in step k. */
static bool lower_dimension(const struct schedule *from, size_t k, unsigned dimension,
                            struct schedule *to, struct err *err)
{
    unsigned d = from->topology.dimensions;
    uint64_t round = (from->step[k].time - 1) * d + dimension;
    size_t first = from->step[k].first, end = schedule_step_end(from, k), count = 0;
    struct transfer *put = schedule_open_step(to, round, end - first, err);
    if (put == NULL)
        return false;
    for (size_t t = first; t < end; t++)
        if (topology_dimension(from->transfer[t].source, from->transfer[t].destination) ==
            dimension)
            put[count++] = from->transfer[t];
    schedule_close_step(to, count);
    return true;
}

bool hypercube_to_rounds(const struct schedule *cube, struct schedule *complete, struct err *err)
{
    const struct topology topology = topology_complete(cube->nodes);
    uint64_t most = SCHEDULE_MAX_TIME / cube->topology.dimensions;
    if (cube->end > most)
        return err_set(err, ERR_TOO_BIG, "hypercube: %" PRIu64 " slot%s; expected at most %" PRIu64,
                       cube->end, text_s(cube->end), most);
    bool lowered = schedule_init(complete, cube->algorithm, &topology, COLLECTIVE_SIMULTANEOUS, 0,
                                 MODEL_SEND_RECEIVE, err) &&
                   schedule_copy_demands(cube, complete, err);
    for (size_t k = 0; lowered && k < cube->step_count; k++)
        for (unsigned dimension = 1; lowered && dimension <= cube->topology.dimensions; dimension++)
            lowered = lower_dimension(cube, k, dimension, complete, err);
    if (!lowered)
        schedule_free(complete);
    return lowered;
}
