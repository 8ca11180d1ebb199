/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify_ports: the rules of nodes with two ports, in rounds, in the postal model and in the
 * telephone model. By hand: each rule is kept and broken, by cases that differ in one packet, with
 * the whole message.
 *
 * Counter-cases: with one more port the same schedules are legal.
 */
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>

struct judged {
    const char *rounds; /* from line 10 on */
    enum err_code code; /* ERR_NONE: holds */
    uint64_t further;
    const char *text; /* the whole message */
};

/* Packets 1-3 start at node 0, 4-6 at node 4, 7 at node 2; node 2 sends node 3 a value after it
 * received the part of the value. */
#define DEMANDS                                                                           \
    "demand 1-3 0 1\ndemand 4-6 4 0\ndemand 7 2 1\ncontrol 8 0 2 3 nodes 0\ncontrol 9 2 " \
    "3 3 nodes 0 from 8\n"
#define REST "round 5\n4 0 4\n4 0 5\nround 6\n4 0 6\nend 6\n"

static const struct judged two_ports[] = {
    {"round 1\n0 1 1\n0 1 2\nround 2\n0 1 3\n2 1 7\nround 3\n0 2 8\nround 4\n2 3 9\n" REST,
     ERR_NONE, 0, ""},
    {"round 1\n0 1 1\n0 1 2\n0 2 8\nround 2\n0 1 3\n2 1 7\nround 4\n2 3 9\n" REST, ERR_ONE_PORT, 0,
     "c.sched:13: round 1: node 0 sends packet 8 over no port; at most 2 per round"},
    {"round 2\n0 1 1\n0 1 2\nround 3\n0 2 8\nround 4\n0 1 3\n2 1 7\n2 3 9\n"
     "round 5\n4 0 4\n4 0 5\n4 0 6\nend 5\n",
     ERR_ONE_PORT, 0,
     "c.sched:22: round 5: node 4 sends packet 6 over no port; at most 2 per round"},
    {"round 1\n0 1 1\n0 1 2\n2 1 7\nround 2\n0 1 3\n0 2 8\nround 4\n2 3 9\n" REST, ERR_ONE_PORT, 0,
     "c.sched:13: round 1: node 1 receives packet 7 over no port; at most 2 per round"},
    {"round 1\n0 1 1\n0 1 2\n0 1 3\nround 2\n2 1 7\n0 2 8\nround 4\n2 3 9\n" REST, ERR_ONE_PORT, 0,
     "c.sched:13: round 1: node 0 sends packet 3 over no port; at most 2 per round"},
    /* A packet that is not held, or whose value is not known yet, is reported before the ports. */
    {"round 1\n0 1 1\n0 1 2\n0 1 7\nround 2\n2 1 7\n0 1 3\nround 3\n0 2 8\nround 4\n2 3 9\n" REST,
     ERR_NOT_HELD, 0,
     "c.sched:13: round 1: node 0 sends packet 7, which it does not hold; expected it to arrive in "
     "an earlier round"},
    {"round 1\n0 2 8\n2 3 9\nround 2\n0 1 1\n0 1 2\nround 3\n0 1 3\n2 1 7\n" REST, ERR_EARLY, 0,
     "c.sched:12: round 1: node 2 sends packet 9, whose value is made of packet 8; expected that "
     "one to have reached it in an earlier round"},
};

/* Verifies a schedule, which must hold, or break a rule, as `judged` says. */
static void check(size_t which, const char *text, const struct judged *judged)
{
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    support_true(support_read(text, "c.sched", &schedule, &err), &err);
    bool holds = verify_schedule("c.sched", &schedule, &report, &err);
    support_verdict(which, holds, &err, judged->code, judged->further, judged->text);
    schedule_free(&schedule);
}

static const struct judged legal = {.code = ERR_NONE, .text = ""};

static void judge(const struct judged *judged, size_t which, unsigned ports)
{
    char text[700];
    snprintf(
        text, sizeof text,
        "roundcast-schedule 1\nalgorithm none\ntopology complete 5\nmodel send-receive %u\n" DEMANDS
        "%s",
        ports, judged->rounds);
    check(which, text, ports > 2 && judged->code == ERR_ONE_PORT ? &legal : judged);
}

static void test_by_hand(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof two_ports / sizeof *two_ports; which++) {
        judge(&two_ports[which], which, 2);
        judge(&two_ports[which], which, 3);
    }
}

/* A value with a part that its own node sends in the second round; and both sent at once. */
static void test_own_values(void **state)
{
    (void)state;
    static const char *const models[] = {"send-receive", "telephone"};
    static const struct judged too_early = {
        .code = ERR_EARLY,
        .text = "c.sched:13: round 2: node 0 sends packet 5, whose value is made of packet 4; "
                "expected that one to have left it in an earlier round"};
    for (size_t which = 0; which < 4; which++) {
        const bool at_once = which % 2;
        char text[400];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete 5\nmodel %s 2\n"
                 "demand 1-2 1 1\ncontrol 3 1 0 2 nodes 1\ncontrol 4 0 2 2 nodes 0-1 from 3\n"
                 "control 5 0 1 2 nodes 0-1 from 4\nround 1\n1 0 3\nround 2\n0 2 4\n%s",
                 models[which / 2], at_once ? "0 1 5\nend 2\n" : "round 3\n0 1 5\nend 3\n");
        check(which, text, at_once ? &too_early : &legal);
    }
}

/* Two ports and λ = 5/2 in ticks of 1/2: a third packet may leave, and arrive, one unit after the
 * first. Each case is legal with two ports, or breaks a rule at one line. */
