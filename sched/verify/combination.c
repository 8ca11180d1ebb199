/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/combination.h"

#include "sched/base/compare.h"
#include "sched/schedule/certificate.h"
#include "sched/schedule/port_words.h"
#include "sched/verify/verify_reducing.h"

#include <stdlib.h>

/* The hashes of the trees while a packet is combined; 0: nothing has been received. */
struct trees {
    struct reducing reducing; /* first, so that a pointer to it is a pointer to this */
    bool by_port;
    size_t *first;      /* [places + 1] the first word of each place */
    uint64_t *word;     /* [words] with the node's own contribution */
    uint64_t *received; /* [places] without it; not by port */
    uint64_t *sent;     /* [hops] */
    size_t room, word_room;
    struct certificate certificate;
    struct combination *combination;
};

static bool no_memory(const struct trees *trees)
{
    return err_no_memory(trees->reducing.v->err, "the trees of %zu transfers",
                         trees->reducing.hops);
}

/* Reserves room for the places and transfers of a packet. E104. */
static bool reserve(struct trees *trees)
{
    size_t needed = MAX(trees->reducing.places, trees->reducing.hops) + 1;
    if (needed <= trees->room)
        return true;
    free(trees->first);
    free(trees->received);
    free(trees->sent);
    trees->room = 2 * needed;
    trees->first = malloc(trees->room * sizeof *trees->first);
    trees->received = malloc(trees->room * sizeof *trees->received);
    trees->sent = malloc(trees->room * sizeof *trees->sent);
    return (trees->first != NULL && trees->received != NULL && trees->sent != NULL) ||
           no_memory(trees);
}

/* Numbers the words of all places, and reserves room for them. E104. */
static bool reserve_words(struct trees *trees)
{
    const struct reducing *reducing = &trees->reducing;
    const struct topology *topology = &reducing->v->schedule->topology;
    trees->first[0] = 0;
    for (size_t k = 0; k < reducing->places; k++)
        trees->first[k + 1] =
            trees->first[k] +
            (trees->by_port ? port_words_count(topology, reducing->place[k].node) : 1);
    if (trees->first[reducing->places] <= trees->word_room)
        return true;
    free(trees->word);
    trees->word_room = 2 * trees->first[reducing->places];
    trees->word = malloc(trees->word_room * sizeof *trees->word);
    return trees->word != NULL || no_memory(trees);
}

/* Returns the tree of all that a place has. */
static uint64_t all_of(const struct trees *trees, size_t place)
{
    return port_words_combine(&trees->word[trees->first[place]],
                              (uint32_t)(trees->first[place + 1] - trees->first[place]),
                              certificate_add);
}

/* Records the arrival of a transfer of the packet. */
static void arrive(struct trees *trees, size_t which)
{
    const struct hop *hop = &trees->reducing.hop[which];
    const size_t first = trees->first[hop->to], end = trees->first[hop->to + 1];
    const uint32_t index =
        trees->by_port ? port_words_index(trees->reducing.v->schedule, hop->index) : 0;
    const bool replaces = hop->combining & COMBINING_REPLACE;
    for (size_t k = first; replaces && k < end; k++)
        trees->word[k] = 0;
    if (replaces)
        trees->received[hop->to] = 0;
    certificate_add(&trees->word[first + index], trees->sent[which]);
    certificate_add(&trees->received[hop->to], trees->sent[which]);
}

/* Plays the transfers of the packet. */
static void play(struct trees *trees)
{
    struct reducing *reducing = &trees->reducing;
    for (size_t k = 0; k < reducing->places; k++) {
        const struct place *place = &reducing->place[k];
        trees->received[k] = 0;
        for (size_t w = trees->first[k]; w < trees->first[k + 1]; w++)
            trees->word[w] = 0;
        if (place->position != NOT_LOCAL)
            trees->word[trees->first[k]] = certificate_leaf(place->node);
    }
    for (size_t k = 0; k < 2 * reducing->hops; k++) {
        size_t which = reducing->event[k] / 2;
        const struct hop *hop = &reducing->hop[which];
        if (reducing->event[k] % 2 != 0)
            arrive(trees, which);
        else
            trees->sent[which] = hop->combining & COMBINING_RECEIVED ? trees->received[hop->from]
                                                                     : all_of(trees, hop->from);
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
        tree = reduction->exclusive ? trees->received[place] : all_of(trees, place);
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
    if (!reducing_begin_packet(reducing, index, hops) || !reserve(trees) || !reserve_words(trees))
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

bool combination_of(const struct schedule *schedule, enum combination_order order,
                    struct combination *combination, struct err *err)
{
    struct verifier verifier = {.schedule = schedule, .err = err};
    struct trees trees = {.reducing = {.v = &verifier},
                          .by_port = order == COMBINATION_BY_PORT,
                          .combination = combination};
    *combination = (struct combination){.nodes_alike = true};
    bool computed = reducing_each(&trees.reducing, add_packet, add_unsent);
    combination->certificate = certificate_end(&trees.certificate);
    combination->packets_alike = !trees.certificate.packets_differ;
    reducing_free(&trees.reducing);
    free(trees.first);
    free(trees.word);
    free(trees.received);
    free(trees.sent);
    return computed;
}
