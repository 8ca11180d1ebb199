/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_held: follows the packets in memories that ports share (unpack.h). */
#include "sched/image/unpack.h"

#include "sched/base/compare.h"

bool unpack_held_new(const struct unpacked *unpacked, struct unpack_held *held, struct err *err)
{
    const struct machine *machine = &unpacked->machine;
    const uint32_t ports = machine_ports(machine), packets = UINT32_C(1) << machine->log2_packets;
    const size_t most = 2 * (size_t)unpacked->run.rows * ports; /* each sends and receives one */
    *held = (struct unpack_held){.shared = machine->shared, .ports = ports};
    return held->shared == 0 || held_init(&held->held, ports, packets, most, err);
}

bool unpack_held_sends(struct unpack_held *held, const struct circuit *circuit)
{
    if (held->shared == 0)
        return true;
    uint32_t first = circuit->source - circuit->source % held->shared;
    uint32_t end = MIN(first + held->shared, held->ports);
    bool starts = circuit->memory < end;
    if (starts && held_test(&held->held, circuit->memory, circuit->sent))
        return true;
    for (uint32_t port = first; port < end; port++)
        starts = starts && !held_test(&held->held, port, circuit->sent);
    if (starts)
        held_add(&held->held, circuit->memory, circuit->sent);
    return starts;
}

void unpack_held_receive(struct unpack_held *held, const struct circuit circuit[], uint32_t count)
{
    for (uint32_t k = 0; held->shared > 0 && k < count; k++)
        if (circuit[k].received > 0)
            held_add(&held->held, circuit[k].destination, circuit[k].received);
}

void unpack_held_free(struct unpack_held *held)
{
    held_free(&held->held);
}
