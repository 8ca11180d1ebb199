/* SPDX-License-Identifier: Apache-2.0 */
/* self_timed: the behaviour of machines without tables, and the check that a schedule describes it.
 */
#ifndef ROUNDCAST_SELF_TIMED_H
#define ROUNDCAST_SELF_TIMED_H

#include "sched/schedule/schedule.h"

/* --- Fat trees ---------------------------------------------------------------------------- */

/* The rule of the self-timed routers of a fat tree (rtl/routers/rc_router_auto.sv).
 *
 *     queue   A packet that has arrived is queued for its branches: if it is for all leaves, for
 *             every branch but the one that it came from, else for the branch towards its leaf.
 *             Packets of one step are queued in the order of the children, then those of the
 *             parent, by lane. In the single-port model, packets for one leaf that move down wait
 *             in the queue of child 0.
 *     serve   In the next step each branch sends its oldest packets, one on each lane, the oldest
 *             on lane 0. In the single-port model the router sends one packet: the next one for its
 *             parent, else the next one of its children, in turn. */

/* Checks that every leaf receives every packet in the round in which the schedule has it; the
 * schedule may have been read from a file. Between routers packets may take other paths, which is
 * not observable. E208 for the first round that differs, with router, packet and what was expected;
 * for a packet for several leaves but not all; for a packet that leaves send more than once; E104.
 * O(transfers · (log of the transfers of a round + h)), memory O(transfers + packets + nodes). */
bool fat_tree_auto_check(const struct schedule *asked, struct err *err);

/* Checks a schedule like fat_tree_auto_check, and writes the transfers that leaves and routers make
 * to `kept`. Free it with schedule_free. */
bool fat_tree_auto_build(const struct schedule *asked, struct schedule *kept, struct err *err);

/* --- Hypercubes --------------------------------------------------------------------------- */

/* The rule of the nodes of a self-timed hypercube: they run the schedule cube-broadcast and no
 * other. */

/* Checks that the schedule, which may have been read from a file, is cube-broadcast for the sources
 * of its packets, transfer for transfer. E208 for the first step that differs, E104. O(cost of
 * building cube-broadcast). */
bool cube_auto_check(const struct schedule *schedule, struct err *err);

#endif
