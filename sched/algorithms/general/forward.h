/* SPDX-License-Identifier: Apache-2.0 */
/* forward: a schedule of any demands in a tree or hypercube, round by round.
 *
 * Packets follow their ways (demand_ways.h). Packets that wait at a port leave it in the order of
 * the work that remains for them: the packet with the most remaining work first; equals in the
 * order of the demands.
 */
#ifndef ROUNDCAST_FORWARD_H
#define ROUNDCAST_FORWARD_H

#include "sched/algorithms/general/list.h"
#include "sched/base/rng.h"
#include "sched/schedule/demand_ways.h"

/* Working memory for ways, which must stay; opaque. */
struct forward;

/* E104. */
struct forward *forward_new(const struct demand_ways *ways, struct err *err);
void forward_free(struct forward *forward);

/* Finds a schedule that ends before `limit`; up to `noise` rounds are added at random to the
 * remaining work of a packet. The sends, one for each way, are at forward_sends until the next
 * call. Returns the end, or UINT64_MAX if it would not be before the limit. O(ways · log ways +
 * ports · rounds). */
uint64_t forward_find(struct forward *forward, uint32_t noise, struct rng *rng, uint64_t limit);
const struct list_send *forward_sends(const struct forward *forward, size_t *count);

#endif
