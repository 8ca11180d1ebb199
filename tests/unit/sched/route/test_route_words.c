/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_words: single words of images, of schedules by hand.
 *
 * State space: the memory that a send program names if a node of two endpoints receives a packet at
 * one, at the other, or at both; the words of a router that sends a packet back to the leaf from
 * which it came, as a partial result or not; operands that a later packet has overwritten; a table
 * of splits. The words follow from machine_address.h and the number of splits from ranges.h.
 *
 * Counter-cases. Buffers for one more packet, and a table for one more split, are large enough.
 */
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>

static void read_by_hand(const char *body, struct schedule *schedule)
{
    char text[1000];
    struct err err = {0};
    assert_true(snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm x\ntopology %s",
                         body) < (int)sizeof text);
    support_true(support_read(text, "x.sched", schedule, &err), &err);
}

/* Routes packets of `flits` flits. */
static bool route(const struct schedule *schedule, const struct machine *machine, uint32_t flits,
                  struct image *image, struct err *err)
{
    struct payload payload;
    support_payload(schedule, machine, flits, 1, &payload);
    const bool routed = route_schedule(schedule, machine, &payload, image, err);
    payload_free(&payload);
    return routed;
}

/* Returns the word that an image leaves at an address; 0 if it writes none. */
static uint32_t word_at(const struct image *image, uint32_t address)
{
    uint32_t word = 0;
    for (size_t k = 0; k < image->count; k++)
        if (image->word[k].address == address)
            word = image->word[k].word;
    return word;
}

/* Node 0 has the endpoints 0 and 1, node 1 has 2 and 3, node 2 has 4 and 5. Node 1 sends its packet
 * from endpoint 3, out of the memory of the endpoint that received it first. */
static void the_first_receipt_counts(void **state)
{
    (void)state;
#define HEAD "complete 6\nmodel send-receive\ndemand 1 0 4\n"
    static const struct {
        const char *body;
        uint32_t row, member;
    } cases[] = {
        {HEAD "round 1\n0 2 1\nround 2\n3 4 1\nend 2\n", 1, 0},
        {HEAD "round 1\n0 3 1\nround 2\n3 4 1\nend 2\n", 1, 1},
        {HEAD "round 1\n0 2 1\nround 2\n0 3 1\nround 3\n3 4 1\nend 3\n", 2, 0},
        {HEAD "round 1\n0 3 1\nround 2\n0 2 1\nround 3\n3 4 1\nend 3\n", 2, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct machine machine = MULTISTAGE(3, 1, 0, 16, 2, 2, 2);
        struct schedule schedule;
        struct image image;
        struct err err = {0};
        read_by_hand(cases[k].body, &schedule);
        schedule.topology.shared = machine.shared = 2;
        support_true(machine_check(&machine, &err), &err);
        support_true(route(&schedule, &machine, 2, &image, &err), &err);
        assert_int_equal(
            word_at(&image, machine_program_address(&machine, MACHINE_SEND, 3, cases[k].row)),
            MACHINE_VALID | cases[k].member << 2);
        assert_int_equal(word_at(&image, machine_program_address(&machine, MACHINE_SEND, 0, 0)),
                         MACHINE_VALID);
        image_free(&image);
        schedule_free(&schedule);
    }
}

/* Returns a machine for a tree of one router that combines packets, with buffers of `depth`
 * packets. */
static struct machine star_machine(const char *leaves, uint32_t depth)
{
    const struct topology star = tree_lab_parse(leaves, "1");
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &star, 0);
    struct err err = {0};
    machine.combines = true;
    machine.reads = 1;
    machine.depth[1] = depth;
    machine.log2_packets = machine.log2_flits = machine.log2_rows = 2;
    support_true(machine_check(&machine, &err), &err);
    return machine;
}

/* A packet that goes back through the port at which it arrived is the result of one operand, unless
 * it is not combined. The second packet of the input is at address 1 of its buffer. */
