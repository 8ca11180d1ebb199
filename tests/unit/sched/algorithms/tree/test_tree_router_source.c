/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_router_source: broadcasts and scatters that start at a router of a tree.
 *
 * State space: trees of k_i = 2 … 5 × capacities × router × model. Exhaustive: all 43 trees of n ≤
 * 24 and all their routers, both models; sampled: two random capacities each. Each schedule is
 * verified. The end of a single-port broadcast is compared with equation (1) of the paper, applied
 * to the tree rooted at the router: the children of a node are served in descending order of their
 * own times. The end of a multiport broadcast is the distance of the furthest leaf. The end of a
 * scatter equals its bound or, in at most one case in a hundred, where two levels share the path
 * up, exceeds it by a step; in trees of at most 4 leaves it equals the optimum that a search of all
 * states finds. Counter-cases: a schedule in which the router does not hold the packet that it
 * sends; a gather and a reduction, which reject a router as source.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include "sched/bound/bound.h"
#include "sched/verify/verify.h"

#include <stdlib.h>
#include <string.h>

#define SEED 17
#define MOST_LEAVES 24
#define MOST_NODES 64

/* The tree as a list of parents, computed from the lists of children only. */
struct parents {
    uint32_t all, root, parent[MOST_NODES], level[MOST_NODES];
};

static struct parents parents_of(const struct topology *tree)
{
    struct parents p = {0};
    uint32_t count = 1, first = 0;
    for (unsigned i = 1; i <= tree->height; i++)
        count *= tree->children[i];
    for (unsigned i = 0; i <= tree->height; i++) {
        for (uint32_t k = 0; k < count; k++) {
            p.level[first + k] = i;
            if (i < tree->height)
                p.parent[first + k] = first + count + k / tree->children[i + 1];
        }
        p.root = first;
        first += count;
        count = i < tree->height ? count / tree->children[i + 1] : 0;
    }
    p.all = first;
    return p;
}

static bool are_joined(const struct parents *p, uint32_t a, uint32_t b)
{
    return (a != p->root && p->parent[a] == b) || (b != p->root && p->parent[b] == a);
}

