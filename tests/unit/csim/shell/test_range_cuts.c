/* SPDX-License-Identifier: Apache-2.0 */
/* test_range_cuts: packets with ranges that go to another node in part, on csim.
 *
 * A network of two ports, in which node 0 sends node 1 a packet of three flits: the range, and two
 * words. A row takes one cycle, so that each flit has a setting of its own. State space: each
 * setting flipped alone, × words that are a range for node 1, that end before it, and that are
 * none. The run has a row more than the schedule, in which a flit after these is due. Expected are
 * the flags by hand: a node that receives a flit of a packet whose range is not its own, or which
 * it did not begin to receive, has `unexpected`; a node that lacks a flit of a packet that it
 * receives has `missing`, and does not complete the packet, whichever flit it lacks.
 * Counter-case: no setting is flipped.
 */
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/range_lab.h"
#include "tests/support/running.h"

enum { RANGE = 3, ENDS_BEFORE = 2, OTHER = 0 }; /* node, last: {1, 1}, {1, 0}, {0, 0} */

static struct machine machine;
static struct testbench testbench;
static struct support_job job;

static void write_word(uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(testbench_write(&testbench, address, word, &err), &err);
}

static uint32_t read_word(uint32_t address)
{
    struct err err = {0};
    uint32_t word;
    support_true(testbench_read(&testbench, address, &word, &err), &err);
    return word;
}

static void cut_packets(void **state)
{
    (void)state;
    enum { M = MACHINE_MISSING, U = MACHINE_UNEXPECTED };
    static const struct {
        uint32_t flipped, words[2]; /* the setting, from 0; 3: none */
        uint32_t flags[2], complete;
    } cases[] = {
        {3, {OTHER, OTHER}, {0, 0}, 1},
        {3, {RANGE, RANGE}, {0, 0}, 1},
        /* node 0 receives a range that is not its own, and node 1 two words that are no ranges */
        {0, {OTHER, OTHER}, {U, U}, 0},
        {0, {ENDS_BEFORE, OTHER}, {U, U}, 0},
        {0, {OTHER, RANGE}, {U, U}, 0}, /* the second word is a flit of the packet of the first */
        /* the first word is a range for node 1, which then lacks the third flit */
        {0, {RANGE, OTHER}, {U, M}, 0},
        /* node 1 lacks a word, which node 0 receives */
        {1, {RANGE, RANGE}, {U, M}, 0},
        {1, {ENDS_BEFORE, OTHER}, {U, M}, 0},
        {2, {OTHER, RANGE}, {U, M}, 0},
        {2, {OTHER, ENDS_BEFORE}, {U, M}, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct range_lab_seen seen;
        struct err err = {0};
        running("case %zu", k);
        support_true(testbench_load(&testbench, &job.image, &err), &err);
        for (uint32_t flit = 1; flit < 3; flit++)
            write_word(machine_packet_address(&machine, 0, 0, flit),
                       MACHINE_VALID | cases[k].words[flit - 1]);
        write_word(MACHINE_RUN_ROWS, job.image.run.rows);
        for (uint32_t row = 0; row < 3; row++)
            write_word(machine_table_address(&machine, 0, row, 0), row != cases[k].flipped);
        range_lab_run(&testbench, &job.image, &seen);
        assert_int_equal(seen.complete, cases[k].complete);
        for (uint32_t node = 0; node < 2; node++)
            assert_int_equal(read_word(machine_flags_address(node)), cases[k].flags[node]);
    }
}

int main(void)
{
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    struct err err = {0};
    machine = range_lab_machine(2);
    range_lab_job(&machine, 2, 1, 3, &job);
    job.image.run.rows++;
    if (job.image.run.row_cycles != 1 ||
        !testbench_open(csim, 1, &machine, false, &testbench, &err))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_packets)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    testbench_close(&testbench);
    support_job_free(&job);
    return failed;
}
