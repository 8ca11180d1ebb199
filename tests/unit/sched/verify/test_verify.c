/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify: the verifier of schedules.
 *
 * State space: each rule, in each model, kept and broken. Exhaustive: for every rule and model a
 * small schedule that breaks just this rule, rejected with the exact code, line, round and node;
 * next to it the nearest schedule that keeps the rule, which passes. All placements of two
 * transfers in one round on four nodes, against the rules written out again here. Sampled, with the
 * seed below: generated broadcasts in which a transfer carries another packet, or two transfers are
 * swapped, compared with a slow judge. Both representations of the held packets.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/schedule/held.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240301)

static void read_text(const char *text, struct schedule *schedule)
{
    struct err err = {0};
    support_true(support_read(text, "b.sched", schedule, &err), &err);
}

struct judged {
    const char *model;
    const char *demands;
    const char *rounds;
    enum err_code code; /* ERR_NONE: holds */
    uint64_t further;
    const char *text; /* the whole message */
};

/* 10 nodes; the demands begin on line 5. */
static const struct judged cases[] = {
    /* one-port: send-receive */
    {"send-receive", "demand 1 0 1\n", "round 1\n0 1 1\nend 1\n", ERR_NONE, 0, ""},
    {"send-receive", "demand 1-2 0 1,2\n",
     "round 1\n0 1 1\nround 2\n0 1 2\n1 2 1\nround 3\n1 2 2\nend 3\n", ERR_NONE, 0, ""},
    {"send-receive", "demand 1 0 1\n", "round 1\n0 1 1\n0 2 1\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:8: round 1: node 0 sends packets 1 and 1; at most 1 per round"},
    {"send-receive", "demand 1 0 5\ndemand 2-8 2 *\ndemand 9 3 *\n",
     "round 3\n0 5 1\n3 5 9\nend 3\n", ERR_ONE_PORT, 71,
     "b.sched:10: round 3: node 5 receives packets 1 and 9; at most 1 per round"},
    {"send-receive", "demand 1 0 1\ndemand 2 1 0\ndemand 3 2 0\n",
     "round 1\n0 1 1\n1 0 2\n\n# twice\n2 0 3\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:13: round 1: node 0 receives packets 2 and 3; at most 1 per round"},
    /* … sends and receives in the other direction in between do not count */
    {"send-receive", "demand 1 1 0\ndemand 2 0 2\ndemand 3 3 0\n",
     "round 1\n1 0 1\n0 2 2\n3 0 3\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:11: round 1: node 0 receives packets 1 and 3; at most 1 per round"},
    {"send-receive", "demand 1 0 1\ndemand 2 2 0\ndemand 3 0 3\n",
     "round 1\n0 1 1\n2 0 2\n0 3 3\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:11: round 1: node 0 sends packets 1 and 3; at most 1 per round"},

    /* not-held: never, and not before the next round */
    {"send-receive", "demand 1 0 2\n", "round 1\n0 1 1\nround 2\n1 2 1\nend 2\n", ERR_NONE, 0, ""},
    {"send-receive", "demand 1 0 2\n", "round 1\n0 1 1\n1 2 1\nend 1\n", ERR_NOT_HELD, 0,
     "b.sched:8: round 1: node 1 sends packet 1, which it does not hold; expected it to arrive in "
     "an earlier "
     "round"},
    {"send-receive", "demand 1 0 2\n", "round 4\n1 2 1\n0 1 1\nend 4\n", ERR_NOT_HELD, 0,
     "b.sched:7: round 4: node 1 sends packet 1, which it does not hold; expected it to arrive in "
     "an earlier "
     "round"},
    {"telephone", "demand 1 0 2\ndemand 2 1 2\n", "round 1\n1 2 2\nround 2\n2 0 1\nend 2\n",
     ERR_NOT_HELD, 1,
     "b.sched:10: round 2: node 2 sends packet 1, which it does not hold; expected it to arrive in "
     "an "
     "earlier "
     "round"},

    /* unmet: reported at the `end` line, with the first packet and node of the first demand */
    {"telegraph", "demand 1 0 0\n", "end 0\n", ERR_NONE, 0, ""},
    {"telegraph", "demand 1 0 0,3\n", "end 0\n", ERR_UNMET, 0,
     "b.sched:6: after round 0: node 3 has not received packet 1; the demand wants it there"},
    {"telegraph", "demand 1-3 0 *\n", "round 2\n0 1 2\nround 7\n0 1 1\nend 7\n", ERR_UNMET, 24,
     "b.sched:10: after round 7: node 2 has not received packet 1; the demand wants it there"},
    {"send-receive", "demand 1 0 1\ndemand 2 0 1,4\n", "round 1\n0 1 1\nround 2\n0 1 2\nend 2\n",
     ERR_UNMET, 0,
     "b.sched:11: after round 2: node 4 has not received packet 2; the demand wants it there"},

    /* a packet that returns to its source meets no demand */
    {"telegraph", "demand 1 0 0,1,2\n", "round 1\n0 1 1\nround 2\n1 0 1\nend 2\n", ERR_UNMET, 0,
     "b.sched:10: after round 2: node 2 has not received packet 1; the demand wants it there"},
    /* nor does a packet that arrives twice */
    {"telegraph", "demand 1 0 1,2\n", "round 1\n0 1 1\nround 2\n0 1 1\nend 2\n", ERR_UNMET, 0,
     "b.sched:10: after round 2: node 2 has not received packet 1; the demand wants it there"},

    /* pairing: telephone */
    {"telephone", "demand 1 0 1\ndemand 2 1 0\n", "round 1\n0 1 1\n1 0 2\nend 1\n", ERR_NONE, 0,
     ""},
    {"telephone", "demand 1 0 1\ndemand 2 2 0\n", "round 1\n0 1 1\n2 0 2\nend 1\n", ERR_PAIRING, 0,
     "b.sched:9: round 1: node 0 is paired with nodes 1 and 2; at most 1 partner per round"},
    {"telephone", "demand 1 0 1\ndemand 2 1 2\n", "round 1\n0 1 1\n1 2 2\nend 1\n", ERR_PAIRING, 0,
     "b.sched:9: round 1: node 1 is paired with nodes 0 and 2; at most 1 partner per round"},
    {"telephone", "demand 1 0 1\ndemand 2 2 1\n", "round 1\n0 1 1\n2 1 2\nend 1\n", ERR_PAIRING, 0,
     "b.sched:9: round 1: node 1 is paired with nodes 0 and 2; at most 1 partner per round"},
    {"telephone", "demand 1-2 0 1\n", "round 1\n0 1 1\n0 1 2\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:8: round 1: node 0 sends packets 1 and 2; at most 1 per round"},

    /* half-duplex: telegraph */
    {"telegraph", "demand 1 0 1\ndemand 2 2 3\n", "round 1\n0 1 1\n2 3 2\nend 1\n", ERR_NONE, 0,
     ""},
    {"telegraph", "demand 1 0 1\ndemand 2 1 0\n", "round 1\n0 1 1\n1 0 2\nend 1\n", ERR_HALF_DUPLEX,
     0,
     "b.sched:9: round 1: node 1 sends packet 2 and receives packet 1; only one of both per round"},
    {"telegraph", "demand 1 0 1\ndemand 2 2 0\n", "round 1\n0 1 1\n2 0 2\nend 1\n", ERR_HALF_DUPLEX,
     0,
     "b.sched:9: round 1: node 0 sends packet 1 and receives packet 2; only one of both per round"},
    {"telegraph", "demand 1 0 1\n", "round 1\n0 1 1\n0 2 1\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:8: round 1: node 0 sends packets 1 and 1; at most 1 per round"},
    {"telegraph", "demand 1 0 1\ndemand 2 2 1\n", "round 1\n0 1 1\n2 1 2\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:9: round 1: node 1 receives packets 1 and 2; at most 1 per round"},

    /* fabric-multicast: one packet to many */
    {"fabric-multicast", "demand 1 0 1,2,5\ndemand 2 1 0\n",
     "round 1\n0 1 1\n1 0 2\n0 2 1\n0 5 1\nend 1\n", ERR_NONE, 0, ""},
    {"fabric-multicast", "demand 1-2 0 1,2\n",
     "round 1\n0 1 1\n0 2 1\nround 2\n0 1 2\n0 2 2\nend 2\n", ERR_NONE, 0, ""},
    {"fabric-multicast", "demand 1 0 1\ndemand 2 0 2\n", "round 1\n0 1 1\n0 2 2\nend 1\n",
     ERR_ONE_PORT, 0, "b.sched:9: round 1: node 0 sends packets 1 and 2; at most 1 per round"},
    {"fabric-multicast", "demand 1 0 1,2\ndemand 2 0 3\n", "round 1\n0 1 1\n0 2 1\n0 3 2\nend 1\n",
     ERR_ONE_PORT, 0, "b.sched:10: round 1: node 0 sends packets 1 and 2; at most 1 per round"},
    {"fabric-multicast", "demand 1 0 1\ndemand 2 2 1\n", "round 1\n0 1 1\n2 1 2\nend 1\n",
     ERR_ONE_PORT, 0, "b.sched:9: round 1: node 1 receives packets 1 and 2; at most 1 per round"},
    {"fabric-multicast", "demand 1 0 1\n", "round 1\n0 1 1\n0 1 1\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:8: round 1: node 1 receives packets 1 and 1; at most 1 per round"},
    {"fabric-multicast", "demand 1 0 1,2\n", "round 1\n0 1 1\n1 2 1\nend 1\n", ERR_NOT_HELD, 0,
     "b.sched:8: round 1: node 1 sends packet 1, which it does not hold; expected it to arrive in "
     "an earlier "
     "round"},
    {"fabric-multicast", "demand 1 0 1,2\n", "round 1\n0 1 1\nend 1\n", ERR_UNMET, 0,
     "b.sched:8: after round 1: node 2 has not received packet 1; the demand wants it there"},

    /* fabric-reduction: one combined packet of many */
    {"fabric-reduction", "reduce 1 0 0,1,2,5\ndemand 2 0 1\n",
     "round 1\n1 0 1\n0 1 2\n2 0 1\n5 0 1\nend 1\n", ERR_NONE, 0, ""},
    {"fabric-reduction", "reduce 1 0 0,1,2\nreduce 2 3 3,4,5\n",
     "round 1\n1 0 1\n4 3 2\n2 0 1\n5 3 2\nend 1\n", ERR_NONE, 0, ""},
    {"send-receive", "reduce 1 0 0,1,2\n", "round 1\n1 0 1\n2 0 1\nend 1\n", ERR_ONE_PORT, 0,
     "b.sched:8: round 1: node 0 receives packets 1 and 1; at most 1 per round"},
    {"fabric-reduction", "reduce 1 0 0,1,2\n", "round 1\n1 0 1\n1 2 1\nend 1\n", ERR_ONE_PORT, 1,
     "b.sched:8: round 1: node 1 sends packets 1 and 1; at most 1 per round"},
    {"fabric-reduction", "reduce 1-2 0 0,1,2\n",
     "round 1\n1 0 1\n2 0 2\nround 2\n1 0 2\n2 0 1\nend 2\n", ERR_ONE_PORT, 1,
     "b.sched:8: round 1: node 0 receives packets 1 and 2; at most 1 per round"},
    {"fabric-reduction", "reduce 1 0 0,1,2,3\ndemand 2 4 0\n",
     "round 1\n1 0 1\n4 0 2\n2 0 1\nround 2\n3 0 1\nend 2\n", ERR_ONE_PORT, 1,
     "b.sched:9: round 1: node 0 receives packets 1 and 2; at most 1 per round"},
    {"fabric-reduction", "demand 1 0 1,2,3\n",
     "round 1\n0 1 1\nround 2\n0 2 1\n1 3 1\nround 3\n1 4 1\n2 4 1\nend 3\n", ERR_ONE_PORT, 0,
     "b.sched:13: round 3: node 4 receives packets 1 and 1; at most 1 per round"},
    {"fabric-reduction", "reduce 1 0 0,1,2\n",
     "round 1\n1 0 1\n2 0 1\nround 2\n0 3 1 \nround 3\n0 4 1 replace\n3 4 1 replace\nend 3\n",
     ERR_ONE_PORT, 0, "b.sched:13: round 3: node 4 receives packets 1 and 1; at most 1 per round"},
    {"fabric-reduction", "reduce 1 0 0,1,2,3\n", "round 1\n1 0 1\n2 0 1\nend 1\n", ERR_UNCOUNTED, 0,
     "b.sched:9: after round 1: the result of packet 1 at node 0 lacks the contribution of node 3; "
     "expected it once"},

    /* fabric-all-reduce: copies of one packet, or one combined packet of many, but not both */
    {"fabric-all-reduce", "reduce 1 0 0,1,2\ndemand 2 0 1,2\n",
     "round 1\n1 0 1\n0 1 2\n2 0 1\n0 2 2\nend 1\n", ERR_NONE, 0, ""},
    {"fabric-all-reduce", "reduce 1 0 0,1,2\n",
     "round 1\n1 0 1\n2 0 1\nround 2\n0 1 1 replace\n0 2 1 replace\nend 2\n", ERR_NONE, 0, ""},
    {"fabric-all-reduce", "reduce 1 0 0,1,2\nreduce 2 3 0,3\n",
     "round 1\n1 0 1\n2 0 1\nround 2\n0 3 2\nend 2\n", ERR_NONE, 0, ""},
    {"fabric-all-reduce", "reduce 1 0 2,3\n", "round 1\n2 0 1\n3 0 1\n2 1 1\n3 1 1\nend 1\n",
     ERR_ONE_PORT, 1,
     "b.sched:9: round 1: node 2 sends packet 1 to several nodes, of which node 0 receives it from "
     "several; expected packets that the network copies or combines, not both"},
    {"fabric-all-reduce", "reduce 1 0 1,2\n", "round 1\n1 0 1\n1 3 1\n2 0 1\nend 1\n", ERR_ONE_PORT,
     0,
     "b.sched:9: round 1: node 1 sends packet 1 to several nodes, of which node 0 receives it from "
     "several; expected packets that the network copies or combines, not both"},
    {"fabric-all-reduce", "demand 1 0 2\ndemand 2 1 2\n", "round 1\n0 2 1\n1 2 2\nend 1\n",
     ERR_ONE_PORT, 0, "b.sched:9: round 1: node 2 receives packets 1 and 2; at most 1 per round"},
    {"fabric-all-reduce", "demand 1 0 2\ndemand 2 0 1\n", "round 1\n0 2 1\n0 1 2\nend 1\n",
     ERR_ONE_PORT, 0, "b.sched:9: round 1: node 0 sends packets 1 and 2; at most 1 per round"},
};

