/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/fibonacci_tree.h"

#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/numbers/fibonacci.h"
#include "sched/schedule/schedule.h"

#include <stdlib.h>

/* Section 4.3, corrected in its range of β: β = d - 1 occurs and is legal. T_0 has (s - 1)(d - 1)/d
 * + 1 leaves; they are at least β if s > 1, or if s = 1 and β ≤ 1. */
static bool is_legal(uint32_t d, uint32_t n)
{
    uint64_t least = (uint64_t)d * d + d + 1;
    return d % 2 != 0 && d >= 3 && d < n && (n <= 3 * (uint64_t)d || n >= least);
}

/* Reports E103. The legal degrees for n ≥ 4 are the odd d with d² + d + 1 ≤ n and those with n ≤
 * 3d, d < n. */
static void refuse(uint32_t d, uint32_t n, struct err *err)
{
    if (n < 4) {
        err_set(err, ERR_ALGORITHM, "no fibonacci trees span %u node%s; expected at least 4", n,
                text_s(n));
        return;
    }
    uint32_t low = 1, from = (n + 2) / 3 | 1, to = (n - 2) | 1;
    while (3 * (low + 2) < n && is_legal(low + 2, n))
        low += 2;
    char first[40] = "";
    if (low >= 3)
        snprintf(first, sizeof first, "of 3 … %u or ", low);
    err_set(err, ERR_ALGORITHM,
            "no fibonacci trees of degree %u span %u node%s; expected an odd degree %sof %u … %u",
            d, n, text_s(n), first, from, to);
}

bool fibonacci_shape_of(uint32_t d, uint32_t n, struct fibonacci_shape *shape, struct err *err)
{
    if (!is_legal(d, n)) {
        refuse(d, n, err);
        return false;
    }
    uint32_t groups = (n - 1) / d; /* s + β */
    *shape = (struct fibonacci_shape){.d = d, .alpha = (n - 1) % d, .beta = (groups - 1) % d};
    shape->s = groups - shape->beta;
    return true;
}

void fibonacci_tree_free(struct fibonacci_tree *tree)
{
    free(tree->node);
    *tree = (struct fibonacci_tree){0};
}

static bool init(struct fibonacci_tree *tree, uint32_t d, uint32_t count, struct err *err)
{
    *tree =
        (struct fibonacci_tree){.d = d, .count = count, .node = malloc(count * sizeof *tree->node)};
    return tree->node != NULL || err_no_memory(err, "a tree of %u nodes", count);
}

/* Grows nodes 0 … s-1 from the root (labelled `base`): (s - 1)/d times, the childless node of the
 * smallest label, and among these the first created, receives d children. For s = F_d(t) this is
 * FT_d(t): exactly the nodes of labels up to t - d have children. order[s] lists the nodes in that
 * order, so the leaves are its end. It proceeds label by label: the nodes of a label are children
 * of consecutive entries of `order`, one of each. O(s). */
static void grow(const struct fibonacci_tree *tree, uint32_t s, uint32_t base, uint32_t order[])
{
    uint32_t d = tree->d, inner = (s - 1) / d, oldest = 0, count = 1;
    struct fibonacci_node *node = tree->node;
    node[0] = (struct fibonacci_node){.label = base, .processor = FIBONACCI_VIRTUAL};
    order[0] = 0;
    for (uint32_t label = base + 1; count < s; label++) {
        while (node[order[oldest]].label + d < label)
            oldest++;
        uint32_t end = MIN(count, inner);
        for (uint32_t which = oldest; which < end; which++) {
            uint32_t parent = order[which], child = which * d + label - node[parent].label;
            node[child] = (struct fibonacci_node){parent, label, FIBONACCI_VIRTUAL};
            order[count++] = child;
        }
    }
}

/* Allocates a tree of s nodes and grows it. */
static bool init_grown(struct fibonacci_tree *tree, uint32_t d, uint32_t s, uint32_t base,
                       struct err *err)
{
    uint32_t *order = malloc(s * sizeof *order);
    if (order == NULL)
        return err_no_memory(err, "a tree of %u nodes", s);
    bool done = init(tree, d, s, err);
    if (done)
        grow(tree, s, base, order);
    free(order);
    return done;
}

bool fibonacci_tree_full(uint32_t d, uint32_t t, struct fibonacci_tree *tree, struct err *err)
{
    uint64_t size = fibonacci_size(d, t);
    if (size > SCHEDULE_MAX_NODES)
        return err_set(
            err, ERR_TOO_BIG,
            "the fibonacci tree of degree %u and order %u is too large; expected at most %u nodes",
            d, t, SCHEDULE_MAX_NODES);
    return init_grown(tree, d, (uint32_t)size, 0, err);
}

