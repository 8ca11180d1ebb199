/* SPDX-License-Identifier: Apache-2.0 */
/* test_fibonacci_tree: the trees node by node, against the figures and theorems of the paper
 * (Bruck, Cypher and Ho).
 *
 * Drawings: Figs. 1 to 4 are written as strings, label(children). The places of processors in Figs.
 * 4 to 6 are arbitrary, so only counts and labels are compared there. Broadcast trees: exhaustive
 * for d = 3, 5, 7, 9 and n ≤ 420: a judge that is independent of the construction checks every rule
 * that makes d trees a broadcast. The judge must reject trees that were broken on purpose, each for
 * its own reason.
 */
#include "sched/algorithms/complete/fibonacci_tree.h"
#include "sched/numbers/fibonacci.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

#define MAX_D 9
#define MAX_N 420

/* --- figures
 * ------------------------------------------------------------------------------------- */

/* Appends label(children), with the children ordered by label. */
static void draw(const struct fibonacci_tree *tree, uint32_t node, char text[])
{
    size_t used = strlen(text);
    bool follows = used > 0 && text[used - 1] != '(' && text[used - 1] != ')';
    sprintf(text + used, follows ? " %u" : "%u", tree->node[node].label);
    bool opened = false;
    for (uint32_t label = 1; label <= tree->node[node].label + 2 * tree->d; label++)
        for (uint32_t child = node + 1; child < tree->count; child++)
            if (tree->node[child].parent == node && tree->node[child].label == label) {
                strcat(text, opened ? "" : "(");
                opened = true;
                draw(tree, child, text);
            }
    strcat(text, opened ? ")" : "");
}

static void assert_drawn(struct fibonacci_tree *tree, uint32_t count, const char *expected)
{
    char text[1000] = "";
    draw(tree, 0, text);
    assert_string_equal(text, expected);
    assert_int_equal(tree->count, count);
    fibonacci_tree_free(tree);
}

static void test_figures_1_to_4(void **state)
{
    (void)state;
    struct fibonacci_tree tree;
    struct err err = {0};
    support_true(fibonacci_tree_full(2, 6, &tree, &err), &err);
    assert_drawn(&tree, 25, "0(1(2(3(4(5 6)5)4(5 6))3(4(5 6)5))2(3(4(5 6)5)4(5 6)))");
    support_true(fibonacci_tree_full(3, 6, &tree, &err), &err);
    assert_drawn(&tree, 25, "0(1(2(3(4 5 6)4 5)3(4 5 6)4)2(3(4 5 6)4 5)3(4 5 6))");
    support_true(fibonacci_tree_full(7, 6, &tree, &err), &err);
    assert_drawn(&tree, 1, "0");
    assert_false(fibonacci_tree_full(2, 60, &tree, &err));
    support_error(&err, ERR_TOO_BIG, "order 60 is too large; expected at most 16777216 nodes");

    static const char *const tops[] = {"0(1(2 3 4)2 3)", "1(2(3 4 5)3 4)", "2(3(4 5 6)4 5)"};
    for (uint32_t i = 0; i < 3; i++) {
        support_true(fibonacci_tree_top(3, 22, i, &tree, &err), &err);
        for (uint32_t position = 0; position < 7; position++)
            assert_int_equal(tree.node[position].processor, 1 + 7 * i + position);
        assert_drawn(&tree, 7, tops[i]);
    }
    support_true(fibonacci_tree_hat(3, 22, 0, &tree, &err), &err);
    assert_drawn(&tree, 22, "0(1(2(3 4 5)3(4 5 6)4(5 6 7))2(3 4 5)3(4 5 6))");
}

/* Returns the number of nodes that have this processor; stores the first in *found. */
static uint32_t find(const struct fibonacci_tree *tree, uint32_t processor, uint32_t *found)
{
    uint32_t count = 0;
    for (uint32_t index = tree->count; index-- > 0;)
        if (tree->node[index].processor == processor) {
            *found = index;
            count++;
        }
    return count;
}

/* Fig. 5, n = 28: six processors are inserted above the children of the leaves of labels 2 and 2.
 * Fig. 6, n = 30: the same; v is processor 28 and the other processor of the array is 29. */
