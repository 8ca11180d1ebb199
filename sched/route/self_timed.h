/* SPDX-License-Identifier: Apache-2.0 */
/* self_timed: does a machine do what a schedule says? One that follows tables does; routers that
 * are self-timed find their own way, and only some schedules say which. */
#ifndef ROUNDCAST_SELF_TIMED_H
#define ROUNDCAST_SELF_TIMED_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* E208 for what self-timed routers do not do (fat_tree_auto.h, cube_auto.h), E104. O(transfers ·
 * log of a round's). */
bool self_timed_check(const struct schedule *schedule, const struct machine *machine,
                      struct err *err);

#endif
