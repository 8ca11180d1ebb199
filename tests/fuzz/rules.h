/* SPDX-License-Identifier: Apache-2.0 */
/* rules: checks whether a schedule is legal, independently of sched/verify: it shares only the
 * schedule itself.
 *
 * It was written from the rules in model.h, and schedule.h for the counts of control packets. It
 * examines every pair of transfers and a table of first arrivals; verify reads the schedule once,
 * with stamps. tests/support/judge_reduce checks reductions. O(transfers² + nodes · packets).
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
    /* by code: whether the rule is violated; the earliest time of a transfer that violates it, for
     * rules with times */
    bool broken[RULES_COUNT];
    uint64_t first[RULES_COUNT];
    uint64_t arrivals, unmet; /* pairs of node and packet that arrive; pairs of the demands that do
                               * not */
};

/* Returns whether the schedule is small enough to be checked quickly. */
bool rules_can_judge(const struct schedule *schedule);

struct rules_verdict rules_judge(const struct schedule *schedule);

/* Returns a text that describes a disagreement between sched/verify and this judge on a schedule;
 * NULL: they agree. */
const char *rules_disagree(const struct schedule *schedule);

#endif
