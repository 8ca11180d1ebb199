/* SPDX-License-Identifier: Apache-2.0 */
/* divided_steps: which reductions keep their partial results if a network passes the transfers of a
 * step in several parts, one after the other.
 *
 * In one step a node sends what it held before the step. In parts, it must not send a partial
 * result in a later part than the one in which it receives the packet. */
#ifndef ROUNDCAST_DIVIDED_STEPS_H
#define ROUNDCAST_DIVIDED_STEPS_H

#include "sched/schedule/schedule.h"

/* Returns the part of its step in which the network passes a transfer; parts follow one another in
 * the order of their numbers. */
typedef uint32_t divided_part(const void *context, const struct transfer *transfer);

struct divided_steps {
    const struct schedule *schedule;
    struct divided_receipt *receipt; /* [packet-1][node]  the last one; NULL without reductions */
};

/* Begins with the first step of a verified schedule, which must outlive it. E104. Close it. */
bool divided_steps_open(struct divided_steps *steps, const struct schedule *schedule,
                        struct err *err);

/* Checks a step; steps are checked in ascending order. E208 for a combined packet that a node sends
 * in a later part than it receives it; and for one that it receives twice in the step, if it
 * replaces its partial result or the reduction is ordered. O(transfers of the step · log demands).
 */
bool divided_steps_check(struct divided_steps *steps, size_t step, divided_part *part,
                         const void *context, struct err *err);

void divided_steps_close(struct divided_steps *steps);

#endif
