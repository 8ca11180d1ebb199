/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/route_tables.h"

#include "sched/route/route_needs.h"

#include <inttypes.h>
#include <stdlib.h>

static bool check_depth(const struct image *image, const struct schedule *schedule, struct err *err)
{
    struct route_needs needs;
    return route_needs_of(schedule, &needs, err) &&
           (image->machine.depth[1] >= needs.depth[1] ||
            err_set(
                err, ERR_BUFFER,
                "route: buffers of %" PRIu32
                " packets, in which others come over what is still to be sent; expected %" PRIu32
                " packets or more",
                image->machine.depth[1], needs.depth[1]));
}

/* The next row of a node's list, at all its endpoints. */
static bool append_own(struct image *image, uint32_t node, uint32_t row, uint32_t packet,
                       struct err *err)
{
    const struct machine *machine = &image->machine;
    uint32_t first = wiring_first_endpoint(&machine->topology, node),
             each = wiring_node_endpoints(&machine->topology);
    bool appended = true;
    for (uint32_t endpoint = first; appended && endpoint < first + each; endpoint++)
        appended =
            image_append(image, machine_program_address(machine, MACHINE_SEND, endpoint, row),
                         MACHINE_VALID | (packet - 1), err);
    return appended;
}

bool route_lists(struct image *image, const struct schedule *schedule, struct err *err)
{
    if (!check_depth(image, schedule, err))
        return false;
    uint32_t *length = calloc(schedule->nodes, sizeof *length);
    bool appended =
        length != NULL || err_no_memory(err, "the lists of %" PRIu32 " nodes", schedule->nodes);
    for (size_t d = 0; appended && d < schedule->demand_count && !schedule->demand[d].control;
         d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; appended && packet <= demand->last_packet;
             packet++)
            appended = append_own(image, demand->source, length[demand->source]++, packet, err);
    }
    free(length);
    return appended;
}
