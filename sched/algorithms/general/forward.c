/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/forward.h"

#include "sched/base/arena.h"

#include <stdlib.h>

struct forward {
    const struct demand_ways *ways;
    uint64_t *key;          /* key[ways]: the largest leaves first */
    uint32_t *first;        /* first[ports + 1]: where the heap of a port begins, … */
    uint32_t *size;         /* size[ports]: … how many wait in it … */
    uint32_t *heap;         /* heap[ways]: … and which */
    uint32_t *way;          /* way[ways]: in the order in which they are sent, … */
    struct list_send *send; /* send[ways]: … and when */
    uint32_t sent;
    void *memory;
};

struct forward *forward_new(const struct demand_ways *ways, struct err *err)
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

void forward_free(struct forward *forward)
{
    if (forward == NULL)
        return;
    free(forward->memory);
    free(forward);
}

const struct list_send *forward_sends(const struct forward *forward, size_t *count)
{
    *count = forward->sent;
    return forward->send;
}

/* -- Packets that wait at a port: a heap ------------------------------------------------------- */

static void push(struct forward *forward, uint32_t w)
{
    uint32_t port = forward->ways->way[w].port, at = forward->size[port]++;
    uint32_t *heap = forward->heap + forward->first[port];
    for (; at > 0 && forward->key[heap[(at - 1) / 2]] < forward->key[w]; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = w;
}

/* Precondition: a packet waits at the port. */
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

/* Sends the packets that leave the ports in a round. Returns the round in which the last of them
 * arrives if no other packet delays it. */
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

uint64_t forward_find(struct forward *forward, uint32_t noise, struct rng *rng, uint64_t limit)
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
