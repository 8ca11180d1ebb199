/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/verifier.h"

#include "sched/base/compare.h"
#include "sched/verify/verify_reducing.h"

#include <inttypes.h>
#include <stdlib.h>

bool verify_contributes(const struct schedule *schedule, const struct demand *demand, uint32_t node)
{
    return reducing_position(schedule, demand, node) != NOT_LOCAL;
}

/* -- Forward: copies ------------------------------------------------------------------------- */

/* Numbers the copies of results: a transfer that replaces makes another copy of the same result;
 * one that combines makes a new result. */
static void number_copies(struct reducing *reducing)
{
    uint32_t next = (uint32_t)reducing->places;
    for (size_t k = 0; k < 2 * reducing->hops; k++) {
        struct hop *hop = &reducing->hop[reducing->event[k] / 2];
        bool arrives = reducing->event[k] % 2 != 0,
             combines = !(hop->combining & COMBINING_REPLACE);
        if (!arrives)
            hop->copy =
                hop->combining & COMBINING_RECEIVED ? next++ : reducing->place[hop->from].copy;
        else
            reducing->place[hop->to].copy = combines ? next++ : hop->copy;
    }
}

/* -- Backward: counts ------------------------------------------------------------------------ */

static inline void add_weight(struct weight *to, struct weight more)
{
    to->twice |= more.twice | (to->once & more.once);
    to->once |= more.once;
}

/* Goes back through the events; the weights of places at the end become those at the start. */
static void go_back(struct reducing *reducing)
{
    for (size_t k = 2 * reducing->hops; k-- > 0;) {
        struct hop *hop = &reducing->hop[reducing->event[k] / 2];
        struct place *from = &reducing->place[hop->from], *to = &reducing->place[hop->to];
        if (reducing->event[k] % 2 == 0) {
            add_weight(&from->received, hop->weight);
            if (!(hop->combining & COMBINING_RECEIVED))
                add_weight(&from->own, hop->weight);
            continue;
        }
        hop->weight = to->received;
        if (hop->combining & COMBINING_REPLACE)
            to->received = to->own = (struct weight){0};
        hop->live_own = to->own.once;
    }
}

/* Sets the weights at the end: each column counts at the place of its destination. The result of an
 * exclusive scan is what the destination has received. */
static void begin_columns(struct reducing *reducing, unsigned columns)
{
    for (size_t place = 0; place < reducing->places; place++)
        reducing->place[place].own = reducing->place[place].received = (struct weight){0};
    for (unsigned column = 0; column < columns; column++) {
        struct place *place = &reducing->place[reducing->column[column]];
        place->own.once |= (uint64_t)!reducing->demand->reduction->exclusive << column;
        place->received.once |= UINT64_C(1) << column;
    }
}

/* -- Breaches ---------------------------------------------------------------------------------- */

static void breach_uncounted(struct reducing *reducing, uint32_t destination, uint32_t contributor)
{
    struct verifier *v = reducing->v;
    const struct schedule *schedule = v->schedule;
    char end[SCHEDULE_TIME_TEXT];
    verifier_breach(v, schedule->transfer_count, ERR_UNCOUNTED,
                    "after %s: the result of packet %" PRIu32 " at node %" PRIu32
                    " lacks the contribution of node %" PRIu32 "; expected it once",
                    schedule_time_text(schedule, schedule->end, end), reducing->packet, destination,
                    contributor);
}

/* Returns the first transfer that brings a contribution to a place where it has arrived before, if
 * both contribute to the destination of the column. NULL if there is none. Precondition: the counts
 * of all places are 0; only the first breach is described, so this runs once. */
static const struct hop *find_second(struct reducing *reducing, unsigned column,
                                     uint32_t contributor)
{
    reducing->place[contributor].count_own = true;
    for (size_t k = 0; k < 2 * reducing->hops; k++) {
        struct hop *hop = &reducing->hop[reducing->event[k] / 2];
        struct place *from = &reducing->place[hop->from], *to = &reducing->place[hop->to];
        bool own_too = !(hop->combining & COMBINING_RECEIVED);
        if (reducing->event[k] % 2 == 0) {
            hop->count = from->count_received || (own_too && from->count_own);
            continue;
        }
        bool replaces = hop->combining & COMBINING_REPLACE, live = hop->weight.once >> column & 1;
        bool own = to->count_own && hop->live_own >> column & 1;
        if (!replaces && live && hop->count && (to->count_received || own))
            return hop;
        to->count_received = hop->count || (!replaces && to->count_received);
        to->count_own = !replaces && to->count_own;
    }
    return NULL;
}

