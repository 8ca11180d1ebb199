/* SPDX-License-Identifier: Apache-2.0 */
/* halving-all-reduce: m = 2^a packets of n = 2^k ≥ m nodes, combined, to all nodes, in 2(m-1) + k -
 * a rounds: recursive halving, recursive doubling of the rest, and the halving reversed.
 *
 * In step t < a node r and node r ^ 2^t halve the packets that they share: r keeps the packets
 * whose number, from 0, has the same bit t as r. Then each node has one packet, combined from 2^a
 * nodes, and exchanges it over the other k - a bits. n = 4, m = 2:
 *
 *     round 1   0→1 2   1→0 1   2→3 2   3→2 1      halving over bit 0
 *     round 2   0→2 1   2→0 1   1→3 2   3→1 2      both combine
 *     round 3   0→1 1   1→0 2   2→3 1   3→2 2      round 1 reversed; results replace
 *
 * Pairs of nodes exchange packets, so the schedule also keeps the telephone model.
 *
 * R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. O(transfers).
 */
#include "sched/algorithms/reduce/reverse.h"
#include "sched/base/bits.h"

static bool is_power(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

static bool halving_accepts(const struct collective *collective, struct err *err)
{
    return (is_power(collective->n) && is_power(collective->m) && collective->m <= collective->n) ||
           err_set(err, ERR_ALGORITHM,
                   "halving-all-reduce: %u nodes and %u packets; expected powers of two, and no "
                   "more packets than nodes",
                   collective->n, collective->m);
}

static uint64_t halving_end(const struct collective *collective)
{
    uint64_t left = bits_log2_down(collective->n) - bits_log2_down(collective->m);
    return 2 * ((uint64_t)collective->m - 1) + left;
}

/* Appends a round: each node sends a packet to its partner over bit t. Before step t < a both share
 * the packets with their low t bits; the node sends number `which` of those that its partner keeps.
 * From t = a on it sends its only packet. */
static bool put_round(const struct collective *collective, unsigned t, uint32_t which,
                      struct schedule *schedule, struct err *err)
{
    uint32_t n = collective->n, mask = collective->m - 1, bit = UINT32_C(1) << t;
    struct transfer *transfer = schedule_open_step(schedule, schedule->end + 1, n, err);
    if (transfer == NULL)
        return false;
    for (uint32_t node = 0; node < n; node++) {
        uint32_t partner = node ^ bit, kept = partner & (2 * bit - 1);
        uint32_t packet = bit <= mask ? which * 2 * bit + kept : node & mask;
        transfer[node] = (struct transfer){node, partner, packet + 1};
    }
    schedule_close_step(schedule, n);
    return true;
}

static bool halving_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    unsigned a = bits_log2_down(collective->m), k = bits_log2_down(collective->n);
    uint64_t rounds = halving_end(collective);
    bool built = schedule_reserve(schedule, rounds, rounds * collective->n, err);
    for (unsigned t = 0; built && t < k; t++)
        for (uint32_t which = 0; built && which < (t < a ? collective->m >> (t + 1) : 1); which++)
            built = put_round(collective, t, which, schedule, err);
    return built && reverse_mirror(schedule, 0, collective->m - 1, rounds + 1, err);
}

const struct algorithm algorithm_halving_all_reduce = {
    .name = "halving-all-reduce",
    .summary = "an all-reduce of 2^a packets and 2^k nodes, by halving and doubling",
    .source = "Rabenseifner, ICCS 2004",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .accepts = halving_accepts,
    .end = halving_end,
    .build = halving_build,
};
