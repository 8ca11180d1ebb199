/* SPDX-License-Identifier: Apache-2.0 */
/* matching_ports: the matching algorithm for nodes of k ports, m/k + log n / log (k+1) rounds.
 *
 * The ports of all nodes are divided among independent streams. A stream of p ports has roles of
 * its own (ports_roles.h) and delivers p (T - L_p) + 1 packets to all nodes in T rounds, where L_p
 * is ⌈log n / log (p+1)⌉. One stream of all ports is best where it exists, for nearly all n ≥ 3k.
 * Otherwise
 *
 *     k ≥ n - 1      streams of n - 1 ports each, which take two rounds for a batch, and
 *                    streams of the remaining ports
 *     n < 3k         as few equal streams as have roles
 *
 * Packets before the first batch are empty. If m is known, packets after a stream's last packet
 * stand for its last packet, and are not sent to nodes that have it. If m is not known (`stream` of
 * struct collective), they are empty, and the streams take the packets in turn, so that the
 * transfers of a packet do not depend on m.
 *
 * Sources: ports_roles.h.
 */
#ifndef ROUNDCAST_MATCHING_PORTS_H
#define ROUNDCAST_MATCHING_PORTS_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns the end of a broadcast in the send-receive model. O(k log m). */
uint64_t matching_ports_end(const struct collective *collective);

/* Appends the rounds of the broadcast. E104. O(transfers + n log n). */
bool matching_ports_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err);

#endif
