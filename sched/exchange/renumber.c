/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/recognise.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* A demand, and the keys by which demands are ordered. */
struct place {
    uint32_t source, end; /* counted from the root */
    uint32_t first;       /* the first packet before */
    const struct demand *demand;
};

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int order = compare_then(COMPARE(a->source, b->source), COMPARE(a->end, b->end));
    order = compare_then(order, recognise_order(a->demand, b->demand));
    return compare_then(order, COMPARE(a->first, b->first));
}

/* Returns the node from which the collective counts: the only source, or the only receiver. */
static uint32_t root_of(const struct schedule *schedule)
{
    const struct demand *first = schedule->demand;
    bool one_source = true, one_end = first->wanted_count == 1;
    for (size_t k = 0; k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        one_source = one_source && demand->source == first->source;
        one_end = one_end && demand->wanted_count == 1 && *demand->wanted == *first->wanted;
    }
    return one_source ? first->source : one_end ? *first->wanted : 0;
}

static struct place *sort_demands(const struct schedule *schedule)
{
    const uint32_t n = schedule->nodes, root = root_of(schedule);
    struct place *place = malloc(schedule->demand_count * sizeof *place);
    for (size_t k = 0; place != NULL && k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        place[k] = (struct place){.source = (demand->source + n - root) % n,
                                  .first = demand->first_packet,
                                  .demand = demand};
        if (demand->wanted_count == 1)
            place[k].end = (*demand->wanted + n - root) % n;
    }
    if (place != NULL)
        qsort(place, schedule->demand_count, sizeof *place, by_place);
    return place;
}

static bool add(const struct demand *demand, uint32_t count, struct schedule *to, struct err *err)
{
    return demand->reduction != NULL
               ? schedule_add_reduction(to, count, demand->reduction, demand->wanted, err)
               : schedule_add_demand(to, count, demand->source, demand->wanted,
                                     demand->wanted_count, err);
}

/* Adds the demands in their order, those that are alike as one, and finds the new numbers:
 * number[packet before]. */
static bool make_demands(const struct place place[], size_t count, uint32_t number[],
                         struct schedule *to, struct err *err)
{
    for (size_t k = 0, next; k < count; k = next) {
        uint32_t packets = 0;
        for (next = k; next < count; next++) {
            const struct demand *demand = place[next].demand;
            if (recognise_order(place[k].demand, demand) != 0)
                break;
            for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
                number[packet] = to->packets + ++packets;
        }
        if (!add(place[k].demand, packets, to, err))
            return false;
    }
    return true;
}

bool renumber_packets(struct schedule *schedule, struct err *err)
{
    struct schedule made = {0};
    struct place *place = sort_demands(schedule);
    uint32_t *number = malloc((schedule->packets + (size_t)1) * sizeof *number);
    bool done = place != NULL && number != NULL;
    if (!done)
        err_no_memory(err, "%" PRIu32 " packets", schedule->packets);
    done = done &&
           schedule_init_empty(&made, schedule->algorithm, &schedule->topology, schedule->model,
                               err) &&
           make_demands(place, schedule->demand_count, number, &made, err);
    for (size_t k = 0; done && k < schedule->transfer_count; k++)
        schedule->transfer[k].packet = number[schedule->transfer[k].packet];
    if (done) {
        struct demand *demand = schedule->demand;
        const size_t count = schedule->demand_count, room = schedule->demand_room;
        schedule->demand = made.demand;
        schedule->demand_count = made.demand_count;
        schedule->demand_room = made.demand_room;
        made.demand = demand;
        made.demand_count = count;
        made.demand_room = room;
    }
    schedule_free(&made);
    free(place);
    free(number);
    return done;
}
