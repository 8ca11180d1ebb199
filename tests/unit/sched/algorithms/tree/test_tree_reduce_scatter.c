/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_reduce_scatter: tree-pipelined-reduce-scatter, in which no node sends two packets in a
 * step.
 *
 * State space. Exhaustive: all trees of k_i = 2 … 5 with up to 40 leaves, 1 and 2 lanes, full and
 * half duplex, in both models; all lists of parents of up to 8 nodes, full and half duplex. Drawn:
 * capacities of half-duplex trees, and larger lists of parents (the seed is printed). verify and a
 * second judge (tests/support/judge_reduce.h) decide whether a schedule is legal, and the sends of
 * each node are counted here. Trees of levels end in step n + 2h - 1. For lists of parents the
 * bound is computed anew, from all distances, as the largest a + w + b - 1: w packets of a node
 * whose partial results travel a links or more to it, and then b links or more. For the smallest of
 * them a search of all orders finds the optimum, which lies between the bound and the schedule.
 *
 * Counter-cases. The count finds routers that send several packets in the reversed all-gather of
 * the multiport model, and verify rejects it in the single-port model. A source and several packets
 * are rejected.
 */
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_reduce.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(43)
#define MOST_LEAVES 40
#define MOST_LISTED 8 /* nodes of a list of parents, exhaustively */
#define MOST_JOBS 16  /* of a search */

/* -- Schedules --------------------------------------------------------------------------------- */

static void build(const char *name, const struct topology *tree, enum model model,
                  struct schedule *schedule)
{
    const struct collective asked = {.n = tree->nodes,
                                     .m = 1,
                                     .model = model,
                                     .topology = tree,
                                     .kind = COLLECTIVE_REDUCE_SCATTER};
    const struct algorithm *algorithm = support_algorithm(name);
    struct verify_report report;
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_schedule(algorithm, &asked, schedule);
    support_true(verify_schedule(name, schedule, &report, &err), &err);
    const struct judge_reduce found = judge_reduce(schedule, false);
    assert_true(found.not_held + found.uncounted + found.twice == 0);
    const uint64_t end = algorithm_end(algorithm, &asked);
    assert_true(end == schedule->end || (tree->any && end == ALGORITHM_UNKNOWN));
}

/* Returns the most packets that a node sends in a step. */
static uint32_t most_sends(const struct schedule *schedule)
{
    uint32_t most = 0, *sends = malloc(schedule->topology.all * sizeof *sends);
    assert_non_null(sends);
    for (size_t k = 0; k < schedule->step_count; k++) {
        memset(sends, 0, schedule->topology.all * sizeof *sends);
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const uint32_t now = ++sends[schedule->transfer[t].source];
            most = now > most ? now : most;
        }
    }
    free(sends);
    return most;
}

/* Returns the steps of a schedule, which no test rejects; *bound is what `bound` prints. */
static uint64_t steps_of(const struct topology *tree, enum model model, uint64_t *bound)
{
    struct schedule schedule;
    build("tree-pipelined-reduce-scatter", tree, model, &schedule);
    assert_int_equal(most_sends(&schedule), 1);
    assert_true(bound_of_schedule(&schedule, bound));
    const uint64_t steps = schedule.end;
    assert_true(*bound <= steps);
    schedule_free(&schedule);
    return steps;
}

/* -- Trees of levels --------------------------------------------------------------------------- */

static void set_capacity(struct topology *tree, uint32_t lanes)
{
    for (unsigned level = 1; level <= tree->height; level++)
        tree->capacity[level] = lanes;
}

