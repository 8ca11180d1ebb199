/* SPDX-License-Identifier: Apache-2.0 */
/* circulant-reduce-scatter: m packets for each node, combined from all nodes, in m(n-1) rounds with
 * only ⌈log2 n⌉ settings, because nodes rarely change their partners (circulant_blocks.h). The
 * reversed all-gather has as many rounds and n - 1 settings.
 *
 * O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/reduce/circulant_blocks.h"

static uint64_t scatter_end(const struct collective *collective)
{
    return (uint64_t)collective->m * (collective->n - 1);
}

static bool scatter_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    uint64_t rounds = scatter_end(collective);
    return schedule_reserve(schedule, rounds, rounds * collective->n, err) &&
           circulant_blocks_build(collective->n, collective_packets(collective), schedule, err);
}

const struct algorithm algorithm_circulant_reduce_scatter = {
    .name = "circulant-reduce-scatter",
    .summary = "a reduce-scatter in which nodes change partners ⌈log2 n⌉ times",
    .source = "Träff, arXiv 2410.14234, Algorithm 1",
    .models = 1u << MODEL_SEND_RECEIVE,
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = scatter_end,
    .build = scatter_build,
};
