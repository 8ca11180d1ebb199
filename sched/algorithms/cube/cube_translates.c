/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_translates.h"

#include "sched/base/bits.h"

#include <stdlib.h>

uint64_t cube_translates_rounds(unsigned d)
{
    return bits_divide_up((UINT64_C(1) << d) - 1, d);
}

/* Returns the number of different rotations of a word if the word is the least of them; otherwise
 * 0. O(d). */
static unsigned class_size(uint32_t word, unsigned d)
{
    unsigned size = 1;
    for (; size < d; size++) {
        uint32_t rotated = cube_rotate(word, size, d);
        if (rotated == word)
            return size;
        if (rotated < word)
            return 0;
    }
    return size;
}

/* Lists the nodes that the arcs of the tree of node 0 reach, in order of the arcs. O(d 2^d). */
static void list_reached(unsigned d, uint32_t reached[])
{
    uint32_t arc = 0, nodes = UINT32_C(1) << d;
    for (int ones = 1; ones <= (int)d; ones++)
        for (uint32_t least = 1; least < nodes; least += 2) {
            unsigned size = __builtin_popcount(least) == ones ? class_size(least, d) : 0;
            for (unsigned k = 0; k < size; k++, arc++)
                reached[arc] = cube_rotate(least, arc % d, d);
        }
}

/* Writes the transfers over one arc in the trees of all packets. Returns one past the last
 * transfer. */
static struct transfer *put_arc(struct transfer *to, uint32_t reached, unsigned dimension,
                                const struct cube_start start[], uint32_t count)
{
    uint32_t from = topology_across(reached, dimension);
    for (uint32_t which = 0; which < count; which++) {
        uint32_t node = start[which].node;
        *to++ = (struct transfer){node ^ from, node ^ reached, start[which].packet};
    }
    return to;
}

bool cube_translates_build(const struct cube_start start[], uint32_t count, uint64_t after,
                           struct schedule *schedule, struct err *err)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t nodes = schedule->nodes, arc = 0;
    uint64_t rounds = cube_translates_rounds(d);
    uint32_t *reached = malloc(nodes * sizeof *reached);
    bool built = reached != NULL || err_no_memory(err, "the tree of %u nodes", nodes);
    if (built)
        list_reached(d, reached);
    for (uint64_t round = 1; built && round <= rounds; round++) {
        struct transfer *first =
                            schedule_open_step(schedule, after + round, (size_t)d * count, err),
                        *to = first;
        built = first != NULL;
        for (unsigned dimension = 1; built && dimension <= d && arc < nodes - 1; dimension++)
            to = put_arc(to, reached[arc++], dimension, start, count);
        if (built)
            schedule_close_step(schedule, (size_t)(to - first));
    }
    free(reached);
    return built;
}

/* -- Rotations --------------------------------------------------------------------------------- */

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
