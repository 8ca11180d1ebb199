/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/endpoint.h"

#include "sched/machine/machine_address.h"

#include <string.h>

static void header_slot(struct endpoint *e, const uint32_t *lane)
{
    uint32_t *recv = csim_write(&e->recv);
    const uint32_t *before = csim_read(&e->recv);
    for (uint32_t node = 0; node < e->nodes; node++) {
        bool arrives = lane[node] & e->valid;
        uint32_t slot = ports_low(arrives ? lane[node] : before[node], e->machine.log2_packets);
        recv[node] = (arrives ? MACHINE_VALID : 0) | slot;
        e->rx.mark[node] = lane[node] & e->valid;
        e->rx.at[node] = arrives ? (slot * e->nodes + node) << e->machine.log2_flits : e->trash;
    }
}

/* Marks a misrouted packet as not expected from this flit on. Its first flit, which is in the
 * block, is stored in the memory. */
static void header_destination(struct endpoint *e, const uint32_t *lane)
{
    uint32_t multicast = e->valid >> 1, each = machine_node_endpoints(&e->machine);
    for (uint32_t node = 0; node < e->nodes; node++) {
        uint32_t to = ports_low(lane[node], machine_node_bits(&e->machine));
        bool mine = lane[node] & multicast || to == node - node % each;
        if (mine || e->rx.mark[node] == 0)
            continue;
        e->memory[e->rx.at[node]] = e->rx.words[node];
        e->rx.at[node] = e->trash;
        e->rx.mark[node] = 0;
    }
}

void endpoint_header(struct endpoint *e, uint32_t flit)
{
    if (flit == 0)
        header_slot(e, csim_read(&e->lane_i));
    if (flit == 1 && e->headers == 2)
        header_destination(e, csim_read(&e->lane_i));
}

void endpoint_header_clear(struct endpoint *e)
{
    memset(csim_write(&e->recv), 0, e->nodes * sizeof(uint32_t));
}

/* -- Packets that the node selects ------------------------------------------------------------- */

bool endpoint_list(struct endpoint *e)
{
    const uint32_t *list = csim_read(&e->list_i);
    uint32_t *send = csim_write(&e->send);
    for (uint32_t node = 0; node < e->nodes; node++) {
        uint32_t row = ports_low(list[node], e->machine.log2_rows);
        uint32_t slot = ports_low(list[node], e->machine.log2_packets);
        if (!(list[node] & MACHINE_VALID))
            send[node] = 0;
        else if (list[node] & ENDPOINT_LIST_DIRECT)
            send[node] = MACHINE_VALID | slot;
        else
            send[node] = e->send_program[(size_t)row * e->padded + node];
    }
    return block_aim(e->tx.at, e->tx.mark, send, endpoint_memory(e), e->no_packet, e->valid) &
           MACHINE_VALID;
}

void endpoint_list_write(struct endpoint *e, uint32_t begin, uint32_t end)
{
    uint32_t length = csim_get(&e->host_data_i) & MACHINE_VALID ? csim_get(&e->host_row_i) + 1 : 0;
    const uint32_t *now = csim_read(&e->count_o);
    uint32_t *next = csim_write(&e->count_o);
    for (uint32_t node = 0; node < e->nodes; node++)
        next[node] =
            node >= begin && node < end ? ports_low(length, e->machine.log2_packets) : now[node];
}
