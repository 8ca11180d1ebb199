/* SPDX-License-Identifier: Apache-2.0 */
/* dary-trees: d almost complete d-ary trees carry the packets in turn; each node is inner in at
 * most one tree.
 *
 * Let n - 2 = d·q + r, r < d. Tree i, 0 ≤ i < d, has q inner nodes of its own, 1 + i·q … (i + 1)·q,
 * in heap order: an almost complete d-ary tree, position y above d·y + 1 … d·y + d. A child's label
 * is its parent's plus 1 … d, so a node forwards a packet in the d rounds after it receives it. The
 * d·q - q + 1 places below the inner nodes are for the other nodes, which are r too many. So r of
 * the r + 1 nodes that are inner in no tree, the helpers, form a chain in all trees, and the last
 * place is below the chain; one or two packets need no helpers (dary_pair.h). n = 8, d = 2, q = 3,
 * r = 0:
 *
 *            tree 0: 1               label 0               tree 1: 4
 *           ┌────┴────┐                                   ┌────┴────┐
 *           2         3              labels 1, 2          5         6
 *         ┌─┴─┐     ┌─┴─┐                               ┌─┴─┐     ┌─┴─┐
 *         4   5     7   6            labels 2, 3, 3, 4    1   2     7   3
 *
 * Packet p goes down tree (p - 1) mod d and reaches a node of label l in round p + l. The comment
 * above the functions that build the trees explains how leaves are placed. No general edge
 * colouring is needed. O(n) for each of min(d, m) trees, and O(transfers).
 *
 * Bruck, Cypher and Ho, section 2.3, which gives m + 2 log n - O(1) and no construction ("despite
 * these difficulties"); the construction is ours.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/dary_pair.h"
#include "sched/algorithms/complete/forest.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <stdlib.h>
#include <string.h>

struct shape {
    uint32_t d;
    uint32_t inner;          /* q: number of inner nodes of one tree */
    uint32_t helpers;        /* r */
    uint32_t helper_residue; /* residue of the first helper in tree 0; in tree i it is i more */
    uint32_t last_residue;   /* residue of the node that is neither inner nor a helper */
    bool swapped;            /* d = 2: in tree 1 positions q - 1 and q are exchanged */
};

/* Returns the label of heap position y: each step to the k-th child adds k. O(log n). */
static uint32_t heap_label(uint32_t d, uint32_t y)
{
    if (d == 1)
        return y;
    uint32_t label = 0;
    for (; y > 0; y = (y - 1) / d)
        label += (y - 1) % d + 1;
    return label;
}

/* Returns the largest label of positions 0 … last. A position below `last` leaves the path to
 * `last` at some level for a lower child, or ends one level above; the largest label is then
 * reached by taking the last child at each further level. O(log n). */
static uint32_t largest_label(uint32_t d, uint32_t last)
{
    uint32_t above = heap_label(d, last), largest = above;
    if (d == 1)
        return largest;
    uint32_t levels = 0;
    for (uint32_t y = last; y > 0; y = (y - 1) / d, levels++) {
        uint32_t child = (y - 1) % d + 1;
        above -= child;
        uint32_t candidate = above + child - 1 + levels * d;
        if (child > 1 && candidate > largest)
            largest = candidate;
    }
    uint32_t shorter = levels > 0 ? (levels - 1) * d : 0;
    return MAX(shorter, largest);
}

/* Balances the residues for d = 2. In tree i a node has residue i if its own label is even, i + 1
 * if it is odd. The inner nodes except the root are pairs of siblings, one even and one odd, and
 * possibly a last node without sibling. So both trees together have 0 (the last is odd), 2 (there
 * is none) or 4 (the last is even) more even nodes than odd ones. Nodes and places balance for 2;
 * for 0 and 4 the residues of the nodes that are inner in no tree balance them; or, if there is
 * only one such node, 4 becomes 2 by moving tree 1's last inner node to its sibling's place, whose
 * label is odd. */
static void balance_two(struct shape *shape)
{
    bool alone = shape->inner % 2 == 0;
    bool even = heap_label(2, shape->inner - 1) % 2 == 0;
    bool excess = alone && even;
    shape->swapped = excess && shape->helpers == 0;
    shape->helper_residue = !alone || even;
    shape->last_residue = shape->helper_residue + shape->helpers + (excess && shape->helpers == 1);
}

static struct shape shape_of(const struct collective *collective)
{
    uint32_t d = collective->degree;
    struct shape shape = {
        .d = d, .inner = (collective->n - 2) / d, .helpers = (collective->n - 2) % d};
    shape.last_residue = shape.helpers;
    if (d == 2 && shape.inner > 0)
        balance_two(&shape);
    return shape;
}

/* Returns the position of the first helper and sets *label: below the leftmost of the lowest inner
 * nodes, which has the smallest label of the inner nodes without inner children; at the root if
 * there is no inner node. Precondition: helpers > 0. O(log n). */
