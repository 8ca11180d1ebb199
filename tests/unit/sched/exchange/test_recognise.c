/* SPDX-License-Identifier: Apache-2.0 */
/* test_recognise: whether a schedule performs a collective, or meets the demands of another one.
 *
 * Demands by hand, each with what it is recognised as. Counter-cases: demands that differ from
 * those of the collective, or of the other schedule, in one packet, receiver, contributor or rule,
 * each with its message; control packets; and each allocation failing in turn.
 *
 * tags: no-memory
 */
#include "sched/exchange/recognise.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>

#define OWN "roundcast-schedule 1\nalgorithm a\n"
#define AMONG(nodes, demands) \
    OWN "topology complete " nodes "\nmodel send-receive\n" demands "end 0\n"
#define THREE(demands) AMONG("3", demands)
#define UNDER(model) OWN "topology complete 3\nmodel " model "\ndemand 1 0 *\nend 0\n"
#define CUBE(rest) OWN "topology hypercube 1\nmodel all-port\ndemand 1 0 *\n" rest "end 0\n"
#define CONTROL CUBE("control 2 0 1 1 nodes 0\n")

/* -- collectives --------------------------------------------------------------------------------*/

static const struct {
    const char *text;
    enum collective_kind kind;
    const char *part; /* of the error; NULL: it is the collective */
} expected[] = {
    /* packets between the same nodes in several lines are counted together */
    {THREE("demand 1 0 1\ndemand 2-3 0 2\ndemand 4 0 1\n"), COLLECTIVE_SCATTER, NULL},
    {THREE("demand 1 0 1\ndemand 2 0 2\ndemand 3 0 1\n"), COLLECTIVE_SCATTER,
     "s: 1 packet from node 0 for node 2, but 2 from node 0 for node 1; expected equal numbers in "
     "scatter"},
    {THREE("demand 1 0 1\n"), COLLECTIVE_SCATTER,
     "s: no packet from node 0 is for node 2; expected some in scatter"},
    {THREE("demand 1 0 1\ndemand 2 0 2\ndemand 3-4 2 1\n"), COLLECTIVE_SCATTER,
     "s: 2 packets from node 2 are for node 1; expected none in scatter"},
    {THREE("demand 1 1 2\ndemand 2 0 2\n"), COLLECTIVE_GATHER, NULL},
    {THREE("demand 1 1 *\n"), COLLECTIVE_BROADCAST, NULL},
    {THREE("demand 1 1 *\n"), COLLECTIVE_REDUCE,
     "s: broadcast of 1 packet, from node 1; expected reduce"},
    {THREE("reduce 1-2 0 *\n"), COLLECTIVE_REDUCE, NULL},
    {THREE("reduce 1-2 0 *\n"), COLLECTIVE_ALL_REDUCE,
     "s: reduce of 2 packets, at node 0; expected all-reduce"},
    {THREE("reduce 1-2 0 *\n"), COLLECTIVE_BROADCAST,
     "s: reduce of 2 packets, at node 0; expected broadcast"},
    {THREE("reduce 1 0 1,2\n"), COLLECTIVE_REDUCE, "s: demands of 1 packet; expected reduce"},
    {CONTROL, COLLECTIVE_REDUCE, "s: demands of 2 packets; expected reduce"},
};

static void test_expected(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof expected / sizeof *expected; which++) {
        struct schedule schedule;
        struct err err = {0};
        running("expectation %u", which);
        exchange_lab_schedule(expected[which].text, &schedule);
        const bool is = recognise_expected("s", &schedule, expected[which].kind, &err);
        if (expected[which].part == NULL) {
            support_true(is, &err);
        } else {
            assert_false(is);
            support_error(&err, ERR_OTHER_DEMANDS, expected[which].part);
        }
        schedule_free(&schedule);
    }
}

/* -- demands of another schedule ----------------------------------------------------------------*/

