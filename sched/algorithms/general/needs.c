/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/needs.h"

#include "sched/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

/* The nodes of a packet, its source first. Returns how many. */
static size_t list_nodes(const struct schedule *demands, const struct demand *demand,
                         uint32_t node[])
{
    uint32_t count = demand->wanted_count > 0 ? demand->wanted_count : demands->nodes;
    size_t listed = 0;
    node[listed++] = demand->source;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t other = demand->wanted_count > 0 ? demand->wanted[k] : k;
        if (other != demand->source)
            node[listed++] = other;
    }
    return listed;
}

/* All others. Returns how many. */
static size_t list_helpers(const struct schedule *demands, const struct demand *demand,
                           uint32_t node[], bool helps[])
{
    size_t listed = 0;
    uint32_t k = 0;
    for (uint32_t other = 0; demand->wanted_count > 0 && other < demands->nodes; other++) {
        bool wants = k < demand->wanted_count && demand->wanted[k] == other;
        k += wants;
        if (wants || other == demand->source)
            continue;
        helps[listed] = true;
        node[listed++] = other;
    }
    return listed;
}

static uint64_t places(const struct schedule *demands, bool help)
{
    uint64_t all = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        bool many = demand->wanted_count == 0 || help;
        uint64_t each = many ? demands->nodes : demand->wanted_count;
        all += (each + 1) * (demand->last_packet - demand->first_packet + 1);
    }
    return all;
}

bool needs_new(const struct schedule *demands, bool help, struct needs *needs, struct err *err)
{
    uint64_t room = places(demands, help);
    size_t packets = demands->packets;
    *needs = (struct needs){.nodes = demands->nodes,
                            .packets = demands->packets,
                            .lambda = demands->lambda.numerator,
                            .unit = demands->lambda.denominator};
    const struct arena_array arrays[] = {
        ARENA(needs->first, packets + 1), ARENA(needs->node, room),    ARENA(needs->helps, room),
        ARENA(needs->has, packets),       ARENA(needs->sent, packets), ARENA(needs->left, packets),
        ARENA(needs->wants, needs->nodes)};
    needs->memory = schedule_check_size(room, err) ? arena_new(arrays, ARENA_COUNT(arrays)) : NULL;
    if (needs->memory == NULL)
        return err_no_memory(err, "%" PRIu64 " wanted packets", room);
    size_t at = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        for (uint32_t p = demand->first_packet - 1; p < demand->last_packet; p++) {
            at += list_nodes(demands, demand, needs->node + at);
            if (help)
                at += list_helpers(demands, demand, needs->node + at, needs->helps + at);
            needs->first[p + 1] = at;
        }
    }
    needs_reset(needs);
    return true;
}

void needs_free(struct needs *needs)
{
    free(needs->memory);
    *needs = (struct needs){0};
}

/* The source of a packet is always the first of its nodes, as it has it. */
void needs_reset(struct needs *needs)
{
    needs->receipts = 0;
    for (uint32_t node = 0; node < needs->nodes; node++)
        needs->wants[node] = 0;
    for (uint32_t p = 0; p < needs->packets; p++) {
        needs->has[p] = needs->sent[p] = 1;
        needs->left[p] = 0;
        for (size_t at = needs->first[p] + 1; at < needs->first[p + 1]; at++) {
            needs->wants[needs->node[at]] += !needs->helps[at];
            needs->left[p] += !needs->helps[at];
        }
        needs->receipts += needs->left[p];
    }
}

/* Move a node of a packet to a place at or before its own. Is it a helper? */
static bool move(const struct needs *needs, uint32_t packet, uint32_t to, uint32_t node)
{
    uint32_t *list = needs->node + needs->first[packet], at = to;
    bool *helps = needs->helps + needs->first[packet];
    while (list[at] != node)
        at++;
    bool moved = helps[at];
    list[at] = list[to];
    helps[at] = helps[to];
    list[to] = node;
    helps[to] = moved;
    return moved;
}

bool needs_send(struct needs *needs, uint32_t packet, uint32_t to)
{
    uint32_t place = needs->sent[packet]++;
    bool helps = move(needs, packet, place, to);
    needs->wants[to] -= !helps;
    needs->left[packet] -= !helps;
    needs->receipts -= !helps;
    return helps;
}

void needs_come(struct needs *needs, uint32_t packet, uint32_t to)
{
    uint32_t place = needs->has[packet]++;
    move(needs, packet, place, to);
}
