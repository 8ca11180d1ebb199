/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/decompose.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/network/colour.h"

#include <inttypes.h>
#include <stdlib.h>

#define NO_EDGE COLOUR_FIT_NONE

/* Packets are edges from vertices of senders to vertices of receivers, except the packets in
 * shifts. The edges of a sender are consecutive, entry by entry, from the sender's place on. */
struct graph {
    const struct traffic *traffic;
    uint32_t
        *shift; /* shift[nodes]: minimum number of packets from each node v to v + s, for each s */
    uint64_t
        *begin; /* begin[nodes]: the first round of a shift; the rounds of the graph come first */
    uint32_t vertices, degree;
    /* [nodes]: the place of each node's packets: vertex · degree + index in the vertex */
    uint64_t *sender, *receiver;
    uint32_t *edge;  /* edge[vertices][degree]: the vertex of the receiver, or NO_EDGE */
    uint32_t *round; /* round[vertices][degree] */
    uint32_t *taken; /* taken[vertices]: number of edges of each vertex of receivers */
};

static uint32_t shift_of(const struct traffic *traffic, const struct traffic_entry *entry)
{
    uint32_t to = entry->destination, from = entry->source;
    return to > from ? to - from : to + traffic->nodes - from;
}

/* Returns the number of packets of an entry that are not in shifts. */
static uint32_t left_of(const struct graph *graph, const struct traffic_entry *entry)
{
    return entry->packets - graph->shift[shift_of(graph->traffic, entry)];
}

/* Finds shifts: packets that all nodes v send to v + s. The round of such packets is full and needs
 * no colouring. Returns the remaining degree. many[nodes], initially 0, counts entries. */
static uint64_t find_shifts(const struct graph *graph, uint64_t degree, uint32_t many[])
{
    const struct traffic *traffic = graph->traffic;
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        uint32_t shift = shift_of(traffic, entry), *least = &graph->shift[shift];
        if (many[shift]++ == 0 || entry->packets < *least)
            *least = entry->packets;
    }
    for (uint32_t shift = 0; shift < traffic->nodes; shift++) {
        if (many[shift] < traffic->nodes)
            graph->shift[shift] = 0;
        degree -= graph->shift[shift];
    }
    uint64_t round = degree;
    for (uint32_t shift = 0; shift < traffic->nodes; shift++) {
        graph->begin[shift] = round;
        round += graph->shift[shift];
    }
    return degree;
}

/* Converts the number of packets of each node to its place: nodes in order, as many to a vertex as
 * fit. Returns the number of vertices. */
static uint32_t put_together(uint64_t place[], uint32_t nodes, uint64_t degree)
{
    uint64_t vertex = 0, used = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        uint64_t packets = place[node];
        if (used + packets > degree) {
            vertex++;
            used = 0;
        }
        place[node] = vertex * degree + used;
        used += packets;
    }
    return (uint32_t)vertex + 1;
}

/* Returns the first edge of entry k. `next` is the end of the previous entry. */
static uint64_t first_edge(const struct graph *graph, size_t k, uint64_t next)
{
    const struct traffic_entry *entry = graph->traffic->entry;
    bool continues = k > 0 && entry[k].source == entry[k - 1].source;
    return continues ? next : graph->sender[entry[k].source];
}

static void put_packets(struct graph *graph)
{
    uint64_t at = 0;
    for (size_t k = 0; k < graph->traffic->count; k++) {
        const struct traffic_entry *entry = &graph->traffic->entry[k];
        uint32_t left = left_of(graph, entry);
        at = first_edge(graph, k, at);
        if (left == 0) /* the vertex of its receiver may not exist */
            continue;
        uint32_t right = (uint32_t)(graph->receiver[entry->destination] / graph->degree);
        for (uint32_t p = 0; p < left; p++)
            graph->edge[at++] = right;
        graph->taken[right] += left;
    }
}

/* Adds edges for padding, which are not sent, until all vertices have `degree` edges. */
static void fill_up(struct graph *graph)
{
    uint32_t right = 0;
    for (uint64_t e = 0; e < (uint64_t)graph->vertices * graph->degree; e++) {
        if (graph->edge[e] != NO_EDGE)
            continue;
        while (graph->taken[right] == graph->degree)
            right++;
        graph->edge[e] = right;
        graph->taken[right]++;
    }
}

