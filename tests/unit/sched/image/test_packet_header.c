/* SPDX-License-Identifier: Apache-2.0 */
/* test_packet_header: the flits that lead a packet through self-timed routers, or hold a range.
 *
 * Collectives of every kind on one tree: the slot and destination of each packet are compared with
 * values in this file. Counter-cases: packets have no header if routers have tables; a packet for
 * two leaves that are served in turn; a packet that its leaf sends in two steps; ranges that a
 * schedule does not have.
 */
#include "sched/image/packet_header.h"
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/range_lab.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>

static const struct tree_machine_case with_headers[] = {
    {"tree-broadcast", NULL, MODEL_SINGLE_PORT, 2},
    {"tree-scatter", NULL, MODEL_MULTIPORT, 3},
    {"tree-gather", "greedy", MODEL_SINGLE_PORT, 1},
    {"tree-all-gather", "flood", MODEL_MULTIPORT, 0},
    {"tree-total-exchange", NULL, MODEL_SINGLE_PORT, 0}};

/* Slot and leaf, or all leaves, of each packet; routers with tables use no headers. */
static void test_headers(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,3", "1,2");
    for (size_t k = 0; k < sizeof with_headers / sizeof *with_headers; k++) {
        struct machine machine = tree_machine_of(MACHINE_FAT_TREE_AUTO, &tree, 0);
        struct schedule schedule;
        struct err err = {0};
        tree_machine_schedule(&with_headers[k], &tree, &schedule);
        struct payload payload = {.header_flits = machine_header_flits(&machine)};
        assert_int_equal(payload.header_flits, 2);
        support_true(packet_header_write(&schedule, &machine, &payload, &err), &err);
        for (uint32_t packet = 1; packet <= schedule.packets; packet++) {
            const struct demand *demand = schedule_demand_of(&schedule, packet);
            assert_int_equal(payload.header[2 * packet - 2], packet - 1);
            assert_int_equal(payload.header[2 * packet - 1],
                             demand->wanted_count == 0 ? 1u << 15 : demand->wanted[0]);
        }
        payload_free(&payload);
        machine.kind = MACHINE_FAT_TREE;
        payload = (struct payload){.header_flits = machine_header_flits(&machine)};
        support_true(packet_header_write(&schedule, &machine, &payload, &err), &err);
        assert_null(payload.header);
        schedule_free(&schedule);
    }
}

/* Control packets without data packets before them: their values are in the order of packets. */
static void test_control_alone(void **state)
{
    (void)state;
    struct control control[] = {{.value = 7}, {.value = 9}};
    struct demand demand[] = {{.first_packet = 1, .last_packet = 2, .control = &control[0]},
                              {.first_packet = 3, .last_packet = 3, .control = &control[1]}};
    const struct schedule schedule = {.packets = 3, .demand = demand, .demand_count = 2};
    const struct topology tree = tree_lab_parse("2,3", "1,2");
    const struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &tree, 0);
    struct payload payload = {0};
    struct err err = {0};
    support_true(packet_header_write(&schedule, &machine, &payload, &err), &err);
    assert_int_equal(payload.data, 0);
    assert_int_equal(payload.control[0], 7);
    assert_int_equal(payload.control[1], 7);
    assert_int_equal(payload.control[2], 9);
    /* of another schedule: the values of this one are gone */
    struct demand plain = {.first_packet = 1, .last_packet = 3};
    const struct schedule data = {.packets = 3, .demand = &plain, .demand_count = 1};
    support_true(packet_header_write(&data, &machine, &payload, &err), &err);
    assert_int_equal(payload.data, 3);
    assert_null(payload.control);
    payload_free(&payload);
}

/* Ranges are in the first flit of each node; a schedule that has none leaves none of another. */
static void test_ranges(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(4);
    struct support_job job;
    struct err err = {0};
    range_lab_job(&machine, 4, 1, 6, &job);
    assert_int_equal(job.payload.of_node[0], machine_range_word(&machine, 0, 3));
    struct demand *demand = job.schedule.demand;
    demand->source = 1;
    assert_false(packet_header_write(&job.schedule, &machine, &job.payload, &err));
    support_error(&err, ERR_IRREGULAR, "start at node 1");
    assert_null(job.payload.of_node);
    demand->source = 0;
    support_true(packet_header_write(&job.schedule, &machine, &job.payload, &err), &err);
    assert_int_equal(job.payload.of_node[0], machine_range_word(&machine, 0, 3));
    support_job_free(&job);
}

static void assert_not_kept(const struct schedule *schedule, const struct topology *tree,
                            const char *text)
{
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE_AUTO, tree, 0);
    struct err err = {0};
    assert_false(route_check_self_timed(schedule, &machine, &err));
    support_error(&err, ERR_UNSUPPORTED, text);
}

/* A packet for two leaves, and a packet that its leaf sends in two steps. */
static void test_not_kept(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,3", "1,2");
    const struct tree_machine_case scatter = {"tree-scatter", NULL, MODEL_MULTIPORT, 0};
    struct schedule schedule;
    tree_machine_schedule(&scatter, &tree, &schedule);
    for (size_t d = 0; d < schedule.demand_count; d++) {
        uint32_t two[] = {0, 1}, *wanted = schedule.demand[d].wanted;
        char text[120];
        schedule.demand[d].wanted = two;
        schedule.demand[d].wanted_count = 2;
        snprintf(text, sizeof text,
                 "network fat-tree-auto: packet %u is for 2 leaves; expected packets for one "
                 "leaf or for all",
                 schedule.demand[d].first_packet);
        assert_not_kept(&schedule, &tree, text);
        schedule.demand[d].wanted = wanted;
        schedule.demand[d].wanted_count = 1;
    }
    schedule_free(&schedule);
    const struct tree_machine_case queue_free = {"tree-all-gather", "queue-free", MODEL_MULTIPORT,
                                                 0};
    tree_machine_schedule(&queue_free, &tree, &schedule);
    bool sent[7] = {false};
    size_t t = 0;
    while (schedule.transfer[t].source >= 6 || !sent[schedule.transfer[t].packet]) {
        sent[schedule.transfer[t].packet] |= schedule.transfer[t].source < 6;
        assert_true(++t < schedule.transfer_count);
    }
    char text[120];
    snprintf(text, sizeof text,
             "a leaf sends packet %u more than once; expected a schedule that self-timed",
             schedule.transfer[t].packet);
    assert_not_kept(&schedule, &tree, text);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers), cmocka_unit_test(test_control_alone),
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_not_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
