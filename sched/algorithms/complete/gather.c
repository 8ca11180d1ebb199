/* SPDX-License-Identifier: Apache-2.0 */
/* gather: m packets from each other node to the source; m(n-1) rounds, or m(n-1)-1+λ.
 *
 * The source receives m(n-1) packets, so this is optimal in every model (one_by_one.h).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/one_by_one.h"

static bool gather_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    return one_by_one_build(collective, true, schedule, err);
}

const struct algorithm algorithm_gather = {
    .name = "gather",
    .summary = "m packets from each other node to the source, one per round",
    .source = "counted: what the source receives",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = one_by_one_keeps_ports,
    .kind = COLLECTIVE_GATHER,
    .accepts = one_by_one_accepts,
    .end = one_by_one_all,
    .build = gather_build,
};
