/* SPDX-License-Identifier: Apache-2.0 */
/* traffic: any traffic matrix, each packet sent directly from its sender to its receiver.
 *
 * The schedule takes as many rounds as the busiest node has packets to send or to receive; with k
 * ports per node, a k-th of them, rounded up. In the postal model it takes as many units, and λ for
 * the last packet to arrive. Both are optimal. O(packets · (log degree + log nodes)) expected.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/arena.h"
#include "sched/decompose/decompose.h"

#include <stdlib.h>

static bool traffic_accepts(const struct collective *collective, struct err *err)
{
    return collective->load.packets > 0 || collective->traffic != NULL ||
           err_set(err, ERR_ALGORITHM,
                   "traffic requires a demand; expected {matrix}, {entries} or {pattern}");
}

static uint64_t traffic_end(const struct collective *collective)
{
    if (collective->priced)
        return ALGORITHM_UNKNOWN;
    return collective_end(collective, collective_busiest(collective));
}

/* Joins k rounds of one port into one round of k ports per node. */
static void join_rounds(const struct collective *collective, uint32_t round_of[])
{
    for (size_t p = 0; collective->ports > 1 && p < collective->load.packets; p++)
        round_of[p] /= collective->ports;
}

/* Appends the steps of all rounds and sets at[round] to the first transfer of each. at[rounds] must
 * be zero. */
static bool open_rounds(const struct collective *collective, const uint32_t round_of[], size_t at[],
                        struct schedule *schedule, struct err *err)
{
    const struct traffic_load *load = &collective->load;
    for (size_t p = 0; p < load->packets; p++)
        at[round_of[p]]++;
    for (uint64_t round = 0; round < collective_busiest(collective); round++) {
        size_t count = at[round];
        at[round] = schedule->transfer_count;
        if (schedule_open_step(schedule, collective_time(collective, round), count, err) == NULL)
            return false;
        schedule_close_step(schedule, count);
    }
    return true;
}

/* Writes each packet to its round and advances at[]. */
static void put_packets(const struct traffic *traffic, const uint32_t round_of[], size_t at[],
                        struct schedule *schedule)
{
    uint32_t packet = 0;
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        for (uint32_t p = 0; p < entry->packets; p++, packet++)
            schedule->transfer[at[round_of[packet]]++] =
                (struct transfer){entry->source, entry->destination, packet + 1};
    }
}

static bool build_rounds(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    const struct traffic_load *load = &collective->load;
    uint32_t *round_of = NULL;
    uint64_t rounds = collective_busiest(collective);
    if (!schedule_reserve(schedule, rounds, load->packets, err) ||
        !traffic_rounds(collective->traffic, load->degree, &round_of, err))
        return false;
    join_rounds(collective, round_of);
    size_t *at = calloc(rounds, sizeof *at);
    bool built = at != NULL ? open_rounds(collective, round_of, at, schedule, err)
                            : err_no_memory(err, "the order of packets");
    if (built)
        put_packets(collective->traffic, round_of, at, schedule);
    free(at);
    free(round_of);
    return built;
}

/* -- Schedules by settings, if a reconfiguration costs time ------------------------------------ */

/* The circuits of the setting that is being served. */
struct circuits {
    uint32_t *source, *destination, *packet, *left; /* [nodes]; next packet, number left */
    size_t count;
};

/* Opens the circuits of setting k, which serve the remaining packets of their entries. */
static void open_setting(const struct decomposition *settings, size_t k, const uint32_t first[],
                         const struct decompose_left *left, struct circuits *circuits)
{
    const uint32_t *to = settings->to + k * settings->nodes;
    uint64_t duration = settings->duration[k];
    circuits->count = 0;
    for (uint32_t node = 0; node < settings->nodes; node++) {
        uint32_t *there =
            to[node] == DECOMPOSE_IDLE ? NULL : decompose_left_of(left, node, to[node]);
        if (there == NULL || *there == 0)
            continue;
        size_t entry = (size_t)(there - left->left), at = circuits->count++;
        circuits->source[at] = node;
        circuits->destination[at] = to[node];
        circuits->packet[at] = first[entry] + left->traffic->entry[entry].packets - *there;
        circuits->left[at] = *there < duration ? *there : (uint32_t)duration;
        *there -= circuits->left[at];
    }
}

/* Appends one round of a setting and removes the circuits that are done. E104. */
static bool append_round(struct circuits *circuits, uint64_t round, struct schedule *schedule,
                         struct err *err)
{
    size_t kept = 0;
    struct transfer *transfer = schedule_open_step(schedule, round, circuits->count, err);
    if (transfer == NULL)
        return false;
    for (size_t at = 0; at < circuits->count; at++) {
        transfer[at] = (struct transfer){circuits->source[at], circuits->destination[at],
                                         circuits->packet[at]};
        if (--circuits->left[at] == 0)
            continue;
        circuits->source[kept] = circuits->source[at];
        circuits->destination[kept] = circuits->destination[at];
        circuits->left[kept] = circuits->left[at];
        circuits->packet[kept++] = circuits->packet[at] + 1;
    }
    schedule_close_step(schedule, circuits->count);
    circuits->count = kept;
    return true;
}

static bool append_settings(const struct decomposition *settings, const struct traffic *traffic,
                            struct schedule *schedule, struct err *err)
{
    struct circuits circuits;
    struct decompose_left left;
    uint32_t *first;
    uint64_t round = 0;
    size_t nodes = traffic->nodes;
    const struct arena_array arrays[] = {
        ARENA(circuits.source, nodes), ARENA(circuits.destination, nodes),
        ARENA(circuits.packet, nodes), ARENA(circuits.left, nodes), ARENA(first, traffic->count)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL || !decompose_left_new(traffic, &left, err)) {
        free(memory);
        return err_no_memory(err, "the circuits of %zu nodes", nodes);
    }
    uint32_t packet = 1;
    for (size_t k = 0; k < traffic->count; packet += traffic->entry[k++].packets)
        first[k] = packet;
    bool appended = true;
    for (size_t k = 0; appended && k < settings->count; k++) {
        open_setting(settings, k, first, &left, &circuits);
        while (appended && circuits.count > 0)
            appended = append_round(&circuits, ++round, schedule, err);
    }
    decompose_left_free(&left);
    free(memory);
    return appended;
}

static bool build_settings(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    struct decomposition settings = {0};
    bool built = decompose(collective->decompose, collective->traffic, collective->cost,
                           collective->seed, &settings, err) &&
                 schedule_reserve(schedule, decomposition_rounds(&settings),
                                  collective->load.packets, err) &&
                 append_settings(&settings, collective->traffic, schedule, err);
    decomposition_free(&settings);
    return built;
}

static bool traffic_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    return collective->priced ? build_settings(collective, schedule, err)
                              : build_rounds(collective, schedule, err);
}

const struct algorithm algorithm_traffic = {
    .name = "traffic",
    .summary =
        "a traffic matrix in as many rounds as the busiest node has packets, by edge colouring",
    .source = "König 1916",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL | 1u << MODEL_FABRIC_MULTICAST |
              1u << MODEL_FABRIC_POSTAL,
    .kind = COLLECTIVE_TRAFFIC,
    .several_ports = 1u << MODEL_SEND_RECEIVE,
    .accepts = traffic_accepts,
    .end = traffic_end,
    .build = traffic_build,
};
