/* SPDX-License-Identifier: Apache-2.0 */
/* test_masks_run: machines with masks end to end on csim; their images, and the words in them.
 *
 * State space. Rounds of drawn affine maps (seed printed), with some idle ports, on benes:2 …
 * benes:64 with registers of all kinds; all affine maps of 8 ports in one run; binomial trees,
 * whose rounds are parts of complements; circulant on 4 ports, whose rounds repeat, with stored and
 * computed programs. The scoreboard, which uses only the schedule and the clock, must find each
 * packet in its cycle and in memory. An image is written and read; unpacked, it has the circuits of
 * the schedule. The words that the host writes are read back.
 *
 * Counter-cases. Each bit of each mask of a run flipped; rounds that are not affine (E409); other
 * networks (E401); addresses that tables of masks do not have (E406).
 */
#include "sched/image/unpack.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/route/affine.h"
#include "testbench/run/testbench.h"
#include "tests/support/affine_reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/permutation_lab.h"
#include "tests/support/setting_period_lab.h"

#include <stdio.h>
#include <string.h>

#define SEED UINT64_C(20261126)

static const struct setting_period_lab_how masks = {MACHINE_MASKS, false},
                                           computed_masks = {MACHINE_MASKS, true};

/* Runs a job and requires that all checks pass. */
static void assert_holds(const struct support_job *job)
{
    struct simulate_report report;
    struct err err = {0};
    support_true(setting_period_lab_holds(job, &job->image, &report, &err), &err);
    assert_true(report.checks.seen == report.checks.expected && report.checks.seen > 0);
    assert_int_equal(report.checks.seen, job->schedule.transfer_count);
    assert_int_equal(report.run_cycles, job->schedule.end * job->image.run.row_cycles);
}

/* Counts the circuits of the unpacked image that are not transfers of their round, and checks that
 * the numbers are equal. */
static uint64_t strays(const struct support_job *job)
{
    struct circuit circuit[PERMUTATION_LAB_MOST];
    struct unpacked unpacked;
    struct err err = {0};
    uint64_t circuits = 0, strayed = 0;
    support_true(unpack_image(&job->image, &unpacked, &err), &err);
    for (size_t k = 0; k < job->schedule.step_count; k++) {
        unpack_row(&unpacked, (uint32_t)job->schedule.step[k].time - 1);
        uint32_t count = unpack_circuits(&unpacked, circuit);
        for (uint32_t c = 0; c < count; c++) {
            bool found = false;
            for (size_t t = job->schedule.step[k].first; t < schedule_step_end(&job->schedule, k);
                 t++)
                found = found || (job->schedule.transfer[t].source == circuit[c].source &&
                                  job->schedule.transfer[t].destination == circuit[c].destination &&
                                  job->schedule.transfer[t].packet == circuit[c].sent &&
                                  circuit[c].received == circuit[c].sent);
            strayed += !found;
        }
        circuits += count;
    }
    unpack_free(&unpacked);
    return circuits == job->schedule.transfer_count ? strayed : strayed + 1;
}

/* Checks that words of tables and setting index are read back as written; returns their number. */
static unsigned read_back(const struct support_job *job)
{
    static const enum engine_kind csim = ENGINE_CSIM;
    struct testbench testbench = {0};
    struct err err = {0};
    unsigned read = 0;
    support_true(testbench_open(&csim, 1, &job->image.machine, false, &testbench, &err), &err);
    support_true(testbench_load(&testbench, &job->image, &err), &err);
    for (size_t k = 0; k < job->image.count; k++) {
        uint32_t address = job->image.word[k].address, word = 0;
        if (machine_region_of(address) != MACHINE_TABLE)
            continue;
        support_true(testbench_read(&testbench, address, &word, &err), &err);
        assert_int_equal(word, job->image.word[k].word);
        read++;
    }
    testbench_close(&testbench);
    return read;
}

/* Adds at most `rounds` rounds of drawn maps, in which one port in `idle` does not send. */
static void draw_rounds(struct permutation_lab *lab, struct rng *rng, uint32_t rounds,
                        uint32_t idle)
{
    for (uint32_t round = 0; round < rounds; round++) {
        const struct affine map = affine_reference_draw(rng, lab->net.levels);
        for (uint32_t port = 0; port < lab->nodes; port++)
            lab->to[port] =
                rng_below(rng, idle) ? affine_reference_image(&map, port) : MULTISTAGE_IDLE;
        permutation_lab_add(lab);
    }
}

