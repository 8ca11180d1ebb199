/* SPDX-License-Identifier: Apache-2.0 */
/* test_telegraph_steady: the telegraph formula is met for every number of packets, for the n of
 * telegraph_steady.h. Steady runs serve those m for which pairs are not optimal
 * (test_telegraph_pairs).
 *
 * Lemma (docs/algorithms/telegraph.md): let a schedule for m packets meet the formula, and let its
 * nodes lack the same packets after two rounds, up to the numbers of the nodes and counted from the
 * newest packet. Let the rounds between the two introduce d packets at the rate of the formula.
 * Then the formula is met for m + d, m + 2d, … packets. For each n the test finds d, checks that
 * the schedules for 65 … 64 + d packets are legal, meet the formula and have such a repeated part,
 * and that the formula is met for 1 … 64 packets. Formula, judge and search for the repeated part
 * are independent of the algorithm.
 *
 * Sampled: schedules for 1000 + n packets. Counter-cases: a schedule of the rules for few packets
 * has no repeated part; nor has a steady schedule at another rate, or after one receipt is removed
 * from each repetition.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/telegraph_pairs.h"
#include "sched/algorithms/complete/telegraph_run.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_pairs.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define DIRECT 64 /* up to this number of packets the formula is checked packet by packet */

static struct schedule build(uint32_t n, uint32_t m)
{
    return judge_pairs_build("telegraph", MODEL_TELEGRAPH, n, m);
}

/* The formula of Cockayne and Thomason for odd n, of Farley for even n. */
static uint64_t formula(uint32_t n, uint32_t m)
{
    uint32_t log = 0;
    while (n >> (log + 1) > 0)
        log++;
    return n % 2 != 0 ? 2 * (uint64_t)m - 1 + log
                      : 2 * (uint64_t)m + log - (m - 1 + (UINT64_C(1) << log)) / (n / 2);
}

/* After each round: the number of packets introduced, and the packets that each node lacks. */
struct states {
    uint32_t n;
    size_t rounds;
    uint32_t *introduced; /* [rounds] */
    bool *near;           /* [rounds]: no node lacks a packet 64 or more before the newest */
    uint64_t *lacking;    /* [rounds][n - 1], ascending; bit a: the packet `introduced` - a */
};

static struct states new_states(uint32_t n, size_t rounds)
{
    struct states states = {.n = n, .rounds = rounds};
    states.introduced = calloc(rounds, sizeof *states.introduced);
    states.near = calloc(rounds, sizeof *states.near);
    states.lacking = calloc(rounds * (n - 1), sizeof *states.lacking);
    assert_true(states.introduced != NULL && states.near != NULL && states.lacking != NULL);
    return states;
}

static void free_states(struct states *states)
{
    free(states->introduced);
    free(states->near);
    free(states->lacking);
}

/* Records the state after a round; has[node][packet]. */
static void record(struct states *states, size_t round, const bool *has, uint32_t packets)
{
    uint64_t *lacking = states->lacking + round * (states->n - 1);
    uint32_t introduced = states->introduced[round];
    states->near[round] = true;
    for (uint32_t node = 1; node < states->n; node++)
        for (uint32_t packet = 1; packet <= introduced; packet++) {
            if (has[(size_t)node * (packets + 1) + packet])
                continue;
            if (introduced - packet >= 64)
                states->near[round] = false;
            else
                lacking[node - 1] |= UINT64_C(1) << (introduced - packet);
        }
    qsort(lacking, states->n - 1, sizeof *lacking, compare_u64);
}

static struct states states_of(const struct schedule *s)
{
    struct states states = new_states(s->nodes, s->step_count);
    bool *has = calloc((size_t)s->nodes * (s->packets + 1), sizeof *has);
    assert_non_null(has);
    uint32_t introduced = 0;
    for (size_t k = 0; k < s->step_count; k++) {
        for (size_t at = s->step[k].first; at < schedule_step_end(s, k); at++) {
            const struct transfer *t = &s->transfer[at];
            has[(size_t)t->destination * (s->packets + 1) + t->packet] = true;
            introduced = MAX(introduced, t->packet);
        }
        states.introduced[k] = introduced;
        record(&states, k, has, s->packets);
    }
    free(has);
    return states;
}

/* Returns whether the state after round `from` returns after round `to`, before the source has
 * introduced all packets. */
static bool repeats(const struct states *states, size_t from, size_t to, uint32_t packets)
{
    size_t row = states->n - 1;
    return states->introduced[to] < packets && states->near[from] && states->near[to] &&
           memcmp(states->lacking + from * row, states->lacking + to * row,
                  row * sizeof *states->lacking) == 0;
}

/* Returns the least number of packets ≥ `least` of a repeated part that takes `rounds` rounds for
 * each `per` packets; 0 if the schedule has none. With `exact`, only `least` is accepted. */
