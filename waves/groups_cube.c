/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/groups.h"

#include <inttypes.h>

/* Writes the arcs of a dimension: for each node the packet that arrives over it. */
static void put_dimension(const struct layout *layout, unsigned dimension)
{
    const struct topology *cube = &layout->save->machine->topology;
    layout_begin(layout, dimension == 1, "dimension %u", dimension);
    layout_row(layout, layout_find(layout, NAMES_WAVE_ROW, 0));
    uint32_t listed = layout_list(layout, "nodes", cube->nodes);
    for (uint32_t node = 0; node < listed; node++) {
        uint32_t from = topology_across(node, dimension);
        char label[32];
        snprintf(label, sizeof label, "%" PRIu32 " to %" PRIu32, from, node);
        groups_put_receives(layout, label, wiring_endpoint(cube, node, from, 0));
    }
    layout_end(layout, dimension == 1, "dimension %u", dimension);
}

void groups_cube(const struct layout *layout)
{
    layout_begin(layout, true, "the hypercube, dimension by dimension");
    for (unsigned dimension = 1; dimension <= layout->save->machine->topology.dimensions;
         dimension++)
        put_dimension(layout, dimension);
    layout_end(layout, true, "the hypercube, dimension by dimension");
}
