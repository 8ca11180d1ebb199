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
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
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

#define SEED UINT64_C(20261128)

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

#define MOST_RECEIPTS 200

/* The completed receipts, by cycle and node, and the nodes with flags. */
struct seen {
    uint32_t nodes, complete, unexpected, others;
    struct {
        uint64_t cycle;
        uint32_t node, packet;
    } receipt[MOST_RECEIPTS];
};

static bool look(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    struct seen *seen = self;
    (void)err;
    for (uint32_t node = 0; obs != NULL && node < seen->nodes; node++)
        if (obs[node] & MACHINE_VALID) {
            assert_true(seen->complete < MOST_RECEIPTS);
            seen->receipt[seen->complete].cycle = cycle;
            seen->receipt[seen->complete].node = node;
            seen->receipt[seen->complete++].packet = obs[node] & MACHINE_OBS_PACKET;
        }
    return true;
}

static void run_image(struct testbench *testbench, const struct image *image, struct seen *seen)
{
    struct err err = {0};
    uint64_t cycles;
    *seen = (struct seen){.nodes = machine_ports(&image->machine)};
    const struct testbench_observer observer = {seen, look};
    support_true(testbench_run(testbench, &image->run, &observer, &cycles, &err), &err);
    for (uint32_t node = 0; node < seen->nodes; node++) {
        uint32_t flags;
        support_true(testbench_read(testbench, machine_flags_address(node), &flags, &err), &err);
        seen->unexpected += (flags & MACHINE_UNEXPECTED) != 0;
        seen->others += (flags & ~MACHINE_UNEXPECTED) != 0;
    }
}

/* The programs that unpack recovers from an image are those that the endpoints followed: the rows
 * in which packets end are those of the receipts that were seen, all of them delayed alike. */
