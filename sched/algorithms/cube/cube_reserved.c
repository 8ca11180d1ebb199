/* SPDX-License-Identifier: Apache-2.0 */
/* cube-reserved: packets from any nodes of a hypercube to all nodes, when no node knows the number
 * and the sources of the packets: ⌈(2^d - 1)/d⌉ rounds if no node has several packets.
 *
 * Each node owns the arcs and rounds that cube-all-gather --method optimal assigns to its packet
 * (cube_translates.h), whether it has a packet or not. If it has none, they stay empty, and every
 * node learns from that. So no node needs positions or counts: the clock determines the end. d = 2,
 * packet 1 at node 0, packet 2 at node 3:
 *
 *     round 1    1: 0 → 1, 0 → 2     2: 3 → 2, 3 → 1
 *     round 2    1: 2 → 3            2: 1 → 0               nodes 1 and 2 have no packet
 *
 * Further packets of nodes with several packets follow in as many rounds again, until such a repeat
 * is empty at all nodes. For d ≤ 4 it takes d rounds if no node has several packets, which is
 * optimal. O(transfers + d 2^d).
 *
 * Ours, with the trees of Bertsekas and others.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_translates.h"
#include "sched/base/compare.h"

#include <stdlib.h>

/* Returns the number, from 0, of packet p among the packets of its node. `before` is the number of
 * packet p - 1. */
static uint32_t number_at(const uint32_t source[], uint32_t p, uint32_t before)
{
    return p > 1 && source[p - 1] == source[p - 2] ? before + 1 : 0;
}

/* Returns the largest number of packets of a node. Precondition: the sources are known, or there is
 * one packet. O(m). */
static uint32_t repeats_of(const struct collective *collective)
{
    uint32_t most = 1, number = 0;
    for (uint32_t p = 1; collective->sources != NULL && p <= collective->m; p++) {
        number = number_at(collective->sources, p, number);
        most = MAX(most, number + 1);
    }
    return most;
}

static uint64_t reserved_end(const struct collective *collective)
{
    if (collective->sources == NULL && collective->m > 1)
        return ALGORITHM_UNKNOWN;
    return repeats_of(collective) * cube_translates_rounds(collective->topology->dimensions);
}

static bool reserved_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    uint64_t end = reserved_end(collective);
    return end != ALGORITHM_UNKNOWN &&
           guarantee_set(guarantee, end, "a⌈(2^d-1)/d⌉",
                         "ours; a: the most packets of a node, 1 for different nodes");
}

static bool reserved_accepts(const struct collective *collective, struct err *err)
{
    return cube_accepts_no_source("cube-reserved", collective, err) &&
           cube_accepts_packets("cube-reserved", collective, 1, SCHEDULE_MAX_PACKETS, err);
}

/* Lists the packets that are number `repeat` at their nodes. Returns how many there are. */
static uint32_t list_repeat(const struct collective *collective, uint32_t repeat,
                            struct cube_start start[])
{
    uint32_t count = 0, number = 0;
    for (uint32_t p = 1; p <= collective->m; p++) {
        number = number_at(collective->sources, p, number);
        if (number == repeat)
            start[count++] = (struct cube_start){p, collective->sources[p - 1]};
    }
    return count;
}

static bool reserved_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    uint32_t repeats = repeats_of(collective);
    uint64_t rounds = cube_translates_rounds(schedule->topology.dimensions);
    if (!schedule_reserve(schedule, repeats * rounds, (size_t)collective->m * (schedule->nodes - 1),
                          err))
        return false;
    struct cube_start *start = malloc(collective->m * sizeof *start);
    bool built = start != NULL || err_no_memory(err, "%u packets", collective->m);
    for (uint32_t repeat = 0; built && repeat < repeats; repeat++) {
        uint32_t count = list_repeat(collective, repeat, start);
        built = cube_translates_build(start, count, repeat * rounds, schedule, err);
    }
    free(start);
    return built;
}

const struct algorithm algorithm_cube_reserved = {
    .name = "cube-reserved",
    .summary = "any packets of any nodes without global knowledge: each node has its own arcs and "
               "rounds",
    .source = "ours, by the trees of Bertsekas and others",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_SIMULTANEOUS,
    .accepts = reserved_accepts,
    .end = reserved_end,
    .guarantee = reserved_guarantee,
    .build = reserved_build,
};
