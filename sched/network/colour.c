/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/colour.h"

#include "sched/base/arena.h"
#include "sched/network/colour_walk.h"

#include <stdlib.h>
#include <string.h>

/* --- Perfect matchings -------------------------------------------------------------------- */

#define NO_VERTEX UINT32_MAX

static void put_first(struct colour_edge row[], uint32_t which)
{
    struct colour_edge first = row[0];
    row[0] = row[which];
    row[which] = first;
}

/* Finds partners for the left vertices that have an edge to a free right vertex. Returns the number
 * of left vertices without a partner. */
static uint32_t match_greedily(const struct colour_match *work, uint32_t vertices, uint32_t degree,
                               struct colour_edge edge[])
{
    uint32_t open = 0;
    memset(work->partner, 0xff, vertices * sizeof work->partner[0]);
    for (uint32_t left = 0; left < vertices; left++) {
        struct colour_edge *row = edge + (size_t)left * degree;
        uint32_t which = 0;
        while (which < degree && work->partner[row[which].right] != NO_VERTEX)
            which++;
        if (which == degree) {
            work->open[open++] = left;
            continue;
        }
        put_first(row, which);
        work->partner[row[0].right] = left;
    }
    return open;
}

/* Walks from a left vertex without a partner to a right vertex without one. A vertex that is passed
 * again loses its earlier exit, which removes the loop from the path. */
static void walk(const struct colour_match *work, uint32_t degree, const struct colour_edge edge[],
                 uint32_t start, struct rng *rng)
{
    uint32_t left = start,
             taken = 0; /* the first edge of a vertex with a partner leads to the partner */
    for (;;) {
        uint32_t which = taken + rng_below(rng, degree - taken);
        work->exit[left] = which;
        left = work->partner[edge[(size_t)left * degree + which].right];
        if (left == NO_VERTEX)
            return;
        taken = 1;
    }
}

static void augment(const struct colour_match *work, uint32_t degree, struct colour_edge edge[],
                    uint32_t start)
{
    for (uint32_t left = start; left != NO_VERTEX;) {
        struct colour_edge *row = edge + (size_t)left * degree;
        put_first(row, work->exit[left]);
        uint32_t before = work->partner[row[0].right];
        work->partner[row[0].right] = left;
        left = before;
    }
}

void colour_match(const struct colour_match *work, uint32_t vertices, uint32_t degree,
                  struct colour_edge edge[], struct rng *rng)
{
    uint32_t open = match_greedily(work, vertices, degree, edge);
    while (open > 0) {
        uint32_t drawn = rng_below(rng, open), start = work->open[drawn];
        work->open[drawn] = work->open[--open];
        walk(work, degree, edge, start, rng);
        augment(work, degree, edge, start);
    }
}

#define NONE UINT32_MAX
#define SEED UINT64_C(2010) /* of all walks; fixed, so that equal graphs get equal colours */

struct colour {
    void *memory;                     /* of all arrays (arena.h) */
    struct colour_edge *edge, *other; /* [edges] each: a graph and its halves, in turn */
    uint32_t *next;                   /* [edges]  for colour_walk */
    uint8_t *one;                     /* [edges] */
    uint32_t *alone; /* [vertices] the edge of a right vertex that waits for a mate, or NONE */
    struct colour_match match;
    struct rng rng;
    uint32_t *colour; /* the caller's array */
};

/* A graph: edge[vertices][degree], to be coloured with first, …, first + degree - 1; `other` has
 * the same size. */
struct graph {
    struct colour_edge *edge, *other;
    uint32_t vertices, degree, first;
};

void colour_free(struct colour *work)
{
    if (work == NULL)
        return;
    free(work->memory);
    free(work);
}