static void breach_twice(struct reducing *reducing, unsigned column, uint32_t contributor)
{
    struct verifier *v = reducing->v;
    const struct hop *hop = find_second(reducing, column, contributor);
    char time[SCHEDULE_TIME_TEXT], name[TOPOLOGY_NODE_TEXT];
    if (hop == NULL) /* it was counted twice, so there must be two ways */
        verifier_breach(v, v->schedule->transfer_count, ERR_BUG, "no second way was found");
    else
        verifier_breach(
            v, hop->index, ERR_TWICE,
            "%s: node %s combines the contribution of node %" PRIu32 " to packet %" PRIu32
            " again; expected it once in the result at node %" PRIu32,
            verifier_time_of(v, hop->index, time),
            topology_node_text(&v->schedule->topology, reducing->place[hop->to].node, name),
            reducing->place[contributor].node, reducing->packet,
            reducing->place[reducing->column[column]].node);
}

/* Counts more breaches after the first, which must have been reported. */
static void count_breaches(struct verifier *v, uint64_t more)
{
    if (__builtin_add_overflow(v->breaches, more, &v->breaches))
        v->breaches = UINT64_MAX;
}

/* Returns the lowest contributor of position below `end` whose place lacks the weight, including
 * contributors that take part in no transfer. */
static uint32_t first_uncounted(const struct reducing *reducing, unsigned column, uint32_t end)
{
    for (uint32_t position = 0; position < end; position++) {
        uint32_t node = reducing_node(reducing->demand, position);
        uint32_t place = reducing->local[node];
        if (place == NOT_LOCAL || !(reducing->place[place].own.once >> column & 1))
            return node;
    }
    return 0;
}

/* Checks that the destination of a column has the contributions of all positions below `end`, each
 * once. */
static void check_column(struct reducing *reducing, unsigned column, uint32_t end)
{
    const struct place *at = &reducing->place[reducing->column[column]];
    uint32_t once = 0, twice = 0, first_twice = 0;
    for (uint32_t k = (uint32_t)reducing->places; k-- > 0;) {
        const struct place *place = &reducing->place[k];
        if (place->position == NOT_LOCAL || !(place->own.once >> column & 1))
            continue;
        once += place->position < end;
        bool wrong =
            place->position >= end || (place->own.twice >> column & 1 && !reducing->idempotent);
        if (wrong && (twice == 0 || place->position < reducing->place[first_twice].position))
            first_twice = k;
        twice += wrong;
    }
    if (once == end && twice == 0)
        return;
    struct verifier *v = reducing->v;
    uint64_t before = v->breaches;
    if (once < end && before == 0)
        breach_uncounted(reducing, at->node, first_uncounted(reducing, column, end));
    else if (before == 0 && reducing->place[first_twice].position >= end)
        verifier_breach(v, v->schedule->transfer_count, ERR_TWICE,
                        "the result of packet %" PRIu32 " at node %" PRIu32
                        " has the contribution of node %" PRIu32
                        "; expected those of lower nodes%s only",
                        reducing->packet, at->node, reducing->place[first_twice].node,
                        reducing->demand->reduction->exclusive ? "" : " and its own");
    else if (before == 0)
        breach_twice(reducing, column, first_twice);
    uint64_t wrong = (uint64_t)(end - once) + twice;
    v->breaches = before;
    count_breaches(v, wrong * at->same);
}

/* -- A packet ---------------------------------------------------------------------------------- */

static bool is_destination(const struct reducing *reducing, const struct place *place)
{
    const struct demand *demand = reducing->demand;
    if (demand->wanted_count > 0)
        return place->node == *demand->wanted;
    return demand->reduction->prefix ? place->position != NOT_LOCAL
                                     : place->node < reducing->v->schedule->nodes;
}

/* Returns the number of contributions that the result at a place must have. */
static uint32_t end_of(const struct reducing *reducing, const struct place *place)
{
    const struct reduction *reduction = reducing->demand->reduction;
    return reduction->prefix ? place->position + !reduction->exclusive : reducing->contributors;
}

/* Returns the columns whose destinations want the contribution of a position: all columns, or, for
 * a prefix, those whose destinations have at least this position, which are the last columns. */
static uint64_t wanting_columns(const struct reducing *reducing, uint32_t position,
                                unsigned columns)
{
    unsigned low = 0, high = reducing->demand->reduction->prefix ? columns : 0;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (end_of(reducing, &reducing->place[reducing->column[middle]]) <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low < COLUMNS ? UINT64_MAX << low : 0;
}

/* Returns the columns whose destinations have what they want; 0 if a contributor takes part in no
 * transfer, because each column is then checked. */
static uint64_t good_columns(const struct reducing *reducing, unsigned columns)
{
    uint64_t good = UINT64_MAX;
    uint32_t contributors = 0;
    for (size_t k = 0; k < reducing->places; k++) {
        const struct place *place = &reducing->place[k];
        if (place->position == NOT_LOCAL)
            continue;
        contributors++;
        good &= ~(place->own.once ^ wanting_columns(reducing, place->position, columns));
        good &= reducing->idempotent ? UINT64_MAX : ~place->own.twice;
    }
    return contributors == reducing->contributors ? good : 0;
}

static void check_columns(struct reducing *reducing, unsigned columns)
{
    begin_columns(reducing, columns);
    go_back(reducing);
    uint64_t good = good_columns(reducing, columns);
    for (unsigned column = 0; column < columns; column++)
        if (!(good >> column & 1))
            check_column(reducing, column,
                         end_of(reducing, &reducing->place[reducing->column[column]]));
}

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *left = a, *right = b;
    return left->by != right->by ? (left->by > right->by) - (left->by < right->by)
                                 : (left->node > right->node) - (left->node < right->node);
}

