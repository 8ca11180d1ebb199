/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify_shared: demands of endpoints that share a memory.
 *
 * Nodes 0 and 1 share a memory, and so do 2 and 3, and 4 and 5. A packet that one of them holds,
 * both hold, so that a demand of either or of both is met by one receipt at either. By hand: every
 * pair of a demand (one node, several nodes, all nodes) and the port that receives.
 *
 * Counter-cases: a memory that receives nothing is reported once, by its first node that wants the
 * packet; what comes back to the memory of the source is redundant; the same schedules without
 * shared memories lack the packet at the other port.
 */
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>

static const struct shared_case {
    const char *wanted, *rounds; /* of packet 1, which starts at node 0; from line 6 on */
    uint64_t arrivals, redundant, breaches;
    const char *text; /* of the first breach */
    uint64_t apart;   /* breaches if no memory is shared */
} cases[] = {
    {"2", "round 1\n0 2 1\nend 1\n", 1, 0, 0, "", 0},
    {"3", "round 1\n0 2 1\nend 1\n", 1, 0, 0, "", 1},
    {"2,3", "round 1\n0 3 1\nend 1\n", 1, 0, 0, "", 1},
    {"2,4", "round 1\n0 3 1\n1 5 1\nend 1\n", 2, 0, 0, "", 3},
    {"0,1,2,3", "round 1\n1 3 1\nend 1\n", 1, 0, 0, "", 3},
    {"*", "round 1\n0 2 1\n1 4 1\nend 1\n", 2, 0, 0, "", 4},
    {"2", "round 1\n0 2 1\nround 2\n3 1 1\nend 2\n", 1, 1, 0, "", 1},
    {"2", "round 1\n0 2 1\n1 3 1\nend 1\n", 1, 1, 0, "", 1},
    {"2,3", "end 0\n", 0, 0, 1, "after round 0: node 2 has not received packet 1", 2},
    {"3,4,5", "round 1\n0 2 1\nend 1\n", 1, 0, 1, "node 4 has not received packet 1", 3},
    {"*", "round 1\n0 1 1\nend 1\n", 0, 1, 2, "node 2 has not received packet 1", 4},
};

static bool count_breach(void *with, const struct err *breach)
{
    (void)breach;
    ++*(uint64_t *)with;
    return true;
}

static void read_case(const struct shared_case *of, bool shared, struct schedule *schedule)
{
    char text[400];
    struct err err = {0};
    snprintf(text, sizeof text,
             "roundcast-schedule 1\nalgorithm hand\ntopology complete 6%s\n"
             "model send-receive\ndemand 1 0 %s\n%s",
             shared ? " shared 2" : "", of->wanted, of->rounds);
    support_true(support_read(text, "c.sched", schedule, &err), &err);
}

static void a_receipt_is_for_a_memory(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct shared_case *of = &cases[which];
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        uint64_t seen = 0;
        read_case(of, true, &schedule);
        print_message("demand of %s, %s", of->wanted, of->rounds);
        if (of->breaches == 0) {
            support_true(verify_schedule("c.sched", &schedule, &report, &err), &err);
        } else {
            assert_false(verify_schedule("c.sched", &schedule, &report, &err));
            support_error(&err, ERR_UNMET, of->text);
            assert_int_equal(err.further, of->breaches - 1);
        }
        assert_int_equal(report.arrivals, of->arrivals);
        assert_int_equal(report.redundant, of->redundant);
        assert_int_equal(verify_each("c.sched", &schedule, count_breach, &seen, &report, &err),
                         of->breaches == 0);
        assert_int_equal(seen, of->breaches);
        schedule_free(&schedule);
    }
}

static void memories_apart_need_their_own_receipt(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        uint64_t seen = 0;
        read_case(&cases[which], false, &schedule);
        print_message("demand of %s, %s", cases[which].wanted, cases[which].rounds);
        assert_int_equal(verify_each("c.sched", &schedule, count_breach, &seen, &report, &err),
                         cases[which].apart == 0);
        assert_int_equal(seen, cases[which].apart);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receipt_is_for_a_memory),
        cmocka_unit_test(memories_apart_need_their_own_receipt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
