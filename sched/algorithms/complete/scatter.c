/* SPDX-License-Identifier: Apache-2.0 */
/* scatter: m packets from the source to each other node; m(n-1) rounds, or m(n-1)-1+λ.
 *
 * The source sends so many: optimal in every model (one_by_one.h).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/one_by_one.h"

static bool scatter_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    return one_by_one_build(collective, false, schedule, err);
}

const struct algorithm algorithm_scatter = {
    .name = "scatter",
    .summary = "m packets from the source to each other node, one per round",
    .source = "counted: what the source sends",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = one_by_one_keeps_ports,
    .kind = COLLECTIVE_SCATTER,
    .accepts = one_by_one_accepts,
    .end = one_by_one_all,
    .build = scatter_build,
};
