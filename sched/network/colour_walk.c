/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/colour_walk.h"

#include "sched/base/bits.h"
#include "sched/network/benes_bits.h"

#include <stdbool.h>
#include <string.h>

/* --- One large graph, walked by many at once ---------------------------------------------- */

#define WALKERS 12
#define TRAILS 256 /* numbers of trails, from 1 */

/* Trails: each leads from the first edge of a walker to the first edge of another trail, or to its
 * own, so trails make up whole loops. Until all pairs have been met, one[] holds numbers of trails.
 */
struct trails {
    struct colour_pairs pairs;
    uint32_t met; /* pairs before this one have been met */
    unsigned count;
    uint8_t after[TRAILS];        /* after[trail]: the trail that begins where this trail ends */
    uint8_t trail_colour[TRAILS]; /* colour of each trail; 0: unknown, or no trail */
};

struct walker {
    uint32_t edge;
    uint8_t trail;
};

/* Finds the first edge of the first pair that no trail has met. Returns false if there is none. */
static bool find_open(struct trails *trails, const uint8_t one[], uint32_t *edge)
{
    const struct colour_pairs *pairs = &trails->pairs;
    for (; trails->met < pairs->count; trails->met++) {
        *edge = pairs->base + trails->met * pairs->step;
        if (!(one[*edge] | one[*edge + pairs->apart]))
            return true;
    }
    return false;
}

/* Begins the next trail. Returns false if all pairs have been met, or all numbers are in use. */
static bool begin_trail(struct trails *trails, uint8_t one[], struct walker *walker)
{
    walker->edge = trails->pairs.start;
    if (trails->count == TRAILS - 1 ||
        (trails->count > 0 && !find_open(trails, one, &walker->edge)))
        return false;
    walker->trail = (uint8_t)++trails->count;
    one[walker->edge] = walker->trail;
    return true;
}

/* Follows trails, many at a time, until all pairs have been met or all numbers are in use. */
static void follow_trails(struct trails *trails, const uint32_t next[], uint8_t one[])
{
    struct walker walker[WALKERS];
    unsigned walkers = 0;
    while (walkers < WALKERS && begin_trail(trails, one, &walker[walkers]))
        walkers++;
    while (walkers > 0)
        for (unsigned w = 0; w < walkers; w++) {
            const uint8_t trail = walker[w].trail;
            const uint32_t edge = next[walker[w].edge];
            const uint8_t met = one[edge];
            walker[w].edge = edge;
            if (__builtin_expect(met == 0, 1)) {
                one[edge] = trail;
                continue;
            }
            trails->after[trail] = met;
            if (!begin_trail(trails, one, &walker[w]))
                walker[w] = walker[--walkers];
        }
}

/* Colours the trails of the loop that a trail belongs to; does nothing for trail 0. */
static void colour_loop(struct trails *trails, uint8_t trail, uint8_t colour)
{
    for (; trail != 0 && trails->trail_colour[trail] == 0; trail = trails->after[trail])
        trails->trail_colour[trail] = colour;
}

/* Sets one[] of the edges of all pairs that a trail has met. Loops without a colour get one; an
 * edge that no trail has met gets the colour opposite to its neighbour's. */
static void colour_edges_met(struct trails *trails, uint8_t one[])
{
    const struct colour_pairs *pairs = &trails->pairs;
    const uint8_t *trail_colour = trails->trail_colour;
    for (uint32_t pair = 0; pair < pairs->count; pair++) {
        uint8_t *edge = one + pairs->base + pair * pairs->step, *beside = edge + pairs->apart;
        const uint8_t trail = *edge, other = *beside;
        if (__builtin_expect((trail | other) && !(trail_colour[trail] | trail_colour[other]), 0)) {
            colour_loop(trails, trail, 1);
            colour_loop(trails, other, 2);
        }
        *edge = (trail_colour[trail] & 1) | trail_colour[other] >> 1;
        *beside = (trail_colour[other] & 1) | trail_colour[trail] >> 1;
    }
}