/* The same in the postal model with λ = 5/2. */
static const struct judged postal_cases[] = {
    {"postal 5/2", "demand 1 0 1\n", "time 0\n0 1 1\nend 5/2\n", ERR_NONE, 0, ""},
    {"postal 5/2", "demand 1-2 0 1\n", "time 1/2\n0 1 2\ntime 3/2\n0 1 1\nend 4\n", ERR_NONE, 0,
     ""},
    {"postal 5/2", "demand 1-2 0 1\n", "time 1/2\n0 1 2\ntime 1\n0 1 1\nend 7/2\n", ERR_ONE_PORT, 0,
     "b.sched:9: time 1: node 0 sends packet 1 less than 1 after packet 2 of time 1/2; at most 1 "
     "at a time"},
    {"postal 5/2", "demand 1-2 0 1\n", "time 0\n0 1 2\n0 1 1\nend 5/2\n", ERR_ONE_PORT, 0,
     "b.sched:8: time 0: node 0 sends packet 1 less than 1 after packet 2 of time 0; at most 1 at "
     "a time"},
    {"postal 5/2", "demand 1 0 1\ndemand 2 2 1\n", "time 0\n0 1 1\ntime 1\n2 1 2\nend 7/2\n",
     ERR_NONE, 0, ""},
    {"postal 5/2", "demand 1 0 1\ndemand 2 2 1\n", "time 0\n0 1 1\ntime 1/2\n2 1 2\nend 3\n",
     ERR_ONE_PORT, 0,
     "b.sched:10: time 1/2: node 1 receives packet 2 less than 1 after packet 1 of time 0; at most "
     "1 at a "
     "time"},
    {"postal 5/2", "demand 1 0 2\n", "time 0\n0 1 1\ntime 5/2\n1 2 1\nend 5\n", ERR_NONE, 0, ""},
    {"postal 5/2", "demand 1 0 2\n", "time 0\n0 1 1\ntime 2\n1 2 1\nend 9/2\n", ERR_NOT_HELD, 0,
     "b.sched:9: time 2: node 1 sends packet 1, which it does not hold; expected it to arrive by "
     "then"},
    {"postal 5/2", "demand 1 0 2\n", "time 0\n0 1 1\nend 5/2\n", ERR_UNMET, 0,
     "b.sched:8: after time 5/2: node 2 has not received packet 1; the demand wants it there"},
    /* sending and receiving do not conflict */
    {"postal 5/2", "demand 1 0 1\ndemand 2 1 0\n", "time 0\n0 1 1\n1 0 2\nend 5/2\n", ERR_NONE, 0,
     ""},
    {"postal 1", "demand 1 0 2\n", "time 0\n0 1 1\ntime 1\n1 2 1\nend 2\n", ERR_NONE, 0, ""},

    /* copies: of one packet at one time */
    {"fabric-postal 5/2", "demand 1-2 0 1,2\n",
     "time 0\n0 1 1\n0 2 1\ntime 1\n0 1 2\n0 2 2\nend 7/2\n", ERR_NONE, 0, ""},
    {"postal 5/2", "demand 1 0 1,2\n", "time 0\n0 1 1\n0 2 1\nend 5/2\n", ERR_ONE_PORT, 0,
     "b.sched:8: time 0: node 0 sends packet 1 less than 1 after packet 1 of time 0; at most 1 at "
     "a time"},
    {"fabric-postal 5/2", "demand 1 0 1,2\n", "time 0\n0 1 1\ntime 1/2\n0 2 1\nend 3\n",
     ERR_ONE_PORT, 0,
     "b.sched:9: time 1/2: node 0 sends packet 1 less than 1 after packet 1 of time 0; at most 1 "
     "at a time"},
    {"fabric-postal 5/2", "demand 1 0 1\ndemand 2 0 2\n", "time 0\n0 1 1\n0 2 2\nend 5/2\n",
     ERR_ONE_PORT, 0,
     "b.sched:9: time 0: node 0 sends packet 2 less than 1 after packet 1 of time 0; at most 1 at "
     "a time"},
    {"fabric-postal 5/2", "demand 1 0 1\ndemand 2 2 1\n", "time 0\n0 1 1\ntime 1/2\n2 1 2\nend 3\n",
     ERR_ONE_PORT, 0,
     "b.sched:10: time 1/2: node 1 receives packet 2 less than 1 after packet 1 of time 0; at most "
     "1 at a "
     "time"},
    {"fabric-postal 5/2", "demand 1 0 1,2\n", "time 0\n0 1 1\ntime 2\n1 2 1\nend 9/2\n",
     ERR_NOT_HELD, 0,
     "b.sched:9: time 2: node 1 sends packet 1, which it does not hold; expected it to arrive by "
     "then"},
};

