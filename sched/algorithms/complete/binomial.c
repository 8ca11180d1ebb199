/* SPDX-License-Identifier: Apache-2.0 */
/* binomial: one packet after the other down the binomial tree (recursive doubling).
 *
 * In step i of a packet's L = ⌈log2 n⌉ rounds every node u < 2^i sends it to u + 2^i. n = 8:
 *
 *     round 1    0→1
 *     round 2    0→2  1→3
 *     round 3    0→4  1→5  2→6  3→7          packet 2 follows in rounds 4 … 6
 *
 * A pair meets once per packet, in one direction, so the rounds are matchings: the schedule keeps
 * the send-receive, telephone and telegraph models. Exactly m·L rounds; optimal for m = 1.
 *
 * Bruck, Cypher and Ho, section 2.2; Bar-Noy, Kipnis and Schieber, section 1 ("recursive
 * doubling").
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"

static uint64_t binomial_end(const struct collective *collective)
{
    return (uint64_t)collective->m * bits_log2_up(collective->n);
}

static bool binomial_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    if (!schedule_reserve(schedule, binomial_end(collective), (size_t)(n - 1) * m, err))
        return false;
    uint64_t round = 0;
    for (uint32_t packet = 1; packet <= m; packet++) {
        for (uint32_t holders = 1; holders < n; holders *= 2) {
            uint32_t senders = holders < n - holders ? holders : n - holders;
            struct transfer *transfer = schedule_open_step(schedule, ++round, senders, err);
            if (transfer == NULL)
                return false;
            for (uint32_t node = 0; node < senders; node++)
                transfer[node] = (struct transfer){node, node + holders, packet};
            schedule_close_step(schedule, senders);
        }
    }
    return true;
}

const struct algorithm algorithm_binomial = {
    .name = "binomial",
    .summary = "sends one packet after another along the binomial tree",
    .source = "Bruck, Cypher, Ho, section 2.2",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH,
    .end = binomial_end,
    .build = binomial_build,
};
