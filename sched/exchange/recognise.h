/* SPDX-License-Identifier: Apache-2.0 */
/* recognise: the collective that a schedule performs. */
#ifndef ROUNDCAST_RECOGNISE_H
#define ROUNDCAST_RECOGNISE_H

#include "sched/schedule/schedule.h"

#define RECOGNISE_TEXT 96

/* Writes the collective, as "all-gather of 1 packet of each node"; "demands of 8 packets" if it is
 * none. Returns text. O(demands). */
const char *recognise_text(const struct schedule *schedule, char text[RECOGNISE_TEXT]);

/* Checks that the demands are those of a collective on all nodes, with any number of packets and
 * any root; packets may be numbered otherwise. E104; E313, which names the first pair of nodes that
 * differs. O((demands + demands of the collective) · log). */
bool recognise_expected(const char *name, const struct schedule *schedule,
                        enum collective_kind expected, struct err *err);

/* Checks that a schedule has the topology, the model and the demands of another one; packets may be
 * numbered otherwise. E104; E208 for control packets; E313. O(demands · log demands · wanted). */
bool recognise_demands(const char *name, const struct schedule *schedule,
                       const struct schedule *demands, struct err *err);

#endif
