/* SPDX-License-Identifier: Apache-2.0 */
/* total-exchange: m packets of each node to each other one; m(n-1) rounds, or m(n-1)-1+λ.
 *
 * By telephone with odd n mn rounds; by telegraph 2m(n-1), and 2mn with odd n. All of it is
 * optimal: meetings.h has the rounds, bound.h the reasons. O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/meetings.h"
#include "sched/algorithms/complete/one_by_one.h"

static bool total_exchange_accepts(const struct collective *collective, struct err *err)
{
    return meetings_accepts("total-exchange", collective, err);
}

const struct algorithm algorithm_total_exchange = {
    .name = "total-exchange",
    .summary = "m packets of each node to each other node, by shifts or a tournament",
    .source = "Kirkman; König: 1-factorisation",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = one_by_one_keeps_ports,
    .kind = COLLECTIVE_TOTAL_EXCHANGE,
    .accepts = total_exchange_accepts,
    .end = meetings_end,
    .build = meetings_build,
};
