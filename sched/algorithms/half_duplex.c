/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/half_duplex.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* A lane table has `rounds` entries for each branch, and in the single-port model for each node. */
struct placement {
    const struct schedule *schedule;
    uint32_t rounds; /* 1 … rounds - 1 are used: twice as many as there were */
    /* [rounds] of each branch, called as its lower node: packets in a round; and a round from which
     * on a free one is looked for, itself if it is free */
    uint32_t *count, *free_from;
    uint32_t *node_free;    /* [rounds] of each node; NULL in the multiport model */
    uint32_t *row;          /* [packets + 1]: of packets that several nodes want, from 1; else 0 */
    uint32_t *came;         /* [packets + 1]: the round in which a packet came to where it is now */
    uint32_t *came_to;      /* [rows][all]: the same at each node */
    uint32_t *round, *lane; /* [transfers]: the result */
    void *memory;
};

bool half_duplex_keeps(enum collective_kind kind)
{
    return kind == COLLECTIVE_BROADCAST || kind == COLLECTIVE_SCATTER || kind == COLLECTIVE_GATHER;
}

/* Returns the first round from `round` on that is free in a table; shortens the path to it. */
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

/* The round in which a packet came to a node: 0 where it starts. */
static uint32_t *arrival(const struct placement *p, uint32_t node, uint32_t packet)
{
    uint32_t row = p->row[packet];
    return row == 0 ? &p->came[packet]
                    : &p->came_to[(row - 1) * (size_t)p->schedule->topology.all + node];
}

static void place(struct placement *p, size_t index)
{
    const struct topology *tree = &p->schedule->topology;
    const struct transfer *now = &p->schedule->transfer[index];
    uint32_t lower = MIN(now->source, now->destination), lanes = UINT32_MAX;
    uint32_t *branch = p->free_from + (size_t)lower * p->rounds;
    uint32_t *node = p->node_free + (p->node_free != NULL ? (size_t)now->source * p->rounds : 0);
    uint32_t round = find_free(branch, *arrival(p, now->source, now->packet) + 1);
    for (uint32_t before = 0; p->node_free != NULL && before != round;) {
        before = round;
        round = find_free(branch, find_free(node, round));
    }
    lanes = tree->capacity[topology_branch(tree, now->source, now->destination)];
    uint32_t *count = &p->count[(size_t)lower * p->rounds + round];
    p->round[index] = round;
    p->lane[index] = (*count)++;
    if (*count == lanes)
        branch[round] = round + 1;
    if (p->node_free != NULL)
        node[round] = round + 1;
    uint32_t *came = arrival(p, now->destination, now->packet);
    if (p->row[now->packet] == 0 || *came == 0)
        *came = round;
}

/* Numbers the packets that several nodes want. Returns how many there are. */
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
    size_t all = schedule->topology.all, entries = all * p->rounds;
    bool one_link = model_row(schedule->model)->one_link;
    p->row = calloc(schedule->packets + (size_t)1, sizeof *p->row);
    if (p->row == NULL)
        return false;
    size_t rows = number_rows(schedule, p->row);
    const struct arena_array arrays[] = {
        ARENA(p->count, entries),
        ARENA(p->free_from, entries),
        ARENA(p->node_free, one_link ? entries : 0),
        ARENA(p->came, schedule->packets + (size_t)1),
        ARENA(p->came_to, rows * all),
        ARENA(p->round, schedule->transfer_count),
        ARENA(p->lane, schedule->transfer_count),
    };
    p->memory = arena_new(arrays, ARENA_COUNT(arrays));
    for (size_t entry = 0; p->memory != NULL && entry < entries; entry++)
        p->free_from[entry] = (uint32_t)(entry % p->rounds);
    if (!one_link)
        p->node_free = NULL;
    for (size_t entry = 0; p->memory != NULL && one_link && entry < entries; entry++)
        p->node_free[entry] = (uint32_t)(entry % p->rounds);
    return p->memory != NULL;
}

/* Writes the transfers by round, those of a round in their order: a counting sort. */
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

bool half_duplex_place(struct schedule *schedule, struct err *err)
{
    struct placement p = {.schedule = schedule, .rounds = (uint32_t)(2 * schedule->end + 2)};
    bool placed = schedule->end < UINT32_MAX / 4 && allocate(&p);
    for (size_t index = 0; placed && index < schedule->transfer_count; index++)
        place(&p, index);
    placed = placed ? write_back(&p, schedule, err)
                    : err_no_memory(err, "%" PRIu32 " rounds of %" PRIu32 " branches", p.rounds,
                                    schedule->topology.all);
    free(p.memory);
    free(p.row);
    return placed;
}
