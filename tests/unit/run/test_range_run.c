/* SPDX-License-Identifier: Apache-2.0 */
/* test_range_run: machines whose endpoints split ranges, end to end on csim; their images, and
 * faults in what they store.
 *
 * State space. n = 2 … 21 on benes:n, m = 1, 2, 3, 8, packets of 2, 3, 4 and 6 flits, so λ from 2
 * to 7 and fractions: the scoreboard, which uses only the schedule and the clock, must find each
 * packet in its cycle and in memory, with the range of each node in its first flit. A second run
 * without a new image gives the same. Images are written and read again.
 *
 * Counter-cases. Each used bit of the range of node 0, of the number of packets and of the table of
 * splits, flipped: the run fails unless the word means the same for every range that occurs. A
 * packet that a flipped switch leads to another node: its range does not begin there, so the node
 * flags it as unexpected and does not pass it on. Images with addresses, splits or numbers of
 * packets that the machine does not have.
 */
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/schedule/ranges.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/range_lab.h"
#include "tests/support/running.h"

#include <string.h>

static const struct simulate_options on_csim = {.engine_count = 1, .engine = {ENGINE_CSIM}};

static bool holds(const struct support_job *job, struct simulate_report *report, struct err *err)
{
    *err = (struct err){0};
    return simulate(&job->image, &job->schedule, &job->payload, &on_csim, report, err);
}

static void packets_arrive_in_their_cycles(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 3, 8}, flits[] = {2, 3, 4, 6};
    unsigned runs = 0;
    for (uint32_t n = 2; n <= 21; n++)
        for (unsigned k = 0; k < 16; k++) {
            struct machine machine = range_lab_machine(n);
            struct simulate_report report;
            struct support_job job;
            struct err err;
            running("n %u, m %u, %u flits", n, packets[k / 4], flits[k % 4]);
            machine.log2_rows = 9;
            range_lab_job(&machine, n, packets[k / 4], flits[k % 4], &job);
            support_true(holds(&job, &report, &err), &err);
            assert_int_equal(report.checks.seen, (uint64_t)(n - 1) * packets[k / 4]);
            assert_int_equal(report.run_cycles, job.schedule.end * job.image.run.row_cycles);
            image_lab_round_trip(&job.image);
            runs++;
            support_job_free(&job);
        }
    assert_int_equal(runs, 320);
}

static void a_second_run_is_the_same(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    const struct machine machine = range_lab_machine(11);
    struct testbench testbench;
    struct support_job job;
    struct err err = {0};
    range_lab_job(&machine, 11, 3, 4, &job);
    support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
    support_true(testbench_load(&testbench, &job.image, &err), &err);
    for (unsigned run = 0; run < 3; run++) {
        struct range_lab_seen seen;
        range_lab_run(&testbench, &job.image, &seen);
        assert_int_equal(seen.complete, 30);
        assert_int_equal(seen.unexpected + seen.others, 0);
        for (unsigned cycle = 0; cycle < machine_latency(&machine); cycle++) {
            uint32_t word;
            support_true(testbench_read(&testbench, MACHINE_ID, &word, &err), &err);
        }
    }
    testbench_close(&testbench);
    support_job_free(&job);
}

/* Each switch of each row, flipped alone: if any packet of the row is led to another node, that
 * node flags it, no node completes more packets, and some complete fewer. */
static void packets_of_other_nodes_are_flagged(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    const struct machine machine = range_lab_machine(8);
    struct testbench testbench;
    struct support_job job;
    struct err err = {0};
    unsigned led = 0, harmless = 0;
    range_lab_job(&machine, 8, 1, 6, &job);
    assert_int_equal(job.image.run.row_cycles, 6);
    support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
    for (uint32_t row = 0; row < job.image.run.rows; row++)
        for (unsigned stage = 0; stage < machine_stages(&machine); stage++)
            for (unsigned sw = 0; sw < 4; sw++) {
                const uint32_t address = machine_table_address(&machine, stage, row, 0);
                uint32_t word;
                struct range_lab_seen seen;
                support_true(testbench_load(&testbench, &job.image, &err), &err);
                support_true(testbench_read(&testbench, address, &word, &err), &err);
                support_true(testbench_write(&testbench, address, word ^ 1u << sw, &err), &err);
                range_lab_run(&testbench, &job.image, &seen);
                assert_int_equal(seen.others, 0);
                assert_true(seen.unexpected > 0 ? seen.complete < 7 : seen.complete == 7);
                led += seen.unexpected > 0;
                harmless += seen.unexpected == 0;
            }
    assert_true(led > 20 && harmless > 20);
    testbench_close(&testbench);
    support_job_free(&job);
}

