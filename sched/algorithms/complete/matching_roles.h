/* SPDX-License-Identifier: Apache-2.0 */
/* matching_roles: the roles of the nodes in the matching algorithm (explained in matching.c).
 *
 * E is the even number of roles including the source's, E = 2^k + 2ℓ with 0 ≤ ℓ < 2^{k-1}. The
 * other E - 1 roles are positions, set after set:
 *
 *     ℓ = 0    T_0 … T_{k-1}
 *     ℓ > 0    T_0 … T_{j-1}  X  T_j … T_{k-1}  Z  Y          2^{j-1} ≤ ℓ < 2^j
 *
 * A group is a run of positions that are mated with a run of T_{k-1}, Y or Z, in the same way in
 * every round. All groups together mate every position except that of r, the first of T_{k-1}.
 *
 * Bar-Noy, Kipnis and Schieber, sections 3 (ℓ = 0) and 4.
 */
#ifndef ROUNDCAST_MATCHING_ROLES_H
#define ROUNDCAST_MATCHING_ROLES_H

#include "sched/base/compare.h"

#include <stdint.h>

#define MATCHING_MAX_GROUPS 40 /* T_0 … T_{k-2}, one of them split, and X split: k + 2 at most */

struct matching_group {
    uint32_t first, mates, count; /* positions first + a and mates + a meet */
    uint32_t age;                 /* a member sends its mate M_{t-age} */
    uint32_t next, mates_next;    /* the positions of both in the next round */
};

struct matching_roles {
    uint32_t count;      /* E - 1 */
    uint32_t taker;      /* the position of r; T_{k-1} begins with it */
    uint32_t stay;       /* start of Z and Y, whose members keep their roles; `count` for ℓ = 0 */
    uint32_t common_age; /* every mate sends M_{t-common_age} */
    unsigned group_count;
    struct matching_group group[MATCHING_MAX_GROUPS];
};

/* Fills the roles for E = `even`, E ≥ 2. The r of a round has position 0 in the next round. O(log
 * E). */
void matching_roles(uint32_t even, struct matching_roles *roles);

/* Returns the packet that M_{t-age} stands for in round t: 0 if there is none, `last` = m if
 * M_{t-age} comes after the last packet. */
static inline uint32_t matching_packet(uint64_t t, uint32_t age, uint32_t last)
{
    if (t <= age)
        return 0;
    return (uint32_t)MIN(t - age, last);
}

#endif
