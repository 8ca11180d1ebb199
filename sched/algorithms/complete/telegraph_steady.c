/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/telegraph_steady.h"

#include <stddef.h>

static const struct telegraph_steady STEADY[] = {
    {2, 0, 0},  {3, 0, 0},  {5, 0, 0},  {6, 4, 10}, {7, 1, 0},  {8, 2, 2},  {9, 0, 0},  {10, 1, 0},
    {11, 1, 0}, {12, 1, 2}, {13, 1, 0}, {14, 1, 0}, {15, 1, 0}, {16, 1, 0}, {17, 0, 0}, {18, 1, 0},
    {19, 1, 0}, {20, 2, 4}, {21, 1, 0}, {22, 2, 4}, {23, 1, 0}, {24, 2, 0}, {25, 1, 0}, {27, 2, 0},
    {29, 2, 0}, {31, 2, 0}, {33, 0, 0}, {35, 1, 0}, {37, 1, 0}, {39, 1, 0}, {41, 1, 0}, {43, 1, 0},
    {45, 3, 0}, {47, 2, 0}, {49, 2, 0}, {51, 3, 0}, {55, 1, 0}, {57, 1, 0}, {59, 6, 2}, {65, 1, 0},
    {67, 1, 0}, {69, 1, 0}, {71, 1, 0}, {73, 1, 0}, {75, 1, 0}, {77, 1, 0}, {97, 1, 0}, {105, 1, 0},
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
    return n % 2 != 0 ? (ahead + 1) / 2 : (ahead * (n / 2) + n - 2) / (n - 1);
}
