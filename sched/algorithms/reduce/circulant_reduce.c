/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of blocks of packets on a circulant graph: circulant-reduce-scatter and
 * circulant-all-reduce. */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/reduce/reverse.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/schedule/schedule.h"

/* -- Blocks of a circulant --------------------------------------------------------------------- */

/* A reduce-scatter of blocks of packets, one block for each node.
 *
 * skip[0] = n, skip[k+1] = ⌈skip[k] / 2⌉. In phase k every node r sends the partial results of the
 * blocks of nodes r + skip[k+1] … r + skip[k] - 1 to node r + skip[k+1] (mod n). n = 5, skip = 5 3
 * 2 1, the blocks that node 0 sends:
 *
 *     phase 0   to node 3   blocks of nodes 3 and 4
 *     phase 1   to node 2   block of node 2
 *     phase 2   to node 1   block of node 1
 *
 * Each node sends n - 1 blocks in ⌈log2 n⌉ phases, in each of which it sends to one partner and
 * receives from one.
 *
 * J. L. Träff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms", 2024 (arXiv
 * 2410.14234), Algorithm 1. */

struct blocks {
    uint32_t n;
    uint64_t each, rest; /* packets of a block; the first `rest` blocks have one more */
};

/* Returns packet number `which`, from 0, of a node's block; 0 if there is none. */
static uint32_t packet_of(const struct blocks *blocks, uint32_t node, uint64_t which)
{
    if (which >= blocks->each + (node < blocks->rest))
        return 0;
    return (uint32_t)(node * blocks->each + MIN(node, blocks->rest) + which + 1);
}

/* Appends a round: each node sends a packet of the block of the node `ahead` places ahead to the
 * node `skip` places ahead. */
static bool put_round(const struct blocks *blocks, uint32_t skip, uint32_t ahead, uint64_t which,
                      struct schedule *schedule, struct err *err)
{
    uint32_t n = blocks->n;
    size_t count = 0;
    struct transfer *transfer = schedule_open_step(schedule, schedule->end + 1, n, err);
    if (transfer == NULL)
        return false;
    for (uint32_t node = 0; node < n; node++) {
        uint32_t packet = packet_of(blocks, (node + ahead) % n, which);
        if (packet != 0)
            transfer[count++] = (struct transfer){node, (node + skip) % n, packet};
    }
    schedule_close_step(schedule, count);
    return true;
}

/* Appends the rounds for m packets in n blocks, of which the first m mod n have one more packet:
 * ⌈m/n⌉(n - 1) rounds, with one packet per node each. E104. O(mn). */
static bool circulant_blocks_build(uint32_t n, uint64_t m, struct schedule *schedule,
                                   struct err *err)
{
    const struct blocks blocks = {n, m / n, m % n};
    uint64_t longest = bits_divide_up(m, n);
    for (uint32_t last = n, skip; last > 1; last = skip) {
        skip = last - last / 2;
        for (uint32_t ahead = skip; ahead < last; ahead++)
            for (uint64_t which = 0; which < longest; which++)
                if (!put_round(&blocks, skip, ahead, which, schedule, err))
                    return false;
    }
    return true;
}

/* -- circulant-all-reduce ---------------------------------------------------------------------- */

/* m packets of all nodes, combined, to all nodes: the reduce-scatter of blocks, then the same steps
 * reversed, an all-gather; 2⌈m/n⌉(n-1) rounds. That is the minimum if n divides m. O(transfers). */

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

/* -- circulant-reduce-scatter ------------------------------------------------------------------ */

/* m packets for each node, combined from all nodes, in m(n-1) rounds with only ⌈log2 n⌉ settings,
 * because nodes rarely change their partners. The reversed all-gather has as many rounds and n - 1
 * settings. O(transfers). */

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
