/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_rotation.h"

uint64_t cube_rotation_end(const struct collective *collective)
{
    return collective->topology->dimensions;
}

/* Writes step k of the packet of position r: the nodes that have it differ from its source in any
 * of the k - 1 dimensions crossed so far, which are consecutive from r on. Returns one past the
 * last transfer. */
static struct transfer *put_packet(struct transfer *to, const struct topology *cube,
                                   uint32_t source, uint32_t packet, uint32_t position,
                                   unsigned round)
{
    unsigned d = cube->dimensions, dimension = (position + round - 2) % d + 1;
    for (uint32_t which = 0; which < UINT32_C(1) << (round - 1); which++) {
        uint32_t holder = source ^ cube_rotate(which, (position - 1) % d, d);
        *to++ = (struct transfer){holder, topology_across(holder, dimension), packet};
    }
    return to;
}

bool cube_rotation_build(const struct collective *collective, uint64_t after,
                         enum cube_rotation_positions positions, struct schedule *schedule,
                         struct err *err)
{
    const struct topology *cube = collective->topology;
    size_t transfers = (size_t)collective->m * (cube->nodes - 1);
    if (!schedule_reserve(schedule, cube->dimensions, transfers, err))
        return false;
    for (unsigned round = 1; round <= cube->dimensions; round++) {
        size_t count = (size_t)collective->m << (round - 1);
        struct transfer *to = schedule_open_step(schedule, after + round, count, err);
        if (to == NULL)
            return false;
        for (uint32_t packet = 1; packet <= collective->m; packet++) {
            bool many = collective->sources != NULL;
            uint32_t source = many ? collective->sources[packet - 1] : collective->source;
            uint32_t position =
                positions == CUBE_POSITIONS_FALL ? collective->m + 1 - packet : packet;
            to = put_packet(to, cube, source, packet, position, round);
        }
        schedule_close_step(schedule, count);
    }
    return true;
}
