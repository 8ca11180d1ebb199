/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/placement.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

struct placement {
    const struct schedule *schedule;
    uint32_t rounds;   /* rounds 1 … rounds - 2 are usable; the last stays free */
    size_t directions; /* one per branch; full-duplex: one up and, from `all` on, one down */
    /* [rounds] of each direction: the packets in a round; and where to look next for a free round:
     * the round itself if it is free */
    uint32_t *count, *free_from;
    uint32_t *node_free;    /* [rounds] of each node, as free_from; unused in multiport */
    uint32_t *row;          /* [packets + 1]: row in came_to, from 1; 0: one receiver */
    uint32_t *came;         /* [packets + 1]: round in which it reached its present node */
    uint32_t *came_to;      /* [rows][all]: the round in which it reached each node */
    uint32_t *round, *lane; /* [transfers]: the result */
    void *memory;
};

bool placement_is_unidirectional(enum collective_kind kind)
{
    return collective_rows[kind].rooted;
}

static bool is_one_link(const struct placement *p)
{
    return model_row(p->schedule->model)->one_link;
}

/* Returns the first free round of a table, from `round` on, and shortens the path to it. The last
 * round is always free. */
static uint32_t find_free(uint32_t *table, uint32_t round)
{
    uint32_t found = round;
    while (table[found] != found)
        found = table[found];
    while (table[round] != found) {
        uint32_t next = table[round];
        table[round] = found;
        round = next;
    }
    return found;
}

/* Returns the round in which a packet reached a node; 0 where it starts. */
static uint32_t *arrival(const struct placement *p, uint32_t node, uint32_t packet)
{
    uint32_t row = p->row[packet];
    return row == 0 ? &p->came[packet]
                    : &p->came_to[(row - 1) * (size_t)p->schedule->topology.all + node];
}

/* Returns the direction of a transfer. A branch has the number of its lower node. */
static size_t direction_of(const struct placement *p, const struct transfer *now)
{
    const struct topology *tree = &p->schedule->topology;
    bool down = now->source > now->destination && !tree->half_duplex;
    return MIN(now->source, now->destination) + (down ? tree->all : (size_t)0);
}

/* Places one transfer. Returns false if no round is left. */
static bool place(struct placement *p, size_t index)
{
    const struct topology *tree = &p->schedule->topology;
    const struct transfer *now = &p->schedule->transfer[index];
    size_t at = direction_of(p, now) * p->rounds;
    uint32_t *node = p->node_free + (size_t)now->source * (is_one_link(p) ? p->rounds : 0);
    uint32_t round = *arrival(p, now->source, now->packet) + 1;
    if (round >= p->rounds)
        return false;
    round = find_free(p->free_from + at, round);
    for (uint32_t before = 0; is_one_link(p) && before != round;) {
        before = round;
        round = find_free(p->free_from + at, find_free(node, round));
    }
    if (round + 1 >= p->rounds)
        return false;
    p->round[index] = round;
    p->lane[index] = p->count[at + round]++;
    if (p->count[at + round] ==
        tree->capacity[topology_branch(tree, now->source, now->destination)])
        p->free_from[at + round] = round + 1;
    if (is_one_link(p))
        node[round] = round + 1;
    uint32_t *came = arrival(p, now->destination, now->packet);
    if (p->row[now->packet] == 0 || *came == 0)
        *came = round;
    return true;
}

/* Numbers the rows of packets that several nodes want, from 1. Returns how many there are. */
static uint32_t number_rows(const struct schedule *schedule, uint32_t row[])
{
    uint32_t rows = 0;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            row[packet] = demand->wanted_count == 1 ? 0 : ++rows;
    }
    return rows;
}

static bool allocate(struct placement *p)
{
    const struct schedule *schedule = p->schedule;
    size_t all = schedule->topology.all;
    p->directions = schedule->topology.half_duplex ? all : 2 * all;
    p->row = calloc(schedule->packets + (size_t)1, sizeof *p->row);
    if (p->row == NULL)
        return false;
    size_t rows = number_rows(schedule, p->row), entries = p->directions * p->rounds;
    const struct arena_array arrays[] = {
        ARENA(p->count, entries),
        ARENA(p->free_from, entries),
        ARENA(p->node_free, is_one_link(p) ? all * p->rounds : 0),
        ARENA(p->came, schedule->packets + (size_t)1),
        ARENA(p->came_to, rows * all),
        ARENA(p->round, schedule->transfer_count),
        ARENA(p->lane, schedule->transfer_count),
    };
    p->memory = arena_new(arrays, ARENA_COUNT(arrays));
    for (size_t entry = 0; p->memory != NULL && entry < entries; entry++)
        p->free_from[entry] = (uint32_t)(entry % p->rounds);
    for (size_t entry = 0; p->memory != NULL && is_one_link(p) && entry < all * p->rounds; entry++)
        p->node_free[entry] = (uint32_t)(entry % p->rounds);
    return p->memory != NULL;
}

/* Writes the transfers back, sorted by round and, within a round, in their order: a counting sort.
 * E104. */
static bool write_back(const struct placement *p, struct schedule *schedule, struct err *err)
{
    size_t transfers = schedule->transfer_count;
    struct transfer *old = malloc((transfers + 1) * sizeof *old);
    size_t *order = malloc((transfers + 1) * sizeof *order);
    size_t *start = calloc((size_t)p->rounds + 2, sizeof *start);
    bool written = old != NULL && order != NULL && start != NULL;
    for (size_t t = 0; written && t < transfers; t++) {
        old[t] = schedule->transfer[t];
        start[p->round[t] + 1]++;
    }
    for (uint32_t round = 0; written && round < p->rounds; round++)
        start[round + 1] += start[round];
    for (size_t t = 0; written && t < transfers; t++)
        order[start[p->round[t]]++] = t;
    if (written)
        schedule_clear_steps(schedule);
    else
        err_no_memory(err, "%zu transfers", transfers);
    for (size_t k = 0; written && k < transfers; k++) {
        uint32_t round = p->round[order[k]];
        bool opens = k == 0 || p->round[order[k - 1]] != round;
        written = (!opens || schedule_open_step(schedule, round, 1, err) != NULL) &&
                  schedule_append_lane(schedule, old[order[k]], p->lane[order[k]], err);
        if (written && (k + 1 == transfers || p->round[order[k + 1]] != round))
            schedule_close_step(schedule, 0);
    }
    free(old);
    free(order);
    free(start);
    return written;
}

/* Places all transfers within `rounds` rounds and sets *fits to whether they fit. E104. */
static bool place_all(struct schedule *schedule, uint64_t rounds, bool *fits, struct err *err)
{
    struct placement p = {.schedule = schedule, .rounds = (uint32_t)rounds};
    bool placed = rounds < UINT32_MAX / 4 && allocate(&p);
    *fits = placed;
    for (size_t index = 0; *fits && index < schedule->transfer_count; index++)
        *fits = place(&p, index);
    if (!placed)
        err_no_memory(err, "%" PRIu64 " rounds of %" PRIu32 " branches", rounds,
                      schedule->topology.all);
    else if (*fits)
        placed = write_back(&p, schedule, err);
    free(p.memory);
    free(p.row);
    return placed;
}

bool placement_run(struct schedule *schedule, struct err *err)
{
    bool fits = false, placed = true;
    for (uint64_t rounds = 2 * schedule->end + 2; placed && !fits; rounds *= 2)
        placed = place_all(schedule, rounds, &fits, err);
    return placed;
}
