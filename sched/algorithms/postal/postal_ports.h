/* SPDX-License-Identifier: Apache-2.0 */
/* postal_ports: m ≤ k packets over k ports per node in the postal model, each down a tree of its
 * own.
 *
 * Each packet uses p = ⌊k/m⌋ ports of every node. Every node that has it sends it to p new nodes in
 * every unit of time. n = 6, m = 1, k = 2, λ = 3/2:
 *
 *     time 0      0→1  0→2
 *     time 1      0→3  0→4
 *     time 3/2    1→5              arrives at 3
 *
 * A tree reaches F(t) = F(t - 1) + p F(t - λ) nodes by time t (numbers/postal.h), which is the
 * maximum: it is optimal for one packet, and m packets end no later than one packet over ⌊k/m⌋
 * ports.
 *
 * A. Bar-Noy, J. Bruck, C.-T. Ho, S. Kipnis, B. Schieber, Computing global combine operations in
 * the multiport postal model, IEEE TPDS 6, 1995.
 */
#ifndef ROUNDCAST_POSTAL_PORTS_H
#define ROUNDCAST_POSTAL_PORTS_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns the tick at which the last packet arrives; ALGORITHM_UNKNOWN if there is no memory.
 * Precondition: n ≥ 2, m ≤ ports. O(steps of F). */
uint64_t postal_ports_end(const struct collective *collective);

/* Appends the transfers. Precondition: as postal_ports_end. E104. O(transfers). */
bool postal_ports_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err);

#endif