static void judge_all(const struct judged all[], size_t count)
{

    for (size_t which = 0; which < count; which++) {
        const struct judged *judged = &all[which];
        char text[500];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete 10\nmodel %s\n%s%s",
                 judged->model, judged->demands, judged->rounds);
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        read_text(text, &schedule);
        bool holds = verify_schedule("b.sched", &schedule, &report, &err);
        support_verdict(which, holds, &err, judged->code, judged->further, judged->text);
        schedule_free(&schedule);
    }
}

static void test_rules(void **state)
{
    (void)state;
    judge_all(cases, sizeof cases / sizeof *cases);
    judge_all(postal_cases, sizeof postal_cases / sizeof *postal_cases);
}

/* Wants two breaches. */
static bool count_two(void *with, const struct err *breach)
{
    unsigned *seen = with;
    assert_int_equal(breach->code, ERR_ONE_PORT);
    return ++*seen < 2;
}

/* Breaches are shown until the visitor has seen enough; all are counted. */
static void test_visitor(void **state)
{
    (void)state;
    unsigned seen = 0;
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    read_text("roundcast-schedule 1\nalgorithm x\ntopology complete 6\nmodel send-receive\n"
              "demand 1 0 *\nround 1\n0 1 1\n0 2 1\n0 3 1\n0 4 1\n0 5 1\nend 1\n",
              &schedule);
    assert_false(verify_each("b.sched", &schedule, count_two, &seen, &report, &err));
    assert_int_equal(seen, 2);
    assert_int_equal(err.further, 3);
    schedule_free(&schedule);
}

