/* SPDX-License-Identifier: Apache-2.0 */
/* postal_dtree: Algorithm DTREE, along a tree of degree d that is filled level by level.
 *
 * The children of node v are d·v + 1 … d·v + d. Node 0 sends packet 1 to its children from left to
 * right, then packet 2, and so on without a pause; the other nodes forward arriving packets, from
 * left to right. d = 1 is a path, d = n - 1 a star. n = 7, d = 2, λ = 2:
 *
 *     time     0    1    2    3    4    5    6    7
 *     0 → 1    p1        p2        p3
 *     0 → 2         p1        p2        p3
 *     1 → 3              p1        p2        p3
 *     1 → 4                   p1        p2        p3
 *     2 → 5                   p1        p2        p3
 *     2 → 6                        p1        p2        p3       arrives at (m - 1)·d + 6
 *
 * If the children of a node are numbered from 0, it ends at exactly
 *
 *     d(m - 1) + max over nodes of the sum along their path of (child's number + λ)
 *
 * which for d ≥ 2 is at most d(m - 1) + (d - 1 + λ)⌈log_d n⌉, Lemma 18; for d = 1, where the
 * lemma's logarithm is undefined, it is m - 1 + λ(n - 1). O(transfers).
 *
 * Bar-Noy and Kipnis, section 4.3, Lemma 18.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/postal_tree.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>

/* Limit of d·m, so that times fit in 64 bits: a unit has fewer than 2^16 ticks. */
#define MAX_SENDS (UINT64_C(1) << 46)

struct tree {
    uint32_t n, degree;
};

/* Returns the number of children of a node. */
static uint32_t children(const struct tree *tree, uint32_t node)
{
    uint64_t first = (uint64_t)tree->degree * node + 1;
    if (first >= tree->n)
        return 0;
    return (uint32_t)MIN(tree->n - first, tree->degree);
}

/* Makes the next call of a caller; `left` counts the children that have not been called. */
static struct postal_caller call(const struct postal_shape *shape, struct postal_caller *caller)
{
    const struct tree *tree = shape->with;
    uint32_t number = children(tree, caller->node) - caller->left--;
    uint32_t child = tree->degree * caller->node + 1 + number;
    return (struct postal_caller){.node = child, .left = children(tree, child)};
}

/* Returns the greatest sum of digits in base d of a number of at most `last` < d^levels. It is the
 * sum of `last`, or of a number that has one digit reduced by one and d - 1 in all places after it.
 * Precondition: d ≥ 2. */
static uint64_t greatest_sum(uint32_t d, unsigned levels, uint64_t last)
{
    uint64_t greatest = 0; /* over the places of `last` processed so far */
    for (unsigned level = 0; level < levels; level++) {
        uint64_t digit = last % d, full = level * (d - UINT64_C(1));
        greatest += digit;
        if (digit > 0 && digit - 1 + full > greatest)
            greatest = digit - 1 + full;
        last /= d;
    }
    return greatest;
}

/* Returns the tick at which the first packet has reached all nodes. It is determined by the deepest
 * level or by the last node of the level above it, which is full. O(log_d n). */
static uint64_t first_packet(const struct collective *collective, uint32_t d)
{
    const struct rational lambda = collective->lambda;
    uint64_t depth = 0, first = 0, size = 1; /* size of a level */
    if (d == 1)
        return (collective->n - UINT64_C(1)) * lambda.numerator;
    while (first + size < collective->n) {
        first += size;
        size *= d;
        depth++;
    }
    uint64_t sum = greatest_sum(d, (unsigned)depth, collective->n - 1 - first);
    uint64_t deepest = depth * lambda.numerator + sum * lambda.denominator;
    uint64_t above = (depth - 1) * (lambda.numerator + (d - UINT64_C(1)) * lambda.denominator);
    return MAX(deepest, above);
}

static uint64_t end_of_degree(const struct collective *collective, uint32_t d)
{
    return (collective->m - UINT64_C(1)) * d * collective->lambda.denominator +
           first_packet(collective, d);
}

static uint64_t dtree_end(const struct collective *collective)
{
    return end_of_degree(collective, collective->degree);
}

/* Lemma 18. For d = 1 its logarithm is undefined; the path is that of section 4.3. */
static bool dtree_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    const struct rational lambda = collective->lambda;
    uint64_t d = collective->degree, height = 0;
    uint64_t before = d * (collective->m - UINT64_C(1)) * lambda.denominator;
    if (d == 1)
        return guarantee_set(guarantee, end_of_degree(collective, 1), "m-1+λ(n-1)",
                             "Bar-Noy, Kipnis, section 4.3");
    for (uint64_t size = 1; size < collective->n; size *= d)
        height++;
    return guarantee_set(guarantee,
                         before + ((d - 1) * lambda.denominator + lambda.numerator) * height,
                         "d(m-1)+(d-1+λ)⌈log_d n⌉", "Bar-Noy, Kipnis, Lemma 18");
}

/* Returns the degree with the earliest end. The last packet reaches the last child of node 0 at m·d
 * - 1 + λ, which grows with d: once this is too late, no greater degree is tried. */
static uint32_t dtree_best_degree(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    uint32_t best = 1;
    uint64_t best_end = end_of_degree(collective, 1);
    for (uint32_t d = 2; d < collective->n; d++) {
        uint64_t sends = (uint64_t)collective->m * d;
        if ((sends - 1) * lambda.denominator + lambda.numerator >= best_end)
            break;
        uint64_t end = end_of_degree(collective, d);
        if (end < best_end) {
            best = d;
            best_end = end;
        }
    }
    return best;
}

static bool dtree_accepts(const struct collective *collective, struct err *err)
{
    uint32_t d = collective->degree;
    if (d < 1 || d > collective->n - 1)
        return err_set(err, ERR_ALGORITHM,
                       "postal-dtree of degree %u on %u node%s; expected 1 … %u", d, collective->n,
                       text_s(collective->n), collective->n - 1);
    if ((uint64_t)d * collective->m >= MAX_SENDS)
        return err_set(
            err, ERR_ALGORITHM,
            "postal-dtree of degree %u with %u packet%s; expected a degree of at most %" PRIu64, d,
            collective->m, text_s(collective->m), (MAX_SENDS - 1) / collective->m);
    return true;
}

static bool dtree_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    const struct rational lambda = collective->lambda;
    const struct tree tree = {.n = collective->n, .degree = collective->degree};
    const struct postal_shape shape = {.call = call, .left = children(&tree, 0), .with = &tree};
    const struct postal_pace pace = {.sender = lambda.denominator,
                                     .recipient = lambda.numerator,
                                     .period = (uint64_t)tree.degree * lambda.denominator};
    return postal_grow(&shape, &pace, schedule, err);
}

const struct algorithm algorithm_postal_dtree = {
    .name = "postal-dtree",
    .summary = "sends along a tree of degree d that is filled level by level",
    .source = "Bar-Noy, Kipnis, section 4.3",
    .models = 1u << MODEL_POSTAL,
    .usual_models = 1u << MODEL_POSTAL,
    .best_degree = dtree_best_degree,
    .accepts = dtree_accepts,
    .end = dtree_end,
    .guarantee = dtree_guarantee,
    .build = dtree_build,
};
