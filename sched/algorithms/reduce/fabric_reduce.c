/* SPDX-License-Identifier: Apache-2.0 */
/* fabric-reduce: in round p all other nodes send packet p to the source, and the network combines
 * what they send.
 *
 * Exactly m rounds. This is optimal in the model, because a node receives one packet in a round.
 * The bounds of the one-port models, such as m - 1 + ⌈log2 n⌉, do not apply to a network that
 * combines packets. It is fabric-broadcast in reverse, on the mirror image of its network.
 */
#include "sched/algorithms/algorithm.h"

static uint64_t fabric_reduce_end(const struct collective *collective)
{
    return collective_end(collective, collective->m);
}

static bool fabric_reduce_build(const struct collective *collective, struct schedule *schedule,
                                struct err *err)
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
            *transfer++ = (struct transfer){node, 0, packet};
        schedule_close_step(schedule, others);
    }
    return true;
}

const struct algorithm algorithm_fabric_reduce = {
    .name = "fabric-reduce",
    .summary = "one packet per round, which the network combines from all nodes",
    .source = "fabric-broadcast reversed; Lee 1988 (copy networks)",
    .models = 1u << MODEL_FABRIC_REDUCTION,
    .kind = COLLECTIVE_REDUCE,
    .end = fabric_reduce_end,
    .build = fabric_reduce_build,
};
