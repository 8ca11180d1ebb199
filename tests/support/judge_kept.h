/* SPDX-License-Identifier: Apache-2.0 */
/* judge_kept: schedules from hops, and three judges of what self-timed routers make of them.
 *
 * The check, rule_reference.h, which works out the run packet by packet, and the simulation on
 * csim. The check must accept what by the reference gives leaves their packets in their rounds, and
 * what it builds must be the reference's run, transfer for transfer. What is accepted is routed for
 * a machine of the least size, and there every receipt is in its cycle. What is refused is run all
 * the same: an image knows nothing of a schedule but what leaves send and how long it takes, so
 * that of the reference's run will do; it must not hold.
 */
#ifndef ROUNDCAST_JUDGE_KEPT_H
#define ROUNDCAST_JUDGE_KEPT_H

#include "sched/base/rng.h"
#include "sched/schedule/model.h"
#include "sched/schedule/schedule.h"
#include "tests/support/rule_reference.h"

#define JUDGE_KEPT_SEED UINT64_C(20261122)
#define JUDGE_KEPT_FLITS 3

/* What became of schedules; `moved`: of those that are kept, packets between routers go
 * otherwise. */
struct judge_kept_counts {
    unsigned kept, moved, refused;
};

/* -- Schedules from hops ----------------------------------------------------------------------- */

struct judge_kept_hops {
    struct rule_reference_hop *hop;
    size_t count;
};

struct judge_kept_hops judge_kept_hops_of(const struct schedule *schedule);

/* The schedule of these hops, which become sorted, for the demands of another one. */
void judge_kept_schedule(const struct schedule *like, struct rule_reference_hop hop[], size_t count,
                         struct schedule *schedule);

/* -- Leaves that send as they like ------------------------------------------------------------- */

/* What the rule makes of such sends. At most 16 leaves. */
void judge_kept_draw(const struct topology *tree, enum model model, struct rng *rng,
                     struct schedule *schedule);

/* -- Judges ------------------------------------------------------------------------------------ */

/* All three of a legal schedule. Is it kept? */
bool judge_kept(const struct schedule *schedule, struct judge_kept_counts *counts);

#endif
