/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/list.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/decompose/match.h"

#include <stdlib.h>

struct pairs {
    const struct urgency *urgency;
    enum model model;
    uint32_t *by_urgency; /* by_urgency[packets]: those considered, the most urgent first */
    uint32_t *partner;    /* partner[nodes]: the node paired with; PAIRS_NONE: none */
    struct match *match;  /* NULL: matchings are not used */
    int64_t *weight;      /* weight[nodes][nodes]: value of sending now; 0: no packet */
    int64_t *both;        /* both[nodes][nodes]: value of pairing two nodes */
    uint32_t *packet;     /* packet[nodes][nodes]: the packet sent for that weight */
    void *memory;
};

struct pairs *pairs_new(const struct urgency *urgency, enum model model, struct err *err)
{
    struct pairs *pairs = calloc(1, sizeof *pairs);
    size_t n = urgency->needs->nodes, dense = n <= PAIRS_MATCHED ? n * n : 0;
    if (pairs == NULL) {
        err_no_memory(err, "the pairs of a round");
        return NULL;
    }
    *pairs = (struct pairs){.urgency = urgency, .model = model};
    const struct arena_array arrays[] = {ARENA(pairs->by_urgency, urgency->needs->packets),
                                         ARENA(pairs->partner, n), ARENA(pairs->weight, dense),
                                         ARENA(pairs->both, dense), ARENA(pairs->packet, dense)};
    pairs->memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool made = pairs->memory != NULL || err_no_memory(err, "the pairs of %zu nodes", n);
    if (made && (dense == 0 || (pairs->match = match_new((uint32_t)n, err)) != NULL))
        return pairs;
    pairs_free(pairs);
    return NULL;
}

void pairs_free(struct pairs *pairs)
{
    if (pairs == NULL)
        return;
    match_free(pairs->match);
    free(pairs->memory);
    free(pairs);
}

bool pairs_matched(const struct pairs *pairs)
{
    return pairs->match != NULL;
}

/* -- Few nodes: a matching of large weight ----------------------------------------------------- */

/* Finds the best packet of each sender for each receiver, and its weight. */
static void weigh(struct pairs *pairs, const bool sends[], const bool receives[], unsigned help)
{
    const struct needs *needs = pairs->urgency->needs;
    uint32_t n = needs->nodes;
    for (size_t k = 0; k < (size_t)n * n; k++)
        pairs->weight[k] = 0;
    for (uint32_t k = 0; k < needs->look_count; k++) {
        uint32_t p = needs->look[k];
        const uint32_t *node = needs->node + needs->first[p];
        uint32_t all = (uint32_t)(needs->first[p + 1] - needs->first[p]);
        int64_t counts = pairs->urgency->packet[p];
        for (uint32_t from = 0; counts > 0 && from < needs->has[p]; from++) {
            int64_t *weight = pairs->weight + (size_t)node[from] * n;
            uint32_t *packet = pairs->packet + (size_t)node[from] * n;
            for (uint32_t to = needs->sent[p]; sends[node[from]] && to < all; to++) {
                int64_t counted = needs->helps[needs->first[p] + to] ? counts / help : counts;
                if (!receives[node[to]] || weight[node[to]] >= counted)
                    continue;
                weight[node[to]] = counted;
                packet[node[to]] = p;
            }
        }
    }
    for (size_t k = 0; k < (size_t)n * n; k++)
        if (pairs->weight[k] > 0)
            pairs->weight[k] += pairs->urgency->receiver[k % n];
}

static int64_t together(const struct pairs *pairs, uint32_t one, uint32_t other)
{
    uint32_t n = pairs->urgency->needs->nodes;
    int64_t there = pairs->weight[(size_t)one * n + other],
            back = pairs->weight[(size_t)other * n + one];
    return model_row(pairs->model)->half_duplex ? MAX(there, back) : there + back;
}

/* Returns the value of a pair of nodes; 0 if one of them is PAIRS_NONE. */
static int64_t counted(const struct pairs *pairs, uint32_t one, uint32_t other)
{
    bool two = one != PAIRS_NONE && other != PAIRS_NONE;
    return two ? pairs->both[(size_t)one * pairs->urgency->needs->nodes + other] : 0;
}

static void put_together(struct pairs *pairs, uint32_t one, uint32_t other)
{
    if (one != PAIRS_NONE)
        pairs->partner[one] = other;
    if (other != PAIRS_NONE)
        pairs->partner[other] = one;
}

/* Exchanges the partners of a node's pair and of another pair if that increases their value. */
static bool exchange(struct pairs *pairs, uint32_t a, uint32_t c)
{
    uint32_t b = pairs->partner[a], d = pairs->partner[c];
    if (c == a || c == b)
        return false;
    int64_t now = counted(pairs, a, b) + counted(pairs, c, d);
    int64_t straight = counted(pairs, a, c) + counted(pairs, b, d);
    int64_t crossed = counted(pairs, a, d) + counted(pairs, b, c);
    if (straight <= now && crossed <= now)
        return false;
    put_together(pairs, a, straight >= crossed ? c : d);
    put_together(pairs, b, straight >= crossed ? d : c);
    return true;
}

