/* SPDX-License-Identifier: Apache-2.0 */
/* circulant-all-reduce: m packets of all nodes, combined, to all nodes: the reduce-scatter of
 * circulant_blocks.h, then the same steps reversed, an all-gather; 2⌈m/n⌉(n-1) rounds. That is the
 * minimum if n divides m.
 *
 * O(transfers).
 */
#include "sched/algorithms/reduce/circulant_blocks.h"
#include "sched/algorithms/reduce/reverse.h"
#include "sched/base/bits.h"

static uint64_t blocks_end(const struct collective *collective)
{
    return 2 * bits_divide_up(collective->m, collective->n) * (collective->n - 1);
}

static bool blocks_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    size_t transfers = 2 * (size_t)collective->m * (collective->n - 1) + collective->n;
    return schedule_reserve(schedule, blocks_end(collective), transfers, err) &&
           circulant_blocks_build(collective->n, collective->m, schedule, err) &&
           reverse_mirror(schedule, 0, schedule->step_count, 2 * schedule->end + 1, err);
}

const struct algorithm algorithm_circulant_all_reduce = {
    .name = "circulant-all-reduce",
    .summary = "an all-reduce of n blocks: reduce-scatter, then all-gather",
    .source = "Träff, arXiv 2410.14234, Algorithm 2",
    .models = 1u << MODEL_SEND_RECEIVE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .end = blocks_end,
    .build = blocks_build,
};