static void packets_that_return(void **state)
{
    (void)state;
    const struct machine machine = star_machine("2", 2);
    struct schedule schedule;
    struct image image;
    struct err err = {0};
    read_by_hand("tree 2 capacity 1\nmodel multiport\nreduce 1 0 *\ndemand 2 0 *\n"
                 "round 1\n0 1:0 1\nround 2\n1:0 0 1 replace\nround 3\n0 1:0 2\n"
                 "round 4\n1:0 0 2\n1:0 1 2\nend 4\n",
                 &schedule);
    support_true(route(&schedule, &machine, 2, &image, &err), &err);
    const uint32_t expected[4][2] = {
        {0, 0},
        {MACHINE_VALID | MACHINE_RESULT | MACHINE_OPERAND, 0},
        {0, 0},
        {MACHINE_VALID | 1, MACHINE_VALID},
    };
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 2; column++)
            assert_int_equal(word_at(&image, machine_table_address(&machine, 0, row, column)),
                             expected[row][column]);
    image_free(&image);
    schedule_free(&schedule);
}

/* Leaf 1 sends packet 2 before the router has combined packet 1. */
static void operands_that_are_overwritten(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth <= 2; depth++) {
        const struct machine machine = star_machine("3", depth);
        struct schedule schedule;
        struct image image;
        struct err err = {0};
        read_by_hand("tree 3 capacity 1\nmodel multiport\nreduce 1-2 2 *\n"
                     "round 1\n0 1:0 1\n1 1:0 1\nround 2\n1 1:0 2\nround 3\n1:0 2 1\nend 3\n",
                     &schedule);
        const bool routed = route(&schedule, &machine, 2, &image, &err);
        assert_int_equal(routed, depth == 2);
        if (routed)
            image_free(&image);
        else
            support_error(&err, ERR_BUFFER,
                          "round 3: router 1:0 must send packet 1, which a later packet has "
                          "overwritten; expected buffers of 2 packets or more at level 1, not 1");
        schedule_free(&schedule);
    }
}

/* With λ = 2, a holder gives 3 of 8 nodes to the receiver, 2 of 5, and 1 of 3 or of 2, which takes
 * 3 splits. */
static void tables_of_splits(void **state)
{
    (void)state;
    const struct collective asked = {.n = 8, .m = 1, .model = MODEL_POSTAL, .lambda = {2, 1}};
    struct schedule schedule;
    support_schedule(support_algorithm("postal-bcast"), &asked, &schedule);
    for (unsigned log2_splits = 1; log2_splits <= 2; log2_splits++) {
        struct machine machine = MULTISTAGE(3, 1, 0, 16, 1, 3, 6);
        struct image image;
        struct err err = {0};
        machine.ranges = true;
        machine.log2_splits = log2_splits;
        support_true(machine_check(&machine, &err), &err);
        const bool routed = route(&schedule, &machine, 5, &image, &err); /* through 5 registers */
        assert_int_equal(routed, log2_splits == 2);
        if (!routed) {
            support_error(&err, ERR_TOO_SMALL, "machine: 2 splits for 3; expected a larger memory");
            continue;
        }
        static const uint32_t others[] = {2, 4, 7}, gives[] = {1, 2, 3};
        const uint32_t bank = machine_splits_bank(&machine);
        for (uint32_t row = 0; row < 3; row++) {
            const uint32_t word = word_at(&image, machine_table_address(&machine, bank, row, 0));
            const uint32_t kept =
                machine_split_word(false, others[row], others[row] + 1 - gives[row]);
            assert_true(word == kept || word == machine_split_word(true, others[row], gives[row]));
        }
        assert_int_equal(word_at(&image, machine_table_address(&machine, bank, 3, 0)),
                         machine_split_word(false, 0, 0));
        /* node 0 serves all nodes */
        assert_int_equal(word_at(&image, machine_program_address(&machine, MACHINE_SEND, 0, 0)),
                         MACHINE_VALID | 7);
        image_free(&image);
    }
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_receipt_counts),
        cmocka_unit_test(packets_that_return),
        cmocka_unit_test(operands_that_are_overwritten),
        cmocka_unit_test(tables_of_splits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
