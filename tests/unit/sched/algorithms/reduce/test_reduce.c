/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce: for all small collectives, every reduction algorithm builds legal schedules of the
 * predicted length, not below the bounds and without superfluous transfers.
 *
 * State space: algorithm × model × base that is reversed × n, m = 1 … 8 × source 0, n-1; λ = 1,
 * 3/2, 5/2; trees of up to 8 leaves and cubes of up to 3 dimensions. Exhaustive. verify and a
 * second judge (tests/support/judge_reduce.h) decide whether a schedule is legal; ends are compared
 * with the closed forms of the papers, which are written here independently. Counter-cases: every
 * rejection with its text.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_reduce.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define MOST 8

static unsigned log2_up(uint32_t n)
{
    return (unsigned)ceil(log2(n));
}

/* Builds and judges the schedule; returns its end. Precondition: the algorithm accepts the
 * collective. */
static uint64_t check(const struct algorithm *algorithm, const struct collective *collective)
{
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    running("%s by %s, %s, n=%u m=%u source=%u", algorithm->name,
            collective->by != NULL ? collective->by->name : "the best",
            model_name(collective->model), collective->n, collective->m, collective->source);
    support_true(algorithm_build(algorithm, collective, &schedule, &err), &err);
    support_true(verify_schedule("x", &schedule, &report, &err), &err);
    const struct judge_reduce judged = judge_reduce(&schedule, false);
    assert_true(judged.not_held + judged.uncounted + judged.twice == 0 && !judged.unordered);
    uint64_t end = schedule.end, bound;
    const struct algorithm *by = algorithm_choose(algorithm, collective).by;
    uint64_t promised = algorithm_end(algorithm, collective);
    assert_true(promised == ALGORITHM_UNKNOWN || promised == end);
    assert_true(by == NULL || strstr(schedule.algorithm, by->name) != NULL);
    if (bound_of_schedule(&schedule, &bound))
        assert_true(bound <= end);
    schedule_free(&schedule);
    return end;
}

static const struct algorithm *find(const char *name)
{
    struct err err = {0};
    const struct algorithm *algorithm = algorithm_find(name, &err);
    support_true(algorithm != NULL, &err);
    return algorithm;
}

/* A reversed schedule takes as long as its original; an all-reduce takes twice as long. */
static void check_by(const struct algorithm *algorithm, struct collective collective)
{
    bool twice = collective_rows[algorithm->kind].to_all;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct collective forward = collective;
        collective.by = *entry;
        collective.kind = algorithm->kind;
        if (!algorithm_check(algorithm, &collective, NULL))
            continue;
        struct schedule schedule = {0};
        forward.kind = (*entry)->kind;
        forward.by = NULL;
        if (collective.topology == NULL)
            forward.source = 0;
        else if (forward.model == MODEL_SINGLE_PORT)
            forward.model = MODEL_MULTIPORT;
        assert_true(algorithm_build(*entry, &forward, &schedule, NULL));
        uint64_t end = schedule.end;
        schedule_free(&schedule);
        if (!twice || collective.model != MODEL_SINGLE_PORT)
            assert_int_equal(check(algorithm, &collective), end * (1 + twice));
    }
}

/* Checks all sources and all algorithms that can be reversed, for one n, m and model. Returns
 * whether the algorithm accepted the collective. */
static bool check_all(const struct algorithm *algorithm, struct collective collective)
{
    collective.kind = algorithm->kind;
    bool done = algorithm_check(algorithm, &collective, NULL);
    uint32_t step = collective.n > 1 ? collective.n - 1 : 1;
    for (uint32_t source = 0; done && source < collective.n; source += step) {
        collective.source = source;
        if (!algorithm_check(algorithm, &collective, NULL))
            continue;
        check(algorithm, &collective);
        if (algorithm->best_by != NULL && collective.n > 1)
            check_by(algorithm, collective);
    }
    return done;
}

static void test_complete(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {5, 2}};
    uint32_t done = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (!collective_rows[(*entry)->kind].combined || (*entry)->topology != TOPOLOGY_COMPLETE)
            continue;
        for (unsigned model = 0; model < MODEL_COUNT; model++) {
            size_t all = model_has_times((enum model)model) ? 3 : 1;
            for (size_t which = 0; (*entry)->models >> model & 1 && which < all; which++)
                for (uint32_t n = 1; n <= MOST; n++)
                    for (uint32_t m = 1; m <= MOST; m++)
                        done += check_all(*entry, (struct collective){.n = n,
                                                                      .m = m,
                                                                      .model = (enum model)model,
                                                                      .lambda = lambdas[which]});
        }
    }
    assert_true(done > 1000);
}

