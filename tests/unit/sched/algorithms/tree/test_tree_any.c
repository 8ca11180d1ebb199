/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_any: collectives in trees that are given by a list of parents.
 *
 * State space: trees × lanes × collective × source × model × duplex. Sampled: 60 random trees of 3
 * … 10 nodes, including chains and stars, 1 … 3 lanes (the seed is printed), all sources. Each
 * schedule is verified and replayed here: nodes hold the packets that they send, lanes and ports
 * carry one packet at a time, and all packets arrive. The end of a single-port broadcast is the
 * optimum that a search of all sets of informed nodes finds; the end of a scatter is computed from
 * the distances. Complete trees, given as lists of parents, end as the algorithms of complete trees
 * do. Counter-cases: lists that are not a tree or are in another order; methods; capacities per
 * level.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include "sched/bound/bound.h"
#include "sched/verify/verify.h"

#include <stdlib.h>
#include <string.h>

#define SEED 19
#define TREES 60
#define MOST 10 /* nodes */

/* Returns a random tree. Every router gets a child, a leaf or an earlier router; the other nodes
 * get any parent. */
static struct topology draw_tree(struct rng *rng)
{
    uint32_t routers = 1 + (uint32_t)rng_below(rng, 5), parent[MOST];
    uint32_t leaves = 2 + (uint32_t)rng_below(rng, MOST - 1 - routers), all = leaves + routers;
    struct topology tree;
    struct err err = {0};
    do {
        bool has_child[MOST] = {false};
        for (uint32_t node = 0; node + 1 < all; node++) {
            uint32_t least = node < leaves ? leaves : node + 1;
            parent[node] = least + (uint32_t)rng_below(rng, all - least);
            has_child[parent[node]] = true;
        }
        uint32_t lone = leaves;
        while (lone < all && has_child[lone])
            lone++;
        if (lone == all)
            break;
    } while (true);
    support_true(topology_parents(all - 1, parent, 1 + (uint32_t)rng_below(rng, 3), &tree, &err),
                 &err);
    return tree;
}

static bool are_joined(const struct topology *tree, uint32_t a, uint32_t b)
{
    return (a + 1 < tree->all && tree->parent[a] == b) ||
           (b + 1 < tree->all && tree->parent[b] == a);
}

static uint32_t distance(const struct topology *tree, uint32_t a, uint32_t b)
{
    uint32_t links = 0;
    for (; a != b; links++)
        if (a < b)
            a = tree->parent[a];
        else
            b = tree->parent[b];
    return links;
}

/* --- Replay --------------------------------------------------------------------------------- */

static void check_step(const struct schedule *s, size_t k, bool has[][MOST])
{
    size_t first = s->step[k].first, end = schedule_step_end(s, k);
    for (size_t t = first; t < end; t++) {
        const struct transfer *now = &s->transfer[t];
        assert_true(are_joined(&s->topology, now->source, now->destination));
        assert_true(has[now->packet][now->source]);
        assert_true(s->lane[t] < s->topology.capacity[1]);
        for (size_t other = first; other < t; other++) {
            const struct transfer *before = &s->transfer[other];
            bool same = before->source == now->source && before->destination == now->destination;
            bool back = before->source == now->destination && before->destination == now->source;
            assert_false((same || (back && s->topology.half_duplex)) &&
                         s->lane[other] == s->lane[t]);
            assert_false(s->model == MODEL_SINGLE_PORT && before->source == now->source);
        }
    }
    for (size_t t = first; t < end; t++)
        has[s->transfer[t].packet][s->transfer[t].destination] = true;
}

static void replay(const struct schedule *s)
{
    static bool has[MOST * MOST + 1][MOST];
    memset(has, 0, sizeof has);
    for (size_t d = 0; d < s->demand_count; d++)
        for (uint32_t p = s->demand[d].first_packet; p <= s->demand[d].last_packet; p++)
            has[p][s->demand[d].source] = true;
    for (size_t k = 0; k < s->step_count; k++)
        check_step(s, k, has);
    for (size_t d = 0; d < s->demand_count; d++)
        for (uint32_t node = 0; node < s->nodes; node++)
            if (s->demand[d].wanted_count == 0 || s->demand[d].wanted[0] == node)
                assert_true(has[s->demand[d].first_packet][node]);
}

