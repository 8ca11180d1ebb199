/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/endpoint_list.h"

#include "sched/machine/machine_address.h"

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
