/* SPDX-License-Identifier: Apache-2.0 */
/* test_stage_registers: the lanes after every switch stage, in csim and in RTL, in every cycle of a
 * run.
 *
 * At 8 ports each engine writes a full trace of the same run (`simulate` with waves, one engine at
 * a time). The traces are read back, csim's lane by lane and the RTL's as one word a stage, and
 * every lane after every stage is compared after every clock edge: exhaustive in stages, lanes and
 * cycles, for every algorithm and n = 7 and 8; payloads are drawn with a printed seed. The same is
 * done for random runs without barriers of stream_reference.h, in which entries and switches are
 * occasionally wrong, with rows of one cycle to rows of five.
 *
 * Counter-cases. The trace of a run with another payload, or of another random run, must differ. An
 * empty comparison fails: both traces must have all lanes, cover the whole run, and show flits.
 */
#include "sched/base/compare.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/fault_lab.h"
#include "tests/support/stream_reference.h"
#include "tests/support/support.h"

#include <fstapi.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED UINT64_C(20240614)

enum {
    LANES = FAULT_LAB_STAGES * FAULT_LAB_PORTS,
    LANE_BITS = 17,
    MAX_CYCLES = 4096,
    UNKNOWN = 1 << LANE_BITS
};

/* The lanes after the stages after each clock edge; UNKNOWN outside the trace. */
struct trace {
    uint32_t value[MAX_CYCLES][LANES];
    uint64_t begin, cycles; /* the first ns, and how many clock edges */
    size_t signals;         /* found, of lanes or of stages */
    /* by handle; -1: none, lane PORTS: all lanes of the stage */
    int stage_of[1 << 16], lane_of[1 << 16];
};

/* Returns whether the name belongs to the lanes after a stage. In csim each lane is a signal, in
 * the RTL a stage's lanes are one. */
static bool lane_name(const char *name, int *stage, int *lane)
{
    int end = 0;
    *lane = FAULT_LAB_PORTS;
    if (sscanf(name, "TOP.rc_multistage_machine.u_core.u_network.g_stage[%d].u_stage.lanes_o%n",
               stage, &end) == 1 &&
        end > 0)
        return name[end] == '\0' || name[end] == ' ';
    end = 0;
    if (sscanf(name, "TOP.machine.network.stage%d.lanes_o.lane%d%n", stage, lane, &end) == 2 &&
        end > 0)
        return name[end] == '\0' || name[end] == ' ';
    return false;
}

static void find_lanes(void *reader, struct trace *trace)
{
    const struct fstHier *hier;
    fstReaderClrFacProcessMaskAll(reader);
    memset(trace->stage_of, -1, sizeof trace->stage_of);
    fstReaderResetScope(reader);
    while ((hier = fstReaderIterateHier(reader)) != NULL) {
        char name[512];
        int stage, lane;
        if (hier->htyp == FST_HT_SCOPE)
            fstReaderPushScope(reader, hier->u.scope.name, NULL);
        else if (hier->htyp == FST_HT_UPSCOPE)
            fstReaderPopScope(reader);
        else if (hier->htyp == FST_HT_VAR) {
            snprintf(name, sizeof name, "%s.%s", fstReaderGetCurrentFlatScope(reader),
                     hier->u.var.name);
            if (!lane_name(name, &stage, &lane))
                continue;
            assert_true(hier->u.var.handle < 1 << 16);
            assert_int_equal(hier->u.var.length,
                             lane == FAULT_LAB_PORTS ? FAULT_LAB_PORTS * LANE_BITS : LANE_BITS);
            trace->stage_of[hier->u.var.handle] = stage;
            trace->lane_of[hier->u.var.handle] = lane;
            trace->signals++;
            fstReaderSetFacProcessMask(reader, hier->u.var.handle);
        }
    }
}

/* Returns the number that LANE_BITS characters represent. */
static uint32_t lane_value(const unsigned char *bits)
{
    uint32_t value = 0;
    for (unsigned k = 0; k < LANE_BITS; k++) {
        if (bits[k] != '0' && bits[k] != '1')
            return UNKNOWN;
        value = value << 1 | (bits[k] == '1');
    }
    return value;
}

