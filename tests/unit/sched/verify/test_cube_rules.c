/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_rules: hypercubes as topology, in schedule files and under the rules of the all-port
 * model.
 *
 * Exhaustive: all pairs of nodes of the cubes of d = 1 … 6, against a count of the bits that
 * differ; all pairs of transfers in one round of the 3-cube whose nodes hold two packets each, 384
 * · 384, compared with a judge of three lines; every arc of the 3-cube used at once. By hand:
 * illegal files, with the line of the error; the messages of each breach; the limits of d.
 */
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>

static void test_arcs(void **state)
{
    (void)state;
    unsigned arcs = 0, others = 0;
    for (unsigned d = 1; d <= 6; d++)
        for (uint32_t a = 0; a < 1u << d; a++)
            for (uint32_t b = 0; b < 1u << d; b++) {
                unsigned differ = 0, last = 0;
                for (unsigned j = 1; j <= d; j++)
                    if (a / (1u << (j - 1)) % 2 != b / (1u << (j - 1)) % 2) {
                        differ++;
                        last = j;
                    }
                assert_int_equal(topology_dimension(a, b), differ == 1 ? last : 0);
                if (differ == 1)
                    assert_int_equal(topology_across(a, last), b);
                arcs += differ == 1;
                others += differ != 1;
            }
    assert_int_equal(arcs, 2 + 8 + 24 + 64 + 160 + 384); /* d 2^d */
    assert_true(others > arcs);
}

static void test_limits(void **state)
{
    (void)state;
    struct topology cube, other;
    struct err err = {0};
    for (unsigned d = 1; d <= 24; d++) {
        assert_true(topology_hypercube(d, &cube, &err));
        assert_int_equal(cube.nodes, 1u << d);
        assert_int_equal(cube.all, 1u << d);
    }
    assert_false(topology_hypercube(0, &other, &err));
    support_error(&err, ERR_RANGE, "0 dimensions; expected 1 … 24");
    assert_false(topology_hypercube(25, &other, &err));
    support_error(&err, ERR_RANGE, "25 dimensions; expected 1 … 24");
    assert_true(topology_hypercube(24, &other, &err));
    assert_true(topology_equal(&cube, &other));
    assert_true(topology_hypercube(23, &other, &err));
    assert_false(topology_equal(&cube, &other));
    const struct topology complete = topology_complete(1u << 24);
    assert_false(topology_equal(&cube, &complete));
}

/* --- Files
 * ----------------------------------------------------------------------------------------- */

#define HEAD "roundcast-schedule 1\nalgorithm by hand\ntopology hypercube 3\nmodel all-port\n"
#define DEMANDS "demand 1 0 *\ndemand 2-3 5 0,5\n"
#define BODY \
    "round 1\n0 1 1\n0 2 1\n0 4 1\n5 1 2\n5 4 3\nround 2\n1 0 2\n1 3 1\n4 0 3\n4 5 1\n4 6 1\n"
#define TAIL "round 4\n3 7 1\nend 4\n"