static uint32_t helper_position(const struct shape *shape, uint32_t *label)
{
    *label = 0;
    if (shape->inner == 0)
        return 0;
    uint32_t d = shape->d, parent = 0, level = 0;
    for (; parent * d + 1 < shape->inner; level++)
        parent = parent * d + 1;
    uint32_t child = 1 + (shape->helper_residue + d - (level + 1) % d) % d;
    *label = level + child;
    return parent * d + child;
}

/* Returns the end: exactly m + max(L + d, V + r) rounds, where L is the largest label of an inner
 * node and V the label of the first helper (only if r > 0), except for the pair of dary_pair.h; m +
 * n - 2 if d = n - 1: a path. For d = 2 and n ≥ 4 these are at most m + 2⌊log2 n⌋ - 1. */
static uint64_t dary_trees_end(const struct collective *collective)
{
    const struct shape shape = shape_of(collective);
    uint32_t lowest = 0, chain = 0;
    if (dary_pair_fits(collective))
        return dary_pair_end(collective);
    if (shape.inner > 0) {
        uint32_t largest = largest_label(shape.d, shape.inner - 1);
        bool in_tree_1 = shape.swapped && collective->m % 2 == 0;
        lowest = largest + shape.d + (in_tree_1 && heap_label(2, shape.inner - 1) == largest);
    }
    if (shape.helpers > 0) {
        helper_position(&shape, &chain);
        chain += shape.helpers;
    }
    return (uint64_t)collective->m + MAX(lowest, chain);
}

/* Degree d takes at least m + d rounds if d < n - 1 (and as many as degree 1 if d = n - 1), so
 * degrees from the smallest end - m found so far on need not be tried: about 2 log2 n degrees
 * are. */
static uint32_t dary_trees_best_degree(const struct collective *collective)
{
    struct collective tried = *collective;
    uint64_t best = UINT64_MAX;
    uint32_t best_degree = 1;
    for (tried.degree = 1; tried.degree < tried.n && tried.degree < best; tried.degree++) {
        uint64_t beyond = dary_trees_end(&tried) - tried.m;
        if (beyond < best) {
            best = beyond;
            best_degree = tried.degree;
        }
    }
    return best_degree;
}

static bool dary_trees_accepts(const struct collective *collective, struct err *err)
{
    if (collective->degree >= collective->n)
        return err_set(err, ERR_ALGORITHM,
                       "dary-trees of degree %u on %u node%s; expected a degree of 1 … %u",
                       collective->degree, collective->n, text_s(collective->n), collective->n - 1);
    return true;
}

/* -- Building ---------------------------------------------------------------------------------- */

/* The sends of tree i repeat every d rounds; define a node's residue in tree i as (i + label) mod
 * d. The model's rules hold if
 *
 *     1. the children of one parent have different residues: their labels differ by less than d;
 *     2. a node that is inner in no tree sends to one child in each tree, one round after it has
 *        received the packet;
 *     3. a node has different residues in different trees.
 *
 * The placement of the leaves satisfies the third rule. The node at position y of tree h has in
 * tree i the residue label(y) + Q(i, h) mod d, where Q is a Latin square with Q(i, i) = i. So its
 * residues differ; and in tree i the d nodes that have position y in their own trees have all d
 * residues, so the inner nodes of all trees have each residue q times. The positions 1 … d·q also
 * have each residue q times. Position 0 has residue i, and so has a node that is inner in no tree.
 * Therefore each residue has as many nodes as places, and a node may take any place of its residue.
 * For d = 2 there is no such square: Q(i, h) = i, and pairs of siblings are balanced; one sibling
 * of each pair has an odd label (balance_two). */

struct builder {
    struct shape shape;
    uint32_t n;
    uint32_t *heap;           /* [d·q + 1]: heap_label of each position */
    uint32_t *node;           /* [n]: nodes without a place in this tree, by residue */
    uint32_t *next;           /* [d + 2]: the next node of each residue in `node` */
    struct forest_edge *edge; /* [n - 1] of this tree */
};

/* Returns the label of a position in one tree. */
static inline uint32_t label_at(const struct builder *builder, uint32_t tree, uint32_t y)
{
    uint32_t label = builder->heap[y], q = builder->shape.inner;
    if (!builder->shape.swapped || tree == 0 || y + 1 < q)
        return label;
    /* d = 2: positions q - 1 and q are siblings, 2q - 1 and 2q are the children of the former */
    return y == q ? label - 1 : y == q - 1 || y >= 2 * q - 1 ? label + 1 : label;
}

/* Returns Q(tree, home): a Latin square with Q(i, i) = i. For odd d it is the square of the paper's
 * Definition 4.2. For even d it is the square of e = d - 1 with one more row and column, to which
 * the cells (a, a + 1) have moved to make room for e. */
