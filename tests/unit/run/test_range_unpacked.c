/* SPDX-License-Identifier: Apache-2.0 */
/* test_range_unpacked: what unpack recovers from images of machines whose endpoints split ranges.
 *
 * Whatever an image makes the endpoints do, right or wrong, unpack must find: the rows in which its
 * programs end packets are those of the receipts on csim. Covered: each flipped switch of a
 * broadcast; sampled with a printed seed: two flipped bits of ranges and splits, words in another
 * order, and up to two further sources of any range. By hand: packets that a node rejects because
 * they are of another range or one too many. Runs cut after each row.
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/range_lab.h"

#define SEED UINT64_C(20261128)

static const enum engine_kind csim[] = {ENGINE_CSIM};

/* The programs that unpack recovers from an image are those that the endpoints followed: the rows
 * in which packets end are those of the receipts that were seen, all of them delayed alike. */
static void unpacks_as_it_runs(const struct image *image, const struct range_lab_seen *seen)
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

/* Runs an image, and compares the programs that unpack recovers with it. Returns whether every node
 * completed its packets. */
static bool runs_as_unpacked(struct testbench *testbench, const struct support_job *job)
{
    struct range_lab_seen seen;
    struct err err = {0};
    support_true(testbench_load(testbench, &job->image, &err), &err);
    range_lab_run(testbench, &job->image, &seen);
    unpacks_as_it_runs(&job->image, &seen);
    return seen.complete == job->schedule.transfer_count;
}

static void flipped_switches_are_unpacked(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(8);
    struct testbench testbench;
    struct support_job job;
    struct err err = {0};
    unsigned complete = 0;
    range_lab_job(&machine, 8, 1, 6, &job);
    support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
    for (size_t k = 0; k < job.image.count; k++) {
        const struct machine_place at = machine_place_of(&machine, job.image.word[k].address);
        for (unsigned sw = 0; at.region == MACHINE_TABLE && at.bank < 5 && sw < 4; sw++) {
            job.image.word[k].word ^= 1u << sw;
            complete += runs_as_unpacked(&testbench, &job);
            job.image.word[k].word ^= 1u << sw;
        }
    }
    assert_true(complete > 20 && complete < job.image.run.rows * 5 * 4 - 20);
    testbench_close(&testbench);
    support_job_free(&job);
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
    range_lab_job(&machine, 13, 3, 6, &job);
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
        struct range_lab_seen seen;
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
        range_lab_run(&testbench, &job.image, &seen);
        unpacks_as_it_runs(&job.image, &seen);
        for (uint32_t k = 0; k < seen.complete; k++)
            complete += seen.receipt[k].node == 4;
        assert_int_equal(complete, cases[which].complete);
        testbench_close(&testbench);
        support_job_free(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipped_switches_are_unpacked),
        cmocka_unit_test(flipped_bits_are_unpacked),
        cmocka_unit_test(packets_that_no_node_expects_are_unpacked),
        cmocka_unit_test(a_run_that_ends_earlier_is_unpacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
