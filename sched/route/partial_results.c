/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/partial_results.h"

#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"

#include <inttypes.h>
#include <stdlib.h>

/* What an endpoint holds of a packet, as bits. */
enum {
    CONTRIBUTION = 1,
    RECEIVED = 2,
    REPLACED = 4 /* the contribution does not count any more */
};

bool partial_results_open(struct partial_results *results, const struct schedule *schedule,
                          bool apart, struct err *err)
{
    const size_t pairs = (size_t)schedule->packets * schedule->nodes;
    *results = (struct partial_results){.schedule = schedule, .apart = apart};
    if (!schedule->has_reductions)
        return true;
    const bool combines = model_combines(schedule->model);
    results->held = calloc(pairs, 1);
    results->seen = apart ? calloc(pairs, 1) : NULL;
    results->met = combines ? calloc(schedule->nodes, sizeof *results->met) : NULL;
    if (results->held == NULL || (apart && results->seen == NULL) ||
        (combines && results->met == NULL)) {
        partial_results_close(results);
        return err_no_memory(err, "%zu packets at nodes", pairs);
    }
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t k = 0; k < schedule_starts(schedule, demand); k++) {
                const size_t pair =
                    partial_results_pair(schedule, schedule_start(demand, k), packet);
                results->held[pair] = CONTRIBUTION;
                if (apart)
                    results->seen[pair] = CONTRIBUTION;
            }
    }
    return true;
}

bool partial_results_meet(struct partial_results *results, size_t step, size_t index)
{
    if (results->met == NULL)
        return false;
    size_t *last = &results->met[results->schedule->transfer[index].destination];
    const bool meets = *last == step + 1;
    *last = step + 1;
    return meets;
}

bool partial_results_joins(const struct schedule *schedule, size_t index)
{
    const struct transfer *transfer = &schedule->transfer[index];
    return schedule_demand_of(schedule, transfer->packet)->reduction != NULL &&
           !(schedule_combining(schedule, index) & COMBINING_REPLACE);
}

/* Returns what an endpoint holds after transfer `index`, of what it held before. */
static uint8_t after(const struct schedule *schedule, uint8_t held, size_t index)
{
    return (uint8_t)(held | RECEIVED | (partial_results_joins(schedule, index) ? 0 : REPLACED));
}

bool partial_results_receive(struct partial_results *results, size_t index)
{
    const struct schedule *schedule = results->schedule;
    const struct transfer *transfer = &schedule->transfer[index];
    if (results->held == NULL || transfer->destination >= schedule->nodes)
        return false;
    uint8_t *held =
        &results->held[partial_results_pair(schedule, transfer->destination, transfer->packet)];
    const bool holds = results->apart ? *held & RECEIVED : *held != 0;
    *held = after(schedule, *held, index);
    return holds && partial_results_joins(schedule, index);
}

bool partial_results_includes_own(const struct partial_results *results, size_t index)
{
    const struct transfer *transfer = &results->schedule->transfer[index];
    const struct demand *demand = schedule_demand_of(results->schedule, transfer->packet);
    if (!results->apart || results->held == NULL || demand->reduction == NULL ||
        demand->reduction->exclusive)
        return false;
    const uint8_t held = results->held[partial_results_pair(
        results->schedule, transfer->destination, transfer->packet)];
    return held & CONTRIBUTION && !(held & REPLACED);
}

/* Records the receipts of the steps whose packets have arrived when `step` begins. */
static void see(struct partial_results *results, size_t step)
{
    const struct schedule *schedule = results->schedule;
    for (;
         results->step < step && schedule->step[results->step].time + schedule->lambda.numerator <=
                                     schedule->step[step].time;
         results->step++)
        for (size_t t = schedule->step[results->step].first;
             t < schedule_step_end(schedule, results->step); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            uint8_t *seen = &results->seen[partial_results_pair(schedule, transfer->destination,
                                                                transfer->packet)];
            *seen = after(schedule, *seen, t);
        }
}

uint32_t partial_results_sent(struct partial_results *results, size_t step, size_t index)
{
    const struct schedule *schedule = results->schedule;
    const struct transfer *transfer = &schedule->transfer[index];
    if (!results->apart || results->seen == NULL)
        return 0;
    see(results, step);
    const uint8_t seen =
        results->seen[partial_results_pair(schedule, transfer->source, transfer->packet)];
    const bool received = seen & RECEIVED,
               own = seen & CONTRIBUTION && !(seen & REPLACED) &&
                     !(schedule_combining(schedule, index) & COMBINING_RECEIVED);
    return !received ? 0 : own ? MACHINE_RECEIVED | MACHINE_COMBINE : MACHINE_RECEIVED;
}

void partial_results_close(struct partial_results *results)
{
    free(results->held);
    free(results->seen);
    free(results->met);
}
