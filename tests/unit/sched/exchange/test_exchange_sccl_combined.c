/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_sccl_combined: algorithms of SCCL that combine, written by hand, and faulty ones.
 *
 * Two chunks of one address are combined. An address that only its source wants is omitted with its
 * sends. Counter-cases: each part of a chunk and of a send is missing or invalid, each rejected
 * with its place and code.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK(pre, post, address) \
    "{\"pre\": [" pre "], \"post\": [" post "], \"addr\": " address "}"
#define BOTH CHUNK("0", "1", "7") ", " CHUNK("1", "1", "7")
#define SENDS(sends) "[{\"sends\": [" sends "]}]"
#define ONCE SENDS("[7, 0, 1]")

/* Returns the text of an algorithm of 3 nodes. */
static char *hand(const char *steps, const char *chunks)
{
    return exchange_lab_format("{\"msccl_type\": \"algorithm\", \"steps\": %s,\n \"collective\": "
                               "{\"nodes\": 3, \"chunks\": [%s]}}\n",
                               steps, chunks);
}

/* The schedule is one reduction to node 1, with the transfer from node 0 in round 1. */
static void test_omitted(void **state)
{
    (void)state;
    static const struct {
        const char *steps, *chunks;
    } cases[] = {
        {ONCE, BOTH},
        {SENDS("[5, 0, 2], [7, 0, 1]"), CHUNK("0", "0", "5") ", " BOTH},
        {SENDS("[7, 0, 1], [9, 2, 0]"), BOTH ", " CHUNK("2", "", "9")},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        char *text = hand(cases[which].steps, cases[which].chunks);
        running("case %u", which);
        exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &schedule);
        assert_int_equal(schedule.packets, 1);
        assert_int_equal(schedule.end, 1);
        assert_int_equal(schedule.transfer_count, 1);
        assert_int_equal(schedule.transfer[0].source, 0);
        assert_int_equal(schedule.transfer[0].destination, 1);
        const struct demand *demand = schedule_demand_of(&schedule, 1);
        assert_non_null(demand->reduction);
        assert_int_equal(demand->reduction->contributor_count, 2);
        assert_int_equal(demand->wanted_count, 1);
        assert_int_equal(demand->wanted[0], 1);
        free(text);
        schedule_free(&schedule);
    }
}

/* Node 2 wants the contribution of node 0 to address 9, which nothing is combined with. */
static void test_one_contributor(void **state)
{
    (void)state;
    struct schedule schedule;
    char *text = hand("[{\"sends\": [[7, 0, 1]]}, {\"sends\": [[9, 0, 2]]}]",
                      BOTH ", " CHUNK("0", "2", "9"));
    exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &schedule);
    assert_int_equal(schedule.packets, 2);
    assert_int_equal(schedule.transfer_count, 2);
    assert_int_equal(schedule.end, 2);
    const struct demand *demand = schedule_demand_of(&schedule, 2);
    assert_non_null(demand->reduction);
    assert_int_equal(demand->reduction->contributor_count, 1);
    assert_int_equal(demand->reduction->contributor[0], 0);
    assert_int_equal(demand->wanted_count, 1);
    assert_int_equal(demand->wanted[0], 2);
    free(text);
    schedule_free(&schedule);
}

/* A schedule that combines one packet and moves another has a chunk for each contributor of the
 * first, with its address 0, and one for the second; a packet that is read is combined, even if it
 * has one contributor. */
static void test_mixed(void **state)
{
    (void)state;
    struct schedule schedule, again;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 3\n"
                          "model send-receive\nreduce 1 1 0,1\ndemand 2 2 0\nround 1\n0 1 1\n"
                          "2 0 2\nend 1\n",
                          &schedule);
    char *text = exchange_lab_write("sccl", &schedule, NULL);
    assert_non_null(strstr(text, "\"pre\": [0], \"post\": [1], \"addr\": 0}"));
    assert_non_null(strstr(text, "\"pre\": [1], \"post\": [1], \"addr\": 0}"));
    assert_non_null(strstr(text, "\"pre\": [2], \"post\": [0], \"addr\": 1}"));
    exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &again);
    assert_int_equal(again.packets, 2);
    assert_int_equal(again.transfer_count, 2);
    assert_int_equal(again.end, 1);
    free(text);
    schedule_free(&schedule);
    schedule_free(&again);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *steps, *chunks;
        enum err_code code;
        const char *part;
    } cases[] = {
        {ONCE, BOTH ", " CHUNK("0", "2", "\"8\""), 204,
         "collective.chunks[2]: addr: expected a number from 0 on"},
        {ONCE, BOTH ", " CHUNK("0", "2", "-1"), 204,
         "collective.chunks[2]: addr: expected a number from 0 on"},
        {ONCE, BOTH ", {\"post\": [2], \"addr\": 8}", 204,
         "collective.chunks[2]: no array 'pre'; expected one"},
        {ONCE, BOTH ", {\"pre\": [0], \"post\": 2, \"addr\": 8}", 204,
         "collective.chunks[2]: no array 'post'; expected one"},
        {ONCE, BOTH ", " CHUNK("0, 1", "2", "8"), 208,
         "collective.chunks[2]: starts at 2 nodes; expected one"},
        {ONCE, BOTH ", " CHUNK("", "2", "8"), 208,
         "collective.chunks[2]: starts at 0 nodes; expected one"},
        {ONCE, BOTH ", " CHUNK("3", "2", "8"), 205, "collective.chunks[2]: node 3; expected 0 … 2"},
        {ONCE, BOTH ", " CHUNK("0", "3", "8"), 205, "collective.chunks[2]: node 3; expected 0 … 2"},
        {ONCE, BOTH ", " CHUNK("0", "\"a\"", "8"), 204, "collective.chunks[2]: no number"},
        /* two chunks with the same address that start at one node, with a third one of another */
        {ONCE, BOTH ", " CHUNK("0", "1", "7"), 208, "have one address and start at one node"},
        {SENDS("[7, 0]"), BOTH, 204, "steps[0].sends[0]: no send; expected [addr, source, dest"},
        {SENDS("[\"7\", 0, 1]"), BOTH, 204, "steps[0].sends[0]: no send"},
        {SENDS("[-7, 0, 1]"), BOTH, 205, "steps[0].sends[0]: address -7; expected"},
        {SENDS("[8, 0, 1]"), BOTH, 205, "steps[0].sends[0]: address 8; expected"},
        {SENDS("[7, 3, 1]"), BOTH, 205, "steps[0].sends[0]: node 3; expected 0 … 2"},
        {SENDS("[7, 0, 3]"), BOTH, 205, "steps[0].sends[0]: node 3; expected 0 … 2"},
        {SENDS("[7, \"a\", 1]"), BOTH, 204, "steps[0].sends[0]: no number; expected a node"},
        {SENDS("[7, 0, 1], [7, 1, 1]"), BOTH, 210, "steps[0].sends[1]: node 1 sends to itself"},
        {SENDS("[5, 2, 2]"), CHUNK("0", "0", "5") ", " BOTH, 210, "node 2 sends to itself"},
        {"[{\"sends\": 5}]", BOTH, 204, "steps[0]: no array 'sends'; expected one"},
        {"5", BOTH, 204, "no array 'steps'; expected one"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        char *text = hand(cases[which].steps, cases[which].chunks);
        running("case %u: %s", which, cases[which].part);
        exchange_lab_refuses("sccl", text, cases[which].code, cases[which].part);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_omitted), cmocka_unit_test(test_one_contributor),
        cmocka_unit_test(test_mixed), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