static void unpacks_as_it_runs(const struct image *image, const struct seen *seen)
{
    struct unpacked unpacked;
    struct err err = {0};
    uint32_t receipts = 0;
    support_true(unpack_image(image, &unpacked, &err), &err);
    for (uint32_t row = 0; row < image->run.rows; row++)
        for (uint32_t node = 0; node < seen->nodes; node++) {
            const uint32_t entry =
                unpacked.program[((size_t)image->run.rows + row) * seen->nodes + node];
            if (!(entry & MACHINE_VALID) || entry & MACHINE_MORE)
                continue;
            assert_true(receipts < seen->complete);
            assert_int_equal(seen->receipt[receipts].node, node);
            assert_int_equal(seen->receipt[receipts].packet, entry & MACHINE_OBS_PACKET);
            assert_int_equal(seen->receipt[receipts].cycle - row * image->run.row_cycles,
                             image->run.row_cycles - 1 + machine_latency(&image->machine));
            receipts++;
        }
    assert_int_equal(receipts, seen->complete);
    unpack_free(&unpacked);
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
        struct seen seen;
        run_image(&testbench, &job.image, &seen);
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
                struct seen seen;
                support_true(testbench_load(&testbench, &job.image, &err), &err);
                support_true(testbench_read(&testbench, address, &word, &err), &err);
                support_true(testbench_write(&testbench, address, word ^ 1u << sw, &err), &err);
                run_image(&testbench, &job.image, &seen);
                assert_int_equal(seen.others, 0);
                assert_true(seen.unexpected > 0 ? seen.complete < 7 : seen.complete == 7);
                support_true(image_append(&job.image, address, word ^ 1u << sw, &err), &err);
                unpacks_as_it_runs(&job.image, &seen);
                job.image.count--;
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

/* Runs an image, and compares the programs that unpack recovers with it. Returns whether every node
 * completed its packets. */
static bool runs_as_unpacked(struct testbench *testbench, const struct support_job *job)
{
    struct seen seen;
    struct err err = {0};
    support_true(testbench_load(testbench, &job->image, &err), &err);
    run_image(testbench, &job->image, &seen);
    unpacks_as_it_runs(&job->image, &seen);
    return seen.complete == job->schedule.transfer_count;
}

static void swap_words(struct image *image, size_t a, size_t b)
{
    const struct image_word word = image->word[a];
    image->word[a] = image->word[b];
    image->word[b] = word;
}

/* Returns the address of the range of a node at the start. */
static uint32_t range_address(const struct machine *machine, struct rng *rng)
{
    return machine_program_address(machine, MACHINE_SEND, rng_below(rng, machine_ports(machine)),
                                   0);
}

/* Appends the flits of all packets at all nodes, for further sources. */
static void store_everywhere(struct image *image)
{
    struct err err = {0};
    for (uint32_t slot = 0; slot < image->run.packets; slot++)
        for (uint32_t flit = 0; flit < image->run.flits; flit++)
            support_true(image_append(image,
                                      MACHINE_ALL_NODES |
                                          machine_packet_address(&image->machine, 0, slot, flit),
                                      MACHINE_VALID, &err),
                         &err);
}

/* Bits of ranges and splits, flipped two at a time, words in another order, and further sources of
 * any range: whatever the endpoints then do, unpack says. A packet is in one row, because no switch
 * may change while it is under way. */
static void flipped_bits_are_unpacked(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    const struct machine machine = range_lab_machine(8);
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned how = 0; how < 3; how++) {
        struct testbench testbench;
        struct support_job job;
        struct err err = {0};
        size_t word[64], count = 0;
        unsigned complete = 0;
        range_lab_job(&machine, 8, how == 2 ? 5 : 1 + how, 6, &job);
        assert_int_equal(machine_packet_rows(&job.image.run), 1);
        for (size_t k = 0; k < job.image.count; k++) {
            const struct machine_place at = machine_place_of(&machine, job.image.word[k].address);
            if (at.region == MACHINE_SEND ||
                (at.region == MACHINE_TABLE && at.bank == machine_splits_bank(&machine)))
                word[count++] = k;
        }
        store_everywhere(&job.image);
        support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
        assert_true(runs_as_unpacked(&testbench, &job));
        for (unsigned trial = 0; trial < 400; trial++) {
            static const unsigned used[] = {0, 1, 2, 16, 17, 18, 31};
            const size_t first = word[rng_below(&rng, (uint32_t)count)],
                         second = word[rng_below(&rng, (uint32_t)count)],
                         moved = word[rng_below(&rng, (uint32_t)count)];
            const uint32_t bits[] = {UINT32_C(1) << used[rng_below(&rng, 7)],
                                     UINT32_C(1) << used[rng_below(&rng, 7)]};
            job.image.word[first].word ^= bits[0];
            job.image.word[second].word ^= bits[1];
            swap_words(&job.image, 0, moved);
            for (unsigned more = trial % 3; more > 0; more--)
                support_true(image_append(&job.image, range_address(&machine, &rng),
                                          MACHINE_VALID | rng_below(&rng, 8), &err),
                             &err);
            complete += runs_as_unpacked(&testbench, &job);
            job.image.count -= trial % 3;
            swap_words(&job.image, 0, moved);
            job.image.word[first].word ^= bits[0];
            job.image.word[second].word ^= bits[1];
        }
        assert_true(complete > 10 && complete < 390);
        testbench_close(&testbench);
        support_job_free(&job);
    }
}

/* The programs of a run that ends earlier are those of its rows, also where a packet is cut. */
static void a_run_that_ends_earlier_is_unpacked(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(13);
    struct support_job job;
    struct unpacked all, cut;
    struct err err = {0};
    range_lab_job(&machine, 13, 3, 4, &job);
    const uint32_t rows = job.image.run.rows, ports = machine_ports(&machine);
    assert_true(machine_packet_rows(&job.image.run) > 1);
    support_true(unpack_image(&job.image, &all, &err), &err);
    for (uint32_t end = 1; end < rows; end++) {
        job.image.run.rows = end;
        support_true(unpack_image(&job.image, &cut, &err), &err);
        for (size_t k = 0; k < (size_t)end * ports; k++) {
            assert_int_equal(cut.program[k], all.program[k]);
            assert_int_equal(cut.program[(size_t)end * ports + k],
                             all.program[(size_t)rows * ports + k]);
        }
        unpack_free(&cut);
    }
    unpack_free(&all);
    support_job_free(&job);
}

