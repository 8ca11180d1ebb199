/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/route_replay.h"

#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

/* Returns the lane by which a node sends to its neighbour, the number-th of these lanes. */
static uint32_t replay_lane(const struct fat_tree_reference *r, uint32_t node, uint32_t neighbour,
                            uint32_t number)
{
    for (uint32_t lane = r->first[node]; lane < r->first[node + 1]; lane++)
        if (r->owner[r->peer[lane]] == neighbour && number-- == 0)
            return lane;
    fail_msg("no lane from %u to %u", node, neighbour);
    return 0;
}

static void replay_read(struct route_replay *replay, uint32_t lane, uint32_t arrival)
{
    uint32_t *row = &replay->read_row[(size_t)lane * replay->r.rows + arrival];
    if (*row == replay->r.row + 1)
        return;
    *row = replay->r.row + 1;
    replay->reads[lane]++;
    replay->most_reads = MAX(replay->most_reads, replay->reads[lane]);
}

/* Checks a packet that a router sends, with buffers of that depth. */
static void replay_send(struct route_replay *replay, size_t index)
{
    const struct transfer *transfer = &replay->schedule->transfer[index];
    const struct fat_tree_reference *r = &replay->r;
    unsigned level = r->level[transfer->source];
    const struct route_replay_place *place =
        &replay
             ->place[(size_t)transfer->source * (replay->schedule->packets + 1) + transfer->packet];
    const uint32_t *came = r->came + (size_t)place->lane * r->rows, count = r->count[place->lane];
    assert_true(place->arrival < count && came[place->arrival] == transfer->packet);
    for (uint32_t depth = 1; depth < ROUTE_REPLAY_DEPTHS; depth++) {
        uint32_t stands = place->arrival + (count - 1 - place->arrival) / depth * depth;
        replay->wrong[level][depth] |= came[stands] != transfer->packet;
    }
    if (count - place->arrival > replay->distance[level]) {
        replay->distance[level] = count - place->arrival;
        replay->first_of[level] = index;
    }
    replay_read(replay, place->lane, place->arrival);
}

static void replay_step(struct route_replay *replay, size_t k)
{
    const struct schedule *schedule = replay->schedule;
    struct fat_tree_reference *r = &replay->r;
    uint32_t got[64];
    memset(replay->reads, 0, r->lanes * sizeof *replay->reads);
    r->row = (uint32_t)schedule->step[k].time - 1;
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        if (transfer->source >= r->leaves)
            replay_send(replay, t);
        r->sent[replay_lane(r, transfer->source, transfer->destination,
                            schedule_lane(schedule, t))] = transfer->packet;
    }
    fat_tree_reference_deliver(r, got);
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        uint32_t lane =
            replay_lane(r, transfer->destination, transfer->source, schedule_lane(schedule, t));
        if (transfer->destination >= r->leaves)
            replay->place[(size_t)transfer->destination * (schedule->packets + 1) +
                          transfer->packet] = (struct route_replay_place){lane, r->count[lane] - 1};
    }
}

struct route_replay *route_replay_open(const struct schedule *schedule)
{
    const struct topology *tree = &schedule->topology;
    struct route_replay *replay = calloc(1, sizeof *replay);
    assert_non_null(replay);
    replay->schedule = schedule;
    replay->r = fat_tree_reference_open(tree->height, tree->children + 1, tree->capacity + 1,
                                        (uint32_t)schedule->end);
    replay->place = calloc((size_t)tree->all * (schedule->packets + 1), sizeof *replay->place);
    replay->read_row = room_words((size_t)replay->r.lanes * replay->r.rows);
    replay->reads = room_words(replay->r.lanes);
    assert_non_null(replay->place);
    for (size_t k = 0; k < schedule->step_count; k++)
        replay_step(replay, k);
    return replay;
}

void route_replay_close(struct route_replay *replay)
{
    fat_tree_reference_close(&replay->r);
    free(replay->place);
    free(replay->read_row);
    free(replay->reads);
    free(replay);
}
