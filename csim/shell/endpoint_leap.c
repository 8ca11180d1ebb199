/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/endpoint.h"

#include "csim/shell/octet.h"

#include <string.h>

/* Computes from[node], the place of the packet that each node receives, and reached[node], whether
 * any node receives the packet of this node. Returns whether every node that expects a packet gets
 * one and no node receives what it sends. */
LOOKUPS_FOR_EVERY_CPU
static bool find_packets(const struct endpoint *e, const uint32_t *restrict source,
                         uint32_t *restrict from, uint32_t *restrict reached)
{
    const uint32_t *restrict at = e->tx.at, *restrict mark = e->tx.mark;
    const uint32_t *restrict rx_at = e->rx.at, *restrict rx_mark = e->rx.mark;
    uint32_t strange = 0;
    memset(reached, 0, (e->nodes + 1) * sizeof *reached);
    for (uint32_t node = 0, nodes = e->nodes; node < nodes; node++) {
        from[node] = at[source[node]];
        reached[source[node]] = 1;
        strange |= (mark[source[node]] ^ rx_mark[node]) | (at[node] == rx_at[node]);
    }
    return !strange;
}

/* Returns whether every node without a receiver holds what it sends. */
static bool unheard_hold(const struct endpoint *e, const uint32_t *reached, uint32_t flits)
{
    uint32_t lacking = 0;
    for (uint32_t node = 0; node < e->nodes; node++)
        for (uint32_t f = 0; e->tx.mark[node] != 0 && !reached[node] && f < flits; f++)
            lacking |= ~e->memory[e->tx.at[node] + f];
    return !(lacking & e->valid);
}

/* Moves the packets to the nodes that expect one. Returns whether all flits are held. If not, the
 * moved packets are early; they are not read, and are moved again. */
OCTET_FOR_EVERY_CPU
static bool move(struct endpoint *e, const uint32_t *restrict from, uint32_t flits)
{
    octet lacking = {0};
    uint32_t any = 0;
    for (uint32_t node = 0; node < e->nodes; node++) {
        const uint32_t *packet = e->memory + from[node];
        uint32_t *to = e->memory + e->rx.at[node], f = 0;
        if (e->rx.mark[node] == 0)
            continue;
        for (; f + 8 <= flits; f += 8) {
            octet words = *(const loose_octet *)(packet + f);
            lacking |= ~words;
            *(loose_octet *)(to + f) = words;
        }
        for (; f < flits; f++) {
            any |= ~packet[f];
            to[f] = packet[f];
        }
    }
    for (uint32_t k = 0; k < 8; k++)
        any |= lacking[k];
    return !(any & e->valid);
}

/* The time at which a row's receive program is read is not observable: it is used with the first
 * flit. */
bool endpoint_leap(struct endpoint *e, uint32_t row, uint32_t next, const uint32_t source[])
{
    const uint32_t flits = csim_get(&e->flits_i);
    if (e->machine.shared > 0 || e->any_flag || flits > UINT32_C(1) << e->machine.log2_flits)
        return false;
    uint32_t *from = e->rx.words, *recv = from + e->padded, *reached = recv + e->padded;
    endpoint_fetch(e, e->recv_program, row, &e->rx_phase, recv);
    block_aim(e->rx.at, e->rx.mark, recv, endpoint_memory(e), e->trash, e->valid);
    if (!find_packets(e, source, from, reached) || !unheard_hold(e, reached, flits) ||
        !move(e, from, flits))
        return false;
    memcpy(csim_write(&e->recv), recv, e->nodes * sizeof *recv);
    endpoint_observe_whole(e, recv);
    endpoint_fetch_send(e, next);
    endpoint_put(e, e->sending, 0);
    return true;
}