static const struct judged postal_ports[] = {
    {"time 0\n0 1 1\n0 2 1\ntime 1\n0 1 2\n0 3 1\ntime 2\n0 2 2\n0 3 2\nend 9/2\n", ERR_NONE, 0,
     ""},
    {"time 0\n0 1 1\n0 2 1\ntime 1/2\n0 3 1\ntime 3/2\n0 1 2\n0 2 2\ntime 5/2\n0 3 2\nend 5\n",
     ERR_ONE_PORT, 0,
     "c.sched:10: time 1/2: node 0 sends packet 1 over no port; at most 2 at a time"},
    {"time 0\n0 1 1\ntime 1/2\n0 2 1\ntime 1\n0 3 1\ntime 3/2\n0 1 2\ntime 5/2\n0 2 2\n1 3 2\n"
     "end 5\n",
     ERR_NOT_HELD, 0,
     "c.sched:16: time 5/2: node 1 sends packet 2, which it does not hold; expected it to arrive "
     "by then"},
    {"time 0\n0 1 1\n0 2 1\ntime 1\n0 1 2\n0 2 2\ntime 5/2\n0 3 1\n1 3 1\n2 3 1\ntime 9/2\n0 3 2\n"
     "end 7\n",
     ERR_ONE_PORT, 0,
     "c.sched:15: time 5/2: node 3 receives packet 1 over no port; at most 2 at a time"},
};

static void test_postal(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof postal_ports / sizeof *postal_ports; which++)
        for (unsigned ports = 2; ports <= 3; ports++) {
            const struct judged *judged = &postal_ports[which];
            char text[700];
            snprintf(text, sizeof text,
                     "roundcast-schedule 1\nalgorithm none\ntopology complete 4\n"
                     "model postal 5/2 %u\ndemand 1-2 0 *\n%s",
                     ports, judged->rounds);
            check(which, text, ports > 2 && judged->code == ERR_ONE_PORT ? &legal : judged);
        }
}

/* All transfers leave one node at once, over fewer ports than there are, or more. */
static void test_few_transfers(void **state)
{
    (void)state;
    static const struct judged too_many = {
        .code = ERR_ONE_PORT,
        .text = "c.sched:9: time 0: node 0 sends packet 1 over no port; at most 2 at a time"};
    for (unsigned ports = 2; ports <= 4; ports++) {
        char text[200];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete 4\nmodel postal 5/2 %u\n"
                 "demand 1 0 *\ntime 0\n0 1 1\n0 2 1\n0 3 1\nend 5/2\n",
                 ports);
        check(ports, text, ports < 3 ? &too_many : &legal);
    }
}

/* The telephone model with two ports. Packets 1 and 2 start at node 0, 3 and 4 at node 1. */
static const struct judged calls[] = {
    /* A call exchanges one packet in each direction: two calls between 0 and 1; then each calls two
     * others. */
    {"round 1\n0 1 1\n0 1 2\n1 0 3\n1 0 4\nround 2\n0 2 1\n0 3 1\n1 2 3\n1 3 3\nend 2\n", ERR_NONE,
     0, ""},
    {"round 1\n0 1 1\n0 1 2\n0 2 1\n1 0 3\n1 0 4\nround 2\n0 3 1\n1 2 3\n1 3 3\nend 2\n",
     ERR_PAIRING, 0,
     "c.sched:12: round 1: node 0 calls node 2 over no port; at most 2 calls per round"},
    /* Node 2 sends to one and receives from two others. */
    {"round 1\n0 1 1\n1 0 3\n0 2 2\nround 2\n0 1 2\n1 0 4\nround 3\n0 2 1\n1 2 3\n2 3 2\n"
     "round 4\n0 3 1\n1 3 3\nend 4\n",
     ERR_PAIRING, 0,
     "c.sched:19: round 3: node 2 calls node 3 over no port; at most 2 calls per round"},
    /* Node 0 sends to two others and receives from a third: the pairs have one node in common. */
    {"round 1\n1 2 3\n1 3 3\nround 2\n0 1 1\n2 0 3\n0 3 1\nround 3\n0 1 2\n1 0 4\n0 2 1\nend 3\n",
     ERR_PAIRING, 0,
     "c.sched:15: round 2: node 0 calls node 3 over no port; at most 2 calls per round"},
    /* Both pairs have the same higher node, which sends in the calls of the first. */
    {"round 1\n0 1 1\n0 1 2\n1 0 3\n1 0 4\nround 2\n0 2 1\n0 2 3\nround 3\n2 0 1\n2 0 3\n1 2 4\n"
     "round 4\n0 3 1\n1 3 3\nend 4\n",
     ERR_PAIRING, 0,
     "c.sched:20: round 3: node 2 calls node 1 over no port; at most 2 calls per round"},
    {"round 1\n0 1 1\n1 2 1\nround 2\n0 1 2\n1 0 3\n1 0 4\nround 3\n0 2 1\n0 3 1\n1 2 3\n1 3 3\n"
     "end 3\n",
     ERR_NOT_HELD, 0,
     "c.sched:11: round 1: node 1 sends packet 1, which it does not hold; expected it to arrive in "
     "an earlier round"},
};

static void test_calls(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof calls / sizeof *calls; which++)
        for (unsigned ports = 2; ports <= 3; ports++) {
            const struct judged *judged = &calls[which];
            char text[700];
            snprintf(
                text, sizeof text,
                "roundcast-schedule 1\nalgorithm none\ntopology complete 4\n"
                "model telephone %u\ndemand 1 0 *\ndemand 2 0 1\ndemand 3 1 *\ndemand 4 1 0\n%s",
                ports, judged->rounds);
            check(which, text, ports > 2 && judged->code == ERR_PAIRING ? &legal : judged);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_own_values),
        cmocka_unit_test(test_postal), cmocka_unit_test(test_few_transfers),
        cmocka_unit_test(test_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