static void test_file(void **state)
{
    (void)state;
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    support_true(support_read(HEAD DEMANDS BODY TAIL, "cube.sched", &schedule, &err), &err);
    assert_int_equal(schedule.topology.kind, TOPOLOGY_HYPERCUBE);
    assert_int_equal(schedule.topology.dimensions, 3);
    assert_int_equal(schedule.nodes, 8);
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    support_true(schedule_write(file, "again", &schedule, &err), &err);
    fclose(file);
    assert_string_equal(text, HEAD DEMANDS BODY TAIL);
    free(text);
    support_true(verify_schedule("cube", &schedule, &report, &err), &err);
    assert_int_equal(report.end, 4);
    assert_int_equal(report.transfers, 11);
    assert_int_equal(report.arrivals, 11);
    schedule_free(&schedule);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err_code code;
        const char *part;
    } bad[] = {
        {HEAD "demand 1 0 *\nround 1\n0 3 1\nend 1\n", ERR_NO_LINK,
         "cube.sched:7: no arc joins 0 and 3; expected numbers that differ in one bit"},
        {HEAD "demand 1 0 *\nround 1\n0 1 1\n7 0 1\nend 1\n", ERR_NO_LINK,
         "cube.sched:8: no arc joins 7"},
        {HEAD "demand 1 0 *\nround 1\n5 5 1\nend 1\n", ERR_SELF_SEND,
         "cube.sched:7: node 5 sends to itself"},
        {HEAD "demand 1 0 *\nround 1\n0 8 1\nend 1\n", ERR_FIELD_RANGE,
         "cube.sched:7: destination 8 is out of range; expected 0 … 7"},
        {HEAD "demand 1 8 *\nend 0\n", ERR_FIELD_RANGE, "cube.sched:5: source 8 is out of range"},
        {HEAD "demand 1 0 *\nround 1\n0 1 1 0\nend 1\n", ERR_SYNTAX,
         "cube.sched:7: unexpected '0'"},
        {HEAD "demand 1 0 *\nround 1\n0:0 1 1\nend 1\n", ERR_SYNTAX,
         "cube.sched:7: unexpected ':'"},
        {"roundcast-schedule 1\nalgorithm by hand\ntopology hypercube 3\nmodel multiport\n",
         ERR_SYNTAX, "cube.sched:4: model 'multiport' is of another topology"},
        {"roundcast-schedule 1\nalgorithm by hand\ntopology complete 8\nmodel all-port\n",
         ERR_SYNTAX, "cube.sched:4: model 'all-port' is of another topology"},
    };
    for (size_t which = 0; which < sizeof bad / sizeof *bad; which++) {
        struct schedule schedule;
        struct err err = {0};
        assert_false(support_read(bad[which].text, "cube.sched", &schedule, &err));
        support_error(&err, bad[which].code, bad[which].part);
    }
}

/* --- Rules
 * ----------------------------------------------------------------------------------------- */

static void test_breaches(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err_code code;
        const char *part;
        uint64_t further;
    } broken[] = {
        {HEAD "demand 1-2 5 5\nround 2\n5 4 1\n5 7 2\n5 7 1\nend 2\n", ERR_LANE,
         "cube:9: round 2: the arc from node 5 to node 7 over dimension 2 carries packets 2 and 1; "
         "at most 1 "
         "per "
         "round",
         0},
        {HEAD "demand 1-2 5 5\nround 2\n5 7 1\n5 7 1\n5 7 2\nend 2\n", ERR_LANE,
         "carries packets 1 and 1", 1},
        {HEAD "demand 1 0 0\nround 1\n0 1 1\n1 3 1\nend 1\n", ERR_NOT_HELD,
         "cube:8: round 1: node 1 sends packet 1, which it does not hold; expected it to arrive in "
         "an "
         "earlier round",
         0},
        {HEAD "demand 1 0 *\nround 1\n0 1 1\n0 2 1\n0 4 1\nround 2\n1 3 1\n1 5 1\n2 6 1\nend 2\n",
         ERR_UNMET,
         "cube:14: after round 2: node 7 has not received packet 1; the demand wants it there", 0},
    };
    for (size_t which = 0; which < sizeof broken / sizeof *broken; which++) {
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        support_true(support_read(broken[which].text, "cube.sched", &schedule, &err), &err);
        assert_false(verify_schedule("cube", &schedule, &report, &err));
        support_error(&err, broken[which].code, broken[which].part);
        assert_int_equal(err.further, broken[which].further);
        schedule_free(&schedule);
    }
}

/* Gives each node x of the 3-cube packets 2x + 1 and 2x + 2, which no other node wants. */
static void hold_two_each(struct schedule *schedule, struct demand demand[8], uint32_t wanted[8])
{
    *schedule = (struct schedule){.nodes = 8,
                                  .packets = 16,
                                  .model = MODEL_ALL_PORT,
                                  .lambda = {1, 1},
                                  .demand_count = 8,
                                  .demand = demand};
    assert_true(topology_hypercube(3, &schedule->topology, NULL));
    for (uint32_t x = 0; x < 8; x++) {
        wanted[x] = x;
        demand[x] = (struct demand){.first_packet = 2 * x + 1,
                                    .last_packet = 2 * x + 2,
                                    .source = x,
                                    .wanted_count = 1,
                                    .wanted = &wanted[x]};
    }
}

