/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_blocks: cube-blocks-all-reduce takes the rounds of its closed form, and few more than
 * the bound.
 *
 * State space: d = 1 … 4, m = 1 … 32, exhaustive; d = 5, 6 and all m up to 2^d groups, at the first
 * and last m of each number of groups; d = 8 at both sides of 2^(d-1) groups. verify and a second
 * judge (tests/support/judge_reduce.h) decide whether a schedule is legal. The bound and the closed
 * form are typed anew: the former from the distances and the numbers of transfers, the latter as
 * the recursion f(G) = f(⌊G/2⌋) + f(⌈G/2⌉) + 1 with what is left to double. Gaps are counted as in
 * docs/algorithms/reduce.md. A packet is sent as often as its number of folded positions says, and
 * the rounds in which a part of G groups of d packets is folded use every arc.
 *
 * `all-reduce` selects this algorithm in a hypercube, so no other one may take fewer rounds: d = 1
 * … 4 and m = 1 … 64, exhaustive, from schedules that are built and verified; d = 5 … 8 at m around
 * the multiples of d, from the ends that the algorithms state.
 *
 * Counter-cases: a schedule with one transfer less has a result that lacks a contribution; among
 * complete graphs the comparison finds an algorithm with fewer rounds than the default.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_reduce.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

/* -- Closed forms ------------------------------------------------------------------------------ */

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t bound_of(uint32_t d, uint32_t m)
{
    const uint64_t opposite = d - 1 + divide_up(m, d),
                   sent = divide_up(2 * (((uint64_t)1 << d) - 1) * m, (uint64_t)d << d);
    return MAX(opposite, sent);
}

/* Rounds in which groups are folded, and the fewest positions over which one is. */
static uint64_t folding(uint64_t groups, unsigned *positions)
{
    unsigned other;
    if (groups == 1) {
        *positions = 0;
        return 0;
    }
    const uint64_t rounds =
        folding(groups / 2, positions) + folding(divide_up(groups, 2), &other) + 1;
    *positions = MIN(*positions, other) + 1;
    return rounds;
}

static uint64_t rounds_of(uint32_t d, uint32_t m)
{
    const uint64_t groups = divide_up(m, d), parts = MAX(groups >> (d - 1), 1);
    uint64_t rounds = 0, before = 0;
    for (uint64_t part = 1; part <= parts; part++) {
        unsigned positions;
        const uint64_t end = part * groups / parts;
        rounds += 2 * folding(end - before, &positions);
        rounds += d - positions;
        before = end;
    }
    return rounds;
}

/* -- Schedules --------------------------------------------------------------------------------- */

static void build(uint32_t d, uint32_t m, struct schedule *schedule)
{
    struct topology cube;
    struct err err = {0};
    running("d=%u m=%u", d, m);
    support_true(topology_hypercube(d, &cube, &err), &err);
    const struct collective asked = {.n = cube.nodes,
                                     .m = m,
                                     .model = MODEL_ALL_PORT,
                                     .topology = &cube,
                                     .kind = COLLECTIVE_ALL_REDUCE};
    const struct algorithm *algorithm = support_algorithm("cube-blocks-all-reduce");
    struct guarantee guarantee;
    uint64_t bound;
    support_true(algorithm_build(algorithm, &asked, schedule, &err), &err);
    assert_int_equal(schedule->end, algorithm_end(algorithm, &asked));
    assert_int_equal(schedule->end, rounds_of(d, m));
    assert_true(algorithm_guarantee(algorithm, &asked, &guarantee));
    assert_int_equal(guarantee.end, schedule->end);
    assert_true(bound_of_schedule(schedule, &bound));
    assert_int_equal(bound, bound_of(d, m));
}

/* Checks a schedule. Returns the rounds above the bound. */
static uint64_t gap(uint32_t d, uint32_t m, bool judged)
{
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    build(d, m, &schedule);
    support_true(verify_schedule("x", &schedule, &report, &err), &err);
    if (judged) {
        const struct judge_reduce found = judge_reduce(&schedule, false);
        assert_true(found.not_held + found.uncounted + found.twice == 0);
    }
    const uint64_t above = schedule.end - bound_of(d, m);
    schedule_free(&schedule);
    return above;
}

static void test_small(void **state)
{
    (void)state;
    static const unsigned expected[4][3] = {{32, 0, 0}, {25, 7, 0}, {18, 14, 0}, {16, 13, 3}};
    for (uint32_t d = 1; d <= 4; d++) {
        unsigned above[3] = {0};
        for (uint32_t m = 1; m <= 32; m++) {
            const uint64_t rounds = gap(d, m, true);
            assert_true(rounds < 3);
            above[rounds]++;
        }
        assert_memory_equal(above, expected[d - 1], sizeof above);
    }
}

