/* SPDX-License-Identifier: Apache-2.0 */
/* test_waves_postal: the documented waveform, Bar-Noy and Kipnis' example: n = 14, λ = 5/2,
 * complete at 15/2.
 *
 * 4 flits and 6 registers give λ: a unit of time is 40 ns, a tick 20 ns. The packet that each node
 * sends at each time is written by hand from the paper's Fig. 1. At every node in every cycle of
 * the run, on csim and on the RTL, the save file must show the flit that is on its lane out, and
 * the packet while it is on its lane in, or nothing; markers at the units, every row by its time.
 */
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/shown.h"
#include "tests/support/support.h"
#include "waves/save.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NODES = 14, FLITS = 4, LATENCY = 6, CYCLES = 30, CYCLES_OF_TICK = 2 };

static const struct call {
    uint32_t tick, from, to;
} calls[] = {{0, 0, 9},  {2, 0, 6},  {4, 0, 4}, {6, 0, 3}, {8, 0, 2}, {10, 0, 1},  {5, 9, 12},
             {7, 9, 11}, {9, 9, 10}, {7, 6, 8}, {9, 6, 7}, {9, 4, 5}, {10, 12, 13}};
enum { CALLS = sizeof calls / sizeof *calls };

struct expected {
    bool sends[NODES][CYCLES + FLITS], receives[NODES][CYCLES + FLITS];
};

static struct expected expect(void)
{
    struct expected expected = {0};
    for (unsigned k = 0; k < CALLS; k++)
        for (uint32_t flit = 0; flit < FLITS; flit++) {
            uint32_t cycle = calls[k].tick * CYCLES_OF_TICK + flit;
            expected.sends[calls[k].from][cycle] = true;
            expected.receives[calls[k].to][cycle + LATENCY] = true;
        }
    return expected;
}

static void check_cycle(const struct shown_trace *trace, const struct shown *shown,
                        const struct expected *expected, uint32_t cycle, uint64_t ns)
{
    char name[16], flit[16], time[16];
    snprintf(flit, sizeof flit, "1.%" PRIu32, cycle % FLITS);
    for (uint32_t node = 0; node < NODES; node++) {
        snprintf(name, sizeof name, "node %" PRIu32, node);
        shown_assert(trace, shown, "sends", name, ns, expected->sends[node][cycle] ? flit : "");
        shown_assert(trace, shown, "receives", name, ns,
                     expected->receives[node][cycle] ? "pkt1" : "");
    }
    uint32_t tick = cycle / CYCLES_OF_TICK;
    snprintf(time, sizeof time, tick % 2 ? "time %" PRIu32 "/2" : "time %" PRIu32,
             tick % 2 ? tick : tick / 2);
    shown_assert(trace, shown, "run", "time", ns - 20, time);
}

static void check_example(enum engine_kind engine)
{
    const struct collective asked = {.n = NODES, .m = 1, .model = MODEL_POSTAL, .lambda = {5, 2}};
    const struct machine machine = support_machine(4, 2, 3);
    const struct expected expected = expect();
    char folder[] = "/tmp/test_waves.XXXXXX", file[64], save[64], command[80];
    struct support_job job;
    struct simulate_report report;
    struct err err = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/x.fst", folder);
    snprintf(save, sizeof save, "%s/x.gtkw", folder);
    support_job(support_algorithm("postal-bcast"), &asked, &machine, FLITS, 3, &job);
    assert_int_equal(job.schedule.end, 15);
    assert_int_equal(job.schedule.transfer_count, CALLS);
    const struct simulate_options options = {.engine_count = 1, .engine = {engine}, .waves = file};
    support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err), &err);
    support_true(
        save_simulation(
            file, NULL,
            &(struct bundle){.image = job.image, .schedule = job.schedule, .payload = job.payload},
            &report.trace, &err),
        &err);
    assert_int_equal(report.run_cycles, CYCLES);

    struct shown_trace trace = shown_open_trace(file);
    struct shown shown = shown_read(save);
    uint64_t begin = shown_run_rises(&trace) - 10;
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++)
        check_cycle(&trace, &shown, &expected, cycle, begin + 10 * cycle);
    assert_int_equal(shown.ruler_step, 10 * FLITS);
    for (unsigned unit = 0; unit < 8; unit++)
        assert_int_equal(shown.markers[unit], begin + 10 * FLITS * unit);
    assert_int_equal(shown.markers[8], UINT64_MAX);
    shown_free(&shown);
    shown_close_trace(&trace);
    support_job_free(&job);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void example_of_csim(void **state)
{
    (void)state;
    check_example(ENGINE_CSIM);
}

static void example_of_rtl(void **state)
{
    (void)state;
    check_example(ENGINE_RTL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_csim),
        cmocka_unit_test(example_of_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
