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

/* Counts the settings of a schedule. Precondition: a complete graph. E104. O(transfers). */
bool schedule_settings(const struct schedule *schedule, uint64_t *settings, struct err *err);

/* Counts the settings of a network up to and including each row, in setting_changes[schedule->end].
 * In a blocking network a setting lasts until the network blocks its circuits together with those
 * of the round; in a network that copies, until a sender has other receivers, which would get
 * copies, or a receiver another sender. Rounds without transfers keep the setting. Precondition:
 * rounds, of a complete graph, that the network passes one by one. E104. O(rows + transfers ·
 * levels). */
bool schedule_setting_changes(const struct schedule *schedule, const struct multistage *net,
                              uint32_t setting_changes[], struct err *err);

#endif
