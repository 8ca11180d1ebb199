/* SPDX-License-Identifier: Apache-2.0 */
/* test_postal_algorithms: the schedules of Bar-Noy and Kipnis are legal and end at the paper's
 * time.
 *
 * State space: algorithm × λ × n × m × degree × source. Exhaustive: λ in {1, 3/2, 2, 5/2, 3, 4,
 * 7/3, 7, 13/5, 10, 9/8}, n ≤ 41, m in {1, 2, 3, 4, 5, 7, 10, 16}, all degrees for n ≤ 12 and some
 * larger n; figure 1 of the paper, call by call; each transfer moved a tick earlier, which must be
 * rejected. Sampled: larger n, other sources, the golden rows, which another implementation
 * generated, and parameters that are planned but never built.
 *
 * Each schedule is judged by verify and by a judge that shares nothing with it (postal_reference.h,
 * which also checks the order of packets); its end is compared with a closed form of the paper over
 * F_λ of postal_reference.h, and with the lower bound.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/postal_reference.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

#define GOLDEN "tests/golden/complete-graph.csv"

static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1},  {5, 2},  {3, 1}, {4, 1},
                                          {7, 3}, {7, 1}, {13, 5}, {10, 1}, {9, 8}};
#define LAMBDAS (sizeof lambdas / sizeof *lambdas)
static const uint32_t packets[] = {1, 2, 3, 4, 5, 7, 10, 16};
#define PACKETS (sizeof packets / sizeof *packets)

static const struct algorithm *find(const char *name)
{
    struct err err = {0};
    const struct algorithm *algorithm = algorithm_find(name, &err);
    if (algorithm == NULL)
        fail_msg("%s", err.text);
    return algorithm;
}

static struct collective broadcast(uint32_t n, uint32_t m, struct rational lambda)
{
    return (struct collective){.n = n, .m = m, .model = MODEL_POSTAL, .lambda = lambda};
}

static void build(const char *name, const struct collective *collective, struct schedule *schedule)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    if (!algorithm_build(find(name), collective, schedule, &err))
        fail_msg("%s: %s", name, err.text);
}

/* Builds the schedule, judges it twice and compares its end with the bound and with the predicted
 * end. Returns the end. */
static uint64_t check(const char *name, const struct collective *collective)
{
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    build(name, collective, &schedule);
    postal_reference_judge(&schedule, collective->source, true);
    if (!verify_schedule(name, &schedule, &report, &err))
        fail_msg("n=%u m=%u: %s", collective->n, collective->m, err.text);
    assert_int_equal(report.redundant, 0);
    assert_int_equal(schedule.end, algorithm_end(find(name), collective));
    assert_true(schedule.end >= bound_end(collective));
    uint64_t end = schedule.end;
    schedule_free(&schedule);
    return end;
}

/* Returns the out-degree of node 0 in the tree of BCAST. */
static uint64_t root_degree(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t degree = 0;
    for (; n > 1; degree++)
        n = postal_reference_reached(a, b, postal_reference_index(a, b, n) - b);
    return degree;
}

/* Checks the ends of BCAST, REPEAT, PACK and PIPELINE against their lemmas, in ticks. */
static void check_family(uint32_t n, uint32_t m, struct rational lambda)
{
    struct collective collective = broadcast(n, m, lambda);
    uint64_t a = lambda.numerator, b = lambda.denominator, rest = m - 1,
             f = postal_reference_index(a, b, n);
    assert_int_equal(bound_end(&collective), postal_reference_bound(a, b, n, m));
    if (m == 1)
        assert_int_equal(check("postal-bcast", &collective), f);
    assert_int_equal(check("postal-pack", &collective),
                     postal_reference_index(a + rest * b, m * b, n));
    uint64_t repeat = check("postal-repeat", &collective),
             pipeline = check("postal-pipeline", &collective);
    if (n == 1) {
        assert_int_equal(repeat, 0);
        assert_int_equal(pipeline, 0);
        return;
    }
    uint64_t lemma_10 = m * f - rest * (a - b);
    assert_int_equal(repeat, rest * root_degree(a, b, n) * b + f);
    assert_true(b == 1 ? repeat == lemma_10 : repeat <= lemma_10);
    if (m * b <= a)
        assert_int_equal(pipeline, postal_reference_index(a, m * b, n) + rest * b);
    if (m * b >= a)
        assert_int_equal(pipeline, postal_reference_index(m * b, a, n) + a - b);
}

