/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/demand_routes.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

struct route_rule;

struct walk {
    const struct topology *topology;
    const struct route_rule *rule;
    bool one_link; /* a node has one port */
    struct demand_routes *routes;
    enum demand_routes_kind kind;
    struct rng *rng;
    uint32_t packet; /* counted from 0 */
    bool alone;      /* the packet leaves its source over one arc, … */
    uint32_t first;  /* … that of dimension first + 1; else it crosses that dimension first */
    uint32_t *seen;  /* seen[all]: the last packet, from 1, that reached the node, … */
    uint32_t *over;  /* over[all]: … and the hop over which it came */
};

/* The routing of packets in one kind of topology, and the ports that they use. */
struct route_rule {
    bool drawn; /* the kind of route may be drawn at random (enum demand_routes_kind) */

    /* Returns the next node after `at` on the route from `source` to another processor,
     * `wanted`. */
    uint32_t (*step)(const struct walk *walk, uint32_t source, uint32_t at, uint32_t wanted);

    /* Returns the maximum number of links between two processors. */
    uint32_t (*far)(const struct topology *topology);

    /* Return the number of ports, the port of a link, and the number of packets that a port sends
     * in a round. `one_link`: a node has one port for all its links. */
    uint32_t (*ports)(const struct topology *topology, bool one_link);
    uint32_t (*port)(const struct topology *topology, bool one_link, uint32_t from, uint32_t to);
    uint32_t (*width)(const struct topology *topology, bool one_link, uint32_t port);
};

/* Crosses the first dimension, counted cyclically from `first`, in which the nodes differ. */
static uint32_t cross(uint32_t at, uint32_t differs, uint32_t first)
{
    uint32_t from_first = differs >> first << first;
    return at ^ (from_first != 0 ? from_first & -from_first : differs & -differs);
}

static uint32_t cube_step(const struct walk *walk, uint32_t source, uint32_t at, uint32_t wanted)
{
    if (walk->alone && at == source)
        return topology_across(at, walk->first + 1);
    return cross(at, at ^ wanted, walk->alone ? walk->first + 1 : walk->first);
}

static uint32_t cube_far(const struct topology *cube)
{
    return cube->dimensions + 2;
}

/* In a tree defined by its parents: steps down to the child above the wanted leaf, or up. */
static uint32_t any_step(const struct topology *tree, uint32_t at, uint32_t wanted)
{
    if (!topology_is_below(tree, wanted, at))
        return topology_above(tree, at);
    uint32_t child = wanted;
    while (topology_above(tree, child) != at)
        child = topology_above(tree, child);
    return child;
}

static uint32_t tree_step(const struct walk *walk, uint32_t source, uint32_t at, uint32_t wanted)
{
    const struct topology *topology = walk->topology;
    (void)source;
    if (topology->any)
        return any_step(topology, at, wanted);
    unsigned level = topology_level(topology, at);
    bool below = wanted / topology->leaves[level] == topology_index(topology, level, at);
    return below ? topology_node(topology, level - 1, wanted / topology->leaves[level - 1])
                 : topology_parent(topology, level, at);
}

static uint32_t tree_far(const struct topology *tree)
{
    return tree->any ? tree->all : 2 * tree->height;
}

/* Each node has a port for each dimension. */
static uint32_t cube_ports(const struct topology *cube, bool one_link)
{
    (void)one_link;
    return cube->all * cube->dimensions;
}

static uint32_t cube_port(const struct topology *cube, bool one_link, uint32_t from, uint32_t to)
{
    (void)one_link;
    return from * cube->dimensions + topology_dimension(from, to) - 1;
}

/* An arc, or the only port of a node, carries one packet in a round. */
static uint32_t one_wide(const struct topology *topology, bool one_link, uint32_t port)
{
    (void)topology;
    (void)one_link;
    (void)port;
    return 1;
}

/* A branch has a port up from its lower node, and a port down to it, at offset `all`. */
static uint32_t tree_ports(const struct topology *tree, bool one_link)
{
    return one_link ? tree->all : 2 * tree->all;
}

static uint32_t tree_port(const struct topology *tree, bool one_link, uint32_t from, uint32_t to)
{
    return one_link || from < to ? from : tree->all + to;
}

static uint32_t tree_width(const struct topology *tree, bool one_link, uint32_t port)
{
    if (tree->any)
        return one_link ? 1 : tree->capacity[1];
    unsigned level = one_link ? 0 : topology_level(tree, port % tree->all) + 1;
    return level > 0 && level <= tree->height ? tree->capacity[level] : 1;
}

