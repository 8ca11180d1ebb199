/* SPDX-License-Identifier: Apache-2.0 */
/* bound_mesh: lower bounds in a mesh of N dimensions and sides k_1, k_2, …: n processors, of which
 * a corner has N links, e links to the furthest node from the source, and D = Σ(k_j - 1) links
 * between opposite corners. All bounds count links. O(dimensions) unless stated otherwise. */
#include "sched/base/bits.h"
#include "sched/bound/bound_links.h"
#include "sched/bound/bound_rows.h"
#include "sched/shape/grid.h"

static const struct topology *mesh_of(const struct collective *collective)
{
    return collective->topology;
}

/* Returns the number of links from the source to the end of a dimension that is further away. */
static uint64_t to_end(const struct collective *collective, unsigned axis)
{
    uint32_t place = grid_place(mesh_of(collective), collective->source, axis);
    return bound_larger(place, mesh_of(collective)->side[axis] - 1 - place);
}

/* Returns e, the distance of the corner that is furthest from the source. */
static uint64_t furthest(const struct collective *collective)
{
    uint64_t links = 0;
    for (unsigned axis = 1; axis <= mesh_of(collective)->axes; axis++)
        links += to_end(collective, axis);
    return links;
}

static uint64_t diameter(const struct collective *collective)
{
    return topology_row(mesh_of(collective))->far(mesh_of(collective));
}

/* The furthest corner receives m packets over N links, the first of them in round e. In a reduction
 * it sends m packets, the last of which has e - 1 more links to go. */
static uint64_t last_packet(const struct collective *collective)
{
    return furthest(collective) + bits_divide_up(collective->m, mesh_of(collective)->axes) - 1;
}

/* The last packet leaves the source in round m or later. From then on the number of nodes that have
 * it at most doubles in a round. */
static uint64_t last_packet_single(const struct collective *collective)
{
    return collective->m - 1 + bound_larger(furthest(collective), bits_log2_up(collective->n));
}

/* The node that is furthest from the destination of a reduction sends m packets, the last of them
 * in round m or later. */
static uint64_t last_sent(const struct collective *collective)
{
    return collective->m - UINT64_C(1) + furthest(collective);
}

/* The packets of m for each other node, over `links` links of one node. */
static uint64_t over(const struct collective *collective, uint64_t links)
{
    return bits_divide_up((uint64_t)collective->m * (collective->n - 1), links);
}

static uint64_t root_receipts(const struct collective *collective)
{
    return over(collective,
                topology_row(mesh_of(collective))->degree(mesh_of(collective), collective->source));
}

static uint64_t root_sends(const struct collective *collective)
{
    return over(collective, bound_links_sends(collective, collective->source));
}

/* A corner has the fewest links. */
static uint64_t receipts(const struct collective *collective)
{
    return over(collective, mesh_of(collective)->axes);
}

static uint64_t sends(const struct collective *collective)
{
    return over(collective, bound_links_sends(collective, 0));
}

/* A plane between the source and the further end of a dimension separates up to k_j - 1 planes of
 * nodes; the packets of these nodes cross it, a link for each node of a plane. */
static uint64_t root_cut(const struct collective *collective)
{
    uint64_t most = 0;
    for (unsigned axis = 1; axis <= mesh_of(collective)->axes; axis++)
        most = bound_larger(most, to_end(collective, axis));
    return most * collective->m;
}

/* The packets of all nodes but those at one end of a dimension cross the links to these. In a
 * reduce-scatter the packets for the other nodes do, backwards. */
static uint64_t end_cut(const struct collective *collective)
{
    uint64_t most = 0;
    for (unsigned axis = 1; axis <= mesh_of(collective)->axes; axis++)
        most = bound_larger(most, mesh_of(collective)->side[axis] - 1);
    return most * collective->m;
}

/* Each of the n/k_j ⌊k_j/2⌋ nodes of one half sends m packets to each node of the other half, over
 * n/k_j links. */
static uint64_t bisection(const struct collective *collective)
{
    uint64_t most = 0;
    for (unsigned axis = 1; axis <= mesh_of(collective)->axes; axis++) {
        uint64_t k = mesh_of(collective)->side[axis];
        most = bound_larger(most, (k / 2) * ((k + 1) / 2) * (collective->n / k));
    }
    return most * collective->m;
}

