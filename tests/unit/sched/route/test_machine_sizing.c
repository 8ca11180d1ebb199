/* SPDX-License-Identifier: Apache-2.0 */
/* test_machine_sizing: the sizes of the memories of a machine for a schedule.
 *
 * By hand: self-timed hypercubes for 0 … 120000 packets, exactly and rounded, with given and with
 * chosen depths; one list may contain all packets, and a run may have more rows than that. Trees of
 * routers: the sizes that route_needs returns, or the next power of two, at least 16. Networks that
 * copy: the message names the network that would fit. Rows with the maximum number of cycles of a
 * machine. Words that do not hold both ends of a range, and packets that start at a router.
 *
 * Counter-cases: one more node, one more cycle, and one more bit; a packet that starts at a leaf.
 */
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>

/* Returns a schedule of a hypercube that has only packets and an end. */
static struct schedule packets_on(const struct topology *cube, struct demand *demand,
                                  uint32_t packets, uint64_t end)
{
    *demand = (struct demand){.first_packet = 1, .last_packet = packets};
    return (struct schedule){.topology = *cube,
                             .nodes = cube->nodes,
                             .model = MODEL_ALL_PORT,
                             .packets = packets,
                             .demand = demand,
                             .demand_count = packets > 0,
                             .end = end};
}

/* A tree has at most ⌈K/3⌉ of K packets, which is the size of the queue; the depth is twice that
 * number plus one. */
static void self_timed_hypercubes(void **state)
{
    (void)state;
    static const struct {
        uint32_t packets, given, exact[2], rounded[2]; /* queue, depth */
    } sizes[] = {
        {0, 0, {1, 1}, {16, 16}},
        {1, 0, {1, 3}, {16, 16}},
        {7, 0, {3, 7}, {16, 16}},
        {9, 5, {3, 5}, {16, 5}},
        {48, 0, {16, 33}, {16, 64}},
        {49, 1, {17, 1}, {32, 1}},
        {100, 0, {34, 69}, {64, 128}},
        {192, 0, {64, 129}, {64, 256}},
        {120000, 0, {40000, 80001}, {65535, 65535}},
    };
    const struct topology cube = cube_lab_make(3);
    for (size_t which = 0; which < sizeof sizes / sizeof *sizes; which++)
        for (int exactly = 0; exactly < 2; exactly++) {
            struct demand demand;
            struct err err = {0};
            struct schedule schedule = packets_on(&cube, &demand, sizes[which].packets, 1);
            struct machine machine = {.kind = MACHINE_CUBE_AUTO, .topology = cube};
            machine.depth[1] = sizes[which].given;
            const uint32_t *size = exactly ? sizes[which].exact : sizes[which].rounded;
            support_true(machine_sizing_fit_routers(&schedule, exactly, &machine, &err), &err);
            assert_int_equal(machine.queue[1], size[0]);
            assert_int_equal(machine.depth[1], size[1]);
            assert_true(machine.reads == 1 && machine.depth[0] == 0 && machine.queue[0] == 0);
            struct router_needs needs;
            support_true(router_needs_of(&schedule, &needs, &err), &err);
            assert_int_equal(needs.queue[1], sizes[which].exact[0]);
            assert_true(needs.depth[0] == 0 && needs.queue[0] == 0);
        }
}

static void lists_of_all_packets(void **state)
{
    (void)state;
    static const struct {
        uint32_t packets;
        uint64_t end;
        unsigned log2_rows;
    } lists[] = {{100, 5, 7}, {100, 200, 8}, {64, 64, 6}, {65, 64, 7}, {64, 65, 7}};
    const struct topology cube = cube_lab_make(3);
    for (size_t which = 0; which < sizeof lists / sizeof *lists; which++) {
        struct demand demand;
        struct err err = {0};
        struct schedule schedule =
            packets_on(&cube, &demand, lists[which].packets, lists[which].end);
        struct machine machine = {.kind = MACHINE_CUBE_AUTO, .topology = cube, .width = 16};
        support_true(machine_sizing_fit(&schedule, 2, NULL, &machine, &err), &err);
        assert_int_equal(machine.log2_rows, lists[which].log2_rows);
        assert_int_equal(machine.log2_packets, lists[which].packets > 64 ? 7 : 6);
    }
}

/* Returns the next power of two, at least 16. */
static uint32_t rounded(uint32_t size)
{
    uint32_t power = 16;
    while (power < size)
        power += power;
    return power;
}

static void routers_of_trees(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("4,4", "1,2");
    const struct tree_machine_case exchange = {"tree-total-exchange", NULL, MODEL_SINGLE_PORT, 0};
    struct schedule schedule;
    struct router_needs needs;
    struct err err = {0};
    tree_machine_schedule(&exchange, &tree, &schedule);
    support_true(router_needs_of(&schedule, &needs, &err), &err);
    assert_true(needs.queue[1] > 1 && needs.depth[1] > 1);
    for (int how = 0; how < 4; how++) {
        const bool exactly = how % 2, self_timed = how / 2;
        struct machine machine =
            tree_machine_of(self_timed ? MACHINE_FAT_TREE_AUTO : MACHINE_FAT_TREE, &tree, 0);
        for (unsigned level = 0; level <= 2; level++)
            machine.depth[level] = machine.queue[level] = 0;
        machine.depth[2] = 12345; /* is given */
        machine.reads = 99;
        support_true(machine_sizing_fit_routers(&schedule, exactly, &machine, &err), &err);
        assert_int_equal(machine.depth[0], 0);
        assert_int_equal(machine.depth[1], exactly ? needs.depth[1] : rounded(needs.depth[1]));
        assert_int_equal(machine.depth[2], 12345);
        assert_int_equal(machine.queue[0], 0);
        for (unsigned level = 1; level <= 2; level++)
            assert_int_equal(machine.queue[level], !self_timed ? 0
                                                   : exactly   ? needs.queue[level]
                                                               : rounded(needs.queue[level]));
        assert_true(machine.reads >= needs.reads && machine.reads < 2 * needs.reads);
    }
    schedule_free(&schedule);
}

