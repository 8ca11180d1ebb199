/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_values: the values of control packets in hypercubes, in schedules, files and payloads.
 *
 * Every subset of sources for d ≤ 3, and seeded subsets with several packets a node for d = 4 … 6,
 * for both prefixes: the expected value of each sum is the number of packets that start in its
 * range of nodes, the expected value of each last packet follows from the positions. From the
 * values that it receives every node can compute the positions of its packets. Files are written,
 * read and written again, cut at every byte, and read with random bytes changed; a reader rejects
 * faulty lines of control. Counter-case: a sum that is off by one is detected. test_verify_control
 * and test_control_changes check that values agree with their parts.
 */
#include "sched/base/rng.h"
#include "sched/image/packet_header.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20261204

/* Returns the number of packets of nodes from … to - 1. */
static uint32_t count(const struct cube_runs_set *set, uint32_t from, uint32_t to)
{
    uint32_t packets = 0;
    for (uint32_t k = 0; k < set->count; k++)
        packets += set->node[k] >= from && set->node[k] < to;
    return packets;
}

static uint32_t value_of(const struct schedule *schedule, uint32_t packet)
{
    const struct demand *demand = schedule_demand_of(schedule, packet);
    assert_non_null(demand->control);
    return demand->control->value;
}

/* Values that each node knows from its receipts: the sum of its own block in the folded tree, the
 * sum of the nodes right of it, and K. */
struct knowledge {
    uint32_t below[64], right[64], all[64];
};

/* Checks the folded tree: rounds 1 … d up, d more rounds down, one round to the roots. Returns the
 * number of wrong sums. */
static unsigned wrong_in_tree(const struct schedule *schedule, const struct cube_runs_set *set,
                              struct knowledge *know)
{
    unsigned d = schedule->topology.dimensions, wrong = 0;
    for (size_t t = 0; t < schedule_step_end(schedule, 2 * d); t++) {
        struct transfer sent = schedule->transfer[t];
        uint64_t round = schedule->step[schedule_step_of(schedule, t)].time;
        uint32_t value = value_of(schedule, sent.packet);
        if (round == 2 * d + 1) {
            wrong += value != set->count || sent.source != 0;
            know->all[sent.destination] = value;
        } else if (round <= d) {
            wrong += value != count(set, sent.source, sent.source + (1u << (round - 1)));
            know->below[sent.source] = value;
        } else {
            wrong +=
                value != count(set, sent.source + (1u << (2 * d + 1 - round)), schedule->nodes);
            know->right[sent.destination] = value;
        }
    }
    return wrong;
}

static unsigned wrong_in_exchange(const struct schedule *schedule, const struct cube_runs_set *set)
{
    unsigned d = schedule->topology.dimensions, wrong = 0;
    for (size_t t = 0; t < schedule_step_end(schedule, d - 1); t++) {
        struct transfer sent = schedule->transfer[t];
        uint32_t half = sent.source ^ sent.destination, block = sent.source / half * half;
        wrong += value_of(schedule, sent.packet) != count(set, block, block + half);
    }
    return wrong;
}

/* The last packet of each root carries the number of packets of its tree. Returns the number of
 * wrong values. */
static unsigned wrong_last(const struct schedule *schedule, const struct cube_runs_set *set)
{
    unsigned d = schedule->topology.dimensions, wrong = 0;
    for (unsigned tree = 1; tree <= d; tree++) {
        uint32_t packets = 0;
        for (uint32_t position = 1; position <= set->count; position++)
            packets += (position - 1) % d + 1 == tree;
        wrong += value_of(schedule, schedule->packets - d + tree) != packets;
    }
    return wrong;
}

/* A leaf of the folded tree receives the sum of the nodes right of it and adds its own packets to
 * get its position; the leaves are the odd nodes. */
static void check_positions(const struct topology *cube, const struct cube_runs_set *set,
                            const struct knowledge *know)
{
    for (uint32_t node = 1; node < cube->nodes; node += 2)
        assert_int_equal(know->right[node] + know->below[node], count(set, node, cube->nodes));
    for (unsigned tree = 1; tree <= cube->dimensions; tree++)
        assert_int_equal(know->all[1u << (tree - 1)], set->count);
}

