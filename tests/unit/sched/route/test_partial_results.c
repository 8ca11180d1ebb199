/* SPDX-License-Identifier: Apache-2.0 */
/* test_partial_results: what endpoints and node memories combine, and which schedules they reject.
 *
 * Schedules by hand, each with its counter-case one line away: words of transfers, exclusive scans,
 * packets that leave while they are combined, leaves of several links, and a hypercube node with
 * two results. Which receipts are combined follows from who contributes and from the words.
 * test_reductions and cube_reduce.sh execute such schedules.
 */
#include "sched/machine/machine_address.h"
#include "sched/route/partial_results.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPLETE "complete 4\nmodel send-receive\n"
#define POSTAL(lambda) "complete 4\nmodel postal " lambda "\n"
#define SQUARE "hypercube 2\nmodel all-port\n"
#define TREE "round 1\n2 0 1\n3 1 1\nround 2\n1 0 1\n"

/* Reads a schedule from its text after `topology`. */
static void read_by_hand(const char *body, struct schedule *schedule)
{
    char text[1000];
    struct err err = {0};
    assert_true(snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm x\ntopology %s",
                         body) < (int)sizeof text);
    support_true(support_read(text, "r.sched", schedule, &err), &err);
}

struct judged {
    const char *body;
    const char *text; /* a part of the message; NULL: accepted */
};

static void judge(const struct judged cases[], size_t count,
                  bool (*check)(const char *name, const struct schedule *schedule, struct err *err))
{
    for (size_t which = 0; which < count; which++) {
        struct schedule schedule;
        struct err err = {0};
        read_by_hand(cases[which].body, &schedule);
        const bool held = check("r.sched", &schedule, &err);
        if (held != (cases[which].text == NULL))
            fail_msg("case %zu: %s", which, err.text);
        if (!held)
            support_error(&err, ERR_UNSUPPORTED, "r.sched: ", cases[which].text);
        schedule_free(&schedule);
    }
}

/* Packet 1 reaches node 0 from node 1 at time 0; node 0 sends it at the given time. */
#define SENDS(lambda, time, end) \
    POSTAL(lambda)               \
    "reduce 1 2 0,1,2\ntime 0\n1 0 1\ntime " time "\n0 2 1\nend " end "\n"

/* Checks a schedule for endpoints that keep one partial result of a packet. */
static bool check_one(const char *name, const struct schedule *schedule, struct err *err)
{
    const struct machine machine = {.combines = true};
    return partial_results_check_kept(name, schedule, &machine, err) &&
           partial_results_check(name, schedule, err);
}

/* Checks a schedule for endpoints that keep what they receive apart. */
static bool check_two(const char *name, const struct schedule *schedule, struct err *err)
{
    const struct machine machine = {.combines = true, .keeps_own = true};
    return partial_results_check_kept(name, schedule, &machine, err) &&
           partial_results_check(name, schedule, err);
}

static void an_endpoint_has_one_result(void **unused)
{
    (void)unused;
    static const struct judged cases[] = {
        {COMPLETE "reduce 1 0 *\n" TREE "end 2\n", NULL},
        {COMPLETE "demand 1 0 *\nround 1\n0 1 1\nround 2\n0 2 1\n1 3 1\nend 2\n", NULL},
        {COMPLETE "reduce 1 prefix *\nround 1\n0 1 1\nend 1\n", NULL},
        {COMPLETE "reduce 1 exclusive *\nround 1\n0 1 1\nend 1\n",
         "the result of an exclusive scan is what a node has received"},
        {COMPLETE "demand 1 0 *\nreduce 2 exclusive *\nround 1\n0 1 1\nend 1\n",
         "the result of an exclusive scan"},
        {COMPLETE "reduce 1 0 *\nround 1\n2 0 1 replace\nend 1\n", NULL},
        {COMPLETE "reduce 1 0 *\nround 1\n3 1 1\nround 2\n1 0 1 received\nround 3\n2 0 1\nend 3\n",
         "round 2: node 1 sends what it received of packet 1 without its own contribution"},
        {COMPLETE "reduce 1 0 *\nround 1\n3 1 1\nround 2\n2 0 1\nround 4\n1 0 1 received replace\n"
                  "end 4\n",
         "round 4: node 1 sends what it received of packet 1"}};
    judge(cases, sizeof cases / sizeof *cases, check_one);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        read_by_hand(cases[which].body, &schedule);
        assert_int_equal(partial_results_two(&schedule), cases[which].text != NULL);
        schedule_free(&schedule);
    }
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++)
        judge(&(const struct judged){cases[which].body, NULL}, 1, check_two);
}

