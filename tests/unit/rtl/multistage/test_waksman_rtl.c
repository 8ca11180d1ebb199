/* SPDX-License-Identifier: Apache-2.0 */
/* test_waksman_rtl: Waksman networks, csim and RTL in lockstep; each round is a permutation
 * (permutation_lab.h).
 *
 *   N = 2 … 6        all partial permutations without fixed points; a sample runs N = 6 alone
 *   N = 7            all permutations, if every space is exhausted
 *   larger networks  seeded permutations, with idle nodes
 *
 * Setting bits that belong to a switch which is left out changes nothing. Counter-case: a round of
 * an image with one changed field of its settings fails.
 */
#include "sched/machine/machine_address.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/permutation_lab.h"
#include "tests/support/running.h"

#define SEED UINT64_C(20261122)

static void every_round_of_few_ports(void **state)
{
    (void)state;
    for (uint32_t ports = running_exhaustive() ? 2 : 6; ports <= 6; ports++) {
        struct permutation_lab lab = permutation_lab_open(multistage_waksman(ports), ports);
        permutation_lab_all(&lab, true);
        /* a round requires a sender */
        assert_int_equal(lab.rounds, permutation_lab_count(ports) - 1);
        permutation_lab_run(&lab, 1);
    }
    if (!running_exhaustive())
        return;
    struct permutation_lab lab = permutation_lab_open(multistage_waksman(7), 7);
    permutation_lab_all(&lab, false);
    assert_int_equal(lab.rounds, 5039); /* all but the identity */
    assert_int_equal(permutation_lab_run(&lab, 1), 6 * 5040);
}

static void sampled_rounds(void **state)
{
    (void)state;
    static const struct {
        uint32_t ports, nodes, rounds;
        unsigned pipe, pad;
    } shapes[] = {{24, 23, 100, 2, 1}, {64, 60, 80, 0, 0}, {70, 70, 60, 1, 0}};
    for (unsigned which = 0; which < (running_exhaustive() ? sizeof shapes / sizeof *shapes : 1);
         which++) {
        struct permutation_lab lab =
            permutation_lab_open(multistage_waksman(shapes[which].ports), shapes[which].nodes);
        lab.pipe = shapes[which].pipe;
        lab.pad = shapes[which].pad;
        permutation_lab_sample(&lab, shapes[which].rounds, SEED + which);
        uint64_t receipts = permutation_lab_run(&lab, 2);
        print_message("waksman:%u, seed %llu: %llu receipts\n", shapes[which].ports,
                      (unsigned long long)(SEED + which), (unsigned long long)receipts);
    }
}

/* Sets the bits of all switches that are left out, in every row. Returns the number of bits. */
static uint32_t set_left_out(struct image *image)
{
    const struct multistage *net = &image->machine.network;
    uint32_t set = 0;
    for (unsigned stage = net->levels; stage < multistage_stages(net); stage++)
        for (uint32_t block = 0; block >> multistage_level(net, stage) == 0; block++) {
            struct multistage_pairs pairs = multistage_pairs(net, stage, block);
            uint32_t upper =
                multistage_first(net, multistage_level(net, stage), block + 1) - pairs.high;
            uint32_t left_out = pairs.first_switch + pairs.count;
            if (pairs.high - pairs.low != upper) /* odd: none */
                continue;
            for (size_t k = 0; k < image->count; k++) {
                uint32_t row =
                    image->word[k].address - machine_table_address(&image->machine, stage, 0, 0);
                bool here = row < image->run.rows &&
                            machine_region_of(image->word[k].address) == MACHINE_TABLE;
                image->word[k].word |= (uint32_t)here << left_out;
                set += here;
            }
        }
    return set;
}

static void a_switch_that_is_left_out_heeds_nothing(void **state)
{
    (void)state;
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct permutation_lab lab = permutation_lab_open(multistage_waksman(6), 6);
    struct simulate_report report;
    struct support_job job;
    struct err err = {0};
    permutation_lab_all(&lab, true);
    permutation_lab_job(&lab, 1, &job);
    assert_true(set_left_out(&job.image) > 1000);
    support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err), &err);
    assert_int_equal(report.checks.seen, job.schedule.transfer_count);
    support_job_free(&job);
}

static void a_changed_field_shows(void **state)
{
    (void)state;
    permutation_lab_broken(multistage_waksman(6), 6, SEED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_round_of_few_ports),
                                       cmocka_unit_test(sampled_rounds),
                                       cmocka_unit_test(a_switch_that_is_left_out_heeds_nothing),
                                       cmocka_unit_test(a_changed_field_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
