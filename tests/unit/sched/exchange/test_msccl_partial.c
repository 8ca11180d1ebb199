/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_partial: partial results that schedules by hand keep, send and replace.
 *
 * Each schedule is written for MSCCL and for MSCCL++ and read again: the program performs the same
 * transfers in no more rounds, and what it leaves in its outputs gives the same demands. The
 * schedules have what the algorithms do not: nodes that only pass on what they have received,
 * results that are replaced on the way, and neighbouring packets whose demands differ in one
 * member. Counter-cases: a schedule without packets, and too many steps that copy, are rejected.
 */
#include "sched/exchange/operations.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define HEAD(nodes) \
    "roundcast-schedule 1\nalgorithm a\ntopology complete " #nodes "\nmodel send-receive\n"

static const char *const kept[] = {
    /* node 2 sends only what it has received, and receives again */
    HEAD(3) "reduce 1 prefix *\nround 1\n0 2 1\nround 2\n2 1 1 received\n1 2 1\nend 2\n",
    /* node 2 neither contributes nor wants the result that replaces what it has */
    HEAD(4) "reduce 1 3 0,1,2\nround 1\n1 0 1\nround 2\n2 0 1\nround 3\n0 2 1 replace\nround 4\n"
            "2 3 1\nend 4\n",
    /* node 2 does not contribute, and sends what it has received on */
    HEAD(4) "reduce 1 exclusive 0,1,3\nround 1\n0 1 1\nround 2\n1 2 1\nround 3\n2 3 1 received\n"
            "end 3\n",
    /* the result of node 2 is replaced, and what replaces it is sent on */
    HEAD(4) "reduce 1 exclusive *\nround 1\n0 1 1\n2 3 1\nround 2\n1 2 1 replace\nround 3\n"
            "2 3 1\nend 3\n",
    /* the result of node 3 is replaced, and then combined with the contribution of node 2 */
    HEAD(4) "reduce 1 exclusive *\nround 1\n0 1 1\nround 2\n1 3 1 replace\nround 3\n1 2 1\n"
            "2 3 1\nend 3\n",
    /* what replaces the contribution of node 1 is combined with that of node 2 */
    HEAD(4) "reduce 1 0 *\nround 1\n1 0 1\n3 1 1 replace\nround 2\n2 1 1\nround 3\n1 0 1\nend 3\n",
    /* demands that differ in the contributors, in `prefix` and in `exclusive` */
    HEAD(4) "reduce 1 3 0,1\nreduce 2 3 0,2\nround 1\n0 1 1\nround 2\n1 3 1\n0 2 2\nround 3\n"
            "2 3 2\nend 3\n",
    HEAD(2) "reduce 1 * *\nreduce 2 prefix *\nround 1\n0 1 1\n1 0 1\nround 2\n0 1 2\nend 2\n",
    HEAD(3) "reduce 1 prefix *\nreduce 2 exclusive *\nround 1\n0 1 1\nround 2\n1 2 1\n0 1 2\n"
            "round 3\n1 2 2\nend 3\n",
};

/* Checks that the packets of two schedules have the same reductions. */
static void check_demands(const struct schedule *schedule, const struct schedule *again)
{
    assert_int_equal(again->packets, schedule->packets);
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct demand *x = schedule_demand_of(schedule, packet);
        const struct demand *y = schedule_demand_of(again, packet);
        assert_non_null(y->reduction);
        assert_int_equal(y->reduction->prefix, x->reduction->prefix);
        assert_int_equal(y->reduction->exclusive, x->reduction->exclusive);
        for (uint32_t node = 0; node < schedule->nodes; node++) {
            assert_int_equal(demand_contributes(y, node), demand_contributes(x, node));
            assert_int_equal(demand_wants(y, node), demand_wants(x, node));
        }
    }
}

static void test_kept(void **state)
{
    (void)state;
    static const char *const formats[] = {"msccl", "mscclpp"};
    for (unsigned which = 0; which < 2 * sizeof kept / sizeof *kept; which++) {
        struct schedule schedule, again;
        const char *format = formats[which % 2];
        print_message("schedule %u as %s\n", which / 2, format);
        exchange_lab_schedule(kept[which / 2], &schedule);
        char *text = exchange_lab_write(format, &schedule, NULL);
        exchange_lab_import(format, text, MODEL_SEND_RECEIVE, &again);
        check_demands(&schedule, &again);
        assert_int_equal(again.transfer_count, schedule.transfer_count);
        assert_true(again.end <= schedule.end);
        free(text);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

/* A program has no chunk for a schedule without packets. */
static void test_no_packets(void **state)
{
    (void)state;
    static const char *const texts[] = {HEAD(1) "end 0\n", HEAD(2) "end 0\n"};
    for (unsigned which = 0; which < 2; which++) {
        struct schedule schedule;
        running("schedule %u", which);
        exchange_lab_schedule(texts[which], &schedule);
        exchange_lab_no_write("msccl", &schedule, NULL, ERR_UNSUPPORTED,
                              "msccl: the schedule has no packets, but a program needs a chunk");
        schedule_free(&schedule);
    }
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* The only contributor of a result has it from the beginning, and copies it if it wants it. */
static void test_only_contributor(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned copies;
    } cases[] = {
        {HEAD(2) "reduce 1 * 0\nround 1\n0 1 1\nend 1\n", 1},
        {HEAD(2) "reduce 1 1 0\nround 1\n0 1 1\nend 1\n", 0},
        {HEAD(2) "reduce 1 0 0\nreduce 2 1 0\nround 1\n0 1 2\nend 1\n", 1},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        running("schedule %u", which);
        exchange_lab_schedule(cases[which].text, &schedule);
        char *text = exchange_lab_write("msccl", &schedule, NULL);
        assert_int_equal(count_of(text, "type=\"cpy\""), cases[which].copies);
        free(text);
        schedule_free(&schedule);
    }
}

/* Returns a schedule in which node 0 alone contributes to packets and wants them, in a demand for
 * each, so that each takes a step to copy. */
static char *own_packets(unsigned packets)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fputs(HEAD(2), to);
    for (unsigned packet = 1; packet <= packets; packet++)
        fprintf(to, "reduce %u 0 0\n", packet);
    fprintf(to, "reduce %u 1 0\nround 1\n0 1 %u\nend 1\n", packets + 1, packets + 1);
    fclose(to);
    return text;
}

/* A block of the executor msccl has at most 256 steps. */
static void test_many_copies(void **state)
{
    (void)state;
    const struct exchange_options options = {.bytes = 1, .executor = 1};
    for (unsigned packets = 256; packets <= 257; packets++) {
        struct schedule schedule;
        char *text = own_packets(packets);
        exchange_lab_schedule(text, &schedule);
        free(text);
        if (packets == 256) {
            text = exchange_lab_write("msccl", &schedule, &options);
            assert_int_equal(count_of(text, "type=\"cpy\""), 256);
            free(text);
        } else {
            exchange_lab_no_write("msccl", &schedule, &options, ERR_TOO_BIG,
                                  "node 0: steps of the block that copies: 257; expected at most "
                                  "256, for which msccl has room");
        }
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_no_packets),
        cmocka_unit_test(test_only_contributor),
        cmocka_unit_test(test_many_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
