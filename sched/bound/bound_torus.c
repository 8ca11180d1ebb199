/* SPDX-License-Identifier: Apache-2.0 */
/* bound_torus: lower bounds in a torus of sides k_1, k_2, …: N processors, a = Σ (2, or 1 if k_j =
 * 2) arcs out of and into each of them, and D = Σ⌊k_j/2⌋, the distance from a node to the furthest.
 * All bounds count links; a torus looks the same from each node. O(dimensions) unless stated
 * otherwise. */
#include "sched/base/bits.h"
#include "sched/bound/bound_links.h"
#include "sched/bound/bound_rows.h"

static const struct topology *torus_of(const struct collective *collective)
{
    return collective->topology;
}

/* Returns the number of packets that a node can send in a round. */
static uint64_t sends_of(const struct collective *collective)
{
    return bound_links_sends(collective, 0);
}

static uint64_t diameter(const struct collective *collective)
{
    return topology_row(torus_of(collective))->far(torus_of(collective));
}

/* Returns the rounds until one packet is at all nodes. If each node sends one packet in a round,
 * the number of nodes that have the packet at most doubles. */
static uint64_t one_packet(const struct collective *collective)
{
    uint64_t far = diameter(collective);
    bool doubles = model_row(collective->model)->one_link;
    return doubles ? bound_larger(far, bits_log2_up(collective->n)) : far;
}

/* The last of m packets leaves the source in round ⌈m/s⌉ or later. */
static uint64_t last_packet(const struct collective *collective)
{
    return bits_divide_up(collective->m, sends_of(collective)) - 1 + one_packet(collective);
}

/* The node that is furthest from the destination of a reduction sends m packets, the last of them
 * in round m or later. */
static uint64_t last_sent(const struct collective *collective)
{
    return collective->m - UINT64_C(1) + diameter(collective);
}

/* A node receives m(N-1) packets over its arcs. */
static uint64_t receipts(const struct collective *collective)
{
    return bits_divide_up((uint64_t)collective->m * (collective->n - 1),
                          torus_of(collective)->arcs);
}

/* A node sends m(N-1) packets; in an all-gather all nodes together send N times as many. */
static uint64_t sends(const struct collective *collective)
{
    return bits_divide_up((uint64_t)collective->m * (collective->n - 1), sends_of(collective));
}

/* Returns the sum of the distances from a node to all others: N/k_j · ⌊k_j²/4⌋ along dimension
 * j. */
static uint64_t all_links(const struct collective *collective)
{
    const struct topology *torus = torus_of(collective);
    uint64_t links = 0;
    for (unsigned axis = 1; axis <= torus->axes; axis++) {
        uint64_t k = torus->side[axis];
        links += torus->nodes / k * (k * k / 4);
    }
    return links;
}

/* Each packet crosses as many links as its distance, and all nodes together send over at most N s
 * links in a round. */
static uint64_t distances(const struct collective *collective)
{
    return bits_divide_up(collective->m * all_links(collective), sends_of(collective));
}

/* Two planes cut a ring of k_j nodes into ⌊k_j/2⌋ and ⌈k_j/2⌉ nodes. m packets of each node on one
 * side to each node on the other side cross w_j = 2N/k_j arcs, N/2 if k_j = 2. */
static uint64_t bisection(const struct collective *collective)
{
    const struct topology *torus = torus_of(collective);
    uint64_t most = 0;
    for (unsigned axis = 1; axis <= torus->axes; axis++) {
        uint64_t k = torus->side[axis], plane = torus->nodes / k;
        uint64_t crossing = (k / 2) * plane * ((k + 1) / 2) * plane * collective->m;
        most = bound_larger(most, bits_divide_up(crossing, (k > 2 ? 2 : 1) * plane));
    }
    return most;
}

#define TORUS_SINGLE (1u << MODEL_TORUS_SINGLE_PORT)
#define TORUS_MULTI (1u << MODEL_TORUS_MULTIPORT)
#define TORUS (TORUS_SINGLE | TORUS_MULTI)

const struct bound bound_torus[] = {
    {"last-packet", "⌈m/a⌉-1+D", "counted: arcs out of the source, D=Σ⌊k_j/2⌋", TORUS_MULTI,
     BROADCAST | REDUCTIONS, NULL, last_packet},
    {"last-packet", "m-1+max(D, ⌈log2 N⌉)", "counted: nodes that have a packet at most double",
     TORUS_SINGLE, BROADCAST, NULL, last_packet},
    {"last-packet", "m-1+D", "counted: packets that the furthest node sends", TORUS_SINGLE,
     REDUCTIONS, NULL, last_sent},
    {"diameter", "D", "counted: links to the furthest node", TORUS,
     SCATTER | GATHER | ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, diameter},
    {"receipts", "⌈m(N-1)/a⌉", "counted: arcs into a node", TORUS,
     GATHER | ALL_GATHER | TOTAL_EXCHANGE, NULL, receipts},
    {"sends", "⌈m(N-1)/a⌉, m(N-1) in single-port", "counted: arcs out of a node", TORUS,
     SCATTER | ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, sends},
    {"distances", "⌈m Σ distances/a⌉, m Σ distances in single-port",
     "counted: links that all packets cross", TORUS, TOTAL_EXCHANGE, NULL, distances},
    {"bisection", "max_j ⌈m⌊k_j/2⌋⌈k_j/2⌉(N/k_j)²/w_j⌉, w_j=2N/k_j (k_j=2: N/2)",
     "counted: arcs between two halves", TORUS, TOTAL_EXCHANGE, NULL, bisection},
    {"distance", "max over packets of the links to the furthest", "a link takes a round", TORUS,
     DEMANDS, NULL, bound_links_distance},
    {"arcs", "max over nodes of ⌈packets wanted/a⌉, ⌈packets of its own/a⌉ (single-port: not /a)",
     "arcs into and out of a node", TORUS, DEMANDS, NULL, bound_links_arcs},
    {"all-links", "⌈Σ max(wanted, distance)/(aN)⌉ (single-port: /N)",
     "links that packets cross at least", TORUS, DEMANDS, NULL, bound_links_all},
    {0},
};