static const struct {
    const char *found, *demands;
    enum err_code code;
    const char *part; /* of the error; NULL: they are the same */
} compared[] = {
    /* the numbers of the packets do not count */
    {THREE("demand 1 0 1\ndemand 2-3 1 *\n"), THREE("demand 1 1 *\ndemand 2 0 1\ndemand 3 1 *\n"),
     0, NULL},
    {THREE("reduce 1 * *\ndemand 2 0 *\n"), THREE("demand 1 0 *\nreduce 2 * *\n"), 0, NULL},
    {THREE("demand 1 0 *\nreduce 2 * *\n"), THREE("reduce 1 * *\ndemand 2 0 *\n"), 0, NULL},
    {UNDER("postal 5/2"), UNDER("postal 5/2"), 0, NULL},
    {THREE("demand 1 0 *\n"), AMONG("4", "demand 1 0 *\n"), ERR_OTHER_DEMANDS,
     "s: 3 nodes of another topology than the demands, which have 4; expected the same topology"},
    {UNDER("send-receive"), UNDER("telephone"), ERR_OTHER_DEMANDS,
     "s: model send-receive; expected telephone, as in the demands"},
    {UNDER("send-receive 2"), UNDER("send-receive"), ERR_OTHER_DEMANDS,
     "s: another latency, or another number of ports; expected those of the demands"},
    {UNDER("postal 5/2"), UNDER("postal 7/2"), ERR_OTHER_DEMANDS, "s: another latency, or"},
    {UNDER("postal 5/2"), UNDER("postal 5/3"), ERR_OTHER_DEMANDS, "s: another latency, or"},
    {CONTROL, CUBE(""), ERR_UNSUPPORTED,
     "demands: s: control packets are not compared; expected data packets"},
    {CUBE(""), CONTROL, ERR_UNSUPPORTED, "demands: s: control packets are not compared"},
    {THREE("demand 1-2 0 1\n"), THREE("demand 1 0 1\n"), ERR_OTHER_DEMANDS,
     "s: 2 packets from node 0 for node 1; expected 1, as in the demands"},
    {THREE("demand 1 0 1\n"), THREE("demand 1 0 2\n"), ERR_OTHER_DEMANDS,
     "s: 1 packet from node 0 for node 1; expected 0, as in the demands"},
    {THREE("demand 1 0 *\n"), THREE("demand 1 0 *\ndemand 2 1 *\n"), ERR_OTHER_DEMANDS,
     "s: 0 packets from node 1 for all nodes; expected 1, as in the demands"},
    {AMONG("4", "demand 1 0 1\ndemand 2 0 1,2\n"), AMONG("4", "demand 1 0 1\n"), ERR_OTHER_DEMANDS,
     "s: 1 packet from node 0 for 2 nodes; expected 0, as in the demands"},
    {AMONG("4", "demand 1 0 1\n"), AMONG("4", "demand 1 0 1\ndemand 2 0 1,2\n"), ERR_OTHER_DEMANDS,
     "s: 0 packets from node 0 for 2 nodes; expected 1, as in the demands"},
    {AMONG("4", "demand 1 0 1,2\n"), AMONG("4", "demand 1 0 1,3\n"), ERR_OTHER_DEMANDS,
     "s: 1 packet from node 0 for 2 nodes; expected 0, as in the demands"},
    {THREE("reduce 1 * * ordered\n"), THREE("reduce 1 * *\n"), ERR_OTHER_DEMANDS,
     "s: 0 packets from node 0 for all nodes; expected 1, as in the demands"},
    {THREE("reduce 1 0 0,1\n"), THREE("reduce 1 0 0,2\n"), ERR_OTHER_DEMANDS,
     "for node 0; expected 0, as in the demands"},
    {THREE("demand 1 0 *\n"), THREE("reduce 1 * *\n"), ERR_OTHER_DEMANDS,
     "s: 1 packet from node 0 for all nodes; expected 0, as in the demands"},
};

static void test_demands(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof compared / sizeof *compared; which++) {
        struct schedule found, demands;
        struct err err = {0};
        running("demands %u", which);
        exchange_lab_schedule(compared[which].found, &found);
        exchange_lab_schedule(compared[which].demands, &demands);
        const bool same = recognise_demands("s", &found, &demands, &err);
        if (compared[which].part == NULL) {
            support_true(same, &err);
        } else {
            assert_false(same);
            support_error(&err, compared[which].code, compared[which].part);
        }
        schedule_free(&found);
        schedule_free(&demands);
    }
}

/* -- without memory -----------------------------------------------------------------------------*/

static bool expect(const struct schedule *schedule, struct err *err)
{
    return recognise_expected("s", schedule, COLLECTIVE_SCATTER, err);
}

static bool compare(const struct schedule *schedule, struct err *err)
{
    return recognise_demands("s", schedule, schedule, err);
}

/* Each function has two arrays. */
static void test_memory_that_runs_out(void **state)
{
    (void)state;
    static const struct {
        bool (*what)(const struct schedule *schedule, struct err *err);
        const char *part;
    } cases[] = {{expect, "the demands of 3 nodes"}, {compare, "2 demands"}};
    struct schedule schedule;
    exchange_lab_schedule(THREE("demand 1 0 1\ndemand 2 0 2\n"), &schedule);
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++)
        for (uint64_t number = 1; number <= 3; number++) {
            struct err err = {0};
            int64_t left;
            running("function %u, allocation %u", which, (unsigned)number);
            no_memory_begin(number, false);
            const bool done = cases[which].what(&schedule, &err);
            no_memory_end(&left);
            assert_int_equal(left, 0);
            assert_int_equal(done, number == 3);
            if (!done)
                support_error(&err, ERR_TOO_BIG, cases[which].part, "memory");
        }
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_demands),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
