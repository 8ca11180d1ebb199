/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/needs.h"

#include "sched/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lists the source and the receivers of a packet, the source first. Returns how many there are. */
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

/* Lists all other nodes as helpers. Returns how many there are. */
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

/* Returns whether two demands have the same source and the same receivers. */
static bool is_same(const struct demand *one, const struct demand *other)
{
    return one->source == other->source && one->wanted_count == other->wanted_count &&
           (one->wanted_count == 0 ||
            memcmp(one->wanted, other->wanted, one->wanted_count * sizeof *one->wanted) == 0);
}

static void bundle_packets(const struct schedule *demands, struct needs *needs)
{
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        needs->bundle_count += d == 0 || !is_same(demand - 1, demand);
        for (uint32_t p = demand->first_packet - 1; p < demand->last_packet; p++)
            needs->bundle_of[p] = needs->bundle_count - 1;
    }
}

bool needs_new(const struct schedule *demands, bool help, bool bundled, struct needs *needs,
               struct err *err)
{
    uint64_t room = places(demands, help);
    size_t packets = demands->packets;
    *needs = (struct needs){.nodes = demands->nodes,
                            .packets = demands->packets,
                            .lambda = demands->lambda.numerator,
                            .unit = demands->lambda.denominator};
    const struct arena_array arrays[] = {ARENA(needs->first, packets + 1),
                                         ARENA(needs->node, room),
                                         ARENA(needs->helps, room),
                                         ARENA(needs->has, packets),
                                         ARENA(needs->sent, packets),
                                         ARENA(needs->left, packets),
                                         ARENA(needs->wants, needs->nodes),
                                         ARENA(needs->look, packets),
                                         ARENA(needs->bundle, bundled ? demands->demand_count : 0),
                                         ARENA(needs->bundle_of, bundled ? packets : 0)};
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
    if (bundled)
        bundle_packets(demands, needs);
    needs_reset(needs);
    return true;
}

void needs_free(struct needs *needs)
{
    free(needs->memory);
    *needs = (struct needs){0};
}

/* Marks all packets as considered; packets of bundles are opened later. */
static void look_at_all(struct needs *needs)
{
    needs->look_count = needs->bundle_count > 0 ? 0 : needs->packets;
    for (uint32_t p = 0; p < needs->look_count; p++)
        needs->look[p] = p;
    for (uint32_t p = needs->packets; needs->bundle_count > 0 && p-- > 0;) {
        struct needs_bundle *bundle = &needs->bundle[needs->bundle_of[p]];
        bool last = p + 1 == needs->packets || needs->bundle_of[p + 1] != needs->bundle_of[p];
        *bundle = (struct needs_bundle){.next = p, .end = last ? p + 1 : bundle->end};
    }
}

/* The source of a packet is always the first of its nodes, because it has the packet. */
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
    look_at_all(needs);
}

/* Inserts a packet into the considered packets, which are in ascending order. */
static void look_at(struct needs *needs, uint32_t packet)
{
    uint32_t at = needs->look_count++;
    for (; at > 0 && needs->look[at - 1] > packet; at--)
        needs->look[at] = needs->look[at - 1];
    needs->look[at] = packet;
}

static void look_into_bundles(struct needs *needs)
{
    for (uint32_t b = 0; b < needs->bundle_count; b++) {
        needs->bundle[b].open = 0;
        needs->bundle[b].has_fresh = false;
    }
    for (uint32_t k = 0; k < needs->look_count; k++) {
        struct needs_bundle *bundle = &needs->bundle[needs->bundle_of[needs->look[k]]];
        bundle->open++;
        bundle->has_fresh |= needs->sent[needs->look[k]] == 1;
    }
    for (uint32_t b = 0; b < needs->bundle_count; b++) {
        struct needs_bundle *bundle = &needs->bundle[b];
        if (!bundle->has_fresh && bundle->open < NEEDS_OPEN && bundle->next < bundle->end)
            look_at(needs, bundle->next++);
    }
}

void needs_look(struct needs *needs)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < needs->look_count; k++) {
        needs->look[kept] = needs->look[k];
        kept += needs->left[needs->look[k]] > 0;
    }
    needs->look_count = kept;
    if (needs->bundle_count > 0)
        look_into_bundles(needs);
}

/* Moves a node of a packet to a place at or before its own. Returns whether it is a helper. */
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