/* With λ = 5/2, flits of a receipt that began 3/2 or 2 before are stored while the packet is sent.
 * With an integer λ whole flits lie between both. */
static void a_packet_leaves_before_or_after_a_receipt(void **unused)
{
    (void)unused;
    static const struct judged cases[] = {
        {SENDS("5/2", "1/2", "3"), NULL},
        {SENDS("5/2", "1", "7/2"), NULL},
        {SENDS("5/2", "3/2", "4"), "3/2: node 0 sends packet 1 while it stores a receipt of it"},
        {SENDS("5/2", "2", "9/2"), "2: node 0 sends packet 1 while it stores a receipt of it"},
        {SENDS("5/2", "5/2", "5"), NULL},
        {POSTAL("5/2") "reduce 1 2 0,1,2\ntime 1\n1 0 1\ntime 2\n0 2 1\nend 9/2\n", NULL},
        {POSTAL("5/2") "reduce 1 2 0,1,2\ntime 1\n1 0 1\ntime 5/2\n0 2 1\nend 5\n",
         "5/2: node 0 sends packet 1 while it stores a receipt of it"},
        {POSTAL("3/2") "reduce 1 2 0,1,2\ntime 0\n1 0 1\n0 2 1\nend 3/2\n", NULL},
        {SENDS("3/2", "1/2", "2"), "1/2: node 0 sends packet 1 while it stores a receipt of it"},
        {SENDS("3/2", "1", "5/2"), "1: node 0 sends packet 1 while it stores a receipt of it"},
        {SENDS("3/2", "3/2", "3"), NULL},
        {SENDS("3", "1", "4"), NULL},
        {SENDS("3", "2", "5"), NULL},
        {SENDS("3", "3", "6"), NULL},
        /* another node, or another packet, is no receipt of it */
        {POSTAL("5/2") "reduce 1 2 0,1,2\ntime 0\n1 3 1\ntime 2\n0 2 1\nend 9/2\n", NULL},
        {POSTAL("5/2") "reduce 1-2 2 0,1,2\ntime 0\n1 0 2\ntime 2\n0 2 1\nend 9/2\n", NULL},
        /* of two packets that are sent, the second leaves too early */
        {POSTAL("5/2") "reduce 1 2 0,1,2\ntime 0\n1 0 1\ntime 1\n0 3 1\ntime 2\n0 2 1\nend 9/2\n",
         "2: node 0 sends packet 1"}};
    judge(cases, sizeof cases / sizeof *cases, partial_results_check);
}

static void a_node_memory_has_a_packet_of_each_arc(void **unused)
{
    (void)unused;
    static const struct judged cases[] = {
        {SQUARE "reduce 1 0 *\nround 1\n3 1 1\nround 2\n2 0 1\nround 3\n1 0 1\nend 3\n", NULL},
        {SQUARE "demand 1 0 *\nround 1\n0 1 1\nround 2\n0 1 1\nend 2\n", NULL},
        {SQUARE "demand 1 0 *\nreduce 2 0 *\nround 1\n0 1 1\nround 2\n0 1 1\nend 2\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1\nround 2\n1 0 1\nend 2\n",
         "round 2: node 0 has packet 1 and combines a second packet that arrives over one arc"},
        {SQUARE "reduce 1-2 0 *\nround 1\n1 0 1\nround 2\n1 0 2\nend 2\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1 replace\nround 2\n2 0 1\nend 2\n",
         "round 2: node 0 has packet 1 and combines it with a result that replaced"},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1\nround 2\n1 0 1 replace\nend 2\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1 replace\nround 2\n1 0 1 replace\nend 2\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1 replace\nround 2\n2 0 1 replace\nend 2\n",
         "round 2: node 0 has packet 1 and receives a second result over another arc"},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1\n2 0 1\nround 2\n2 0 1\nend 2\n",
         "combines a second packet that arrives over one arc"}};
    judge(cases, sizeof cases / sizeof *cases, partial_results_check_arcs);
}

/* Leaves 0 and 1, and the router above them, joined by two links each. */
#define LINKS "tree 2 capacity 2\nmodel multiport\nreduce 1-2 0 *\n"

