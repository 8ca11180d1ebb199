/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_settings: how often a switch that connects senders to receivers must change.
 *
 * The rounds go in their order through as few settings as there can be: a setting lasts until a
 * round needs a circuit from a sender or to a receiver that has another one in the setting. A round
 * may use a part of it. The first one counts.
 */
#ifndef ROUNDCAST_SCHEDULE_SETTINGS_H
#define ROUNDCAST_SCHEDULE_SETTINGS_H

#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

/* How many settings these are. Precondition: a complete graph. E104. O(transfers). */
bool schedule_settings(const struct schedule *schedule, uint64_t *settings, struct err *err);

/* setting_changes[schedule->end]: how many settings of a network there were up to each row, its own
 * included. Where the network blocks, a setting lasts until it blocks its circuits and the round's
 * together; where it copies, until a sender has other receivers, who would get copies, or a
 * receiver another sender. Rounds in which nothing is sent keep a setting. Precondition: rounds, of
 * a complete graph, that the network passes one by one. E104. O(rows + transfers · levels). */
bool schedule_setting_changes(const struct schedule *schedule, const struct multistage *net,
                              uint32_t setting_changes[], struct err *err);

#endif