/* Along dimension j the distances of all pairs of a line are k_j (k_j² - 1)/3 altogether, of all
 * nodes (n/k_j)² as much. Each packet crosses as many links as its distance, and all nodes together
 * send over n links in a round (single-port) or over all 2 Σ (k_j - 1) n/k_j arcs. */
static uint64_t distances(const struct collective *collective)
{
    const struct topology *mesh = mesh_of(collective);
    uint64_t arcs = 0;
    unsigned __int128 links = 0;
    for (unsigned axis = 1; axis <= mesh->axes; axis++) {
        uint64_t k = mesh->side[axis], lines = collective->n / k;
        links += (unsigned __int128)(lines * lines) * (k * (k * k - 1) / 3);
        arcs += 2 * (k - 1) * lines;
    }
    uint64_t sent = model_row(collective->model)->one_link ? collective->n : arcs;
    return (uint64_t)((links * collective->m + sent - 1) / sent);
}

#define MESH_SINGLE (1u << MODEL_MESH_SINGLE_PORT)
#define MESH_MULTI (1u << MODEL_MESH_MULTIPORT)
#define MESH (MESH_SINGLE | MESH_MULTI)

const struct bound bound_mesh[] = {
    {"last-packet", "e-1+⌈m/N⌉", "counted: links into the furthest corner", MESH_MULTI,
     BROADCAST | REDUCTIONS, NULL, last_packet},
    {"last-packet", "m-1+max(e, ⌈log2 n⌉)", "counted: nodes that have a packet at most double",
     MESH_SINGLE, BROADCAST, NULL, last_packet_single},
    {"last-packet", "m-1+e", "counted: packets that the furthest node sends", MESH_SINGLE,
     REDUCTIONS, NULL, last_sent},
    {"furthest", "e", "counted: links to the furthest node", MESH, SCATTER | GATHER, NULL,
     furthest},
    {"diameter", "D", "counted: links between opposite corners", MESH,
     ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, diameter},
    {"receipts", "⌈m(n-1)/links of the root⌉", "counted: links into the root", MESH, GATHER, NULL,
     root_receipts},
    {"receipts", "⌈m(n-1)/N⌉", "counted: links into a corner", MESH, ALL_GATHER | TOTAL_EXCHANGE,
     NULL, receipts},
    {"sends", "⌈m(n-1)/links of the root⌉, m(n-1) in single-port", "counted: links out of the root",
     MESH, SCATTER, NULL, root_sends},
    {"sends", "⌈m(n-1)/N⌉, m(n-1) in single-port", "counted: links out of a corner", MESH,
     TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, sends},
    {"sends", "m(n-1)", "counted: sends of all nodes", MESH_SINGLE, ALL_GATHER, NULL, sends},
    {"cut", "m max_j (links to the further end)", "counted: links beside the root's plane", MESH,
     SCATTER | GATHER, NULL, root_cut},
    {"cut", "m max_j (k_j-1)", "counted: links into the last plane", MESH,
     ALL_GATHER | REDUCE_SCATTER, NULL, end_cut},
    {"bisection", "m max_j ⌊k_j/2⌋⌈k_j/2⌉n/k_j", "counted: arcs between two halves", MESH,
     TOTAL_EXCHANGE, NULL, bisection},
    {"distances", "⌈m Σ distances/arcs⌉, ⌈m Σ distances/n⌉ in single-port",
     "counted: links that all packets cross", MESH, TOTAL_EXCHANGE, NULL, distances},
    {"distance", "max over packets of the links to the furthest", "a link takes a round", MESH,
     DEMANDS, NULL, bound_links_distance},
    {"arcs",
     "max over nodes of ⌈packets wanted/links⌉, ⌈packets of its own/links⌉ (single-port: "
     "not /links)",
     "arcs into and out of a node", MESH, DEMANDS, NULL, bound_links_arcs},
    {"all-links", "⌈Σ max(wanted, distance)/arcs⌉ (single-port: /n)",
     "links that packets cross at least", MESH, DEMANDS, NULL, bound_links_all},
    {0},
};