static void change(void *self, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct trace *trace = self;
    if (trace->stage_of[handle] < 0)
        return;
    /* Values change at a rising edge; a trace may begin at a falling edge, with all values. */
    assert_true(time % 10 == 0 || time == trace->begin);
    assert_true(time / 10 < MAX_CYCLES);
    uint32_t *lanes = &trace->value[time / 10][trace->stage_of[handle] * FAULT_LAB_PORTS];
    if (trace->lane_of[handle] < FAULT_LAB_PORTS)
        lanes[trace->lane_of[handle]] = lane_value(value);
    else
        for (unsigned lane = 0; lane < FAULT_LAB_PORTS; lane++)
            lanes[lane] = lane_value(value + (FAULT_LAB_PORTS - 1 - lane) * LANE_BITS);
}

static void read_trace(const char *path, enum engine_kind kind, struct trace *trace)
{
    enum { SAME = UNKNOWN + 1 };
    void *reader = fstReaderOpen(path);
    assert_non_null(reader);
    trace->signals = 0;
    trace->begin = fstReaderGetStartTime(reader);
    trace->cycles = fstReaderGetEndTime(reader) / 10 + 1;
    for (size_t cycle = 0; cycle < MAX_CYCLES; cycle++)
        for (unsigned lane = 0; lane < LANES; lane++)
            trace->value[cycle][lane] = cycle == 0 ? UNKNOWN : SAME;
    find_lanes(reader, trace);
    assert_true(fstReaderIterBlocks(reader, change, trace, NULL));
    for (size_t cycle = 1; cycle < MAX_CYCLES; cycle++)
        for (unsigned lane = 0; lane < LANES; lane++)
            if (trace->value[cycle][lane] == SAME)
                trace->value[cycle][lane] = trace->value[cycle - 1][lane];
    fstReaderClose(reader);
    assert_int_equal(trace->signals, kind == ENGINE_CSIM ? LANES : FAULT_LAB_STAGES);
}

/* Runs a job on one engine with a full trace, and reads the trace. */
static void trace_job(const struct support_job *job, enum engine_kind kind, struct trace *trace)
{
    char folder[] = "/tmp/roundcast-lockstep-XXXXXX", waves[64], remove[64];
    struct simulate_report report;
    struct err err = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(waves, sizeof waves, "%s/t.fst", folder);
    snprintf(remove, sizeof remove, "rm -r %s", folder); /* the trace */
    const struct simulate_options options = {.engine_count = 1, .engine = {kind}, .waves = waves};
    bool holds = simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err);
    support_true(holds, &err);
    read_trace(waves, kind, trace);
    assert_int_equal(system(remove), 0);
}

/* A run's traces from both engines, and the counts of compared values. */
struct pair {
    struct trace csim, rtl;
    uint64_t values, valid; /* of the lanes, and of lanes with a flit */
};

/* Compares all lanes in the cycles that both traces show; requires that they are equal if `same`,
 * and that some differ otherwise. */
static void compare(struct pair *pair, const struct run *run, bool same)
{
    const struct trace *csim = &pair->csim, *rtl = &pair->rtl;
    uint64_t different = 0, valid = 0, cycles = 0,
             run_cycles = (uint64_t)run->rows * run->row_cycles;
    uint64_t end = MIN(csim->cycles, rtl->cycles);
    for (uint64_t cycle = 0; cycle < end; cycle++) {
        bool known = csim->value[cycle][0] != UNKNOWN && rtl->value[cycle][0] != UNKNOWN;
        for (unsigned lane = 0; known && lane < LANES; lane++) {
            different += csim->value[cycle][lane] != rtl->value[cycle][lane];
            valid += csim->value[cycle][lane] >> 16;
        }
        cycles += known;
    }
    assert_in_range(cycles, run_cycles, run_cycles + 12); /* the whole run, with its margins */
    if (!same) {
        assert_int_not_equal(different, 0);
        return;
    }
    assert_int_equal(different, 0);
    pair->values += cycles * LANES;
    pair->valid += valid;
}

static void print_counts(const struct pair *pair, uint64_t least)
{
    print_message("seed %" PRIu64 ": %" PRIu64 " lane values compared, %" PRIu64
                  " of them with a flit\n",
                  SEED, pair->values, pair->valid);
    assert_true(pair->values > 0 && pair->valid > least);
}