static void test_trees_and_cubes(void **state)
{
    (void)state;
    static const char *const trees[] = {"2", "3", "8", "2,2", "2,3", "3,2", "4,2", "2,4", "2,2,2"};
    struct topology topology;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (!collective_rows[(*entry)->kind].combined)
            continue;
        struct collective collective = {.m = 1, .topology = &topology};
        for (unsigned model = 0; model < MODEL_COUNT; model++) {
            collective.model = (enum model)model;
            if (!((*entry)->models >> model & 1))
                continue;
            for (size_t which = 0; (*entry)->topology == TOPOLOGY_TREE && which < 9; which++) {
                assert_true(topology_parse_tree(trees[which], "const", &topology, NULL));
                collective.n = topology.nodes;
                assert_true(check_all(*entry, collective));
            }
            for (unsigned d = 1; (*entry)->topology == TOPOLOGY_HYPERCUBE && d <= 3; d++) {
                assert_true(topology_hypercube(d, &topology, NULL));
                collective.n = topology.nodes;
                for (collective.m = 1; collective.m <= MOST; collective.m++)
                    check_all(*entry, collective);
                collective.m = 1;
            }
        }
    }
}

/* Returns min T: F(T) ≥ n, F(t) = F(t-1) + k F(t-λ), F(t) = 1 for t < λ, computed term by term. */
static uint64_t one_packet(uint32_t n, uint64_t lambda, uint64_t ports)
{
    uint64_t reached[400] = {1}, time = 0;
    for (; reached[time] < n; time++)
        reached[time + 1] =
            reached[time] + (time + 1 >= lambda ? ports * reached[time + 1 - lambda] : 0);
    return time;
}

/* One packet is combined at all nodes in the minimum number of rounds or units of time, for any n,
 * number of ports and integer λ; a scan takes as long. */
static void test_windows(void **state)
{
    (void)state;
    static const char *const names[] = {"window-all-reduce", "scan", "exclusive-scan"};
    for (uint32_t lambda = 1; lambda <= 5; lambda++)
        for (uint32_t ports = 1; ports <= 4; ports++)
            for (uint32_t n = 2; n <= 40; n++)
                for (size_t which = 0; which < 3; which++) {
                    struct collective asked = {.n = n,
                                               .m = 1,
                                               .model = MODEL_POSTAL,
                                               .lambda = {lambda, 1},
                                               .ports = ports};
                    uint64_t least = one_packet(n, lambda, ports);
                    assert_int_equal(check(find(names[which]), &asked), least);
                    asked.m = 3;
                    assert_int_equal(check(find(names[which]), &asked),
                                     least + 2 * (least - lambda + 1));
                    asked.model = MODEL_SEND_RECEIVE;
                    if (lambda == 1)
                        assert_int_equal(check(find(names[which]), &asked), 3 * least);
                    asked.m = 1;
                    asked.kind = find(names[which])->kind;
                    if (lambda == 1)
                        assert_int_equal(bound_end(&asked), least);
                }
}

/* Papers, and their numbers of rounds in the send-receive model. */
static void test_closed_forms(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 2 * MOST; n++)
        for (uint32_t m = 1; m <= 2 * MOST; m++) {
            struct collective asked = {.n = n, .m = m, .model = MODEL_SEND_RECEIVE};
            uint64_t least = m - 1 + log2_up(n);
            assert_int_equal(check(find("reduce"), &asked), least);
            assert_int_equal(check(find("reduce-broadcast"), &asked), 2 * least);
            assert_int_equal(check(find("scan"), &asked), m * log2_up(n));
            assert_int_equal(check(find("path-scan"), &asked), m + n - 2);
            assert_int_equal(check(find("path-exclusive-scan"), &asked), m + n - 2);
            asked.method = 1;
            unsigned fewer_sums = (unsigned)ceil(log2(n - 1) + log2(4.0 / 3) - 1e-9);
            assert_int_equal(check(find("exclusive-scan"), &asked), m * fewer_sums);
            asked.method = 0;
            assert_int_equal(check(find("window-all-reduce"), &asked), m * log2_up(n));
            assert_int_equal(check(find("circulant-all-reduce"), &asked),
                             2 * ((m + n - 1) / n) * (n - 1));
            asked.kind = COLLECTIVE_REDUCE;
            assert_int_equal(bound_end(&asked), least);
            asked.kind = COLLECTIVE_ALL_REDUCE;
            uint64_t both = (2 * (uint64_t)m * (n - 1) + n - 1) / n;
            assert_int_equal(bound_end(&asked), least > both ? least : both);
            if (m > MOST)
                continue;
            assert_int_equal(check(find("reduce-scatter"), &asked), m * (n - 1));
            assert_int_equal(check(find("circulant-reduce-scatter"), &asked), m * (n - 1));
            asked.kind = COLLECTIVE_REDUCE_SCATTER;
            assert_int_equal(bound_end(&asked), m * (n - 1));
        }
    for (uint32_t k = 1; k <= 5; k++)
        for (uint32_t a = 0; a <= k; a++) {
            struct collective asked = {.n = 1u << k, .m = 1u << a, .model = MODEL_SEND_RECEIVE};
            assert_int_equal(check(find("halving-all-reduce"), &asked), 2 * (asked.m - 1) + k - a);
            asked.model = MODEL_TELEPHONE;
            assert_int_equal(check(find("halving-all-reduce"), &asked), 2 * (asked.m - 1) + k - a);
        }
}

