/* SPDX-License-Identifier: Apache-2.0 */
/* test_stream_faults: counter-cases of test_stream.c: one fault in a run without barriers, which
 * must be detected.
 *
 * State space. One random run: 16 rows of 2 cycles, packets of 4 flits, 8 ports, latency 6. On
 * csim, one at a time: each bit of each entry of the programs, each switch of each row, each
 * register of the run; the result must differ from the prediction for the original run if and only
 * if the entry or the switch carries a packet (sending the other packet is detected unless it has
 * the same words). On csim and RTL in lockstep: each receive entry of one engine ends its packet
 * early, or late; E607 names the cycle and the node.
 *
 * Counter-case: the original run has no difference, before and after.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/network/benes.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/second_engine.h"
#include "tests/support/stream_lab.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>

static const struct run clocking = {.rows = 16, .flits = 4, .row_cycles = 2};

/* The run into which the faults are inserted. */
struct fixture {
    struct testbench testbench;
    struct stream_reference stream;
    struct image image;
    struct err err;
};

static void open_fixture(unsigned engines, struct fixture *f)
{
    const struct machine machine = stream_lab_machine(1, 1);
    f->err = (struct err){0};
    stream_reference_draw(&machine, &clocking, &(struct stream_reference_rates){70, 0, 0},
                          STREAM_LAB_SEED, &f->stream, &f->image);
    support_true(
        testbench_open(stream_lab_engines, engines, &machine, false, &f->testbench, &f->err),
        &f->err);
}

static void close_fixture(struct fixture *f)
{
    testbench_close(&f->testbench);
    image_free(&f->image);
    stream_reference_free(&f->stream);
}

/* Returns the number of words that differ from the prediction. */
static uint64_t differing(struct fixture *f)
{
    return stream_lab_run(&f->testbench, &f->stream, &f->image, true).differ;
}

/* Flips bits of the image's word at an address. */
static void flip(struct image *image, uint32_t address, uint32_t bits)
{
    for (size_t k = 0; k < image->count; k++)
        if (image->word[k].address == address)
            image->word[k].word ^= bits;
}

/* Returns whether the flipped bits are detected. */
static bool shows(struct fixture *f, uint32_t address, uint32_t bits)
{
    flip(&f->image, address, bits);
    uint64_t words = differing(f);
    flip(&f->image, address, bits);
    return words > 0;
}

/* Flips the bits of a row's entries at a node. Sending the other packet is counted in `other`: {not
 * detected, because the words are the same; detected}. */
static void flip_entries(struct fixture *f, uint32_t row, uint32_t node, unsigned other[2])
{
    const struct stream_reference *s = &f->stream;
    uint32_t receive = machine_program_address(&s->machine, MACHINE_RECEIVE, node, row);
    uint32_t send = machine_program_address(&s->machine, MACHINE_SEND, node, row);
    bool arrives = row < stream_reference_senders(s);
    bool expected = s->receive[row * s->nodes + node] & MACHINE_VALID;
    bool sends = s->send[row * s->nodes + node] & MACHINE_VALID;
    assert_int_equal(shows(f, receive, MACHINE_VALID), arrives);
    assert_int_equal(shows(f, receive, MACHINE_MORE), expected);
    assert_int_equal(shows(f, receive, 1), arrives);
    assert_true(!arrives || shows(f, send, MACHINE_VALID));
    bool shown = shows(f, send, 1);
    other[shown] += shown || sends;
    assert_false(shows(f, send, MACHINE_MORE));
}

static void every_flipped_bit_shows(void **state)
{
    (void)state;
    struct fixture f;
    unsigned other[2] = {0};
    open_fixture(1, &f);
    assert_int_equal(differing(&f), 0);
    for (uint32_t row = 0; row < clocking.rows; row++)
        for (uint32_t node = 0; node < f.stream.nodes; node++)
            flip_entries(&f, row, node, other);
    print_message("sending the other packet: %u show, %u have the same words\n", other[true],
                  other[false]);
    assert_true(other[true] > 10 * other[false]);
    assert_int_equal(differing(&f), 0);
    close_fixture(&f);
}

