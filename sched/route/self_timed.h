/* SPDX-License-Identifier: Apache-2.0 */
/* self_timed: the behaviour of machines without tables, and whether a schedule describes it. */
#ifndef ROUNDCAST_SELF_TIMED_H
#define ROUNDCAST_SELF_TIMED_H

#include "sched/schedule/schedule.h"

/* --- Fat trees ---------------------------------------------------------------------------- */

/* The rule of the self-timed routers of a fat tree (rtl/routers/rc_router_auto.sv).
 *
 *     queue   A packet that has come is queued for each branch that it is for: for all branches
 *             but its own if it is for all leaves, else for the branch towards its leaf. Packets
 *             of one step are queued by child, then those of the parent, by lane. With one port,
 *             packets for one leaf that go down wait in the queue of child 0.
 *     serve   In the next step each branch sends its oldest packets, one on each lane, the oldest
 *             on lane 0. With one port the router sends one packet: that for the parent, else
 *             that of the next child that has one, in turn.
 */

/* Checks that every leaf gets every packet in the round that a schedule, which may have been read
 * from a file, has for it. Between routers packets may take other paths, which is not observable.
 * E208 for the first round that differs, with router, packet and what was expected; for a packet
 * for several leaves but not all; for a packet that leaves send more than once; E104. O(transfers ·
 * (log of the transfers of a round + h)), memory O(transfers + packets + nodes). */
bool fat_tree_auto_check(const struct schedule *asked, struct err *err);

/* Checks a schedule likewise, and writes the transfers of leaves and routers as a schedule. Free it
 * with schedule_free. */
bool fat_tree_auto_build(const struct schedule *asked, struct schedule *kept, struct err *err);

/* --- Hypercubes --------------------------------------------------------------------------- */

/* The rule of the nodes of a self-timed hypercube: the schedule cube-broadcast, and no other. */

/* Checks that the schedule, which may have been read from a file, is what such nodes do: that of
 * cube-broadcast for the sources of its packets, transfer for transfer. E208 for the first step
 * that differs, E104. O(cost of building it). */
bool cube_auto_check(const struct schedule *schedule, struct err *err);

#endif