/* Keeps one of the destinations that hold copies of a result, the lowest node, and counts them.
 * Each destination of a prefix has a result of its own. Returns the number that is kept, ascending
 * by node. */
static size_t group_copies(struct reducing *reducing)
{
    struct pair *pair = reducing->pair;
    size_t count = 0, left = 0;
    for (uint32_t k = 0; k < reducing->places; k++)
        if (is_destination(reducing, &reducing->place[k])) {
            bool prefix = reducing->demand->reduction->prefix;
            pair[count++] =
                (struct pair){prefix ? k : reducing->place[k].copy, reducing->place[k].node};
        }
    reducing->destinations = (uint32_t)count;
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (size_t k = 0, next; k < count; k = next) {
        for (next = k + 1; next < count && pair[next].by == pair[k].by;)
            next++;
        reducing->place[reducing->local[pair[k].node]].same = (uint32_t)(next - k);
        pair[left++] = (struct pair){pair[k].node, pair[k].node};
    }
    qsort(pair, left, sizeof *pair, compare_pairs);
    return left;
}

/* Counts the contributions that are missing at destinations which neither send nor receive the
 * packet: all except their own. */
static void check_untouched(struct reducing *reducing, uint32_t packets)
{
    const struct schedule *schedule = reducing->v->schedule;
    const struct demand *demand = reducing->demand;
    bool one = demand->wanted_count > 0, prefix = demand->reduction->prefix;
    uint32_t all = prefix ? reducing->contributors : one ? 1 : schedule->nodes;
    uint64_t lacking = 0;
    uint32_t first_at = 0, first_of = 0;
    for (uint32_t which = 0; reducing->destinations < all && which < all; which++) {
        uint32_t node = one ? *demand->wanted : prefix ? reducing_node(demand, which) : which;
        if (reducing->local[node] != NOT_LOCAL)
            continue;
        uint32_t position = reducing_position(schedule, demand, node);
        uint32_t lacks = prefix ? which : reducing->contributors - (position != NOT_LOCAL);
        if (lacking == 0 && lacks > 0) {
            first_at = node;
            first_of = reducing_node(demand, position == 0);
        }
        lacking += lacks;
    }
    if (lacking == 0)
        return;
    uint64_t before = reducing->v->breaches;
    if (before == 0)
        breach_uncounted(reducing, first_at, first_of);
    reducing->v->breaches = before;
    bool large = __builtin_mul_overflow(lacking, packets, &lacking);
    count_breaches(reducing->v, large ? UINT64_MAX : lacking);
}

/* Returns whether all destinations that take part in a transfer have what they want, by the
 * intervals of an ordered packet that passed reducing_check_order, and counts them. O(places): a
 * scan has as many results as nodes, which would be counted column by column. */
static bool results_in_order(struct reducing *reducing)
{
    const bool exclusive = reducing->demand->reduction->exclusive;
    reducing->destinations = 0;
    for (size_t k = 0; k < reducing->places; k++) {
        const struct place *place = &reducing->place[k];
        if (!is_destination(reducing, place))
            continue;
        const struct interval has = exclusive ? place->only_received : place->all;
        const uint32_t end = end_of(reducing, place);
        if ((exclusive && place->is_split) || has.last - has.first != end ||
            (end > 0 && has.first > 0))
            return false;
        reducing->destinations++;
    }
    return true;
}

static void count_results(struct reducing *reducing)
{
    number_copies(reducing);
    size_t left = group_copies(reducing);
    for (size_t k = 0; k < left; k += COLUMNS) {
        unsigned columns = (unsigned)MIN(left - k, (size_t)COLUMNS);
        for (unsigned column = 0; column < columns; column++)
            reducing->column[column] = reducing->local[reducing->pair[k + column].node];
        check_columns(reducing, columns);
    }
}

static bool check_packet(struct reducing *reducing, const size_t index[], size_t hops)
{
    if (!reducing_begin_packet(reducing, index, hops))
        return false;
    const bool in_order = reducing->demand->reduction->ordered && reducing_check_order(reducing) &&
                          results_in_order(reducing);
    if (!in_order)
        count_results(reducing);
    check_untouched(reducing, 1);
    reducing_end_packet(reducing);
    return true;
}

static bool check_unsent(struct reducing *reducing, uint32_t packets)
{
    reducing->destinations = 0;
    check_untouched(reducing, packets);
    return true;
}

bool verify_reductions(struct verifier *v, bool idempotent)
{
    uint32_t column[COLUMNS];
    struct reducing reducing = {.v = v, .idempotent = idempotent, .column = column};
    bool checked = reducing_each(&reducing, check_packet, check_unsent);
    reducing_free(&reducing);
    return checked;
}