static void test_figures_5_and_6(void **state)
{
    (void)state;
    for (uint32_t n = 28; n <= 30; n += 2) {
        struct fibonacci_tree tree;
        struct err err = {0};
        support_true(fibonacci_tree_hat(3, n, 0, &tree, &err), &err);
        assert_int_equal(tree.count, n == 28 ? 28 : 29);
        uint32_t at = 0;
        assert_int_equal(find(&tree, FIBONACCI_VIRTUAL, &at), n == 28);
        for (uint32_t inserted = 22; inserted < 28; inserted++) {
            assert_int_equal(find(&tree, inserted, &at), 1);
            assert_true(tree.node[at].label >= 3 && tree.node[at].label <= 5);
            assert_int_equal(tree.node[tree.node[at].parent].label, 2);
            uint32_t fed = 0;
            for (uint32_t child = at + 1; child < tree.count; child++)
                if (tree.node[child].parent == at) {
                    assert_int_equal(tree.node[child].label, tree.node[at].label + 1);
                    fed++;
                }
            assert_int_equal(fed, 1);
        }
        if (n == 30) {
            assert_int_equal(find(&tree, 29, &at), 1);
            assert_int_equal(tree.node[tree.node[at].parent].processor, 28);
            assert_int_equal(tree.node[at].label, tree.node[tree.node[at].parent].label + 1);
        }
        fibonacci_tree_free(&tree);
    }
}

/* --- the broadcast trees
 * ------------------------------------------------------------------------- */

/* Records that the processor is busy in a round mod d, in `busy[processor * d + round]`; returns
 * false if it was busy already. Used for receipts and for sends. */
static bool take(bool busy[], uint32_t d, uint32_t processor, uint32_t round)
{
    bool *place = &busy[(size_t)processor * d + round % d];
    bool free_before = !*place;
    *place = true;
    return free_before;
}

/* Checks the rules that make d trees a broadcast in which each processor sends and receives once a
 * round (Lemmas 4.3 to 4.5). Returns the broken rule, or NULL. */
static const char *breach(const struct fibonacci_tree hat[], uint32_t d, uint32_t n)
{
    static bool sends[MAX_N * MAX_D], receives[MAX_N * MAX_D];
    memset(sends, 0, (size_t)n * d);
    memset(receives, 0, (size_t)n * d);
    for (uint32_t i = 0; i < d; i++) {
        uint32_t real = 0;
        if (hat[i].node[0].label != i || hat[i].node[0].parent != 0)
            return "root";
        for (uint32_t index = 0; index < hat[i].count; index++) {
            const struct fibonacci_node *node = &hat[i].node[index],
                                        *parent = &hat[i].node[node->parent];
            if (index > 0 && node->parent >= index)
                return "order";
            if (index > 0 && (node->label <= parent->label || node->label > parent->label + d))
                return "label";
            if (node->processor == FIBONACCI_VIRTUAL)
                continue;
            real++;
            if (node->processor < 1 || node->processor >= n)
                return "processor";
            if (!take(receives, d, node->processor, node->label))
                return "receives";
            if (index > 0 && !take(sends, d, parent->processor, node->label))
                return "sends";
        }
        if (real != n - 1)
            return "count";
    }
    /* n - 1 processors in each tree and d different rounds for each: every processor is in every
     * tree once, unless a tree has a processor twice. */
    for (uint32_t i = 0; i < d; i++) {
        bool *seen = sends;
        memset(seen, 0, n);
        for (uint32_t index = 0; index < hat[i].count; index++)
            if (hat[i].node[index].processor != FIBONACCI_VIRTUAL &&
                !take(seen, 1, hat[i].node[index].processor, 0))
                return "twice";
    }
    return NULL;
}

/* Returns the largest label in T̂_i, minus i. */
static uint32_t largest(const struct fibonacci_tree *hat, uint32_t i)
{
    uint32_t label = 0;
    for (uint32_t index = 0; index < hat->count; index++)
        if (hat->node[index].label > label && hat->node[index].processor != FIBONACCI_VIRTUAL)
            label = hat->node[index].label;
    return label - i;
}

static void make_hats(uint32_t d, uint32_t n, struct fibonacci_tree hat[])
{
    struct err err = {0};
    for (uint32_t i = 0; i < d; i++)
        support_true(fibonacci_tree_hat(d, n, i, &hat[i], &err), &err);
}

static void free_hats(uint32_t d, struct fibonacci_tree hat[])
{
    for (uint32_t i = 0; i < d; i++)
        fibonacci_tree_free(&hat[i]);
}