/* Assigns the processors of T_i to its first s nodes. */
static void settle(const struct fibonacci_tree *tree, uint32_t s, uint32_t i)
{
    for (uint32_t position = 0; position < s; position++)
        tree->node[position].processor = 1 + i * s + position;
}

bool fibonacci_tree_top(uint32_t d, uint32_t n, uint32_t i, struct fibonacci_tree *tree,
                        struct err *err)
{
    struct fibonacci_shape shape;
    if (!fibonacci_shape_of(d, n, &shape, err) || !init_grown(tree, d, shape.s, i, err))
        return false;
    settle(tree, shape.s, i);
    return true;
}

/* T̂_i under construction. */
struct hat {
    const struct fibonacci_shape *shape;
    uint32_t i;
    struct fibonacci_node *node;
    uint32_t count; /* nodes so far */
    uint32_t head;  /* node that represents v */
};

/* Returns the position in T_home of processor number `which` below leaf `ordinal`, and sets *home:
 * below the first leaf the roots of all trees, with T_i's root replaced by v; below the other
 * leaves the sibling sets of the other trees. The paper leaves this choice open; with v below the
 * smallest label the array also ends in time. */
static uint32_t member(const struct hat *hat, uint32_t ordinal, uint32_t which, uint32_t *home)
{
    uint32_t inner = (hat->shape->s - 1) / hat->shape->d;
    if (ordinal == 0) {
        *home = which;
        return 0;
    }
    *home = (ordinal - 1) / inner;
    *home += *home >= hat->i;
    return 1 + (ordinal - 1) % inner * hat->shape->d + which;
}

/* Adds the d children of a leaf: directly below it, or each below one of the d nodes inserted
 * there, which sends to it in the next round. A processor of T_h with label l_h gets the label l ≡
 * l_h + h - i (mod d), v the label l ≡ i (Definition 4.2); v takes the place of T_i's root, for
 * which the first rule gives the same label. */
static void hang(struct hat *hat, uint32_t leaf, uint32_t ordinal)
{
    const struct fibonacci_shape *shape = hat->shape;
    uint32_t d = shape->d, i = hat->i, array = 1 + d * (shape->s + shape->beta);
    uint32_t above = hat->node[leaf].label, inserted = hat->count;
    bool inserts = ordinal < shape->beta;
    for (uint32_t offset = 1; offset <= d && inserts; offset++)
        hat->node[hat->count++] = (struct fibonacci_node){
            leaf, above + offset, 1 + d * shape->s + ordinal * d + offset - 1};
    above += inserts;
    for (uint32_t which = 0; which < d; which++) {
        uint32_t home, position = member(hat, ordinal, which, &home);
        /* l_h + h - i with l_h = l_i(position) - i + h, because T_h is a copy of T_i */
        uint32_t rest = (hat->node[position].label + 2 * (home + d - i)) % d;
        uint32_t offset = 1 + (rest + d - (above + 1) % d) % d;
        bool virtual = ordinal == 0 && home == i;
        uint32_t processor = 1 + home * shape->s + position;
        if (virtual) {
            hat->head = hat->count;
            processor = shape->alpha > 0 ? array : FIBONACCI_VIRTUAL;
        }
        uint32_t parent = inserts ? inserted + offset - 1 : leaf;
        hat->node[hat->count++] = (struct fibonacci_node){parent, above + offset, processor};
    }
}

bool fibonacci_tree_hat(uint32_t d, uint32_t n, uint32_t i, struct fibonacci_tree *tree,
                        struct err *err)
{
    struct fibonacci_shape shape;
    if (!fibonacci_shape_of(d, n, &shape, err))
        return false;
    uint32_t *order = malloc(shape.s * sizeof *order);
    if (order == NULL)
        return err_no_memory(err, "a tree of %u nodes", shape.s);
    if (!init(tree, d, n - (shape.alpha > 0), err)) { /* the array's head is counted as v */
        free(order);
        return false;
    }
    grow(tree, shape.s, i, order);
    settle(tree, shape.s, i);
    struct hat hat = {.shape = &shape, .i = i, .node = tree->node, .count = shape.s};
    uint32_t inner = (shape.s - 1) / d;
    for (uint32_t ordinal = 0; inner + ordinal < shape.s; ordinal++)
        hang(&hat, order[inner + ordinal], ordinal);
    uint32_t parent = hat.head;
    for (uint32_t place = 1; place < shape.alpha; place++) {
        const struct fibonacci_node before = hat.node[parent];
        hat.node[hat.count] =
            (struct fibonacci_node){parent, before.label + 1, before.processor + 1};
        parent = hat.count++;
    }
    free(order);
    return true;
}
