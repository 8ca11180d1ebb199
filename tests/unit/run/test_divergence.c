/* SPDX-License-Identifier: Apache-2.0 */
/* test_divergence: two engines in lockstep, of which the second is wrong in one output of one
 * cycle.
 *
 * Both are csim; the linker substitutes the wrong engine for the second that is opened. State
 * space, exhaustive: the cycle × the output, in a simulation from reset to the last word that is
 * read back, of a multistage network and of a self-timed hypercube. Each case must end with E607,
 * which names the cycle and the output. A network of 128 ports is read back node by node. Of two
 * engines the second writes the waves.
 *
 * Counter-case: the same simulation with the fault in a cycle that does not occur.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <string.h>

#define MOST_PORTS 128

static const char *const output_name[] = {"run",  "done",       "obs_strobe", "host_rdata", "obs",
                                          "busy", "host_error", "error",      "irq"};
#define OUTPUTS (sizeof output_name / sizeof *output_name)

/* The engines that are open, the current step, and the fault. */
static unsigned opened, opened_traced; /* bit k: the k-th was opened for waves */
static uint32_t ports;
static uint64_t steps, wrong_step;
static unsigned wrong_output;
static bool was_wrong;
static const struct dut_ops *right;

static void change_obs(struct dut_outputs *outputs)
{
    static uint32_t obs[MOST_PORTS];
    memcpy(obs, outputs->obs, ports * sizeof *obs);
    obs[ports - 1] ^= 1;
    outputs->obs = obs;
}

/* Receipts can only be wrong in a cycle that has receipts. */
static void wrong_step_of(void *self, const struct dut_inputs *inputs, struct dut_outputs *outputs)
{
    right->step(self, inputs, outputs);
    if (steps++ < wrong_step || was_wrong || (wrong_output == 4 && !outputs->obs_strobe))
        return;
    was_wrong = true;
    outputs->run ^= wrong_output == 0;
    outputs->done ^= wrong_output == 1;
    outputs->obs_strobe ^= wrong_output == 2;
    outputs->host_rdata ^= wrong_output == 3;
    outputs->busy ^= wrong_output == 5;
    outputs->host_error ^= wrong_output == 6;
    outputs->error ^= wrong_output == 7;
    outputs->irq ^= wrong_output == 8;
    if (wrong_output == 4)
        change_obs(outputs);
}

bool __real_engine_open_kept(struct engine_store *store, enum engine_kind kind,
                             const struct machine *machine, bool traced, struct engine *engine,
                             struct err *err);
bool __wrap_engine_open_kept(struct engine_store *store, enum engine_kind kind,
                             const struct machine *machine, bool traced, struct engine *engine,
                             struct err *err);
bool __wrap_engine_open_kept(struct engine_store *store, enum engine_kind kind,
                             const struct machine *machine, bool traced, struct engine *engine,
                             struct err *err)
{
    static struct dut_ops ops;
    support_true(__real_engine_open_kept(store, kind, machine, traced, engine, err), err);
    opened++;
    opened_traced |= (unsigned)traced << opened;
    if (opened == 1)
        return true;
    right = engine->ops;
    ops = *right;
    ops.step = wrong_step_of;
    engine->ops = &ops;
    return true;
}

/* Simulates a job with an output that is wrong once, from that step on. */
static bool run(const struct support_job *job, uint64_t step, unsigned output, struct err *err)
{
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_CSIM}};
    struct simulate_report report;
    opened = 0;
    ports = machine_ports(&job->image.machine);
    assert_true(ports <= MOST_PORTS);
    steps = 0;
    wrong_step = step;
    wrong_output = output;
    was_wrong = false;
    *err = (struct err){0};
    return simulate(&job->image, &job->schedule, &job->payload, &options, &report, err);
}

static void every_step(struct support_job *job)
{
    struct err err;
    support_true(run(job, UINT64_MAX, 0, &err), &err);
    const uint64_t all = steps;
    assert_true(all > 100);
    for (unsigned output = 0; output < OUTPUTS; output++)
        for (uint64_t step = 0; step < all; step++) {
            bool held = run(job, step, output, &err);
            assert_int_equal(held, !was_wrong);
            if (held)
                continue;
            char text[80];
            snprintf(text, sizeof text, "cycle %" PRIu64 ": csim and csim differ in %s", steps - 1,
                     output_name[output]);
            support_error(&err, ERR_DIVERGED, text);
        }
    support_job_free(job);
}

