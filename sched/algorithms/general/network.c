/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/network.h"

#include "sched/algorithms/general/known.h"
#include "sched/algorithms/general/list.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "sched/schedule/demand_ways.h"

#include <stdlib.h>

/* -- Forwarding -------------------------------------------------------------------------------- */

/* Schedules any demands in a tree, hypercube or torus, round by round.
 *
 * Packets follow their routes (demand_ways.h). Packets that wait at a port leave it in the order of
 * their remaining work, the most first; equals leave in the order of the demands.
 */

/* Working memory for the links of all routes (`ways`), which must outlive it. */
struct forward {
    const struct demand_ways *ways;
    uint64_t *key;          /* key[ways]: the largest key leaves first */
    uint32_t *first;        /* first[ports + 1]: start of each port's heap */
    uint32_t *size;         /* size[ports]: number of ways in each heap */
    uint32_t *heap;         /* heap[ways]: the heaps */
    uint32_t *way;          /* way[ways]: the ways in the order in which they are sent */
    struct list_send *send; /* send[ways]: their sends */
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
static struct forward *forward_new(const struct demand_ways *ways, struct err *err)
{
    struct forward *forward = calloc(1, sizeof *forward);
    size_t count = ways->count, ports = ways->ports;
    if (forward != NULL) {
        const struct arena_array arrays[] = {
            ARENA(forward->key, count),  ARENA(forward->first, ports + 1),
            ARENA(forward->size, ports), ARENA(forward->heap, count),
            ARENA(forward->way, count),  ARENA(forward->send, count)};
        forward->ways = ways;
        forward->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (forward == NULL || forward->memory == NULL) {
        err_no_memory(err, "%zu packets to send", count);
        forward_free(forward);
        return NULL;
    }
    for (size_t w = 0; w < count; w++)
        forward->first[ways->way[w].port + 1]++;
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
    uint32_t port = forward->ways->way[w].port, at = forward->size[port]++;
    uint32_t *heap = forward->heap + forward->first[port];
    for (; at > 0 && forward->key[heap[(at - 1) / 2]] < forward->key[w]; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = w;
}

/* Removes and returns the way with the largest key. Precondition: a packet waits at the port. */
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
    for (uint32_t w = first; w != DEMAND_WAYS_NONE; w = forward->ways->way[w].next)
        push(forward, w);
}

static void begin(struct forward *forward, uint32_t noise, struct rng *rng)
{
    const struct demand_ways *ways = forward->ways;
    forward->sent = 0;
    for (uint32_t port = 0; port < ways->ports; port++)
        forward->size[port] = 0;
    for (uint32_t w = 0; w < ways->count; w++) {
        uint64_t rounds = ways->way[w].after + (noise > 0 ? rng_below(rng, noise + 1) : 0);
        forward->key[w] = rounds << 32 | (DEMAND_WAYS_NONE - w);
    }
    for (uint32_t w = 0; w < ways->count; w++)
        if (ways->way[w].before == 0)
            push(forward, w);
}

/* Sends the packets that leave the ports in a round. Returns the round in which the last delivery
 * that depends on them ends if no other packet delays it. */
static uint64_t send_round(struct forward *forward, uint64_t round)
{
    const struct demand_ways *ways = forward->ways;
    uint64_t last = round;
    for (uint32_t port = 0; port < ways->ports; port++)
        for (uint32_t k = 0; k < ways->width[port] && forward->size[port] > 0; k++) {
            uint32_t w = pop(forward, port);
            const struct demand_way *way = &ways->way[w];
            forward->way[forward->sent] = w;
            forward->send[forward->sent++] =
                (struct list_send){round, {way->from, way->to, way->packet}};
            last = round + way->after - 1 > last ? round + way->after - 1 : last;
        }
    return last;
}

/* Finds a schedule that ends before `limit`; up to `noise` rounds are added at random to the
 * remaining work of a packet. Returns the end, or UINT64_MAX if the schedule would not end before
 * the limit. forward_sends returns the sends, one for each way, until the next call. O(ways · log
 * ways + ports · rounds). */
static uint64_t forward_find(struct forward *forward, uint32_t noise, struct rng *rng,
                             uint64_t limit)
{
    uint64_t round = 0;
    begin(forward, noise, rng);
    for (uint32_t before = 0; forward->sent < forward->ways->count; before = forward->sent) {
        if (send_round(forward, ++round) >= limit)
            return UINT64_MAX;
        for (uint32_t k = before; k < forward->sent; k++)
            push_all(forward, forward->ways->way[forward->way[k]].child);
    }
    return round;
}

/* Maximum number of times that routes are drawn in a hypercube. */
#define DRAWS 48

/* Returns the maximum number of schedules to try for these routes. */
static uint64_t most_tries(const struct demand_ways *ways)
{
    uint64_t drawn = BEST_WORK / (ways->count * UINT64_C(100) + 1);
    return 1 + MIN(drawn, BEST_DRAWN);
}

/* Tries schedules of these routes, the first without noise, until one ends at the bound. E104. */
static bool search_ways(const struct demand_ways *ways, uint64_t bound, uint64_t tries,
                        struct rng *rng, struct best *best, struct err *err)
{
    struct forward *forward = forward_new(ways, err);
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
    return made && network_ways(collective, demands, best, err);
}

bool network_ways(const struct collective *collective, const struct schedule *demands,
                  struct best *best, struct err *err)
{
    struct rng rng = {collective->seed};
    uint64_t bound = bound_end(collective);
    bool made = true;
    bool several = demand_ways_differ(&demands->topology);
    uint64_t kinds = several ? DEMAND_WAYS_DRAWN + DRAWS : 1, tried = 0, tries = 1;
    for (unsigned k = 0; made && best->end > bound && k < kinds && tried < tries; k++) {
        struct demand_ways ways = {0};
        enum demand_ways_kind kind = MIN(k, DEMAND_WAYS_DRAWN);
        made = demand_ways_new(demands, kind, &rng, &ways, err);
        tries = DEMAND_WAYS_DRAWN + most_tries(&ways);
        uint64_t each = bits_divide_up(tries, kinds);
        made = made && search_ways(&ways, bound, each, &rng, best, err);
        tried += each;
        demand_ways_free(&ways);
    }
    return made;
}
