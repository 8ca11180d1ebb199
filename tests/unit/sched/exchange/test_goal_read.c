/* SPDX-License-Identifier: Apache-2.0 */
/* test_goal_read: GOAL files are read as the messages that they describe.
 *
 * Each file is written by hand; the expected packets, rounds and rejections are stated beside it.
 * Files that the exporter writes are read again with the same transfers, in no more rounds.
 * Counter-cases: files whose ranks wait for each other, or whose sends and receipts do not match.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"

#include <stdlib.h>
#include <string.h>

#define TWO "num_ranks 2\nrank 0 {\n"
#define THREE "num_ranks 3\nrank 0 {\n"

static const struct {
    const char *text;
    unsigned packets, transfers, rounds;
} files[] = {
    {TWO "a: send 8b to 1 tag 4 cpu 1 nic 0\n} rank 1 { recv 8b from 0 tag 4 }\n", 1, 1, 1},
    {"// a comment\n/* and\n another */ " TWO "send 8 to 1 }\nrank 1 {\n\trecv 8b from 0\r\n}", 1,
     1, 1},
    /* forwarded, directly and by a calculation */
    {THREE "send 8b to 1 }\nrank 1 { r: recv 8b from 0\ns: send 8b to 2\ns requires r }\n"
           "rank 2 { recv 8b from 1 }",
     1, 2, 2},
    {THREE
     "send 8b to 1 }\nrank 1 { r: recv 8b from 0\nc: calc 100\nc requires r\ns: send 8b to 2\n"
     "s requires c }\nrank 2 { recv 8b from 1 }",
     1, 2, 2},
    /* not forwarded: another size, another tag, or not required */
    {THREE "send 8b to 1 }\nrank 1 { r: recv 8b from 0\ns: send 9b to 2\ns requires r }\n"
           "rank 2 { recv 9b from 1 }",
     2, 2, 2},
    {THREE "send 8b to 1 }\nrank 1 { r: recv 8b from 0\ns: send 8b to 2 tag 1\ns requires r }\n"
           "rank 2 { recv 8b from 1 tag 1 }",
     2, 2, 2},
    {THREE "send 8b to 1 }\nrank 1 { r: recv 8b from 0\ns: send 8b to 2 }\n"
           "rank 2 { recv 8b from 1 }",
     2, 2, 1},
    /* a result of two receipts is another packet */
    {THREE "send 8b to 1 }\nrank 2 { send 8b to 1\nrecv 8b from 1 }\nrank 1 { a: recv 8b from 0\n"
           "b: recv 8b from 2\ns: send 8b to 2\ns requires a\ns requires b }",
     3, 3, 3},
    /* sends of a rank with one tag and size are one packet; a second one to a rank is another */
    {THREE "send 8b to 1\nsend 8b to 2 }\nrank 1 { recv 8b from 0 }\nrank 2 { recv 8b from 0 }", 1,
     2, 2},
    {TWO "send 8b to 1\nsend 8b to 1 }\nrank 1 { recv 8b from 0\nrecv 8b from 0 }", 2, 2, 2},
    /* an exchange: sends do not wait for receipts */
    {TWO "s: send 8b to 1 tag 1\nr: recv 8b from 1 tag 2\nr requires s }\n"
         "rank 1 { s: send 8b to 0 tag 2\nr: recv 8b from 0 tag 1\nr requires s }",
     2, 2, 1},
    /* `irequires` allows the same round */
    {THREE "send 8b to 1 tag 1 }\nrank 1 { r: recv 8b from 0 tag 1\ns: send 8b to 2 tag 2\n"
           "s irequires r }\nrank 2 { recv 8b from 1 tag 2 }",
     2, 2, 1},
    /* a number of two digits without its suffix */
    {TWO "send 16 to 1 }\nrank 1 { recv 16b from 0 }", 1, 1, 1},
    /* a send that requires its receipt twice, once by a calculation without label before */
    {THREE "send 8b to 1 }\nrank 1 { calc 7\nr: recv 8b from 0\nc: calc 1\nc requires r\n"
           "s: send 8b to 2\ns requires r\ns requires c }\nrank 2 { recv 8b from 1 }",
     1, 2, 2},
};

