/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/matching_roles.h"
#include "sched/base/bits.h"

/* Adds the group of `count` roles at `first`; its mates are the next of T_{k-1}. */
static void add_group(struct matching_roles *roles, uint32_t first, uint32_t count, uint32_t age,
                      uint32_t next, uint32_t mates, uint32_t mates_next)
{
    if (count > 0)
        roles->group[roles->group_count++] =
            (struct matching_group){first, mates, count, age, next, mates_next};
}

/* T_low … T_{high-1} become T_{low+1} … T_{high}. Positions: `at[i]` is where T_i starts. Returns
 * the first position of T_{k-1} that is not mated yet. */
static uint32_t add_trees(struct matching_roles *roles, const uint32_t at[], unsigned low,
                          unsigned high, unsigned later, uint32_t mates)
{
    for (unsigned i = low; i < high; i++) {
        uint32_t size = UINT32_C(1) << i;
        add_group(roles, at[i], size, i + 1 + later, at[i + 1], mates, at[i + 1] + size);
        mates += size;
    }
    return mates;
}

/* E = 2^k: only the sets T_i. */
static void roles_of_power(struct matching_roles *roles, unsigned k)
{
    uint32_t at[32];
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
    uint32_t at[32], x = 2 * half - 1; /* where X starts, after T_{j-1} */
    for (unsigned i = 0; i < k; i++)
        at[i] = (UINT32_C(1) << i) - 1 + (i >= j ? l : 0);
    uint32_t y_size = 2 * half - l, z_size = 2 * l - 2 * half;
    uint32_t z = at[k - 1] + (UINT32_C(1) << (k - 1)), y = z + z_size;
    roles->taker = at[k - 1];
    roles->stay = z;
    roles->common_age = k + 1;

    uint32_t split = l - half; /* the size of T' */
    uint32_t mates = add_trees(roles, at, 0, j - 1, 0, roles->taker + 1);
    add_group(roles, at[j - 1], split, j, x, mates, x + half);
    mates += split;
    add_group(roles, at[j - 1] + split, y_size, j, x + split, y, y);
    add_group(roles, x, y_size, j + 1, at[j], mates, at[j] + l);
    mates += y_size;
    add_group(roles, x + y_size, z_size, j + 1, at[j] + y_size, z, z);
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