/* Appends settings of a row that lead from[k] to to[k]. */
static void lead(struct image *image, uint32_t row, const uint32_t from[], const uint32_t to[],
                 uint32_t count, struct rng *rng)
{
    const struct machine *machine = &image->machine;
    uint32_t setting[5], led;
    struct err err = {0};
    assert_int_equal(machine_stages(machine), 5);
    do {
        for (unsigned stage = 0; stage < machine_stages(machine); stage++)
            setting[stage] = rng_below(rng, 16); /* four switches */
        for (led = 0; led < count; led++)
            if (multistage_trace(&machine->network, setting, from[led]) != to[led])
                break;
    } while (led < count);
    for (unsigned stage = 0; stage < machine_stages(machine); stage++)
        support_true(image_append(image, machine_table_address(machine, stage, row, 0),
                                  setting[stage], &err),
                     &err);
}

static void append_split(struct image *image, uint32_t row, uint32_t others, uint32_t nodes)
{
    const struct machine *machine = &image->machine;
    struct err err = {0};
    support_true(image_append(image,
                              machine_table_address(machine, machine_splits_bank(machine), row, 0),
                              others << MACHINE_SPLIT_OTHERS | nodes, &err),
                 &err);
}

/* A further source, node 2, sends to node 4 before or between those that lead there. Node 4 takes
 * neither a packet of another range than its first one, nor one more than all. */
static void packets_that_no_node_expects_are_unpacked(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    static const struct {
        uint32_t packets, last; /* of the range of node 2 */
        uint32_t others[3], nodes[3];
        struct {
            uint32_t row, count, from[2], to[2];
        } led[2];
        uint32_t complete; /* packets at node 4 */
    } cases[] = {          /* 0 sends {3, 7} to 3, and 2 {4, 7} to 4; then 3 sends {4, 7} to 4 */
                 {1, 7, {4, 5, 7}, {1, 2, 3}, {{0, 2, {0, 2}, {3, 4}}, {2, 1, {3}, {4}}}, 1},
                 /* 0 sends {4, 7} to 4, then 2 {4, 6} */
                 {2, 6, {4, 6, 7}, {2, 1, 4}, {{0, 1, {0}, {4}}, {1, 1, {2}, {4}}}, 1},
                 /* … or {4, 7}, as its second packet */
                 {2, 7, {5, 6, 7}, {2, 1, 4}, {{0, 1, {0}, {4}}, {1, 1, {2}, {4}}}, 2}};
    const struct machine machine = range_lab_machine(8);
    struct rng rng = {SEED};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct testbench testbench;
        struct support_job job;
        struct seen seen;
        struct err err = {0};
        uint32_t complete = 0;
        range_lab_job(&machine, 8, cases[which].packets, 6, &job);
        for (uint32_t k = 0; k < 8; k++)
            append_split(&job.image, k, k < 3 ? cases[which].others[k] : 0,
                         k < 3 ? cases[which].nodes[k] : 0);
        for (unsigned k = 0; k < 2; k++)
            lead(&job.image, cases[which].led[k].row, cases[which].led[k].from,
                 cases[which].led[k].to, cases[which].led[k].count, &rng);
        store_everywhere(&job.image);
        support_true(image_append(&job.image, machine_program_address(&machine, MACHINE_SEND, 2, 0),
                                  MACHINE_VALID | cases[which].last, &err),
                     &err);
        support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
        support_true(testbench_load(&testbench, &job.image, &err), &err);
        run_image(&testbench, &job.image, &seen);
        unpacks_as_it_runs(&job.image, &seen);
        for (uint32_t k = 0; k < seen.complete; k++)
            complete += seen.receipt[k].node == 4;
        assert_int_equal(complete, cases[which].complete);
        testbench_close(&testbench);
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
        cmocka_unit_test(flipped_bits_are_unpacked),
        cmocka_unit_test(packets_that_no_node_expects_are_unpacked),
        cmocka_unit_test(a_run_that_ends_earlier_is_unpacked),
        cmocka_unit_test(other_machines_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
