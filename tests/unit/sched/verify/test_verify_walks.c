/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify_walks: schedules checked by two threads, compared with one.
 *
 * State space: a schedule on a complete graph, legal or with a few transfers changed. Sampled, with
 * the seed that is printed: every algorithm of complete graphs, in every model that it supports,
 * with 2 … 12 nodes and 1 … 4 packets; transfers that are swapped, or get another packet, source or
 * destination. Verdict, message, count of breaches and report are the same. Exhaustive: each
 * allocation failing.
 *
 * Counter-cases: both verdicts, and breaches of all kinds that these models have, occur; the
 * comparison detects a changed report or message.
 *
 * tags: no-memory
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "sched/verify/verifier.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

#include <omp.h>
#include <string.h>

#define SEED UINT64_C(20261124)
#define TRIALS 20 /* of an algorithm in a model */

struct verdict {
    bool holds;
    struct err err;
    struct verify_report report;
};

static struct verdict judge(const struct schedule *schedule, bool two)
{
    struct verdict verdict = {.holds = false};
    verdict.holds = verify_schedule_from(two ? 0 : SIZE_MAX, "b.sched", schedule, &verdict.report,
                                         &verdict.err);
    return verdict;
}

static bool same(const struct verdict *a, const struct verdict *b)
{
    return a->holds == b->holds && a->err.code == b->err.code && a->err.further == b->err.further &&
           strcmp(a->err.text, b->err.text) == 0 &&
           memcmp(&a->report, &b->report, sizeof a->report) == 0;
}

/* Changes transfers the given number of times, each time in one way. */
static void damage(struct rng *rng, struct schedule *schedule, unsigned times)
{
    for (; times > 0; times--) {
        uint32_t count = (uint32_t)schedule->transfer_count;
        struct transfer *one = &schedule->transfer[rng_below(rng, count)];
        struct transfer *other = &schedule->transfer[rng_below(rng, count)], kept = *one;
        switch (rng_below(rng, 4)) {
        case 0:
            *one = *other;
            *other = kept;
            break;
        case 1:
            one->packet = other->packet;
            break;
        case 2:
            one->source = other->source != one->destination ? other->source : one->source;
            break;
        default:
            one->destination =
                other->destination != one->source ? other->destination : one->destination;
        }
    }
}

static unsigned met[ERR_UNORDERED + 1]; /* how often each verdict occurred */

static void try_one(struct rng *rng, const struct algorithm *algorithm, enum model model)
{
    struct collective collective = {
        .n = 2 + rng_below(rng, 11), .m = 1 + rng_below(rng, 4), .model = model, .lambda = {5, 2}};
    struct schedule schedule = {0};
    struct err err = {0};
    collective = algorithm_choose(algorithm, &collective);
    if (!algorithm_check(algorithm, &collective, &err))
        return;
    support_true(algorithm_build(algorithm, &collective, &schedule, &err), &err);
    if (schedule.transfer_count > 0)
        damage(rng, &schedule, rng_below(rng, 3));
    struct verdict one = judge(&schedule, false), two = judge(&schedule, true);
    if (!same(&one, &two))
        fail_msg("%s, %s: one: %s, two: %s", algorithm->name, model_name(model), one.err.text,
                 two.err.text);
    met[one.holds ? ERR_NONE : one.err.code]++;
    schedule_free(&schedule);
}

static void test_same(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    omp_set_num_threads(2);
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            for (unsigned trial = 0;
                 (*entry)->topology == TOPOLOGY_COMPLETE && ((*entry)->models >> model & 1) != 0 &&
                 ((*entry)->kind <= COLLECTIVE_TOTAL_EXCHANGE ||
                  collective_rows[(*entry)->kind].combined) &&
                 trial < TRIALS;
                 trial++)
                try_one(&rng, *entry, (enum model)model);
    assert_true(met[ERR_NONE] > 100 && met[ERR_ONE_PORT] > 20 && met[ERR_NOT_HELD] > 50);
    assert_true(met[ERR_UNCOUNTED] > 5 && met[ERR_TWICE] > 2);
    assert_true(met[ERR_UNMET] > 20 && met[ERR_PAIRING] > 5 && met[ERR_HALF_DUPLEX] > 0);
}

/* Every failing allocation is reported, and nothing stays allocated. Returns the number of
 * allocations. */
static uint64_t run_out_of_memory(const struct schedule *schedule, bool legal)
{
    uint64_t calls = 0;
    for (uint64_t number = 0; number <= calls; number++) {
        int64_t left;
        no_memory_begin(number, false);
        struct verdict verdict = judge(schedule, true);
        uint64_t made = no_memory_end(&left);
        calls = number == 0 ? made : calls;
        assert_int_equal(left, 0);
        if (number > 0)
            assert_int_equal(verdict.err.code, ERR_TOO_BIG);
        assert_int_equal(verdict.holds, number == 0 && legal);
    }
    return calls;
}

