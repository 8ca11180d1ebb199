/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_node: packets that arrive are kept apart from what the host has written.
 *
 *     own      memory[packets][nodes][flits]: what the host has written
 *     arrived  the same, of what has arrived, with a bit that says whether it is the result, so
 *              that the node's own word does not count
 *
 * In a hypercube (rtl/shell/rc_node_memory.sv), `arrived` is the packet that arrived last over the
 * arc of each endpoint. The endpoints of a node are adjacent. Each of them sends, and the host
 * reads, the combination of its own word and the words that have arrived at all endpoints of its
 * node.
 *
 * In a multistage network (rtl/shell/rc_received_memory.sv), `arrived` is the combination of all
 * that the endpoint has received of the packet. The send program selects what is sent.
 */
#include "csim/shell/endpoint.h"

#include "sched/machine/machine_run.h"

#include <string.h>

bool endpoint_node_allocate(struct endpoint *e, struct csim_module *module)
{
    e->arrived = csim_alloc(module, e->memory_size);
    e->result = csim_alloc(module, e->memory_size / sizeof *e->memory);
    return e->arrived != NULL && e->result != NULL;
}

void endpoint_node_reset(struct endpoint *e)
{
    memset(e->arrived, 0, e->memory_size);
    memset(e->result, 0, e->memory_size / sizeof *e->memory);
}

/* Returns the place of the same flit at the first endpoint of the node. */
static uint32_t first_place(const struct endpoint *e, uint32_t node, uint32_t place)
{
    return place - (node % machine_node_endpoints(&e->machine) << e->machine.log2_flits);
}

/* Returns the word of a node of a hypercube; 0 if it is not held. */
static uint32_t combined_word(const struct endpoint *e, uint32_t node, uint32_t place)
{
    const uint32_t bits = e->valid - 1;
    const uint32_t first = first_place(e, node, place);
    uint32_t word = e->memory[place];
    for (uint32_t k = 0; k < machine_node_endpoints(&e->machine); k++) {
        const uint32_t at = first + (k << e->machine.log2_flits), arrived = e->arrived[at];
        if (e->result[at])
            return arrived & e->valid ? arrived : 0;
        if (arrived & e->valid)
            word = word & e->valid ? e->valid | endpoint_operate(e, word & bits, arrived & bits)
                                   : arrived;
    }
    return word & e->valid ? word : 0;
}

/* Returns the own word at a place, the received one, or both combined: held if both are. */
static uint32_t chosen_word(const struct endpoint *e, uint32_t place, bool received, bool combine)
{
    const uint32_t own = e->memory[place], arrived = e->arrived[place], bits = e->valid - 1;
    if (!received)
        return own;
    return combine ? (own & arrived & e->valid) | endpoint_operate(e, own & bits, arrived & bits)
                   : arrived;
}

uint32_t endpoint_node_word(const struct endpoint *e, uint32_t node, uint32_t place)
{
    return e->machine.keeps_own
               ? chosen_word(e, place, e->arrived[place] & e->valid, !e->result[place])
               : combined_word(e, node, place);
}

uint32_t endpoint_node_sent(const struct endpoint *e, uint32_t node, uint32_t place)
{
    const uint32_t send = csim_read(&e->send)[node];
    return e->machine.keeps_own
               ? chosen_word(e, place, send & MACHINE_RECEIVED, send & MACHINE_COMBINE)
               : combined_word(e, node, place);
}

bool endpoint_node_send(struct endpoint *e, uint32_t flit)
{
    uint32_t *lane = csim_write(&e->lane_o), lacking = 0;
    for (uint32_t node = 0; node < e->nodes; node++) {
        lane[node] = e->tx.mark[node] ? endpoint_node_sent(e, node, e->tx.at[node] + flit) : 0;
        lacking |= e->tx.mark[node] & ~lane[node];
    }
    return lacking;
}

void endpoint_node_store(struct endpoint *e, uint32_t flit)
{
    const uint32_t *lane = csim_read(&e->lane_i);
    for (uint32_t node = 0; node < e->nodes; node++) {
        const uint32_t place = e->rx.at[node] + flit;
        e->arrived[place] = lane[node];
        e->result[place] = !e->combining[node];
    }
}

void endpoint_node_clear(struct endpoint *e, uint32_t place)
{
    e->arrived[place] = 0;
    e->result[place] = 0;
}
