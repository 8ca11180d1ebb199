/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/matching.h"
#include "sched/base/bits.h"

/* Adds a group unless it is empty. */
static void add_group(struct matching_roles *roles, struct matching_group group)
{
    if (group.count > 0)
        roles->group[roles->group_count++] = group;
}

/* Adds the groups by which T_low … T_{high-1} become T_{low+1} … T_{high}. T_i starts at position
 * at[i]. Returns the first position of T_{k-1} that is not mated yet. */
static uint32_t add_trees(struct matching_roles *roles, const uint32_t at[], unsigned low,
                          unsigned high, unsigned later, uint32_t mates)
{
    for (unsigned i = low; i < high; i++) {
        uint32_t size = UINT32_C(1) << i;
        add_group(roles, (struct matching_group){at[i], mates, size, i + 1 + later, at[i + 1],
                                                 at[i + 1] + size});
        mates += size;
    }
    return mates;
}

/* E = 2^k: only the sets T_i. */
static void roles_of_power(struct matching_roles *roles, unsigned k)
{
    uint32_t at[32] = {0};
    for (unsigned i = 0; i < k; i++)
        at[i] = (UINT32_C(1) << i) - 1;
    roles->taker = at[k - 1];
    roles->stay = roles->count;
    roles->common_age = k;
    add_trees(roles, at, 0, k - 1, 0, roles->taker + 1);
}

/* E = 2^k + 2ℓ with ℓ > 0. */
static void roles_between(struct matching_roles *roles, unsigned k, uint32_t l)
{
    unsigned j = bits_log2_down(l) + 1;
    uint32_t half = UINT32_C(1) << (j - 1);
    uint32_t at[32] = {0}, x = 2 * half - 1; /* where X starts, after T_{j-1} */
    for (unsigned i = 0; i < k; i++)
        at[i] = (UINT32_C(1) << i) - 1 + (i >= j ? l : 0);
    uint32_t y_size = 2 * half - l, z_size = 2 * l - 2 * half;
    uint32_t z = at[k - 1] + (UINT32_C(1) << (k - 1)), y = z + z_size;
    roles->taker = at[k - 1];
    roles->stay = z;
    roles->common_age = k + 1;

    uint32_t split = l - half; /* the size of T' */
    uint32_t mates = add_trees(roles, at, 0, j - 1, 0, roles->taker + 1);
    add_group(roles, (struct matching_group){at[j - 1], mates, split, j, x, x + half});
    mates += split;
    add_group(roles, (struct matching_group){at[j - 1] + split, y, y_size, j, x + split, y});
    add_group(roles, (struct matching_group){x, mates, y_size, j + 1, at[j], at[j] + l});
    mates += y_size;
    add_group(roles, (struct matching_group){x + y_size, z, z_size, j + 1, at[j] + y_size, z});
    add_trees(roles, at, j, k - 1, 1, mates);
}

void matching_roles(uint32_t even, struct matching_roles *roles)
{
    unsigned k = bits_log2_down(even);
    uint32_t l = (even - (UINT32_C(1) << k)) / 2;
    *roles = (struct matching_roles){.count = even - 1};
    if (l == 0)
        roles_of_power(roles, k);
    else
        roles_between(roles, k, l);
}
