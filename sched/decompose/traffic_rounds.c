/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/traffic_rounds.h"

#include "sched/base/arena.h"
#include "sched/network/colour.h"

#include <inttypes.h>
#include <stdlib.h>

#define NOBODY UINT32_MAX

/* Packets are edges from a vertex of senders to one of receivers. The edges of a sender follow one
 * another, entry by entry, from its place on. */
struct graph {
    const struct traffic *traffic;
    uint32_t vertices, degree;
    uint64_t *sender, *receiver; /* [nodes]: places, vertex · degree + … */
    uint32_t *edge;              /* edge[vertices][degree]: the vertex of the receiver, or NOBODY */
    uint32_t *round;             /* round[vertices][degree] */
    uint32_t *taken;             /* taken[vertices]: edges of a vertex of receivers */
};

/* From the packets of each node to its place: nodes in order, as many to a vertex as fit. Returns
 * the number of vertices. */
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

/* The first edge of entry k, where `next` is behind the last one of the entry before. */
static uint64_t first_edge(const struct graph *graph, size_t k, uint64_t next)
{
    const struct traffic_entry *entry = graph->traffic->entry;
    bool goes_on = k > 0 && entry[k].source == entry[k - 1].source;
    return goes_on ? next : graph->sender[entry[k].source];
}

static void put_packets(struct graph *graph)
{
    uint64_t at = 0;
    for (size_t k = 0; k < graph->traffic->count; k++) {
        const struct traffic_entry *entry = &graph->traffic->entry[k];
        uint32_t right = (uint32_t)(graph->receiver[entry->destination] / graph->degree);
        at = first_edge(graph, k, at);
        for (uint32_t p = 0; p < entry->packets; p++)
            graph->edge[at++] = right;
        graph->taken[right] += entry->packets;
    }
}

/* Add edges that nobody sends, until all vertices have `degree`. */
static void fill_up(struct graph *graph)
{
    uint32_t right = 0;
    for (uint64_t e = 0; e < (uint64_t)graph->vertices * graph->degree; e++) {
        if (graph->edge[e] != NOBODY)
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
        at = first_edge(graph, k, at);
        for (uint32_t p = 0; p < graph->traffic->entry[k].packets; p++)
            *round_of++ = graph->round[at++];
    }
}

/* The graph has everything but its edges. */
static bool colour(struct graph *graph, uint32_t round_of[], struct err *err)
{
    uint64_t edges = (uint64_t)graph->vertices * graph->degree;
    if (edges > UINT32_MAX)
        return err_no_memory(err, "%" PRIu64 " packets", graph->traffic->packets);
    void *memory = arena_new((const struct arena_array[]){ARENA(graph->edge, edges),
                                                          ARENA(graph->round, edges),
                                                          ARENA(graph->taken, graph->vertices)},
                             3);
    struct colour *work = colour_new(graph->vertices, (uint32_t)edges, err);
    if (memory != NULL && work != NULL) {
        for (uint64_t e = 0; e < edges; e++)
            graph->edge[e] = NOBODY;
        put_packets(graph);
        fill_up(graph);
        colour_edges(work, graph->vertices, graph->degree, graph->edge, graph->round);
        take_rounds(graph, round_of);
    }
    colour_free(work);
    free(memory);
    return (memory != NULL && work != NULL) || err_no_memory(err, "the rounds of packets");
}

bool traffic_rounds(const struct traffic *traffic, uint64_t degree, uint32_t **round_of,
                    struct err *err)
{
    struct graph graph = {.traffic = traffic, .degree = (uint32_t)degree};
    uint32_t *round = NULL;
    void *memory = arena_new((const struct arena_array[]){ARENA(graph.sender, traffic->nodes),
                                                          ARENA(graph.receiver, traffic->nodes)},
                             2);
    if (memory != NULL && degree <= UINT32_MAX)
        round = malloc(traffic->packets * sizeof *round);
    if (round == NULL) {
        free(memory);
        return err_no_memory(err, "the rounds of %" PRIu64 " packets", traffic->packets);
    }
    traffic_sums(traffic, graph.sender, graph.receiver);
    uint32_t senders = put_together(graph.sender, traffic->nodes, degree);
    uint32_t receivers = put_together(graph.receiver, traffic->nodes, degree);
    graph.vertices = senders > receivers ? senders : receivers;
    bool coloured = colour(&graph, round, err);
    free(memory);
    if (!coloured)
        free(round);
    else
        *round_of = round;
    return coloured;
}
