/* SPDX-License-Identifier: Apache-2.0 */
/* judge_kept: schedules from hops, and three judges of how self-timed routers execute them.
 *
 * The judges are the check under test, rule_reference.h, which computes the run packet by packet,
 * and the simulation on csim. The check must accept schedules for which the reference delivers all
 * packets to leaves in their rounds, and its result must equal the reference's run, transfer for
 * transfer. An accepted schedule is routed for the smallest machine that fits it, where every
 * receipt must be in its predicted cycle. A rejected schedule is also run. Its image depends only
 * on what leaves send and on the length of the run, so the image of the reference's run is used;
 * that simulation must fail.
 */
#ifndef ROUNDCAST_JUDGE_KEPT_H
#define ROUNDCAST_JUDGE_KEPT_H

#include "sched/base/rng.h"
#include "sched/schedule/model.h"
#include "sched/schedule/schedule.h"
#include "tests/support/rule_reference.h"

#define JUDGE_KEPT_SEED UINT64_C(20261122)
#define JUDGE_KEPT_FLITS 3

/* Counts of results. `moved`: schedules that are kept although packets between routers take other
 * paths. */
struct judge_kept_counts {
    unsigned kept, moved, refused;
};

/* -- Schedules from hops ----------------------------------------------------------------------- */

struct judge_kept_hops {
    struct rule_reference_hop *hop;
    size_t count;
};

struct judge_kept_hops judge_kept_hops_of(const struct schedule *schedule);

/* Builds the schedule of these hops, which are sorted in place, with the demands of another
 * schedule. */
void judge_kept_schedule(const struct schedule *like, struct rule_reference_hop hop[], size_t count,
                         struct schedule *schedule);

/* -- Leaves with random sends
 * --------------------------------------------------------------------- */

/* Draws random sends of leaves and applies the rule to them. At most 16 leaves. */
void judge_kept_draw(const struct topology *tree, enum model model, struct rng *rng,
                     struct schedule *schedule);

/* -- Judges ------------------------------------------------------------------------------------ */

/* Applies all three judges to a legal schedule. Returns whether it is kept. */
bool judge_kept(const struct schedule *schedule, struct judge_kept_counts *counts);

#endif
