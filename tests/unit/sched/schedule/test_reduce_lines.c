/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce_lines: the lines and words of reductions in a schedule file.
 *
 * Legal texts are read, written and read again as the same bytes; each rejected text differs from a
 * legal one by one change, and is checked by line, code and text. Collectives are recognised by
 * their demands; demands with one difference are not recognised.
 */
#include "sched/schedule/schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPLETE "roundcast-schedule 1\nalgorithm none\ntopology complete 4\nmodel send-receive\n"
#define TREE \
    "roundcast-schedule 1\nalgorithm none\ntopology tree 2 2 capacity 1 2\nmodel multiport\n"

static bool read_text(const char *text, struct schedule *schedule, struct err *err)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    bool read = schedule_read(file, "r.sched", schedule, err);
    fclose(file);
    return read;
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const texts[] = {
        COMPLETE "reduce 1 0 *\nround 1\n1 0 1\nend 1\n",
        COMPLETE "reduce 1-4 * * ordered\nround 1\n1 0 1\n2 3 4 received\nround 3\n1 0 1 replace\n"
                 "2 3 4\n3 2 1 received replace\nend 3\n",
        COMPLETE "demand 1 2 *\nreduce 2-3 1 0,2,3\nreduce 4 prefix 1,2 ordered\ndemand 5 0 1\n"
                 "round 1\n1 0 2 replace\n2 3 1\nend 1\n",
        TREE "reduce 1 3 *\nround 1\n0 1:0 1\n1:0 2:0 1 1 received\n1:1 3 1 replace\nend 1\n",
    };
    for (size_t which = 0; which < sizeof texts / sizeof *texts; which++) {
        struct schedule schedule = {0};
        struct err err = {0};
        char *written = NULL;
        size_t size = 0;
        support_true(read_text(texts[which], &schedule, &err), &err);
        FILE *file = open_memstream(&written, &size);
        assert_non_null(file);
        support_true(schedule_write(file, "w.sched", &schedule, &err), &err);
        fclose(file);
        assert_string_equal(written, texts[which]);
        free(written);
        schedule_free(&schedule);
    }
}

/* Many transfers, so that their words are read and written in parts. */
static void test_many(void **state)
{
    (void)state;
    struct schedule schedule = {0}, again = {0};
    struct err err = {0};
    const struct topology complete = topology_complete(1000);
    char *text = NULL, *written = NULL;
    size_t size = 0;
    support_true(schedule_init(&schedule, "many",
                               &(struct collective){.topology = &complete,
                                                    .kind = COLLECTIVE_ALL_REDUCE,
                                                    .m = 3,
                                                    .model = MODEL_SEND_RECEIVE},
                               &err),
                 &err);
    for (uint32_t round = 1; round <= 60; round++) {
        assert_non_null(schedule_open_step(&schedule, round, 1, &err));
        for (uint32_t node = 0; node < 1000; node++) {
            unsigned combining = node % 7 == round % 7 ? node % 4 : 0;
            assert_true(
                schedule_set_combining(&schedule, schedule.transfer_count, combining, &err) &&
                schedule_append(
                    &schedule, (struct transfer){node, (node + round) % 1000, node % 3 + 1}, &err));
        }
        schedule_close_step(&schedule, 0);
    }
    FILE *file = open_memstream(&text, &size);
    support_true(schedule_write(file, "w", &schedule, &err), &err);
    fclose(file);
    support_true(read_text(text, &again, &err), &err);
    assert_int_equal(again.transfer_count, schedule.transfer_count);
    for (size_t i = 0; i < again.transfer_count; i++) {
        assert_memory_equal(&again.transfer[i], &schedule.transfer[i], sizeof *again.transfer);
        assert_int_equal(schedule_combining(&again, i), schedule_combining(&schedule, i));
    }
    file = open_memstream(&written, &size);
    support_true(schedule_write(file, "w", &again, &err), &err);
    fclose(file);
    assert_string_equal(written, text);
    free(text);
    free(written);
    schedule_free(&schedule);
    schedule_free(&again);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum err_code code;
        const char *text;
    } cases[] = {
        {"reduce 1 4 *\n", ERR_FIELD_RANGE, "r.sched:5: destination 4"},
        {"reduce 1 suffix *\n", ERR_SYNTAX,
         "r.sched:5: 'suffix'; expected a node, '*', 'prefix' or 'exclusive'"},
        {"reduce 1 0\n", ERR_SYNTAX, "r.sched:5: "},
        {"reduce 1 { *\n", ERR_SYNTAX, "r.sched:5: unexpected '{'; expected destination"},
        {"reduce 1 0 * {\n", ERR_SYNTAX, "r.sched:5: unexpected '{'; expected the end of the line"},
        {"reduce 1 0 *\nround 1\n1 0 1 {\n", ERR_SYNTAX,
         "r.sched:7: unexpected '{'; expected the end of the line"},
        {"reduce 1 0,1 *\n", ERR_SYNTAX, "r.sched:5: "},
        {"reduce 1 0 2,1\n", ERR_ORDER, "r.sched:5: contributor 1 follows 2"},
        {"reduce 1 0 4\n", ERR_FIELD_RANGE, "r.sched:5: contributor 4"},
        {"reduce 1 0 * sorted\n", ERR_SYNTAX, "r.sched:5: 'sorted'; expected 'ordered'"},
        {"reduce 1 0 * ordered ordered\n", ERR_SYNTAX, "r.sched:5: "},
        {"reduce 2 0 *\n", ERR_DEMAND, "r.sched:5: packet 1 is in no demand"},
        {"demand 1 0 *\nreduce 1 0 *\n", ERR_DEMAND, "r.sched:6: packet 1 is in a demand before"},
        {"reduce 1 0 *\ncontrol 2 0 1 0 none\n", ERR_ORDER,
         "r.sched:6: 'control' follows 'reduce'; expected only one of both"},
        {"demand 1 0 *\ncontrol 2 0 1 0 none\nreduce 3 0 *\n", ERR_ORDER,
         "r.sched:7: 'reduce' follows 'control'; expected only one of both"},
        {"reduce 1 0 *\nround 1\n1 0 1\nreduce 2 0 *\n", ERR_ORDER,
         "r.sched:8: 'reduce'; expected 'round' or 'end'"},
        {"reduce 1 0 *\nround 1\n1 0 1 keep\n", ERR_SYNTAX,
         "r.sched:7: 'keep'; expected 'received', 'replace' or the end of the line"},
        {"reduce 1 0 *\nround 1\n1 0 1 received keep\n", ERR_SYNTAX,
         "r.sched:7: 'keep'; expected 'replace' or the end of the line"},
        {"reduce 1 0 *\nround 1\n1 0 1 replace received\n", ERR_SYNTAX,
         "r.sched:7: 'received'; expected the end of the line"},
        {"reduce 1 0 *\ndemand 2 0 1\nround 1\n0 1 2 replace\n", ERR_FIELD_RANGE,
         "r.sched:8: 'replace': packet 2 is not combined; expected a packet of a 'reduce' line"},
        {"demand 1 0 1\nround 1\n0 1 1 replace\n", ERR_SYNTAX, "r.sched:7: unexpected 'r'"},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[400];
        struct schedule schedule = {0};
        struct err err = {0};
        snprintf(text, sizeof text, COMPLETE "%s", cases[which].body);
        assert_false(read_text(text, &schedule, &err));
        support_error(&err, cases[which].code, cases[which].text);
    }
}