/* Hypercubes of d dimensions: a reduction of m packets takes d rounds if m ≤ d, else ⌈m/d⌉ + d, at
 * most one more than the bound; an all-reduce twice as many, or d⌈m/d⌉ by doubling, which is the
 * bound for m ≤ d; a reduce-scatter ⌈(2^d - 1)/d⌉, which is the bound for d ≥ 3. */
static void test_cubes(void **state)
{
    (void)state;
    for (uint32_t d = 2; d <= 6; d++)
        for (uint32_t m = 1; m <= 4 * d; m++) {
            struct topology cube;
            support_true(topology_hypercube(d, &cube, NULL), NULL);
            struct collective asked = {
                .n = 1u << d, .m = m, .model = MODEL_ALL_PORT, .topology = &cube};
            const uint64_t waves = (m + d - 1) / d, once = m <= d ? d : waves + d;
            const uint64_t both = (2 * m * ((1u << d) - 1) + (d << d) - 1) / (d << d);
            assert_int_equal(check(find("cube-reduce"), &asked), once);
            assert_int_equal(check(find("cube-all-reduce"), &asked), 2 * once);
            assert_int_equal(check(find("cube-doubling-all-reduce"), &asked), d * waves);
            asked.kind = COLLECTIVE_REDUCE;
            assert_int_equal(bound_end(&asked), d - 1 + waves);
            asked.kind = COLLECTIVE_ALL_REDUCE;
            assert_int_equal(bound_end(&asked), MAX(both, d - 1 + waves));
            if (m > 1)
                continue;
            assert_int_equal(check(find("cube-reduce-scatter"), &asked),
                             2 * (((1u << d) + d - 1) / d) + 2 * d - 2);
            asked.method = 1;
            assert_int_equal(check(find("cube-reduce-scatter"), &asked), ((1u << d) + d - 2) / d);
        }
}

/* Returns the fewest rounds of the other all-reduces: their closed forms. */
static uint64_t others_end(uint64_t n, uint64_t m)
{
    uint64_t l = log2_up((uint32_t)n), least = 2 * (m - 1 + l), blocks = 2 * ((m + n - 1) / n);
    least = MIN(least, m * l);
    least = MIN(least, blocks * (n - 1));
    if ((n & (n - 1)) == 0 && (m & (m - 1)) == 0 && m <= n)
        least = MIN(least, 2 * (m - 1) + l - log2_up((uint32_t)m));
    return least;
}

/* blocks-all-reduce takes at most as many rounds as the best of the other all-reduces, and at most
 * 5 more than the bound; how many more is counted as in docs/algorithms/reduce.md. */
static void test_blocks(void **state)
{
    (void)state;
    const struct algorithm *blocks = find("blocks-all-reduce");
    uint32_t above[6] = {0};
    for (uint32_t n = 2; n <= 64; n++)
        for (uint32_t m = 1; m <= 64; m++) {
            struct collective asked = {
                .n = n, .m = m, .model = MODEL_SEND_RECEIVE, .kind = COLLECTIVE_ALL_REDUCE};
            struct schedule schedule = {0};
            struct verify_report report;
            struct err err = {0};
            running("n=%u m=%u", n, m);
            support_true(algorithm_build(blocks, &asked, &schedule, &err), &err);
            if (n <= 32 || m % 8 == n % 8)
                support_true(verify_schedule("x", &schedule, &report, &err), &err);
            assert_int_equal(schedule.end, algorithm_end(blocks, &asked));
            assert_true(schedule.end <= others_end(n, m));
            uint64_t gap = schedule.end - bound_end(&asked);
            assert_in_range(gap, 0, 5);
            above[gap]++;
            schedule_free(&schedule);
        }
    static const uint32_t documented[] = {665, 1090, 785, 1254, 220, 18};
    for (unsigned gap = 0; gap < 6; gap++)
        assert_int_equal(above[gap], documented[gap]);
}

