/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_auto_rtl: self-timed hypercubes of csim and RTL broadcast in lockstep, output for
 * output in every cycle.
 *
 * d = 1 … 4, and 5 if every space is exhausted, with 0 … 2 registers in an arc. Each machine is
 * built once and runs with no packets, all nodes, all packets at one node, and seeded sets, of 2 …
 * 4 flits; for d = 2 with every subset. Then it runs sets for which its queues are too small: both
 * engines lose the same packets and raise the same flags.
 */
#include "sched/base/rng.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"
#include "tests/support/running.h"

#define SEED 20261122
#define SETS 12

static struct cube_runs_set draw(unsigned which, const struct topology *cube, struct rng *rng)
{
    struct cube_runs_set set = {0};
    if (which == 0)
        return set;
    if (which == 1)
        return cube_runs_set_of(cube->nodes, UINT64_MAX);
    if (which == 2) {
        set.count = 3 * cube->dimensions + 1;
        for (uint32_t packet = 0; packet < set.count; packet++)
            set.node[packet] = cube->nodes - 1;
        return set;
    }
    set.count = rng_below(rng, cube->nodes + 1);
    cube_lab_multi(cube->nodes, set.count, rng_next(rng), set.node);
    return set;
}

static void run_cube(unsigned d, unsigned pad)
{
    const struct topology cube = cube_lab_make(d);
    const struct machine machine = cube_auto_lab_machine(&cube, pad, cube.nodes + 3 * d, 4);
    struct rng rng = {SEED + d};
    uint64_t receipts = 0;
    for (unsigned which = 0; which < SETS; which++) {
        const struct cube_runs_set set = draw(which, &cube, &rng);
        receipts += cube_auto_lab_run(&machine, &set, 2 + which % 3, true);
    }
    for (uint64_t bits = 0; d == 2 && bits < 16; bits++) {
        const struct cube_runs_set set = cube_runs_set_of(cube.nodes, bits);
        receipts += cube_auto_lab_run(&machine, &set, 2, true);
    }
    print_message("d = %u, %u registers, seed %u: %llu receipts\n", d, pad, SEED + d,
                  (unsigned long long)receipts);
}

static void test_lockstep(void **state)
{
    (void)state;
    run_cube(1, 1);
    run_cube(2, 2);
    run_cube(3, 0);
    run_cube(4, 1);
}

static void test_lockstep_5(void **state)
{
    (void)state;
    run_cube(5, 0);
}

/* The queues of d = 3 hold one packet. Both engines fail alike: any difference between them would
 * be E607. */
static void test_small_queues(void **state)
{
    (void)state;
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    const struct topology cube = cube_lab_make(3);
    struct machine machine = cube_auto_lab_machine(&cube, 0, 2 * cube.nodes, 3);
    struct rng rng = {SEED};
    unsigned overflows = 0;
    machine.queue[1] = 1;
    for (unsigned which = 0; which < SETS; which++) {
        struct cube_runs_set set = {.count = 2 * cube.nodes};
        struct support_job job;
        struct simulate_report report;
        struct err err = {0};
        cube_lab_multi(cube.nodes, set.count, rng_next(&rng), set.node);
        cube_auto_lab_job(&machine, &set, 3, &job);
        bool held = simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err);
        assert_true(held || err.code == ERR_LOST || err.code == ERR_LATE ||
                    err.code == ERR_UNEXPECTED);
        assert_true(held == (report.checks.flags == 0));
        overflows += !held;
        support_job_free(&job);
    }
    print_message("%u of %u runs overflow\n", overflows, SETS);
    assert_true(overflows > SETS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lockstep),
                                       cmocka_unit_test(test_small_queues)};
    const struct CMUnitTest large[] = {cmocka_unit_test(test_lockstep_5)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(large, NULL, NULL) : failed;
}