/* Transfers between the routers of a tree, in which a lane may precede the words. */
static void test_refused_hops(void **state)
{
    (void)state;
    static const struct {
        const char *transfer;
        enum err_code code;
        const char *text;
    } cases[] = {
        {"0 1:0 1 keep", ERR_SYNTAX,
         "r.sched:8: 'keep'; expected 'received', 'replace' or the end of the line"},
        {"1:0 2:0 1 1 replace received", ERR_SYNTAX,
         "r.sched:8: 'received'; expected the end of the line"},
        {"1:0 2:0 2 1 received", ERR_FIELD_RANGE,
         "r.sched:8: 'received': packet 2 is not combined; expected a packet of a 'reduce' line"},
        {"0 1:0 1 received 1", ERR_SYNTAX, "r.sched:8: unexpected '1'"},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[400];
        struct schedule schedule = {0};
        struct err err = {0};
        snprintf(text, sizeof text, TREE "reduce 1 3 *\ndemand 2 0 3\nround 1\n%s\nend 1\n",
                 cases[which].transfer);
        assert_false(read_text(text, &schedule, &err));
        support_error(&err, cases[which].code, cases[which].text);
    }
}

static void test_collectives(void **state)
{
    (void)state;
    static const struct {
        const char *demands;
        bool known;
        enum collective_kind kind;
        uint32_t m, source;
    } cases[] = {
        {"reduce 1-5 3 *\n", true, COLLECTIVE_REDUCE, 5, 3},
        {"reduce 1-5 * *\n", true, COLLECTIVE_ALL_REDUCE, 5, 0},
        {"reduce 1-5 prefix * ordered\n", true, COLLECTIVE_SCAN, 5, 0},
        {"reduce 1-5 exclusive * ordered\n", true, COLLECTIVE_EXCLUSIVE_SCAN, 5, 0},
        {"reduce 1-2 0 *\nreduce 3-4 1 *\nreduce 5-6 2 *\nreduce 7-8 3 *\n", true,
         COLLECTIVE_REDUCE_SCATTER, 2, 0},
        {"reduce 1 3 *\nreduce 2 0 *\nreduce 3 1 *\nreduce 4 2 *\n", true,
         COLLECTIVE_REDUCE_SCATTER, 1, 3},
        {"reduce 1 0 *\nreduce 2 2 *\nreduce 3 1 *\nreduce 4 3 *\n", false, 0, 0, 0},
        {"reduce 1-2 0 *\nreduce 3 1 *\nreduce 4 2 *\nreduce 5 3 *\n", false, 0, 0, 0},
        {"reduce 1 0 *\nreduce 2 1 *\n", false, 0, 0, 0},
        {"reduce 1 0 0,1\n", false, 0, 0, 0},
        {"reduce 1 0 *\ndemand 2 1 *\n", false, 0, 0, 0},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[400];
        struct schedule schedule = {0};
        struct collective collective;
        struct err err = {0};
        snprintf(text, sizeof text, COMPLETE "%send 0\n", cases[which].demands);
        support_true(read_text(text, &schedule, &err), &err);
        assert_int_equal(schedule_collective(&schedule, &collective), cases[which].known);
        if (cases[which].known) {
            assert_int_equal(collective.kind, cases[which].kind);
            assert_int_equal(collective.m, cases[which].m);
            assert_int_equal(collective.source, cases[which].source);
        }
        assert_false(schedule_check_uncombined("r.sched", &schedule, &err));
        support_error(&err, ERR_UNSUPPORTED, "r.sched: reductions are not supported here");
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_many), cmocka_unit_test(test_refusals),

                                       cmocka_unit_test(test_refused_hops),
                                       cmocka_unit_test(test_collectives)};
    return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