static void check_set(const struct topology *cube, const struct cube_runs_set *set)
{
    struct schedule tree, exchange;
    struct knowledge know = {{0}, {0}, {0}};
    cube_runs_schedule("cube-broadcast", "tree", cube, set, &tree);
    cube_runs_schedule("cube-broadcast", "exchange", cube, set, &exchange);
    assert_int_equal(schedule_data_packets(&tree), set->count);
    assert_int_equal(tree.packets - set->count, 2 * cube->nodes - 1 + cube->dimensions);
    assert_int_equal(wrong_in_tree(&tree, set, &know) + wrong_last(&tree, set), 0);
    assert_int_equal(wrong_in_exchange(&exchange, set) + wrong_last(&exchange, set), 0);
    check_positions(cube, set, &know);
    schedule_free(&tree);
    schedule_free(&exchange);
}

static void test_sums(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %d\n", SEED);
    for (unsigned d = 1; d <= 3; d++) {
        const struct topology cube = cube_lab_make(d);
        for (uint64_t bits = 0; bits < UINT64_C(1) << cube.nodes; bits++) {
            const struct cube_runs_set set = cube_runs_set_of(cube.nodes, bits);
            check_set(&cube, &set);
        }
    }
    for (unsigned d = 4; d <= 6; d++)
        for (unsigned trial = 0; trial < 50; trial++) {
            const struct topology cube = cube_lab_make(d);
            struct cube_runs_set set = {.count = rng_below(&rng, 2 * cube.nodes)};
            cube_lab_multi(cube.nodes, set.count, rng_next(&rng), set.node);
            check_set(&cube, &set);
        }
}

static void test_one_off(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    const struct cube_runs_set set = {4, {1, 2, 2, 6}};
    struct schedule schedule;
    struct knowledge know;
    cube_runs_schedule("cube-broadcast", "tree", &cube, &set, &schedule);
    for (size_t d = 0; d < schedule.demand_count; d++)
        if (schedule.demand[d].control != NULL) {
            schedule.demand[d].control->value++;
            assert_int_equal(
                wrong_in_tree(&schedule, &set, &know) + wrong_last(&schedule, &set) > 0, 1);
            schedule.demand[d].control->value--;
        }
    schedule_free(&schedule);
}

/* -- Payloads ---------------------------------------------------------------------------------- */

/* A value fills the first flit as far as the word has room; data packets are not affected. */
static void test_payload(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    const struct cube_runs_set set = {9, {0, 0, 1, 3, 3, 3, 7, 7, 7}};
    struct schedule schedule;
    cube_runs_schedule("cube-broadcast", "tree", &cube, &set, &schedule);
    for (unsigned width = 3; width <= 16; width += 13) {
        struct err err = {0};
        struct machine machine = tree_machine_of(MACHINE_CUBE, &cube, 0);
        struct payload plain, payload;
        machine.width = width;
        support_payload(&schedule, &machine, 3, 1, &plain);
        support_payload(&schedule, &machine, 3, 1, &payload);
        support_true(packet_header_write(&schedule, &machine, &payload, &err), &err);
        for (uint32_t packet = 1; packet <= schedule.packets; packet++)
            for (uint32_t flit = 0; flit < 3; flit++) {
                uint32_t value =
                    packet > 9 && flit == 0 ? value_of(&schedule, packet) % (1u << width) : 0;
                assert_int_equal(payload_word(&payload, packet, flit),
                                 packet > 9 ? value : payload_word(&plain, packet, flit));
            }
        payload_free(&plain);
        payload_free(&payload);
    }
    schedule_free(&schedule);
}

/* -- Files ------------------------------------------------------------------------------------- */

#define HEAD "roundcast-schedule 1\nalgorithm x\ntopology hypercube 2\nmodel all-port\n"
#define BODY "round 1\n1 0 2\nend 1\n"

