/* SPDX-License-Identifier: Apache-2.0 */
/* compact: the earliest rounds, or times, for the transfers of a schedule.
 *
 * In the order of the schedule, each transfer gets the first round in which its sender has the
 * packet and the model permits it (rounds.h): its ports, calls, lanes and arcs. A node receives a
 * packet again no earlier than it first did. Combined packets keep the order of the receipts and
 * sends of each node, and a control packet leaves after the parts of its value. A schedule that
 * keeps the rules of the model ends no later than before, and compaction of its result changes
 * nothing.
 *
 *     round 2   0 → 1                 round 1   0 → 1
 *     round 5   0 → 2                 round 2   0 → 2, 1 → 3
 *     round 9   1 → 3
 */
#ifndef ROUNDCAST_COMPACT_H
#define ROUNDCAST_COMPACT_H

#include "sched/exchange/rounds.h"

/* Returns the rules of a schedule. Its topology is not copied. */
struct rounds_rules compact_rules_of(const struct schedule *schedule);

/* Replaces the rounds of a schedule by the earliest ones under these rules, which the schedule then
 * has. On an error it is unchanged. E103 for a model of another topology, and for several ports
 * that the model does not have; E104; E208 for nodes that share a memory, and for exchanges of
 * combined packets that the model does not permit; E211 for transfers that no link of the topology
 * joins; E302, as `name:line: …`, for a sender without the packet; E309 for a control packet before
 * its parts. O(transfers · rounds / 64 + nodes). */
bool compact_schedule(const char *name, const struct rounds_rules *rules, struct schedule *schedule,
                      struct err *err);

/* -- Packets that are combined (compact_combined.c) -------------------------------------------- */

/* Places the transfers of a schedule that combines packets; start[] are their times. *in_flight:
 * packets were sent while others of their number arrived, so that the end can be later than before.
 * E104; E208 as compact_schedule. */
bool compact_combined(const char *name, const struct schedule *schedule, const uint64_t start[],
                      struct rounds *rounds, bool *in_flight, struct err *err);

#endif