/* Goes along the dimensions in turn, beginning with one that depends on the packet, each the
 * shorter way round. If both directions are equally long, the packets of every other turn through
 * the dimensions go backwards. */
static uint32_t torus_step(const struct walk *walk, uint32_t source, uint32_t at, uint32_t wanted)
{
    const struct topology *torus = walk->topology;
    (void)source;
    unsigned axis = walk->packet % torus->axes + 1;
    while (topology_torus_place(torus, at, axis) == topology_torus_place(torus, wanted, axis))
        axis = axis % torus->axes + 1;
    uint32_t k = torus->side[axis], ahead = (topology_torus_place(torus, wanted, axis) + k -
                                             topology_torus_place(torus, at, axis)) %
                                            k;
    bool forward = 2 * ahead < k || (2 * ahead == k && walk->packet / torus->axes % 2 == 0);
    return topology_torus_next(torus, at, axis, forward);
}

static uint32_t torus_far(const struct topology *torus)
{
    uint32_t links = 0;
    for (unsigned axis = 1; axis <= torus->axes; axis++)
        links += torus->side[axis] / 2;
    return links;
}

static uint32_t torus_ports(const struct topology *torus, bool one_link)
{
    return torus->nodes * (one_link ? 1 : torus->arcs);
}

static uint32_t torus_port(const struct topology *torus, bool one_link, uint32_t from, uint32_t to)
{
    return one_link ? from : from * torus->arcs + topology_row(torus)->arc(torus, from, to);
}

static const struct route_rule rules[TOPOLOGY_KINDS] = {
    [TOPOLOGY_TREE] = {false, tree_step, tree_far, tree_ports, tree_port, tree_width},
    [TOPOLOGY_HYPERCUBE] = {true, cube_step, cube_far, cube_ports, cube_port, one_wide},
    [TOPOLOGY_TORUS] = {false, torus_step, torus_far, torus_ports, torus_port, one_wide},
};

/* Returns an upper bound of the number of links that the packets cross. */
static uint64_t count_most(const struct schedule *demands)
{
    const struct topology *topology = &demands->topology;
    uint64_t far = rules[topology->kind].far(topology), most = 0;
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
        next = walk->rule->step(walk, source, at, wanted);
        if (walk->seen[next] == walk->packet + 1)
            continue;
        uint32_t above = at == source ? DEMAND_ROUTES_NONE : walk->over[at];
        routes->hop[routes->count] = (struct demand_hop){
            .from = at,
            .to = next,
            .packet = walk->packet + 1,
            .before = above == DEMAND_ROUTES_NONE ? 0 : routes->hop[above].before + 1,
            .child = DEMAND_ROUTES_NONE,
            .next = DEMAND_ROUTES_NONE,
            .port = walk->rule->port(walk->topology, walk->one_link, at, next)};
        walk->seen[next] = walk->packet + 1;
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
    bool drawn = walk->rule->drawn && walk->kind == DEMAND_ROUTES_DRAWN;
    if (walk->rule->drawn)
        walk->first = drawn ? rng_below(walk->rng, dimensions) : walk->packet % dimensions;
    walk->alone = (drawn ? rng_below(walk->rng, 2) == 1 : walk->kind == DEMAND_ROUTES_ALONE) &&
                  schedule_wanted_by_others(demands, demand) > 1;
    walk->seen[demand->source] = walk->packet + 1;
    for (uint32_t k = 0; k < all; k++)
        walk_to(walk, demand->source, demand->wanted_count == 0 ? k : demand->wanted[k]);
    join(walk, begin, demand->source);
}

static void walk_all(struct walk *walk, const struct schedule *demands)
{
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        for (walk->packet = demand->first_packet - 1; walk->packet < demand->last_packet;
             walk->packet++)
            walk_packet(walk, demands, demand);
    }
}

bool demand_routes_differ(const struct topology *topology)
{
    return rules[topology->kind].drawn;
}

bool demand_routes_new(const struct schedule *demands, enum demand_routes_kind kind,
                       struct rng *rng, struct demand_routes *routes, struct err *err)
{
    const struct topology *topology = &demands->topology;
    const struct route_rule *rule = &rules[topology->kind];
    struct walk walk = {.topology = topology,
                        .rule = rule,
                        .one_link = model_row(demands->model)->one_link,
                        .kind = kind,
                        .rng = rng,
                        .routes = routes};
    uint64_t most = count_most(demands);
    *routes = (struct demand_routes){.ports = rule->ports(topology, walk.one_link)};
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
            routes->width[port] = rule->width(topology, walk.one_link, port);
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