/* Returns whether two transfers are allowed in one round, by the rules of docs/concepts.md. */
static bool may_meet(enum model model, const struct transfer *a, const struct transfer *b)
{
    bool send_twice = a->source == b->source, receive_twice = a->destination == b->destination;
    bool same_pair = a->source == b->destination && a->destination == b->source;
    bool apart =
        !send_twice && !receive_twice && a->source != b->destination && a->destination != b->source;
    switch (model) {
    case MODEL_TELEPHONE:
        return apart || same_pair;
    case MODEL_TELEGRAPH:
        return apart;
    case MODEL_FABRIC_MULTICAST:
        return (!send_twice || a->packet == b->packet) && !receive_twice;
    default:
        return !send_twice && !receive_twice;
    }
}

/* Checks two transfers in one round, of packets 1 and 2, or both of packet 1. */
static void check_pair(enum model model, const struct transfer *a, const struct transfer *b)
{
    uint32_t both[2] = {MIN(a->destination, b->destination), MAX(a->destination, b->destination)};
    bool same = a->packet == b->packet;
    struct demand demand[2] = {{.first_packet = 1,
                                .last_packet = 1,
                                .source = a->source,
                                .wanted_count = same ? 2 : 1,
                                .wanted = same ? both : (uint32_t *)(uintptr_t)&a->destination},
                               {.first_packet = 2,
                                .last_packet = 2,
                                .source = b->source,
                                .wanted_count = 1,
                                .wanted = (uint32_t *)(uintptr_t)&b->destination}};
    struct transfer transfer[2] = {*a, *b};
    struct step step = {1, 0};
    struct schedule schedule = {.nodes = 4,
                                .topology = topology_complete(4),
                                .packets = same ? 1 : 2,
                                .model = model,
                                .lambda = {1, 1},
                                .demand_count = same ? 1 : 2,
                                .demand = demand,
                                .step_count = 1,
                                .step = &step,
                                .transfer_count = 2,
                                .transfer = transfer,
                                .end = 1};
    struct verify_report report;
    struct err err = {0};
    bool holds = verify_schedule("x", &schedule, &report, &err);
    if (holds != may_meet(model, a, b))
        fail_msg("%s: %u→%u: %u with %u→%u: %u: %s", model_name(model), a->source, a->destination,
                 a->packet, b->source, b->destination, b->packet, holds ? "holds" : err.text);
    assert_int_equal(report.arrivals, same && a->destination == b->destination ? 1 : 2);
}