static void check_made(const struct schedule *schedule, uint32_t packet, struct control expected)
{
    const struct control *control = schedule_demand_of(schedule, packet)->control;
    assert_int_equal(control->node_count, expected.node_count);
    assert_int_equal(control->first_node, expected.first_node);
    assert_int_equal(control->part_count, expected.part_count);
    for (uint32_t which = 0; which < expected.part_count; which++)
        assert_int_equal(control->part[which], expected.part[which]);
}

static const char good[] = HEAD
    "demand 1 3 *\ncontrol 2 1 0 5 nodes 1\ncontrol 3-4 0 1,2 4294967295 nodes 0-3 from 2\n"
    "control 5 2 0 7 nodes 3 from 4,2,3\ncontrol 6 3 * 1 packets 1\ncontrol 7 3 * 0 none\n" BODY;

static void test_file(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err = {0};
    support_true(support_read(good, "c.sched", &schedule, &err), &err);
    assert_int_equal(schedule_data_packets(&schedule), 1);
    assert_int_equal(value_of(&schedule, 2), 5);
    assert_true(value_of(&schedule, 4) == UINT32_MAX);
    check_made(&schedule, 2, (struct control){.first_node = 1, .node_count = 1});
    check_made(&schedule, 4, (struct control){0, 0, 4, 1, (uint32_t[]){2}});
    check_made(&schedule, 5, (struct control){0, 3, 1, 3, (uint32_t[]){4, 2, 3}});
    check_made(&schedule, 6, (struct control){0, 0, 0, 1, (uint32_t[]){1}});
    check_made(&schedule, 7, (struct control){0});
    char *text = support_text(&schedule);
    assert_string_equal(text, good);
    free(text);
    schedule_free(&schedule);
}

/* A file that is cut anywhere is rejected. With random bytes changed it is rejected, or it is read
 * and written as a file that stays the same when it is written again; verify must return a verdict
 * on it. */