/* Above 1024 nodes fewer divisions are tried. */
static void test_blocks_of_many(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1024, 7}, {1025, 7}, {1500, 31}, {3000, 3001}, {4096, 64}};
    for (size_t which = 0; which < sizeof sizes / sizeof *sizes; which++) {
        uint32_t n = sizes[which][0], m = sizes[which][1];
        struct collective asked = {.n = n, .m = m, .model = MODEL_SEND_RECEIVE};
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        if (n != 3000) {
            support_true(algorithm_build(find("blocks-all-reduce"), &asked, &schedule, &err), &err);
            support_true(verify_schedule("x", &schedule, &report, &err), &err);
            assert_int_equal(schedule.end, algorithm_end(find("blocks-all-reduce"), &asked));
            schedule_free(&schedule);
        }
        assert_true(algorithm_end(find("blocks-all-reduce"), &asked) <= others_end(n, m));
    }
}

/* In a tree of height h a reduction climbs h branches and descends h. */
static void test_tree_closed_forms(void **state)
{
    (void)state;
    struct topology topology;
    for (uint32_t h = 1; h <= 3; h++) {
        static const char *const trees[] = {"4", "3,3", "2,3,4"};
        assert_true(topology_parse_tree(trees[h - 1], "const", &topology, NULL));
        struct collective asked = {.n = topology.nodes, .m = 1, .topology = &topology};
        for (unsigned multi = 0; multi < 2; multi++) {
            asked.model = multi ? MODEL_MULTIPORT : MODEL_SINGLE_PORT;
            asked.kind = COLLECTIVE_REDUCE;
            assert_int_equal(check(find("tree-reduce"), &asked), 2 * h);
            assert_int_equal(bound_end(&asked), 2 * h);
        }
    }
}

/* A reduce-scatter by circulant graphs changes partners ⌈log2 n⌉ times. */
static void test_partners(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 40; n++) {
        struct schedule schedule = {0};
        struct collective asked = {.n = n, .m = 3, .model = MODEL_SEND_RECEIVE};
        assert_true(algorithm_build(find("circulant-reduce-scatter"), &asked, &schedule, NULL));
        uint32_t settings = 0, partner = UINT32_MAX;
        for (size_t k = 0; k < schedule.step_count; k++) {
            const struct transfer *first = &schedule.transfer[schedule.step[k].first];
            uint32_t ahead = (first->destination + n - first->source) % n;
            settings += ahead != partner;
            partner = ahead;
        }
        assert_int_equal(settings, log2_up(n));
        schedule_free(&schedule);
    }
}

static void refuse(const char *name, struct collective collective, const char *by, const char *text)
{
    struct err err = {0};
    struct schedule schedule = {0};
    collective.by = by != NULL ? find(by) : NULL;
    assert_false(algorithm_build(find(name), &collective, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, text);
}

static void test_refusals(void **state)
{
    (void)state;
    struct topology topology;
    struct collective asked = {.n = 6, .m = 2, .model = MODEL_SEND_RECEIVE};
    refuse("reduce", asked, "gather",
           "by: the collective of gather is gather; expected an algorithm of broadcast, which is "
           "reversed");
    refuse("reduce-scatter", asked, "binomial",
           "the collective of binomial is broadcast; expected an algorithm of all-gather");
    refuse("reduce", asked, "reduce", "the collective of reduce is reduce; expected");
    refuse("reduce", asked, "fabric-broadcast",
           "the network copies packets for fabric-broadcast; expected another algorithm");
    refuse("reduce", asked, "telegraph", "telegraph does not keep the model send-receive");
    refuse("binomial", asked, "path", "by: binomial reverses no other schedule; expected reduce");
    refuse("scan", asked, "path", "by: scan reverses no other schedule; expected reduce");
    refuse("halving-all-reduce", asked, NULL, "6 nodes and 2 packets; expected powers of two");
    asked.n = 4, asked.m = 8;
    refuse("halving-all-reduce", asked, NULL, "4 nodes and 8 packets; expected powers of two");
    asked.source = 1;
    refuse("scan", asked, NULL, "source: a scan begins at node 0");
    assert_true(topology_parse_tree("2,2", "const", &topology, NULL));
    asked = (struct collective){.n = 4, .m = 1, .topology = &topology, .model = MODEL_SINGLE_PORT};
    refuse("tree-reduce-scatter", asked, NULL,
           "single-port; expected one of multiport, because backwards a node sends on all links");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),       cmocka_unit_test(test_trees_and_cubes),
        cmocka_unit_test(test_windows),        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_blocks_of_many), cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_cubes),          cmocka_unit_test(test_tree_closed_forms),
        cmocka_unit_test(test_partners),       cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
