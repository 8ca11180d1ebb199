/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/verify_reducing.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 14 /* bits of a digit of a packet's number; packets are sorted by two digits */

uint32_t reducing_position(const struct schedule *schedule, const struct demand *demand,
                           uint32_t node)
{
    const struct reduction *reduction = demand->reduction;
    if (reduction->contributor_count == 0)
        return node < schedule->nodes ? node : NOT_LOCAL;
    uint32_t low = 0, high = reduction->contributor_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (reduction->contributor[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return reduction->contributor[low] == node ? low : NOT_LOCAL;
}

/* Sorts the indices of all transfers stably by one digit of their packets. */
static void sort_by_digit(const struct schedule *schedule, unsigned shift, const size_t from[],
                          size_t to[], size_t place[(1u << DIGIT_BITS) + 1])
{
    const uint32_t mask = (1u << DIGIT_BITS) - 1;
    memset(place, 0, ((1u << DIGIT_BITS) + 1) * sizeof *place);
    for (size_t k = 0; k < schedule->transfer_count; k++)
        place[(schedule->transfer[k].packet >> shift & mask) + 1]++;
    for (uint32_t digit = 0; digit < mask; digit++)
        place[digit + 1] += place[digit];
    for (size_t k = 0; k < schedule->transfer_count; k++) {
        size_t index = from != NULL ? from[k] : k;
        to[place[schedule->transfer[index].packet >> shift & mask]++] = index;
    }
}

static bool sort_by_packet(struct reducing *reducing)
{
    const struct schedule *schedule = reducing->v->schedule;
    size_t *first, *place, *sorted = malloc(schedule->transfer_count * sizeof *sorted + 1);
    void *memory = arena_new((const struct arena_array[]){ARENA(first, schedule->transfer_count),
                                                          ARENA(place, (1u << DIGIT_BITS) + 1)},
                             2);
    reducing->by_packet = sorted;
    if (memory != NULL && sorted != NULL) {
        sort_by_digit(schedule, 0, NULL, first, place);
        sort_by_digit(schedule, DIGIT_BITS, first, sorted, place);
    }
    free(memory);
    return memory != NULL && sorted != NULL;
}

static uint32_t place_of(struct reducing *reducing, uint32_t node)
{
    if (reducing->local[node] != NOT_LOCAL)
        return reducing->local[node];
    uint32_t position = reducing_position(reducing->v->schedule, reducing->demand, node);
    uint32_t place = (uint32_t)reducing->places++;
    struct interval own =
        position == NOT_LOCAL ? (struct interval){0} : (struct interval){position, position + 1};
    reducing->place[place] =
        (struct place){.node = node, .position = position, .copy = place, .all = own};
    return reducing->local[node] = place;
}

/* Sorts sends and arrivals by time. A packet that arrives at a time may be sent on at that time. */
static void order_events(struct reducing *reducing)
{
    const struct schedule *schedule = reducing->v->schedule;
    uint64_t takes = schedule->lambda.numerator;
    size_t arrived = 0, events = 0;
    for (size_t k = 0; k < reducing->hops; k++) {
        uint64_t time = schedule->step[schedule_step_of(schedule, reducing->hop[k].index)].time;
        for (; arrived < k; arrived++) {
            size_t sent = schedule_step_of(schedule, reducing->hop[arrived].index);
            if (schedule->step[sent].time + takes > time)
                break;
            reducing->event[events++] = 2 * arrived + 1;
        }
        reducing->event[events++] = 2 * k;
    }
    while (arrived < reducing->hops)
        reducing->event[events++] = 2 * arrived++ + 1;
}

bool reducing_begin_packet(struct reducing *reducing, const size_t index[], size_t hops)
{
    const struct schedule *schedule = reducing->v->schedule;
    if (hops > reducing->room) {
        free(reducing->hop);
        free(reducing->place);
        free(reducing->event);
        free(reducing->pair);
        reducing->room = 2 * hops;
        reducing->hop = malloc(reducing->room * sizeof *reducing->hop);
        reducing->place = malloc(2 * reducing->room * sizeof *reducing->place);
        reducing->event = malloc(2 * reducing->room * sizeof *reducing->event);
        reducing->pair = malloc(2 * reducing->room * sizeof *reducing->pair);
        if (reducing->hop == NULL || reducing->place == NULL || reducing->event == NULL ||
            reducing->pair == NULL)
            return err_no_memory(reducing->v->err, "%zu transfers of a packet", hops);
    }
    reducing->places = 0;
    reducing->hops = hops;
    for (size_t k = 0; k < hops; k++) {
        const struct transfer *transfer = &schedule->transfer[index[k]];
        struct hop *hop = &reducing->hop[k];
        *hop = (struct hop){.index = index[k], .combining = schedule_combining(schedule, index[k])};
        hop->from = place_of(reducing, transfer->source);
        hop->to = place_of(reducing, transfer->destination);
    }
    order_events(reducing);
    return true;
}

void reducing_end_packet(struct reducing *reducing)
{
    for (size_t place = 0; place < reducing->places; place++)
        reducing->local[reducing->place[place].node] = NOT_LOCAL;
}

/* Fills by_packet and local. E104. */
static bool begin(struct reducing *reducing)
{
    uint32_t all = reducing->v->schedule->topology.all;
    reducing->local = malloc(all * sizeof *reducing->local);
    if (reducing->local == NULL || !sort_by_packet(reducing))
        return err_no_memory(reducing->v->err, "the transfers of combined packets");
    memset(reducing->local, 0xff, all * sizeof *reducing->local);
    return true;
}

bool reducing_each(struct reducing *reducing,
                   bool (*packet)(struct reducing *reducing, const size_t index[], size_t hops),
                   bool (*unsent)(struct reducing *reducing, uint32_t packets))
{
    const struct schedule *schedule = reducing->v->schedule;
    size_t first = 0, all = schedule->transfer_count;
    bool good = begin(reducing);
    for (size_t which = 0; good && which < schedule->demand_count; which++) {
        const struct demand *demand = reducing->demand = &schedule->demand[which];
        uint64_t now = demand->first_packet;
        if (demand->reduction == NULL)
            continue;
        uint32_t count = demand->reduction->contributor_count;
        reducing->contributors = count > 0 ? count : schedule->nodes;
        while (good && now <= demand->last_packet) {
            while (first < all && schedule->transfer[reducing->by_packet[first]].packet < now)
                first++;
            uint64_t sent =
                first < all ? schedule->transfer[reducing->by_packet[first]].packet : UINT64_MAX;
            size_t end = first;
            while (end < all && schedule->transfer[reducing->by_packet[end]].packet == now)
                end++;
            uint64_t next = sent == now ? now + 1 : MIN(sent, demand->last_packet + UINT64_C(1));
            reducing->packet = (uint32_t)now;
            good = sent == now ? packet(reducing, &reducing->by_packet[first], end - first)
                               : unsent(reducing, (uint32_t)(next - now));
            first = end;
            now = next;
        }
    }
    return good;
}

void reducing_free(struct reducing *reducing)
{
    free(reducing->by_packet);
    free(reducing->local);
    free(reducing->hop);
    free(reducing->place);
    free(reducing->event);
    free(reducing->pair);
}