static void networks_that_copy(void **state)
{
    (void)state;
    static const char *const expected[] = {
        NULL, NULL, "multicast:8", "multicast:8", "multicast:8", "multicast:8", "multicast:16"};
    for (uint32_t nodes = 3; nodes <= 9; nodes++) {
        struct err err = {0};
        const struct schedule schedule = {.nodes = nodes,
                                          .topology = topology_complete(nodes),
                                          .model = MODEL_FABRIC_MULTICAST,
                                          .packets = 1,
                                          .end = 1};
        struct machine machine = support_machine(2, 1, 0);
        machine.network = support_network(MODEL_FABRIC_MULTICAST, 2);
        bool fits = machine_sizing_check(&schedule, &machine, 1, &err);
        assert_int_equal(fits, expected[nodes - 3] == NULL);
        if (!fits)
            support_error(&err, ERR_TOO_SMALL, "4 ports for", expected[nodes - 3], " or larger");
    }
}

/* A packet of 65528 flits through 7 registers. */
static void the_longest_rows(void **state)
{
    (void)state;
    const struct machine machine = MULTISTAGE(4, 1, 0, 16, 3, 16, 6);
    const struct schedule schedule = {.nodes = 9,
                                      .topology = topology_complete(9),
                                      .model = MODEL_SEND_RECEIVE,
                                      .packets = 8,
                                      .end = 64};
    struct schedule more = schedule;
    struct err err = {0};
    assert_int_equal(machine_row_cycles(&machine, 65528), 65535);
    support_true(machine_sizing_check(&schedule, &machine, 65528, &err), &err);
    assert_false(machine_sizing_check(&schedule, &machine, 65529, &err));
    support_error(&err, ERR_TOO_SMALL, "machine: rounds of 65536 cycles; expected at most 65535");
    more.packets++;
    assert_false(machine_sizing_check(&more, &machine, 4, &err));
    support_error(&err, ERR_TOO_SMALL, "for 9 packets of 4 flits, 64 rows; expected a larger");
    more = schedule;
    more.end++;
    assert_false(machine_sizing_check(&more, &machine, 4, &err));
    support_error(&err, ERR_TOO_SMALL, "for 8 packets of 4 flits, 65 rows; expected a larger");
}

/* A range of 8 nodes has two ends of 3 bits each. */
static void ranges_need_both_ends(void **state)
{
    (void)state;
    const struct collective asked = {.n = 8, .m = 1, .model = MODEL_POSTAL, .lambda = {2, 1}};
    struct schedule schedule;
    struct err err = {0};
    support_schedule(support_algorithm("postal-bcast"), &asked, &schedule);
    for (unsigned width = 5; width <= 6; width++) {
        struct machine machine = MULTISTAGE(3, 1, 0, width, 1, 1, 3);
        machine.ranges = true;
        const bool fits = machine_sizing_fit_splits(&schedule, true, &machine, &err);
        assert_int_equal(fits, width == 6);
        if (!fits)
            support_error(&err, ERR_NETWORK, "width: 5 bits; expected at least 6");
    }
    schedule_free(&schedule);
}

static void packets_start_at_endpoints(void **state)
{
    (void)state;
    static const char *const texts[] = {"demand 1 0 1\nround 1\n0 1:0 1\nround 2\n1:0 1 1\nend 2\n",
                                        "demand 1 1:0 1\nround 1\n1:0 1 1\nend 1\n"};
    const struct topology tree = tree_lab_parse("2", "1");
    for (unsigned which = 0; which < 2; which++) {
        char text[200];
        struct schedule schedule;
        struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &tree, 0);
        struct err err = {0};
        machine.log2_packets = machine.log2_flits = machine.log2_rows = 2;
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm x\ntopology tree 2 capacity 1\n"
                 "model multiport\n%s",
                 texts[which]);
        support_true(support_read(text, "x.sched", &schedule, &err), &err);
        assert_int_equal(machine_sizing_check(&schedule, &machine, 1, &err), which == 0);
        if (which == 1)
            support_error(&err, ERR_UNSUPPORTED,
                          "machine: packet 1 starts at router 1:0, which has no endpoint to load "
                          "it into; expected packets of processors");
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_timed_hypercubes),      cmocka_unit_test(lists_of_all_packets),
        cmocka_unit_test(routers_of_trees),           cmocka_unit_test(networks_that_copy),
        cmocka_unit_test(the_longest_rows),           cmocka_unit_test(ranges_need_both_ends),
        cmocka_unit_test(packets_start_at_endpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