/* Checks the end of DTREE against a walk over all paths, and against Lemma 18. */
static uint64_t check_dtree(uint32_t n, uint32_t m, uint32_t d, struct rational lambda)
{
    struct collective collective = broadcast(n, m, lambda);
    collective.degree = d;
    uint64_t a = lambda.numerator, b = lambda.denominator, first = 0, levels = 0;
    for (uint32_t node = 1; node < n; node++) {
        uint64_t sum = 0;
        for (uint32_t at = node; at > 0; at = (at - 1) / d)
            sum += (at - 1) % d * b + a;
        first = MAX(first, sum);
    }
    uint64_t end = check("postal-dtree", &collective);
    assert_int_equal(end, (uint64_t)d * (m - 1) * b + first);
    for (uint64_t reach = 1; d > 1 && reach < n; reach *= d)
        levels++;
    assert_true(d == 1 || end <= (uint64_t)d * (m - 1) * b + ((d - 1) * b + a) * levels);
    return end;
}

static void check_degrees(uint32_t n, uint32_t m, struct rational lambda)
{
    struct collective collective = broadcast(n, m, lambda);
    uint64_t best = UINT64_MAX;
    for (uint32_t d = 1; d < n; d++) {
        collective.degree = d;
        uint64_t end = n <= 12 || d % 7 == 2 ? check_dtree(n, m, d, lambda)
                                             : algorithm_end(find("postal-dtree"), &collective);
        best = MIN(best, end);
    }
    collective.degree = 0;
    assert_int_equal(check("postal-dtree", &collective), n == 1 ? 0 : best);
}

static void test_small(void **state)
{
    (void)state;
    for (size_t which = 0; which < LAMBDAS; which++)
        for (uint32_t n = 1; n <= 41; n++)
            for (size_t count = 0; count < PACKETS; count++) {
                check_family(n, packets[count], lambdas[which]);
                check_degrees(n, packets[count], lambdas[which]);
            }
}

static void test_larger(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {64, 89, 100, 377, 1000, 1025};
    static const struct rational fine[] = {{5, 2}, {65535, 65534}, {300, 7}, {1000, 1}};
    for (size_t size = 0; size < sizeof nodes / sizeof *nodes; size++)
        for (size_t which = 0; which < sizeof fine / sizeof *fine; which++) {
            check_family(nodes[size], 1, fine[which]);
            check_family(nodes[size], 3, fine[which]);
            check_family(nodes[size], 50, fine[which]);
            check_dtree(nodes[size], 3, 5, fine[which]);
        }
}

static void test_sources(void **state)
{
    (void)state;
    static const char *const names[] = {"postal-repeat", "postal-pack", "postal-pipeline",
                                        "postal-dtree"};
    for (uint32_t n = 1; n <= 20; n++)
        for (uint32_t source = 0; source < n; source++)
            for (size_t which = 0; which < 4; which++) {
                struct collective collective = broadcast(n, 3, (struct rational){5, 2});
                uint64_t end = check(names[which], &collective);
                collective.source = source;
                assert_int_equal(check(names[which], &collective), end);
            }
}

/* n = 14, λ = 5/2, in ticks of 1/2. */
static void test_figure_1(void **state)
{
    (void)state;
    static const uint32_t expected[][3] = {
        {0, 0, 9}, {2, 0, 6}, {4, 0, 4}, {5, 9, 12}, {6, 0, 3},  {7, 6, 8},   {7, 9, 11},
        {8, 0, 2}, {9, 4, 5}, {9, 6, 7}, {9, 9, 10}, {10, 0, 1}, {10, 12, 13}};
    struct collective collective = broadcast(14, 1, (struct rational){5, 2});
    struct schedule schedule;
    build("postal-bcast", &collective, &schedule);
    assert_int_equal(schedule.transfer_count, 13);
    for (size_t which = 0; which < 13; which++) {
        unsigned found = 0;
        for (size_t index = 0; index < 13; index++) {
            const struct transfer *transfer = &schedule.transfer[index];
            found += schedule.step[schedule_step_of(&schedule, index)].time == expected[which][0] &&
                     transfer->source == expected[which][1] &&
                     transfer->destination == expected[which][2];
        }
        assert_int_equal(found, 1);
    }
    assert_int_equal(schedule.end, 15);
    schedule_free(&schedule);
}

