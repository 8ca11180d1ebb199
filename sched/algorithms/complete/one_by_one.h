/* SPDX-License-Identifier: Apache-2.0 */
/* one_by_one: a scatter or a gather, packet p in round p, or k packets in a round if nodes have k
 * ports.
 *
 *     n = 4, m = 1    scatter           gather
 *     round 1, 2, 3   0→1, 0→2, 0→3     1→0, 2→0, 3→0
 *
 * With one port a round has one transfer, which every model of a complete graph permits. The source
 * sends m(n - 1) packets, or receives them, k a round: no schedule is shorter.
 */
#ifndef ROUNDCAST_ONE_BY_ONE_H
#define ROUNDCAST_ONE_BY_ONE_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Checks that a schedule can hold all packets. E102. */
bool one_by_one_accepts(const struct collective *collective, struct err *err);

/* Returns true: a packet that is sent once keeps to a port. */
bool one_by_one_keeps_ports(const struct collective *collective);

/* Returns the end of a scatter or gather. */
uint64_t one_by_one_all(const struct collective *collective);

/* Appends the rounds of a scatter, or, if `gather`, of a gather. E104. O(transfers). */
bool one_by_one_build(const struct collective *collective, bool gather, struct schedule *schedule,
                      struct err *err);

#endif
