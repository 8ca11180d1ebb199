/* SPDX-License-Identifier: Apache-2.0 */
/* cube_auto: what the nodes of a self-timed hypercube do, as a schedule: cube-broadcast, and no
 * other. */
#ifndef ROUNDCAST_CUBE_AUTO_H
#define ROUNDCAST_CUBE_AUTO_H

#include "sched/schedule/schedule.h"

/* Is the schedule, which may have been read from a file, the one that such nodes keep: that of
 * cube-broadcast for the sources of its packets, transfer for transfer? E208 naming the first step
 * that is not, E104. O(that of building it). */
bool cube_auto_check(const struct schedule *schedule, struct err *err);

#endif