static void drawn_rounds(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    unsigned read = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned sample = 0; sample < 60; sample++) {
        unsigned bits = 1 + sample % 6;
        struct permutation_lab lab = permutation_lab_open(multistage_benes(1u << bits), 1u << bits);
        struct support_job job;
        lab.settings = MACHINE_MASKS;
        lab.pipe = sample % (2 * bits); /* no registers, or one after every so many stages */
        lab.pad = sample % 3;
        do
            draw_rounds(&lab, &rng, 1 + rng_below(&rng, 40), sample % 2 ? 100 : 4);
        while (lab.rounds == 0);
        permutation_lab_job(&lab, 1 + sample % 4, &job);
        assert_int_equal(strays(&job), 0);
        assert_holds(&job);
        image_lab_round_trip(&job.image);
        read += read_back(&job);
        support_job_free(&job);
    }
    assert_true(read > 1000);
}

/* All 1344 maps except the identity, in which no node sends. */
static void every_map_of_eight(void **state)
{
    (void)state;
    struct permutation_lab lab = permutation_lab_open(multistage_benes(8), 8);
    struct support_job job;
    lab.settings = MACHINE_MASKS;
    for (uint32_t code = 0; code < affine_reference_codes(3); code++) {
        const struct affine map = affine_reference_coded(3, code);
        for (uint32_t port = 0; port < 8; port++)
            lab.to[port] = affine_reference_image(&map, port);
        if (affine_reference_invertible(&map))
            permutation_lab_add(&lab);
    }
    assert_int_equal(lab.rounds, 8 * 7 * 6 * 4 - 1);
    permutation_lab_job(&lab, 1, &job);
    assert_int_equal(strays(&job), 0);
    assert_holds(&job);
    support_job_free(&job);
}

/* The rounds of a binomial tree of 2^d nodes are parts of complements of one bit: at most d
 * maps. */
static void binomial_broadcasts(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 5; d++) {
        const struct collective asked = {.n = 1u << d, .m = 3, .model = MODEL_SEND_RECEIVE};
        struct schedule schedule;
        struct support_job job;
        struct err err = {0};
        char network[20];
        struct affine_grouping maps;
        support_schedule(support_algorithm("binomial"), &asked, &schedule);
        snprintf(network, sizeof network, "benes:%u", 1u << d);
        support_true(setting_period_lab_job(&schedule, setting_period_lab_machine(network, masks),
                                            1, 2, &job, &err),
                     &err);
        support_true(affine_grouping_find(&schedule, &job.image.machine, NULL, &maps, &err), &err);
        assert_true(maps.count >= 1 && maps.count <= d);
        affine_grouping_free(&maps);
        assert_int_equal(strays(&job), 0);
        assert_holds(&job);
        support_job_free(&job);
    }
}

/* Every permutation of 4 ports is affine, and therefore every shift. */
static void computed_programs(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 20; m++)
        for (unsigned variant = 0; variant < 2; variant++) {
            struct schedule schedule;
            struct support_job job;
            struct err err = {0};
            setting_period_lab_schedule("circulant", 4, m, &schedule);
            support_true(
                setting_period_lab_job(
                    &schedule,
                    setting_period_lab_machine("benes:4,pipe=2", variant ? computed_masks : masks),
                    3, 2, &job, &err),
                &err);
            assert_int_equal(strays(&job), 0);
            assert_holds(&job);
            support_job_free(&job);
        }
}

/* Draws until no port is its own destination, so that all of them send. */
static void draw_full_round(struct permutation_lab *lab, struct rng *rng)
{
    bool fixed = true;
    while (fixed) {
        const struct affine map = affine_reference_draw(rng, lab->net.levels);
        fixed = false;
        for (uint32_t port = 0; port < lab->nodes; port++) {
            lab->to[port] = affine_reference_image(&map, port);
            fixed = fixed || lab->to[port] == port;
        }
    }
    permutation_lab_add(lab);
}