/* Returns whether a table of splits has the same receiver for every range that occurs. */
static bool same_receivers(const struct support_job *job, const struct image *image)
{
    const struct machine *machine = &image->machine;
    struct ranges ranges;
    struct ranges_split split[8] = {{0}};
    struct err err = {0};
    bool same = true;
    support_true(ranges_find(&job->schedule, &ranges, &err), &err);
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(machine, image->word[k].address);
        const uint32_t word = image->word[k].word;
        if (at.region == MACHINE_TABLE && at.bank == machine_splits_bank(machine))
            split[at.row] =
                (struct ranges_split){word >> MACHINE_SPLIT_OTHERS & 15, word >> 31, word & 15};
    }
    for (size_t t = 0; t < job->schedule.transfer_count; t++) {
        const struct transfer *transfer = &job->schedule.transfer[t];
        const uint32_t others = ranges.last[transfer->destination] - transfer->source;
        same =
            same && ranges_receiver(split, 8, others) == transfer->destination - transfer->source;
    }
    ranges_free(&ranges);
    return same;
}

static void flipped_bits_are_seen(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(13);
    for (unsigned how = 0; how < 2; how++) {
        struct support_job job;
        struct err err;
        struct simulate_report report;
        unsigned flipped = 0, same = 0;
        range_lab_job(&machine, 13, how ? 5 : 1, 4, &job);
        for (size_t k = 0; k < job.image.count; k++) {
            struct image_word *word = &job.image.word[k];
            const struct machine_place at = machine_place_of(&machine, word->address);
            const bool splits =
                at.region == MACHINE_TABLE && at.bank == machine_splits_bank(&machine);
            const bool range = at.region == MACHINE_SEND && !at.all;
            const bool packets = word->address == MACHINE_RUN_PACKETS;
            const uint32_t used = splits    ? UINT32_C(0x800f000f)
                                  : range   ? UINT32_C(0x8000000f)
                                  : packets ? UINT32_C(0xf)
                                            : 0;
            for (uint32_t bit = 1; bit != 0; bit *= 2) {
                if (!(used & bit))
                    continue;
                word->word ^= bit;
                const bool means_same = splits && same_receivers(&job, &job.image);
                assert_int_equal(holds(&job, &report, &err), means_same);
                word->word ^= bit;
                flipped++;
                same += means_same;
            }
        }
        assert_true(flipped > 60 && same > 5 && same < flipped - 20);
        support_true(holds(&job, &report, &err), &err);
        support_job_free(&job);
    }
}

static void other_machines_are_rejected(void **state)
{
    (void)state;
    const struct machine good = range_lab_machine(11);
    struct err err = {0};
    support_true(machine_check(&good, &err), &err);
    struct machine narrow = good, hops = good, computed = good, none = good, many = good;
    narrow.width = 7;
    assert_false(machine_check(&narrow, &err));
    support_error(&err, ERR_NETWORK, "width: 7 bits; expected at least 8");
    computed.computed = true;
    computed.log2_period = 3;
    assert_false(machine_check(&computed, &err));
    support_error(&err, ERR_NETWORK, "programs: ranges");
    none.log2_splits = 0;
    assert_false(machine_check(&none, &err));
    support_error(&err, ERR_NETWORK, "2^0 splits");
    many.log2_splits = 7;
    assert_false(machine_check(&many, &err));
    support_error(&err, ERR_NETWORK, "2^7 splits");
    hops.ranges = false;
    assert_false(machine_check(&hops, &err));
    support_error(&err, ERR_NETWORK, "2^3 splits");
    assert_true(machine_has_address(&good, machine_table_address(&good, 7, 7, 0)));
    assert_false(machine_has_address(&good, machine_table_address(&good, 7, 8, 0)));
    assert_true(machine_has_address(&good, machine_program_address(&good, MACHINE_SEND, 10, 0)));
    assert_false(machine_has_address(&good, machine_program_address(&good, MACHINE_SEND, 10, 1)));
    assert_false(machine_has_address(&good, machine_program_address(&good, MACHINE_RECEIVE, 0, 0)));
    struct run run = {.rows = 4, .flits = 4, .row_cycles = 4 + machine_latency(&good)};
    assert_false(machine_check_run(&good, &run, "image", &err));
    support_error(&err, ERR_FIELD_RANGE, "0 packets");
    run.packets = 8;
    support_true(machine_check_run(&good, &run, "image", &err), &err);
    run.flits = 1;
    assert_false(machine_check_run(&good, &run, "image", &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_arrive_in_their_cycles),
        cmocka_unit_test(a_second_run_is_the_same),
        cmocka_unit_test(packets_of_other_nodes_are_flagged),
        cmocka_unit_test(flipped_bits_are_seen),
        cmocka_unit_test(other_machines_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
