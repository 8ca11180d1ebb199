/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/ports_to_nodes.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sharing {
    const struct schedule *from;
    /* [nodes · ports], for senders and for receivers: the last step in which an endpoint was used,
     * counted from 1 */
    uint32_t *sends, *receives;
    struct transfer *transfer; /* [transfers]: between endpoints */
    /* receipt[first[p] … first[p + 1] - 1]: the transfers of packet p, in the order of time */
    size_t *first;
    uint32_t *receipt;
    uint32_t *seen;   /* [nodes]: the last packet that the node has received */
    uint32_t *wanted; /* [nodes]: endpoints */
};

static uint32_t first_endpoint(const struct sharing *sharing, uint32_t node)
{
    return node * sharing->from->ports;
}

/* Returns an endpoint of a node that has been unused since step `since`, and uses it in step k. A
 * legal schedule has one, because all transfers take as long. */
static uint32_t use_endpoint(const struct sharing *sharing, uint32_t *last, uint32_t node, size_t k,
                             size_t since)
{
    uint32_t endpoint = first_endpoint(sharing, node);
    while (last[endpoint] > since)
        endpoint++;
    last[endpoint] = (uint32_t)k + 1;
    return endpoint;
}

/* Assigns an endpoint to both ends of every transfer. */
static void assign_endpoints(struct sharing *sharing)
{
    const struct schedule *from = sharing->from;
    for (size_t k = 0, since = 0; k < from->step_count; k++) {
        while (from->step[since].time + from->lambda.denominator <= from->step[k].time)
            since++;
        for (size_t i = from->step[k].first; i < schedule_step_end(from, k); i++) {
            const struct transfer *now = &from->transfer[i];
            sharing->transfer[i] = (struct transfer){
                use_endpoint(sharing, sharing->sends, now->source, k, since),
                use_endpoint(sharing, sharing->receives, now->destination, k, since), now->packet};
        }
    }
}

/* Sorts the receipts by packet. */
static void sort_receipts(struct sharing *sharing)
{
    const struct schedule *from = sharing->from;
    for (size_t i = 0; i < from->transfer_count; i++)
        sharing->first[from->transfer[i].packet + 1]++;
    for (uint32_t packet = 1; packet <= from->packets; packet++)
        sharing->first[packet + 1] += sharing->first[packet];
    for (size_t i = from->transfer_count; i-- > 0;)
        sharing->receipt[--sharing->first[from->transfer[i].packet + 1]] = (uint32_t)i;
}

static int compare_endpoints(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

/* Adds the demand of a packet. The nodes that want it are marked in `wants`, or all if it is
 * NULL. */
static bool add_demand(struct sharing *sharing, uint32_t source, uint32_t packet, const bool *wants,
                       struct schedule *single, struct err *err)
{
    const struct schedule *from = sharing->from;
    uint32_t count = 0;
    if (wants == NULL || wants[source])
        sharing->wanted[count++] = first_endpoint(sharing, source);
    sharing->seen[source] = packet;
    for (size_t k = sharing->first[packet + 1];
         k < from->transfer_count && from->transfer[sharing->receipt[k]].packet == packet; k++) {
        uint32_t i = sharing->receipt[k], node = from->transfer[i].destination;
        if (sharing->seen[node] != packet && (wants == NULL || wants[node]))
            sharing->wanted[count++] = sharing->transfer[i].destination;
        sharing->seen[node] = packet;
    }
    qsort(sharing->wanted, count, sizeof *sharing->wanted, compare_endpoints);
    return schedule_add_demand(single, 1, first_endpoint(sharing, source), sharing->wanted, count,
                               err);
}

static bool add_demands(struct sharing *sharing, struct schedule *single, struct err *err)
{
    const struct schedule *from = sharing->from;
    bool *wants = calloc(from->nodes, sizeof *wants);
    bool added = wants != NULL || err_no_memory(err, "%" PRIu32 " nodes", from->nodes);
    for (size_t d = 0; added && d < from->demand_count; d++) {
        const struct demand *demand = &from->demand[d];
        for (uint32_t k = 0; k < demand->wanted_count; k++)
            wants[demand->wanted[k]] = true;
        for (uint32_t packet = demand->first_packet; added && packet <= demand->last_packet;
             packet++)
            added = add_demand(sharing, demand->source, packet,
                               demand->wanted_count > 0 ? wants : NULL, single, err);
        for (uint32_t k = 0; k < demand->wanted_count; k++)
            wants[demand->wanted[k]] = false;
    }
    free(wants);
    return added;
}

static bool add_steps(const struct sharing *sharing, struct schedule *single, struct err *err)
{
    const struct schedule *from = sharing->from;
    if (!schedule_reserve(single, from->step_count, from->transfer_count, err))
        return false;
    for (size_t k = 0; k < from->step_count; k++) {
        size_t first = from->step[k].first, count = schedule_step_end(from, k) - first;
        struct transfer *room = schedule_open_step(single, from->step[k].time, count, err);
        if (room == NULL)
            return false;
        memcpy(room, sharing->transfer + first, count * sizeof *room);
        schedule_close_step(single, count);
    }
    return true;
}

static bool rewrite(struct sharing *sharing, struct schedule *single, struct err *err)
{
    const struct schedule *from = sharing->from;
    struct topology topology = topology_complete(from->nodes * from->ports);
    topology.shared = from->ports;
    /* The two transfers of a call may be assigned different ports. */
    enum model model = model_row(from->model)->pairs ? MODEL_SEND_RECEIVE : from->model;
    if (!schedule_init_empty(single, from->algorithm, &topology, model, err))
        return false;
    single->lambda = from->lambda;
    single->stream = from->stream;
    assign_endpoints(sharing);
    sort_receipts(sharing);
    bool written = add_demands(sharing, single, err) && add_steps(sharing, single, err);
    if (!written)
        schedule_free(single);
    return written;
}

bool ports_share(const struct schedule *several, struct schedule *single, struct err *err)
{
    struct sharing sharing = {.from = several};
    size_t endpoints = (size_t)several->nodes * several->ports;
    const struct arena_array arrays[] = {ARENA(sharing.sends, endpoints),
                                         ARENA(sharing.receives, endpoints),
                                         ARENA(sharing.transfer, several->transfer_count + 1),
                                         ARENA(sharing.first, (size_t)several->packets + 2),
                                         ARENA(sharing.receipt, several->transfer_count + 1),
                                         ARENA(sharing.seen, several->nodes),
                                         ARENA(sharing.wanted, several->nodes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the endpoints of %zu transfers", several->transfer_count);
    bool written = rewrite(&sharing, single, err);
    free(memory);
    return written;
}