static struct transfer numbered(uint32_t which)
{
    uint32_t source = which / 48, dimension = which / 16 % 3;
    return (struct transfer){source, source ^ 1u << dimension, which % 16 + 1};
}

static void test_all_pairs_of_transfers(void **state)
{
    (void)state;
    struct schedule schedule;
    struct demand demand[8];
    uint32_t wanted[8];
    struct transfer transfer[2];
    struct step step = {1, 0};
    hold_two_each(&schedule, demand, wanted);
    schedule.step_count = schedule.end = 1;
    schedule.transfer_count = 2;
    schedule.step = &step;
    schedule.transfer = transfer;
    unsigned legal = 0, lane = 0, not_held = 0;
    for (uint32_t a = 0; a < 384; a++)
        for (uint32_t b = 0; b < 384; b++) {
            transfer[0] = numbered(a);
            transfer[1] = numbered(b);
            bool held = (transfer[0].packet - 1) / 2 == transfer[0].source &&
                        (transfer[1].packet - 1) / 2 == transfer[1].source;
            bool apart = a / 16 != b / 16;
            struct verify_report report;
            struct err err = {0};
            assert_int_equal(verify_schedule("pair", &schedule, &report, &err), held && apart);
            assert_int_equal(err.code, !held ? ERR_NOT_HELD : apart ? ERR_NONE : ERR_LANE);
            legal += held && apart;
            lane += held && !apart;
            not_held += !held;
        }
    assert_int_equal(legal, 48 * 46);
    assert_int_equal(lane, 48 * 2);
    assert_int_equal(not_held, 384 * 384 - 48 * 48);
}

/* All 24 arcs at once, in two rounds; then one arc twice in the second round. */
static void test_all_arcs(void **state)
{
    (void)state;
    struct schedule schedule;
    struct demand demand[8];
    uint32_t wanted[8];
    struct transfer transfer[48];
    struct step step[2] = {{1, 0}, {2, 24}};
    hold_two_each(&schedule, demand, wanted);
    schedule.step_count = schedule.end = 2;
    schedule.step = step;
    schedule.transfer_count = 48;
    schedule.transfer = transfer;
    for (uint32_t arc = 0; arc < 48; arc++)
        transfer[arc] =
            (struct transfer){arc / 3 % 8, arc / 3 % 8 ^ 1u << arc % 3, arc / 3 % 8 * 2 + 1};
    struct verify_report report;
    struct err err = {0};
    support_true(verify_schedule("full", &schedule, &report, &err), &err);
    assert_int_equal(report.arrivals, 24);
    assert_int_equal(report.redundant, 24);
    transfer[24] = transfer[25];
    assert_false(verify_schedule("full", &schedule, &report, &err));
    support_error(&err, ERR_LANE, "round 2: the arc from node 0 to node 2 over dimension 2");
}

/* --- What is not there yet
 * --------------------------------------------------------------------------- */

static void test_other_machine(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err = {0};
    support_true(support_read(HEAD DEMANDS BODY TAIL, "cube.sched", &schedule, &err), &err);
    struct machine machine = support_machine(3, 1, 0);
    struct payload payload;
    struct image image;
    support_payload(&schedule, &machine, 1, 1, &payload);
    assert_false(route_schedule(&schedule, &machine, &payload, &image, &err));
    support_error(&err, ERR_NETWORK, "expected cube or cube-auto, of the schedule's hypercube");
    payload_free(&payload);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arcs),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_file),     cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_breaches), cmocka_unit_test(test_all_pairs_of_transfers),
        cmocka_unit_test(test_all_arcs), cmocka_unit_test(test_other_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
