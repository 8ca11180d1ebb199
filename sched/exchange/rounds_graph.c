/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/rounds.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/heap.h"
#include "sched/base/memory.h"

#include <stdlib.h>

size_t rounds_graph_point(struct rounds_graph *graph)
{
    return graph->nodes++;
}

bool rounds_graph_edge(struct rounds_graph *graph, size_t from, size_t to, uint32_t lag,
                       struct err *err)
{
    struct rounds_edge *larger =
        memory_grow(graph->edge, graph->edges + 1, &graph->room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "the order of %zu transfers", graph->transfers);
    graph->edge = larger;
    graph->edge[graph->edges++] = (struct rounds_edge){from, to, lag};
    return true;
}

void rounds_graph_free(struct rounds_graph *graph)
{
    free(graph->edge);
    *graph = (struct rounds_graph){0};
}

/* A set of nodes on common circles: `first` … of the list of nodes. */
struct circle {
    size_t first, count, transfers;
    size_t missing;  /* edges from circles that are not placed yet */
    uint64_t ready;  /* the first round that the edges permit; then the round */
    uint64_t key;    /* the lowest one */
    uint64_t spread; /* by how much the last transfer is later than the first one */
};

struct placer {
    const struct rounds_graph *graph;
    size_t *begin; /* [nodes + 1]: the edges of a node are out[begin[node]] … */
    size_t *out;   /* [edges] */
    size_t *index, *low, *stack, *next, *path; /* [nodes] for the search of circles */
    bool *stacked;                             /* [nodes] */
    size_t *of, *list;     /* [nodes]: the circle of a node; the nodes of all circles */
    struct circle *circle; /* [nodes] */
    size_t circles, listed, stacks, visited;
    struct heap heap;        /* [nodes] */
    struct placed *together; /* [transfers] */
};

/* Sorts the edges by the node at which they begin. */
static void sort_edges(struct placer *placer)
{
    const struct rounds_graph *graph = placer->graph;
    for (size_t k = 0; k < graph->edges; k++)
        placer->begin[graph->edge[k].from]++;
    for (size_t node = 0; node < graph->nodes; node++)
        placer->begin[node + 1] += placer->begin[node];
    for (size_t k = graph->edges; k-- > 0;)
        placer->out[--placer->begin[graph->edge[k].from]] = k;
}

/* -- circles (R. Tarjan 1972) -------------------------------------------------------------------*/

static void visit(struct placer *placer, size_t node)
{
    placer->index[node] = placer->low[node] = ++placer->visited;
    placer->next[node] = placer->begin[node];
    placer->stack[placer->stacks++] = node;
    placer->stacked[node] = true;
}

