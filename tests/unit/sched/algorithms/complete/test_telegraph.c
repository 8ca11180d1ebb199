/* SPDX-License-Identifier: Apache-2.0 */
/* test_telegraph: schedules of the telegraph algorithm are legal and take the fewest rounds
 * possible.
 *
 * Exhaustive: n ≤ 40 with all m ≤ 60, and n = 4 with all m ≤ 300; the number of rounds equals the
 * formula, which is written here independently. Sampled: larger n and m, at and next to powers of
 * two, and sizes whose end is not known before the schedule is built. Counter-cases: for each of
 * its rules the judge rejects a schedule that was broken on purpose.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/telegraph_pairs.h"
#include "sched/algorithms/complete/telegraph_run.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_pairs.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

static struct schedule build(uint32_t n, uint32_t m)
{
    return judge_pairs_build("telegraph", MODEL_TELEGRAPH, n, m);
}

/* Returns the minimum number of rounds. Even n: the least number of rounds that has room for m·(n -
 * 1) receipts, 2^(i-1) in round i while that is less than half of the nodes. Odd n: the formula.
 * test_bound compares both with exhaustive search. */
static uint64_t optimum(uint32_t n, uint32_t m)
{
    uint64_t receipts = 0, rounds = 0;
    unsigned log = 0;
    while (n >> (log + 1) > 0)
        log++;
    if (n % 2 != 0)
        return 2 * (uint64_t)m - 1 + log;
    for (uint64_t holders = 1; receipts < (uint64_t)m * (n - 1); rounds++) {
        receipts += holders < n / 2 ? holders : n / 2;
        holders = 2 * holders < n ? 2 * holders : n;
    }
    return rounds;
}

static void check(uint32_t n, uint32_t m)
{
    const struct collective asked = {.n = n, .m = m, .model = MODEL_TELEGRAPH};
    struct schedule schedule = build(n, m);
    if (schedule.end != optimum(n, m))
        fail_msg("n=%u m=%u: %lu rounds, expected %lu", n, m, schedule.end, optimum(n, m));
    uint64_t end = algorithm_end(algorithm_find("telegraph", NULL), &asked);
    bool unknown = end == ALGORITHM_UNKNOWN && n % 2 == 0 && (uint64_t)n * m > 1u << 15;
    assert_true(end == schedule.end || unknown);
    assert_true(schedule.end >= bound_end(&asked));
    struct guarantee guarantee = {.end = end};
    bool pairs = n >= 3 && telegraph_pairs_optimal(&asked);
    assert_int_equal(algorithm_guarantee(algorithm_find("telegraph", NULL), &asked, &guarantee),
                     pairs);
    assert_int_equal(guarantee.end, end);
    schedule_free(&schedule);
}

static void test_small(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 40; n++)
        for (uint32_t m = 1; m <= 60; m++)
            check(n, m);
    for (uint32_t m = 61; m <= 300; m++)
        check(4, m);
}

static void test_larger(void **state)
{
    (void)state;
    static const uint32_t size[][2] = {
        {2, 1000},  {3, 1000},  {4, 1001},  {5, 2000},   {6, 3000},  {7, 1500},  {8, 3000},
        {12, 2000}, {13, 226},  {48, 17},   {54, 23},    {64, 200},  {66, 36},   {66, 70},
        {100, 300}, {127, 127}, {128, 50},  {129, 64},   {200, 200}, {255, 3},   {256, 256},
        {257, 9},   {511, 31},  {1000, 16}, {1023, 5},   {1024, 8},  {1025, 33}, {1537, 16},
        {4001, 20}, {4096, 4},  {10001, 2}, {10001, 16}, {16384, 1}};
    for (unsigned which = 0; which < sizeof size / sizeof *size; which++)
        check(size[which][0], size[which][1]);
}

/* Sizes for which the dry run shows that the first order takes a round more than the formula, so
 * that the schedule uses another order. */
static void test_other_order(void **state)
{
    (void)state;
    static const uint32_t size[][2] = {{44, 14}, {48, 41}, {58, 56}, {1656, 1646}, {1652, 1573}};
    for (size_t which = 0; which < (running_exhaustive() ? 5 : 4); which++) {
        const struct collective asked = {
            .n = size[which][0], .m = size[which][1], .model = MODEL_TELEGRAPH};
        struct telegraph_run run;
        struct err err = {0};
        support_true(telegraph_run_init(&run, &asked, &err), &err);
        assert_int_equal(telegraph_run(&run, 0, NULL, NULL), optimum(asked.n, asked.m) + 1);
        telegraph_run_free(&run);
        check(asked.n, asked.m);
    }
}

