/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_demand: adds demands to a schedule, with their control packets and reductions. */
#include "sched/base/text.h"
#include "sched/schedule/schedule.h"
#include "sched/schedule/schedule_arrays.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool schedule_reserve_demands(struct schedule *schedule, size_t count, struct err *err)
{
    void *array = schedule->demand;
    bool grown = schedule_grow(
        &array, &schedule->demand_room,
        (struct schedule_growth){sizeof *schedule->demand, schedule->demand_count, count, false},
        err);
    schedule->demand = array;
    if (!grown)
        return false;
    schedule->lone = malloc(count * sizeof *schedule->lone);
    if (schedule->lone == NULL)
        return err_no_memory(err, "%zu wanting nodes", count);
    schedule->lone_room = count;
    return true;
}

/* Returns where a demand keeps its `count` ≥ 1 wanting nodes; NULL if there is no memory. */
static uint32_t *place_of_wanted(struct schedule *schedule, uint32_t count)
{
    if (count == 1 && schedule->lone_count < schedule->lone_room)
        return &schedule->lone[schedule->lone_count++];
    return malloc(count * sizeof(uint32_t));
}

bool schedule_add_demand(struct schedule *schedule, uint32_t count, uint32_t source,
                         const uint32_t wanted[], uint32_t wanted_count, struct err *err)
{
    if (count > SCHEDULE_MAX_PACKETS - schedule->packets)
        return err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected at most %" PRIu32,
                       (uint64_t)schedule->packets + count,
                       text_s((uint64_t)schedule->packets + count), SCHEDULE_MAX_PACKETS);
    void *array = schedule->demand;
    bool grown = schedule_grow(
        &array, &schedule->demand_room,
        (struct schedule_growth){sizeof *schedule->demand, schedule->demand_count, 1, true}, err);
    schedule->demand = array;
    if (!grown)
        return false;
    uint32_t *copy = NULL;
    if (wanted_count > 0 && (copy = place_of_wanted(schedule, wanted_count)) == NULL)
        return err_no_memory(err, "%" PRIu32 " wanting nodes", wanted_count);
    if (wanted_count > 0)
        memcpy(copy, wanted, wanted_count * sizeof *copy);
    schedule->demand[schedule->demand_count++] =
        (struct demand){.first_packet = schedule->packets + 1,
                        .last_packet = schedule->packets + count,
                        .source = source,
                        .wanted_count = wanted_count,
                        .wanted = copy};
    schedule->packets += count;
    return true;
}

/* Gives the packets of the last demand a copy of `control`. */
static bool put_control(struct schedule *schedule, const struct control *control, struct err *err)
{
    struct control *copy = malloc(sizeof *copy);
    uint32_t *part = control->part_count > 0 ? malloc(control->part_count * sizeof *part) : NULL;
    if (copy == NULL || (control->part_count > 0 && part == NULL)) {
        free(copy);
        free(part);
        return err_no_memory(err, "%" PRIu32 " parts of a value", control->part_count);
    }
    *copy = *control;
    copy->part = part;
    if (part != NULL)
        memcpy(part, control->part, control->part_count * sizeof *part);
    schedule->demand[schedule->demand_count - 1].control = copy;
    return true;
}

bool schedule_add_control(struct schedule *schedule, const struct control *control, uint32_t source,
                          const uint32_t wanted[], uint32_t wanted_count, struct err *err)
{
    return schedule_add_demand(schedule, 1, source, wanted, wanted_count, err) &&
           put_control(schedule, control, err);
}

uint32_t schedule_wanted_by_others(const struct schedule *schedule, const struct demand *demand)
{
    uint32_t all = schedule->nodes - (demand->source < schedule->nodes);
    uint32_t others = demand->wanted_count > 0 ? demand->wanted_count : all;
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        others -= demand->wanted[k] == demand->source;
    return others;
}

uint32_t schedule_data_packets(const struct schedule *schedule)
{
    size_t low = 0, high = schedule->demand_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (schedule->demand[middle].control != NULL)
            high = middle;
        else
            low = middle + 1;
    }
    return low == 0 ? 0 : schedule->demand[low - 1].last_packet;
}

/* Gives the packets of the last demand a copy of `reduction`. */
static bool put_reduction(struct schedule *schedule, const struct reduction *reduction,
                          struct err *err)
{
    uint32_t count = reduction->contributor_count;
    struct reduction *copy = malloc(sizeof *copy);
    uint32_t *contributor = count > 0 ? malloc(count * sizeof *contributor) : NULL;
    if (copy == NULL || (count > 0 && contributor == NULL)) {
        free(copy);
        free(contributor);
        return err_no_memory(err, "%" PRIu32 " contributors", count);
    }
    *copy = *reduction;
    copy->contributor = contributor;
    if (contributor != NULL)
        memcpy(contributor, reduction->contributor, count * sizeof *contributor);
    schedule->demand[schedule->demand_count - 1].reduction = copy;
    schedule->has_reductions = true;
    return true;
}

bool schedule_add_reduction(struct schedule *schedule, uint32_t count,
                            const struct reduction *reduction, const uint32_t *destination,
                            struct err *err)
{
    return schedule_add_demand(schedule, count, 0, destination, destination != NULL, err) &&
           put_reduction(schedule, reduction, err);
}

bool schedule_copy_demands(const struct schedule *from, struct schedule *to, struct err *err)
{
    bool copied = true;
    for (size_t d = 0; copied && d < from->demand_count; d++) {
        const struct demand *demand = &from->demand[d];
        copied = schedule_add_demand(to, demand->last_packet - demand->first_packet + 1,
                                     demand->source, demand->wanted, demand->wanted_count, err) &&
                 (demand->control == NULL || put_control(to, demand->control, err)) &&
                 (demand->reduction == NULL || put_reduction(to, demand->reduction, err));
    }
    return copied;
}

/* Returns whether a list of nodes is in the array that schedule_reserve_demands reserved. */
static bool is_lone(const struct schedule *schedule, const uint32_t *wanted)
{
    return schedule->lone != NULL && wanted >= schedule->lone &&
           wanted < schedule->lone + schedule->lone_count;
}

void schedule_free_demands(struct schedule *schedule)
{
    for (size_t which = 0; which < schedule->demand_count; which++) {
        if (!is_lone(schedule, schedule->demand[which].wanted))
            free(schedule->demand[which].wanted);
        if (schedule->demand[which].control != NULL)
            free(schedule->demand[which].control->part);
        free(schedule->demand[which].control);
        if (schedule->demand[which].reduction != NULL)
            free(schedule->demand[which].reduction->contributor);
        free(schedule->demand[which].reduction);
    }
    free(schedule->demand);
    free(schedule->lone);
}

const struct demand *schedule_demand_of(const struct schedule *schedule, uint32_t packet)
{
    size_t low = 0, high = schedule->demand_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (schedule->demand[middle].first_packet <= packet)
            low = middle;
        else
            high = middle;
    }
    return &schedule->demand[low];
}
