/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/telegraph_steady.h"

#include <stddef.h>

static const struct telegraph_steady STEADY[] = {
    {2, 0, 0}, {10, 1, 0}, {12, 1, 2}, {18, 1, 0}, {20, 2, 4}, {22, 2, 4}, {24, 2, 0},
};
#define STEADY_COUNT (sizeof STEADY / sizeof *STEADY)

const struct telegraph_steady *telegraph_steady_find(uint32_t n, uint32_t m)
{
    for (size_t which = 0; which < STEADY_COUNT && m > TELEGRAPH_STEADY_ABOVE; which++)
        if (STEADY[which].n == n)
            return &STEADY[which];
    return NULL;
}

uint64_t telegraph_steady_packets(const struct telegraph_steady *steady, uint64_t round)
{
    uint64_t n = steady->n, ahead = round + steady->lead;
    return (ahead * (n / 2) + n - 2) / (n - 1);
}