static void test_no_memory(void **state)
{
    (void)state;
    struct collective collective = {.n = 9, .m = 3, .model = MODEL_TELEPHONE};
    struct schedule schedule = {0};
    struct err err = {0};
    const struct algorithm *matching = algorithm_find("matching", &err);
    support_true(algorithm_build(matching, &collective, &schedule, &err), &err);
    omp_set_num_threads(2);
    uint32_t source = schedule.transfer[0].source;
    schedule.transfer[0].source = schedule.transfer[0].destination == 8 ? 7 : 8;
    assert_int_equal(run_out_of_memory(&schedule, false), 8);
    schedule.transfer[0].source = source;
    assert_int_equal(run_out_of_memory(&schedule, true), 4);
    schedule_free(&schedule);
}

/* Postal schedules over several ports have rings of times. */
static void test_no_memory_for_ports(void **state)
{
    (void)state;
    struct collective collective = {
        .n = 7, .m = 2, .model = MODEL_POSTAL, .lambda = {3, 2}, .ports = 2};
    struct schedule schedule = {0};
    struct err err = {0};
    omp_set_num_threads(2);
    support_true(
        algorithm_build(algorithm_find("postal-bcast", &err), &collective, &schedule, &err), &err);
    assert_in_range(run_out_of_memory(&schedule, true), 5, 12);
    schedule_free(&schedule);
}

/* A control packet, whose value also takes memory, and which arrives at node 2 or does not. */
static void test_no_memory_for_values(void **state)
{
    (void)state;
    uint64_t calls[2];
    omp_set_num_threads(2);
    for (unsigned legal = 0; legal < 2; legal++) {
        char text[400];
        struct schedule schedule = {0};
        struct err err = {0};
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm by hand\ntopology complete 3\n"
                 "model send-receive\ndemand 1 0 1\ncontrol 2 0 2 1 nodes 0\n"
                 "round 1\n0 1 1\nround 2\n0 %u 2\nend 2\n",
                 legal == 1 ? 2 : 1);
        FILE *bytes = fmemopen(text, strlen(text), "r");
        support_true(schedule_read(bytes, "b.sched", &schedule, &err), &err);
        fclose(bytes);
        calls[legal] = run_out_of_memory(&schedule, legal == 1);
        schedule_free(&schedule);
    }
    assert_int_equal(calls[0], 2 * calls[1]); /* a schedule with a breach is checked again */
}

/* A reduction, whose results are counted after both walks; one contribution is missing or none. */
static void test_no_memory_for_reductions(void **state)
{
    (void)state;
    struct collective collective = {.n = 5, .m = 2, .model = MODEL_SEND_RECEIVE};
    struct schedule schedule = {0};
    struct err err = {0};
    const struct algorithm *window = algorithm_find("window-all-reduce", &err);
    support_true(algorithm_build(window, &collective, &schedule, &err), &err);
    omp_set_num_threads(2);
    uint64_t legal = run_out_of_memory(&schedule, true);
    schedule.transfer[schedule.transfer_count - 1].packet = 1;
    uint64_t broken = run_out_of_memory(&schedule, false);
    assert_true(legal > 4);              /* allocations of the walks */
    assert_int_equal(broken, 2 * legal); /* a schedule with a breach is checked again */
    schedule_free(&schedule);
}

/* A network that combines and copies, whose partners of each node also take memory. */
static void test_no_memory_for_partners(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_read("roundcast-schedule 1\nalgorithm by hand\ntopology complete 3\n"
                              "model fabric-all-reduce\nreduce 1 0 *\ndemand 2 0 1,2\n"
                              "round 1\n1 0 1\n2 0 1\n0 1 2\n0 2 2\nend 1\n",
                              "b.sched", &schedule, &err),
                 &err);
    omp_set_num_threads(2);
    const uint64_t legal = run_out_of_memory(&schedule, true);
    schedule.transfer[3].packet = 1; /* node 0 sends two packets */
    /* ports, meetings, partners, homes and held packets again; reductions are counted once */
    assert_int_equal(run_out_of_memory(&schedule, false), legal + 5);
    schedule_free(&schedule);
}

static void test_judge(void **state)
{
    (void)state;
    struct verdict a = {.holds = false, .err = {.code = ERR_UNMET, .text = "b"}}, b = a;
    assert_true(same(&a, &b));
    b.report.redundant++;
    assert_false(same(&a, &b));
    b = a;
    b.err.further++;
    assert_false(same(&a, &b));
    b = a;
    b.err.text[1] = 'c';
    assert_false(same(&a, &b));
    b = a;
    b.holds = true;
    assert_false(same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_memory_for_ports),
        cmocka_unit_test(test_no_memory_for_values),
        cmocka_unit_test(test_no_memory_for_reductions),
        cmocka_unit_test(test_no_memory_for_partners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
