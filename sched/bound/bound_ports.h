/* SPDX-License-Identifier: Apache-2.0 */
/* bound_ports: lower bounds on broadcasts and reductions of nodes of k ports.
 *
 * After T rounds a packet that its source first sends in round t, to x nodes, is at (1 + x)
 * (k+1)^(T - t) nodes at most. With L = ⌈log n / log (k+1)⌉ and x = ⌈n / (k+1)^(L-1)⌉ - 1
 *
 *     rounds 1 … T - L     k new packets each, one port of the source for a packet
 *     round T - L + 1      ⌊k/x⌋ packets, of x ports each
 *     later                none: (k+1)^(L-1) < n
 *
 * so m ≤ k (T - L) + ⌊k/x⌋. n = 40, k = 2, L = 4, x = 1, m = 12: T = 9.
 *
 * For n = (k+1)^L this is ⌈(m-1)/k⌉ + L, which does not hold for all n: two packets reach 4 nodes
 * of 2 ports in 2 rounds, not 3.
 *
 * A. Bar-Noy, C.-T. Ho, Broadcasting multiple messages in the multiport model, IEEE TPDS 10, 1999;
 * A. Bar-Noy, J. Bruck, C.-T. Ho, S. Kipnis, B. Schieber, IEEE TPDS 6, 1995.
 */
#ifndef ROUNDCAST_BOUND_PORTS_H
#define ROUNDCAST_BOUND_PORTS_H

#include "sched/schedule/collective.h"

/* Return rounds. Precondition: n ≥ 2, ports ≥ 2. O(log n). */
uint64_t bound_ports_last_packet(const struct collective *collective);
uint64_t bound_ports_transfers(const struct collective *collective);
uint64_t bound_ports_one_packet(const struct collective *collective);
uint64_t bound_ports_both_ways(const struct collective *collective);
uint64_t bound_ports_calls(const struct collective *collective);

/* Return ticks; a lower bound without a table if there is no memory for it. Precondition: also λ ≥
 * 1. O(steps of F). */
uint64_t bound_ports_postal_last(const struct collective *collective);
uint64_t bound_ports_postal_one(const struct collective *collective);

#endif
