/* SPDX-License-Identifier: Apache-2.0 */
/* fabric-all-reduce: in round p all other nodes send packet p to the source, and the network
 * combines what they send; in round p + 1 the source sends the result of packet p to all others,
 * and the network copies it.
 *
 *     n = 4, m = 2      round 1    1 2 3 → 0, packet 1
 *                       round 2    1 2 3 → 0, packet 2    0 → 1 2 3, packet 1
 *                       round 3                           0 → 1 2 3, packet 2
 *
 * Exactly m + 1 rounds for n > 2, and m for n = 2, where both nodes exchange their packets. This is
 * optimal in the model. In m rounds each node would receive each packet once, combined of all
 * others, and would receive in every round. But in the first round nodes send only what they have,
 * and the network then combines what all others send to one node only.
 */
#include "sched/algorithms/algorithm.h"

static uint64_t fabric_all_reduce_end(const struct collective *collective)
{
    return collective_end(collective, (uint64_t)collective->m + (collective->n > 2));
}

/* Appends a round in which all others send a packet to the source, and the source sends another
 * packet to all of them; 0: none. Two nodes exchange one packet. */
static bool append_round(const struct collective *collective, struct schedule *schedule,
                         uint32_t round, uint32_t reduced, uint32_t copied, struct err *err)
{
    const uint32_t others = collective->n - 1;
    const size_t count = ((reduced > 0) + (size_t)(copied > 0)) * others;
    struct transfer *transfer =
        schedule_open_step(schedule, collective_time(collective, round), count, err);
    if (transfer == NULL)
        return false;
    for (uint32_t node = 1; copied > 0 && node <= others; node++)
        *transfer++ = (struct transfer){0, node, copied};
    for (uint32_t node = 1; reduced > 0 && node <= others; node++)
        *transfer++ = (struct transfer){node, 0, reduced};
    const size_t first = schedule->transfer_count;
    schedule_close_step(schedule, count);
    for (uint32_t k = 0; copied > 0 && collective->n > 2 && k < others; k++)
        if (!schedule_set_combining(schedule, first + k, COMBINING_REPLACE, err))
            return false;
    return true;
}

static bool fabric_all_reduce_build(const struct collective *collective, struct schedule *schedule,
                                    struct err *err)
{
    const uint32_t m = collective->m, pair = collective->n == 2;
    if (!schedule_reserve(schedule, m + (size_t)1, 2 * (size_t)(collective->n - 1) * m, err))
        return false;
    for (uint32_t round = 0; round < m + !pair; round++) {
        const uint32_t reduced = round < m ? round + 1 : 0;
        if (!append_round(collective, schedule, round, reduced, pair ? reduced : round, err))
            return false;
    }
    return true;
}

const struct algorithm algorithm_fabric_all_reduce = {
    .name = "fabric-all-reduce",
    .summary = "one packet per round, which the network combines and, a round later, copies",
    .source = "fabric-reduce, then fabric-broadcast, a round later",
    .models = 1u << MODEL_FABRIC_ALL_REDUCE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .end = fabric_all_reduce_end,
    .build = fabric_all_reduce_build,
};