static uint64_t end_of(const char *name, const struct topology *tree, enum model model,
                       uint32_t source)
{
    struct collective asked = tree_lab_ask(tree, model, 0);
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    running("%s, %u nodes, source %u, %s", name, tree->all, source, model_name(model));
    asked.source = source;
    support_schedule(support_algorithm(name), &asked, &schedule);
    support_true(verify_schedule(name, &schedule, &report, &err), &err);
    replay(&schedule);
    uint64_t end = schedule.end, promised = algorithm_end(support_algorithm(name), &asked);
    asked.kind = support_algorithm(name)->kind;
    assert_true(promised == end || promised == ALGORITHM_UNKNOWN);
    assert_true(bound_end(&asked) <= end);
    schedule_free(&schedule);
    return end;
}

/* --- Optima --------------------------------------------------------------------------------- */

/* Marks the sets that result after the informed nodes from `node` on have sent. */
static void send_from(const struct topology *tree, uint32_t set, uint32_t node, uint32_t reached,
                      bool next[])
{
    next[reached] = node == tree->all || next[reached];
    if (node == tree->all)
        return;
    send_from(tree, set, node + 1, reached, next);
    for (uint32_t to = 0; set >> node & 1 && to < tree->all; to++)
        if (are_joined(tree, node, to) && !(reached >> to & 1))
            send_from(tree, set, node + 1, reached | 1u << to, next);
}

/* Returns the minimum number of steps in which a node informs all leaves, if each node sends to one
 * neighbour in a step. */
static uint64_t search_broadcast(const struct topology *tree, uint32_t source)
{
    bool now[1 << MOST] = {false}, next[1 << MOST], informed = false;
    uint32_t leaves = (1u << tree->nodes) - 1;
    uint64_t steps = 0;
    now[1u << source] = true;
    for (; !informed; steps++) {
        memset(next, 0, sizeof next);
        for (uint32_t set = 1; set < 1u << tree->all; set++)
            if (now[set])
                send_from(tree, set, 0, set, next);
        memcpy(now, next, sizeof now);
        for (uint32_t set = 1; set < 1u << tree->all; set++)
            informed = informed || (now[set] && (set & leaves) == leaves);
    }
    return steps;
}

/* Returns the steps of a scatter: the largest sum, over all leaves, of the distance and the steps
 * that the source's port needs for the packets before it, which are sent in descending order of
 * distance. */
static uint64_t scatter_steps(const struct topology *tree, enum model model, uint32_t source)
{
    uint64_t most = 0;
    for (uint32_t leaf = 0; leaf < tree->nodes; leaf++) {
        uint32_t before = 0, far = distance(tree, leaf, source);
        for (uint32_t other = 0; other < tree->nodes; other++) {
            bool together = model == MODEL_SINGLE_PORT ||
                            distance(tree, leaf, other) < far + distance(tree, other, source);
            before += other != source && other != leaf && together &&
                      (distance(tree, other, source) > far ||
                       (distance(tree, other, source) == far && other < leaf));
        }
        uint64_t end = before / (model == MODEL_SINGLE_PORT ? 1 : tree->capacity[1]) + far;
        most = leaf != source && end > most ? end : most;
    }
    return most;
}

static void check_tree(const struct topology *tree)
{
    for (unsigned which = 0; which < 2; which++) {
        enum model model = which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
        for (uint32_t source = 0; source < tree->all; source++) {
            uint64_t scatter = scatter_steps(tree, model, source), far = 0;
            for (uint32_t leaf = 0; leaf < tree->nodes; leaf++)
                far = distance(tree, leaf, source) > far ? distance(tree, leaf, source) : far;
            assert_int_equal(end_of("tree-broadcast", tree, model, source),
                             which == 0 ? search_broadcast(tree, source) : far);
            assert_int_equal(end_of("tree-scatter", tree, model, source), scatter);
            if (source < tree->nodes)
                assert_int_equal(end_of("tree-gather", tree, model, source), scatter);
        }
        end_of("tree-all-gather", tree, model, 0);
        end_of("tree-total-exchange", tree, model, 0);
    }
}

