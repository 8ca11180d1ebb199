/* SPDX-License-Identifier: Apache-2.0 */
/* search: `slack` with several rules, and for small tables a local search from the best result.
 *
 * A step of the search removes a few settings, lets the remaining ones serve what they can, and
 * makes new settings for the rest with a random rule. The step is kept if the makespan does not
 * grow.
 */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/decompose/match.h"

#include <stdlib.h>
#include <string.h>

#define DENSE 64 /* largest number of nodes for which a dense table is faster */

struct search {
    const struct traffic *traffic;
    uint64_t price;
    struct slack *slack;
    uint32_t *table; /* table[nodes][nodes] */
    struct rng rng;
    struct decomposition best, next;
};

static void set_table(const struct search *search)
{
    size_t nodes = search->traffic->nodes;
    memset(search->table, 0, nodes * nodes * sizeof *search->table);
    for (size_t k = 0; k < search->traffic->count; k++) {
        const struct traffic_entry *entry = &search->traffic->entry[k];
        search->table[entry->source * nodes + entry->destination] = entry->packets;
    }
}

/* Returns the cost of a schedule in rounds: a round is 1, a reconfiguration the price. */
static struct traffic_cost cost_of(const struct search *search)
{
    return (struct traffic_cost){1, search->price};
}

/* Adds settings to `next` until the table is 0, and tidies them. The result becomes the best unless
 * it is worse; the method ends early, and keeps the best, when that is certain. Preconditions: the
 * table has the packets that the settings of `next` leave, and these settings are shorter than the
 * best. */
static bool complete(struct search *search, struct slack_rule rule, struct err *err)
{
    struct decomposition *next = &search->next, *best = &search->best;
    uint64_t limit =
        best->count == 0 ? UINT64_MAX : decomposition_makespan(best, cost_of(search)) + 1;
    uint64_t room = limit - decomposition_makespan(next, cost_of(search));
    uint32_t nodes = search->traffic->nodes;
    if (!slack_settings(search->slack, rule, room, search->table, next, err))
        return false;
    for (size_t k = 0; k < (size_t)nodes * nodes; k++)
        if (search->table[k] != 0)
            return true;
    if (!decomposition_tidy(search->traffic, next, err))
        return false;
    struct decomposition was = *best;
    *best = *next;
    *next = was;
    return true;
}

/* Makes a decomposition from nothing, as `complete` does. */
static bool start(struct search *search, struct slack_rule rule, struct err *err)
{
    set_table(search);
    search->next.count = 0;
    return complete(search, rule, err);
}

static double draw(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

/* Copies the best decomposition without some of its settings to `next`, and sets the table to the
 * packets that the remaining settings leave. */
static bool take_out(struct search *search, struct err *err)
{
    struct decomposition *best = &search->best;
    size_t nodes = best->nodes, count = best->count;
    size_t out = 2 + rng_below(&search->rng, (uint32_t)MIN(count, 8) - 1), left = count;
    search->next.count = 0;
    set_table(search);
    for (size_t k = 0; k < count; k++, left--) {
        uint32_t *to = best->to + k * nodes;
        if (rng_below(&search->rng, (uint32_t)left) < out) {
            out--;
            continue;
        }
        for (size_t row = 0; row < nodes; row++) {
            uint32_t *packets =
                to[row] == DECOMPOSE_IDLE ? NULL : &search->table[row * nodes + to[row]];
            if (packets != NULL)
                *packets -= (uint32_t)MIN(*packets, best->duration[k]);
        }
        if (!decomposition_add(&search->next, to, best->duration[k], err))
            return false;
    }
    return true;
}

/* Returns the number of steps that take about a second. */
static unsigned steps_of(uint32_t nodes)
{
    unsigned steps = 1600000 / (nodes * nodes * nodes);
    return MIN(steps, 500);
}

static bool improve(struct search *search, uint64_t bound, struct err *err)
{
    for (unsigned step = steps_of(search->traffic->nodes); step > 0; step--) {
        if (search->best.count < 2 ||
            decomposition_makespan(&search->best, cost_of(search)) == bound)
            return true;
        struct slack_rule rule = {.reach = 0.25 + 3 * draw(&search->rng),
                                  .durations = 4 + rng_below(&search->rng, 12),
                                  .shift = draw(&search->rng)};
        if (!take_out(search, err) || !complete(search, rule, err))
            return false;
    }
    return true;
}

static bool begin(struct search *search, bool local, struct err *err)
{
    static const double reach[] = {0.5, 1, 2};
    unsigned durations = search->traffic->nodes <= 32 ? 16 : 4;
    for (unsigned k = 0; k < sizeof reach / sizeof *reach; k++)
        if (!start(search, (struct slack_rule){reach[k], durations, 0.5}, err))
            return false;
    struct traffic_load load;
    if (!local)
        return true;
    return traffic_load(search->traffic, &load, err) &&
           traffic_load_settings(search->traffic, &load, err) &&
           improve(search, traffic_makespan(&load, cost_of(search)), err);
}

static bool run(const struct traffic *traffic, uint64_t price, uint64_t seed, bool local,
                struct decomposition *decomposition, struct err *err)
{
    size_t entries = (size_t)traffic->nodes * traffic->nodes;
    struct search search = {.traffic = traffic,
                            .price = price,
                            .slack = slack_new(traffic->nodes, price, err),
                            .table = malloc(entries * sizeof *search.table),
                            .rng = {seed},
                            .best.nodes = traffic->nodes,
                            .next.nodes = traffic->nodes};
    bool found = search.slack != NULL &&
                 (search.table != NULL || err_no_memory(err, "%zu entries", entries)) &&
                 begin(&search, local, err);
    slack_free(search.slack);
    free(search.table);
    decomposition_free(&search.next);
    if (found)
        *decomposition = search.best;
    else
        decomposition_free(&search.best);
    return found;
}

static bool search_dense(const struct traffic *traffic, uint64_t price, uint64_t seed,
                         struct decomposition *decomposition, struct err *err)
{
    return run(traffic, price, seed, true, decomposition, err);
}

static bool slack_dense(const struct traffic *traffic, uint64_t price, uint64_t seed,
                        struct decomposition *decomposition, struct err *err)
{
    return run(traffic, price, seed, false, decomposition, err);
}

static bool is_small(const struct traffic *traffic)
{
    return traffic->nodes <= DENSE;
}

const struct decompose_method decompose_search = {"search", "slack, and a local search from there",
                                                  "Roundcast", is_small, search_dense};

const struct decompose_method decompose_slack = {
    "slack", "the matching that costs the busiest nodes the least slack", "Roundcast", is_small,
    slack_dense};
