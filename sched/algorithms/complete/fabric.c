/* SPDX-License-Identifier: Apache-2.0 */
/* fabric-broadcast: in round p the source sends packet p, and the network copies it to all other
 * nodes. fabric-reduce is its reversal, on the mirror image of the network: in round p all other
 * nodes send packet p to the source, and the network combines what they send.
 *
 * Exactly m rounds, or m - 1 + λ in the fabric-postal model. This is optimal in these models,
 * because a node receives one packet in a round. The bounds of the one-port models, such as
 * m - 1 + ⌈log2 n⌉ and m - 1 + f_λ(n), do not apply to a network that copies or combines packets.
 */
#include "sched/algorithms/algorithm.h"

static uint64_t fabric_end(const struct collective *collective)
{
    return collective_end(collective, collective->m);
}

static bool fabric_build(const struct collective *collective, bool reversed,
                         struct schedule *schedule, struct err *err)
{
    uint32_t others = collective->n - 1;
    if (!schedule_reserve(schedule, collective->m, (size_t)others * collective->m, err))
        return false;
    for (uint32_t packet = 1; packet <= collective->m; packet++) {
        struct transfer *transfer =
            schedule_open_step(schedule, collective_time(collective, packet - 1), others, err);
        if (transfer == NULL)
            return false;
        for (uint32_t node = 1; node <= others; node++)
            *transfer++ =
                reversed ? (struct transfer){node, 0, packet} : (struct transfer){0, node, packet};
        schedule_close_step(schedule, others);
    }
    return true;
}

static bool fabric_broadcast_build(const struct collective *collective, struct schedule *schedule,
                                   struct err *err)
{
    return fabric_build(collective, false, schedule, err);
}

static bool fabric_reduce_build(const struct collective *collective, struct schedule *schedule,
                                struct err *err)
{
    return fabric_build(collective, true, schedule, err);
}

const struct algorithm algorithm_fabric_broadcast = {
    .name = "fabric-broadcast",
    .summary = "one packet per round, which the network copies to all nodes",
    .source = "Lee 1988 (copy networks)",
    .models = 1u << MODEL_FABRIC_MULTICAST | 1u << MODEL_FABRIC_POSTAL,
    .end = fabric_end,
    .build = fabric_broadcast_build,
};

const struct algorithm algorithm_fabric_reduce = {
    .name = "fabric-reduce",
    .summary = "one packet per round, which the network combines from all nodes",
    .source = "fabric-broadcast reversed; Lee 1988 (copy networks)",
    .models = 1u << MODEL_FABRIC_REDUCTION,
    .kind = COLLECTIVE_REDUCE,
    .end = fabric_end,
    .build = fabric_reduce_build,
};
