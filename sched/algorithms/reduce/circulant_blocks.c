/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/reduce/circulant_blocks.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

struct blocks {
    uint32_t n;
    uint64_t each, rest; /* packets of a block; the first `rest` blocks have one more */
};

/* Returns packet number `which`, from 0, of a node's block; 0 if there is none. */
static uint32_t packet_of(const struct blocks *blocks, uint32_t node, uint64_t which)
{
    if (which >= blocks->each + (node < blocks->rest))
        return 0;
    return (uint32_t)(node * blocks->each + MIN(node, blocks->rest) + which + 1);
}

/* Appends a round: each node sends a packet of the block of the node `ahead` places ahead to the
 * node `skip` places ahead. */
static bool put_round(const struct blocks *blocks, uint32_t skip, uint32_t ahead, uint64_t which,
                      struct schedule *schedule, struct err *err)
{
    uint32_t n = blocks->n;
    size_t count = 0;
    struct transfer *transfer = schedule_open_step(schedule, schedule->end + 1, n, err);
    if (transfer == NULL)
        return false;
    for (uint32_t node = 0; node < n; node++) {
        uint32_t packet = packet_of(blocks, (node + ahead) % n, which);
        if (packet != 0)
            transfer[count++] = (struct transfer){node, (node + skip) % n, packet};
    }
    schedule_close_step(schedule, count);
    return true;
}

bool circulant_blocks_build(uint32_t n, uint64_t m, struct schedule *schedule, struct err *err)
{
    const struct blocks blocks = {n, m / n, m % n};
    uint64_t longest = bits_divide_up(m, n);
    for (uint32_t last = n, skip; last > 1; last = skip) {
        skip = last - last / 2;
        for (uint32_t ahead = skip; ahead < last; ahead++)
            for (uint64_t which = 0; which < longest; which++)
                if (!put_round(&blocks, skip, ahead, which, schedule, err))
                    return false;
    }
    return true;
}
