/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/run/testbench.h"

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <string.h>

#define READ_LATENCY 3 /* rtl/shell/rc_host_port.sv */
#define SHOW_LATENCY 2 /* cycles from a read of all nodes to the observation port */
#define START_MARGIN 8 /* most cycles from start to run, and from the last row to done */
/* cycles from the last cycle in which a stop can be written to the end of the row; row 0 begins one
 * cycle after start */
#define STOP_MARGIN 3

/* Reports the first output in which two engines differ, with both values. */
static bool diverged(const struct testbench *testbench, unsigned other,
                     const struct dut_outputs *seen, struct err *err)
{
    const struct dut_outputs *first = &testbench->outputs;
    const char *output = first->busy != seen->busy               ? "busy"
                         : first->run != seen->run               ? "run"
                         : first->done != seen->done             ? "done"
                         : first->obs_strobe != seen->obs_strobe ? "obs_strobe"
                         : first->host_error != seen->host_error ? "host_error"
                         : first->error != seen->error           ? "error"
                         : first->irq != seen->irq               ? "irq"
                         : first->host_rdata != seen->host_rdata ? "host_rdata"
                                                                 : "obs";
    char detail[80] = "";
    if (strcmp(output, "obs") == 0) {
        uint32_t node = 0;
        while (first->obs[node] == seen->obs[node])
            node++;
        snprintf(detail, sizeof detail, " of node %" PRIu32 " (%08" PRIx32 " and %08" PRIx32 ")",
                 node, first->obs[node], seen->obs[node]);
    }
    return err_set(err, ERR_DIVERGED,
                   "cycle %" PRIu64 ": %s and %s differ in %s%s; expected equal outputs",
                   testbench->cycle, engine_name(testbench->engine[0].kind),
                   engine_name(testbench->engine[other].kind), output, detail);
}

static bool same_outputs(const struct testbench *testbench, const struct dut_outputs *seen)
{
    const struct dut_outputs *first = &testbench->outputs;
    return first->busy == seen->busy && first->run == seen->run && first->done == seen->done &&
           first->obs_strobe == seen->obs_strobe && first->host_error == seen->host_error &&
           first->error == seen->error && first->irq == seen->irq &&
           first->host_rdata == seen->host_rdata &&
           (!first->obs_strobe ||
            memcmp(first->obs, seen->obs, machine_ports(&testbench->machine) * sizeof *seen->obs) ==
                0);
}

static bool step(struct testbench *testbench, const struct dut_inputs *inputs, struct err *err)
{
    testbench->engine[0].ops->step(testbench->engine[0].self, inputs, &testbench->outputs);
    for (unsigned other = 1; other < testbench->engine_count; other++) {
        struct dut_outputs seen;
        testbench->engine[other].ops->step(testbench->engine[other].self, inputs, &seen);
        if (!same_outputs(testbench, &seen))
            return diverged(testbench, other, &seen, err);
    }
    testbench->cycle++;
    return true;
}

static bool idle(struct testbench *testbench, unsigned cycles, struct err *err)
{
    for (unsigned k = 0; k < cycles; k++)
        if (!step(testbench, &(struct dut_inputs){0}, err))
            return false;
    return true;
}

/* Checks that the hardware has the expected parameters. */
static bool check_registers(struct testbench *testbench, struct err *err)
{
    const struct machine *machine = &testbench->machine;
    static const char *const names[MACHINE_REGISTERS] = {
#define REGISTER_NAME(name, text, number) [number] = text,
        MACHINE_REGISTER_TABLE(REGISTER_NAME)
#undef REGISTER_NAME
    };
    for (uint32_t which = 0; which < MACHINE_REGISTERS; which++) {
        uint32_t word, expected;
        if (!machine_built_word(machine, which, &expected))
            continue;
        if (!testbench_read(testbench, which, &word, err))
            return false;
        if (word != expected)
            return err_set(err, ERR_OTHER_MACHINE,
                           "engine %s: register %s is %" PRIu32 "; expected %" PRIu32,
                           engine_name(testbench->engine[0].kind), names[which], word, expected);
    }
    return true;
}

bool testbench_open_kept(const struct testbench_engines *engines, const struct machine *machine,
                         struct testbench *testbench, struct err *err)
{
    *testbench = (struct testbench){.machine = *machine};
    bool opened = true;
    for (unsigned k = 0; opened && k < engines->count; k++) {
        opened = engine_open_kept(engines->store, engines->kind[k], machine,
                                  engines->traced && k == engines->count - 1, &testbench->engine[k],
                                  err);
        testbench->engine_count += opened;
    }
    /* Reset for one cycle; the machine extends it until its pipeline is empty. */
    opened = opened && step(testbench, &(struct dut_inputs){.rst = true}, err) &&
             idle(testbench, machine_latency(machine) + 3, err) && check_registers(testbench, err);
    if (!opened)
        testbench_close(testbench);
    return opened;
}

bool testbench_open(const enum engine_kind kinds[], unsigned count, const struct machine *machine,
                    bool traced, struct testbench *testbench, struct err *err)
{
    const struct testbench_engines engines = {kinds, count, traced, NULL};
    return testbench_open_kept(&engines, machine, testbench, err);
}