static void test_changed_file(void **state)
{
    (void)state;
    static const char bytes[] = "0123456789 ,-*\n#abcdefmnoprst";
    struct rng rng = {SEED};
    unsigned refused = 0, read = 0;
    print_message("seed %d\n", SEED);
    for (unsigned trial = 0; trial < 20000; trial++) {
        struct schedule schedule, again;
        struct verify_report report;
        struct err err = {0};
        char changed[sizeof good];
        memcpy(changed, good, sizeof good);
        bool cut = trial > 0 && trial < strlen(good);
        if (cut)
            changed[trial] = '\0';
        for (unsigned change = 0; !cut && change <= trial % 3; change++)
            changed[strlen(HEAD) + rng_below(&rng, (uint32_t)(strlen(good) - strlen(HEAD)))] =
                bytes[rng_below(&rng, sizeof bytes - 1)];
        if (!support_read(changed, "c.sched", &schedule, &err)) {
            refused++;
            continue;
        }
        assert_false(cut);
        read++;
        char *text = support_text(&schedule);
        verify_schedule("c.sched", &schedule, &report, &err);
        support_true(support_read(text, "c.sched", &again, &err), &err);
        char *same = support_text(&again);
        assert_string_equal(text, same);
        free(text);
        free(same);
        schedule_free(&schedule);
        schedule_free(&again);
    }
    print_message("%u files refused, %u read\n", refused, read);
    assert_true(refused > 100 && read > 100);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        enum err_code code;
        const char *part;
    } bad[] = {
        {"control 1 3 * 0 none\ndemand 2 1 *\n", ERR_ORDER,
         "c.sched:6: 'demand' follows 'control'; expected it before"},
        {"demand 1 3 *\ncontrol 2 1 0\n", ERR_SYNTAX, "c.sched:6: "},
        {"demand 1 3 *\ncontrol 2 1 0 x\n", ERR_SYNTAX, "c.sched:6: "},
        {"demand 1 3 *\ncontrol 2 1 0 4294967296 none\n", ERR_FIELD_RANGE, "c.sched:6: value"},
        {"demand 1 3 *\ncontrol 2 1 0 5 6\n", ERR_SYNTAX,
         "c.sched:6: unexpected '6'; expected 'nodes', "},
        {"demand 1 3 *\ncontrol 3 1 0 5 none\n", ERR_DEMAND, "c.sched:6: packet 2 is in no demand"},
        {"demand 1-2 3 * 5\n", ERR_SYNTAX, "c.sched:5: "},
        {"demand 1-2 3 * 5 none\n", ERR_SYNTAX, "c.sched:5: "},
        /* Control packets of the former format, whose value cannot be checked. */
        {"demand 1 3 *\ncontrol 2 1 0 5\n", ERR_SYNTAX,
         "c.sched:6: the line ends; expected 'nodes', 'packets' or 'none', what the value is made "
         "of"},
        {"demand 1 3 *\ncontrol 2 1 0 5 all\n", ERR_SYNTAX, "c.sched:6: 'all'; expected 'nodes', "},
        {"demand 1 3 *\ncontrol 2 1 0 5 none 1\n", ERR_SYNTAX,
         "c.sched:6: unexpected '1'; expected the end"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes\n", ERR_SYNTAX,
         "c.sched:6: the line ends; expected node"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes 4\n", ERR_FIELD_RANGE,
         "c.sched:6: node 4 is out of range; expected 0 … 3"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes 2-4\n", ERR_FIELD_RANGE,
         "c.sched:6: last node 4 is out of range"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes 2-1\n", ERR_FIELD_RANGE,
         "c.sched:6: last node 1 is out of range; expected 2 … 3"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes 2,3\n", ERR_SYNTAX, "c.sched:6: unexpected ','"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes 2 by 1\n", ERR_SYNTAX,
         "c.sched:6: 'by'; expected 'from'"},
        {"demand 1 3 *\ncontrol 2 1 0 5 nodes 2 from 1\n", ERR_FIELD_RANGE,
         "c.sched:6: a value of packets of control; expected packets of control before it"},
        {"demand 1 3 *\ncontrol 2 1 0 0 none\ncontrol 3 1 0 5 nodes 2 from\n", ERR_SYNTAX,
         "c.sched:7: the line ends; expected packet of control"},
        {"demand 1 3 *\ncontrol 2 1 0 0 none\ncontrol 3 1 0 5 nodes 2 from 1\n", ERR_FIELD_RANGE,
         "c.sched:7: packet of control 1 is out of range; expected 2 … 2"},
        {"demand 1 3 *\ncontrol 2 1 0 0 none\ncontrol 3-4 1 0 5 nodes 2 from 2,3\n",
         ERR_FIELD_RANGE, "c.sched:7: packet of control 3 is out of range; expected 2 … 2"},
        {"control 1 3 * 0 packets 1\n", ERR_FIELD_RANGE,
         "c.sched:5: a value of packets; expected packets in a 'demand' before it"},
        {"demand 1-3 3 *\ncontrol 4 1 0 5 packets 1,4\n", ERR_FIELD_RANGE,
         "c.sched:6: packet 4 is out of range; expected 1 … 3"},
        {"demand 1-3 3 *\ncontrol 4 1 0 5 packets 3,3\n", ERR_ORDER,
         "c.sched:6: packet 3 follows 3; expected ascending numbers"},
        {"demand 1-3 3 *\ncontrol 4 1 0 5 packets 1-3\n", ERR_SYNTAX, "c.sched:6: unexpected '-'"},
        {"demand 1-3 3 *\ncontrol 4 1 0 5 packets 1,\n", ERR_SYNTAX,
         "c.sched:6: the line ends; expected packet"},
        {"demand 1-3 3 *\ncontrol 4 1 0 5 packets none\n", ERR_SYNTAX,
         "c.sched:6: unexpected 'n'; expected packet"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[300];
        struct schedule schedule;
        struct err err = {0};
        snprintf(text, sizeof text, "%s%s%s", HEAD, bad[k].lines, BODY);
        assert_false(support_read(text, "c.sched", &schedule, &err));
        support_error(&err, bad[k].code, bad[k].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),         cmocka_unit_test(test_one_off),
        cmocka_unit_test(test_payload),      cmocka_unit_test(test_file),
        cmocka_unit_test(test_changed_file), cmocka_unit_test(test_bad_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