static void test_files(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof files / sizeof *files; k++) {
        struct schedule schedule;
        exchange_lab_import("goal", files[k].text, MODEL_SEND_RECEIVE, &schedule);
        print_message("file %u\n", k);
        assert_int_equal(schedule.packets, files[k].packets);
        assert_int_equal(schedule.transfer_count, files[k].transfers);
        assert_int_equal(schedule.end, files[k].rounds);
        schedule_free(&schedule);
    }
}

static const struct {
    const char *text;
    enum err_code code;
    const char *part;
} refused[] = {
    {"num_rank 2", ERR_SYNTAX, ":1:1: 'num_rank'; expected num_ranks"},
    {"num_ranks 1\n", ERR_FIELD_RANGE, "1 ranks; expected at least 2"},
    {"num_ranks 9999999999999", ERR_FIELD_RANGE, "expected a smaller number"},
    {TWO "send 8b to 2 }", ERR_FIELD_RANGE, ":3:12: '2'"},
    {TWO "send 8b to 0 }", ERR_SELF_SEND, "rank 0 is its own peer"},
    {TWO "send 99999999999999999999b to 1 }", ERR_FIELD_RANGE, "a smaller number"},
    {TWO "send x to 1 }", ERR_SYNTAX, "'x'; expected a number"},
    {TWO "put 8b to 1 }", ERR_SYNTAX, "'8b'; expected :"},
    {TWO "recv 8b from -1 }", ERR_UNSUPPORTED, "one rank and one tag"},
    {TWO "recv 8b from 1 tag -1 }", ERR_UNSUPPORTED, "one rank and one tag"},
    {TWO "a: send 8b to 1\na: send 8b to 1 }", ERR_ORDER, ":4:1: a second label 'a' of rank 0"},
    {TWO "a: send 8b to 1\na requires b }", ERR_SYNTAX, ":4:12: no operation 'b'"},
    {TWO "} rank 0 { }", ERR_ORDER, "a second part of rank 0"},
    {TWO "send 8b to 1", ERR_SYNTAX, "the end; expected an operation, or }"},
    {TWO "}", ERR_DEMAND, "no transfers"},
    {TWO "a: put 8b to 1 }", ERR_SYNTAX, ":3:4: 'put'; expected send, recv or calc"},
    {TWO "send 8b from 1 }", ERR_SYNTAX, ":3:9: 'from'; expected to"},
    {TWO "recv 8b to 1 }", ERR_SYNTAX, ":3:9: 'to'; expected from"},
    {TWO "send", ERR_SYNTAX, "the end; expected a number"},
    {TWO "send 18446744073709551616b to 1 }", ERR_FIELD_RANGE, "expected a smaller number"},
    {TWO "calc 5 tag 3 }", ERR_SYNTAX, ":3:12: '3'; expected :"}, /* a calculation has no tag */
    {TWO "a requires b }", ERR_SYNTAX, "no operation 'a' before; expected a label of rank 0"},
    {TWO "a: calc 1\nb requires a }", ERR_SYNTAX, ":4:1: no operation 'b' before"},
    {TWO "! }", ERR_SYNTAX, ":3:1: '!'; expected an operation, or }"},
    {TWO "} node 1 { }", ERR_SYNTAX, ":3:3: 'node'; expected rank"},
    {TWO "} rank 2 { }", ERR_FIELD_RANGE, ":3:8: '2'; expected a smaller number"},
    {TWO "} rank 1 send", ERR_SYNTAX, ":3:10: 'send'; expected {"},
    {TWO "} /* without end", ERR_SYNTAX, ":3:3: '/'; expected rank"},
    {TWO "send 8b to 1 }", ERR_ORDER, ":3:1: a send to rank 1 by tag 0 has no partner"},
    {TWO "recv 8b from 1 tag 3 }", ERR_ORDER, "a receipt from rank 1 by tag 3 has no partner"},
    {TWO "send 8b to 1 } rank 1 { recv 8b from 0 tag 1 }", ERR_ORDER, "has no partner"},
    {TWO "send 8b to 1 } rank 1 { recv 9b from 0 }", ERR_FIELD_RANGE,
     "a receipt of 9 bytes; expected 8, which are sent"},
    {TWO "a: calc 1\nb: calc 1\na requires b\nb requires a }", ERR_ORDER,
     "requires itself in a circle"},
    /* each rank sends after it has received */
    {TWO "r: recv 8b from 1\ns: send 8b to 1\ns requires r }\n"
         "rank 1 { r: recv 8b from 0\ns: send 8b to 0\ns requires r }",
     ERR_ORDER, "waits for ever"},
    /* the same with the sends before the receipts, and a calculation that ends before: the receipt
     * of rank 0 is what waits */
    {TWO "c: calc 5\ns: send 8b to 1\nr: recv 8b from 1\ns requires r }\n"
         "rank 1 { s: send 8b to 0\nr: recv 8b from 0\ns requires r }",
     ERR_ORDER, ":5:4: a receipt from rank 1 by tag 0 waits for ever"},
};

