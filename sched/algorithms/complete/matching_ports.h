/* SPDX-License-Identifier: Apache-2.0 */
/* matching_ports: the matching algorithm for nodes of k ports, m/k + log n / log (k+1) rounds.
 *
 * The ports of all nodes are divided among streams that do not meet; a stream of p ports has roles
 * of its own (ports_roles.h) and in T rounds brings p (T - L_p) + 1 packets to all nodes, where L_p
 * is ⌈log n / log (p+1)⌉. One stream of all ports is best where it exists, for n ≥ 3k. Else
 *
 *     k ≥ n - 1      streams of n - 1 ports each, which take two rounds for a batch, and the rest
 *     n < 3k         as few equal streams as have roles
 *
 * Packets before the first batch are empty. Packets after a stream's last one are its last one
 * again, if m is known, and are not sent to nodes that have it. If it is not known (`stream` of
 * struct collective), they are empty, and the batches take the packets by turns, so that what
 * happens to a packet does not depend on m.
 *
 * Sources: ports_roles.h.
 */
#ifndef ROUNDCAST_MATCHING_PORTS_H
#define ROUNDCAST_MATCHING_PORTS_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns the end of a broadcast in the model send-receive. O(k log m). */
uint64_t matching_ports_end(const struct collective *collective);

/* Appends its rounds. E104. O(transfers + n log n). */
bool matching_ports_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err);

#endif
