/* SPDX-License-Identifier: Apache-2.0 */
/* cube-doubling-all-reduce: m packets of all nodes of a hypercube of d dimensions, combined, to all
 * nodes, in d⌈m/d⌉ rounds: recursive doubling, d packets at a time.
 *
 * Packet i of d, from 0, crosses dimension i + 1, i + 2, …, d, 1, …, i, one in each round: all
 * nodes send it, and combine what their neighbour sends. After each of these rounds twice as many
 * nodes have the same partial result. The packets cross different dimensions, so that each arc
 * carries at most one packet. d = 2, m = 2:
 *
 *     round 1   packet 1: 0↔1 2↔3   packet 2: 0↔2 1↔3
 *     round 2   packet 1: 0↔2 1↔3   packet 2: 0↔1 2↔3
 *
 * Optimal for m ≤ d, because opposite nodes are d arcs apart. More packets need fewer rounds as a
 * reduction and a broadcast, which send a packet 2(2^d - 1) times instead of d·2^d times.
 * O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

static bool doubling_accepts(const struct collective *collective, struct err *err)
{
    return collective->sources == NULL ||
           err_set(err, ERR_ALGORITHM,
                   "{sources}: cube-doubling-all-reduce combines packets of all nodes; expected "
                   "{packets} instead");
}

static uint64_t doubling_end(const struct collective *collective)
{
    const uint32_t d = collective->topology->dimensions;
    return d * bits_divide_up(collective->m, d);
}

static bool doubling_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    return guarantee_set(guarantee, doubling_end(collective), "d⌈m/d⌉",
                         "recursive doubling over different dimensions");
}

/* Appends a round, in which packets first + 1 … end cross one dimension each. */
static bool put_round(const struct topology *cube, uint32_t round, uint32_t first, uint32_t end,
                      struct schedule *schedule, struct err *err)
{
    const size_t count = (size_t)cube->nodes * (end - first);
    struct transfer *transfer = schedule_open_step(schedule, schedule->end + 1, count, err);
    if (transfer == NULL)
        return false;
    for (uint32_t packet = first; packet < end; packet++)
        for (uint32_t node = 0; node < cube->nodes; node++) {
            const unsigned dimension = (packet - first + round) % cube->dimensions + 1;
            *transfer++ = (struct transfer){node, topology_across(node, dimension), packet + 1};
        }
    schedule_close_step(schedule, count);
    return true;
}

static bool doubling_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    const struct topology *cube = collective->topology;
    const uint32_t d = cube->dimensions;
    const uint64_t transfers = (uint64_t)cube->nodes * collective->m * d;
    bool built = schedule_check_size(transfers, err) &&
                 schedule_reserve(schedule, doubling_end(collective), transfers, err);
    for (uint32_t first = 0; built && first < collective->m; first += d)
        for (uint32_t round = 0; built && round < d; round++)
            built = put_round(cube, round, first, MIN(first + d, collective->m), schedule, err);
    return built;
}

const struct algorithm algorithm_cube_doubling_all_reduce = {
    .name = "cube-doubling-all-reduce",
    .summary = "optimal for up to d packets: neighbours exchange partial results",
    .source = "recursive doubling, each packet from another dimension on",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .accepts = doubling_accepts,
    .end = doubling_end,
    .guarantee = doubling_guarantee,
    .build = doubling_build,
};
