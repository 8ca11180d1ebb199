/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/ports_to_nodes.h"

#include "sched/base/arena.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define FREE UINT32_MAX /* the endpoint has no transfer in this step */

/* --- A port for each packet ----------------------------------------------------------------- */

struct ports {
    const struct schedule *from;
    uint32_t *port; /* [packets + 1] of each packet */
    /* [nodes · ports], for senders and for receivers: the last step in which an endpoint was used,
     * counted from 1; while a step is coloured, the transfer that uses the endpoint, or FREE */
    uint32_t *sends, *receives;
    uint32_t *path; /* [2 · nodes] transfers */
};

static uint32_t endpoint_of(const struct ports *ports, uint32_t node, uint32_t port)
{
    return node * ports->from->ports + port;
}

/* Records that an endpoint sends, or receives, in step k. Returns whether it was free: unused in
 * step k and in the steps less than a unit of time before. `since` is the first of these steps. */
static bool use(uint32_t *last, size_t k, size_t since)
{
    bool is_free = *last <= since;
    *last = (uint32_t)k + 1;
    return is_free;
}

/* Returns whether all packets can keep to their ports. */
static bool keeps_to_ports(struct ports *ports)
{
    const struct schedule *from = ports->from;
    size_t endpoints = (size_t)from->nodes * from->ports;
    for (size_t endpoint = 0; endpoint < endpoints; endpoint++)
        ports->sends[endpoint] = ports->receives[endpoint] = 0;
    for (size_t k = 0, since = 0; k < from->step_count; k++) {
        while (from->step[since].time + from->lambda.denominator <= from->step[k].time)
            since++;
        for (size_t i = from->step[k].first; i < schedule_step_end(from, k); i++) {
            const struct transfer *now = &from->transfer[i];
            uint32_t port = ports->port[now->packet];
            bool sends = use(&ports->sends[endpoint_of(ports, now->source, port)], k, since);
            if (!sends ||
                !use(&ports->receives[endpoint_of(ports, now->destination, port)], k, since))
                return false;
        }
    }
    return true;
}

/* --- Packets that are sent once ------------------------------------------------------------- */

/* Returns whether every packet is sent once at most. */
static bool is_sent_once(struct ports *ports)
{
    const struct schedule *from = ports->from;
    bool once = true;
    for (size_t packet = 0; packet <= from->packets; packet++)
        ports->port[packet] = FREE;
    for (size_t i = 0; once && i < from->transfer_count; i++) {
        uint32_t *port = &ports->port[from->transfer[i].packet];
        once = *port == FREE;
        *port = 0;
    }
    return once;
}

static uint32_t free_port(const struct ports *ports, const uint32_t *uses, uint32_t node)
{
    uint32_t port = 0;
    while (uses[endpoint_of(ports, node, port)] != FREE)
        port++;
    return port;
}

/* Records `value`, a transfer or FREE, for the endpoints of a transfer at both ends. */
static void note(struct ports *ports, uint32_t i, uint32_t value)
{
    const struct transfer *now = &ports->from->transfer[i];
    uint32_t port = ports->port[now->packet];
    ports->sends[endpoint_of(ports, now->source, port)] = value;
    ports->receives[endpoint_of(ports, now->destination, port)] = value;
}

/* Frees port `a` of a receiver: exchanges ports a and b along the path of transfers that use them
 * alternately, starting at this receiver. The path cannot reach a sender whose port `a` is free. */
static void free_at_receiver(struct ports *ports, uint32_t receiver, uint32_t a, uint32_t b)
{
    const struct transfer *transfer = ports->from->transfer;
    size_t count = 0;
    uint32_t i = ports->receives[endpoint_of(ports, receiver, a)];
    for (bool at_receiver = true; i != FREE; at_receiver = !at_receiver) {
        ports->path[count++] = i;
        i = at_receiver ? ports->sends[endpoint_of(ports, transfer[i].source, b)]
                        : ports->receives[endpoint_of(ports, transfer[i].destination, a)];
    }
    for (size_t which = 0; which < count; which++)
        note(ports, ports->path[which], FREE);
    for (size_t which = 0; which < count; which++) {
        uint32_t *port = &ports->port[transfer[ports->path[which]].packet];
        *port = *port == a ? b : a;
        note(ports, ports->path[which], ports->path[which]);
    }
}

/* Assigns to each transfer of step k a port that no other transfer uses at either end. */
static void colour_step(struct ports *ports, size_t k)
{
    const struct schedule *from = ports->from;
    size_t first = from->step[k].first, end = schedule_step_end(from, k);
    for (size_t i = first; i < end; i++) {
        const struct transfer *now = &from->transfer[i];
        uint32_t a = free_port(ports, ports->sends, now->source);
        uint32_t b = free_port(ports, ports->receives, now->destination);
        free_at_receiver(ports, now->destination, a, b);
        ports->port[now->packet] = a;
        note(ports, (uint32_t)i, (uint32_t)i);
    }
    for (size_t i = first; i < end; i++)
        note(ports, (uint32_t)i, FREE);
}

