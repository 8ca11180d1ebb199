/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/best.h"

#include "sched/algorithms/general/list.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "sched/schedule/demand_routes.h"

#include <stdlib.h>

/* -- Forwarding -------------------------------------------------------------------------------- */

/* Schedules any demands on a topology other than the complete graph, round by round.
 *
 * Packets follow their routes (demand_routes.h). Packets that wait at a port leave it in the order
 * of their remaining work, the most first; equals leave in the order of the demands.
 */

/* Working memory for the links of all routes (`routes`), which must outlive it. */
struct forward {
    const struct demand_routes *routes;
    uint64_t *key;          /* key[hops]: the largest key leaves first */
    uint32_t *first;        /* first[ports + 1]: start of each port's heap */
    uint32_t *size;         /* size[ports]: number of hops in each heap */
    uint32_t *heap;         /* heap[hops]: the heaps */
    uint32_t *hop;          /* hop[hops]: the hops in the order in which they are sent */
    struct list_send *send; /* send[hops]: their sends */
    uint32_t sent;
    void *memory;
};

static void forward_free(struct forward *forward)
{
    if (forward == NULL)
        return;
    free(forward->memory);
    free(forward);
}

/* Allocates the working memory. Returns NULL with E104. */
static struct forward *forward_new(const struct demand_routes *routes, struct err *err)
{
    struct forward *forward = calloc(1, sizeof *forward);
    size_t count = routes->count, ports = routes->ports;
    if (forward != NULL) {
        const struct arena_array arrays[] = {
            ARENA(forward->key, count),  ARENA(forward->first, ports + 1),
            ARENA(forward->size, ports), ARENA(forward->heap, count),
            ARENA(forward->hop, count),  ARENA(forward->send, count)};
        forward->routes = routes;
        forward->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (forward == NULL || forward->memory == NULL) {
        err_no_memory(err, "%zu packets to send", count);
        forward_free(forward);
        return NULL;
    }
    for (size_t w = 0; w < count; w++)
        forward->first[routes->hop[w].port + 1]++;
    for (size_t port = 0; port < ports; port++)
        forward->first[port + 1] += forward->first[port];
    return forward;
}

static const struct list_send *forward_sends(const struct forward *forward, size_t *count)
{
    *count = forward->sent;
    return forward->send;
}

/* -- The heap of the packets that wait at a port ----------------------------------------------- */

static void push(struct forward *forward, uint32_t w)
{
    uint32_t port = forward->routes->hop[w].port, at = forward->size[port]++;
    uint32_t *heap = forward->heap + forward->first[port];
    for (; at > 0 && forward->key[heap[(at - 1) / 2]] < forward->key[w]; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = w;
}

/* Removes and returns the hop with the largest key. Precondition: a packet waits at the port. */
static uint32_t pop(struct forward *forward, uint32_t port)
{
    uint32_t *heap = forward->heap + forward->first[port], size = --forward->size[port];
    uint32_t top = heap[0], last = heap[size], at = 0;
    for (uint32_t child = 1; child < size; child = 2 * at + 1) {
        child += child + 1 < size && forward->key[heap[child + 1]] > forward->key[heap[child]];
        if (forward->key[last] >= forward->key[heap[child]])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* -- Rounds ------------------------------------------------------------------------------------ */

static void push_all(struct forward *forward, uint32_t first)
{
    for (uint32_t w = first; w != DEMAND_ROUTES_NONE; w = forward->routes->hop[w].next)
        push(forward, w);
}

static void begin(struct forward *forward, uint32_t noise, struct rng *rng)
{
    const struct demand_routes *routes = forward->routes;
    forward->sent = 0;
    for (uint32_t port = 0; port < routes->ports; port++)
        forward->size[port] = 0;
    for (uint32_t w = 0; w < routes->count; w++) {
        uint64_t rounds = routes->hop[w].after + (noise > 0 ? rng_below(rng, noise + 1) : 0);
        forward->key[w] = rounds << 32 | (DEMAND_ROUTES_NONE - w);
    }
    for (uint32_t w = 0; w < routes->count; w++)
        if (routes->hop[w].before == 0)
            push(forward, w);
}

/* Sends the packets that leave the ports in a round. Returns the round in which the last delivery
 * that depends on them ends if no other packet delays it. */
static uint64_t send_round(struct forward *forward, uint64_t round)
{
    const struct demand_routes *routes = forward->routes;
    uint64_t last = round;
    for (uint32_t port = 0; port < routes->ports; port++)
        for (uint32_t k = 0; k < routes->width[port] && forward->size[port] > 0; k++) {
            uint32_t w = pop(forward, port);
            const struct demand_hop *hop = &routes->hop[w];
            forward->hop[forward->sent] = w;
            forward->send[forward->sent++] =
                (struct list_send){round, {hop->from, hop->to, hop->packet}};
            last = round + hop->after - 1 > last ? round + hop->after - 1 : last;
        }
    return last;
}

/* Finds a schedule that ends before `limit`; up to `noise` rounds are added at random to the
 * remaining work of a packet. Returns the end, or UINT64_MAX if the schedule would not end before
 * the limit. forward_sends returns the sends, one for each hop, until the next call. O(hops · log
 * hops + ports · rounds). */
static uint64_t forward_find(struct forward *forward, uint32_t noise, struct rng *rng,
                             uint64_t limit)
{
    uint64_t round = 0;
    begin(forward, noise, rng);
    for (uint32_t before = 0; forward->sent < forward->routes->count; before = forward->sent) {
        if (send_round(forward, ++round) >= limit)
            return UINT64_MAX;
        for (uint32_t k = before; k < forward->sent; k++)
            push_all(forward, forward->routes->hop[forward->hop[k]].child);
    }
    return round;
}

/* Maximum number of times that routes are drawn in a hypercube. */
#define DRAWS 48

/* Returns the maximum number of schedules to try for these routes. */
static uint64_t most_tries(const struct demand_routes *routes)
{
    uint64_t drawn = BEST_WORK / (routes->count * UINT64_C(100) + 1);
    return 1 + MIN(drawn, BEST_DRAWN);
}

/* Tries schedules of these routes, the first without noise, until one ends at the bound. E104. */
static bool search_routes(const struct demand_routes *routes, uint64_t bound, uint64_t tries,
                          struct rng *rng, struct best *best, struct err *err)
{
    struct forward *forward = forward_new(routes, err);
    bool kept = forward != NULL;
    for (uint64_t k = 0; kept && best->end > bound && k < tries; k++) {
        size_t count;
        uint64_t end = forward_find(forward, k > 0 ? 1u << rng_below(rng, 5) : 0, rng, best->end);
        const struct list_send *send = forward_sends(forward, &count);
        if (end < best->end)
            kept = best_keep(best, end, send, count, err);
    }
    forward_free(forward);
    return kept;
}

bool network_schedule(const struct collective *collective, const struct schedule *demands,
                      struct best *best, struct err *err)
{
    struct schedule known = {0};
    bool made = known_network(demands, &known, err) &&
                (known.transfer_count == 0 || best_take(best, &known, err));
    schedule_free(&known);
    return made && network_routes(collective, demands, best, err);
}

bool network_routes(const struct collective *collective, const struct schedule *demands,
                    struct best *best, struct err *err)
{
    struct rng rng = {collective->seed};
    uint64_t bound = bound_end(collective);
    bool made = true;
    bool several = demand_routes_differ(&demands->topology);
    uint64_t kinds = several ? DEMAND_ROUTES_DRAWN + DRAWS : 1, tried = 0, tries = 1;
    for (unsigned k = 0; made && best->end > bound && k < kinds && tried < tries; k++) {
        struct demand_routes routes = {0};
        enum demand_routes_kind kind = MIN(k, DEMAND_ROUTES_DRAWN);
        made = demand_routes_new(demands, kind, &rng, &routes, err);
        tries = DEMAND_ROUTES_DRAWN + most_tries(&routes);
        uint64_t each = bits_divide_up(tries, kinds);
        made = made && search_routes(&routes, bound, each, &rng, best, err);
        tried += each;
        demand_routes_free(&routes);
    }
    return made;
}