static void test_all_pairs_of_transfers(void **state)
{
    (void)state;
    enum { NODES = 4 };
    static const enum model models[] = {MODEL_SEND_RECEIVE, MODEL_TELEPHONE, MODEL_TELEGRAPH,
                                        MODEL_FABRIC_MULTICAST};
    for (unsigned code = 0; code < 4 * NODES * NODES * NODES * NODES; code++) {
        enum model model = models[code % 4];
        uint32_t rest = code / 4;
        struct transfer a = {rest % NODES, rest / NODES % NODES, 1};
        struct transfer b = {rest / NODES / NODES % NODES, rest / NODES / NODES / NODES, 2};
        if (a.source == a.destination || b.source == b.destination)
            continue;
        check_pair(model, &a, &b);
        b.packet = 1;
        if (a.source == b.source) /* else one of them does not hold it */
            check_pair(model, &a, &b);
    }
}

static void build(struct schedule *schedule, uint32_t n, uint32_t m)
{
    struct err err = {0};
    struct collective collective = {.n = n, .m = m, .source = n / 3, .model = MODEL_SEND_RECEIVE};
    const struct algorithm *algorithm = algorithm_find("circulant", &err);
    assert_non_null(algorithm);
    assert_true(algorithm_build(algorithm, &collective, schedule, &err));
}