static void a_leaf_has_a_packet_on_one_link(void **unused)
{
    (void)unused;
    static const struct judged cases[] = {
        {LINKS "round 1\n1 1:0 1 0\n1 1:0 2 1\nround 2\n1:0 0 1 1\n1:0 0 2 0\nend 2\n", NULL},
        /* what a leaf received is on its link; another link has its contribution alone */
        {LINKS "round 1\n1:0 0 1 1\nround 2\n0 1:0 1 1\nend 2\n", NULL},
        {LINKS "round 1\n1:0 0 1 0\nround 2\n0 1:0 1 0\nend 2\n", NULL},
        {LINKS "round 1\n1:0 0 1 1\nround 2\n0 1:0 1 0\nend 2\n",
         "round 2: leaf 0 sends packet 1 on link 0, whose partial result is on link 1"},
        {LINKS "round 1\n1:0 0 1 0\nround 2\n0 1:0 1 1\nend 2\n",
         "round 2: leaf 0 sends packet 1 on link 1, whose partial result is on link 0"},
        {LINKS "round 1\n1:0 0 1 0\nround 2\n1:0 0 1 1\nend 2\n",
         "round 2: leaf 0 receives packet 1 on link 1, whose partial result is on link 0"},
        {LINKS "round 1\n1:0 0 1 1\nround 2\n1:0 0 1 1\nend 2\n", NULL},
        /* a contribution is on all links */
        {LINKS "round 1\n0 1:0 1 0\nround 2\n0 1:0 1 1\nend 2\n", NULL},
        /* a result that replaces what is there may arrive on another link, and is then on that */
        {LINKS "round 1\n1:0 0 1 0\nround 2\n1:0 0 1 1 replace\nround 3\n0 1:0 1 1\nend 3\n", NULL},
        {LINKS "round 1\n1:0 0 1 0\nround 2\n1:0 0 1 1 replace\nround 3\n0 1:0 1 0\nend 3\n",
         "round 3: leaf 0 sends packet 1 on link 0, whose partial result is on link 1"},
        /* other leaves, other packets, and packets that are not combined */
        {LINKS "round 1\n1:0 0 1 0\n1:0 1 1 1\nround 2\n1:0 0 2 1\n1 1:0 1 1\nend 2\n", NULL},
        {"tree 2 capacity 2\nmodel multiport\ndemand 1 0 *\nreduce 2 0 *\n"
         "round 1\n1:0 1 1 0\nround 2\n1 1:0 1 1\nend 2\n",
         NULL}};
    judge(cases, sizeof cases / sizeof *cases, partial_results_check_links);
}

/* Lists for each transfer whether the network combines it with an earlier one (m), whether the
 * endpoint combines it (c), and whether a node memory joins it (j); `.` for none. */
static void list(const char *body, char seen[], size_t size)
{
    struct schedule schedule;
    struct partial_results results;
    struct err err = {0};
    size_t at = 0;
    read_by_hand(body, &schedule);
    support_true(partial_results_open(&results, &schedule, false, &err), &err);
    for (size_t k = 0; k < schedule.step_count; k++)
        for (size_t t = schedule.step[k].first; t < schedule_step_end(&schedule, k); t++) {
            const bool meets = partial_results_meet(&results, k, t);
            const bool combines = partial_results_receive(&results, t);
            const bool joins = partial_results_joins(&schedule, t);
            at += (size_t)snprintf(seen + at, size - at, "%s%s%s%s", t > 0 ? " " : "",
                                   meets ? "m" : ".", combines ? "c" : ".", joins ? "j" : ".");
        }
    partial_results_close(&results);
    schedule_free(&schedule);
}

static void receipts_are_combined(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {COMPLETE "reduce 1 0 *\n" TREE "end 2\n", ".cj .cj .cj"},
        /* node 1 does not contribute: it holds nothing before */
        {COMPLETE "reduce 1 0 0,2,3\n" TREE "end 2\n", ".cj ..j .cj"},
        {COMPLETE "reduce 1 0 0,2,3\nround 1\n3 1 1\nround 2\n2 1 1\nround 3\n1 0 1\nend 3\n",
         "..j .cj .cj"},
        {COMPLETE "reduce 1 * *\n" TREE "round 3\n0 1 1 replace\nround 4\n2 1 1\nend 4\n",
         ".cj .cj .cj ... .cj"},
        /* a packet that is not combined, before and after one that is */
        {COMPLETE "demand 1 0 *\nreduce 2 0 *\nround 1\n0 1 1\n1 0 2\nround 2\n0 1 1\nend 2\n",
         "... .cj ..."},
        {COMPLETE "demand 1 0 *\nround 1\n0 1 1\nend 1\n", "..."},
        /* a router is no endpoint */
        {"tree 2 capacity 1\nmodel multiport\nreduce 1-2 0 *\nround 1\n1 1:0 1\nround 2\n1 1:0 2\n"
         "1:0 0 1\nround 3\n1:0 0 2\nend 3\n",
         "..j ..j .cj .cj"},
        /* the network combines what one node receives in a round */
        {"complete 4\nmodel fabric-reduction\nreduce 1-2 0 *\n"
         "round 1\n1 0 1\n2 0 1\n3 0 1\nround 2\n1 0 2\n2 0 2\n3 0 2\nend 2\n",
         ".cj mcj mcj .cj mcj mcj"}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char seen[100] = "";
        list(cases[which][0], seen, sizeof seen);
        assert_string_equal(seen, cases[which][1]);
    }
}

