/* SPDX-License-Identifier: Apache-2.0 */
/* test_postal_block: postal-block is legal and near the bound, and finds every order of a cycle.
 *
 * State space: λ × n × m × source, and the offsets of a cycle. Exhaustive: λ in {1, 3/2, 2, 5/2, 3,
 * 4, 7/3, 7, 13/5, 8, 9/8, 5/3}, n ≤ 41, m in {1, 2, 7, 40}; all offsets below r of the r leaves of
 * a cycle and of a node that only receives, for r ≤ 5. Sampled: n up to 1024 and m up to 256, other
 * sources, large λ.
 *
 * Each schedule is judged by verify and by a judge that shares nothing with it
 * (postal_reference.h). The gap to the bound of postal_reference.h must be at most ⌈λ⌉ for integer
 * λ and 2⌈λ⌉ for fractional λ. For λ = 2 and one packet it may be 3. For λ = 1 and 2 all n ≤ 1024
 * are tested (every 37th; all in `make test-all`), and the sizes that are most difficult to divide.
 * Counter-cases: two swapped packets, a cycle whose sum is not divisible.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/block_tree.h"
#include "sched/base/compare.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/postal_reference.h"
#include "tests/support/running.h"

#include <string.h>

static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1},  {5, 2}, {3, 1}, {4, 1},
                                          {7, 3}, {7, 1}, {13, 5}, {8, 1}, {9, 8}, {5, 3}};
#define LAMBDAS (sizeof lambdas / sizeof *lambdas)

static const struct algorithm *block(void)
{
    return algorithm_find("postal-block", NULL);
}

static struct collective broadcast(uint32_t n, uint32_t m, struct rational lambda)
{
    return (struct collective){.n = n, .m = m, .model = MODEL_POSTAL, .lambda = lambda};
}

static void build(const struct collective *collective, struct schedule *schedule)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    if (!algorithm_build(block(), collective, schedule, &err))
        fail_msg("n=%u m=%u: %s", collective->n, collective->m, err.text);
}

/* Returns the largest gap that is guaranteed, in ticks. */
static uint64_t most(uint32_t m, struct rational lambda)
{
    uint64_t a = lambda.numerator, b = lambda.denominator, up = (a + b - 1) / b;
    if (b > 1)
        return 2 * up * b;
    return a == 2 && m == 1 ? 3 : a;
}

static uint64_t check_end(const struct collective *collective)
{
    struct rational lambda = collective->lambda;
    uint32_t n = collective->n;
    uint64_t bound = postal_reference_bound(lambda.numerator, lambda.denominator, n, collective->m);
    uint64_t end = algorithm_end(block(), collective);
    if (n == 1)
        assert_int_equal(end, 0);
    else if (end < bound || end - bound > most(collective->m, lambda))
        fail_msg("n=%u m=%u λ=%u/%u: %u ticks; expected %u … %u", n, collective->m,
                 lambda.numerator, lambda.denominator, (unsigned)end, (unsigned)bound,
                 (unsigned)(bound + most(collective->m, lambda)));
    return end;
}

static void check(const struct collective *collective)
{
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    build(collective, &schedule);
    postal_reference_judge(&schedule, collective->source, false);
    if (!verify_schedule("block", &schedule, &report, &err))
        fail_msg("n=%u m=%u: %s", collective->n, collective->m, err.text);
    assert_int_equal(report.redundant, 0);
    assert_int_equal(schedule.end, check_end(collective));
    schedule_free(&schedule);
}

static void test_small(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 7, 40};
    for (size_t which = 0; which < LAMBDAS; which++)
        for (uint32_t n = 1; n <= 41; n++)
            for (size_t count = 0; count < 4; count++) {
                const struct collective asked = broadcast(n, packets[count], lambdas[which]);
                check(&asked);
            }
}

static void test_larger(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {64, 89, 100, 234, 377, 610, 1000, 1024};
    for (size_t which = 0; which < LAMBDAS; which++)
        for (size_t size = 0; size < sizeof nodes / sizeof *nodes; size++) {
            struct collective asked = broadcast(nodes[size], 64, lambdas[which]);
            check_end(&asked);
            asked.m = 256;
            if (size % 3 == 0)
                check(&asked);
        }
}

/* λ = 1 and 2, for which trees just have cycles or just have none. */
static void test_sizes(void **state)
{
    (void)state;
    static const uint32_t difficult[][2] = {{1, 864}, {1, 925}, {1, 962}, {2, 117}, {2, 188},
                                            {2, 305}, {2, 494}, {2, 799}, {2, 800}, {2, 987}};
    for (size_t which = 0; which < sizeof difficult / sizeof *difficult; which++) {
        const struct rational lambda = {difficult[which][0], 1};
        const struct collective asked = broadcast(difficult[which][1], 5, lambda);
        check(&asked);
    }
    for (uint32_t units = 1; units <= 2; units++)
        for (uint32_t n = 2; n <= 1024; n += running_stride(37)) {
            const struct collective asked = broadcast(n, 2, (struct rational){units, 1});
            check_end(&asked);
        }
}

static void test_large_lambda(void **state)
{
    (void)state;
    static const struct rational large[] = {{16, 1},    {50, 1},  {1000, 1},
                                            {65535, 1}, {300, 7}, {65535, 65534}};
    for (size_t which = 0; which < sizeof large / sizeof *large; which++)
        for (uint32_t n = 2; n <= 130; n += 16) {
            const struct collective asked = broadcast(n, 3, large[which]);
            check(&asked);
        }
}

