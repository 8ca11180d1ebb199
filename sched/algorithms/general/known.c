/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/best.h"

#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

/* Builds the schedule of an algorithm if it may end earlier than the best so far. */
static bool try_algorithm(const struct algorithm *algorithm, const struct collective *collective,
                          struct schedule *best, struct err *err)
{
    struct schedule schedule = {0};
    bool none = best->transfer_count == 0;
    uint64_t end = algorithm_end(algorithm, collective);
    if (!none && end != ALGORITHM_UNKNOWN && end >= best->end)
        return true;
    if (!algorithm_build(algorithm, collective, &schedule, err))
        return false;
    if (none || schedule.end < best->end) {
        schedule_free(best);
        *best = schedule;
    } else {
        schedule_free(&schedule);
    }
    return true;
}

static bool try_all(const struct collective *collective, struct schedule *best, struct err *err)
{
    bool tried = true;
    for (const struct algorithm *const *entry = algorithm_table; tried && *entry != NULL; entry++) {
        struct collective asked = *collective;
        bool able = (*entry)->kind == collective->kind;
        for (asked.method = 0; able && tried && asked.method < algorithm_methods(*entry);
             asked.method++)
            if (algorithm_check(*entry, &asked, NULL))
                tried = try_algorithm(*entry, &asked, best, err);
    }
    return tried;
}

/* -- Packets that go to one node each ---------------------------------------------------------- */

struct delivery {
    uint32_t source, destination, packet;
};

static int compare_deliveries(const void *left, const void *right)
{
    const struct delivery *a = left, *b = right;
    return compare_then(
        COMPARE(a->source, b->source),
        compare_then(COMPARE(a->destination, b->destination), COMPARE(a->packet, b->packet)));
}

/* Lists all packets in the order in which traffic numbers them. */
static bool list_deliveries(const struct schedule *demands, struct delivery delivery[],
                            struct traffic *traffic, struct err *err)
{
    bool added = true;
    size_t count = 0;
    traffic->nodes = demands->nodes;
    for (size_t d = 0; added && d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        uint32_t packets = demand->last_packet - demand->first_packet + 1;
        for (uint32_t p = 0; p < packets; p++)
            delivery[count++] =
                (struct delivery){demand->source, *demand->wanted, demand->first_packet + p};
        added = traffic_add(traffic, demand->source, *demand->wanted, packets, err);
    }
    qsort(delivery, count, sizeof *delivery, compare_deliveries);
    return added && traffic_finish(traffic, err);
}

static bool schedule_traffic(const struct schedule *demands, const struct collective *collective,
                             struct schedule *schedule, struct err *err)
{
    struct traffic traffic = {0};
    struct collective asked = *collective;
    struct delivery *delivery = malloc((demands->packets + (size_t)1) * sizeof *delivery);
    bool made = delivery != NULL || err_no_memory(err, "%u packets", demands->packets);
    if (made && (made = list_deliveries(demands, delivery, &traffic, err))) {
        asked.traffic = &traffic;
        made = try_all(&asked, schedule, err);
    }
    for (size_t t = 0; made && t < schedule->transfer_count; t++)
        schedule->transfer[t].packet = delivery[schedule->transfer[t].packet - 1].packet;
    traffic_free(&traffic);
    free(delivery);
    return made;
}

bool known_schedule(const struct schedule *demands, const struct collective *collective,
                    struct schedule *schedule, struct err *err)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    if (row->written)
        return true;
    return row->weighed ? schedule_traffic(demands, collective, schedule, err)
                        : try_all(collective, schedule, err);
}

/* -- Trees and hypercubes ---------------------------------------------------------------------- */

/* Returns whether two demands have the same packets, source and receivers. */
static bool is_same(const struct demand *one, const struct demand *other)
{
    return one->last_packet == other->last_packet && one->source == other->source &&
           one->wanted_count == other->wanted_count &&
           (one->wanted_count == 0 ||
            memcmp(one->wanted, other->wanted, one->wanted_count * sizeof *one->wanted) == 0);
}

static bool are_same(const struct schedule *one, const struct schedule *other)
{
    bool same = one->demand_count == other->demand_count;
    for (size_t d = 0; same && d < one->demand_count; d++)
        same = is_same(&one->demand[d], &other->demand[d]);
    return same;
}

/* Builds the schedule of an algorithm and keeps it if it has these demands and ends earlier than
 * the best so far. */
static bool try_same(const struct algorithm *algorithm, const struct collective *collective,
                     const struct schedule *demands, struct schedule *best, struct err *err)
{
    struct schedule schedule = {0};
    if (!algorithm_check(algorithm, collective, NULL))
        return true;
    if (!algorithm_build(algorithm, collective, &schedule, err))
        return false;
    bool earlier = best->transfer_count == 0 || schedule.end < best->end;
    if (earlier && are_same(&schedule, demands)) {
        schedule_free(best);
        *best = schedule;
    } else {
        schedule_free(&schedule);
    }
    return true;
}

/* Tries all methods of an algorithm that combines no packets, for as many packets as the demands
 * have. */
static bool try_network(const struct algorithm *algorithm, struct collective asked,
                        const struct schedule *demands, struct schedule *best, struct err *err)
{
    const struct collective_row *row = &collective_rows[algorithm->kind];
    asked.kind = algorithm->kind;
    asked.m = row->counted && !row->listed ? demands->packets : 1;
    bool tried = true;
    for (; tried && asked.method < algorithm_methods(algorithm); asked.method++)
        tried = row->weighed || row->listed || row->combined ||
                collective_packets(&asked) != demands->packets ||
                try_same(algorithm, &asked, demands, best, err);
    return tried;
}

bool known_network(const struct schedule *demands, struct schedule *schedule, struct err *err)
{
    const struct demand *first = &demands->demand[0];
    struct collective asked = {.n = demands->nodes,
                               .model = demands->model,
                               .lambda = {1, 1},
                               .topology = &demands->topology};
    bool tried = true;
    for (const struct algorithm *const *entry = algorithm_table; tried && *entry != NULL; entry++) {
        asked.source = first->source;
        tried = try_network(*entry, asked, demands, schedule, err);
        asked.source = first->wanted_count > 0 ? *first->wanted : 0;
        tried = tried && try_network(*entry, asked, demands, schedule, err);
    }
    return tried;
}
