/* SPDX-License-Identifier: Apache-2.0 */
/* test_schedule_copy: a copy has the text of its original, also after the original has been freed;
 * its messages name the same lines of the file; a copy that runs out of memory leaves nothing
 * allocated.
 *
 * Each part of a schedule occurs in one of the texts: several demands, demands of one node (also in
 * one array, as traffic has them),
 * control, reductions, lanes, words of transfers, and lines that are not canonical.
 *
 * tags: no-memory
 */
#include "sched/schedule/schedule.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPLETE "roundcast-schedule 1\nalgorithm none\ntopology complete 4\nmodel send-receive\n"
#define TREE \
    "roundcast-schedule 1\nalgorithm none\ntopology tree 2 2 capacity 1 2\nmodel multiport\n"

static const char *const texts[] = {
    COMPLETE "demand 1 0 *\nend 0\n",
    COMPLETE "demand 1-2 0 1,2\ndemand 3 1 3\ndemand 4 2 0\nround 1\n0 1 1\n1 3 3\nround 4\n"
             "2 0 4\nend 4\n",
    COMPLETE "demand 1 2 *\nreduce 2-3 1 0,2,3\nreduce 4 prefix 1,2 ordered\ndemand 5 0 1\n"
             "round 1\n1 0 2 replace\n2 3 1\nend 1\n",
    "roundcast-schedule 1\n"
    "algorithm cube-broadcast method=tree\n"
    "topology hypercube 2\n"
    "model all-port\n"
    "demand 1 0 *\n"
    "demand 2 1 *\n"
    "demand 3 2 *\n"
    "control 4 1 0 1 nodes 1\n"
    "control 5 3 2 0 nodes 3\n"
    "control 6 2 0 1 nodes 2-3 from 5\n"
    "control 7 0 2 0 none\n"
    "control 8 0 1 1 nodes 2-3 from 6\n"
    "control 9 2 3 0 none\n"
    "control 10 0 1,2 3 nodes 0-3 from 4,6\n"
    "control 11 1 * 2 packets 1,3\n"
    "control 12 2 * 1 packets 2\n"
    "round 1\n"
    "1 0 4\n"
    "3 2 5\n"
    "round 2\n"
    "2 0 6\n"
    "round 3\n"
    "0 2 7\n"
    "round 4\n"
    "0 1 8\n"
    "2 3 9\n"
    "round 5\n"
    "0 1 10\n"
    "0 2 10\n"
    "round 6\n"
    "0 1 1\n"
    "2 3 3\n"
    "1 3 2\n"
    "round 7\n"
    "3 1 3\n"
    "3 2 2\n"
    "round 9\n"
    "1 0 1\n"
    "1 3 1\n"
    "2 3 2\n"
    "2 0 2\n"
    "round 10\n"
    "1 0 3\n"
    "1 3 3\n"
    "3 2 1\n"
    "2 3 12\n"
    "2 0 12\n"
    "3 1 2\n"
    "round 11\n"
    "1 0 11\n"
    "1 3 11\n"
    "3 2 3\n"
    "3 1 12\n"
    "round 12\n"
    "3 2 11\n"
    "end 12\n",
    TREE "reduce 1 3 *\nround 1\n0 1:0 1\n1:0 2:0 1 1 received\n1:1 3 1 replace\nend 1\n",
};
#define TEXTS (sizeof texts / sizeof *texts)

static void read_text(const char *text, struct schedule *schedule)
{
    struct err err = {0};
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    support_true(schedule_read(file, "r.sched", schedule, &err), &err);
    fclose(file);
}

static void expect_text(const struct schedule *schedule, const char *expected)
{
    struct err err = {0};
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    support_true(schedule_write(file, "w.sched", schedule, &err), &err);
    fclose(file);
    assert_string_equal(written, expected);
    free(written);
}

static void copies_have_the_same_text(void **state)
{
    (void)state;
    for (size_t which = 0; which < TEXTS; which++) {
        struct schedule schedule = {0}, copy = {0};
        struct err err = {0};
        read_text(texts[which], &schedule);
        support_true(schedule_copy(&schedule, &copy, &err), &err);
        schedule_free(&schedule);
        expect_text(&copy, texts[which]);
        schedule_free(&copy);
    }
}

/* Copies do not change with their original, of which one transfer is changed. */
static void copies_stand_alone(void **state)
{
    (void)state;
    struct schedule schedule = {0}, copy = {0};
    struct err err = {0};
    read_text(texts[1], &schedule);
    support_true(schedule_copy(&schedule, &copy, &err), &err);
    copy.transfer[0].destination = 2;
    copy.demand[0].wanted[0] = 3;
    expect_text(&schedule, texts[1]);
    schedule_free(&schedule);
    schedule_free(&copy);
}

/* Node 3 sends a packet that it does not have, in line 9 of the file. */
static void messages_name_the_same_lines(void **state)
{
    (void)state;
    static const char text[] = COMPLETE "# a comment\n\ndemand 1 0 *\nround 1\n3 1 1\nend 1\n";
    struct schedule schedule = {0}, copy = {0};
    struct verify_report report;
    struct err err = {0};
    read_text(text, &schedule);
    support_true(schedule_copy(&schedule, &copy, &err), &err);
    assert_false(verify_schedule("r.sched", &copy, &report, &err));
    assert_int_equal(err.code, ERR_NOT_HELD);
    assert_memory_equal(err.text, "r.sched:9:", strlen("r.sched:9:"));
    schedule_free(&schedule);
    schedule_free(&copy);
}

/* Fails each allocation of a copy in turn. Returns how many copies were refused. */
static unsigned refuse_copies(const struct schedule *schedule)
{
    struct schedule copy = {0};
    unsigned refused = 0;
    bool copied = false;
    for (uint64_t number = 1; !copied; number++) {
        struct err err = {0};
        int64_t left;
        no_memory_begin(number, false);
        copied = schedule_copy(schedule, &copy, &err);
        if (copied)
            schedule_free(&copy);
        no_memory_end(&left);
        assert_int_equal(left, 0);
        assert_int_equal(err.code, copied ? ERR_NONE : ERR_TOO_BIG);
        refused += !copied;
    }
    return refused;
}

/* Demands of one node each, which share an array, as traffic has them. The copy allocates the name,
 * the demands and the array. */
static void demands_in_one_array(void **state)
{
    (void)state;
    struct schedule schedule = {0}, copy = {0};
    struct err err = {0};
    const struct topology complete = topology_complete(4);
    support_true(schedule_init_empty(&schedule, "none", &complete, MODEL_SEND_RECEIVE, &err), &err);
    support_true(schedule_reserve_demands(&schedule, 3, &err), &err);
    for (uint32_t node = 1; node <= 3; node++)
        support_true(schedule_add_demand(&schedule, node, 0, &node, 1, &err), &err);
    assert_true(refuse_copies(&schedule) >= 3);
    support_true(schedule_copy(&schedule, &copy, &err), &err);
    schedule_free(&schedule);
    expect_text(&copy, COMPLETE "demand 1 0 1\ndemand 2-3 0 2\ndemand 4-6 0 3\nend 0\n");
    schedule_free(&copy);
}

static void memory_that_runs_out(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (size_t which = 0; which < TEXTS; which++) {
        struct schedule schedule = {0};
        read_text(texts[which], &schedule);
        refused += refuse_copies(&schedule);
        schedule_free(&schedule);
    }
    assert_true(refused > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_have_the_same_text),    cmocka_unit_test(copies_stand_alone),
        cmocka_unit_test(messages_name_the_same_lines), cmocka_unit_test(demands_in_one_array),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
