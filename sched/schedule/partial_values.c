/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/partial_values.h"

#include "sched/base/arena.h"

#include <stdlib.h>

static size_t pair_of(const struct partial_values *values, uint32_t node, uint32_t packet)
{
    return (size_t)(packet - 1) * values->schedule->topology.all + node;
}

bool partial_values_new(struct partial_values *values, const struct schedule *schedule,
                        uint64_t (*leaf)(uint32_t node), void (*add)(uint64_t *to, uint64_t part))
{
    const size_t pairs = (size_t)schedule->topology.all * schedule->packets;
    *values = (struct partial_values){.schedule = schedule, .add = add};
    const struct arena_array arrays[] = {ARENA(values->all, pairs), ARENA(values->received, pairs),
                                         ARENA(values->sent, schedule->transfer_count)};
    values->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (values->memory == NULL)
        return false;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t k = 0; k < schedule_starts(schedule, demand); k++) {
                const uint32_t node = schedule_start(demand, k);
                values->all[pair_of(values, node, packet)] = leaf(node);
            }
    }
    return true;
}

void partial_values_free(struct partial_values *values)
{
    free(values->memory);
    *values = (struct partial_values){0};
}

void partial_values_send(struct partial_values *values, size_t step)
{
    const struct schedule *schedule = values->schedule;
    const uint64_t time = schedule->step[step].time + schedule->lambda.numerator;
    for (; values->step < schedule->step_count && schedule->step[values->step].time < time;
         values->step++)
        for (size_t t = schedule->step[values->step].first;
             t < schedule_step_end(schedule, values->step); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            const size_t at = pair_of(values, transfer->source, transfer->packet);
            const bool received = schedule_combining(schedule, t) & COMBINING_RECEIVED;
            values->sent[t] = received ? values->received[at] : values->all[at];
        }
}

void partial_values_receive(struct partial_values *values, size_t transfer)
{
    const struct transfer *now = &values->schedule->transfer[transfer];
    const size_t at = pair_of(values, now->destination, now->packet);
    if (schedule_combining(values->schedule, transfer) & COMBINING_REPLACE)
        values->all[at] = values->received[at] = values->sent[transfer];
    else
        partial_values_add(values, now->destination, now->packet, values->sent[transfer]);
}

void partial_values_add(struct partial_values *values, uint32_t node, uint32_t packet,
                        uint64_t part)
{
    const size_t at = pair_of(values, node, packet);
    values->add(&values->all[at], part);
    values->add(&values->received[at], part);
}

uint64_t partial_values_result(const struct partial_values *values, const struct demand *demand,
                               uint32_t node, uint32_t packet)
{
    const size_t at = pair_of(values, node, packet);
    const bool exclusive = demand->reduction != NULL && demand->reduction->exclusive;
    return exclusive ? values->received[at] : values->all[at];
}
