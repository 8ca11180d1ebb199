/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/combined.h"
#include "mpi/pattern.h"
#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the result of a packet at rank `at` has the contribution of another rank. */
static bool counts(const struct demand *demand, uint32_t at, uint32_t rank)
{
    const struct reduction *reduction = demand->reduction;
    bool lower = reduction == NULL || !reduction->prefix || rank < at ||
                 (rank == at && !reduction->exclusive);
    return lower && combined_starts(demand, rank);
}

bool combined_expect(const struct schedule *schedule, const struct combined_result *result,
                     char expected[], size_t bytes)
{
    const struct demand *demand = schedule_demand_of(schedule, result->packet);
    bool any = false;
    memset(expected, 0, bytes);
    for (uint32_t rank = 0; demand_wants(demand, result->rank) && rank < schedule->nodes; rank++)
        if (counts(demand, result->rank, rank)) {
            pattern_combine(expected, bytes,
                            (struct pattern){result->packet, result->repetition, rank});
            any = true;
        }
    return any;
}

/* The partial results of all ranks, as floats. */
struct replay {
    size_t bytes, packets;
    char *all, *got;         /* [nodes · packets · bytes] */
    char *sent;              /* [transfers · bytes] */
    bool *has_all, *has_got; /* [nodes · packets] */
};

/* Adds what arrives to a partial result, or replaces it. */
static void replay_take(const struct combined *combined, const struct replay *replay, size_t at,
                        const char *arrived, bool adds)
{
    char *all = replay->all + at * replay->bytes, *got = replay->got + at * replay->bytes;
    if (adds && replay->has_all[at])
        combined_add(combined, all, arrived);
    else
        memcpy(all, arrived, replay->bytes);
    if (adds && replay->has_got[at])
        combined_add(combined, got, arrived);
    else
        memcpy(got, arrived, replay->bytes);
    replay->has_all[at] = replay->has_got[at] = true;
}

/* Combines the transfers that have arrived before a step; all if `step` is the number of steps. */
static void replay_arrived(const struct combined *combined, const struct replay *replay,
                           size_t *pending, size_t step)
{
    const struct schedule *schedule = combined->schedule;
    size_t end =
        step < schedule->step_count ? schedule->step[step].first : schedule->transfer_count;
    for (; *pending < end; ++*pending) {
        size_t k = *pending;
        const struct transfer *transfer = &schedule->transfer[k];
        size_t at = transfer->destination * replay->packets + transfer->packet - 1;
        bool combines = schedule_demand_of(schedule, transfer->packet)->reduction != NULL;
        bool adds = combines && !(schedule_combining(schedule, k) & COMBINING_REPLACE);
        if (step < schedule->step_count && !combined_has_arrived(schedule, k, step))
            break;
        replay_take(combined, replay, at, replay->sent + k * replay->bytes, adds);
    }
}

/* Follows all transfers. Those of a step send what was there before it. */
static void replay_all(const struct combined *combined, const struct replay *replay)
{
    const struct schedule *schedule = combined->schedule;
    size_t pending = 0;
    for (size_t step = 0; step < schedule->step_count; step++) {
        replay_arrived(combined, replay, &pending, step);
        for (size_t k = schedule->step[step].first; k < schedule_step_end(schedule, step); k++) {
            const struct transfer *transfer = &schedule->transfer[k];
            size_t at = transfer->source * replay->packets + transfer->packet - 1;
            bool received = schedule_combining(schedule, k) & COMBINING_RECEIVED;
            memcpy(replay->sent + k * replay->bytes,
                   (received ? replay->got : replay->all) + at * replay->bytes, replay->bytes);
        }
    }
    replay_arrived(combined, replay, &pending, schedule->step_count);
}

bool combined_check_floats(void *with, uint32_t repetition, struct err *err)
{
    const struct combined *combined = with;
    const struct schedule *schedule = combined->schedule;
    struct replay replay = {.bytes = combined->bytes, .packets = schedule->packets};
    size_t all = (size_t)schedule->nodes * schedule->packets;
    const struct arena_array arrays[] = {
        ARENA(replay.all, all * replay.bytes), ARENA(replay.got, all * replay.bytes),
        ARENA(replay.has_all, all), ARENA(replay.has_got, all),
        ARENA(replay.sent, (schedule->transfer_count + 1) * replay.bytes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the partial results of %" PRIu32 " ranks", schedule->nodes);
    for (uint32_t rank = 0; rank < schedule->nodes; rank++)
        for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
            size_t at = rank * replay.packets + packet - 1;
            replay.has_all[at] = combined_starts(schedule_demand_of(schedule, packet), rank);
            if (replay.has_all[at])
                combined_contribute(combined, replay.all + at * replay.bytes, packet, rank,
                                    repetition);
        }
    replay_all(combined, &replay);
    bool well = true;
    for (uint32_t packet = 1; well && packet <= schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(schedule, packet);
        size_t at = combined->number * replay.packets + packet - 1;
        bool exclusive = demand->reduction != NULL && demand->reduction->exclusive;
        const struct pattern_place place = {"the schedule, in floats", (int)combined->number,
                                            packet, replay.bytes};
        if (demand_wants(demand, combined->number) && (!exclusive || replay.has_got[at]))
            well = pattern_compare(combined_result_of(combined, demand, packet),
                                   (exclusive ? replay.got : replay.all) + at * replay.bytes,
                                   &place, err);
    }
    free(memory);
    return well;
}

uint64_t combined_checked(const struct combined *combined)
{
    uint64_t packets = 0;
    for (size_t d = 0; d < combined->schedule->demand_count; d++) {
        const struct demand *demand = &combined->schedule->demand[d];
        bool wants = demand_wants(demand, combined->number), any = false;
        for (uint32_t rank = 0; wants && !any && rank < combined->schedule->nodes; rank++)
            any = counts(demand, combined->number, rank);
        packets += any ? demand->last_packet - demand->first_packet + 1 : 0;
    }
    return packets * combined->bytes;
}
