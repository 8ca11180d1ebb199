/* SPDX-License-Identifier: Apache-2.0 */
/* self_timed: what machines without tables do by themselves, and whether a schedule describes
 * it. */
#ifndef ROUNDCAST_SELF_TIMED_H
#define ROUNDCAST_SELF_TIMED_H

#include "sched/schedule/schedule.h"

/* --- Fat trees ---------------------------------------------------------------------------- */

/* What the self-timed routers of a fat tree do with what its leaves send
 * (rtl/routers/rc_router_auto.sv).
 *
 *     queue   A packet that has come is queued for each branch that it is for: for all but its own
 *             if it is for all leaves, else for the one towards its leaf. What comes in one step is
 *             queued by child, then the parent's, by lane. With one port, packets for one leaf each
 *             that go down wait in the queue of child 0.
 *     serve   In the next step each branch sends its oldest packets, one on each lane, the oldest
 *             on lane 0. With one port the router sends one packet: that for the parent, else the
 *             next child's that has one, in turn.
 */

/* Does every leaf get every packet in the round in which a schedule, which may have been read from
 * a file, has it? Between routers packets may go otherwise, which nobody sees. E208 naming the
 * first round that differs, router, packet and what was expected; or a packet for several leaves
 * but not for all, or one that leaves send more than once; E104. O(transfers · (log of a round's +
 * h)), memory O(transfers + packets + nodes). */
bool fat_tree_auto_check(const struct schedule *asked, struct err *err);

/* The same, and what leaves and routers do as a schedule. Free it with schedule_free. */
bool fat_tree_auto_build(const struct schedule *asked, struct schedule *kept, struct err *err);

/* --- Hypercubes --------------------------------------------------------------------------- */

/* What the nodes of a self-timed hypercube do, as a schedule: cube-broadcast, and no
 * other. */

/* Is the schedule, which may have been read from a file, the one that such nodes keep: that of
 * cube-broadcast for the sources of its packets, transfer for transfer? E208 naming the first step
 * that is not, E104. O(that of building it). */
bool cube_auto_check(const struct schedule *schedule, struct err *err);

#endif