static void stage_registers(void **state)
{
    (void)state;
    struct pair *pair = calloc(1, sizeof *pair);
    const struct machine machine = support_machine(FAULT_LAB_LOG2_PORTS, 1, 0);
    assert_non_null(pair);
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm; algorithm++)
        for (uint32_t n = 7; n <= 8; n++) {
            const struct collective asked = {
                .n = n, .m = 5, .source = n - 1, .model = algorithm_model(*algorithm)};
            struct support_job job, other;
            if ((*algorithm)->kind != COLLECTIVE_BROADCAST || model_copies(asked.model) ||
                !algorithm_check(*algorithm, &asked, NULL))
                continue;
            support_job(*algorithm, &asked, &machine, 1 + n % 4, SEED, &job);
            support_job(*algorithm, &asked, &machine, 1 + n % 4, SEED + 1, &other);
            trace_job(&job, ENGINE_CSIM, &pair->csim);
            trace_job(&job, ENGINE_RTL, &pair->rtl);
            compare(pair, &job.image.run, true);
            trace_job(&other, ENGINE_RTL, &pair->rtl);
            compare(pair, &job.image.run, false);
            support_job_free(&job);
            support_job_free(&other);
        }
    print_counts(pair, 0);
    free(pair);
}

static bool pass(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self;
    (void)cycle;
    (void)obs;
    (void)err;
    return true;
}

/* Runs an image on one engine with a full trace of the run, and reads the trace. */
static void trace_image(const struct image *image, enum engine_kind kind, struct trace *trace)
{
    char file[] = "/tmp/roundcast-streams-XXXXXX.fst", message[100] = "";
    int descriptor = mkstemps(file, 4);
    struct testbench testbench;
    struct err err = {0};
    uint64_t cycles;
    assert_true(descriptor >= 0);
    close(descriptor);
    support_true(testbench_open(&kind, 1, &image->machine, true, &testbench, &err), &err);
    struct engine *engine = &testbench.engine[0];
    assert_true(engine->ops->trace_open(engine->self, file, message, sizeof message));
    support_true(testbench_load(&testbench, image, &err), &err);
    engine->ops->trace_enable(engine->self, true);
    support_true(testbench_run(&testbench, &image->run, &(struct testbench_observer){NULL, pass},
                               &cycles, &err),
                 &err);
    engine->ops->trace_enable(engine->self, false);
    assert_true(engine->ops->trace_close(engine->self, message, sizeof message));
    testbench_close(&testbench);
    read_trace(file, kind, trace);
    unlink(file);
}

/* Draws the image of a random run on the same machine, whose latency is 5. */
static void draw_stream(const struct run *run, uint64_t seed, struct image *image)
{
    const struct machine machine = support_machine(FAULT_LAB_LOG2_PORTS, 1, 0);
    const struct stream_reference_rates rates = {.busy = 80, .wrong = 3, .bare = 3};
    struct stream_reference stream;
    struct err err = {0};
    support_true(machine_check_run(&machine, run, "test", &err), &err);
    assert_true(machine_streams(&machine, run));
    stream_reference_draw(&machine, run, &rates, seed, &stream, image);
    stream_reference_free(&stream);
}

static void stage_registers_of_streams(void **state)
{
    (void)state;
    struct pair *pair = calloc(1, sizeof *pair);
    static const struct run runs[] = {{.rows = 64, .flits = 1, .row_cycles = 1},
                                      {.rows = 64, .flits = 3, .row_cycles = 1},
                                      {.rows = 64, .flits = 6, .row_cycles = 1},
                                      {.rows = 64, .flits = 5, .row_cycles = 5}};
    assert_non_null(pair);
    for (size_t which = 0; which < sizeof runs / sizeof *runs; which++) {
        struct image image, other;
        draw_stream(&runs[which], SEED + which, &image);
        draw_stream(&runs[which], ~SEED, &other);
        trace_image(&image, ENGINE_CSIM, &pair->csim);
        trace_image(&image, ENGINE_RTL, &pair->rtl);
        compare(pair, &image.run, true);
        trace_image(&other, ENGINE_RTL, &pair->rtl);
        compare(pair, &image.run, false);
        image_free(&image);
        image_free(&other);
    }
    print_counts(pair, 1000);
    free(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stage_registers),
                                       cmocka_unit_test(stage_registers_of_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
