/* SPDX-License-Identifier: Apache-2.0 */
/* recognise: the collective that a schedule performs. */
#ifndef ROUNDCAST_RECOGNISE_H
#define ROUNDCAST_RECOGNISE_H

#include "sched/schedule/schedule.h"

#define RECOGNISE_TEXT 96

/* Writes the collective, as "all-gather of 1 packet of each node, in place"; "demands of 8 packets"
 * if it is none. Returns text. O(demands). */
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

/* Compares demands by all but the numbers of their packets, as a comparison for qsort. */
int recognise_order(const struct demand *a, const struct demand *b);

/* Numbers the packets as the collectives do, by source, then by receiver, from the root on, and
 * joins demands that are alike; so the collective is recognised. On an error the schedule is
 * unchanged. Preconditions: at least one demand, no control packets, and no demands with reserved
 * room. E104. O(packets + transfers + demands · log demands · wanted). */
bool renumber_packets(struct schedule *schedule, struct err *err);

#endif
