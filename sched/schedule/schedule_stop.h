/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_stop: the schedule of a stream that ends early. */
#ifndef ROUNDCAST_SCHEDULE_STOP_H
#define ROUNDCAST_SCHEDULE_STOP_H

#include "sched/schedule/schedule.h"

/* Makes the schedule of the first `packets` packets of a stream: its transfers of later packets are
 * omitted, and it is as many rounds shorter as it has fewer packets. Preconditions: a stream in one
 * demand; 1 ≤ packets ≤ stream->packets. E104. O(transfers). Free it with schedule_free. */
bool schedule_stop(const struct schedule *stream, uint32_t packets, struct schedule *stopped,
                   struct err *err);

#endif
