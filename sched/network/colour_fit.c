/* SPDX-License-Identifier: Apache-2.0 */
/* Colours any bipartite multigraph, edge by edge (colour.h). */
#include "sched/network/colour.h"

#include "sched/base/arena.h"

#include <stdlib.h>

#define WORD 64      /* colours in a word */
#define AHEAD 8      /* edges for which memory is prefetched */
#define PATH 128     /* cost in words of a vertex when a path is searched for */
#define PATIENCE 256 /* budget: words examined for each edge */

struct fit {
    uint32_t vertices, degree, words;
    const uint32_t *right;
    uint32_t *colour;
    uint64_t *free_left, *free_right; /* [vertices][words]: a bit for each colour */
    uint32_t *at;   /* at[vertices][degree]: the edge with a colour, if the colour is not free */
    uint32_t *back; /* back[vertices]: the left vertex to which an edge of one colour leads */
    /* word[vertices]: the word at which the next search for a right vertex begins, or
     * COLOUR_FIT_NONE after a search of the current left vertex that found nothing; NULL if most
     * pairs have few edges */
    uint32_t *word;
    int64_t patience;
};

static uint64_t *free_of(const struct fit *fit, uint64_t *side, uint32_t vertex)
{
    return side + (size_t)vertex * fit->words;
}

static bool is_free(const uint64_t colours[], uint32_t colour)
{
    return colours[colour / WORD] >> colour % WORD & 1;
}

static void flip(uint64_t colours[], uint32_t colour)
{
    colours[colour / WORD] ^= UINT64_C(1) << colour % WORD;
}

static uint32_t first_free(const uint64_t colours[])
{
    uint32_t word = 0;
    while (colours[word] == 0)
        word++;
    return word * WORD + (uint32_t)__builtin_ctzll(colours[word]);
}

/* Returns a hash of an edge, below 2^32: it determines where the search for the edge's colour
 * begins. */