/* Copies the schedule with one transfer sent a tick earlier. */
static void move(const struct schedule *from, size_t moved, struct schedule *to)
{
    struct err err = {0};
    uint64_t early = from->step[schedule_step_of(from, moved)].time - 1;
    bool placed = false;
    *to = (struct schedule){0};
    assert_true(support_broadcast(
        to, "moved",
        &(struct collective){.n = from->nodes, .m = from->packets, .model = MODEL_POSTAL}, &err));
    to->lambda = from->lambda;
    for (size_t k = 0; k < from->step_count; k++) {
        uint64_t time = from->step[k].time;
        if (!placed && time > early) {
            assert_non_null(schedule_open_step(to, early, 1, &err));
            assert_true(schedule_append(to, from->transfer[moved], &err));
            schedule_close_step(to, 0);
            placed = true;
        }
        assert_non_null(schedule_open_step(to, time, 1, &err));
        for (size_t index = from->step[k].first; index < schedule_step_end(from, k); index++)
            assert_true(index == moved || schedule_append(to, from->transfer[index], &err));
        if (!placed && time == early)
            placed = schedule_append(to, from->transfer[moved], &err);
        schedule_close_step(to, 0);
    }
}

/* Returns whether the packet of a transfer arrived at its source exactly when it is forwarded. */
static bool just_arrived(const struct schedule *schedule, size_t index)
{
    uint64_t time = schedule->step[schedule_step_of(schedule, index)].time;
    const struct transfer *now = &schedule->transfer[index];
    for (size_t before = 0; before < index; before++) {
        const struct transfer *earlier = &schedule->transfer[before];
        if (earlier->destination == now->source && earlier->packet == now->packet)
            return schedule->step[schedule_step_of(schedule, before)].time +
                       schedule->lambda.numerator ==
                   time;
    }
    return false;
}

/* Counter-case for all accepted schedules: in these algorithms every node sends a packet as soon as
 * the packet has arrived and the one before is sent, so a transfer that is a tick earlier breaks
 * one of these rules. */
static void test_moved(void **state)
{
    (void)state;
    static const char *const names[] = {"postal-bcast", "postal-repeat", "postal-pipeline",
                                        "postal-dtree"};
    for (size_t which = 0; which < 4; which++)
        for (size_t latency = 0; latency < LAMBDAS; latency++) {
            struct collective collective = broadcast(14, which == 0 ? 1 : 4, lambdas[latency]);
            struct schedule schedule, moved;
            build(names[which], &collective, &schedule);
            for (size_t index = schedule_step_end(&schedule, 0); index < schedule.transfer_count;
                 index++) {
                struct verify_report report;
                struct err err = {0};
                move(&schedule, index, &moved);
                assert_false(verify_schedule("moved", &moved, &report, &err));
                assert_int_equal(err.code,
                                 just_arrived(&schedule, index) ? ERR_NOT_HELD : ERR_ONE_PORT);
                schedule_free(&moved);
            }
            schedule_free(&schedule);
        }
}

struct golden {
    char name[40];
    uint32_t n, m, d;
    struct rational lambda, time;
};

/* Reads a row algorithm,model,n,m,d,lambda,rounds; d may be empty. */
static bool read_golden(const char *line, struct golden *golden)
{
    char lambda[40], time[40];
    *golden = (struct golden){0};
    return (sscanf(line, "%39[^,],postal,%u,%u,,%39[^,],%39[0-9/]", golden->name, &golden->n,
                   &golden->m, lambda, time) == 5 ||
            sscanf(line, "%39[^,],postal,%u,%u,%u,%39[^,],%39[0-9/]", golden->name, &golden->n,
                   &golden->m, &golden->d, lambda, time) == 6) &&
           rational_parse(lambda, &golden->lambda) && rational_parse(time, &golden->time);
}

static void check_golden(const struct golden *golden, const char *name)
{
    struct collective collective = broadcast(golden->n, golden->m, golden->lambda);
    uint64_t a = golden->lambda.numerator, b = golden->lambda.denominator, m = golden->m;
    collective.degree = golden->d;
    assert_int_equal(b % golden->time.denominator, 0);
    uint64_t expected = golden->time.numerator * (b / golden->time.denominator);
    uint64_t end = check(name, &collective);
    if (strcmp(golden->name, "repeat-padded") == 0) {
        /* Lemma 10 with the bound's f_λ; our period is no longer than the padded one. */
        collective.m = 1;
        assert_int_equal(expected, m * bound_end(&collective) - (m - 1) * (a - b));
        assert_true(b == 1 ? end == expected : end <= expected);
        return;
    }
    assert_int_equal(end, expected);
    if (strcmp(golden->name, "pipeline1") == 0)
        assert_true(m * b <= a);
    if (strcmp(golden->name, "pipeline2") == 0)
        assert_true(m * b >= a);
}

