/* SPDX-License-Identifier: Apache-2.0 */
/* benes_idle: carries a bit per lane, "a circuit is here", through all stages, 64 lanes a step. */
#include "sched/network/benes_idle.h"

#include "sched/network/benes_bits.h"
#include "sched/network/benes_topology.h"
#include "sched/shape/multistage.h"

#include <string.h>

void benes_idle_mark(unsigned log2_ports, const uint32_t to[], uint64_t live[])
{
    uint32_t ports = UINT32_C(1) << log2_ports;
    memset(live, 0, benes_row_words(log2_ports) * sizeof live[0]);
    for (uint32_t first = 0; first < ports; first += 32) {
        uint8_t sends[32] = {0};
        uint32_t count = ports - first < 32 ? ports - first : 32;
        for (uint32_t port = 0; port < count; port++)
            sends[port] = to[first + port] != MULTISTAGE_IDLE;
        live[first / 64] |= (uint64_t)benes_bits_pack(sends) << first % 64;
    }
}

/* A stage whose switches pair lanes of one word. */
static void straighten_within(unsigned bit, uint32_t words, uint64_t live[], uint32_t row[])
{
    for (uint32_t word = 0; word < words; word++) {
        uint64_t low = live[word] & benes_bits_low(bit),
                 high = live[word] >> (1 << bit) & benes_bits_low(bit);
        uint64_t crossed = benes_bits_spread(row[word], bit) & (low | high);
        row[word] = benes_bits_close(crossed, bit);
        live[word] = benes_bits_exchange(live[word], crossed, bit);
    }
}

/* A stage whose switches pair lanes of two words. */
static void straighten_between(unsigned bit, uint32_t words, uint64_t live[], uint32_t row[])
{
    uint32_t apart = UINT32_C(1) << (bit - 6);
    for (uint32_t base = 0; base < words; base += 2 * apart) {
        for (uint32_t low = base; low < base + apart; low++, row += 2) {
            uint64_t either = live[low] | live[low + apart];
            row[0] &= (uint32_t)either;
            row[1] &= (uint32_t)(either >> 32);
            uint64_t crossed = row[0] | (uint64_t)row[1] << 32;
            benes_bits_exchange_words(&live[low], &live[low + apart], crossed);
        }
    }
}

void benes_idle_straighten(unsigned log2_ports, uint64_t live[], uint32_t *row)
{
    uint32_t words = benes_row_words(log2_ports);
    for (unsigned stage = 0; stage < benes_stages(log2_ports); stage++, row += words) {
        unsigned bit = benes_bit(log2_ports, stage);
        if (bit < 6)
            straighten_within(bit, words, live, row);
        else
            straighten_between(bit, words, live, row);
    }
}