static void test_random_trees(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %d\n", SEED);
    for (unsigned k = 0; k < TREES; k++) {
        struct topology tree = draw_tree(&rng);
        check_tree(&tree);
        tree.half_duplex = true;
        check_tree(&tree);
    }
}

/* --- Complete trees ------------------------------------------------------------------------- */

static struct topology list_of(const struct topology *tree)
{
    uint32_t parent[TOPOLOGY_MAX_PARENTS];
    struct topology any;
    struct err err = {0};
    uint32_t node = 0, above = 0, count = tree->nodes;
    for (unsigned level = 1; level <= tree->height; level++, count /= tree->children[level - 1]) {
        above += count;
        for (uint32_t k = 0; k < count; k++)
            parent[node++] = above + k / tree->children[level];
    }
    support_true(topology_parents(node, parent, tree->capacity[1], &any, &err), &err);
    return any;
}

static void test_complete_trees(void **state)
{
    (void)state;
    static const char *const names[] = {"tree-broadcast", "tree-scatter", "tree-gather"};
    struct topology tree = {0};
    unsigned trees = 0;
    for (; tree_lab_next(20, &tree); trees++) {
        const struct topology any = list_of(&tree);
        assert_int_equal(any.all, tree.all);
        for (unsigned which = 0; which < 6; which++) {
            struct collective asked =
                tree_lab_ask(&tree, which % 2 == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, 0);
            uint64_t end = algorithm_end(support_algorithm(names[which / 2]), &asked);
            asked.topology = &any;
            assert_int_equal(algorithm_end(support_algorithm(names[which / 2]), &asked), end);
        }
    }
    assert_true(trees > 20);
}

/* --- Counter-cases -------------------------------------------------------------------------- */

static void test_counter_cases(void **state)
{
    (void)state;
    static const struct {
        const char *parents, *capacity;
        enum err_code code;
        const char *text;
    } refused[] = {
        {"", "const", ERR_OPTION, "parents: ''; expected the parents of nodes 0, 1, …"},
        {"4,x", "const", ERR_OPTION, "parents: '4,x'"},
        {"1", "const", ERR_RANGE, "parents: 1 parents; expected 2 … 255"},
        {"4,4,5,6,5,5", "const", ERR_RANGE, "parent 5 of node 5; expected 6 … 6"},
        {"4,4,5,6,5,7", "const", ERR_RANGE, "parent 7 of node 5; expected 6 … 6"},
        {"1,2", "const", ERR_RANGE, "parents: a single leaf; expected 2 or more"},
        {"3,3,6,6,6,6", "const", ERR_RANGE, "node 4 has no child; expected the leaves first"},
        {"2,2", "1,2", ERR_OPTION, "capacity: '1,2'; expected the links of every branch, or const"},
        {"2,2", "0", ERR_RANGE, "capacity: 0 links of a branch; expected 1 … 65536"},
    };
    for (unsigned which = 0; which < sizeof refused / sizeof *refused; which++) {
        struct topology tree;
        struct err err = {0};
        assert_false(
            topology_parse_parents(refused[which].parents, refused[which].capacity, &tree, &err));
        support_error(&err, refused[which].code, refused[which].text);
    }
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_parents("4,4,5,6,5,6", "2", &tree, &err), &err);
    const struct collective asked = tree_lab_ask(&tree, MODEL_MULTIPORT, 1);
    assert_false(algorithm_check(support_algorithm("tree-gather"), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "a tree of parents has one method for each collective");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_complete_trees),
        cmocka_unit_test(test_counter_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
