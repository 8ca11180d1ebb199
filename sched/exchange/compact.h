/* SPDX-License-Identifier: Apache-2.0 */
/* compact: the earliest rounds for the transfers of a schedule.
 *
 * In the order of the schedule, each transfer gets the first round in which its sender and its
 * receiver are free and its sender has the packet (rounds.h). Combined packets keep the order of
 * the receipts and sends of each node. A schedule that keeps the rules of the model gets at most as
 * many rounds as before. */
#ifndef ROUNDCAST_COMPACT_H
#define ROUNDCAST_COMPACT_H

#include "sched/schedule/schedule.h"

/* Replaces the rounds of a schedule, and its model; on an error it is unchanged. E103 for a model
 * under which no rounds are found; E104; E208 for a schedule of another topology, with several
 * ports a node, with times or control packets, or with exchanges of combined packets that the model
 * does not permit; E302, as `name:line: …`, for a sender without the packet. O(transfers · rounds /
 * 64 + nodes). */
bool compact_schedule(const char *name, enum model model, struct schedule *schedule,
                      struct err *err);

#endif