static void each_tree_of_levels(void **state)
{
    (void)state;
    unsigned trees = 0;
    for (struct topology tree = {0}; tree_lab_next(MOST_LEAVES, &tree); trees++)
        for (unsigned kind = 0; kind < 4; kind++) {
            const bool half = kind & 1, narrow = kind < 2;
            struct topology with = tree;
            uint64_t bound;
            set_capacity(&with, narrow ? 1 : 2);
            with.half_duplex = half;
            running("tree %u of %" PRIu32 " leaves, kind %u", trees, tree.nodes, kind);
            const uint64_t least = tree.nodes + 2 * (uint64_t)tree.height - 1,
                           steps = steps_of(&with, MODEL_SINGLE_PORT, &bound);
            assert_int_equal(bound, least);
            assert_int_equal(steps, least + (half && narrow && tree.height > 1));
            assert_int_equal(steps_of(&with, MODEL_MULTIPORT, &bound), steps);
        }
    assert_true(trees > 50);
}

static void half_duplex_of_mixed_capacities(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (unsigned which = 0; which < 200; which++) {
        struct topology tree = tree_lab_random(MOST_LEAVES, &rng);
        bool narrow = false;
        uint64_t bound;
        for (unsigned level = 1; level <= tree.height; level++) {
            tree.capacity[level] = 1 + (uint32_t)rng_below(&rng, 3);
            narrow = narrow || (level > 1 && tree.capacity[level] == 1);
        }
        tree.half_duplex = true;
        running("seed %" PRIu64 ", tree %u", SEED, which);
        assert_int_equal(steps_of(&tree, MODEL_SINGLE_PORT, &bound),
                         tree.nodes + 2 * (uint64_t)tree.height - 1 + narrow);
    }
}

/* -- Lists of parents -------------------------------------------------------------------------- */

/* All distances in links. */
struct distances {
    uint32_t all, leaves;
    uint32_t between[TOPOLOGY_MAX_PARENTS][TOPOLOGY_MAX_PARENTS];
};

static void measure(const struct topology *tree, struct distances *d)
{
    d->all = tree->all;
    d->leaves = tree->nodes;
    for (uint32_t a = 0; a < d->all; a++)
        for (uint32_t b = 0; b < d->all; b++)
            d->between[a][b] = a == b ? 0 : 1000;
    for (uint32_t a = 0; a + 1 < d->all; a++)
        d->between[a][tree->parent[a]] = d->between[tree->parent[a]][a] = 1;
    for (uint32_t by = 0; by < d->all; by++)
        for (uint32_t a = 0; a < d->all; a++)
            for (uint32_t b = 0; b < d->all; b++)
                if (d->between[a][by] + d->between[by][b] < d->between[a][b])
                    d->between[a][b] = d->between[a][by] + d->between[by][b];
}

static bool is_between(const struct distances *d, uint32_t node, uint32_t from, uint32_t to)
{
    return d->between[from][node] + d->between[node][to] == d->between[from][to];
}

/* Returns the links on which the last partial result of a packet travels to a node that sends it;
 * -1 if the node has nothing to send. */
static int links_before(const struct distances *d, uint32_t node, uint32_t packet)
{
    int most = -1;
    for (uint32_t from = 0; from < d->leaves; from++)
        if (from != packet && node != packet && is_between(d, node, from, packet) &&
            (int)d->between[from][node] > most)
            most = (int)d->between[from][node];
    return most;
}

static uint64_t bound_by_pairs(const struct distances *d)
{
    uint64_t most = 0;
    for (uint32_t node = 0; node < d->all; node++)
        for (int a = 0; a < (int)d->all; a++)
            for (uint32_t b = 1; b < d->all; b++) {
                uint64_t packets = 0;
                for (uint32_t packet = 0; packet < d->leaves; packet++)
                    packets += links_before(d, node, packet) >= a && d->between[node][packet] >= b;
                const uint64_t end = packets > 0 ? (uint64_t)a + packets + b - 1 : 0;
                most = end > most ? end : most;
            }
    return most;
}

/* A node's send of a packet, and the sends that must come before it. */
struct job {
    uint32_t node, packet, before;
};

