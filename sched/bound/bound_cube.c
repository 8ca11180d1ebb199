/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_cube.h"

#include "sched/base/bits.h"

bool bound_cube_has_packets(const struct collective *collective)
{
    return collective_packets(collective) > 0;
}

uint64_t bound_cube_diameter(const struct collective *collective)
{
    return collective->topology->dimensions;
}

uint64_t bound_cube_receipts(const struct collective *collective)
{
    uint64_t nodes = collective->topology->nodes, arcs = nodes * collective->topology->dimensions;
    return bits_divide_up((nodes - 1) * collective_packets(collective), arcs);
}