static uint32_t begin_of(uint64_t edge)
{
    edge = (edge + 1) * UINT64_C(0x9e3779b97f4a7c15);
    edge = (edge ^ edge >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(edge >> 32);
}

static uint32_t word_of(const struct fit *fit, uint32_t begin)
{
    return (uint32_t)((uint64_t)begin * fit->words >> 32);
}

/* Returns a colour that is free at both vertices; COLOUR_FIT_NONE if there is none. The search
 * begins at `word`, and prefers bits from `bit` on within a word. */
static uint32_t find_common(struct fit *fit, const uint64_t a[], const uint64_t z[], uint32_t word,
                            uint32_t bit)
{
    for (uint32_t k = 0; k < fit->words; k++) {
        uint64_t common = a[word] & z[word];
        if (common != 0) {
            uint64_t from = common >> bit << bit;
            fit->patience -= k;
            return word * WORD + (uint32_t)__builtin_ctzll(from != 0 ? from : common);
        }
        word = word + 1 < fit->words ? word + 1 : 0;
    }
    fit->patience -= fit->words;
    return COLOUR_FIT_NONE;
}

static void set_colour(const struct fit *fit, uint32_t left, uint32_t edge, uint32_t colour)
{
    fit->colour[edge] = colour;
    fit->at[(size_t)left * fit->degree + colour] = edge;
}

/* Finds the left vertex of the edge with a colour at each right vertex. */
static void find_back(const struct fit *fit, uint32_t colour)
{
    for (uint32_t left = 0; left < fit->vertices; left++)
        if (!is_free(free_of(fit, fit->free_left, left), colour))
            fit->back[fit->right[fit->at[(size_t)left * fit->degree + colour]]] = left;
}

/* Exchanges alpha and beta on the path from right vertex `first`, so that alpha becomes free there.
 */
static void swap(const struct fit *fit, uint32_t first, uint32_t alpha, uint32_t beta)
{
    uint64_t *end = free_of(fit, fit->free_right, first);
    find_back(fit, alpha);
    for (uint32_t z = first; !is_free(end, alpha); end = free_of(fit, fit->free_right, z)) {
        uint32_t left = fit->back[z], *at = fit->at + (size_t)left * fit->degree;
        uint32_t in = at[alpha], out = at[beta];
        uint64_t *free_left = free_of(fit, fit->free_left, left);
        set_colour(fit, left, in, beta);
        if (is_free(free_left, beta)) {
            end = free_left;
            break;
        }
        set_colour(fit, left, out, alpha);
        z = fit->right[out];
    }
    flip(end, alpha);
    flip(end, beta);
    flip(free_of(fit, fit->free_right, first), alpha);
    flip(free_of(fit, fit->free_right, first), beta);
}

static void colour_edge(struct fit *fit, uint32_t left, uint32_t edge)
{
    uint32_t right = fit->right[edge], begin = begin_of(edge);
    uint32_t word = fit->word != NULL ? fit->word[right] : word_of(fit, begin);
    uint64_t *a = free_of(fit, fit->free_left, left), *z = free_of(fit, fit->free_right, right);
    uint32_t colour = word == COLOUR_FIT_NONE ? word : find_common(fit, a, z, word, begin % WORD);
    if (fit->word != NULL)
        fit->word[right] = colour == COLOUR_FIT_NONE ? colour : colour / WORD;
    if (colour == COLOUR_FIT_NONE) {
        colour = first_free(a);
        swap(fit, right, colour, first_free(z));
        fit->patience -= PATH * (int64_t)fit->vertices;
    }
    set_colour(fit, left, edge, colour);
    flip(a, colour);
    flip(z, colour);
}

static void colour_row(struct fit *fit, uint32_t left)
{
    uint32_t begin = left * fit->degree, end = begin + fit->degree;
    for (uint32_t right = 0; fit->word != NULL && right < fit->vertices; right++)
        fit->word[right] = word_of(fit, begin_of(begin + right));
    for (uint32_t edge = begin; edge < end; edge++) {
        if (edge + AHEAD < end && fit->right[edge + AHEAD] != COLOUR_FIT_NONE)
            __builtin_prefetch(free_of(fit, fit->free_right, fit->right[edge + AHEAD]) +
                                   word_of(fit, begin_of(edge + AHEAD)),
                               1);
        if (fit->right[edge] != COLOUR_FIT_NONE)
            colour_edge(fit, left, edge);
    }
}

static void free_all(const struct fit *fit, uint64_t side[])
{
    for (uint32_t vertex = 0; vertex < fit->vertices; vertex++)
        for (uint32_t colour = 0; colour < fit->degree; colour += WORD) {
            uint32_t rest = fit->degree - colour;
            *side++ = rest < WORD ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
        }
}

bool colour_fit(uint32_t vertices, uint32_t degree, const uint32_t right[], uint32_t colour[],
                bool *fits, struct err *err)
{
    size_t edges = (size_t)vertices * degree;
    struct fit fit = {.vertices = vertices,
                      .degree = degree,
                      .words = (degree + WORD - 1) / WORD,
                      .right = right,
                      .colour = colour,
                      .patience = PATIENCE * (int64_t)edges};
    size_t words = (size_t)vertices * fit.words;
    bool few = vertices <= fit.words;
    void *memory = arena_new(
        (const struct arena_array[]){ARENA(fit.free_left, words), ARENA(fit.free_right, words),
                                     ARENA(fit.at, edges), ARENA(fit.back, vertices),
                                     ARENA(fit.word, vertices)},
        5);
    if (memory == NULL)
        return err_no_memory(err, "the colours of %zu edges", edges);
    fit.word = few ? fit.word : NULL;
    free_all(&fit, fit.free_left);
    free_all(&fit, fit.free_right);
    for (uint32_t left = 0; left < vertices && fit.patience >= 0; left++)
        colour_row(&fit, left);
    *fits = fit.patience >= 0;
    free(memory);
    return true;
}
