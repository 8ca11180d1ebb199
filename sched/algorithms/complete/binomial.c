/* SPDX-License-Identifier: Apache-2.0 */
/* binomial: sends one packet after another down the binomial tree (recursive doubling).
 *
 * In step i of a packet's L = ⌈log2 n⌉ rounds every node u < 2^i sends it to u + 2^i. With k ports,
 * u < (k+1)^i sends to u + j (k+1)^i, 1 ≤ j ≤ k, and L is ⌈log n / log (k+1)⌉. n = 8, k = 1:
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
#include "sched/algorithms/complete/ports_roles.h"
#include "sched/base/compare.h"

static uint64_t binomial_end(const struct collective *collective)
{
    return (uint64_t)collective->m * ports_rounds(collective->n, MAX(collective->ports, 1));
}

static bool binomial_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    uint32_t n = collective->n, m = collective->m, ports = MAX(collective->ports, 1);
    if (!schedule_reserve(schedule, binomial_end(collective), (size_t)(n - 1) * m, err))
        return false;
    uint64_t round = 0;
    for (uint32_t packet = 1; packet <= m; packet++) {
        for (uint32_t holders = 1, receivers; holders < n; holders += receivers) {
            receivers = (uint32_t)MIN((uint64_t)holders * ports, n - holders);
            struct transfer *transfer = schedule_open_step(schedule, ++round, receivers, err);
            if (transfer == NULL)
                return false;
            for (uint32_t which = 0; which < receivers; which++)
                transfer[which] = (struct transfer){which % holders, which + holders, packet};
            schedule_close_step(schedule, receivers);
        }
    }
    return true;
}

const struct algorithm algorithm_binomial = {
    .name = "binomial",
    .summary = "sends one packet after another along the binomial tree",
    .source = "Bruck, Cypher, Ho, section 2.2",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH,
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .streams = true,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = binomial_end,
    .build = binomial_build,
};
