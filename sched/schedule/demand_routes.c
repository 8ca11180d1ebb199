/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/demand_routes.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

struct walk {
    const struct topology *topology;
    const struct topology_row *row;
    bool one_link; /* a node has one port */
    struct demand_routes *routes;
    enum demand_routes_kind kind;
    struct rng *rng;
    struct topology_route route; /* of the packet */
    uint32_t *seen; /* seen[all]: the last packet, from 1, that reached the node, … */
    uint32_t *over; /* over[all]: … and the hop over which it came */
};

/* -- Ports ------------------------------------------------------------------------------------- */

/* A node has one port for all its links (`one_link`), or a port for each of its arcs. Where routers
 * are nodes, a branch instead has a port up from its lower node, and a port down to it, at offset
 * `all`. */
static uint32_t count_ports(const struct topology *topology, bool one_link)
{
    if (one_link)
        return topology->all;
    return topology->arcs > 0 ? topology->all * topology->arcs : 2 * topology->all;
}

static uint32_t port_of(const struct topology *topology, bool one_link, uint32_t from, uint32_t to)
{
    if (one_link)
        return from;
    if (topology->arcs > 0)
        return from * topology->arcs + topology_row(topology)->arc(topology, from, to);
    return from < to ? from : topology->all + to;
}

/* Returns the number of packets that a port sends in a round. */
static uint32_t port_width(const struct topology *topology, bool one_link, uint32_t port)
{
    return one_link || topology->arcs > 0 ? 1 : topology_lanes(topology, port % topology->all);
}

/* -- Routes ------------------------------------------------------------------------------------ */

/* Returns an upper bound of the number of links that the packets cross. */
static uint64_t count_most(const struct schedule *demands)
{
    const struct topology *topology = &demands->topology;
    uint64_t far = topology_row(topology)->far(topology), most = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        uint64_t each = demand->wanted_count * far;
        if (demand->wanted_count == 0 || each > topology->all)
            each = topology->all;
        most += each * (demand->last_packet - demand->first_packet + UINT64_C(1));
    }
    return most;
}

static void walk_to(struct walk *walk, uint32_t source, uint32_t wanted)
{
    struct demand_routes *routes = walk->routes;
    for (uint32_t at = source, next; at != wanted; at = next) {
        next = walk->row->next(walk->topology, &walk->route, source, at, wanted);
        if (walk->seen[next] == walk->route.packet + 1)
            continue;
        uint32_t above = at == source ? DEMAND_ROUTES_NONE : walk->over[at];
        routes->hop[routes->count] = (struct demand_hop){
            .from = at,
            .to = next,
            .packet = walk->route.packet + 1,
            .before = above == DEMAND_ROUTES_NONE ? 0 : routes->hop[above].before + 1,
            .child = DEMAND_ROUTES_NONE,
            .next = DEMAND_ROUTES_NONE,
            .port = port_of(walk->topology, walk->one_link, at, next)};
        walk->seen[next] = walk->route.packet + 1;
        walk->over[next] = routes->count++;
    }
}

/* Returns the number of rounds that a list of hops out of one node needs. Over a single port a
 * packet takes them one after another. */
static uint32_t after(const struct walk *walk, uint32_t first)
{
    uint32_t most = 0, delay = 0;
    for (uint32_t w = first; w != DEMAND_ROUTES_NONE; w = walk->routes->hop[w].next) {
        uint32_t rounds = walk->routes->hop[w].after + delay;
        most = MAX(most, rounds);
        delay += walk->one_link;
    }
    return most;
}

/* Computes the rounds after each hop, from the furthest hop back to the first, and inserts each hop
 * into the list of its node. */
static void join(struct walk *walk, uint32_t begin, uint32_t source)
{
    struct demand_hop *hop = walk->routes->hop;
    for (uint32_t w = walk->routes->count; w-- > begin;) {
        hop[w].after = 1 + after(walk, hop[w].child);
        if (hop[w].from == source)
            continue;
        uint32_t *place = &hop[walk->over[hop[w].from]].child;
        while (*place != DEMAND_ROUTES_NONE && hop[*place].after > hop[w].after)
            place = &hop[*place].next;
        hop[w].next = *place;
        *place = w;
    }
}

/* Finds the routes of one packet to all nodes that want it. */
static void walk_packet(struct walk *walk, const struct schedule *demands,
                        const struct demand *demand)
{
    uint32_t all = demand->wanted_count == 0 ? demands->nodes : demand->wanted_count;
    uint32_t begin = walk->routes->count, dimensions = walk->topology->dimensions;
    bool drawn = walk->row->several_routes && walk->kind == DEMAND_ROUTES_DRAWN;
    if (walk->row->several_routes)
        walk->route.first =
            drawn ? rng_below(walk->rng, dimensions) : walk->route.packet % dimensions;
    walk->route.alone =
        (drawn ? rng_below(walk->rng, 2) == 1 : walk->kind == DEMAND_ROUTES_ALONE) &&
        schedule_wanted_by_others(demands, demand) > 1;
    walk->seen[demand->source] = walk->route.packet + 1;
    for (uint32_t k = 0; k < all; k++)
        walk_to(walk, demand->source, demand->wanted_count == 0 ? k : demand->wanted[k]);
    join(walk, begin, demand->source);
}

static void walk_all(struct walk *walk, const struct schedule *demands)
{
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        for (walk->route.packet = demand->first_packet - 1;
             walk->route.packet < demand->last_packet; walk->route.packet++)
            walk_packet(walk, demands, demand);
    }
}

bool demand_routes_differ(const struct topology *topology)
{
    return topology_row(topology)->several_routes;
}

bool demand_routes_new(const struct schedule *demands, enum demand_routes_kind kind,
                       struct rng *rng, struct demand_routes *routes, struct err *err)
{
    const struct topology *topology = &demands->topology;
    struct walk walk = {.topology = topology,
                        .row = topology_row(topology),
                        .one_link = model_row(demands->model)->one_link,
                        .kind = kind,
                        .rng = rng,
                        .routes = routes};
    uint64_t most = count_most(demands);
    *routes = (struct demand_routes){.ports = count_ports(topology, walk.one_link)};
    if (!schedule_check_size(most, err))
        return false;
    const struct arena_array arrays[] = {ARENA(walk.seen, topology->all),
                                         ARENA(walk.over, topology->all)};
    void *memory = most < DEMAND_ROUTES_NONE ? arena_new(arrays, ARENA_COUNT(arrays)) : NULL;
    routes->hop = memory != NULL ? malloc((most + 1) * sizeof *routes->hop) : NULL;
    routes->width = memory != NULL ? calloc(routes->ports, sizeof *routes->width) : NULL;
    bool made = routes->hop != NULL && routes->width != NULL;
    if (made) {
        for (uint32_t port = 0; port < routes->ports; port++)
            routes->width[port] = port_width(topology, walk.one_link, port);
        walk_all(&walk, demands);
    } else {
        err_no_memory(err, "the routes of %" PRIu32 " packets", demands->packets);
        demand_routes_free(routes);
    }
    free(memory);
    return made;
}

void demand_routes_free(struct demand_routes *routes)
{
    free(routes->hop);
    free(routes->width);
    *routes = (struct demand_routes){0};
}