static void test_refused(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof refused / sizeof *refused; k++) {
        print_message("refused %u\n", k);
        exchange_lab_refuses("goal", refused[k].text, refused[k].code, refused[k].part);
    }
}

/* Two sends of a rank with one tag and size are of one packet, unless the collective that is
 * expected sends each packet to one rank. */
static void test_expected(void **state)
{
    (void)state;
    static const char text[] =
        THREE "send 8b to 1\nsend 8b to 2 }\nrank 1 { recv 8b from 0 }\nrank 2 { recv 8b from 0 }";
    static const struct {
        enum collective_kind kind;
        unsigned packets;
    } cases[] = {{COLLECTIVE_BROADCAST, 1}, {COLLECTIVE_SCATTER, 2}};
    for (unsigned k = 0; k < 2; k++) {
        const struct exchange_reading how = {
            .model = MODEL_SEND_RECEIVE, .expects = true, .expected = cases[k].kind};
        const struct exchange_format *format = &exchange_goal;
        struct schedule schedule = {0};
        struct err err = {0};
        FILE *from = fmemopen((void *)(uintptr_t)text, sizeof text - 1, "r");
        assert_non_null(from);
        support_true(exchange_load_from(from, "file", &how, &format, &schedule, &err), &err);
        fclose(from);
        assert_int_equal(schedule.packets, cases[k].packets);
        assert_int_equal(schedule.transfer_count, 2);
        schedule_free(&schedule);
    }
}

static void test_round_trips(void **state)
{
    static const struct exchange_lab_asked cases[] = {
        {"total-exchange", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"all-gather", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"gather", 7, 2, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"scatter", 6, 2, 1, MODEL_SEND_RECEIVE, 0, NULL},
        {"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"binomial", 9, 2, 0, MODEL_TELEPHONE, 0, NULL},
        {"binomial", 9, 2, 0, MODEL_TELEGRAPH, 0, NULL},
        {"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule, again;
        exchange_lab_build(&cases[k], &schedule);
        char *text = exchange_lab_write("goal", &schedule, NULL);
        exchange_lab_import("goal", text, cases[k].model, &again);
        exchange_lab_same(&schedule, &again);
        schedule_free(&schedule);
        schedule_free(&again);
        free(text);
    }
}

/* A file of a schedule with a packet that is combined and one that is not. */
static void test_mixed(void **state)
{
    (void)state;
    struct schedule schedule, again;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 2\n"
                          "model send-receive\ndemand 1 0 1\nreduce 2 1 *\nround 1\n0 1 1\n"
                          "round 2\n0 1 2\nend 2\n",
                          &schedule);
    char *text = exchange_lab_write("goal", &schedule, NULL);
    exchange_lab_import("goal", text, MODEL_SEND_RECEIVE, &again);
    exchange_lab_same(&schedule, &again);
    schedule_free(&schedule);
    schedule_free(&again);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_expected), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
