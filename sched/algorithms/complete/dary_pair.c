/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/dary_pair.h"

#include "sched/algorithms/complete/forest.h"
#include "sched/base/arena.h"

#include <stdlib.h>

struct pair {
    uint32_t n, d, q, r;
    uint32_t *node, *label;   /* [n - 1]: of each heap position; node 0: not assigned yet */
    struct forest_edge *edge; /* [n - 1] */
};

static struct pair pair_of(const struct collective *collective)
{
    uint32_t n = collective->n, d = collective->degree;
    return (struct pair){.n = n, .d = d, .q = (n - 2) / d, .r = (n - 2) % d};
}

bool dary_pair_fits(const struct collective *collective)
{
    const struct pair pair = pair_of(collective);
    return collective->m <= 2 && pair.d > 2 && pair.q >= 1 && pair.q <= pair.r;
}

uint64_t dary_pair_end(const struct collective *collective)
{
    const struct pair pair = pair_of(collective);
    return (uint64_t)collective->m + pair.q - 1 + pair.d;
}

/* Returns the leaf that is exchanged with the inner node at position y, which has label y: the
 * leaf's label is at least y + 2. For the root it is the first child of the last inner node, for
 * the other inner nodes their own last child, unless its label is too small, which is so only if q
 * = r = 1. */
static uint32_t partner(const struct pair *pair, uint32_t y)
{
    if (y == 0)
        return pair->q * pair->d + 1;
    if (y < pair->q)
        return y * pair->d + pair->d;
    return pair->r > 1 ? pair->n - 2 : pair->d;
}

static void build_tree(const struct pair *pair, uint32_t tree)
{
    uint32_t inner = pair->q + 1, next = 2 * inner + 1;
    for (uint32_t y = 0; y < pair->n - 1; y++)
        pair->node[y] = 0;
    for (uint32_t y = 0; y < inner; y++) {
        pair->node[y] = 1 + y + tree * inner;
        pair->node[partner(pair, y)] = 1 + y + (1 - tree) * inner;
    }
    pair->label[0] = 0;
    for (uint32_t y = 0; y < pair->n - 1; y++) {
        uint32_t above = y > 0 ? (y - 1) / pair->d : 0;
        if (y > 0)
            pair->label[y] = pair->label[above] + (y - 1) % pair->d + 1;
        if (pair->node[y] == 0)
            pair->node[y] = next++;
        pair->edge[y] =
            (struct forest_edge){y > 0 ? pair->node[above] : 0, pair->node[y], pair->label[y]};
    }
}

bool dary_pair_build(const struct collective *collective, struct schedule *schedule,
                     struct err *err)
{
    struct pair pair = pair_of(collective);
    struct forest forest = {0};
    const struct arena_array arrays[] = {ARENA(pair.node, pair.n), ARENA(pair.label, pair.n),
                                         ARENA(pair.edge, pair.n)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool built = memory != NULL ? forest_init(&forest, pair.n, collective->m, err)
                                : err_no_memory(err, "the trees of %u nodes", pair.n);
    for (uint32_t tree = 0; built && tree < collective->m; tree++) {
        build_tree(&pair, tree);
        built = forest_set(&forest, tree, pair.edge, err);
    }
    built = built && forest_build(&forest, collective->m, schedule, err);
    forest_free(&forest);
    free(memory);
    return built;
}