static uint32_t repeated(const struct schedule *s, uint32_t rounds, uint32_t per, uint32_t least,
                         bool exact)
{
    struct states states = states_of(s);
    uint32_t found = 0;
    for (size_t from = 0; from < states.rounds; from++)
        for (size_t to = from + 1; to < states.rounds; to++) {
            uint32_t d = states.introduced[to] - states.introduced[from];
            bool wanted = exact ? d == least : d >= least && (found == 0 || d < found);
            if (wanted && (uint64_t)d * rounds == (uint64_t)(to - from) * per &&
                repeats(&states, from, to, s->packets))
                found = d;
        }
    free_states(&states);
    return found;
}

/* As repeated, at the rate of the formula. */
static uint32_t repeated_at_rate(const struct schedule *s, uint32_t least, bool exact)
{
    return s->nodes % 2 != 0 ? repeated(s, 2, 1, least, exact)
                             : repeated(s, s->nodes - 1, s->nodes / 2, least, exact);
}

static bool is_proved(uint32_t n)
{
    return telegraph_steady_find(n, DIRECT + 1) != NULL;
}

/* Returns whether a steady run builds the schedule. */
static bool is_steady(uint32_t n, uint32_t m)
{
    const struct collective asked = {.n = n, .m = m, .model = MODEL_TELEGRAPH};
    return n == 2 || !telegraph_pairs_optimal(&asked);
}

/* Checks the premises of the lemma for all residues of m that steady runs serve. Returns d. */
static uint32_t prove(uint32_t n)
{
    uint32_t many = 4 * DIRECT;
    while (!is_steady(n, many))
        many++;
    struct schedule schedule = build(n, many);
    uint32_t d = repeated_at_rate(&schedule, 1, false);
    schedule_free(&schedule);
    if (d == 0)
        fail_msg("n=%u: no repeated part", n);
    for (uint32_t m = DIRECT + 1; m <= DIRECT + d; m++) {
        if (!is_steady(n, m))
            continue;
        schedule = build(n, m);
        if (schedule.end != formula(n, m) || repeated_at_rate(&schedule, d, true) != d)
            fail_msg("n=%u m=%u d=%u: %lu rounds", n, m, d, schedule.end);
        schedule_free(&schedule);
    }
    return d;
}

static void test_every_number_of_packets(void **state)
{
    (void)state;
    uint32_t proved = 0;
    for (uint32_t n = 2; n < 256; n++) {
        if (!is_proved(n))
            continue;
        uint32_t d = prove(n);
        assert_true(n % 2 != 0 || d % (n / 2) == 0);
        proved++;
    }
    assert_int_equal(proved, 7);
}

static void test_few_packets(void **state)
{
    (void)state;
    for (uint32_t n = 2; n < 256; n++)
        for (uint32_t m = 1; m <= DIRECT && is_proved(n); m++) {
            struct schedule schedule = build(n, m);
            assert_int_equal(schedule.end, formula(n, m));
            schedule_free(&schedule);
        }
}

/* The end is known without a run, and the run takes as long. */
static void test_many_packets(void **state)
{
    (void)state;
    for (uint32_t n = 2; n < 256; n++) {
        if (!is_proved(n))
            continue;
        const struct collective asked = {.n = n, .m = 1000 + n, .model = MODEL_TELEGRAPH};
        struct schedule schedule = build(asked.n, asked.m);
        assert_int_equal(schedule.end, formula(asked.n, asked.m));
        assert_int_equal(algorithm_end(algorithm_find("telegraph", NULL), &asked), schedule.end);
        schedule_free(&schedule);
    }
    const struct collective most = {.n = 22, .m = 1u << 24, .model = MODEL_TELEGRAPH};
    assert_int_equal(algorithm_end(algorithm_find("telegraph", NULL), &most),
                     formula(22, 1u << 24));
}

static void test_counter_cases(void **state)
{
    (void)state;
    struct schedule few = build(10, DIRECT);
    assert_int_equal(repeated_at_rate(&few, 1, false), 0);
    schedule_free(&few);

    struct schedule steady = build(10, DIRECT + 1);
    assert_true(repeated_at_rate(&steady, 1, false) > 0);
    assert_int_equal(repeated(&steady, 3, 1, 1, false), 0);
    assert_int_equal(repeated(&steady, 1, 1, 1, false), 0);
    /* Node 1 receives packet 5 only at the very end. */
    struct transfer *first = NULL, *last = &steady.transfer[steady.transfer_count - 1];
    for (size_t at = 0; at < steady.transfer_count && first == NULL; at++)
        if (steady.transfer[at].destination == 1 && steady.transfer[at].packet == 5)
            first = &steady.transfer[at];
    assert_non_null(first);
    *first = *last;
    assert_int_equal(repeated_at_rate(&steady, 1, false), 0);
    schedule_free(&steady);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_number_of_packets),
        cmocka_unit_test(test_few_packets),
        cmocka_unit_test(test_many_packets),
        cmocka_unit_test(test_counter_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