struct colour *colour_new(uint32_t vertices, uint32_t edges, struct err *err)
{
    struct colour *work = calloc(1, sizeof *work);
    if (work != NULL) {
        const struct arena_array arrays[] = {
            ARENA(work->edge, edges),          ARENA(work->other, edges),
            ARENA(work->next, edges),          ARENA(work->one, colour_walk_bytes(edges)),
            ARENA(work->alone, vertices),      ARENA(work->match.partner, vertices),
            ARENA(work->match.exit, vertices), ARENA(work->match.open, vertices)};
        work->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (work == NULL || work->memory == NULL) {
        colour_free(work);
        err_no_memory(err, "a graph of %u edges", edges);
        return NULL;
    }
    return work;
}

/* Links the edges of each right vertex in pairs, in their order: edges of neighbouring rows become
 * mates, so that walks stay in cached memory. There is no branch on whether an edge waits, because
 * it could not be predicted. */
static void link_right(const struct colour *work, struct graph graph)
{
    uint32_t edges = graph.vertices * graph.degree;
    for (uint32_t vertex = 0; vertex < graph.vertices; vertex++)
        work->alone[vertex] = NONE;
    for (uint32_t edge = 0; edge < edges; edge++) {
        uint32_t *alone = &work->alone[graph.edge[edge].right], mate = *alone;
        uint32_t waits = -(uint32_t)(mate == NONE);
        work->next[mate ^ ((mate ^ edge) & waits)] = edge ^ 1;
        work->next[edge] = mate ^ 1; /* overwritten when the edge gets a mate */
        *alone = edge | ~waits;
    }
}

/* Colours a graph of degree 2. */
static void colour_pairs(const struct colour *work, struct graph graph)
{
    uint32_t edges = 2 * graph.vertices;
    link_right(work, graph);
    colour_walk(work->next, work->one, &(struct colour_graph){.edges = edges}, 1);
    for (uint32_t edge = 0; edge < edges; edge++)
        work->colour[graph.edge[edge].id] = graph.first + 1 - work->one[edge];
}

/* Splits a graph into two graphs of half the degree, one after the other in graph.other; the order
 * of the rows is kept. */
static void split(const struct colour *work, struct graph graph)
{
    uint32_t half = graph.vertices * (graph.degree / 2);
    link_right(work, graph);
    colour_walk(work->next, work->one, &(struct colour_graph){.edges = 2 * half}, 1);
    for (uint32_t pair = 0; pair < half; pair++) {
        uint32_t two = work->one[2 * pair]; /* the edge of the pair that has colour two */
        graph.other[pair] = graph.edge[2 * pair + 1 - two];
        graph.other[half + pair] = graph.edge[2 * pair + two];
    }
}

/* Gives the first edge of each row the colour `first`; the other edges become graph.other. */
static void take_matching(struct colour *work, struct graph graph)
{
    colour_match(&work->match, graph.vertices, graph.degree, graph.edge, &work->rng);
    struct colour_edge *from = graph.edge, *to = graph.other;
    for (uint32_t vertex = 0; vertex < graph.vertices; vertex++) {
        work->colour[from++->id] = graph.first;
        for (uint32_t which = 1; which < graph.degree; which++)
            *to++ = *from++;
    }
}

static void colour_graph(struct colour *work, struct graph graph)
{
    if (graph.degree == 1) {
        for (uint32_t edge = 0; edge < graph.vertices; edge++)
            work->colour[graph.edge[edge].id] = graph.first;
    } else if (graph.degree == 2) {
        colour_pairs(work, graph);
    } else if (graph.degree % 2 == 1) {
        take_matching(work, graph);
        colour_graph(work, (struct graph){graph.other, graph.edge, graph.vertices, graph.degree - 1,
                                          graph.first + 1});
    } else {
        uint32_t degree = graph.degree / 2;
        size_t half = (size_t)graph.vertices * degree;
        split(work, graph);
        colour_graph(work,
                     (struct graph){graph.other, graph.edge, graph.vertices, degree, graph.first});
        colour_graph(work, (struct graph){graph.other + half, graph.edge + half, graph.vertices,
                                          degree, graph.first + degree});
    }
}

void colour_edges(struct colour *work, uint32_t vertices, uint32_t degree, const uint32_t right[],
                  uint32_t colour[])
{
    for (uint32_t edge = 0; edge < vertices * degree; edge++)
        work->edge[edge] = (struct colour_edge){right[edge], edge};
    work->rng = (struct rng){SEED};
    work->colour = colour;
    colour_graph(work, (struct graph){work->edge, work->other, vertices, degree, 0});
}
