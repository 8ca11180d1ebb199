/* SPDX-License-Identifier: Apache-2.0 */
/* test_masks_rtl: settings from masks on csim and RTL in lockstep, observation for observation.
 *
 * All affine maps of 8 ports in one run; drawn maps (seed printed) of 128 ports, for which tables
 * of settings would have two columns, and so other addresses. Both engines read the masks that the
 * host wrote.
 *
 * Counter-case. If one bit of a mask is flipped, neither engine's run passes.
 */
#include "sched/machine/machine_address.h"
#include "testbench/run/simulate.h"
#include "testbench/run/testbench.h"
#include "tests/support/affine_reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/permutation_lab.h"

#define SEED UINT64_C(20261127)

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

static struct permutation_lab open_lab(uint32_t ports, unsigned pipe)
{
    struct permutation_lab lab = permutation_lab_open(multistage_benes(ports), ports);
    lab.settings = MACHINE_MASKS;
    lab.pipe = pipe;
    return lab;
}

static void add_round(struct permutation_lab *lab, const struct affine *map)
{
    for (uint32_t port = 0; port < lab->nodes; port++)
        lab->to[port] = affine_reference_image(map, port);
    permutation_lab_add(lab);
}

/* Draws rounds of maps, which are almost certainly distinct. */
static struct permutation_lab drawn_rounds(uint32_t rounds)
{
    struct permutation_lab lab = open_lab(128, 3);
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    while (lab.rounds < rounds) {
        const struct affine map = affine_reference_draw(&rng, lab.net.levels);
        add_round(&lab, &map);
    }
    return lab;
}

static void every_map_of_eight(void **state)
{
    (void)state;
    struct permutation_lab lab = open_lab(8, 1);
    for (uint32_t code = 0; code < affine_reference_codes(3); code++) {
        const struct affine map = affine_reference_coded(3, code);
        if (affine_reference_invertible(&map))
            add_round(&lab, &map);
    }
    assert_int_equal(lab.rounds, 8 * 7 * 6 * 4 - 1); /* in one map no node sends */
    assert_true(permutation_lab_run(&lab, 1) > 1000 * 6);
}

static void drawn_maps_of_128(void **state)
{
    (void)state;
    struct permutation_lab lab = drawn_rounds(60);
    assert_true(permutation_lab_run(&lab, 2) > 60 * 64);
}

static void masks_are_read_back(void **state)
{
    (void)state;
    struct permutation_lab lab = drawn_rounds(60);
    struct support_job job;
    struct testbench testbench = {0};
    struct err err = {0};
    unsigned read = 0;
    permutation_lab_job(&lab, 2, &job);
    support_true(testbench_open(both, 2, &job.image.machine, false, &testbench, &err), &err);
    support_true(testbench_load(&testbench, &job.image, &err), &err);
    for (size_t k = 0; k < job.image.count; k++) {
        uint32_t address = job.image.word[k].address, word = 0;
        if (machine_region_of(address) != MACHINE_TABLE)
            continue;
        support_true(testbench_read(&testbench, address, &word, &err), &err);
        assert_int_equal(word, job.image.word[k].word);
        read++;
    }
    assert_int_equal(read, 60 * 13 + 60); /* masks and setting index */
    testbench_close(&testbench);
    support_job_free(&job);
}

static void a_flipped_bit_is_seen(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        const struct simulate_options options = {.engine_count = 1, .engine = {both[which]}};
        struct permutation_lab lab = drawn_rounds(60);
        struct simulate_report report;
        struct support_job job;
        struct err err = {0};
        permutation_lab_job(&lab, 2, &job);
        support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err),
                     &err);
        for (size_t k = 0; k < job.image.count; k++)
            if (job.image.word[k].address == machine_table_address(&job.image.machine, 4, 17, 0))
                job.image.word[k].word ^= 8;
        assert_false(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err));
        support_error(&err, ERR_CORRUPT, "round 18: node ");
        support_job_free(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_of_eight),
        cmocka_unit_test(drawn_maps_of_128),
        cmocka_unit_test(masks_are_read_back),
        cmocka_unit_test(a_flipped_bit_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