void colour_trails(const uint32_t next[], uint8_t one[], struct colour_pairs pairs)
{
    struct trails trails = {.pairs = pairs};
    uint32_t edge;
    follow_trails(&trails, next, one);
    colour_loop(&trails, one[pairs.start], 1);
    colour_loop(&trails, one[pairs.start ^ pairs.apart], 2);
    colour_edges_met(&trails, one);
    if (trails.count < TRAILS - 1)
        return;
    /* All numbers were used: the remaining loops are walked one by one. */
    for (trails.met = 0; find_open(&trails, one, &edge);)
        for (; !one[edge]; edge = next[edge])
            one[edge] = 1;
}

#define FEW 64 /* maximum number of left pairs whose met marks fit in a word */

/* Returns the first edge of the first left pair, from `edge` on, that no walk has met; `end` or
 * more if there is none. A pair has been met when one of its edges has colour one. Four pairs are
 * tested in a step, the first in the lowest bytes: little-endian, as all supported machines are. */
static __attribute__((noinline)) uint32_t next_open(const uint8_t one[], uint32_t edge,
                                                    uint32_t end)
{
    for (edge &= ~UINT32_C(7); edge < end; edge += 8) {
        uint64_t met;
        memcpy(&met, one + edge, sizeof met);
        uint64_t open = ~(met | met >> 8) & UINT64_C(0x0001000100010001);
        if (open != 0)
            return edge + ((unsigned)__builtin_ctzll(open) >> 3);
    }
    return end;
}

/* Walks a graph of few edges, with a bit of `open` for each left pair that no walk has met. It does
 * not branch at the end of a loop: loops are short, so such a branch could not be predicted. */
static void walk_few(const uint32_t next[], uint8_t one[], const struct colour_graph *graph)
{
    uint32_t base = graph->base, pairs = graph->edges / 2;
    uint64_t open = pairs < FEW ? (UINT64_C(1) << pairs) - 1 : UINT64_MAX;
    uint32_t edge = graph->start, first = edge;
    memset(one + base, 0, graph->edges);
    for (uint32_t step = 0; step < pairs; step++) {
        one[edge] = 1;
        open &= ~(UINT64_C(1) << (edge - base) / 2);
        edge = next[edge];
        uint32_t closed = -(uint32_t)(edge == first);
        uint32_t other = base + 2 * (uint32_t)__builtin_ctzll(open | UINT64_C(1) << (FEW - 1));
        edge ^= (edge ^ other) & closed;
        first ^= (first ^ other) & closed;
    }
}

#define MOST_EDGES \
    64 /* maximum number of edges for which some processors need no walk (benes_bits.h) */

#if defined(__x86_64__)

/* Colours a graph without a walk. Two loops pass each pair; the one with the smaller lowest number
 * has colour one. */
BENES_LOOPS static void jump_few(const uint32_t next[], uint8_t one[],
                                 const struct colour_graph *graph)
{
    uint8_t number[MOST_EDGES], edges_next[MOST_EDGES];
    __m512i base = _mm512_set1_epi32((int)graph->base);
    for (uint8_t edge = 0; edge < MOST_EDGES; edge++)
        number[edge] = edge;
    uint64_t all = UINT64_MAX >> (MOST_EDGES - graph->edges);
    for (unsigned edge = 0; edge < MOST_EDGES; edge += 16) {
        __m512i some =
            _mm512_maskz_loadu_epi32((__mmask16)(all >> edge), next + graph->base + edge);
        _mm_storeu_si128((__m128i *)(void *)(edges_next + edge),
                         _mm512_cvtepi32_epi8(_mm512_sub_epi32(some, base)));
    }
    __m512i edges = _mm512_loadu_si512(number), one_each = _mm512_set1_epi8(1);
    __m512i numbers =
        _mm512_maskz_add_epi8(~(UINT64_C(1) << (graph->start - graph->base)), edges, one_each);
    unsigned doublings = bits_log2_up(graph->edges / 2);
    __m512i lowest = benes_loops_lowest(_mm512_loadu_si512(edges_next), numbers, doublings);
    __m512i beside = _mm512_permutexvar_epi8(_mm512_xor_si512(edges, one_each), lowest);
    __mmask64 first = _mm512_cmplt_epu8_mask(lowest, beside);
    _mm512_mask_storeu_epi8(one + graph->base, all, _mm512_maskz_mov_epi8(first, one_each));
}

