/* SPDX-License-Identifier: Apache-2.0 */
/* test_compact: compaction of schedules that combine packets keeps their results.
 *
 * The schedules of each kind of reduction are stretched: further empty rounds precede each round, a
 * number that a seed determines. Compaction must give a schedule that verify accepts (each result
 * has every contribution once, under the model), with the same transfers, in at most as many rounds
 * as before they were stretched, and no fewer than the bound; and no more if it is compacted again.
 * Written by hand: a receipt may share the round of a send before it, but not precede it, and a
 * receipt that replaces the partial result stays after the others. Transfers that are sent while
 * others arrive stay as far apart as they were. Counter-cases: the telegraph model for nodes that
 * exchange partial results, and another λ for transfers that stay apart.
 */
#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "sched/exchange/compact.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261127)

/* Compacts a schedule under another model of its topology. */
static bool compacted(enum model model, struct schedule *schedule, struct err *err)
{
    struct rounds_rules rules = compact_rules_of(schedule);
    rules.model = model;
    return compact_schedule("s", &rules, schedule, err);
}

static void stretch(struct schedule *schedule, struct rng *rng)
{
    uint64_t more = 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        more += rng_below(rng, 4);
        schedule->step[k].time += more;
    }
    schedule->end += more;
}

static void check_stretched(const struct exchange_lab_asked *asked, struct rng *rng)
{
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    uint64_t bound;
    exchange_lab_build(asked, &schedule);
    uint64_t end = schedule.end;
    const size_t count = schedule.transfer_count;
    struct transfer *before = malloc(count * sizeof *before);
    assert_non_null(before);
    memcpy(before, schedule.transfer, count * sizeof *before);
    stretch(&schedule, rng);
    support_true(compacted(asked->model, &schedule, &err), &err);
    support_true(verify_schedule("s", &schedule, &report, &err), &err);
    exchange_lab_moves(&schedule, before, count);
    assert_true(schedule.end <= end);
    assert_true(bound_of_schedule(&schedule, &bound) && schedule.end >= bound);
    end = schedule.end;
    support_true(compacted(asked->model, &schedule, &err), &err);
    assert_true(schedule.end <= end);
    free(before);
    schedule_free(&schedule);
}

