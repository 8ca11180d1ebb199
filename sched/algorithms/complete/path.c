/* SPDX-License-Identifier: Apache-2.0 */
/* path: sends all packets along one Hamiltonian path, one after another.
 *
 * Packet p crosses the edge i → i+1 in round p + i. n = 4, m = 3:
 *
 *     round      1       2       3       4       5
 *     0 → 1     p1      p2      p3
 *     1 → 2             p1      p2      p3
 *     2 → 3                     p1      p2      p3
 *
 * Every node sends and receives at the same time: send-receive. Exactly m + n - 2 rounds, which is
 * near the bound if m is much greater than n.
 *
 * Bruck, Cypher and Ho, section 2.2 (a spanning tree that is a Hamiltonian path).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"

static uint64_t path_end(const struct collective *collective)
{
    return (uint64_t)collective->m + collective->n - 2;
}

static bool path_build(const struct collective *collective, struct schedule *schedule,
                       struct err *err)
{
    uint32_t edges = collective->n - 1, m = collective->m;
    uint64_t rounds = path_end(collective);
    if (!schedule_reserve(schedule, rounds, (size_t)edges * m, err))
        return false;
    for (uint64_t round = 1; round <= rounds; round++) {
        /* edges crossed by packets 1 … m: 1 ≤ round - edge ≤ m */
        uint32_t first = round > m ? (uint32_t)(round - m) : 0;
        uint32_t end = (uint32_t)MIN(round, edges);
        struct transfer *transfer = schedule_open_step(schedule, round, end - first, err);
        if (transfer == NULL)
            return false;
        for (uint32_t edge = first; edge < end; edge++)
            *transfer++ = (struct transfer){edge, edge + 1, (uint32_t)(round - edge)};
        schedule_close_step(schedule, end - first);
    }
    return true;
}

const struct algorithm algorithm_path = {
    .name = "path",
    .summary = "sends all packets along one path, one after another",
    .source = "Bruck, Cypher, Ho, section 2.2",
    .models = 1u << MODEL_SEND_RECEIVE,
    .streams = true,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = path_end,
    .build = path_build,
};