static void test_hats(void **state)
{
    (void)state;
    for (uint32_t d = 3; d <= MAX_D; d += 2)
        for (uint32_t n = d + 1; n <= MAX_N; n++) {
            if (n > 3 * d && n < d * d + d + 1)
                continue;
            struct fibonacci_tree hat[MAX_D];
            make_hats(d, n, hat);
            const char *broken = breach(hat, d, n);
            if (broken != NULL)
                fail_msg("d=%u n=%u: %s", d, n, broken);
            /* n - 1 = d·(s + β) + α, s ≡ 1 mod d: the tree's height is f_d(s) + d */
            uint32_t groups = (n - 1) / d, s = groups - (groups - 1) % d, at;
            for (uint32_t i = 0; i < d; i++) {
                assert_int_equal(find(&hat[i], FIBONACCI_VIRTUAL, &at), (n - 1) % d == 0);
                if (n > 3 * d)
                    assert_int_equal(largest(&hat[i], i), fibonacci_index(d, s) + d);
            }
            free_hats(d, hat);
        }
}

static bool has_child(const struct fibonacci_tree *tree, uint32_t node)
{
    for (uint32_t child = node + 1; child < tree->count; child++)
        if (tree->node[child].parent == node)
            return true;
    return false;
}

/* Changes one node of a tree and checks that the judge reports it. */
static void assert_seen(struct fibonacci_tree hat[], struct fibonacci_node *node,
                        struct fibonacci_node changed, const char *expected)
{
    struct fibonacci_node kept = *node;
    assert_null(breach(hat, 3, 30));
    *node = changed;
    const char *broken = breach(hat, 3, 30);
    assert_non_null(broken);
    assert_string_equal(broken, expected);
    *node = kept;
}

/* Nodes are relabelled, moved and replaced. */
static void test_broken_hats(void **state)
{
    (void)state;
    struct fibonacci_tree hat[3];
    make_hats(3, 30, hat);
    struct fibonacci_node *node = hat[1].node, is = node[20], root = node[0], before = node[19];
    assert_false(has_child(&hat[1], 20) || has_child(&hat[1], 19));
    assert_seen(hat, &node[0], (struct fibonacci_node){0, root.label + 1, root.processor}, "root");
    assert_seen(hat, &node[20], (struct fibonacci_node){25, is.label, is.processor}, "order");
    assert_seen(hat, &node[20],
                (struct fibonacci_node){is.parent, node[is.parent].label, is.processor}, "label");
    assert_seen(hat, &node[20], (struct fibonacci_node){0, is.label, is.processor}, "label");
    assert_seen(hat, &node[20], (struct fibonacci_node){is.parent, is.label, 30}, "processor");
    assert_seen(hat, &node[20], (struct fibonacci_node){is.parent, is.label, before.processor},
                "receives");
    assert_seen(hat, &node[20], (struct fibonacci_node){is.parent, is.label, FIBONACCI_VIRTUAL},
                "count");
    uint32_t other = 0; /* another inner node from which the label is right */
    for (uint32_t parent = 0; parent < 20; parent++)
        if (node[parent].label < is.label && is.label <= node[parent].label + 3 &&
            parent != is.parent)
            other = parent;
    assert_true(has_child(&hat[1], other));
    assert_seen(hat, &node[20], (struct fibonacci_node){other, is.label, is.processor}, "sends");
    free_hats(3, hat);
}

/* Two leaves of different trees that receive in the same rounds are swapped: each is then twice in
 * one tree and missing in the other, although every processor receives in all rounds. */
static void test_exchanged(void **state)
{
    (void)state;
    struct fibonacci_tree hat[3];
    make_hats(3, 30, hat);
    unsigned exchanges = 0;
    for (uint32_t here = 7; here < hat[0].count; here++)
        for (uint32_t there = 7; there < hat[1].count; there++) {
            struct fibonacci_node *a = &hat[0].node[here], *b = &hat[1].node[there];
            if (a->label % 3 != b->label % 3 || a->processor == b->processor ||
                has_child(&hat[0], here) || has_child(&hat[1], there))
                continue;
            struct fibonacci_node kept = *a;
            a->processor = b->processor;
            b->processor = kept.processor;
            assert_string_equal(breach(hat, 3, 30), "twice");
            b->processor = a->processor;
            *a = kept;
            exchanges++;
        }
    assert_true(exchanges > 10);
    assert_null(breach(hat, 3, 30));
    free_hats(3, hat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_1_to_4), cmocka_unit_test(test_figures_5_and_6),
        cmocka_unit_test(test_hats),           cmocka_unit_test(test_broken_hats),
        cmocka_unit_test(test_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