/* A transfer that carries another packet leaves a packet missing, so the schedule is never
 * legal. */
static void test_other_packet(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    build(&schedule, 22, 8);
    for (size_t gone = 0; gone < schedule.transfer_count; gone++) {
        struct verify_report report;
        struct err err = {0};
        struct transfer lost = schedule.transfer[gone], *twin = &schedule.transfer[gone];
        size_t k = schedule_step_of(&schedule, gone);
        if (lost.packet == 1 && k == 0)
            continue;
        *twin = (struct transfer){lost.source, lost.destination, lost.packet == 1 ? 2 : 1};
        assert_false(verify_schedule("x", &schedule, &report, &err));
        assert_true(err.code == ERR_NOT_HELD || err.code == ERR_UNMET);
        *twin = lost;
        assert_true(verify_schedule("x", &schedule, &report, &err));
    }
    schedule_free(&schedule);
}

/* Applies the rules again to small broadcasts, without stamps, bit sets or a first breach. */
static bool slow_judge(const struct schedule *s)
{
    bool *held = calloc((size_t)s->nodes * (s->packets + 1), sizeof *held);
    bool *before = calloc((size_t)s->nodes * (s->packets + 1), sizeof *held);
    size_t size = (size_t)s->nodes * (s->packets + 1) * sizeof *held;
    bool legal = true;
    for (uint32_t packet = 1; packet <= s->packets; packet++)
        held[s->demand[0].source * (s->packets + 1) + packet] = true;
    for (size_t k = 0; k < s->step_count; k++) {
        memcpy(before, held, size);
        for (size_t a = s->step[k].first; a < schedule_step_end(s, k); a++) {
            const struct transfer *t = &s->transfer[a];
            legal = legal && before[t->source * (s->packets + 1) + t->packet];
            held[t->destination * (s->packets + 1) + t->packet] = true;
            for (size_t b = s->step[k].first; b < a; b++)
                legal = legal && may_meet(s->model, &s->transfer[b], t);
        }
    }
    for (uint32_t node = 0; node < s->nodes; node++)
        for (uint32_t packet = 1; packet <= s->packets; packet++)
            legal = legal && held[node * (s->packets + 1) + packet];
    free(held);
    free(before);
    return legal;
}

