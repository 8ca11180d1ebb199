/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/combination.h"

#include "sched/base/compare.h"
#include "sched/schedule/certificate.h"
#include "sched/verify/verify_reducing.h"

#include <stdlib.h>

/* The hashes of the trees while a packet is combined; 0: nothing has been received. */
struct trees {
    struct reducing reducing; /* first, so that a pointer to it is a pointer to this */
    uint64_t *all, *received; /* [places] with and without the node's own contribution */
    uint64_t *sent;           /* [hops] */
    size_t room;
    struct certificate certificate;
    struct combination *combination;
};

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
        trees->all[k] = place->position == NOT_LOCAL ? 0 : certificate_leaf(place->node);
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
            certificate_add(&trees->all[hop->to], trees->sent[which]);
            certificate_add(&trees->received[hop->to], trees->sent[which]);
        }
    }
}

/* Adds the tree of the result at a node to the packet. `sent` is false for a packet without
 * transfers. */
static void add_result(struct trees *trees, uint32_t node, bool sent, uint64_t *before)
{
    const struct reducing *reducing = &trees->reducing;
    const struct reduction *reduction = reducing->demand->reduction;
    uint32_t place = sent ? reducing->local[node] : NOT_LOCAL;
    uint64_t tree = reduction->exclusive ? 0 : certificate_leaf(node);
    if (place != NOT_LOCAL)
        tree = reduction->exclusive ? trees->received[place] : trees->all[place];
    if (*before != 0 && tree != *before && !reduction->prefix)
        trees->combination->nodes_alike = false;
    *before = tree;
    certificate_result(&trees->certificate, tree);
}

/* Adds the results of a packet, ascending by node. */
static void add_results(struct trees *trees, bool sent, uint32_t packets)
{
    const struct reducing *reducing = &trees->reducing;
    const struct demand *demand = reducing->demand;
    const uint32_t count = schedule_wanters(reducing->v->schedule, demand);
    uint64_t before = 0;
    for (uint32_t which = 0; which < count; which++)
        add_result(trees, schedule_wanter(demand, which), sent, &before);
    certificate_packets(&trees->certificate, demand, packets);
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
    *combination = (struct combination){.nodes_alike = true};
    bool computed = reducing_each(&trees.reducing, add_packet, add_unsent);
    combination->certificate = certificate_end(&trees.certificate);
    combination->packets_alike = !trees.certificate.packets_differ;
    reducing_free(&trees.reducing);
    free(trees.all);
    free(trees.received);
    free(trees.sent);
    return computed;
}
