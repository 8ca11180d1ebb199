/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_leaf_links: trees whose leaves have several links, c_1 > 1.
 *
 * State space: trees of k_i = 2 … 5 × capacities × algorithm × method. Exhaustive: all 43 trees of
 * n ≤ 24; sampled: 8 random capacities each, c_i = 1 … 9. Each schedule is built, verified and
 * judged (judge_tree.h shares no code with verify), and its end is compared with a closed form that
 * is computed here from the lists of children and capacities, or, for the scatter in trees of at
 * most 4 leaves, with the optimum that a search of all states finds. In the single-port model lanes
 * make no difference: the end equals that for c_i = 1. Counter-cases: a leaf that sends two packets
 * on one of its two lanes; a capacity that is out of range.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include "sched/verify/verify.h"

#include <string.h>

#define SEED 11
#define SAMPLES 8
#define MOST_LEAVES 24

static struct topology draw_capacity(const struct topology *tree, struct rng *rng)
{
    uint32_t capacity[TOPOLOGY_MAX_HEIGHT];
    for (unsigned i = 0; i < tree->height; i++)
        capacity[i] = 1 + (uint32_t)rng_below(rng, 9);
    return tree_lab_make(tree->height, tree->children + 1, capacity);
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Returns the step of the last packet that a leaf receives, if all branches on its path are busy
 * from the first step in which a packet can arrive. */
static uint64_t receptions(const struct topology *tree)
{
    uint64_t inside = 1, narrow = UINT32_MAX, most = 0, n = 1;
    for (unsigned i = 1; i <= tree->height; i++)
        n *= tree->children[i];
    for (unsigned i = 1; i <= tree->height; i++) {
        narrow = tree->capacity[i] < narrow ? tree->capacity[i] : narrow;
        uint64_t end = divide_up(n - inside, narrow) + 2 * i - 1;
        most = end > most ? end : most;
        inside *= tree->children[i];
    }
    return most;
}

/* Returns Σ ⌈packets of phase i / packets of a step⌉ + 2h - 1. */
static uint64_t phases(const struct topology *tree, bool exchange)
{
    uint64_t m = 1, per_step = 0, end = 2 * tree->height - 1;
    for (unsigned i = 1; i <= tree->height; i++) {
        uint64_t c = tree->capacity[i], k = tree->children[i];
        uint64_t below = exchange && i > 1 ? per_step * tree->children[i - 1] : per_step;
        per_step = i == 1 || c < below ? c : below;
        end += divide_up((k - 1) * m * (exchange ? m : 1), per_step);
        m *= k;
    }
    return end;
}

static uint64_t steps(const char *name, const struct topology *tree, enum model model,
                      unsigned method, bool queue_free)
{
    running("%s n = %u, c_1 = %u, method %u", name, tree->nodes, tree->capacity[1], method);
    return tree_lab_steps(support_algorithm(name), tree, model, method, queue_free);
}

/* Returns whether no branch above level 2 is narrower than those of the levels 1 and 2. */
static bool is_equally_wide(const struct topology *tree)
{
    bool wide = true;
    for (unsigned i = 3; i <= tree->height; i++)
        wide = wide &&
               (tree->capacity[i] >= tree->capacity[1] || tree->capacity[i] >= tree->capacity[2]);
    return wide;
}

static void check_multiport(const struct topology *tree)
{
    uint64_t end = receptions(tree);
    assert_int_equal(steps("tree-broadcast", tree, MODEL_MULTIPORT, 0, true), 2 * tree->height);
    assert_int_equal(steps("tree-scatter", tree, MODEL_MULTIPORT, 0, true), end);
    assert_int_equal(steps("tree-gather", tree, MODEL_MULTIPORT, 0, true), end);
    assert_int_equal(steps("tree-gather", tree, MODEL_MULTIPORT, 1, false), end);
    assert_int_equal(steps("tree-all-gather", tree, MODEL_MULTIPORT, 0, false), end);
    assert_int_equal(steps("tree-all-gather", tree, MODEL_MULTIPORT, 1, true), phases(tree, false));
    if (is_equally_wide(tree))
        assert_int_equal(steps("tree-all-gather", tree, MODEL_MULTIPORT, 2, true), end);
    uint64_t exchange = steps("tree-total-exchange", tree, MODEL_MULTIPORT, 0, true);
    assert_int_equal(exchange, phases(tree, true));
    assert_true(exchange >= end);
}

static void check_single_port(const struct topology *tree, const struct topology *thin)
{
    static const char *const names[] = {"tree-broadcast", "tree-scatter", "tree-gather",
                                        "tree-all-gather", "tree-total-exchange"};
    for (unsigned which = 0; which < sizeof names / sizeof *names; which++)
        assert_int_equal(steps(names[which], tree, MODEL_SINGLE_PORT, 0, false),
                         steps(names[which], thin, MODEL_SINGLE_PORT, 0, false));
}

static void test_ends(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct topology thin = {0};
    unsigned trees = 0;
    while (tree_lab_next(MOST_LEAVES, &thin)) {
        trees++;
        for (unsigned sample = 0; sample < SAMPLES; sample++) {
            const struct topology tree = draw_capacity(&thin, &rng);
            check_multiport(&tree);
            if (sample == 0)
                check_single_port(&tree, &thin);
        }
    }
    assert_int_equal(trees, 43);
}

/* --- The scatter by search ------------------------------------------------------------------ */

#define MOST_STATES 20000

/* Packet p - 1 of leaf p has made hop[p - 1] of its 2 · meet hops. */
struct search {
    const struct topology *tree;
    uint32_t packets, base; /* base: more than the hops of a packet */
    bool now[MOST_STATES], next[MOST_STATES];
};

static unsigned meet_of(const struct topology *tree, uint32_t leaf)
{
    unsigned level = 0;
    for (; leaf != 0; level++)
        leaf /= tree->children[level + 1];
    return level;
}

/* Returns whether the packets of a set may move in one step: no branch carries more packets than
 * its lanes. */
static bool may_move(const struct search *search, const uint32_t hop[], uint32_t set)
{
    const struct topology *tree = search->tree;
    for (uint32_t p = 0; p < search->packets; p++) {
        unsigned meet = meet_of(tree, p + 1), together = 0;
        bool up = hop[p] < meet;
        unsigned level = up ? hop[p] + 1 : 2 * meet - hop[p];
        if (!(set >> p & 1))
            continue;
        if (hop[p] == 2 * meet)
            return false;
        for (uint32_t q = 0; q < search->packets; q++) {
            unsigned other = meet_of(tree, q + 1);
            bool q_up = hop[q] < other;
            uint32_t p_below = p + 1, q_below = q + 1;
            for (unsigned i = 1; i < level; i++) {
                p_below /= tree->children[i];
                q_below /= tree->children[i];
            }
            together += set >> q & 1 && q_up == up &&
                        (q_up ? hop[q] + 1 : 2 * other - hop[q]) == level &&
                        (up || p_below == q_below);
        }
        if (together > tree->capacity[level])
            return false;
    }
    return true;
}

static void expand(struct search *search, uint32_t code)
{
    uint32_t hop[8], rest = code;
    for (uint32_t p = 0; p < search->packets; p++, rest /= search->base)
        hop[p] = rest % search->base;
    for (uint32_t set = 0; set < 1u << search->packets; set++) {
        uint32_t moved = code, weight = 1;
        for (uint32_t p = 0; p < search->packets; p++, weight *= search->base)
            moved += set >> p & 1 ? weight : 0;
        if (may_move(search, hop, set))
            search->next[moved] = true;
    }
}

static uint64_t search_scatter(const struct topology *tree)
{
    static struct search search;
    search = (struct search){
        .tree = tree, .packets = tree->nodes - 1, .base = 2 * tree->height + 1, .now = {true}};
    uint32_t goal = 0, states = 1;
    for (uint32_t p = 0; p < search.packets; p++, states *= search.base)
        goal += 2 * meet_of(tree, p + 1) * states;
    assert_true(states <= MOST_STATES);
    uint64_t step = 0;
    for (; !search.now[goal]; step++) {
        memset(search.next, 0, sizeof search.next);
        for (uint32_t code = 0; code < states; code++)
            if (search.now[code])
                expand(&search, code);
        memcpy(search.now, search.next, sizeof search.now);
    }
    return step;
}

static void test_scatter_by_search(void **state)
{
    (void)state;
    struct topology thin = {0};
    unsigned checked = 0;
    while (tree_lab_next(4, &thin))
        for (uint32_t both = 0; both < 16; both++) {
            const uint32_t capacity[] = {1 + both % 4, 1 + both / 4};
            const struct topology tree = tree_lab_make(thin.height, thin.children + 1, capacity);
            assert_int_equal(steps("tree-scatter", &tree, MODEL_MULTIPORT, 0, true),
                             search_scatter(&tree));
            checked++;
        }
    assert_int_equal(checked, 4 * 16); /* trees 2, 3, 4 and 2,2 */
    const uint32_t two[] = {2, 2};
    const struct topology tree = tree_lab_make(2, two, two);
    assert_int_equal(search_scatter(&tree), 4);
}

/* --- Counter-cases -------------------------------------------------------------------------- */

static void test_counter_cases(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "2,2");
    const struct collective asked = tree_lab_ask(&tree, MODEL_MULTIPORT, 0);
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    support_schedule(support_algorithm("tree-scatter"), &asked, &schedule);
    assert_int_equal(schedule.transfer[1].source, 0); /* on lane 1 in step 1 */
    assert_int_equal(schedule.lane[1], 1);
    schedule.lane[1] = 0;
    assert_false(verify_schedule("changed", &schedule, &report, &err));
    support_error(&err, ERR_LANE, "lane 0 from 0 to 1:0 carries packets 3 and 2");
    schedule_free(&schedule);
    struct topology none;
    err = (struct err){0};
    assert_false(topology_parse_tree("4096,4096", "2,1", &none, &err));
    support_error(&err, ERR_RANGE, "2 links at level 1 of 16777216 leaves; expected at most");
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
