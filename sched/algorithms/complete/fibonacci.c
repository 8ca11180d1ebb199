/* SPDX-License-Identifier: Apache-2.0 */
/* fibonacci: d generalised Fibonacci trees, extended to span all nodes, carry the packets in turn;
 * d odd.
 *
 * The trees are T̂_0 … T̂_{d-1} of fibonacci_tree.h: packet p (from 0) goes down T̂_i, i = p mod d,
 * and reaches a node of label x in round x + 1 + d·⌊p / d⌋. A node's labels in different trees
 * differ mod d, and so do those of one parent's children; a node has children in one tree only, or
 * one child in each (inserted nodes and the array). So it receives and sends one packet per round:
 * send-receive. n = 7, d = 3 (s = 1, β = 1), packet 1 down T̂_0:
 *
 *           1                    label 0, round 1; in T̂_1 node 2 is the root, in T̂_2 node 3
 *       ┌───┼───┐
 *       4   5   6                labels 1, 2, 3: inserted
 *       │   │   │
 *       2   -   3                labels 2, 3, 4: the other roots, and v, which is virtual
 *
 * Exactly
 *
 *     m + f_d(s) + d             rounds for n ≥ d² + d + 1, with s of fibonacci_tree.h
 *     m + d - 1 + α              for d + 1 ≤ n ≤ 2d, where n = d + 1 + α
 *     m + max(d + 1, d - 1 + α)  for 2d + 1 ≤ n ≤ 3d, where n = 2d + 1 + α
 *
 * For other n there are no trees of degree d. O(n) for each of min(d, m) trees, and O(transfers).
 * Bruck, Cypher and Ho, section 4; docs/algorithms/complete.md lists the errors in its lemmas.
 */
#include "sched/numbers/fibonacci.h"
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/fibonacci_tree.h"
#include "sched/algorithms/complete/forest.h"
#include "sched/base/compare.h"

#include <stdlib.h>

static uint64_t fibonacci_end(const struct collective *collective)
{
    struct fibonacci_shape shape;
    uint32_t d = collective->degree;
    if (!fibonacci_shape_of(d, collective->n, &shape, NULL))
        return ALGORITHM_UNKNOWN;
    if (shape.s > 1)
        return collective->m + fibonacci_index(d, shape.s) + d;
    uint32_t array = d - 1 + shape.alpha, children = d + shape.beta;
    return (uint64_t)collective->m + (shape.beta > 0 && children > array ? children : array);
}

/* Degree d takes at least m + d - 1 rounds, so degrees above the smallest end - m found so far need
 * not be tried: about (log2 n)/2 degrees are. Returns 0 for n < 4. */
static uint32_t fibonacci_best_degree(const struct collective *collective)
{
    struct collective tried = *collective;
    uint64_t best = UINT64_MAX;
    uint32_t best_degree = 0;
    for (tried.degree = 3; tried.degree < tried.n && tried.degree <= best; tried.degree += 2) {
        uint64_t end = fibonacci_end(&tried);
        if (end != ALGORITHM_UNKNOWN && end - tried.m < best) {
            best = end - tried.m;
            best_degree = tried.degree;
        }
    }
    return best_degree;
}

/* Lemma 4.8 with Theorem 3.9: m + f_d(n) + 2d - 2 rounds for every n that the lemma covers. With
 * the best degree this is at most the m + log n + 3 log log n + 15 of Theorem 4.9 up to 2^24 nodes.
 */
static bool fibonacci_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    uint64_t d = collective->degree, n = collective->n;
    return n >= d * d + d + 1 &&
           guarantee_set_real(
               guarantee,
               collective->m + fibonacci_index_most(collective->degree, n) + 2 * (double)d - 2, 1,
               "m+log n+3log n/(2^d-3)+3d+3", "Bruck, Cypher, Ho, Lemma 4.8 and Theorem 3.9");
}

static bool fibonacci_accepts(const struct collective *collective, struct err *err)
{
    struct fibonacci_shape shape;
    return fibonacci_shape_of(collective->degree, collective->n, &shape, err);
}

/* Sets tree i to T̂_i without v. In fibonacci_tree.h the labels of T̂_i are i larger than in the
 * forest. */
static bool set_tree(const struct collective *collective, uint32_t i, struct forest_edge edge[],
                     struct forest *forest, struct err *err)
{
    struct fibonacci_tree tree;
    if (!fibonacci_tree_hat(collective->degree, collective->n, i, &tree, err))
        return false;
    size_t count = 0;
    for (uint32_t index = 0; index < tree.count; index++) {
        const struct fibonacci_node *node = &tree.node[index];
        uint32_t source = index == 0 ? 0 : tree.node[node->parent].processor;
        if (node->processor != FIBONACCI_VIRTUAL)
            edge[count++] = (struct forest_edge){source, node->processor, node->label - i};
    }
    fibonacci_tree_free(&tree);
    return forest_set(forest, i, edge, err);
}

static bool fibonacci_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    uint32_t n = collective->n, m = collective->m, d = collective->degree;
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, fibonacci_end(collective), (size_t)(n - 1) * m + n, err))
        return false;
    struct forest forest = {0};
    struct forest_edge *edge = malloc(n * sizeof *edge);
    bool built = edge != NULL || err_no_memory(err, "a tree of %u nodes", n);
    built = built && forest_init(&forest, n, MIN(d, m), err);
    for (uint32_t i = 0; i < forest.count && built; i++)
        built = set_tree(collective, i, edge, &forest, err);
    built = built && forest_build(&forest, m, schedule, err);
    free(edge);
    forest_free(&forest);
    return built;
}

const struct algorithm algorithm_fibonacci = {
    .name = "fibonacci",
    .summary = "d generalised Fibonacci trees carry the packets in turn, d odd",
    .source = "Bruck, Cypher, Ho, section 4",
    .models = 1u << MODEL_SEND_RECEIVE,
    .best_degree = fibonacci_best_degree,
    .accepts = fibonacci_accepts,
    .end = fibonacci_end,
    .guarantee = fibonacci_guarantee,
    .build = fibonacci_build,
};