static void flipped_bits_are_seen(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct permutation_lab lab = permutation_lab_open(multistage_benes(16), 16);
    struct support_job job;
    struct err err = {0};
    unsigned flipped = 0;
    lab.settings = MACHINE_MASKS;
    for (unsigned round = 0; round < 3; round++)
        draw_full_round(&lab, &rng);
    permutation_lab_job(&lab, 2, &job);
    for (size_t k = 0; k < job.image.count; k++)
        for (unsigned bit = 0; bit < 4; bit++) {
            struct image_word *word = &job.image.word[k];
            struct simulate_report report;
            if (machine_region_of(word->address) != MACHINE_TABLE ||
                word->address >= machine_setting_index_address(&job.image.machine, 0))
                continue;
            word->word ^= 1u << bit;
            assert_false(setting_period_lab_holds(&job, &job.image, &report, &err));
            assert_int_equal(err_exit_status(err.code), 1);
            assert_true(strays(&job) > 0);
            word->word ^= 1u << bit;
            flipped++;
        }
    assert_int_equal(flipped, 3 * 7 * 4);
    assert_holds(&job);
    support_job_free(&job);
}

static void refused(void **state)
{
    (void)state;
    static const char *const others[] = {"benes:12", "omega:16", "clos:4,4,4", "benes:27,radix=3"};
    struct support_job job;
    struct schedule schedule;
    struct err err = {0};
    setting_period_lab_schedule("circulant", 8, 20, &schedule);
    assert_false(setting_period_lab_job(&schedule, setting_period_lab_machine("benes:8", masks), 3,
                                        1, &job, &err));
    support_error(&err, ERR_IRREGULAR, "round ", "no affine map of the bits of the 8 port numbers",
                  "expected one, or settings indexed");
    for (unsigned which = 0; which < sizeof others / sizeof *others; which++) {
        struct machine machine = setting_period_lab_machine(others[which], masks);
        assert_false(setting_period_lab_job(&schedule, machine, 3, 1, &job, &err));
        support_error(&err, ERR_NETWORK,
                      "masks require another network; expected benes:N, N a power of two");
        machine.log2_packets = machine.log2_flits = machine.log2_rows = 2;
        machine.log2_period = machine.log2_settings = 1;
        assert_false(machine_check(&machine, &err));
        support_error(&err, ERR_NETWORK,
                      "masks require another network; expected benes:N, N a power of two");
    }
    schedule_free(&schedule);
}

/* 128 ports require 13 stages, for which tables of settings would have two columns; for masks one
 * is enough. */
static const char text[] =
    "// roundcast-image 1\n"
    "// machine benes:128,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64 settings=masks "
    "tables=8 programs=stored beats=4\n"
    "// run rows=5 flits=4 row-cycles=17 period=3 first=1 packets=3\n"
    "@00000008 00000005 00000004 00000011\n"
    "@0000000e 00010003 00000003\n"
    "@10000307 0000007f\n"
    "@10000343 00000007\n"
    "// end 7\n";

static const struct image_lab_bad bad[] = {
    {"settings=masks", "settings=mask", ERR_SYNTAX, "t.hex:2: ", "not a machine"},
    {"tables=8", "tables=1", ERR_NETWORK, "t.hex:2: ", "phases"},
    {"benes:128", "benes:127", ERR_NETWORK,
     "t.hex:2: ", "masks require another network; expected benes:N"},
    /* one row of tables too many */
    {"@10000307", "@10000308", ERR_IMAGE, "t.hex:", "address 10000308"},
    /* an additional setting phase of the setting index */
    {"@10000343", "@10000344", ERR_IMAGE, "t.hex:", "address 10000344"},
    /* after the setting index */
    {"@10000343", "@10000380", ERR_IMAGE, "t.hex:", "address 10000380"},
};

static void images_by_hand(void **state)
{
    (void)state;
    struct image image;
    struct err err = {0};
    support_true(image_lab_read(text, strlen(text), &image, &err), &err);
    assert_true(image.machine.settings == MACHINE_MASKS && image.machine.log2_settings == 3);
    assert_int_equal(image.word[5].address, machine_table_address(&image.machine, 12, 7, 0));
    assert_int_equal(image.word[6].address, machine_setting_index_address(&image.machine, 3));
    image_lab_round_trip(&image);
    image_free(&image);
    image_lab_refused(text, bad, sizeof bad / sizeof *bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_rounds),
        cmocka_unit_test(every_map_of_eight),
        cmocka_unit_test(binomial_broadcasts),
        cmocka_unit_test(computed_programs),
        cmocka_unit_test(refused),
        cmocka_unit_test(flipped_bits_are_seen),
        cmocka_unit_test(images_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
