/* SPDX-License-Identifier: Apache-2.0 */
/* window_plan: the receipts of an all-reduce or scan of one packet in which all nodes do the same.
 *
 * At time t node r has the contributions of a window of w(t) nodes that begins at r: its own and,
 * stored separately, the v(t) = w(t) - 1 that it has received. k packets that were sent at t - λ
 * arrive at t over k ports. Each extends the window, by all contributions of the sender or by
 * those that the sender has received:
 *
 *     all         from node r + w, whose own contribution is the next one
 *     received    from node r + w - 1, whose own contribution node r has already
 *
 * so that v(t) = v(t-1) + k v(t-λ) + c with 0 ≤ c ≤ k, where c receipts are of the first kind. A
 * contribution that arrives s before the end counts F(s) times at the end, F(t) = F(t-1) + k
 * F(t-λ), and every number up to F(T) - 1 is a sum of these. A scan uses only the first kind.
 *
 * n = 5, λ = k = 1, F = 1 2 4 8, n - 1 = 4 = 1·4 + 0·2 + 0·1, windows 1, 2, 3, 5:
 *
 *     unit 0   all, 1 ahead         node 0 has 0 1
 *     unit 1   received, 1 ahead    node 0 has 0 1 2          node 1 has received 2
 *     unit 2   received, 2 ahead    node 0 has 0 1 2 3 4      node 2 has received 3 4
 *
 * A. Bar-Noy, S. Kipnis, B. Schieber, Parallel Processing Letters 3, 1993; A. Bar-Noy, J. Bruck,
 * C.-T. Ho, S. Kipnis, B. Schieber, "Computing global combine operations in the multiport postal
 * model", IEEE TPDS 6, 1995.
 */
#ifndef ROUNDCAST_WINDOW_PLAN_H
#define ROUNDCAST_WINDOW_PLAN_H

#include "sched/schedule/schedule.h"

#include <stddef.h>

struct window_receipt {
    uint32_t unit;      /* the round or unit of time, from 0, in which the packet is sent */
    uint32_t ahead;     /* the sender is this many nodes ahead */
    unsigned combining; /* 0, or COMBINING_RECEIVED */
};

struct window_plan {
    bool scan; /* nodes receive from lower nodes; false: cyclically, from nodes ahead */
    size_t count;
    struct window_receipt *receipt; /* ascending by unit */
};

/* Returns the number of rounds or units of time in which a packet is sent: min T: F(T) ≥ n, minus
 * ⌈λ⌉, plus 1; UINT64_MAX if there is no memory. Precondition: n ≥ 2. O(log n) in rounds, with λ as
 * numbers/postal.h. */
uint64_t window_units(const struct collective *collective);

/* Returns the end of a schedule of the packets of the collective, one after the other;
 * ALGORITHM_UNKNOWN if there is no memory. */
uint64_t window_end(const struct collective *collective);

/* Fills the plan of one packet among all nodes of the collective: an all-reduce, or of a scan if
 * `scan`. E104. O(units · ports · log n). */
bool window_plan_init(struct window_plan *plan, const struct collective *collective, bool scan,
                      struct err *err);

/* Appends the steps of a packet, which is first sent in round or unit `round`, from 0. E104.
 * O(receipts · nodes). */
bool window_put(const struct collective *collective, const struct window_plan *plan, uint64_t round,
                uint32_t packet, struct schedule *schedule, struct err *err);

/* Builds the schedule of all packets, one after the other. E104. O(transfers). */
bool window_build(const struct collective *collective, bool scan, struct schedule *schedule,
                  struct err *err);
void window_plan_free(struct window_plan *plan);

#endif