bool testbench_write(struct testbench *testbench, uint32_t address, uint32_t word, struct err *err)
{
    return step(testbench,
                &(struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word},
                err);
}

bool testbench_read_block(struct testbench *testbench, uint32_t address, uint32_t count,
                          uint32_t word[], struct err *err)
{
    for (uint32_t k = 0; k < count + READ_LATENCY - 1; k++) {
        struct dut_inputs inputs = {.host_re = k < count, .host_addr = address + k};
        if (!step(testbench, &inputs, err))
            return false;
        if (k >= READ_LATENCY - 1)
            word[k - (READ_LATENCY - 1)] = testbench->outputs.host_rdata;
    }
    return true;
}

bool testbench_read(struct testbench *testbench, uint32_t address, uint32_t *word, struct err *err)
{
    return testbench_read_block(testbench, address, 1, word, err);
}

bool testbench_read_nodes(struct testbench *testbench, uint32_t address, uint32_t count,
                          const struct testbench_reader *reader, struct err *err)
{
    for (uint32_t k = 0; k < count + SHOW_LATENCY - 1; k++) {
        struct dut_inputs inputs = {.host_re = k < count,
                                    .host_addr = MACHINE_ALL_NODES | (address + k)};
        if (!step(testbench, &inputs, err))
            return false;
        if (k >= SHOW_LATENCY - 1)
            reader->look(reader->self, k - (SHOW_LATENCY - 1), testbench->outputs.obs);
    }
    return true;
}

static bool check_engines(const struct testbench *testbench, struct err *err)
{
    bool right = true;
    for (unsigned k = 0; right && k < testbench->engine_count; k++)
        right = engine_check(&testbench->engine[k], err);
    return right;
}

bool testbench_load(struct testbench *testbench, const struct image *image, struct err *err)
{
    if (memcmp(&image->machine, &testbench->machine, sizeof image->machine) != 0)
        return err_set(err, ERR_OTHER_MACHINE,
                       "image: made for another machine; expected this one's parameters");
    struct progress progress = {0};
    if (testbench->shows_progress)
        progress = progress_begin("words loaded", image->count);
    bool loaded = true;
    for (size_t k = 0; loaded && k < image->count; k++) {
        loaded = testbench_write(testbench, image->word[k].address, image->word[k].word, err);
        progress_update(&progress, k);
    }
    progress_end(&progress);
    return loaded && check_engines(testbench, err) && idle(testbench, 1, err);
}

/* Advances the run by one step, or by as many as a single engine simulates at once (engine_leap);
 * the observer is then called for the cycles between, in which no packet completes. At most `most`
 * steps; with 0 the step stops a stream. Returns the number of steps; 0 with an error. */
static uint64_t advance(struct testbench *testbench, uint64_t most,
                        const struct testbench_observer *observer, uint64_t *cycles,
                        struct err *err)
{
    uint64_t leapt = 0;
    if (most == 0)
        return testbench_write(testbench, MACHINE_RUN_STOP, 1, err);
    if (testbench->engine_count == 1 && testbench->outputs.run)
        leapt = engine_leap(&testbench->engine[0], most, &testbench->outputs);
    if (leapt == 0)
        return step(testbench, &(struct dut_inputs){0}, err);
    testbench->cycle++;
    for (uint64_t k = 1; k < leapt; k++, testbench->cycle++, ++*cycles)
        if (!observer->observe(observer->self, *cycles, NULL, err))
            return 0;
    return leapt;
}

bool testbench_run(struct testbench *testbench, const struct run *run,
                   const struct testbench_observer *observer, uint64_t *cycles, struct err *err)
{
    uint64_t most = machine_row_begin(run, run->rows, run->rows), limit = most + START_MARGIN;
    *cycles = 0;
    /* A register that was written in the last cycle reaches the sequencer in the next one. */
    if (!idle(testbench, 1, err) || !step(testbench, &(struct dut_inputs){.start = true}, err))
        return false;
    uint64_t stop = testbench->stop_after > 0
                        ? machine_row_begin(run, testbench->stop_after, 0) - STOP_MARGIN - 1
                        : limit;
    for (uint64_t k = 0, passed; k < limit; k += passed) {
        passed = advance(testbench, k <= stop ? stop - k : limit - k, observer, cycles, err);
        if (passed == 0)
            return false;
        if (testbench->outputs.run) {
            const uint32_t *obs = testbench->outputs.obs_strobe ? testbench->outputs.obs : NULL;
            if (!observer->observe(observer->self, *cycles, obs, err))
                return false;
            ++*cycles;
        } else if (testbench->outputs.done) {
            return check_engines(testbench, err);
        }
    }
    return err_set(err, ERR_TIME_OUT,
                   "cycle %" PRIu64 ": the machine is not done; expected it after %" PRIu64,
                   *cycles, most);
}

void testbench_close(struct testbench *testbench)
{
    for (unsigned k = 0; k < testbench->engine_count; k++)
        engine_close(&testbench->engine[k]);
    *testbench = (struct testbench){0};
}