/* With two partial results, lists for each transfer what is sent: the contribution (.), what was
 * received (r), or both (b); whether it is combined with what was received before (c); and whether
 * the receiver's result then includes its own contribution (o). */
static void list_apart(const char *body, char seen[], size_t size)
{
    struct schedule schedule;
    struct partial_results results;
    struct err err = {0};
    size_t at = 0;
    read_by_hand(body, &schedule);
    support_true(partial_results_open(&results, &schedule, true, &err), &err);
    for (size_t k = 0; k < schedule.step_count; k++)
        for (size_t t = schedule.step[k].first; t < schedule_step_end(&schedule, k); t++) {
            const uint32_t sent = partial_results_sent(&results, k, t);
            const bool combines = partial_results_receive(&results, t);
            const bool own = partial_results_includes_own(&results, t);
            at += (size_t)snprintf(seen + at, size - at, "%s%s%s%s", t > 0 ? " " : "",
                                   sent == 0                  ? "."
                                   : sent == MACHINE_RECEIVED ? "r"
                                                              : "b",
                                   combines ? "c" : ".", own ? "o" : ".");
            assert_true(sent == 0 || sent == MACHINE_RECEIVED ||
                        sent == (MACHINE_RECEIVED | MACHINE_COMBINE));
        }
    partial_results_close(&results);
    schedule_free(&schedule);
}

static void two_results_are_kept(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {COMPLETE
         "reduce 1 * *\nround 1\n0 1 1\n1 0 1\n2 3 1\n3 2 1\nround 2\n0 2 1\n2 0 1\n1 3 1\n"
         "3 1 1\nend 2\n",
         "..o ..o ..o ..o bco bco bco bco"},
        {COMPLETE "reduce 1 0 *\nround 1\n3 1 1\nround 2\n1 0 1 received\nround 3\n2 0 1\nend 3\n",
         "..o r.o .co"},
        {COMPLETE "reduce 1 0 0,2,3\nround 1\n3 1 1\nround 2\n1 0 1\nend 2\n", "... r.o"},
        {COMPLETE "reduce 1 0 *\nround 1\n1 0 1\nround 2\n0 1 1 replace\nround 3\n1 2 1\nend 3\n",
         "..o b.. r.o"},
        {COMPLETE "reduce 1 exclusive *\nround 1\n0 1 1\nround 2\n1 2 1\nend 2\n", "... b.."},
        /* nothing is combined */
        {COMPLETE "demand 1 0 *\nround 1\n0 1 1\nround 2\n1 2 1\nend 2\n", "... ..."},
        /* a packet that is not combined, beside one that is */
        {COMPLETE "demand 1 0 *\nreduce 2 0 *\nround 1\n0 1 1\n1 0 2\nround 2\n1 2 1\nend 2\n",
         "... ..o r.."},
        /* what arrives at 3/2 is not sent at 1, but at 3/2 */
        {POSTAL("3/2") "reduce 1 0 *\ntime 0\n1 2 1\ntime 1\n2 3 1\ntime 3/2\n2 0 1\nend 3\n",
         "..o ..o b.o"}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char seen[100] = "";
        list_apart(cases[which][0], seen, sizeof seen);
        assert_string_equal(seen, cases[which][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_endpoint_has_one_result),
                                       cmocka_unit_test(a_packet_leaves_before_or_after_a_receipt),
                                       cmocka_unit_test(a_leaf_has_a_packet_on_one_link),
                                       cmocka_unit_test(a_node_memory_has_a_packet_of_each_arc),
                                       cmocka_unit_test(receipts_are_combined),
                                       cmocka_unit_test(two_results_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