static void a_multistage_network(void **state)
{
    (void)state;
    const struct machine machine = support_machine(3, 1, 0);
    const struct collective collective = {.n = 7, .m = 2, .model = MODEL_SEND_RECEIVE};
    struct support_job job;
    support_job(support_algorithm("circulant"), &collective, &machine, 2, 1, &job);
    every_step(&job);
}

static void a_cube_that_times_itself(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(2);
    const struct machine machine = cube_auto_lab_machine(&cube, 0, 4, 2);
    const struct cube_runs_set set = cube_runs_set_of(4, 5);
    struct support_job job;
    cube_auto_lab_job(&machine, &set, 2, &job);
    every_step(&job);
}

/* Packets that few nodes want are read back node by node. */
static void a_large_network(void **state)
{
    (void)state;
    const struct machine machine = support_machine(7, 4, 0);
    const struct collective collective = {
        .n = 3, .m = 1, .model = MODEL_SEND_RECEIVE, .kind = COLLECTIVE_SCATTER};
    struct support_job job;
    support_job(support_algorithm("scatter"), &collective, &machine, 1, 1, &job);
    every_step(&job);
}

/* Only the last engine is opened for waves; a file that it cannot write ends the run. */
static void waves_of_the_last_engine(void **state)
{
    (void)state;
    const struct machine machine = support_machine(3, 1, 0);
    const struct collective collective = {.n = 7, .m = 2, .model = MODEL_SEND_RECEIVE};
    const struct simulate_options options = {
        .engine_count = 2, .engine = {ENGINE_CSIM, ENGINE_CSIM}, .waves = "/none/of/it.fst"};
    struct support_job job;
    struct simulate_report report;
    struct err err = {0};
    support_job(support_algorithm("circulant"), &collective, &machine, 2, 1, &job);
    opened = opened_traced = 0;
    wrong_step = UINT64_MAX;
    assert_false(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err));
    support_error(&err, ERR_WRITE, "waves: ");
    assert_int_equal(opened, 2);
    assert_int_equal(opened_traced, 1u << 2);
    support_job_free(&job);
}

static bool look_twice(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)obs;
    ++*(unsigned *)self;
    return cycle < 1 || err_set(err, ERR_LOST, "enough was seen");
}

/* An observer may end a run, and gives the reason. */
static void an_observer_ends_a_run(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    const struct machine machine = support_machine(3, 1, 0);
    const struct run run = {.rows = 9, .flits = 2, .row_cycles = 7};
    struct testbench testbench;
    struct err err = {0};
    uint64_t cycles;
    unsigned looked = 0;
    opened = 0;
    support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
    support_true(testbench_write(&testbench, MACHINE_RUN_ROWS, run.rows, &err) &&
                     testbench_write(&testbench, MACHINE_RUN_FLITS, run.flits, &err) &&
                     testbench_write(&testbench, MACHINE_RUN_ROW_CYCLES, run.row_cycles, &err),
                 &err);
    assert_false(testbench_run(&testbench, &run, &(struct testbench_observer){&looked, look_twice},
                               &cycles, &err));
    support_error(&err, ERR_LOST, "enough was seen");
    assert_int_equal(looked, 2);
    assert_int_equal(cycles, 1);
    testbench_close(&testbench);
}

/* An image of another machine is not loaded. */
static void another_machine(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    const struct machine machine = support_machine(3, 1, 0), other = support_machine(3, 1, 1);
    struct image image = {.machine = other};
    struct testbench testbench;
    struct err err = {0};
    opened = 0;
    support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
    assert_false(testbench_load(&testbench, &image, &err));
    support_error(&err, ERR_OTHER_MACHINE, "image: made for another machine");
    image.machine = machine;
    support_true(testbench_load(&testbench, &image, &err), &err);
    testbench_close(&testbench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_multistage_network),   cmocka_unit_test(a_cube_that_times_itself),
        cmocka_unit_test(a_large_network),        cmocka_unit_test(waves_of_the_last_engine),
        cmocka_unit_test(an_observer_ends_a_run), cmocka_unit_test(another_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
