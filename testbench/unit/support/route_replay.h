/* route_replay: play a tree's schedule with buffers of every depth at once, for test_route_tree.c.
 *
 * What comes to an input is stored as arrival i in slot i mod depth; when a router sends, what stands there is right
 * or wrong. It shares nothing with route_walk.c: fat_tree_reference.h has the lanes. Include it after <cmocka.h>'s four
 * headers.
 */
#ifndef ROUNDCAST_ROUTE_REPLAY_H
#define ROUNDCAST_ROUTE_REPLAY_H

#include "sched/schedule/schedule.h"
#include "testbench/unit/support/fat_tree_reference.h"

#define REPLAY_DEPTHS 512 /* that are tried */

/* Where a router has a packet: the lane it came by, and the number of its arrival there. */
struct place {
    uint32_t lane, arrival;
};

struct replay {
    const struct schedule *schedule;
    struct reference r;
    struct place *place;        /* [nodes][packets + 1] */
    uint32_t *read_row, *reads; /* [lanes][rows]: 1 + the row of its last read; [lanes] */
    bool wrong[TOPOLOGY_MAX_HEIGHT + 1][REPLAY_DEPTHS]; /* with that depth a router sends another packet */
    uint32_t distance[TOPOLOGY_MAX_HEIGHT + 1];         /* the longest way back to a packet that is sent */
    size_t first_of[TOPOLOGY_MAX_HEIGHT + 1];           /* the first transfer with it */
    uint32_t most_reads;
};

/* The lane by which a node sends to its neighbour, the number-th of those. */
static inline uint32_t replay_lane(const struct reference *r, uint32_t node, uint32_t neighbour,
                                   uint32_t number)
{
    for (uint32_t lane = r->first[node]; lane < r->first[node + 1]; lane++)
        if (r->owner[r->peer[lane]] == neighbour && number-- == 0)
            return lane;
    fail_msg("no lane from %u to %u", node, neighbour);
    return 0;
}

static inline void replay_read(struct replay *replay, uint32_t lane, uint32_t arrival)
{
    uint32_t *row = &replay->read_row[(size_t)lane * replay->r.rows + arrival];
    if (*row == replay->r.row + 1)
        return;
    *row = replay->r.row + 1;
    replay->reads[lane]++;
    if (replay->reads[lane] > replay->most_reads)
        replay->most_reads = replay->reads[lane];
}

/* A router sends: is it right, if its buffers have that depth? */
static inline void replay_send(struct replay *replay, size_t index)
{
    const struct transfer *transfer = &replay->schedule->transfer[index];
    const struct reference *r = &replay->r;
    unsigned level = r->level[transfer->source];
    const struct place *place =
        &replay->place[(size_t)transfer->source * (replay->schedule->packets + 1) + transfer->packet];
    const uint32_t *came = r->came + (size_t)place->lane * r->rows, count = r->count[place->lane];
    assert_true(place->arrival < count && came[place->arrival] == transfer->packet);
    for (uint32_t depth = 1; depth < REPLAY_DEPTHS; depth++) {
        uint32_t stands = place->arrival + (count - 1 - place->arrival) / depth * depth;
        replay->wrong[level][depth] |= came[stands] != transfer->packet;
    }
    if (count - place->arrival > replay->distance[level]) {
        replay->distance[level] = count - place->arrival;
        replay->first_of[level] = index;
    }
    replay_read(replay, place->lane, place->arrival);
}

static inline void replay_step(struct replay *replay, size_t k)
{
    const struct schedule *schedule = replay->schedule;
    struct reference *r = &replay->r;
    uint32_t got[64];
    memset(replay->reads, 0, r->lanes * sizeof *replay->reads);
    r->row = (uint32_t)schedule->step[k].time - 1;
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        if (transfer->source >= r->leaves)
            replay_send(replay, t);
        r->sent[replay_lane(r, transfer->source, transfer->destination, schedule_lane(schedule, t))] =
            transfer->packet;
    }
    reference_deliver(r, got);
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        uint32_t lane = replay_lane(r, transfer->destination, transfer->source, schedule_lane(schedule, t));
        if (transfer->destination >= r->leaves)
            replay->place[(size_t)transfer->destination * (schedule->packets + 1) + transfer->packet] =
                (struct place){lane, r->count[lane] - 1};
    }
}

static inline struct replay *replay_open(const struct schedule *schedule)
{
    const struct topology *tree = &schedule->topology;
    struct replay *replay = calloc(1, sizeof *replay);
    assert_non_null(replay);
    replay->schedule = schedule;
    replay->r = reference_open(tree->height, tree->children + 1, tree->capacity + 1, (uint32_t)schedule->end);
    replay->place = calloc((size_t)tree->all * (schedule->packets + 1), sizeof *replay->place);
    replay->read_row = reference_words((size_t)replay->r.lanes * replay->r.rows);
    replay->reads = reference_words(replay->r.lanes);
    assert_non_null(replay->place);
    for (size_t k = 0; k < schedule->step_count; k++)
        replay_step(replay, k);
    return replay;
}

static inline void replay_close(struct replay *replay)
{
    reference_close(&replay->r);
    free(replay->place);
    free(replay->read_row);
    free(replay->reads);
    free(replay);
}

#endif