static void test_random_damage(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct rng rng = {SEED};
    unsigned legal = 0, illegal = 0;
    for (unsigned trial = 0; trial < 3000; trial++) {
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        build(&schedule, 2 + rng_below(&rng, 6), 1 + rng_below(&rng, 4));
        size_t a = rng_below(&rng, (uint32_t)schedule.transfer_count);
        size_t b = rng_below(&rng, (uint32_t)schedule.transfer_count);
        struct transfer swap = schedule.transfer[a];
        if (trial % 2 == 0) {
            schedule.transfer[a] = schedule.transfer[b];
            schedule.transfer[b] = swap;
        } else {
            schedule.transfer[a].packet = schedule.transfer[b].packet;
            schedule.transfer[b].packet = swap.packet;
        }
        schedule.model = (enum model)(trial / 2 % MODEL_POSTAL);
        bool holds = verify_schedule("x", &schedule, &report, &err);
        assert_int_equal(holds, slow_judge(&schedule));
        legal += holds;
        illegal += !holds;
        schedule_free(&schedule);
    }
    assert_true(legal > 50 && illegal > 50); /* both verdicts are reached */
}

/* A header that claims 2^51 pairs is verified in memory proportional to its transfers. */
static void test_huge_header(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    read_text("roundcast-schedule 1\nalgorithm none\ntopology complete 16777216\nmodel telephone\n"
              "demand 1-134217728 5 *\nround 1\n5 0 1\nround 2\n0 1 1\nend 2\n",
              &schedule);
    assert_false(verify_schedule("b.sched", &schedule, &report, &err));
    assert_int_equal(err.code, ERR_UNMET);
    assert_string_equal(
        err.text,
        "b.sched:10: after round 2: node 2 has not received packet 1; the demand wants it there");
    assert_int_equal(err.further, 134217728ull * 16777215ull - 3);
    assert_int_equal(report.arrivals, 2);
    schedule_free(&schedule);

    /* A scatter of few packets out of many is legal. */
    read_text(
        "roundcast-schedule 1\nalgorithm none\ntopology complete 16777216\nmodel send-receive\n"
        "demand 1-134217728 5 5\nround 1\n5 7 100\nround 2\n7 9 100\nend 2\n",
        &schedule);
    assert_true(verify_schedule("b.sched", &schedule, &report, &err));
    schedule_free(&schedule);
}

