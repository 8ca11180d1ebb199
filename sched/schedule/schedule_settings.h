/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_settings: counts how often a switch that connects senders to receivers must change.
 *
 * The rounds use as few settings as possible in their order: a setting lasts until a round needs a
 * circuit from a sender or to a receiver that has a different circuit in the setting. A round may
 * use a part of the setting. The first setting counts. */
#ifndef ROUNDCAST_SCHEDULE_SETTINGS_H
#define ROUNDCAST_SCHEDULE_SETTINGS_H

#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

/* Counts the settings of a schedule. Precondition: a complete graph. E104. O(transfers). */
bool schedule_settings(const struct schedule *schedule, uint64_t *settings, struct err *err);

/* Counts the settings of a network up to and including each row, in setting_changes[schedule->end].
 * In a blocking network a setting lasts until the network blocks its circuits together with those
 * of the round. In a network that copies, it lasts until a sender has other receivers, which would
 * get copies, or a receiver has another sender. In a network that combines, a receiver may have
 * several senders. Rounds without transfers keep the setting.
 * Precondition: a schedule in rounds on a complete graph, each of which the network passes. E104.
 * O(rows + transfers · levels). */
bool schedule_setting_changes(const struct schedule *schedule, const struct multistage *net,
                              uint32_t setting_changes[], struct err *err);

#endif
