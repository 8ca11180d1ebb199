/* SPDX-License-Identifier: Apache-2.0 */
/* test_compact_no_memory: compaction that runs out of memory leaves the schedule as it was.
 *
 * Random schedules (printed seed) of 4 to 43 transfers, of packets that are combined or not, under
 * models with and without receipts in flight, are compacted with each allocation failing in turn.
 * Compaction must report E104, release all its memory and leave the text of the schedule; without
 * a failure it must give a schedule that keeps all transfers.
 *
 * tags: no-memory
 */
#include "sched/base/rng.h"
#include "sched/exchange/compact.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
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
    {MODEL_SEND_RECEIVE, {1, 1}, true, false},  {MODEL_SEND_RECEIVE, {1, 1}, true, true},
    {MODEL_POSTAL, {5, 2}, true, false},        {MODEL_POSTAL, {7, 3}, true, true},
    {MODEL_SEND_RECEIVE, {1, 1}, false, false}, {MODEL_POSTAL, {5, 2}, false, false},
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

static char *text_of(const struct schedule *schedule)
{
    char *text = NULL;
    size_t size;
    struct err err = {0};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    support_true(schedule_write(file, "s", schedule, &err), &err);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Compacts a schedule with each allocation failing in turn. Returns the number of failures. */
static unsigned try_all(struct schedule *schedule)
{
    char *before = text_of(schedule);
    const size_t transfers = schedule->transfer_count;
    unsigned refused = 0;
    for (uint64_t number = 1;; number++) {
        struct err err = {0};
        int64_t left;
        const struct rounds_rules kept = compact_rules_of(schedule);
        no_memory_begin(number, false);
        const bool compacted = compact_schedule("s", &kept, schedule, &err);
        const uint64_t calls = no_memory_end(&left);
        if (compacted) {
            assert_true(calls < number);
            break;
        }
        support_error(&err, ERR_TOO_BIG, "memory");
        assert_int_equal(left, 0);
        char *text = text_of(schedule);
        assert_string_equal(text, before);
        free(text);
        refused++;
    }
    assert_int_equal(schedule->transfer_count, transfers);
    free(before);
    return refused;
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
            assert_true(try_all(&schedule) > 5);
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
