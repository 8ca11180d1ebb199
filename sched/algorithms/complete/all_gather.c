/* SPDX-License-Identifier: Apache-2.0 */
/* all-gather: m packets of each node to all; m(n-1) rounds, or m(n-1)-1+λ.
 *
 * By telephone with odd n mn rounds; by telegraph 2m(n-1), and 2mn with odd n. All of it is
 * optimal: meetings.h has the rounds, bound.h the reasons. O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/meetings.h"

static bool all_gather_accepts(const struct collective *collective, struct err *err)
{
    return meetings_accepts("all-gather", collective, err);
}

/* A node sends k of its m packets in a round, and packet p over port p mod k if that is so in every
 * round. */
static bool all_gather_keeps_ports(const struct collective *collective)
{
    return collective->m % collective->ports == 0 && !meetings_go_both_ways(collective);
}

const struct algorithm algorithm_all_gather = {
    .name = "all-gather",
    .summary = "m packets of each node to all nodes, by shifts or a tournament",
    .source = "Kirkman; König: 1-factorisation",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = all_gather_keeps_ports,
    .kind = COLLECTIVE_ALL_GATHER,
    .accepts = all_gather_accepts,
    .end = meetings_end,
    .build = meetings_build,
};