/* telegraph takes fewer rounds than binomial for several packets, except for small n. */
static void test_against_binomial(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 40; n++)
        for (uint32_t m = 1; m <= 20; m++) {
            const struct collective asked = {.n = n, .m = m, .model = MODEL_TELEGRAPH};
            uint64_t binomial = algorithm_end(algorithm_find("binomial", NULL), &asked);
            uint64_t ours = algorithm_end(algorithm_find("telegraph", NULL), &asked);
            bool tie = m == 1 || n <= 3 || (n == 4 && m == 2);
            assert_true(tie ? ours == binomial : ours < binomial);
        }
}

/* For large sizes the end of a run is not searched for, so that a plan is made at once; it is known
 * after the schedule has been built. The end of pairs is always known. */
static void test_unknown(void **state)
{
    (void)state;
    const struct collective few = {.n = 2048, .m = 16, .model = MODEL_TELEGRAPH};
    const struct collective much = {.n = 2050, .m = 16, .model = MODEL_TELEGRAPH};
    const struct collective odd = {.n = 2049, .m = 1u << 24, .model = MODEL_TELEGRAPH};
    const struct collective even = {.n = 3000, .m = 900, .model = MODEL_TELEGRAPH};
    const struct collective power = {.n = 4096, .m = 1u << 24, .model = MODEL_TELEGRAPH};
    const struct algorithm *algorithm = algorithm_find("telegraph", NULL);
    assert_int_equal(algorithm_end(algorithm, &few), optimum(2048, 16));
    assert_int_equal(algorithm_end(algorithm, &much), ALGORITHM_UNKNOWN);
    assert_int_equal(algorithm_end(algorithm, &odd), optimum(odd.n, odd.m));
    assert_int_equal(algorithm_end(algorithm, &even), optimum(even.n, even.m));
    assert_int_equal(algorithm_end(algorithm, &power), optimum(power.n, power.m));
    check(2050, 16);
}

static void test_same_again(void **state)
{
    (void)state;
    struct schedule one = build(54, 23), two = build(54, 23);
    assert_int_equal(one.transfer_count, two.transfer_count);
    assert_memory_equal(one.transfer, two.transfer, one.transfer_count * sizeof *one.transfer);
    schedule_free(&one);
    schedule_free(&two);
}

/* Returns transfer `first` of round `round` of a schedule. */
static struct transfer *transfer_of(const struct schedule *schedule, size_t round, size_t first)
{
    return &schedule->transfer[schedule->step[round - 1].first + first];
}

static void test_judge(void **state)
{
    (void)state;
    struct schedule s = build(10, 3); /* docs/algorithms/complete.md prints it */
    struct transfer kept;
    assert_null(judge_pairs(&s));

    kept = *transfer_of(&s, 2, 0);
    transfer_of(&s, 2, 0)->destination = 3;
    assert_string_equal(judge_pairs(&s), "two partners");
    *transfer_of(&s, 2, 0) = (struct transfer){3, 1, 1};
    assert_string_equal(judge_pairs(&s), "not held");
    *transfer_of(&s, 2, 0) = (struct transfer){1, 3, 2};
    assert_string_equal(judge_pairs(&s), "not held");
    *transfer_of(&s, 2, 0) = (struct transfer){0, 1, 1};
    assert_string_equal(judge_pairs(&s), "held before");
    *transfer_of(&s, 2, 0) = kept;

    kept = *transfer_of(&s, 5, 1);
    *transfer_of(&s, 5, 1) = (struct transfer){6, 8, 1};
    assert_string_equal(judge_pairs(&s), "two packets between a pair");
    *transfer_of(&s, 5, 1) = kept;

    s.model = MODEL_TELEPHONE;
    kept = *transfer_of(&s, 3, 1);
    *transfer_of(&s, 3, 1) = (struct transfer){0, 4, 1};
    assert_string_equal(judge_pairs(&s), "two packets one way");
    *transfer_of(&s, 3, 1) = kept;
    s.model = MODEL_TELEGRAPH;

    s.end++;
    assert_string_equal(judge_pairs(&s), "another end");
    s.end--;
    s.transfer_count--;
    assert_string_equal(judge_pairs(&s), "not everybody has everything");
    s.transfer_count++;
    assert_null(judge_pairs(&s));
    schedule_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),       cmocka_unit_test(test_larger),
        cmocka_unit_test(test_other_order), cmocka_unit_test(test_against_binomial),
        cmocka_unit_test(test_unknown),     cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