/* From 2^(d-1) groups on, a schedule of d packets in each group meets the bound. */
static void test_large(void **state)
{
    (void)state;
    for (uint32_t d = 2; d <= 6; d++)
        for (uint32_t groups = 1; groups <= 2u << d; groups++) {
            const uint64_t whole = gap(d, d * groups, false),
                           part = gap(d, d * groups - d + 1, false);
            assert_true(groups < 1u << (d - 1) || whole == 0);
            assert_true(groups > 2 || whole == 0);
            assert_true(whole < d && part <= whole + 2);
        }
    for (uint32_t groups = 127; groups <= 129; groups++)
        assert_true(gap(8, 8 * groups, false) == 0);
}

/* Counts the transfers of packet 1 of each group, and those of each round. */
static void test_transfers(void **state)
{
    (void)state;
    for (uint32_t d = 1; d <= 6; d++)
        for (uint32_t groups = 1; groups < 1u << d; groups++) {
            struct schedule schedule = {0};
            build(d, d * groups, &schedule);
            uint64_t sent[64] = {0};
            for (size_t t = 0; t < schedule.transfer_count; t++)
                sent[(schedule.transfer[t].packet - 1) / d]++;
            for (uint32_t group = 0; group < groups; group++) {
                unsigned least;
                folding(groups, &least);
                const uint64_t left = (1u << d) >> least, fewer = left / 2,
                               some = 2 * ((1u << d) - left) + (d - least) * left,
                               more = 2 * ((1u << d) - fewer) + (d - least - 1) * fewer;
                assert_true(sent[group] == d * some || sent[group] == d * more);
            }
            for (size_t k = 0; k < schedule.step_count; k++)
                if (k + 1 < groups || schedule.step_count - k < groups)
                    assert_int_equal(schedule_step_end(&schedule, k) - schedule.step[k].first,
                                     d << d);
            schedule_free(&schedule);
        }
}

/* -- Comparison with the other algorithms ------------------------------------------------------ */

/* Returns the rounds of an algorithm, of a schedule that is built and verified if `built`. */
static uint64_t rounds_by(const struct algorithm *algorithm, const struct collective *asked,
                          bool built)
{
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    if (!built)
        return algorithm_end(algorithm, asked);
    support_true(algorithm_build(algorithm, asked, &schedule, &err), &err);
    support_true(verify_schedule(algorithm->name, &schedule, &report, &err), &err);
    const uint64_t rounds = schedule.end;
    schedule_free(&schedule);
    return rounds;
}

/* Returns how many rounds earlier the best algorithm ends than the one that the name all-reduce
 * selects on the collective's topology; adds the number of the other algorithms to *others. */
static uint64_t rounds_lost(const struct collective *asked, bool built, unsigned *others)
{
    const enum topology_kind topology = collective_topology_kind(asked);
    const struct algorithm *usual =
        algorithm_find_on("all-reduce", topology, &asked->model, false, NULL);
    const uint64_t rounds = rounds_by(usual, asked, built);
    uint64_t least = rounds;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        if ((*entry)->kind == COLLECTIVE_ALL_REDUCE && *entry != usual &&
            (*entry)->topology == topology && algorithm_check(*entry, asked, NULL)) {
            least = MIN(least, rounds_by(*entry, asked, built));
            ++*others;
        }
    return rounds - least;
}

static void test_no_other_is_shorter(void **state)
{
    (void)state;
    for (uint32_t d = 1; d <= 8; d++) {
        struct topology cube;
        support_true(topology_hypercube(d, &cube, NULL), NULL);
        struct collective asked = {.n = cube.nodes,
                                   .model = MODEL_ALL_PORT,
                                   .topology = &cube,
                                   .kind = COLLECTIVE_ALL_REDUCE};
        const bool built = d <= 4;
        const uint32_t most = built ? 64 : 4 * d << d;
        unsigned others = 0, cases = 0;
        for (asked.m = 1; asked.m <= most; asked.m++)
            if (built || (asked.m + 1) % d < 3) {
                running("d=%u m=%u", d, asked.m);
                assert_int_equal(rounds_lost(&asked, built, &others), 0);
                cases++;
            }
        assert_int_equal(others, 2 * cases); /* cube-all-reduce and cube-doubling-all-reduce */
    }
}

/* On a complete graph the default reverses a broadcast, and others end earlier. */
static void test_comparison_finds_shorter(void **state)
{
    (void)state;
    const struct collective asked = {
        .n = 8, .m = 8, .model = MODEL_SEND_RECEIVE, .kind = COLLECTIVE_ALL_REDUCE};
    unsigned others = 0;
    assert_true(rounds_lost(&asked, true, &others) > 0);
}

static void test_lost_transfer(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    build(3, 7, &schedule);
    schedule.transfer_count--;
    schedule.combining_count--;
    assert_false(verify_schedule("x", &schedule, &report, &err));
    assert_int_equal(err.code, ERR_UNCOUNTED);
    assert_true(judge_reduce(&schedule, false).uncounted > 0);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_transfers),
                                       cmocka_unit_test(test_no_other_is_shorter),
                                       cmocka_unit_test(test_comparison_finds_shorter),
                                       cmocka_unit_test(test_lost_transfer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
