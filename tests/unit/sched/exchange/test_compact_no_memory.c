/* SPDX-License-Identifier: Apache-2.0 */
/* test_compact_no_memory: compaction that runs out of memory leaves the schedule as it was.
 *
 * Random schedules (printed seed) of 4 to 43 transfers, of packets that are combined or not, under
 * models with and without receipts in flight, and their compactions, are compacted with each
 * allocation failing in turn.
 * Compaction must report E104, release all its memory and leave the text of the schedule; without
 * a failure it must give a schedule that keeps all transfers.
 *
 * tags: no-memory
 */
#include "sched/base/rng.h"
#include "sched/exchange/compact.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>

#define SEED UINT64_C(20261128)
#define NODES 4
#define PACKETS 2
#define SAMPLES 40

static const struct rule {
    enum model model;
    struct rational lambda;
    bool combined, replaced;
} rules[] = {
    {MODEL_SEND_RECEIVE, {1, 1}, true, false},
    {MODEL_SEND_RECEIVE, {1, 1}, true, true},
    {MODEL_POSTAL, {5, 2}, true, false},
    {MODEL_POSTAL, {7, 3}, true, true},
    {MODEL_SEND_RECEIVE, {1, 1}, false, false},
    {MODEL_POSTAL, {5, 2}, false, false},
    {MODEL_FABRIC_MULTICAST, {1, 1}, false, false},
    {MODEL_FABRIC_REDUCTION, {1, 1}, true, false},
};

/* Makes a schedule of random transfers, one at a time. */
static void make(const struct rule *rule, unsigned transfers, struct rng *rng,
                 struct schedule *schedule)
{
    struct err err = {0};
    const struct topology complete = topology_complete(NODES);
    const struct reduction all = {.ordered = false};
    bool has[NODES][PACKETS + 1] = {{false}};
    *schedule = (struct schedule){0};
    support_true(schedule_init_empty(schedule, "random", &complete, rule->model, &err), &err);
    if (model_has_times(rule->model))
        schedule->lambda = rule->lambda;
    for (uint32_t packet = 1; packet <= PACKETS; packet++) {
        has[packet][packet] = true;
        support_true(rule->combined ? schedule_add_reduction(schedule, 1, &all, NULL, &err)
                                    : schedule_add_demand(schedule, 1, packet, NULL, 0, &err),
                     &err);
    }
    for (uint64_t time = 1; schedule->transfer_count < transfers;) {
        const uint32_t from = (uint32_t)rng_below(rng, NODES), to = (uint32_t)rng_below(rng, NODES),
                       packet = 1 + (uint32_t)rng_below(rng, PACKETS);
        if (from == to || !(rule->combined || has[from][packet]))
            continue;
        has[to][packet] = true;
        assert_non_null(schedule_open_step(schedule, time, 1, &err));
        const struct transfer transfer = {from, to, packet};
        const bool replaces = rule->replaced && rng_below(rng, 3) == 0;
        support_true(schedule_append(schedule, transfer, &err), &err);
        if (replaces)
            support_true(schedule_set_combining(schedule, schedule->transfer_count - 1,
                                                COMBINING_REPLACE, &err),
                         &err);
        schedule_close_step(schedule, 0);
        /* combined packets under the postal model are also sent while others arrive */
        time += rule->combined
                    ? schedule->lambda.denominator + rng_below(rng, schedule->lambda.numerator)
                    : schedule->lambda.numerator + rng_below(rng, 3);
    }
}

struct given {
    struct schedule *schedule;
    char *before;
};

/* Compacts the schedule, which is not changed without memory. */
static bool compact(void *context, struct err *err)
{
    const struct given *given = context;
    const struct rounds_rules kept = compact_rules_of(given->schedule);
    const bool compacted = compact_schedule("s", &kept, given->schedule, err);
    if (!compacted) {
        char *text = support_text(given->schedule);
        assert_string_equal(text, given->before);
        free(text);
    }
    return compacted;
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned which = 0; which < sizeof rules / sizeof *rules; which++)
        for (unsigned sample = 0; sample < SAMPLES; sample++) {
            struct schedule schedule;
            running("rule %u, sample %u", which, sample);
            make(&rules[which], 4 + sample, &rng, &schedule);
            const size_t transfers = schedule.transfer_count;
            for (unsigned time = 0; time < 2; time++) { /* then its compaction, again */
                struct given given = {&schedule, support_text(&schedule)};
                assert_true(no_memory_each(compact, &given) > 5);
                assert_int_equal(schedule.transfer_count, transfers);
                free(given.before);
            }
            schedule_free(&schedule);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