static void colour(struct ports *ports)
{
    size_t endpoints = (size_t)ports->from->nodes * ports->from->ports;
    for (size_t endpoint = 0; endpoint < endpoints; endpoint++)
        ports->sends[endpoint] = ports->receives[endpoint] = FREE;
    for (size_t k = 0; k < ports->from->step_count; k++)
        colour_step(ports, k);
}

/* Finds a port for each packet. */
static bool find_ports(struct ports *ports)
{
    for (uint32_t packet = 1; packet <= ports->from->packets; packet++)
        ports->port[packet] = (packet - 1) % ports->from->ports;
    if (keeps_to_ports(ports))
        return true;
    if (!is_sent_once(ports))
        return false;
    colour(ports);
    return keeps_to_ports(ports); /* steps that overlap may disagree */
}

/* --- The schedule of endpoints -------------------------------------------------------------- */

/* Adds the demand of a packet between endpoints. wanted[nodes] is working memory. */
static bool add_demand(const struct ports *ports, const struct demand *demand, uint32_t packet,
                       uint32_t wanted[], struct schedule *single, struct err *err)
{
    uint32_t port = ports->port[packet];
    uint32_t count = demand->wanted_count > 0 ? demand->wanted_count : ports->from->nodes;
    for (uint32_t which = 0; which < count; which++)
        wanted[which] =
            endpoint_of(ports, demand->wanted_count > 0 ? demand->wanted[which] : which, port);
    return schedule_add_demand(single, 1, endpoint_of(ports, demand->source, port), wanted, count,
                               err);
}

static bool add_demands(const struct ports *ports, struct schedule *single, struct err *err)
{
    const struct schedule *from = ports->from;
    uint32_t *wanted = malloc(from->nodes * sizeof *wanted);
    bool added = wanted != NULL || err_no_memory(err, "%" PRIu32 " nodes", from->nodes);
    for (size_t which = 0; added && which < from->demand_count; which++) {
        const struct demand *demand = &from->demand[which];
        for (uint32_t packet = demand->first_packet; added && packet <= demand->last_packet;
             packet++)
            added = add_demand(ports, demand, packet, wanted, single, err);
    }
    free(wanted);
    return added;
}

static bool add_steps(const struct ports *ports, struct schedule *single, struct err *err)
{
    const struct schedule *from = ports->from;
    if (!schedule_reserve(single, from->step_count, from->transfer_count, err))
        return false;
    for (size_t k = 0; k < from->step_count; k++) {
        size_t first = from->step[k].first, count = schedule_step_end(from, k) - first;
        struct transfer *put = schedule_open_step(single, from->step[k].time, count, err);
        if (put == NULL)
            return false;
        for (size_t which = 0; which < count; which++) {
            struct transfer now = from->transfer[first + which];
            uint32_t port = ports->port[now.packet];
            put[which] = (struct transfer){endpoint_of(ports, now.source, port),
                                           endpoint_of(ports, now.destination, port), now.packet};
        }
        schedule_close_step(single, count);
    }
    return true;
}

static bool rewrite(const struct ports *ports, struct schedule *single, struct err *err)
{
    const struct schedule *from = ports->from;
    const struct topology topology = topology_complete(from->nodes * from->ports);
    /* The two transfers of a call may be assigned different ports. */
    enum model model = model_row(from->model)->pairs ? MODEL_SEND_RECEIVE : from->model;
    if (!schedule_init_empty(single, from->algorithm, &topology, model, err))
        return false;
    single->lambda = from->lambda;
    single->stream = from->stream;
    bool written = add_demands(ports, single, err) && add_steps(ports, single, err);
    if (!written)
        schedule_free(single);
    return written;
}

bool ports_to_nodes(const struct schedule *several, struct schedule *single, struct err *err)
{
    uint64_t endpoints = (uint64_t)several->nodes * several->ports;
    if (endpoints > SCHEDULE_MAX_NODES)
        return err_set(err, ERR_RANGE,
                       "%" PRIu32 " nodes of %" PRIu32 " ports; expected at most %" PRIu32 " ports",
                       several->nodes, several->ports, SCHEDULE_MAX_NODES);
    if (schedule_data_packets(several) != several->packets)
        return err_set(err, ERR_UNSUPPORTED,
                       "the schedule has control packets; expected none on nodes of several ports");
    struct ports ports = {.from = several};
    void *memory = arena_new((const struct arena_array[]){ARENA(ports.port, several->packets + 1),
                                                          ARENA(ports.sends, endpoints),
                                                          ARENA(ports.receives, endpoints),
                                                          ARENA(ports.path, 2 * several->nodes)},
                             4);
    if (memory == NULL)
        return err_no_memory(err, "the ports of %" PRIu32 " packets", several->packets);
    bool written =
        find_ports(&ports) ? rewrite(&ports, single, err) : ports_share(several, single, err);
    free(memory);
    return written;
}
