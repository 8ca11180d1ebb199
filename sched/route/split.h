/* SPDX-License-Identifier: Apache-2.0 */
/* split: a schedule for an omega network, which does not pass every round: rounds that it blocks
 * become several.
 *
 * Round t becomes as many consecutive rounds as omega_passes_divide needs, and all later rounds
 * move back. What a node sends in a round it held before, so that the order of the parts does
 * not matter; a node has fewer partners in a part, and of a pair that exchanges packets one
 * direction may pass in one part, the other in another. So all round models allow it, and
 * packets, demands and transfers stay as they are.
 */
#ifndef ROUNDCAST_SPLIT_H
#define ROUNDCAST_SPLIT_H

#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

struct split_report {
    uint64_t rounds_split; /* rounds that were divided */
    uint64_t rounds_added; /* by which the end moved */
    uint64_t rounds_bound; /* no way to split adds fewer: of the most wanted lanes */
};

/* Node i is at port i. Preconditions: a legal schedule of a complete graph; `net` is a shape of
 * multistage_omega; `split` is zero or freed. E104; E208 for models with times, in which packets of
 * several rounds are under way at once, and for those that copy; E402 for more nodes than ports.
 * Free it with schedule_free. O(rounds · orders · ports · log ports), see omega.h. */
bool split_schedule(const struct schedule *schedule, const struct multistage *net,
                    struct schedule *split, struct split_report *report, struct err *err);

#endif