static unsigned list_jobs(const struct distances *d, struct job job[MOST_JOBS])
{
    unsigned count = 0;
    for (uint32_t node = 0; node < d->all; node++)
        for (uint32_t packet = 0; packet < d->leaves; packet++)
            if (links_before(d, node, packet) >= 0) {
                if (count < MOST_JOBS)
                    job[count] = (struct job){node, packet, 0};
                count++;
            }
    for (unsigned k = 0; k < count && count <= MOST_JOBS; k++)
        for (unsigned other = 0; other < count; other++)
            if (job[other].packet == job[k].packet &&
                d->between[job[other].node][job[k].node] == 1 &&
                is_between(d, job[k].node, job[other].node, job[k].packet))
                job[k].before |= UINT32_C(1) << other;
    return count;
}

/* Marks all sets of jobs that are done after a step, from those before it. No node is idle that
 * could send, because a send never delays another node's. */
static void step_on(const struct job job[], unsigned count, uint32_t all, uint32_t node,
                    uint32_t before, uint32_t done, bool reached[])
{
    bool sends = false;
    if (node == all) {
        reached[done] = true;
        return;
    }
    for (unsigned k = 0; k < count; k++)
        if (job[k].node == node && !(before >> k & 1) && (job[k].before & ~before) == 0) {
            step_on(job, count, all, node + 1, before, done | UINT32_C(1) << k, reached);
            sends = true;
        }
    if (!sends)
        step_on(job, count, all, node + 1, before, done, reached);
}

/* Returns the fewest steps; 0 if there are too many jobs for a search. */
static uint64_t search(const struct distances *d)
{
    struct job job[MOST_JOBS];
    const unsigned count = list_jobs(d, job);
    if (count > MOST_JOBS)
        return 0;
    const size_t sets = (size_t)1 << count;
    bool *now = calloc(sets, sizeof *now), *next = calloc(sets, sizeof *next);
    assert_true(now != NULL && next != NULL);
    uint64_t steps = 0;
    for (now[0] = true; !now[sets - 1]; steps++) {
        memset(next, 0, sets * sizeof *next);
        for (size_t set = 0; set < sets; set++)
            if (now[set])
                step_on(job, count, d->all, 0, (uint32_t)set, (uint32_t)set, next);
        bool *swapped = now;
        now = next;
        next = swapped;
    }
    free(now);
    free(next);
    return steps;
}

/* Trees by the steps above the bound, and searched trees by those above the optimum. */
struct gaps {
    unsigned bound[2][4], optimum[4], searched;
};

static void check_listed(const struct topology *given, struct gaps *gaps)
{
    static struct distances d;
    struct topology tree = *given;
    uint64_t bound;
    measure(&tree, &d);
    const uint64_t least = bound_by_pairs(&d), steps = steps_of(&tree, MODEL_SINGLE_PORT, &bound);
    assert_int_equal(bound, least);
    assert_true(steps - bound < 4);
    gaps->bound[0][steps - bound]++;
    tree.half_duplex = true;
    const uint64_t half = steps_of(&tree, MODEL_SINGLE_PORT, &bound);
    assert_true(half >= steps && half - bound < 4);
    gaps->bound[1][half - bound]++;
    const uint64_t optimum = search(&d);
    if (optimum == 0)
        return;
    assert_true(optimum >= least && optimum <= steps);
    gaps->optimum[steps - optimum]++;
    gaps->searched++;
}

/* Replaces a list of the parents of `all` nodes, which begin with the leaves, by the next one.
 * Returns false if there is none. */
static bool next_list(uint32_t all, uint32_t leaves, uint32_t parent[])
{
    for (uint32_t node = 0; node + 1 < all; node++) {
        if (++parent[node] < all)
            return true;
        parent[node] = node < leaves ? leaves : node + 1;
    }
    return false;
}

