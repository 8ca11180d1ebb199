/* SPDX-License-Identifier: Apache-2.0 */
/* ports_roles: the roles of the nodes in the matching algorithm for nodes of k ports.
 *
 * The source sends k new packets in every round: packet c of batch t in round t, 1 ≤ c ≤ k. All n -
 * 1 other nodes have them L = ⌈log n / log (k+1)⌉ rounds later. At the start of round t
 *
 *     T_i^c    τ_i^c nodes, 0 ≤ i < L, hold packet c of batch t - i - 1 and no other packet of it;
 *              τ_0^c = 1
 *     relays   Y nodes hold nothing of the batches after t - L - 1. For each c the relays are
 *              divided by the age at which they receive packet c: y_i^c of them from T_{i-1}^c
 *
 * n = 9, k = 2, L = 2, no relays, and round t:
 *
 *     T_0^1    T_1^1    T_0^2    T_1^2        batch t      0→2: packet 1     0→6: packet 2
 *       1      2 3 4      5      6 7 8        batch t-1    1→3 1→4: 1        5→7 5→8: 2
 *                                             batch t-2    2 3 4 → 1 5 6 7 8: 1
 *                                                          6 7 8 → 1 2 3 4 5: 2
 *
 * The nodes of T_{L-1} send their packet to all nodes that lack it, and the relays help; each of
 * them is called to a place of the next round: T_i^c with the τ_{i+1}^c - τ_i^c nodes that it calls
 * becomes T_{i+1}^c. A node receives k packets in a round: nodes of T_i, i < L - 1, the k packets
 * of batch t - L; nodes of T_{L-1} the other packets of that batch and a new one. So sizes are
 * legal if
 *
 *     1 ≤ τ_i^c ≤ τ_{i+1}^c,  τ_{i+1}^c + y_{i+1}^c ≤ (k+1) τ_i^c        calls and relays of T_i^c
 *     Σ τ_i^c + Y = n - 1,  Σ max(0, n - 1 - Y - (k+1) τ_{L-1}^c) ≤ k Y   sends of T_{L-1}, relays
 *
 * Such sizes exist for n = k + 1 and for nearly all n ≥ 3k; for k ≤ 2 for all of them. The
 * exceptions are just below a power of k + 1, such as n = 15 for k = 3.
 *
 * Bounds and rate: A. Bar-Noy, C.-T. Ho, Broadcasting multiple messages in the multiport model,
 * IEEE TPDS 10, 1999, whose algorithm is within one round of the bound. The construction with
 * relays is ours, from Bar-Noy, Kipnis and Schieber, section 4.
 */
#ifndef ROUNDCAST_PORTS_ROLES_H
#define ROUNDCAST_PORTS_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#define PORTS_ROLES_MAX_STAGES 24 /* ⌈log2 SCHEDULE_MAX_NODES⌉ */

/* The sizes for one packet of a batch. */
struct ports_line {
    uint32_t size[PORTS_ROLES_MAX_STAGES];  /* τ_i^c */
    uint32_t relay[PORTS_ROLES_MAX_STAGES]; /* y_i^c; y_0^c = 0 */
};

struct ports_roles {
    uint32_t nodes, ports;
    unsigned stages; /* L */
    uint32_t relays; /* Y */
    /* Lines differ in two ways: packets 0 … longer - 1 of a batch have one more node before
     * T_{L-1}, and packets 0 … slack - 1 use one send less than permitted. */
    uint32_t longer, slack;
    struct ports_line line[4]; /* [2 · (c < longer) + (c < slack)] */
};

/* Returns ⌈log n / log (ports + 1)⌉, the number of rounds for one packet. Precondition: n ≥ 1.
 * O(log n). */
unsigned ports_rounds(uint32_t n, uint32_t ports);

/* Finds the sizes with the fewest relays. Returns false if there are none. At most O(n log n). */
bool ports_roles(uint32_t n, uint32_t ports, struct ports_roles *roles);

static inline const struct ports_line *ports_roles_line(const struct ports_roles *roles, uint32_t c)
{
    return &roles->line[2 * (c < roles->longer) + (c < roles->slack)];
}

#endif
