/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/holdings.h"

#include <stdlib.h>
#include <string.h>

bool holdings_init(struct holdings *holdings, uint32_t nodes, uint32_t packets, struct err *err)
{
    size_t words = ((size_t)packets + 63) / 64;
    *holdings = (struct holdings){nodes, words, calloc(nodes * words, sizeof *holdings->row)};
    if (holdings->row == NULL)
        return err_no_memory(err, "a note which of %u nodes holds what", nodes);
    return true;
}

void holdings_clear(struct holdings *holdings)
{
    memset(holdings->row, 0, holdings->nodes * holdings->words * sizeof *holdings->row);
}

void holdings_free(struct holdings *holdings)
{
    free(holdings->row);
    *holdings = (struct holdings){0};
}

uint32_t holdings_oldest(const struct holdings *holdings, uint32_t from, uint32_t to)
{
    const uint64_t *held = holdings->row + from * holdings->words,
                   *lacks = holdings->row + to * holdings->words;
    for (size_t word = 0; word < holdings->words; word++) {
        uint64_t useful = held[word] & ~lacks[word];
        if (useful != 0)
            return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(useful) + 1;
    }
    return 0;
}

uint32_t holdings_newest(const struct holdings *holdings, uint32_t from, uint32_t to)
{
    return holdings_newest_until(holdings, from, to, (uint32_t)(holdings->words * 64));
}

uint32_t holdings_newest_until(const struct holdings *holdings, uint32_t from, uint32_t to,
                               uint32_t last)
{
    const uint64_t *held = holdings->row + from * holdings->words,
                   *lacks = holdings->row + to * holdings->words;
    for (size_t word = ((size_t)last + 63) / 64; word-- > 0;) {
        uint64_t useful = held[word] & ~lacks[word];
        if (useful != 0)
            return (uint32_t)(word * 64) + 64 - (uint32_t)__builtin_clzll(useful);
    }
    return 0;
}
