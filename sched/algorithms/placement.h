/* SPDX-License-Identifier: Apache-2.0 */
/* placement: places the transfers of a schedule in a tree one after another, in their order. Each
 * is placed in the first round in which its sender has the packet and a lane of the branch (in the
 * single-port model also the sender) is free.
 *
 * Half-duplex lanes carry packets in one direction at a time. An algorithm schedules full-duplex
 * lanes; its transfers are then placed again. An all-gather in the tree 2, 2 with one lane per
 * branch, at the branch between 1:0 and 2:0:
 *
 *     full-duplex   round 2  up 1            half-duplex   round 2  up 1
 *                   round 3  up 2, down 3                  round 3  up 2
 *                   round 4  down 4                        round 4  down 3
 *                                                          round 5  down 4
 *
 * By induction a transfer of round t is placed in round 2t or before: all transfers of earlier
 * rounds are in rounds 1 … 2t - 2, and a lane has at most two transfers of round t, one each way.
 * So the schedule takes at most twice as long, as Dimakopoulos and Dimopoulos state ("Leaf
 * Communications in Complete Trees", section 1.1).
 *
 * Trees given by a parent list have no algorithm of their own for most collectives. There the order
 * of the transfers alone determines the schedule (tree_any.h).
 */
#ifndef ROUNDCAST_PLACEMENT_H
#define ROUNDCAST_PLACEMENT_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns whether the collective has one source or one destination. Its schedules then cross each
 * branch in one direction only, so that half-duplex lanes do not change them. */
bool placement_is_unidirectional(enum collective_kind kind);

/* Places all transfers again. Preconditions: a tree; each transfer follows the transfer that brings
 * its packet to its sender; no combined or control packets. E104. O(transfers), nearly; memory
 * O(branches · rounds + packets + nodes · packets wanted by several nodes). */
bool placement_run(struct schedule *schedule, struct err *err);

#endif
