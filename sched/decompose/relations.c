/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/beam.h"

#include <stdbool.h>

#define BITS 4096 /* large enough that an absent value seldom shares a mark with a value */

struct values {
    unsigned count;
    uint32_t value[RELATIONS_MAX_ENTRIES];
    uint64_t mark[BITS / 64]; /* one bit per value; several values can share a bit */
};

static uint32_t place_of(uint64_t value)
{
    return (uint32_t)value * UINT32_C(0x9e3779b1) >> 20;
}

static bool has(const struct values *values, uint64_t value)
{
    uint32_t place = place_of(value);
    if ((values->mark[place / 64] >> place % 64 & 1) == 0)
        return false;
    for (unsigned k = 0; k < values->count; k++)
        if (values->value[k] == value)
            return true;
    return false;
}

struct relations relations_of(const uint32_t table[], size_t entries)
{
    struct values values = {0};
    struct relations relations = {0};
    for (size_t e = 0; e < entries; e++) {
        if (table[e] == 0 || has(&values, table[e]))
            continue;
        uint32_t place = place_of(table[e]);
        values.mark[place / 64] |= UINT64_C(1) << place % 64;
        values.value[values.count++] = table[e];
    }
    for (unsigned a = 0; a < values.count; a++)
        for (unsigned b = a; b < values.count; b++)
            relations.sums += has(&values, (uint64_t)values.value[a] + values.value[b]);
    relations.values = values.count;
    return relations;
}