static void each_list_of_parents(void **state)
{
    (void)state;
    struct gaps gaps = {0};
    for (uint32_t all = 3; all <= MOST_LISTED; all++)
        for (uint32_t leaves = 2; leaves < all; leaves++) {
            uint32_t parent[MOST_LISTED];
            for (uint32_t node = 0; node + 1 < all; node++)
                parent[node] = node < leaves ? leaves : node + 1;
            do {
                struct topology tree;
                if (!topology_parents(all - 1, parent, 1, &tree, NULL))
                    continue;
                running("%" PRIu32 " leaves of %" PRIu32 " nodes", leaves, all);
                check_listed(&tree, &gaps);
            } while (next_list(all, leaves, parent));
        }
    print_message("gaps full duplex: %u %u %u, half duplex: %u %u %u %u; above the optimum: %u %u "
                  "of %u\n",
                  gaps.bound[0][0], gaps.bound[0][1], gaps.bound[0][2], gaps.bound[1][0],
                  gaps.bound[1][1], gaps.bound[1][2], gaps.bound[1][3], gaps.optimum[0],
                  gaps.optimum[1], gaps.searched);
    assert_true(gaps.searched > 100);
}

static void drawn_lists_of_parents(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct gaps gaps = {0};
    unsigned trees = 0;
    print_message("seed %" PRIu64 "\n", SEED);
    while (trees < 60) {
        const uint32_t routers = 1 + (uint32_t)rng_below(&rng, 12),
                       leaves = 2 + (uint32_t)rng_below(&rng, 20), all = leaves + routers;
        uint32_t parent[40];
        struct topology tree;
        for (uint32_t node = 0; node + 1 < all; node++) {
            const uint32_t least = node < leaves ? leaves : node + 1;
            parent[node] = least + (uint32_t)rng_below(&rng, all - least);
        }
        if (!topology_parents(all - 1, parent, 1, &tree, NULL))
            continue;
        check_listed(&tree, &gaps);
        trees++;
    }
}

/* A tree of levels that is given by parents takes as many steps. */
static void lists_of_levels(void **state)
{
    (void)state;
    for (struct topology tree = {0}; tree_lab_next(MOST_LEAVES, &tree);) {
        uint32_t parent[TOPOLOGY_MAX_PARENTS];
        struct topology listed;
        struct err err = {0};
        uint64_t bound;
        for (uint32_t node = 0; node + 1 < tree.all; node++)
            parent[node] = topology_above(&tree, node);
        support_true(topology_parents(tree.all - 1, parent, 1, &listed, &err), &err);
        assert_int_equal(steps_of(&listed, MODEL_SINGLE_PORT, &bound),
                         tree.nodes + 2 * (uint64_t)tree.height - 1);
        assert_int_equal(bound, tree.nodes + 2 * (uint64_t)tree.height - 1);
    }
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

static void two_sends_are_found(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "1,1");
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    build("tree-reduce-scatter", &tree, MODEL_MULTIPORT, &schedule);
    assert_true(most_sends(&schedule) > 1);
    schedule.model = MODEL_SINGLE_PORT;
    assert_false(verify_schedule("x", &schedule, &report, &err));
    assert_int_equal(err.code, ERR_ONE_PORT);
    schedule_free(&schedule);
}

static void refused(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "1,1");
    struct collective asked = {
        .n = 4, .m = 1, .source = 1, .model = MODEL_SINGLE_PORT, .topology = &tree};
    const struct algorithm *algorithm = support_algorithm("tree-pipelined-reduce-scatter");
    struct err err = {0};
    assert_false(algorithm_check(algorithm, &asked, &err));
    support_error(&err, ERR_ALGORITHM, "has no source, 1 is given", "expected source 0");
    asked.source = 0;
    asked.m = 2;
    assert_false(algorithm_check(algorithm, &asked, &err));
    support_error(&err, ERR_ALGORITHM, "2 packets in a tree", "expected 1 packet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tree_of_levels),
        cmocka_unit_test(half_duplex_of_mixed_capacities),
        cmocka_unit_test(each_list_of_parents),
        cmocka_unit_test(drawn_lists_of_parents),
        cmocka_unit_test(lists_of_levels),
        cmocka_unit_test(two_sends_are_found),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