static void test_stretched(void **state)
{
    (void)state;
    static const struct exchange_lab_asked asked[] = {
        {"reduce", 8, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce", 9, 4, 2, MODEL_TELEPHONE, 0, NULL},
        {"reduce-broadcast", 7, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce-broadcast", 9, 3, 0, MODEL_TELEGRAPH, 0, NULL},
        {"blocks-all-reduce", 8, 8, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"window-all-reduce", 9, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"halving-all-reduce", 8, 8, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"circulant-all-reduce", 9, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce-scatter", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"scan", 9, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"exclusive-scan", 9, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"path-scan", 9, 4, 0, MODEL_SEND_RECEIVE, 0, NULL},
    };
    struct rng rng = {SEED};
    for (unsigned which = 0; which < sizeof asked / sizeof *asked; which++)
        for (unsigned sample = 0; sample < 8; sample++) {
            running("%s, sample %u", asked[which].algorithm, sample);
            check_stretched(&asked[which], &rng);
        }
}

#define HEAD "roundcast-schedule 1\nalgorithm a\ntopology complete 3\nmodel send-receive\n"

/* Returns the end after compaction. */
static uint64_t end_of(const char *text)
{
    struct schedule schedule;
    struct err err = {0};
    exchange_lab_schedule(text, &schedule);
    support_true(compacted(MODEL_SEND_RECEIVE, &schedule, &err), &err);
    uint64_t end = schedule.end;
    schedule_free(&schedule);
    return end;
}

/* Node 1 sends its contribution before that of node 2 arrives: both fit in a round. The other way
 * round node 1 forwards what has arrived, one round later. */
static void test_by_hand(void **state)
{
    (void)state;
    assert_int_equal(end_of(HEAD "reduce 1 * 0\nround 2\n1 0 1\nround 5\n2 1 1\nend 5\n"), 1);
    assert_int_equal(end_of(HEAD "reduce 1 * 0\nround 2\n2 1 1\nround 5\n1 0 1\nend 5\n"), 2);
    assert_int_equal(end_of(HEAD
                            "reduce 1 * *\nround 2\n1 0 1\nround 4\n2 0 1\nround 6\n0 1 1 replace\n"
                            "round 9\n0 2 1 replace\nend 9\n"),
                     4);
}

static void test_exchanges(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err = {0};
    exchange_lab_schedule(
        "roundcast-schedule 1\nalgorithm a\ntopology complete 2\nmodel send-receive\n"
        "reduce 1 * *\nround 3\n0 1 1\n1 0 1\nend 3\n",
        &schedule);
    assert_false(compacted(MODEL_TELEGRAPH, &schedule, &err));
    support_error(&err, ERR_UNSUPPORTED,
                  "s:7: nodes combine what they send each other in one round, which telegraph does "
                  "not allow");
    assert_int_equal(schedule.end, 3);
    support_true(compacted(MODEL_TELEPHONE, &schedule, &err), &err);
    assert_int_equal(schedule.end, 1);
    schedule_free(&schedule);
}

/* Both contributions of node 0 are in flight when node 1 sends its own, so they stay 1/2 apart; but
 * a send takes 1: there are no such times, however late. */
static void test_too_near(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err = {0};
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 3\n"
                          "model postal 5/2\nreduce 1 * *\ntime 1\n0 1 1\ntime 3/2\n0 1 1\n"
                          "time 2\n1 2 1\nend 9/2\n",
                          &schedule);
    assert_false(compacted(MODEL_POSTAL, &schedule, &err));
    support_error(&err, ERR_UNSUPPORTED, "which postal does not allow; expected another model");
    schedule_free(&schedule);
}

#define FLIGHT(nodes, rest) \
    "roundcast-schedule 1\nalgorithm a\ntopology complete " nodes "\nmodel postal 5/2\n" rest

/* Node 1 sends what node 0 brought, while the packet of node 2 arrives; its first send left while
 * both arrived. */
#define RECEIVED                                                                          \
    FLIGHT("4", "reduce 1 3 *\ntime 0\n0 1 1\ntime 1\n2 1 1\ntime 3/2\n1 3 1\ntime 5/2\n" \
                "1 3 1 received\ntime 7/2\n2 3 1\nend 6\n")
/* Node 1 sends its contribution while two results arrive; the second one replaces the first. */
#define REPLACED                                                                        \
    FLIGHT("3", "reduce 1 * *\ntime 0\n1 0 1\ntime 1\n2 0 1\ntime 7/2\n0 1 1 replace\n" \
                "time 9/2\n0 1 1 replace\ntime 11/2\n1 2 1\ntime 7\n0 2 1 replace\nend 19/2\n")

/* Transfers that stay as far apart as they were keep the order of a receipt before a send, and of
 * two results. Only the transfer after them moves: 2 → 3 to time 0, and 0 → 2 to the time at which
 * node 2 can receive again. */
static void test_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text, *compacted;
    } cases[] = {
        {RECEIVED, FLIGHT("4", "reduce 1 3 *\ntime 0\n0 1 1\n2 3 1\ntime 1\n2 1 1\ntime 3/2\n"
                               "1 3 1\ntime 5/2\n1 3 1 received\nend 5\n")},
        {REPLACED, FLIGHT("3", "reduce 1 * *\ntime 0\n1 0 1\ntime 1\n2 0 1\ntime 7/2\n"
                               "0 1 1 replace\ntime 9/2\n0 1 1 replace\ntime 11/2\n1 2 1\n"
                               "time 13/2\n0 2 1 replace\nend 9\n")},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        running("case %u", which);
        exchange_lab_schedule(cases[which].text, &schedule);
        support_true(verify_schedule("s", &schedule, &report, &err), &err);
        support_true(compacted(MODEL_POSTAL, &schedule, &err), &err);
        support_true(verify_schedule("s", &schedule, &report, &err), &err);
        char *text = support_text(&schedule);
        assert_string_equal(text, cases[which].compacted);
        free(text);
        schedule_free(&schedule);
    }
}

/* Under another λ the transfers cannot stay apart, and would have to share a time. */
static void test_not_apart(void **state)
{
    (void)state;
    static const char *const texts[] = {RECEIVED, REPLACED};
    for (unsigned which = 0; which < sizeof texts / sizeof *texts; which++) {
        struct schedule schedule;
        struct err err = {0};
        exchange_lab_schedule(texts[which], &schedule);
        struct rounds_rules rules = compact_rules_of(&schedule);
        rules.lambda = (struct rational){7, 2};
        assert_false(compact_schedule("s", &rules, &schedule, &err));
        support_error(&err, ERR_UNSUPPORTED,
                      which == 0 ? "s:7: nodes combine what they send each other in one round, "
                                   "which postal does not allow; expected another model"
                                 : "s:11: nodes combine what they send each other in one round");
        schedule_free(&schedule);
    }
}

/* Checks the steps at the end of a schedule. */
static void check_steps(const struct schedule *schedule, const char *steps)
{
    char *text = support_text(schedule);
    const size_t end = strlen(text), length = strlen(steps);
    assert_true(end > length);
    assert_string_equal(text + end - length, steps);
    free(text);
}

/* Node 1 sends its contribution while that of node 2 arrives. */
#define PAIR FLIGHT("3", "reduce 1 * 0\ntime 4\n2 1 1\ntime 9/2\n1 0 1\nend 7\n")

/* Schedules whose packets are sent while others arrive, under rules that are, or are not, those of
 * the schedule. */
