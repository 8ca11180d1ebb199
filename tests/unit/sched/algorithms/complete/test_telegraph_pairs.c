/* SPDX-License-Identifier: Apache-2.0 */
/* test_telegraph_pairs: broadcasts by pairs of nodes are legal and take 2m - 1 + ⌊log2 n⌋ rounds
 * for odd n, 2m - 1 + ⌈log2(n/2)⌉ - ⌊(m-1) / (n/2)⌋ for even n/2, and with m for m - 1 for odd n/2.
 *
 * The proof in docs/algorithms/telegraph.md holds for all n and m. It requires of `matching` that
 * every node receives a packet in the first q rounds, that none sends and receives in one of them,
 * and that in no round all nodes but the source send; this is checked for up to 300 nodes.
 * Exhaustive: n = 3 … 70 with m = 1 … 40, and n = 3 … 12 with m ≤ 200. Sampled: larger n and m. The
 * judge of judge_pairs.h shares no code with the algorithm, and the bound counts receipts.
 *
 * Counter-cases: where the proof does not claim that pairs are optimal, they take a round more than
 * the bound; `path` does not meet the requirement.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/telegraph_pairs.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_pairs.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>

static unsigned log_down(uint32_t n)
{
    unsigned log = 0;
    while (n >> (log + 1) > 0)
        log++;
    return log;
}

/* Builds the broadcast by pairs, judges it, and returns its last round. */
static uint64_t check(uint32_t n, uint32_t m)
{
    const struct collective asked = {.n = n, .m = m, .model = MODEL_TELEGRAPH};
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(schedule_init(&schedule, "telegraph", &asked, &err), &err);
    support_true(telegraph_pairs_build(&asked, &schedule, &err), &err);
    const char *wrong = judge_pairs(&schedule);
    if (wrong != NULL)
        fail_msg("n=%u m=%u: %s", n, m, wrong);
    uint64_t end = schedule.end;
    assert_int_equal(end, telegraph_pairs_end(&asked));
    schedule_free(&schedule);
    return end;
}

static uint64_t formula(uint32_t n, uint32_t m)
{
    if (n % 2 != 0)
        return 2 * (uint64_t)m - 1 + log_down(n);
    return 2 * (uint64_t)m - 1 + log_down(n - 1) - (m - (n % 4 == 0)) / (n / 2);
}

static void test_small(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 70; n++)
        for (uint32_t m = 1; m <= (n <= 12 ? 200 : 40); m++)
            assert_int_equal(check(n, m), formula(n, m));
}

static void test_larger(void **state)
{
    (void)state;
    static const uint32_t size[][2] = {
        {3, 1000},  {4, 999},  {5, 333},   {32, 600},  {64, 999},  {72, 700},  {126, 640},
        {6, 334},   {7, 1001}, {53, 2000}, {61, 500},  {63, 700},  {63, 701},  {79, 300},
        {127, 300}, {129, 99}, {200, 100}, {255, 400}, {257, 130}, {1000, 33}, {1023, 5},
        {1025, 40}, {4095, 9}, {4097, 70}, {126, 630}, {90, 450},  {10001, 3}, {65535, 2}};
    for (unsigned which = 0; which < sizeof size / sizeof *size; which++)
        assert_int_equal(check(size[which][0], size[which][1]),
                         formula(size[which][0], size[which][1]));
}

/* The least number of rounds with room for m·(n - 1) receipts: at most 2^(i-1) in round i, because
 * only so many nodes hold a packet, and at most ⌊n/2⌋. */
static uint64_t bound(uint32_t n, uint32_t m)
{
    uint64_t receipts = 0, rounds = 0;
    for (uint64_t holders = 1; receipts < (uint64_t)m * (n - 1); rounds++) {
        receipts += holders < n / 2 ? holders : n / 2;
        holders = 2 * holders < n ? 2 * holders : n;
    }
    return rounds;
}

static void test_optimal(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 300; n++)
        for (uint32_t m = 1; m <= 300; m++) {
            const struct collective asked = {.n = n, .m = m, .model = MODEL_TELEGRAPH};
            uint32_t power = 1u << log_down(n);
            uint32_t rest = m % (n / 2);
            bool divides = n % 2 == 0 && rest == 0;
            bool optimal = n % 2 != 0 || n == power || (rest <= n - power && !divides) ||
                           (divides && n % 4 != 0);
            assert_int_equal(telegraph_pairs_end(&asked), bound(n, m) + !optimal);
            assert_int_equal(telegraph_pairs_optimal(&asked), optimal);
        }
}

/* Returns whether every node but the source receives in the first ⌈log2 nodes⌉ rounds of a
 * schedule, no node sends and receives in one of them, and in each round one of them is silent. */
static bool fits(const char *algorithm, uint32_t nodes, uint32_t m)
{
    const struct collective asked = {.n = nodes, .m = m, .model = MODEL_SEND_RECEIVE};
    struct schedule s = {0};
    struct err err = {0};
    support_true(algorithm_build(algorithm_find(algorithm, &err), &asked, &s, &err), &err);
    uint64_t *sent = calloc(nodes, sizeof *sent), *received = calloc(nodes, sizeof *received);
    assert_true(sent != NULL && received != NULL);
    bool good = true;
    for (size_t k = 0; k < s.step_count; k++) {
        uint64_t round = s.step[k].time;
        uint32_t senders = 0;
        for (size_t at = s.step[k].first; at < schedule_step_end(&s, k); at++) {
            uint32_t from = s.transfer[at].source, to = s.transfer[at].destination;
            bool start = round <= log_down(2 * nodes - 1);
            good = good && (!start || (received[from] != round && sent[to] != round));
            good = good && (start || received[to] > 0);
            sent[from] = received[to] = round;
            senders += from != 0;
        }
        good = good && senders < nodes - 1;
    }
    free(sent);
    free(received);
    schedule_free(&s);
    return good;
}

static void test_model(void **state)
{
    (void)state;
    for (uint32_t nodes = 2; nodes <= (running_exhaustive() ? 300 : 100); nodes++)
        for (uint32_t m = 1; m <= 12; m++)
            if (!fits("matching", nodes, m))
                fail_msg("%u nodes, m=%u", nodes, m);
    assert_false(fits("path", 17, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_larger),
        cmocka_unit_test(test_optimal),
        cmocka_unit_test(test_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
