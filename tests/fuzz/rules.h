/* SPDX-License-Identifier: Apache-2.0 */
/* rules: is a schedule legal? A second judge beside sched/verify, which it shares nothing with but
 * the schedule itself.
 *
 * It was written from the rules of the models as they are told (model.h, and schedule.h for what
 * control packets count), and looks at every pair of transfers and at one table of first arrivals;
 * verify goes through the schedule once, with stamps. Reductions are tests/support/judge_reduce's.
 * O(transfers² + nodes · packets).
 */
#ifndef ROUNDCAST_FUZZ_RULES_H
#define ROUNDCAST_FUZZ_RULES_H

#include "sched/schedule/schedule.h"

#define RULES_NEVER UINT64_MAX
/* E301 … E312 */
#define RULES_FIRST 301
#define RULES_COUNT 12

struct rules_verdict {
    bool legal;
    /* by code: whether it is broken; when the first that takes part is sent, of those of times */
    bool broken[RULES_COUNT];
    uint64_t first[RULES_COUNT];
    uint64_t arrivals, unmet; /* pairs of node and packet: that arrive; that should */
};

/* Small enough to be judged in no time? */
bool rules_can_judge(const struct schedule *schedule);

struct rules_verdict rules_judge(const struct schedule *schedule);

/* Where sched/verify and this judge disagree on a schedule; NULL: nowhere. */
const char *rules_disagree(const struct schedule *schedule);

#endif
