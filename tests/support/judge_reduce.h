/* SPDX-License-Identifier: Apache-2.0 */
/* judge_reduce: a second judge of reductions, which shares only the schedule with sched/verify.
 *
 * It works forwards: for each node and packet, a table counts the contributions of each node in the
 * received value. A transfer copies such a table; its arrival adds or replaces the table of the
 * receiver. sched/verify works backwards from the results, without tables. O(transfers · nodes +
 * packets · nodes²).
 */
#ifndef ROUNDCAST_JUDGE_REDUCE_H
#define ROUNDCAST_JUDGE_REDUCE_H

#include "sched/schedule/schedule.h"

struct judge_reduce {
    uint64_t not_held;       /* transfers whose sender has nothing to send */
    uint64_t first_not_held; /* when the first of these is sent; UINT64_MAX: never */
    uint64_t uncounted;      /* triples of packet, destination and contributor */
    uint64_t twice;
    bool unordered; /* a partial result of an ordered packet combines nodes that are not
                     * consecutive */
};

struct judge_reduce judge_reduce(const struct schedule *schedule, bool idempotent);

#endif