static uint32_t square(uint32_t d, uint32_t tree, uint32_t home)
{
    uint32_t e = d - 1;
    if (d == 2)
        return tree;
    if (d % 2 != 0)
        return (2 * home + d - tree) % d;
    if (tree == e)
        return home == e ? e : (home + 1) % e;
    if (home == e)
        return (tree + 2) % e;
    return home == (tree + 1) % e ? e : (2 * home + e - tree) % e;
}

/* Counts by residue the nodes that still need a place in the tree (place = NULL), or lists them. */
static void sort_nodes(const struct builder *builder, uint32_t tree, uint32_t count[],
                       uint32_t place[])
{
    const struct shape *shape = &builder->shape;
    uint32_t d = shape->d, q = shape->inner, last = (tree + shape->last_residue) % d;
    for (uint32_t home = 0; home < d; home++) {
        uint32_t shift = square(d, tree, home);
        for (uint32_t y = 0; y < q && home != tree; y++) {
            uint32_t at = count[(label_at(builder, home, y) + shift) % d]++;
            if (place != NULL)
                place[at] = 1 + home * q + y;
        }
    }
    if (place != NULL)
        place[count[last]] = builder->n - 1;
    count[last]++;
}

/* Sorts those nodes by residue: the nodes of a residue are node[next[residue]] … node[next[residue
 * + 1] - 1]. */
static void sort_by_residue(const struct builder *builder, uint32_t tree)
{
    uint32_t d = builder->shape.d, *next = builder->next;
    memset(next, 0, (d + 2) * sizeof *next);
    sort_nodes(builder, tree, next + 2, NULL);
    for (uint32_t residue = 0; residue < d; residue++)
        next[residue + 2] += next[residue + 1];
    sort_nodes(builder, tree, next + 1, builder->node);
}

static void build_tree(const struct builder *builder, uint32_t tree)
{
    const struct shape *shape = &builder->shape;
    struct forest_edge *edge = builder->edge;
    uint32_t d = shape->d, q = shape->inner, own = 1 + tree * q, helper = 1 + d * q;
    uint32_t chain = 0, first = shape->helpers > 0 ? helper_position(shape, &chain) : UINT32_MAX;
    sort_by_residue(builder, tree);
    for (uint32_t y = 0; y <= d * q; y++) {
        uint32_t label = label_at(builder, tree, y), parent = y > 0 ? own + (y - 1) / d : 0;
        uint32_t node = y < q        ? own + y
                        : y == first ? helper
                                     : builder->node[builder->next[(tree + label) % d]++];
        *edge++ = (struct forest_edge){parent, node, label};
    }
    for (uint32_t below = 1; below <= shape->helpers; below++) {
        uint32_t label = chain + below, parent = helper + below - 1;
        bool last = below == shape->helpers;
        uint32_t node = last ? builder->node[builder->next[(tree + label) % d]] : parent + 1;
        *edge++ = (struct forest_edge){parent, node, label};
    }
}

static bool build_forest(const struct collective *collective, struct builder *builder,
                         struct forest *forest, struct err *err)
{
    uint32_t d = builder->shape.d, n = builder->n;
    builder->heap = malloc(n * sizeof *builder->heap);
    builder->node = malloc(n * sizeof *builder->node);
    builder->next = malloc((d + 2) * sizeof *builder->next);
    builder->edge = malloc((n - 1) * sizeof *builder->edge);
    bool built = builder->heap != NULL && builder->node != NULL && builder->next != NULL &&
                 builder->edge != NULL;
    if (!built)
        return err_no_memory(err, "the trees of %u nodes", n);
    builder->heap[0] = 0;
    for (uint32_t y = 1; y <= d * builder->shape.inner; y++)
        builder->heap[y] = builder->heap[(y - 1) / d] + (y - 1) % d + 1;
    built = forest_init(forest, n, MIN(d, collective->m), err);
    for (uint32_t tree = 0; tree < forest->count && built; tree++) {
        build_tree(builder, tree);
        built = forest_set(forest, tree, builder->edge, err);
    }
    return built;
}

static bool dary_trees_build(const struct collective *collective, struct schedule *schedule,
                             struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, dary_trees_end(collective), (size_t)(n - 1) * m + n, err))
        return false;
    if (dary_pair_fits(collective))
        return dary_pair_build(collective, schedule, err);
    struct builder builder = {.shape = shape_of(collective), .n = n};
    struct forest forest = {0};
    bool built =
        build_forest(collective, &builder, &forest, err) && forest_build(&forest, m, schedule, err);
    forest_free(&forest);
    free(builder.heap);
    free(builder.node);
    free(builder.next);
    free(builder.edge);
    return built;
}

const struct algorithm algorithm_dary_trees = {
    .name = "dary-trees",
    .summary = "d almost complete d-ary trees carry the packets in turn",
    .source = "Bruck, Cypher, Ho, section 2.3",
    .models = 1u << MODEL_SEND_RECEIVE,
    .best_degree = dary_trees_best_degree,
    .accepts = dary_trees_accepts,
    .end = dary_trees_end,
    .build = dary_trees_build,
};