/* Finds pairs of large value: first neighbours, whatever their value, then exchanged until no
 * exchange gains. */
static void match_partners(struct pairs *pairs)
{
    uint32_t n = pairs->urgency->needs->nodes;
    bool better = true;
    for (uint32_t one = 0; one < n; one++) {
        pairs->partner[one] = (one ^ 1) < n ? one ^ 1 : PAIRS_NONE;
        for (uint32_t other = 0; other < n; other++)
            pairs->both[(size_t)one * n + other] = together(pairs, one, other);
    }
    while (better) {
        better = false;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t c = 0; c < n; c++)
                better = exchange(pairs, a, c) || better;
    }
}

/* Sets the packets that partners send to each other. */
static void send_between(const struct pairs *pairs, uint32_t to[])
{
    uint32_t n = pairs->urgency->needs->nodes;
    for (uint32_t one = 0; one < n; one++) {
        uint32_t other = pairs->partner[one];
        to[one] = PAIRS_NONE;
        if (other == PAIRS_NONE)
            continue;
        int64_t there = pairs->weight[(size_t)one * n + other],
                back = pairs->weight[(size_t)other * n + one];
        bool sends =
            !model_row(pairs->model)->half_duplex || there > back || (there == back && one < other);
        if (sends && there > 0)
            to[one] = other;
    }
}

static void choose_matching(struct pairs *pairs, unsigned help, const bool sends[],
                            const bool receives[], uint32_t to[], uint32_t packet[])
{
    uint32_t n = pairs->urgency->needs->nodes;
    weigh(pairs, sends, receives, help);
    if (model_row(pairs->model)->pairs) {
        match_partners(pairs);
        send_between(pairs, to);
    } else {
        match_best(pairs->match, n, pairs->weight, to);
    }
    for (uint32_t node = 0; node < n; node++) {
        if (to[node] == PAIRS_NONE || pairs->weight[(size_t)node * n + to[node]] == 0)
            to[node] = PAIRS_NONE;
        else
            packet[node] = pairs->packet[(size_t)node * n + to[node]];
    }
}

/* -- Many nodes: the most urgent packet first -------------------------------------------------- */

static int compare_urgency(const void *left, const void *right, void *with)
{
    const int64_t *counts = with;
    const uint32_t *a = left, *b = right;
    return compare_then(COMPARE(counts[*b], counts[*a]), COMPARE(*a, *b));
}

/* Returns whether `from` may send to `to` now, in addition to the chosen transfers. */
static bool may_send(const struct pairs *pairs, uint32_t from, uint32_t to)
{
    uint32_t there = pairs->partner[from], back = pairs->partner[to];
    const struct model_row *model = model_row(pairs->model);
    return !model->pairs || (!model->half_duplex && there == to) ||
           (there == PAIRS_NONE && back == PAIRS_NONE);
}

/* Returns the most urgent free receiver of packet p, which `from` has; PAIRS_NONE if there is
 * none. */
static uint32_t best_receiver(const struct pairs *pairs, uint32_t p, uint32_t from,
                              const bool free[])
{
    const struct needs *needs = pairs->urgency->needs;
    uint32_t best = PAIRS_NONE;
    for (size_t at = needs->first[p] + needs->sent[p]; at < needs->first[p + 1]; at++) {
        uint32_t to = needs->node[at];
        if (free[to] && may_send(pairs, from, to) &&
            (best == PAIRS_NONE || pairs->urgency->receiver[to] > pairs->urgency->receiver[best]))
            best = to;
    }
    return best;
}

static uint32_t count_free(const bool free[], uint32_t nodes)
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes; node++)
        count += free[node];
    return count;
}

static void choose_urgent(struct pairs *pairs, bool sends[], bool receives[], uint32_t to[],
                          uint32_t packet[])
{
    const struct needs *needs = pairs->urgency->needs;
    for (uint32_t node = 0; node < needs->nodes; node++)
        pairs->partner[node] = to[node] = PAIRS_NONE;
    for (uint32_t k = 0; k < needs->look_count; k++)
        pairs->by_urgency[k] = needs->look[k];
    qsort_r(pairs->by_urgency, needs->look_count, sizeof *pairs->by_urgency, compare_urgency,
            pairs->urgency->packet);
    uint32_t receivers = count_free(receives, needs->nodes);
    for (uint32_t k = 0; receivers > 0 && k < needs->look_count; k++) {
        uint32_t p = pairs->by_urgency[k], left = needs->left[p];
        for (uint32_t h = 0; left > 0 && h < needs->has[p]; h++) {
            uint32_t from = needs->node[needs->first[p] + h];
            uint32_t best = sends[from] ? best_receiver(pairs, p, from, receives) : PAIRS_NONE;
            if (best == PAIRS_NONE)
                continue;
            to[from] = best;
            packet[from] = p;
            sends[from] = receives[best] = false;
            put_together(pairs, from, best);
            left--;
            receivers--;
        }
    }
}

void pairs_choose(struct pairs *pairs, unsigned help, bool sends[], bool receives[], uint32_t to[],
                  uint32_t packet[])
{
    if (pairs->match != NULL)
        choose_matching(pairs, help, sends, receives, to, packet);
    else
        choose_urgent(pairs, sends, receives, to, packet);
}
