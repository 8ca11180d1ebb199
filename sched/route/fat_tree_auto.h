/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree_auto: what the self-timed routers of a fat tree do with what its leaves send
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
#ifndef ROUNDCAST_FAT_TREE_AUTO_H
#define ROUNDCAST_FAT_TREE_AUTO_H

#include "sched/schedule/schedule.h"

/* Does every leaf get every packet in the round in which a schedule, which may have been read from
 * a file, has it? Between routers packets may go otherwise, which nobody sees. E208 naming the
 * first round that differs, router, packet and what was expected; or a packet for several leaves
 * but not for all, or one that leaves send more than once; E104. O(transfers · (log of a round's +
 * h)), memory O(transfers + packets + nodes). */
bool fat_tree_auto_check(const struct schedule *asked, struct err *err);

/* The same, and what leaves and routers do as a schedule. Free it with schedule_free. */
bool fat_tree_auto_build(const struct schedule *asked, struct schedule *kept, struct err *err);

#endif
