/* SPDX-License-Identifier: Apache-2.0 */
/* traffic: any matrix, each packet straight from its sender to its receiver.
 *
 * It takes as many rounds as the busiest node has packets to send or to receive; in the postal
 * model as many units, and λ for the way of the last packet. Both are optimal.
 * O(packets · (log degree + log nodes)) expected.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/traffic/traffic_rounds.h"
#include "sched/base/arena.h"

#include <stdlib.h>

static bool traffic_accepts(const struct collective *collective, struct err *err)
{
    return collective->load.packets > 0 ||
           err_set(err, ERR_ALGORITHM,
                   "traffic: no demand; expected --matrix, --entries or --pattern");
}

static uint64_t traffic_end(const struct collective *collective)
{
    return collective_end(collective, collective->load.degree);
}

/* The packets, one after the other and round by round. */
struct order {
    struct transfer *packet; /* packet[packets] */
    uint32_t *number;        /* number[packets]: in packet[], by ascending rounds */
    size_t *end;             /* end[rounds]: behind a round's last one in number[] */
};

static void list_packets(const struct traffic *traffic, struct order *order)
{
    uint32_t packet = 0;
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        for (uint32_t p = 0; p < entry->packets; p++, packet++)
            order->packet[packet] =
                (struct transfer){entry->source, entry->destination, packet + 1};
    }
}

/* Precondition: end[] is zero. */
static void sort_by_round(const uint32_t round_of[], const struct traffic_load *load,
                          struct order *order)
{
    size_t begin = 0;
    for (size_t p = 0; p < load->packets; p++)
        order->end[round_of[p]]++;
    for (uint64_t round = 0; round < load->degree; round++) {
        size_t count = order->end[round];
        order->end[round] = begin;
        begin += count;
    }
    for (size_t p = 0; p < load->packets; p++)
        order->number[order->end[round_of[p]]++] = (uint32_t)p;
}

static bool append_rounds(const struct collective *collective, const struct order *order,
                          struct schedule *schedule, struct err *err)
{
    size_t which = 0;
    for (uint64_t round = 0; round < collective->load.degree; round++) {
        size_t count = order->end[round] - which;
        struct transfer *transfer =
            schedule_open_step(schedule, collective_time(collective, round), count, err);
        if (transfer == NULL)
            return false;
        while (which < order->end[round])
            *transfer++ = order->packet[order->number[which++]];
        schedule_close_step(schedule, count);
    }
    return true;
}

static bool traffic_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    const struct traffic_load *load = &collective->load;
    struct order order;
    uint32_t *round_of = NULL;
    if (!schedule_reserve(schedule, load->degree, load->packets, err) ||
        !traffic_rounds(collective->traffic, load->degree, &round_of, err))
        return false;
    void *memory = arena_new((const struct arena_array[]){ARENA(order.packet, load->packets),
                                                          ARENA(order.number, load->packets),
                                                          ARENA(order.end, load->degree)},
                             3);
    if (memory != NULL) {
        list_packets(collective->traffic, &order);
        sort_by_round(round_of, load, &order);
    }
    bool built = memory != NULL ? append_rounds(collective, &order, schedule, err)
                                : err_no_memory(err, "the order of packets");
    free(memory);
    free(round_of);
    return built;
}

const struct algorithm algorithm_traffic = {
    .name = "traffic",
    .summary = "a matrix: as many rounds as the busiest node has packets, by edge colouring",
    .source = "König 1916",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL | 1u << MODEL_FABRIC_MULTICAST |
              1u << MODEL_FABRIC_POSTAL,
    .kind = COLLECTIVE_TRAFFIC,
    .accepts = traffic_accepts,
    .end = traffic_end,
    .build = traffic_build,
};