/* Bits and hash table agree. */
static void test_held(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct held bits, hash;
    struct err err = {0};
    enum { NODES = 1 << 20, PACKETS = 1 << 12, PAIRS = 5000 };
    assert_true(held_init(&bits, NODES, PACKETS / 4, PAIRS, &err));
    assert_true(held_init(&hash, NODES, PACKETS, PAIRS, &err));
    assert_int_equal(bits.hash_bits, 0);
    assert_int_not_equal(hash.hash_bits, 0);
    for (unsigned count = 0; count < PAIRS; count++) {
        uint32_t node = rng_below(&rng, count % 2 == 0 ? 64 : NODES),
                 packet = 1 + rng_below(&rng, PACKETS / 4);
        assert_int_equal(held_test(&bits, node, packet), held_test(&hash, node, packet));
        assert_int_equal(held_add(&bits, node, packet), held_add(&hash, node, packet));
        assert_true(held_test(&bits, node, packet) && held_test(&hash, node, packet));
        assert_false(held_add(&hash, node, packet));
    }
    held_free(&bits);
    held_free(&hash);
}

/* All pairs hash to the last place of a table of 8: later pairs wrap to its front. */
static void test_held_wraps(void **state)
{
    (void)state;
    enum { NODES = 1 << 20, PACKETS = 1 << 12, MOST = 3, PLACES = 8 };
    struct held held;
    struct err err = {0};
    uint32_t node[MOST + 1], found = 0;
    assert_true(held_init(&held, NODES, PACKETS, MOST, &err));
    assert_int_equal(1 << held.hash_bits, PLACES);
    for (uint32_t n = 0; found <= MOST; n++)
        if (held_place(&held, held_pair(&held, n, 1)) == PLACES - 1)
            node[found++] = n;
    for (uint32_t k = 0; k < MOST; k++) {
        assert_int_equal(held_place(&held, held_pair(&held, node[k], 1)),
                         (PLACES - 1 + k) % PLACES);
        assert_true(held_add(&held, node[k], 1));
    }
    for (uint32_t k = 0; k <= MOST; k++)
        assert_int_equal(held_test(&held, node[k], 1), k < MOST);
    held_free(&held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_visitor),
        cmocka_unit_test(test_all_pairs_of_transfers),
        cmocka_unit_test(test_other_packet),
        cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_huge_header),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_held_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