static int descending(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Returns b(T) of equation (1) for the part of the tree that is reached through `node` from
 * `from`. */
static uint64_t broadcast_time(const struct parents *p, uint32_t node, uint32_t from)
{
    uint64_t time[MOST_NODES], most = 0;
    unsigned count = 0;
    for (uint32_t next = 0; next < p->all; next++)
        if (next != from && are_joined(p, node, next))
            time[count++] = broadcast_time(p, next, node);
    qsort(time, count, sizeof *time, descending);
    for (unsigned i = 0; i < count; i++)
        most = time[i] + i + 1 > most ? time[i] + i + 1 : most;
    return most;
}

static uint32_t distance(const struct parents *p, uint32_t a, uint32_t b)
{
    uint32_t links = 0;
    for (; a != b; links++)
        if (p->level[a] < p->level[b] || (p->level[a] == p->level[b] && a < b))
            a = p->parent[a];
        else
            b = p->parent[b];
    return links;
}

static uint64_t end_of(const char *name, const struct topology *tree, enum model model,
                       uint32_t source, uint64_t *bound)
{
    struct collective asked = tree_lab_ask(tree, model, 0);
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    running("%s n = %u, source %u, %s", name, tree->nodes, source, model_name(model));
    asked.source = source;
    support_schedule(support_algorithm(name), &asked, &schedule);
    support_true(verify_schedule(name, &schedule, &report, &err), &err);
    assert_int_equal(schedule.end, algorithm_end(support_algorithm(name), &asked));
    asked.kind = support_algorithm(name)->kind;
    bound_tightest(&asked, bound);
    uint64_t end = schedule.end;
    schedule_free(&schedule);
    return end;
}

/* Returns the number of scatters that end after their bound. */
static unsigned check_router(const struct topology *tree, const struct parents *p, uint32_t router)
{
    unsigned later = 0;
    uint64_t bound, far = 0;
    for (uint32_t leaf = 0; leaf < tree->nodes; leaf++)
        far = distance(p, leaf, router) > far ? distance(p, leaf, router) : far;
    assert_int_equal(end_of("tree-broadcast", tree, MODEL_SINGLE_PORT, router, &bound),
                     broadcast_time(p, router, UINT32_MAX));
    assert_int_equal(bound, broadcast_time(p, router, UINT32_MAX));
    assert_int_equal(end_of("tree-broadcast", tree, MODEL_MULTIPORT, router, &bound), far);
    assert_int_equal(bound, far);
    for (unsigned model = 0; model < 2; model++) {
        uint64_t end = end_of("tree-scatter", tree,
                              model == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, router, &bound);
        assert_true(end == bound || (model == 1 && end == bound + 1));
        later += end > bound;
    }
    return later;
}

static void test_ends(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct topology thin = {0};
    unsigned routers = 0, later = 0;
    while (tree_lab_next(MOST_LEAVES, &thin)) {
        const struct parents p = parents_of(&thin);
        assert_int_equal(p.all, thin.all);
        for (unsigned sample = 0; sample < 3; sample++) {
            uint32_t capacity[TOPOLOGY_MAX_HEIGHT];
            for (unsigned i = 0; i < thin.height; i++)
                capacity[i] = sample == 0 ? 1 : 1 + (uint32_t)rng_below(&rng, 5);
            const struct topology tree = tree_lab_make(thin.height, thin.children + 1, capacity);
            for (uint32_t router = tree.nodes; router < tree.all; router++, routers++)
                later += check_router(&tree, &p, router);
        }
    }
    assert_true(routers > 600 && later * 100 <= routers);
}

/* --- The scatter by search ------------------------------------------------------------------ */

#define MOST_PACKETS 4
#define MOST_HOPS 4
#define STATES 625 /* 5 places of each of 4 packets */

struct search {
    const struct topology *tree;
    const struct parents *p;
    bool one_link;
    uint32_t packets, length[MOST_PACKETS], node[MOST_PACKETS][MOST_HOPS + 1];
};

/* Returns the next node on the path from `at` to a leaf. */
static uint32_t next_node(const struct parents *p, uint32_t at, uint32_t leaf)
{
    for (uint32_t next = 0; next < p->all; next++)
        if (are_joined(p, at, next) && distance(p, next, leaf) < distance(p, at, leaf))
            return next;
    return at;
}

static bool may_move(const struct search *s, const uint32_t hop[], uint32_t set)
{
    for (uint32_t a = 0; a < s->packets; a++) {
        if (!(set >> a & 1))
            continue;
        if (hop[a] == s->length[a])
            return false;
        uint32_t from = s->node[a][hop[a]], to = s->node[a][hop[a] + 1], together = 0, sent = 0;
        uint32_t upper = s->p->level[from] > s->p->level[to] ? from : to;
        for (uint32_t b = 0; b < s->packets; b++) {
            bool moves = set >> b & 1 && hop[b] < s->length[b] && s->node[b][hop[b]] == from;
            sent += moves;
            together += moves && s->node[b][hop[b] + 1] == to;
        }
        if (s->one_link ? sent > 1 : together > s->tree->capacity[s->p->level[upper]])
            return false;
    }
    return true;
}

static uint64_t search_scatter(const struct search *s)
{
    bool now[STATES] = {true}, next[STATES];
    uint32_t goal = 0;
    for (uint32_t a = 0, weight = 1; a < s->packets; a++, weight *= MOST_HOPS + 1)
        goal += s->length[a] * weight;
    uint64_t step = 0;
    for (; !now[goal]; step++) {
        memset(next, 0, sizeof next);
        for (uint32_t code = 0; code < STATES; code++) {
            uint32_t hop[MOST_PACKETS], rest = code;
            for (uint32_t a = 0; a < MOST_PACKETS; a++, rest /= MOST_HOPS + 1)
                hop[a] = rest % (MOST_HOPS + 1);
            for (uint32_t set = 0; now[code] && set < 1u << s->packets; set++) {
                uint32_t moved = code, weight = 1;
                for (uint32_t a = 0; a < s->packets; a++, weight *= MOST_HOPS + 1)
                    moved += set >> a & 1 ? weight : 0;
                if (may_move(s, hop, set))
                    next[moved] = true;
            }
        }
        memcpy(now, next, sizeof now);
    }
    return step;
}

static void test_scatter_by_search(void **state)
{
    (void)state;
    struct topology thin = {0};
    unsigned checked = 0;
    while (tree_lab_next(MOST_PACKETS, &thin)) {
        const struct parents p = parents_of(&thin);
        for (uint32_t both = 0; both < 9; both++) {
            const uint32_t capacity[] = {1 + both % 3, 1 + both / 3};
            const struct topology tree = tree_lab_make(thin.height, thin.children + 1, capacity);
            for (uint32_t router = tree.nodes; router < 2 * tree.all - tree.nodes; router++) {
                bool one_link = router >= tree.all;
                uint32_t source = one_link ? router - tree.all + tree.nodes : router;
                struct search s = {
                    .tree = &tree, .p = &p, .one_link = one_link, .packets = tree.nodes};
                for (uint32_t a = 0; a < s.packets; a++) {
                    s.node[a][0] = source;
                    for (; s.node[a][s.length[a]] != a; s.length[a]++)
                        s.node[a][s.length[a] + 1] = next_node(&p, s.node[a][s.length[a]], a);
                }
                uint64_t bound;
                assert_int_equal(end_of("tree-scatter", &tree,
                                        one_link ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, source,
                                        &bound),
                                 search_scatter(&s));
                checked++;
            }
        }
    }
    assert_int_equal(checked, 9 * 2 * (1 + 1 + 1 + 3)); /* trees 2, 3, 4 and 2,2 */
}

/* --- Counter-cases -------------------------------------------------------------------------- */

static void test_counter_cases(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "const");
    struct collective asked = tree_lab_ask(&tree, MODEL_MULTIPORT, 0);
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    asked.source = 6; /* the root */
    support_schedule(support_algorithm("tree-broadcast"), &asked, &schedule);
    schedule.demand[0].source = 5;
    assert_false(verify_schedule("changed", &schedule, &report, &err));
    support_error(&err, ERR_NOT_HELD, "node 2:0 sends packet 1, which it does not hold");
    schedule_free(&schedule);
    err = (struct err){0};
    assert_false(algorithm_check(support_algorithm("tree-gather"), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "a gather ends at a processor, and routers are none");
    err = (struct err){0};
    assert_false(algorithm_check(support_algorithm("tree-reduce"), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "a reduction ends at a processor, and routers are none");
    asked.source = 7; /* no such node */
    err = (struct err){0};
    assert_false(algorithm_check(support_algorithm("tree-broadcast"), &asked, &err));
    support_error(&err, ERR_RANGE, "source 7; expected 0 … 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_scatter_by_search),
        cmocka_unit_test(test_counter_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