static void test_rules(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum model model;
        struct rational lambda;
        uint32_t ports;
        const char *steps;
    } cases[] = {
        {PAIR, MODEL_POSTAL, {5, 2}, 1, "time 0\n2 1 1\ntime 1/2\n1 0 1\nend 3\n"},
        {PAIR, MODEL_POSTAL, {5, 2}, 2, "time 0\n2 1 1\ntime 1/2\n1 0 1\nend 3\n"},
        {PAIR, MODEL_POSTAL, {3, 1}, 1, "time 0\n2 1 1\n1 0 1\nend 3\n"},
        {PAIR, MODEL_SEND_RECEIVE, {1, 1}, 1, "round 1\n2 1 1\n1 0 1\nend 1\n"},
        /* the end stays, but node 4 sends earlier: node 2 has sent before at time 1 */
        {FLIGHT("5", "reduce 1 3 *\ntime 0\n0 1 1\ntime 1\n2 1 1\ntime 3/2\n1 3 1\ntime 2\n"
                     "4 2 1\ntime 5/2\n1 3 1 received\nend 5\n"),
         MODEL_POSTAL,
         {5, 2},
         1,
         "time 0\n0 1 1\ntime 1\n2 1 1\n4 2 1\ntime 3/2\n1 3 1\ntime 5/2\n1 3 1 received\n"
         "end 5\n"},
        /* the ports do not permit the schedule, so that a later end replaces it: node 0 sends twice
         * within 1/2 */
        {FLIGHT("3", "reduce 1 * *\ntime 0\n0 1 1\ntime 1/2\n0 2 1\n1 2 1\nend 3\n"),
         MODEL_POSTAL,
         {5, 2},
         1,
         "time 0\n0 1 1\ntime 1/2\n1 2 1\ntime 3/2\n0 2 1\nend 4\n"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        struct err err = {0};
        running("case %u", which);
        exchange_lab_schedule(cases[which].text, &schedule);
        struct rounds_rules rules = compact_rules_of(&schedule);
        rules.model = cases[which].model;
        rules.lambda = cases[which].lambda;
        rules.ports = cases[which].ports;
        support_true(compact_schedule("s", &rules, &schedule, &err), &err);
        check_steps(&schedule, cases[which].steps);
        schedule_free(&schedule);
    }
}

#define CUBE(rest) "roundcast-schedule 1\nalgorithm a\ntopology hypercube 2\nmodel all-port\n" rest
#define CONTROL "demand 1 0 *\ncontrol 2 0 1 1 nodes 0\ncontrol 3 0 2 1 nodes 0 from 2\n"

/* Packets of one schedule that are combined, that are not, and that carry numbers. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text, *steps; /* NULL: rejected, with the text */
        enum err_code code;
        const char *part;
    } cases[] = {
        /* node 1 sends two packets, and node 0 receives two */
        {HEAD "reduce 1 0 *\ndemand 2 1 2\nround 2\n1 0 1\nround 4\n1 2 2\nround 5\n2 0 1\nend 5\n",
         "round 1\n1 0 1\nround 2\n1 2 2\n2 0 1\nend 2\n", 0, NULL},
        /* the network combines the contributions to packet 1, but not packets 2 and 3 */
        {"roundcast-schedule 1\nalgorithm a\ntopology complete 3\nmodel fabric-reduction\n"
         "reduce 1 0 *\ndemand 2 1 0\ndemand 3 2 0\nround 1\n1 0 1\nround 2\n2 0 1\nround 3\n"
         "1 0 2\nround 4\n2 0 3\nend 4\n",
         "round 1\n1 0 1\n2 0 1\nround 2\n1 0 2\nround 3\n2 0 3\nend 3\n", 0, NULL},
        /* packet 3 has the number of packet 2, which starts at the same node: it follows it */
        {CUBE(CONTROL "round 3\n0 1 2\nround 5\n0 2 3\nend 5\n"),
         "round 1\n0 1 2\nround 2\n0 2 3\nend 2\n", 0, NULL},
        {CUBE(CONTROL "round 3\n0 1 2\n0 2 3\nend 3\n"), NULL, ERR_EARLY,
         "s:10: node 0 sends packet 3, whose value is made of packet 2, which it does not have; "
         "expected it earlier"},
        {CUBE(CONTROL "round 3\n0 2 3\nround 4\n0 1 2\nend 4\n"), NULL, ERR_EARLY,
         "s:9: node 0 sends packet 3, whose value is made of packet 2"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        struct err err = {0};
        running("case %u", which);
        exchange_lab_schedule(cases[which].text, &schedule);
        const bool done = compacted(schedule.model, &schedule, &err);
        if (cases[which].steps == NULL) {
            assert_false(done);
            support_error(&err, cases[which].code, cases[which].part);
        } else {
            support_true(done, &err);
            check_steps(&schedule, cases[which].steps);
        }
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stretched), cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_exchanges), cmocka_unit_test(test_too_near),
        cmocka_unit_test(test_apart),     cmocka_unit_test(test_not_apart),
        cmocka_unit_test(test_rules),     cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
