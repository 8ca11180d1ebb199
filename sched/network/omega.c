/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/omega.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/network/network_kind.h"

#include <stdlib.h>
#include <string.h>

/* --- One round ---------------------------------------------------------------------------- */

struct omega_router {
    struct multistage net;
    /* [ports + 1]  the destination of the circuit on each lane, or MULTISTAGE_IDLE */
    uint32_t *at;
};

void omega_router_free(struct omega_router *router)
{
    if (router == NULL)
        return;
    free(router->at);
    free(router);
}

struct omega_router *omega_router_new(const struct multistage *net, struct err *err)
{
    struct omega_router *router = calloc(1, sizeof *router);
    if (router != NULL) {
        router->net = *net;
        router->at = calloc((size_t)net->ports + 1, sizeof router->at[0]);
    }
    if (router == NULL || router->at == NULL) {
        omega_router_free(router);
        err_no_memory(err, "an omega network of %u ports", net->ports);
        return NULL;
    }
    return router;
}

/* Reports the two circuits that need one lane after a stage. */
static bool report_conflict(const struct omega_router *router, const uint32_t to[], uint32_t lane,
                            struct omega_conflict reported, struct omega_conflict *conflict,
                            struct err *err)
{
    for (uint32_t source = 0, found = 0; source < router->net.ports && found < 2; source++) {
        if (to[source] == MULTISTAGE_IDLE ||
            omega_lane(&router->net, reported.stage, source, to[source]) != lane)
            continue;
        reported.source[found] = source;
        reported.destination[found++] = to[source];
    }
    if (conflict != NULL)
        *conflict = reported;
    return err_set(
        err, ERR_BLOCKED,
        "omega: stage %u, switch %u: circuits %u → %u and %u → %u both need lane %u; expected a "
        "round that passes ({split})",
        reported.stage, reported.sw, reported.source[0], reported.destination[0],
        reported.source[1], reported.destination[1], lane);
}

/* Passes a stage whose switches pair lanes that differ in a bit. Returns false if a switch has two
 * circuits for one lane, and then sets *sw and *lane to them. */
static bool pass_stage(uint32_t at[], uint32_t ports, unsigned bit, uint32_t setting[],
                       uint32_t *sw, uint32_t *lane)
{
    uint32_t apart = UINT32_C(1) << bit, count = 0;
    for (uint32_t first = 0; first < ports; first += 2 * apart) {
        for (uint32_t low = first; low < first + apart; low++, count++) {
            uint32_t a = at[low], b = at[low + apart];
            bool a_live = a != MULTISTAGE_IDLE, b_live = b != MULTISTAGE_IDLE;
            uint32_t a_high = a >> bit & 1, b_high = b >> bit & 1;
            if (a_live && b_live && a_high == b_high) {
                *sw = count;
                *lane = a_high ? low + apart : low;
                return false;
            }
            uint32_t crossed = (a_live & a_high) | (b_live & !b_high);
            setting[count / 32] |= crossed << count % 32;
            at[low] = crossed ? b : a;
            at[low + apart] = crossed ? a : b;
        }
    }
    return true;
}

bool omega_route(struct omega_router *router, const uint32_t to[], uint32_t *row,
                 struct omega_conflict *conflict, struct err *err)
{
    const struct multistage *net = &router->net;
    uint32_t words = multistage_row_words(net), live, sw, lane;
    if (!partial_count(to, net->ports, &live) || partial_invert(to, net->ports, router->at) != live)
        return partial_refuse("omega", to, net->ports, router->at, err);
    memcpy(router->at, to, net->ports * sizeof to[0]);
    memset(row, 0, (size_t)multistage_stages(net) * words * sizeof row[0]);
    for (unsigned stage = 0; stage < multistage_stages(net); stage++, row += words)
        if (!pass_stage(router->at, net->ports, net->levels - 1 - stage, row, &sw, &lane))
            return report_conflict(
                router, to, lane, (struct omega_conflict){.stage = stage, .sw = sw}, conflict, err);
    return true;
}

static bool route(struct omega_router *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    return omega_route(router, to, row, NULL, err);
}

NETWORK_KIND(omega, omega_router_new, omega_router_free, route, NULL);

/* --- Several passes for one round --------------------------------------------------------- */

#define SEED UINT64_C(1992) /* of random orders; fixed, so that equal rounds get equal passes */
#define AT_ONCE 8           /* passes that are filled side by side: one for each bit of a byte */
#define ORDERS_AGAIN 24     /* maximum number of orders derived from the best division */
#define WORK (UINT64_C(1) << 26) /* lanes examined, after which no further order is tried */

