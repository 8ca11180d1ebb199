/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_settings: how often a switch that connects each sender to one receiver must change. */
#ifndef ROUNDCAST_SCHEDULE_SETTINGS_H
#define ROUNDCAST_SCHEDULE_SETTINGS_H

#include "sched/schedule/schedule.h"

/* The fewest settings in which the rounds can go, in their order: a setting lasts until a round
 * needs a circuit from a sender or to a receiver that has another one in the setting. A round may
 * use a part of it. The first one counts. Precondition: a complete graph. E104. O(transfers). */
bool schedule_settings(const struct schedule *schedule, uint64_t *settings, struct err *err);

#endif