static void take_rounds(const struct graph *graph, uint32_t round_of[])
{
    uint64_t at = 0;
    for (size_t k = 0; k < graph->traffic->count; k++) {
        const struct traffic_entry *entry = &graph->traffic->entry[k];
        uint32_t shift = shift_of(graph->traffic, entry), left = left_of(graph, entry);
        at = first_edge(graph, k, at);
        for (uint32_t p = 0; p < left; p++)
            *round_of++ = graph->round[at++];
        for (uint32_t p = 0; p < graph->shift[shift]; p++)
            *round_of++ = (uint32_t)graph->begin[shift] + p;
    }
}

#define FEW 65536 /* graphs with fewer edges are coloured by halving, in milliseconds */

/* Pads a graph until it is regular, and colours it by halving. */
static bool colour_halves(struct graph *graph, uint32_t edges, struct err *err)
{
    struct colour *work = colour_new(graph->vertices, edges, err);
    if (work == NULL)
        return false;
    fill_up(graph);
    colour_edges(work, graph->vertices, graph->degree, graph->edge, graph->round);
    colour_free(work);
    return true;
}

/* Colours the graph. Precondition: the graph is complete except for padding. */
static bool colour(struct graph *graph, uint32_t round_of[], struct err *err)
{
    uint64_t edges = (uint64_t)graph->vertices * graph->degree;
    if (edges > UINT32_MAX)
        return err_no_memory(err, "%" PRIu64 " packets", graph->traffic->packets);
    void *memory = arena_new((const struct arena_array[]){ARENA(graph->edge, edges),
                                                          ARENA(graph->round, edges),
                                                          ARENA(graph->taken, graph->vertices)},
                             3);
    if (memory == NULL)
        return err_no_memory(err, "the rounds of packets");
    for (uint64_t e = 0; e < edges; e++)
        graph->edge[e] = NO_EDGE;
    put_packets(graph);
    bool fits = false;
    bool coloured = edges < FEW || colour_fit(graph->vertices, graph->degree, graph->edge,
                                              graph->round, &fits, err);
    if (coloured && !fits)
        coloured = colour_halves(graph, (uint32_t)edges, err);
    if (coloured)
        take_rounds(graph, round_of);
    free(memory);
    return coloured;
}

/* Groups the packets that are not in shifts into vertices, and colours them. */
static bool colour_left(struct graph *graph, uint64_t all, uint64_t left, uint32_t round_of[],
                        struct err *err)
{
    const struct traffic *traffic = graph->traffic;
    traffic_sums(traffic, graph->sender, graph->receiver);
    for (uint32_t node = 0; node < traffic->nodes; node++) {
        graph->sender[node] -= all - left;
        graph->receiver[node] -= all - left;
    }
    graph->degree = (uint32_t)left;
    uint32_t senders = put_together(graph->sender, traffic->nodes, left);
    uint32_t receivers = put_together(graph->receiver, traffic->nodes, left);
    graph->vertices = MAX(senders, receivers);
    return colour(graph, round_of, err);
}

bool traffic_rounds(const struct traffic *traffic, uint64_t degree, uint32_t **round_of,
                    struct err *err)
{
    struct graph graph = {.traffic = traffic};
    uint32_t *round = NULL, *many, nodes = traffic->nodes;
    const struct arena_array arrays[] = {ARENA(graph.sender, nodes), ARENA(graph.receiver, nodes),
                                         ARENA(graph.shift, nodes), ARENA(graph.begin, nodes),
                                         ARENA(many, nodes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory != NULL && degree <= UINT32_MAX)
        round = malloc(traffic->packets * sizeof *round);
    if (round == NULL) {
        free(memory);
        return err_no_memory(err, "the rounds of %" PRIu64 " packets", traffic->packets);
    }
    uint64_t left = find_shifts(&graph, degree, many);
    bool found = true;
    if (left > 0)
        found = colour_left(&graph, degree, left, round, err);
    else
        take_rounds(&graph, round);
    free(memory);
    if (!found)
        free(round);
    else
        *round_of = round;
    return found;
}
