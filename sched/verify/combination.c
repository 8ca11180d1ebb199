/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/combination.h"

#include "sched/base/compare.h"
#include "sched/verify/verify_reducing.h"

#include <stdlib.h>

/* The hashes of the trees while a packet is combined; 0: nothing has been received. */
struct trees {
    struct reducing reducing; /* first, so that a pointer to it is a pointer to this */
    uint64_t *all, *received; /* [places] with and without the node's own contribution */
    uint64_t *sent;           /* [hops] */
    size_t room;
    struct combination *combination;
    const struct demand *demand;      /* the demand of the packets so far */
    uint64_t first, packets, demands; /* hash of its first packet, of its packets, of demands */
    size_t demand_count;
    bool alike; /* the packets of the demand so far */
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t combination_leaf(uint32_t node)
{
    return mix(node + UINT64_C(1));
}

uint64_t combination_join(uint64_t one, uint64_t other)
{
    return mix(MIN(one, other) + mix(MAX(one, other)));
}

/* Joins a hash to that of a partial result, which may be empty. */
static void add(uint64_t *to, uint64_t part)
{
    *to = *to == 0 ? part : combination_join(*to, part);
}

static bool reserve(struct trees *trees)
{
    size_t needed = MAX(trees->reducing.places, trees->reducing.hops);
    if (needed <= trees->room)
        return true;
    free(trees->all);
    free(trees->received);
    free(trees->sent);
    trees->room = 2 * needed;
    trees->all = malloc(trees->room * sizeof *trees->all);
    trees->received = malloc(trees->room * sizeof *trees->received);
    trees->sent = malloc(trees->room * sizeof *trees->sent);
    return (trees->all != NULL && trees->received != NULL && trees->sent != NULL) ||
           err_no_memory(trees->reducing.v->err, "the trees of %zu transfers", needed);
}

/* Plays the transfers of the packet. */
static void play(struct trees *trees)
{
    struct reducing *reducing = &trees->reducing;
    for (size_t k = 0; k < reducing->places; k++) {
        const struct place *place = &reducing->place[k];
        trees->received[k] = 0;
        trees->all[k] = place->position == NOT_LOCAL ? 0 : combination_leaf(place->node);
    }
    for (size_t k = 0; k < 2 * reducing->hops; k++) {
        size_t which = reducing->event[k] / 2;
        const struct hop *hop = &reducing->hop[which];
        if (reducing->event[k] % 2 == 0) {
            bool received = hop->combining & COMBINING_RECEIVED;
            trees->sent[which] = received ? trees->received[hop->from] : trees->all[hop->from];
        } else if (hop->combining & COMBINING_REPLACE) {
            trees->all[hop->to] = trees->received[hop->to] = trees->sent[which];
        } else {
            add(&trees->all[hop->to], trees->sent[which]);
            add(&trees->received[hop->to], trees->sent[which]);
        }
    }
}

/* Adds the tree of the result at a node to the hash of the packet. `sent` is false for a packet
 * without transfers. */
static void add_result(struct trees *trees, uint32_t node, bool sent, uint64_t *packet,
                       uint64_t *before)
{
    const struct reducing *reducing = &trees->reducing;
    const struct reduction *reduction = reducing->demand->reduction;
    uint32_t place = sent ? reducing->local[node] : NOT_LOCAL;
    uint64_t tree = reduction->exclusive ? 0 : combination_leaf(node);
    if (place != NOT_LOCAL)
        tree = reduction->exclusive ? trees->received[place] : trees->all[place];
    if (*before != 0 && tree != *before && !reduction->prefix)
        trees->combination->nodes_alike = false;
    *before = tree;
    *packet = mix(*packet + tree);
}

static void end_demand(struct trees *trees)
{
    if (trees->demand == NULL)
        return;
    uint64_t hash = trees->alike ? trees->first : trees->packets;
    trees->demands = trees->demand_count == 1 ? hash : mix(trees->demands + hash);
    trees->combination->packets_alike = trees->combination->packets_alike && trees->alike;
}

/* Adds the hash of `packets` packets to that of their demand. */
static void add_packets(struct trees *trees, uint64_t hash, uint32_t packets)
{
    bool begins = trees->demand != trees->reducing.demand;
    if (begins) {
        end_demand(trees);
        trees->demand = trees->reducing.demand;
        trees->demand_count++;
        trees->first = hash;
        trees->packets = 0;
        trees->alike = true;
    }
    trees->alike = trees->alike && hash == trees->first;
    for (uint32_t packet = 0; packet < packets; packet++)
        trees->packets = mix(trees->packets + hash);
}

/* Adds the results of a packet, ascending by node. */
static void add_results(struct trees *trees, bool sent, uint32_t packets)
{
    const struct reducing *reducing = &trees->reducing;
    const struct demand *demand = reducing->demand;
    bool one = demand->wanted_count > 0, prefix = demand->reduction->prefix;
    uint32_t nodes = reducing->v->schedule->nodes;
    uint32_t count = one ? 1 : prefix ? reducing->contributors : nodes;
    uint64_t packet = 0, before = 0;
    for (uint32_t which = 0; which < count; which++) {
        uint32_t node = one ? *demand->wanted : prefix ? reducing_node(demand, which) : which;
        add_result(trees, node, sent, &packet, &before);
    }
    add_packets(trees, packet, packets);
}

static bool add_packet(struct reducing *reducing, const size_t index[], size_t hops)
{
    struct trees *trees = (struct trees *)reducing;
    if (!reducing_begin_packet(reducing, index, hops) || !reserve(trees))
        return false;
    play(trees);
    add_results(trees, true, 1);
    reducing_end_packet(reducing);
    return true;
}

static bool add_unsent(struct reducing *reducing, uint32_t packets)
{
    add_results((struct trees *)reducing, false, packets);
    return true;
}

bool combination_of(const struct schedule *schedule, struct combination *combination,
                    struct err *err)
{
    struct verifier verifier = {.schedule = schedule, .err = err};
    struct trees trees = {.reducing = {.v = &verifier}, .combination = combination};
    *combination = (struct combination){.packets_alike = true, .nodes_alike = true};
    bool computed = reducing_each(&trees.reducing, add_packet, add_unsent);
    if (computed)
        end_demand(&trees);
    combination->certificate = trees.demands;
    reducing_free(&trees.reducing);
    free(trees.all);
    free(trees.received);
    free(trees.sent);
    return computed;
}