static void test_sources(void **state)
{
    (void)state;
    for (uint32_t source = 0; source < 20; source++) {
        struct collective asked = broadcast(20, 9, (struct rational){5, 2});
        asked.source = source;
        check(&asked);
    }
}

/* n = 22, m = 8, λ = 2: 17, whereas postal-dtree takes 24; the bound is 15. */
static void test_known(void **state)
{
    (void)state;
    const struct collective small = broadcast(22, 8, (struct rational){2, 1});
    const struct collective large = broadcast(1000, 64, (struct rational){2, 1});
    assert_int_equal(algorithm_end(block(), &small), 17);
    assert_int_equal(algorithm_end(block(), &large), 81);
}

/* Two concurrent transfers swap their packets: some node does not hold the packet that it sends, or
 * receives a packet twice. */
static void test_exchanged(void **state)
{
    (void)state;
    const struct collective asked = broadcast(9, 12, (struct rational){3, 1});
    struct schedule schedule;
    struct err err = {0};
    unsigned tried = 0;
    build(&asked, &schedule);
    for (size_t k = 0; k < schedule.step_count; k++) {
        if (schedule_step_end(&schedule, k) < schedule.step[k].first + 2)
            continue;
        struct transfer *one = &schedule.transfer[schedule.step[k].first], *two = one + 1;
        struct verify_report report;
        if (one->packet == two->packet)
            continue;
        for (unsigned trial = 0; trial < 2; trial++) {
            uint32_t packet = one->packet;
            assert_int_equal(verify_schedule("block", &schedule, &report, &err), trial == 0);
            one->packet = two->packet;
            two->packet = packet;
        }
        err = (struct err){0};
        tried++;
    }
    assert_true(tried > 5);
    schedule_free(&schedule);
}

/* Checks that nodes 1 … r of a star with the given offsets receive each residue once. */
static void check_order(const struct block_tree *tree, uint32_t r)
{
    for (uint32_t unit = 0; unit < 2 * r; unit++) {
        uint32_t positions_of_node[8] = {0};
        for (uint32_t v = 0; v < tree->count; v++) {
            const struct block_position *position = &tree->position[v];
            uint32_t packet = (uint32_t)(unit + 8 * r - position->offset); /* p + 8 r */
            positions_of_node[position->first + (position->base + packet) % position->period]++;
        }
        for (uint32_t node = 1; node <= tree->count; node++)
            assert_int_equal(positions_of_node[node], 1);
    }
    for (uint32_t packet = 0; packet < r; packet++) {
        uint32_t positions_of_node[8] = {0};
        for (uint32_t v = 0; v < tree->count; v++) {
            const struct block_position *position = &tree->position[v];
            positions_of_node[position->first + (position->base + packet) % position->period]++;
        }
        for (uint32_t node = 1; node <= tree->count; node++)
            assert_int_equal(positions_of_node[node], 1);
    }
}

static void test_orders(void **state)
{
    (void)state;
    for (uint32_t r = 1; r <= 5; r++) {
        struct block_tree tree;
        struct block_cycles cycles;
        uint32_t choices = 1, found = 0;
        assert_true(block_tree_init(&tree, r + 1, (struct rational){3, 1}, NULL));
        assert_true(block_cycles_init(&cycles, &tree, NULL));
        for (uint32_t leaf = 0; leaf < r; leaf++)
            choices *= r;
        for (uint32_t choice = 0; choice < choices; choice++) {
            uint32_t sum = 0, digits = choice;
            block_tree_grow(&tree, 1, 0); /* for its memory */
            tree.position[0].children = r;
            for (uint32_t v = 1; v <= r; v++, digits /= r) {
                tree.position[v] = (struct block_position){.offset = digits % r, .parent = 0};
                sum += digits % r;
            }
            bool possible = false;
            for (uint32_t v = 1; v <= r; v++)
                possible = possible || (sum - tree.position[v].offset) % r == 0;
            assert_int_equal(block_cycles_find(&cycles, 1), possible);
            if (possible)
                check_order(&tree, r);
            found += possible;
        }
        assert_true(found > 0 && (r == 1 || found < choices));
        block_cycles_free(&cycles);
        block_tree_free(&tree);
    }
}

/* The tree that is used if the search fails. */
static void test_path(void **state)
{
    (void)state;
    struct block_tree tree;
    struct block_cycles cycles;
    assert_true(block_tree_init(&tree, 7, (struct rational){5, 2}, NULL));
    assert_true(block_cycles_init(&cycles, &tree, NULL));
    block_tree_path(&tree);
    assert_int_equal(block_tree_last(&tree), 6 * 6); /* hops of 3 units of 2 ticks */
    assert_true(block_cycles_find(&cycles, 0));
    for (uint32_t v = 0; v < 7; v++)
        assert_int_equal(tree.position[v].period, 1);
    block_cycles_free(&cycles);
    block_tree_free(&tree);
}

static void test_refused(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    const struct collective huge = broadcast(2049, 1, (struct rational){2, 1});
    assert_false(algorithm_build(block(), &huge, &schedule, &err));
    assert_int_equal(err.code, ERR_ALGORITHM);
    assert_non_null(strstr(err.text, "expected at most 2048 nodes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),        cmocka_unit_test(test_larger),
        cmocka_unit_test(test_large_lambda), cmocka_unit_test(test_sources),
        cmocka_unit_test(test_known),        cmocka_unit_test(test_exchanged),
        cmocka_unit_test(test_orders),       cmocka_unit_test(test_path),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
