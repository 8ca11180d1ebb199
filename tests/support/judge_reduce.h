/* SPDX-License-Identifier: Apache-2.0 */
/* judge_reduce: a second judge of reductions, which shares nothing with sched/verify but the
 * schedule.
 *
 * It goes forward: each node has, for each packet, a table of how often the contribution of each
 * node is in what it has received. A transfer copies such a table, and its arrival adds it or puts
 * it in the place of another. sched/verify goes back from the results and has no tables.
 * O(transfers · nodes + packets · nodes²).
 */
#ifndef ROUNDCAST_JUDGE_REDUCE_H
#define ROUNDCAST_JUDGE_REDUCE_H

#include "sched/schedule/schedule.h"

struct judge_reduce {
    uint64_t not_held;       /* transfers whose sender has nothing to send */
    uint64_t first_not_held; /* when the first of them is sent; UINT64_MAX */
    uint64_t uncounted;      /* triples of packet, destination and contributor */
    uint64_t twice;
    bool unordered; /* some partial result of an ordered packet is not of neighbours */
};

struct judge_reduce judge_reduce(const struct schedule *schedule, bool idempotent);

#endif
