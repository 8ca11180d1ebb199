/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/packet_header.h"

#include "sched/machine/machine_address.h"
#include "sched/schedule/ranges.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_demand(const struct demand *demand, const struct machine *machine,
                         uint32_t *header)
{
    uint32_t to = demand->wanted_count == 1
                      ? wiring_first_endpoint(&machine->topology, demand->wanted[0])
                      : UINT32_C(1) << (machine->width - 1);
    for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
        header[(packet - 1) * 2] = packet - 1;
        header[(packet - 1) * 2 + 1] = to;
    }
}

static bool write_control(const struct schedule *schedule, struct payload *payload, struct err *err)
{
    payload->data = schedule_data_packets(schedule);
    free(payload->control);
    payload->control = NULL;
    if (payload->data == schedule->packets)
        return true;
    payload->control = calloc(schedule->packets - payload->data, sizeof *payload->control);
    if (payload->control == NULL)
        return err_no_memory(err, "the values of %" PRIu32 " packets", schedule->packets);
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet;
             demand->control != NULL && packet <= demand->last_packet; packet++)
            payload->control[packet - payload->data - 1] = demand->control->value;
    }
    return true;
}

/* Writes the range of each node, which the first flit of its packets holds. */
static bool write_ranges(const struct schedule *schedule, const struct machine *machine,
                         struct payload *payload, struct err *err)
{
    struct ranges ranges;
    free(payload->of_node);
    payload->of_node = NULL;
    if (!ranges_find(schedule, &ranges, err))
        return false;
    payload->of_node = calloc(schedule->nodes, sizeof *payload->of_node);
    for (uint32_t node = 0; payload->of_node != NULL && node < schedule->nodes; node++)
        payload->of_node[node] = machine_range_word(machine, node, ranges.last[node]);
    ranges_free(&ranges);
    return payload->of_node != NULL ||
           err_no_memory(err, "the ranges of %" PRIu32 " nodes", schedule->nodes);
}

bool packet_header_write(const struct schedule *schedule, const struct machine *machine,
                         struct payload *payload, struct err *err)
{
    if (!write_control(schedule, payload, err))
        return false;
    if (payload->header_flits == 0)
        return true;
    if (machine->ranges)
        return write_ranges(schedule, machine, payload, err);
    free(payload->header);
    payload->header =
        calloc((size_t)schedule->packets * payload->header_flits, sizeof *payload->header);
    if (payload->header == NULL)
        return err_no_memory(err, "the headers of %" PRIu32 " packets", schedule->packets);
    if (machine_is_autonomous(machine)) {
        for (uint32_t packet = 1; packet <= schedule->packets; packet++)
            payload->header[packet - 1] = machine_slot(machine, payload->data, packet);
        return true;
    }
    for (size_t d = 0; d < schedule->demand_count; d++)
        write_demand(&schedule->demand[d], machine, payload->header);
    return true;
}