static int by_number(const void *left, const void *right)
{
    const size_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

/* Removes a circle from the stack. Its nodes are listed in ascending order. */
static void close_circle(struct placer *placer, size_t node)
{
    const struct rounds_graph *graph = placer->graph;
    struct circle *circle = &placer->circle[placer->circles];
    size_t member;
    *circle = (struct circle){.first = placer->listed, .key = UINT64_MAX};
    do {
        member = placer->stack[--placer->stacks];
        placer->stacked[member] = false;
        placer->of[member] = placer->circles;
        placer->list[placer->listed++] = member;
        circle->count++;
        if (member < graph->transfers) {
            circle->transfers++;
            circle->key = MIN(circle->key, graph->key[member]);
        }
    } while (member != node);
    if (circle->count > 1)
        qsort(placer->list + circle->first, circle->count, sizeof *placer->list, by_number);
    placer->circles++;
}

/* Follows the edges from a node, without recursion. */
static void search(struct placer *placer, size_t root)
{
    size_t depth = 0;
    placer->path[depth++] = root;
    visit(placer, root);
    while (depth > 0) {
        size_t node = placer->path[depth - 1];
        if (placer->next[node] < placer->begin[node + 1]) {
            size_t to = placer->graph->edge[placer->out[placer->next[node]++]].to;
            if (placer->index[to] == 0) {
                visit(placer, to);
                placer->path[depth++] = to;
            } else if (placer->stacked[to]) {
                placer->low[node] = MIN(placer->low[node], placer->index[to]);
            }
            continue;
        }
        depth--;
        if (placer->low[node] == placer->index[node])
            close_circle(placer, node);
        if (depth > 0)
            placer->low[placer->path[depth - 1]] =
                MIN(placer->low[placer->path[depth - 1]], placer->low[node]);
    }
}

/* Returns a transfer of a circle that has one. Nodes ascend, and transfers come before points. */
static size_t transfer_of(const struct placer *placer, const struct circle *circle)
{
    return placer->list[circle->first];
}

/* Finds the circles and counts the edges between them. Returns false with a transfer that would
 * have to be in a later round than itself. Transfers that stay as far apart as they were keep the
 * lags between them. */
static bool find_circles(struct placer *placer, size_t *conflict)
{
    const struct rounds_graph *graph = placer->graph;
    for (size_t node = 0; node < graph->nodes; node++)
        if (placer->index[node] == 0)
            search(placer, node);
    for (size_t k = 0; k < graph->edges; k++) {
        const struct rounds_edge *edge = &graph->edge[k];
        size_t from = placer->of[edge->from], to = placer->of[edge->to];
        if (from != to)
            placer->circle[to].missing++;
        else if (edge->lag > 0 && !graph->apart) {
            *conflict = transfer_of(placer, &placer->circle[from]);
            return false;
        }
    }
    return true;
}

/* -- places -------------------------------------------------------------------------------------*/

/* Returns by how much a transfer of a circle is later than the first one; of a point, `point`. */
static uint64_t offset_of(const struct placer *placer, const struct circle *circle, size_t node,
                          uint64_t point)
{
    const struct rounds_graph *graph = placer->graph;
    if (!graph->apart)
        return 0;
    return node < graph->transfers ? graph->key[node] - circle->key : point;
}

/* Places the transfers of a circle. */
static bool place_circle(struct placer *placer, struct circle *circle, struct rounds *rounds,
                         size_t *conflict, struct err *err)
{
    const struct rounds_graph *graph = placer->graph;
    size_t count = 0;
    bool together = false;
    for (size_t k = 0; k < circle->count; k++) {
        const size_t node = placer->list[circle->first + k];
        if (node >= graph->transfers)
            continue;
        circle->spread = MAX(circle->spread, offset_of(placer, circle, node, 0));
        placer->together[count++] =
            (struct placed){.round = offset_of(placer, circle, node, 0),
                            .transfer = graph->transfer[node],
                            .joins = graph->joins != NULL ? graph->joins[node] : 0,
                            .combining = graph->combining[node]};
    }
    if (count == 0)
        return true;
    if (!rounds_place_together(rounds, placer->together, count, circle->ready, &circle->ready,
                               &together, err))
        return false;
    if (!together)
        *conflict = transfer_of(placer, circle);
    return together;
}

/* Adds a circle to the heap. Transfers of one time keep the order of their numbers: points come
 * before them, and the circle is known by its first node. */
static void push(struct placer *placer, size_t which)
{
    const struct circle *circle = &placer->circle[which];
    const bool apart = placer->graph->apart;
    heap_push(&placer->heap, circle->transfers > 0 ? circle->key + apart : 0,
              apart ? placer->list[circle->first] : which);
}

/* Removes the first circle from the heap. */
static struct circle *pop(struct placer *placer)
{
    const size_t item = heap_pop(&placer->heap);
    return &placer->circle[placer->graph->apart ? placer->of[item] : item];
}

/* Adds the circles to which the edges of a circle lead to the heap, if no other edge is missing. */
static void release(struct placer *placer, const struct circle *circle)
{
    for (size_t k = 0; k < circle->count; k++) {
        size_t node = placer->list[circle->first + k];
        const uint64_t round = circle->ready + offset_of(placer, circle, node, circle->spread);
        for (size_t e = placer->begin[node]; e < placer->begin[node + 1]; e++) {
            const struct rounds_edge *edge = &placer->graph->edge[placer->out[e]];
            size_t of = placer->of[edge->to];
            struct circle *to = &placer->circle[of];
            if (to == circle)
                continue;
            const uint64_t offset = offset_of(placer, to, edge->to, 0);
            to->ready = MAX(to->ready, round + edge->lag - MIN(offset, round + edge->lag));
            if (--to->missing == 0)
                push(placer, of);
        }
    }
}

static bool place_all(struct placer *placer, struct rounds *rounds, size_t *conflict,
                      struct err *err)
{
    bool placed = true;
    for (size_t k = 0; k < placer->circles; k++)
        if (placer->circle[k].missing == 0)
            push(placer, k);
    while (placed && placer->heap.count > 0) {
        struct circle *circle = pop(placer);
        placed = place_circle(placer, circle, rounds, conflict, err);
        if (placed)
            release(placer, circle);
    }
    return placed;
}

bool rounds_graph_place(const struct rounds_graph *graph, struct rounds *rounds, size_t *conflict,
                        struct err *err)
{
    struct placer placer = {.graph = graph};
    size_t nodes = graph->nodes + 1;
    const struct arena_array arrays[] = {ARENA(placer.begin, nodes + 1),
                                         ARENA(placer.out, graph->edges + 1),
                                         ARENA(placer.index, nodes),
                                         ARENA(placer.low, nodes),
                                         ARENA(placer.stack, nodes),
                                         ARENA(placer.next, nodes),
                                         ARENA(placer.path, nodes),
                                         ARENA(placer.stacked, nodes),
                                         ARENA(placer.of, nodes),
                                         ARENA(placer.list, nodes),
                                         ARENA(placer.circle, nodes),
                                         ARENA(placer.heap.entry, nodes),
                                         ARENA(placer.together, graph->transfers + 1)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    *conflict = SIZE_MAX;
    if (memory == NULL)
        return err_no_memory(err, "the order of %zu transfers", graph->transfers);
    sort_edges(&placer);
    bool placed = find_circles(&placer, conflict) && place_all(&placer, rounds, conflict, err);
    free(memory);
    return placed;
}