static bool can_jump(const struct colour_graph *graph)
{
    return graph->edges <= MOST_EDGES && benes_loops_here();
}

#else
#define jump_few walk_few
#define can_jump(graph) false
#endif

/* The state of a walk through a graph of many edges. */
struct walk {
    uint32_t edge, first, open, end;
};

static struct walk begin_walk(uint8_t one[], const struct colour_graph *graph)
{
    uint32_t base = graph->base, edges = graph->edges;
    memset(one + base, 0, edges);
    memset(one + base + edges, 1, colour_walk_bytes(edges) - edges);
    return (struct walk){graph->start, graph->start, base, base + edges};
}

static inline __attribute__((always_inline)) void step(const uint32_t next[], uint8_t one[],
                                                       struct walk *walk)
{
    one[walk->edge] = 1;
    walk->edge = next[walk->edge];
    if (__builtin_expect(walk->edge == walk->first, 0))
        walk->edge = walk->first = walk->open = next_open(one, walk->open, walk->end);
}

/* Walks `count` graphs in turn, because each step of a walk waits for the load of the previous
 * step. Each left pair has one edge of colour one, so a walk takes half as many steps as there are
 * edges, however many loops there are. Inlined for each count, so that the state of the walks stays
 * in registers. */
static inline __attribute__((always_inline)) void walk_together(const uint32_t next[],
                                                                uint8_t one[],
                                                                const struct colour_graph graph[],
                                                                unsigned count)
{
    struct walk walk[COLOUR_WALKERS];
    uint32_t steps = UINT32_MAX;
    for (unsigned w = 0; w < count; w++) {
        walk[w] = begin_walk(one, &graph[w]);
        steps = graph[w].edges / 2 < steps ? graph[w].edges / 2 : steps;
    }
    for (uint32_t taken = 0; taken < steps; taken++)
#pragma GCC unroll 4
        for (unsigned w = 0; w < count; w++)
            step(next, one, &walk[w]);
    for (unsigned w = 0; w < count; w++)
        for (uint32_t taken = steps; taken < graph[w].edges / 2; taken++)
            step(next, one, &walk[w]);
}

static void walk_trails(const uint32_t next[], uint8_t one[], const struct colour_graph *graph)
{
    memset(one + graph->base, 0, graph->edges);
    colour_trails(
        next, one,
        (struct colour_pairs){graph->base, graph->edges / 2, .step = 2, .apart = 1, graph->start});
}

void colour_walk(const uint32_t next[], uint8_t one[], const struct colour_graph graph[],
                 unsigned count)
{
    if (graph[0].edges <= 2 * FEW - 2) {
        for (unsigned w = 0; w < count; w++)
            if (can_jump(&graph[w]))
                jump_few(next, one, &graph[w]);
            else
                walk_few(next, one, &graph[w]);
    } else if (graph[0].edges >= COLOUR_TRAILS_EDGES) {
        for (unsigned w = 0; w < count; w++)
            walk_trails(next, one, &graph[w]);
    } else if (count == 1) {
        walk_together(next, one, graph, 1);
    } else if (count == 2) {
        walk_together(next, one, graph, 2);
    } else {
        walk_together(next, one, graph, COLOUR_WALKERS);
    }
}