/* Returns whether a packet of the row passes the switch. */
static bool carries(const struct stream_reference *s, uint32_t row, unsigned stage, uint32_t sw)
{
    bool passes = false;
    for (uint32_t node = 0; node < s->nodes; node++)
        passes |= (s->send[row * s->nodes + node] & MACHINE_VALID) &&
                  benes_switch(benes_bit(machine_node_bits(&s->machine), stage),
                               stream_reference_follow(s, row, node, stage)) == sw;
    return passes;
}

static void every_flipped_switch_shows(void **state)
{
    (void)state;
    struct fixture f;
    const struct machine *machine = &f.stream.machine;
    unsigned idle = 0;
    open_fixture(1, &f);
    for (uint32_t row = 0; row < clocking.rows; row++)
        for (unsigned stage = 0; stage < machine_stages(machine); stage++)
            for (uint32_t sw = 0; sw < f.stream.nodes / 2; sw++) {
                bool passed = carries(&f.stream, row, stage, sw);
                assert_int_equal(shows(&f, machine_table_address(machine, stage, row, 0), 1u << sw),
                                 passed);
                idle += !passed;
            }
    assert_in_range(idle, 1, clocking.rows * machine_stages(machine) * f.stream.nodes / 4);
    close_fixture(&f);
}

/* Registers of the run with the values of another run. */
static void another_clocking_shows(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(1, &f);
    assert_true(shows(&f, MACHINE_RUN_FLITS, 4 ^ 2));
    assert_true(shows(&f, MACHINE_RUN_ROW_CYCLES, 2 ^ 1));
    assert_int_equal(differing(&f), 0);
    close_fixture(&f);
}

/* Makes the second engine's entry continue where the first one's ends, or end where it continues;
 * the row's observation reports the difference. */
static void differ_in_entry(struct fixture *f, uint32_t row, uint32_t node)
{
    const struct stream_reference *s = &f->stream;
    struct stream_lab_watch watch = {.stream = s};
    const struct testbench_observer observer = {&watch, stream_lab_watch_observe};
    uint32_t entry = s->receive[row * s->nodes + node];
    uint64_t cycles;
    char text[80];
    support_true(testbench_load(&f->testbench, &f->image, &f->err), &f->err);
    second_engine_write(&f->testbench,
                        machine_program_address(&s->machine, MACHINE_RECEIVE, node, row),
                        entry ^ MACHINE_MORE);
    assert_false(testbench_run(&f->testbench, &clocking, &observer, &cycles, &f->err));
    snprintf(text, sizeof text, "csim and rtl differ in obs of node %" PRIu32 " (%08" PRIx32, node,
             (entry & 1) | (entry & MACHINE_MORE ? 0 : MACHINE_VALID));
    support_error(&f->err, ERR_DIVERGED, text);
    assert_int_equal(cycles, (row + 1) * clocking.row_cycles - 1 + s->latency);
    stream_lab_step(&f->testbench, true, false, 1);
    stream_lab_step(&f->testbench, false, false, s->latency + 2);
}

static void engines_that_differ_are_reported(void **state)
{
    (void)state;
    struct fixture f;
    unsigned reported = 0;
    open_fixture(2, &f);
    for (uint32_t row = 0; row < stream_reference_senders(&f.stream); row++)
        for (uint32_t node = 0; node < f.stream.nodes; node++)
            if (f.stream.receive[row * f.stream.nodes + node] & MACHINE_VALID) {
                differ_in_entry(&f, row, node);
                reported++;
            }
    assert_true(reported > 20);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_bit_shows),
        cmocka_unit_test(every_flipped_switch_shows),
        cmocka_unit_test(another_clocking_shows),
        cmocka_unit_test(engines_that_differ_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
