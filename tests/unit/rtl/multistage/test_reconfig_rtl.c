/* SPDX-License-Identifier: Apache-2.0 */
/* test_reconfig_rtl: machines with reconfiguration, on csim and RTL in lockstep, observation for
 * observation.
 *
 * State space. Drawn settings (seed printed) of drawn lengths on benes:5 and benes:8 with full
 * settings, on clos:3,3,3 with indexed ones and on benes:7 with tags: one Verilated machine each,
 * on which schedules run one after another, with reconfigurations of 0, 1, 3 and 10 cycles and
 * packets of 1 and 2 flits; each packet arrives in its predicted cycle. The setting index and the
 * registers are read back from both engines. Then the setting index and the registers of the run
 * are filled with random words, such as lengths that the run does not reach: both engines behave
 * the same.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/route.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/reconfig_lab.h"

#define SEED UINT64_C(20261204)

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

static struct machine machine_of(const char *network, enum machine_settings settings)
{
    struct machine machine =
        setting_period_lab_machine(network, (struct setting_period_lab_how){.settings = settings});
    machine.reconfigures = true;
    machine.log2_packets = 7;
    machine.log2_flits = 1;
    machine.log2_rows = 5;
    machine.log2_period = 3;
    machine.log2_settings = settings == MACHINE_TAGS ? 0 : 3;
    return machine;
}

/* Checks that registers and the setting index are read back as they were written. */
static void read_back(struct testbench *testbench, const struct image *image)
{
    struct err err = {0};
    unsigned read = 0;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(&image->machine, image->word[k].address);
        uint32_t word = 0;
        if (at.region > MACHINE_TABLE)
            continue;
        support_true(testbench_read(testbench, image->word[k].address, &word, &err), &err);
        assert_int_equal(word, image->word[k].word);
        read++;
    }
    assert_true(read > 6);
}

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Runs with random words in the setting index, lengths and reconfiguration times. The testbench
 * compares both engines in each cycle. */
static void run_any(struct testbench *testbench, const struct image *image, struct rng *rng)
{
    const struct testbench_observer observer = {NULL, look_away};
    for (unsigned which = 0; which < 20; which++) {
        struct run run = image->run;
        struct err err = {0};
        uint64_t cycles;
        run.reconfigure = rng_below(rng, 9);
        run.rows = rng_below(rng, 33);
        run.row_cycles += which % 5;
        const uint32_t words[][2] = {{MACHINE_RUN_ROWS, run.rows},
                                     {MACHINE_RUN_ROW_CYCLES, run.row_cycles},
                                     {MACHINE_RUN_RECONFIGURE, run.reconfigure},
                                     {MACHINE_RUN_PERIOD, 1 + rng_below(rng, 8)}};
        for (unsigned k = 0; k < 4; k++)
            support_true(testbench_write(testbench, words[k][0], words[k][1], &err), &err);
        for (uint32_t setting_phase = 0; setting_phase < 8; setting_phase++)
            support_true(
                testbench_write(testbench,
                                machine_setting_index_address(&image->machine, setting_phase),
                                (uint32_t)rng_next(rng) & (which % 2 ? 0x1f : 0xff), &err),
                &err);
        support_true(testbench_run(testbench, &run, &observer, &cycles, &err), &err);
    }
}

static void run_network(const char *network, enum machine_settings settings, uint32_t nodes)
{
    static const uint32_t prices[] = {0, 1, 3, 10};
    const struct machine machine = machine_of(network, settings);
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct rng rng = {SEED + nodes};
    for (unsigned k = 0; k < 4; k++) {
        struct reconfig_lab lab = {.nodes = nodes,
                                   .count = 2 + rng_below(&rng, 3),
                                   .most_rows = 1 + k,
                                   .shifts = settings == MACHINE_TAGS};
        struct support_job job = {0};
        struct simulate_report report;
        struct err err = {0};
        reconfig_lab_schedule(&lab, &rng, &job.schedule);
        support_payload(&job.schedule, &machine, 1 + k % 2, SETTING_PERIOD_LAB_SEED, &job.payload);
        support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
        route_reconfigure(&job.image, prices[k]);
        support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err),
                     &err);
        assert_int_equal(report.run_cycles,
                         job.schedule.end * job.image.run.row_cycles + lab.count * prices[k]);
        assert_int_equal(report.checks.seen, job.schedule.transfer_count);
        if (k == 3) {
            struct testbench testbench = {0};
            support_true(testbench_open(both, 2, &machine, false, &testbench, &err), &err);
            support_true(testbench_load(&testbench, &job.image, &err), &err);
            read_back(&testbench, &job.image);
            run_any(&testbench, &job.image, &rng);
            testbench_close(&testbench);
        }
        support_job_free(&job);
    }
}

static void lockstep(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    run_network("benes:5", MACHINE_FULL, 5);
    run_network("benes:8", MACHINE_FULL, 8);
    run_network("clos:3,3,3", MACHINE_INDEXED, 9);
    run_network("benes:7", MACHINE_TAGS, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lockstep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