static void test_golden(void **state)
{
    (void)state;
    static const struct {
        const char *golden, *name;
        unsigned rows;
    } names[] = {{"bcast", "postal-bcast", 20},          {"repeat", "postal-repeat", 56},
                 {"repeat-padded", "postal-repeat", 50}, {"pack", "postal-pack", 50},
                 {"pipeline1", "postal-pipeline", 21},   {"pipeline2", "postal-pipeline", 29},
                 {"dtree", "postal-dtree", 213}};
    unsigned rows[7] = {0};
    char line[200];
    FILE *file = fopen(GOLDEN, "r");
    if (file == NULL)
        fail_msg("cannot open " GOLDEN "; run at the root of the repository");
    while (fgets(line, sizeof line, file) != NULL) {
        struct golden golden;
        if (!read_golden(line, &golden))
            continue;
        for (size_t which = 0; which < 7; which++)
            if (strcmp(golden.name, names[which].golden) == 0) {
                check_golden(&golden, names[which].name);
                rows[which]++;
            }
    }
    fclose(file);
    for (size_t which = 0; which < 7; which++)
        assert_int_equal(rows[which], names[which].rows);
}

static void refuses(const char *name, struct collective collective, enum err_code code,
                    const char *text)
{
    struct schedule schedule = {0};
    struct err err = {0};
    assert_false(algorithm_build(find(name), &collective, &schedule, &err));
    assert_int_equal(err.code, code);
    assert_non_null(strstr(err.text, text));
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"postal-bcast", "postal-repeat", "postal-pack",
                                        "postal-pipeline", "postal-dtree"};
    const struct rational lambda = {5, 2};
    for (size_t which = 0; which < 5; which++) {
        refuses(names[which], broadcast(5, 1, (struct rational){2, 3}), ERR_RANGE, "λ is 2/3");
        refuses(names[which], broadcast(5, 1, (struct rational){0, 0}), ERR_RANGE, "λ is 0/0");
        refuses(names[which], (struct collective){.n = 5, .m = 1, .lambda = lambda}, ERR_ALGORITHM,
                "expected one of postal");
        struct collective degree = broadcast(5, 1, lambda);
        degree.degree = 5;
        refuses(names[which], degree, ERR_ALGORITHM, which == 4 ? "expected 1 … 4" : "degree: ");
    }
    refuses("postal-bcast", broadcast(5, 2, lambda), ERR_ALGORITHM,
            "expected 1 packet, or postal-repeat");
    refuses("postal-pipeline", broadcast(SCHEDULE_MAX_NODES, SCHEDULE_MAX_PACKETS, lambda),
            ERR_ALGORITHM, "expected at most 262144 nodes, or at most 262144·λ packets");
    struct collective star = broadcast(SCHEDULE_MAX_NODES, SCHEDULE_MAX_PACKETS, lambda);
    star.degree = SCHEDULE_MAX_NODES - 1;
    refuses("postal-dtree", star, ERR_ALGORITHM, "expected a degree of at most 524287");
}

/* Schedules that exceed any memory are planned at once. */
static void test_largest(void **state)
{
    (void)state;
    const uint64_t n = SCHEDULE_MAX_NODES, m = SCHEDULE_MAX_PACKETS, a = 65535, b = 2;
    struct collective huge = broadcast((uint32_t)n, (uint32_t)m, (struct rational){65535, 2});
    assert_int_equal(algorithm_end(find("postal-pack"), &huge),
                     postal_reference_index(a + (m - 1) * b, m * b, n));
    assert_int_equal(algorithm_end(find("postal-pipeline"), &huge),
                     postal_reference_index(m * b, a, n) + a - b);
    assert_int_equal(algorithm_end(find("postal-repeat"), &huge),
                     (m - 1) * root_degree(a, b, n) * b + postal_reference_index(a, b, n));
    assert_true(algorithm_end(find("postal-dtree"), &huge) >= bound_end(&huge));
    assert_true(bound_end(&huge) >= (m - 1) * b + postal_reference_index(a, b, n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),   cmocka_unit_test(test_larger),
        cmocka_unit_test(test_sources), cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_moved),   cmocka_unit_test(test_golden),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