struct omega_passes {
    struct multistage net;
    unsigned stages; /* stages whose lanes two circuits can need: all but the last */
    void *memory;    /* of all arrays (arena.h) */
    /* [stages][ports] bit: a pass has a circuit on the lane after the stage */
    uint8_t *taken;
    uint32_t *load;           /* [ports + 1]  number of circuits of a lane */
    uint32_t *key;            /* [ports]  by source; circuits with low keys are first */
    uint32_t *order, *sorted; /* [ports]  sources */
    uint32_t *bucket;         /* [ports + 1] */
    uint32_t *trial;          /* [ports]  passes of the order that is being tried, by source */
    const uint32_t *to;
    uint32_t live;
    uint64_t looked;
    struct rng rng;
};

void omega_passes_free(struct omega_passes *work)
{
    if (work == NULL)
        return;
    free(work->memory);
    free(work);
}

struct omega_passes *omega_passes_new(const struct multistage *net, struct err *err)
{
    struct omega_passes *work = calloc(1, sizeof *work);
    size_t ports = net->ports;
    if (work != NULL) {
        work->net = *net;
        work->stages = net->levels - 1;
        const struct arena_array arrays[] = {ARENA(work->taken, work->stages * ports + 1),
                                             ARENA(work->load, ports + 1),
                                             ARENA(work->key, ports),
                                             ARENA(work->order, ports),
                                             ARENA(work->sorted, ports),
                                             ARENA(work->bucket, ports + 1),
                                             ARENA(work->trial, ports)};
        work->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (work == NULL || work->memory == NULL) {
        omega_passes_free(work);
        err_no_memory(err, "passes of an omega network of %u ports", net->ports);
        return NULL;
    }
    return work;
}

/* Returns the number of circuits of the most wanted lane. Sets the key of each circuit to the
 * difference between this number and that of the most wanted lane on its path, so that circuits
 * that share a lane with most others are first. */
static uint32_t weigh_lanes(struct omega_passes *work)
{
    uint32_t ports = work->net.ports, most = work->live > 0;
    for (uint32_t source = 0; source < ports; source++)
        work->key[source] = 0;
    for (unsigned stage = 0; stage < work->stages; stage++) {
        memset(work->load, 0, ports * sizeof work->load[0]);
        for (uint32_t source = 0; source < ports; source++)
            if (work->to[source] != MULTISTAGE_IDLE)
                work->load[omega_lane(&work->net, stage, source, work->to[source])]++;
        for (uint32_t source = 0; source < ports; source++) {
            if (work->to[source] == MULTISTAGE_IDLE)
                continue;
            uint32_t load = work->load[omega_lane(&work->net, stage, source, work->to[source])];
            work->key[source] = MAX(work->key[source], load);
            most = MAX(most, load);
        }
    }
    for (uint32_t source = 0; source < ports; source++)
        work->key[source] = most - work->key[source];
    return most;
}

/* Sorts order[live] by key; circuits with equal keys keep their order. Precondition: keys are at
 * most `ports`. */
static void sort_by_key(struct omega_passes *work)
{
    uint32_t ports = work->net.ports, before = 0;
    memset(work->bucket, 0, (ports + 1) * sizeof work->bucket[0]);
    for (uint32_t place = 0; place < work->live; place++)
        work->bucket[work->key[work->order[place]]]++;
    for (uint32_t key = 0; key <= ports; key++) {
        uint32_t count = work->bucket[key];
        work->bucket[key] = before;
        before += count;
    }
    for (uint32_t place = 0; place < work->live; place++)
        work->sorted[work->bucket[work->key[work->order[place]]]++] = work->order[place];
    memcpy(work->order, work->sorted, work->live * sizeof work->order[0]);
}

/* Returns the first of the current passes in which all lanes of a circuit are free, and marks them
 * as taken; AT_ONCE if there is none. */
static unsigned fit(struct omega_passes *work, uint32_t source)
{
    uint32_t destination = work->to[source], ports = work->net.ports;
    unsigned taken = 0;
    for (unsigned stage = 0; stage < work->stages; stage++)
        taken |=
            work->taken[(size_t)stage * ports + omega_lane(&work->net, stage, source, destination)];
    unsigned first = (unsigned)__builtin_ctz(~taken);
    for (unsigned stage = 0; first < AT_ONCE && stage < work->stages; stage++)
        work->taken[(size_t)stage * ports + omega_lane(&work->net, stage, source, destination)] |=
            (uint8_t)(1U << first);
    return first;
}

/* Assigns passes to the circuits of order[live], which is overwritten, by first-fit: trial[].
 * Returns the number of passes. Circuits that fit none of the current passes wait, in their order,
 * for the next passes, so each still gets the first pass that fits. */
static uint32_t first_fit(struct omega_passes *work)
{
    uint32_t passes = 0, waiting = work->live;
    for (uint32_t base = 0; waiting > 0; base += AT_ONCE) {
        uint32_t count = waiting;
        waiting = 0;
        memset(work->taken, 0, (size_t)work->stages * work->net.ports);
        work->looked += (uint64_t)work->stages * (count + work->net.ports / 16);
        for (uint32_t place = 0; place < count; place++) {
            uint32_t source = work->order[place];
            unsigned found = fit(work, source);
            if (found == AT_ONCE) {
                work->order[waiting++] = source;
                continue;
            }
            work->trial[source] = base + found;
            passes = base + found + 1 > passes ? base + found + 1 : passes;
        }
    }
    return passes;
}

static void all_in_order(struct omega_passes *work)
{
    uint32_t count = 0;
    for (uint32_t source = 0; source < work->net.ports; source++)
        if (work->to[source] != MULTISTAGE_IDLE)
            work->order[count++] = source;
}

/* Sets the key of each circuit to its source or destination, with its bits reversed or not. */
static void key_by_port(struct omega_passes *work, bool by_destination, bool reversed)
{
    for (uint32_t source = 0; source < work->net.ports; source++) {
        uint32_t port = by_destination ? work->to[source] : source;
        work->key[source] = reversed ? bits_reverse(port, work->net.levels) : port;
    }
}

/* Sets the key of each circuit from its pass in the best division: the last pass first, or in a
 * random order. */
static void key_by_pass(struct omega_passes *work, const uint32_t pass[], uint32_t passes,
                        bool drawn)
{
    for (uint32_t number = 0; number < passes; number++)
        work->load[number] = passes - 1 - number;
    if (drawn)
        rng_permutation(&work->rng, passes, work->load);
    for (uint32_t place = 0; place < work->live; place++)
        work->key[work->order[place]] = work->load[pass[work->order[place]]];
}

/* Sets the key of each circuit from the number of circuits in its pass, the fullest pass first. */
static void key_by_fullness(struct omega_passes *work, const uint32_t pass[], uint32_t passes)
{
    for (uint32_t number = 0; number < passes; number++)
        work->load[number] = work->live;
    for (uint32_t place = 0; place < work->live; place++)
        work->load[pass[work->order[place]]]--;
    for (uint32_t place = 0; place < work->live; place++)
        work->key[work->order[place]] = work->load[pass[work->order[place]]];
}

/* Tries the order by key. Keeps the division if it is not worse than the best. Returns the number
 * of passes of the best. */
static uint32_t try_order(struct omega_passes *work, uint32_t best, uint32_t pass[])
{
    sort_by_key(work);
    uint32_t passes = first_fit(work);
    if (passes > best)
        return best;
    memcpy(pass, work->trial, work->net.ports * sizeof pass[0]);
    return passes;
}

bool omega_passes_divide(struct omega_passes *work, const uint32_t to[], uint32_t pass[],
                         struct omega_passes_count *count, struct err *err)
{
    uint32_t ports = work->net.ports, best = UINT32_MAX;
    if (!partial_count(to, ports, &work->live) ||
        partial_invert(to, ports, work->load) != work->live)
        return partial_refuse("omega", to, ports, work->load, err);
    memset(work->trial, 0xff, ports * sizeof work->trial[0]);
    memset(pass, 0xff, ports * sizeof pass[0]);
    work->to = to;
    work->looked = 0;
    work->rng = (struct rng){SEED};
    uint32_t bound = weigh_lanes(work);
    for (unsigned order = 0; order < 5 && best > bound && (order == 0 || work->looked < WORK);
         order++) {
        all_in_order(work);
        if (order > 0) /* the first order is by wanted lanes */
            key_by_port(work, order > 2, order % 2 == 0);
        best = try_order(work, best, pass);
    }
    for (unsigned again = 0; again < ORDERS_AGAIN && best > bound && work->looked < WORK; again++) {
        all_in_order(work);
        key_by_pass(work, pass, best, again % 3 == 1);
        /* after an order by pass, so that circuits of equally full passes stay apart */
        if (again % 3 == 2) {
            sort_by_key(work);
            key_by_fullness(work, pass, best);
        }
        best = try_order(work, best, pass);
    }
    *count = (struct omega_passes_count){best, bound};
    return true;
}
