/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_stop.h"

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
