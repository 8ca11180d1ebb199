/* SPDX-License-Identifier: Apache-2.0 */
/* test_stream_stop: streams that the host stops while they run, on csim; test_stream_stop_rtl.c
 * compares csim with the RTL.
 *
 * State space. matching for n = 2 … 9 (in the model telephone for even n) and path, up to 6
 * packets, on Beneš networks of n and of 2^k ports, Clos and Waksman networks, with full, indexed
 * and masked settings where the network has them: the host stops after every packet. The receipts
 * and memories must be those of the schedule that the algorithm builds for so many packets. Long
 * streams, over many periods: a sample of packets. In one machine the stop is written in every
 * cycle of the run, and register 15 must name the packet whose row the cycle is in.
 *
 * Counter-cases. A run that is stopped is not that of one packet more or less; an access during a
 * run that is no stop, and a stop of a run that is no stream, are answered with an error and change
 * nothing; programs of a schedule that cannot be stopped are rejected (E409).
 */
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

static void build(const char *algorithm, enum model model, uint32_t n, uint32_t m,
                  struct schedule *schedule)
{
    const struct collective asked = {
        .n = n, .m = m, .source = n * 2 / 3, .model = model, .stream = true};
    *schedule = (struct schedule){0};
    support_schedule(support_algorithm(algorithm), &asked, schedule);
}

static void free_job(struct support_job *job)
{
    payload_free(&job->payload);
    image_free(&job->image);
}

/* Runs the image of m packets, stopped after `packets`, and compares with `expected`. */
static bool holds(const struct support_job *job, uint32_t packets, const struct schedule *expected,
                  struct err *err)
{
    const struct simulate_options options = {
        .engine_count = 1, .engine = {ENGINE_CSIM}, .stop_after = packets};
    struct simulate_report report;
    return simulate(&job->image, expected, &job->payload, &options, &report, err) &&
           report.run_cycles == expected->end * job->image.run.row_cycles;
}

/* Stops a stream after each packet. Returns the number of runs. */
static unsigned every_stop(const char *algorithm, enum model model, struct schedule *stream,
                           const char *network, enum machine_settings settings, uint32_t flits)
{
    struct machine machine =
        setting_period_lab_machine(network, (struct setting_period_lab_how){settings, true});
    struct support_job job;
    struct err err = {0};
    const uint32_t n = stream->nodes, m = stream->packets;
    support_true(setting_period_lab_job(stream, machine, 3, flits, &job, &err), &err);
    assert_int_equal(job.image.run.stream, 1);
    for (uint32_t packets = 1; packets <= m; packets++) {
        struct schedule expected, other;
        build(algorithm, model, n, packets, &expected);
        if (!holds(&job, packets, &expected, &err))
            fail_msg("%s, n = %u, m = %u on %s, stopped after %u: %s", algorithm, n, m, network,
                     packets, err.text);
        build(algorithm, model, n, packets == m ? m + 1 : packets + 1, &other);
        if (packets < m)
            assert_false(holds(&job, packets, &other, &err));
        schedule_free(&other);
        schedule_free(&expected);
    }
    free_job(&job);
    return m;
}

static void every_round(void **state)
{
    (void)state;
    unsigned runs = 0;
    for (uint32_t n = 2; n <= 9; n++)
        for (uint32_t m = 1; m <= 6; m++)
            for (unsigned pairs = 0; pairs <= (n % 2 == 0); pairs++) {
                enum model model = pairs ? MODEL_TELEPHONE : MODEL_SEND_RECEIVE;
                struct schedule stream;
                char network[4][40];
                snprintf(network[0], sizeof network[0], "benes:%u,pipe=%u,pad=%u", n, n % 2, m % 3);
                snprintf(network[1], sizeof network[1], "benes:16,pipe=3");
                snprintf(network[2], sizeof network[2], "waksman:%u", n);
                snprintf(network[3], sizeof network[3], "clos:2,2,%u", n / 2 + 1);
                build("matching", model, n, m, &stream);
                for (unsigned which = 0; which < 4; which++)
                    runs += every_stop("matching", model, &stream, network[which],
                                       which % 2 ? MACHINE_INDEXED : MACHINE_FULL, 1 + m % 4);
                schedule_free(&stream);
            }
    print_message("%u runs\n", runs);
    assert_int_equal(runs, (1 + 2 + 3 + 4 + 5 + 6) * 4 * 12);
}

static void paths(void **state)
{
    (void)state;
    unsigned runs = 0;
    for (uint32_t n = 2; n <= 8; n++) {
        struct schedule stream;
        build("path", MODEL_SEND_RECEIVE, n, 5, &stream);
        runs += every_stop("path", MODEL_SEND_RECEIVE, &stream, "benes:8", MACHINE_INDEXED, 2);
        schedule_free(&stream);
    }
    assert_int_equal(runs, 7 * 5);
}

/* The source of these begins a packet every second round, or every L rounds. */
static void slow_streams_are_refused(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"binomial", "binary-tree"};
    for (unsigned which = 0; which < 2; which++)
        for (uint32_t n = 3; n <= 8; n++) {
            struct schedule stream;
            struct support_job job;
            struct err err = {0};
            struct machine machine = setting_period_lab_machine(
                "benes:8", (struct setting_period_lab_how){MACHINE_FULL, true});
            build(algorithms[which], MODEL_SEND_RECEIVE, n, 5, &stream);
            assert_false(setting_period_lab_job(&stream, machine, 3, 2, &job, &err));
            support_error(&err, ERR_IRREGULAR, "stream: packet ",
                          "expected a packet that begins and one that ends in every round");
            schedule_free(&stream);
        }
}

/* 300 packets; the period of matching is 12 rounds for 16 nodes and 60 for 22. */
static void many_periods(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {8, 16, 22}, period[] = {6, 12, 60};
    static const uint32_t packets[] = {1, 2, 11, 12, 13, 59, 60, 61, 299, 300};
    for (unsigned which = 0; which < 3; which++) {
        struct schedule stream, expected;
        struct support_job job;
        struct err err = {0};
        build("matching", MODEL_SEND_RECEIVE, nodes[which], 300, &stream);
        struct machine machine = setting_period_lab_machine(
            "benes:32", (struct setting_period_lab_how){MACHINE_INDEXED, true});
        support_true(setting_period_lab_job(&stream, machine, 3, 4, &job, &err), &err);
        assert_int_equal(job.image.run.period, period[which]);
        for (unsigned k = 0; k < sizeof packets / sizeof *packets; k++) {
            build("matching", MODEL_SEND_RECEIVE, nodes[which], packets[k], &expected);
            support_true(holds(&job, packets[k], &expected, &err), &err);
            schedule_free(&expected);
        }
        free_job(&job);
        schedule_free(&stream);
    }
}

/* -- The register ------------------------------------------------------------------------------ */

/* Starts the run and writes the status register in step `write` after it. Returns the steps until
 * the run is done; *rejected: an error answered the write. */
static unsigned run_with_stop(struct testbench *testbench, const struct image *image,
                              unsigned write, uint32_t word, bool *rejected)
{
    const struct engine *engine = &testbench->engine[0];
    struct dut_outputs *outputs = &testbench->outputs;
    struct err err = {0};
    support_true(testbench_load(testbench, image, &err), &err);
    *rejected = false;
    engine->ops->step(engine->self, &(struct dut_inputs){.start = true}, outputs);
    for (unsigned k = 0; k < 10000; k++) {
        struct dut_inputs inputs = {
            .host_we = k == write, .host_addr = MACHINE_RUN_STOP, .host_wdata = word};
        engine->ops->step(engine->self, &inputs, outputs);
        *rejected = *rejected || outputs->host_error;
        if (outputs->done)
            return k;
    }
    fail_msg("the run does not end");
    return 0;
}

/* Row r ends R(r + 1) - 1 steps after the first step; a stop that is written in its last two cycles
 * or in the last one of the row before is for the next row. */
static uint32_t packets_of_write(unsigned write, uint32_t row_cycles, uint32_t m)
{
    uint32_t packets = 1;
    while (packets < m && write + 4 > packets * row_cycles)
        packets++;
    return packets;
}

static void every_cycle(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    struct schedule stream;
    struct support_job job;
    struct testbench testbench = {0};
    struct err err = {0};
    const uint32_t n = 6, m = 5, tail = 3;
    bool rejected;
    build("matching", MODEL_SEND_RECEIVE, n, m, &stream);
    struct machine machine = setting_period_lab_machine(
        "benes:6,pipe=0", (struct setting_period_lab_how){MACHINE_INDEXED, true});
    support_true(setting_period_lab_job(&stream, machine, 3, 2, &job, &err), &err);
    assert_int_equal(job.image.run.row_cycles, MACHINE_STREAM_CYCLES);
    support_true(testbench_open(csim, 1, &job.image.machine, false, &testbench, &err), &err);
    unsigned whole = run_with_stop(&testbench, &job.image, UINT32_MAX, 1, &rejected);
    for (unsigned write = 0; write < whole - 2; write++)
        for (uint32_t word = 0; word < 2; word++) {
            unsigned steps = run_with_stop(&testbench, &job.image, write, word, &rejected);
            uint32_t packets = word ? packets_of_write(write, job.image.run.row_cycles, m) : m,
                     seen;
            assert_int_equal(whole - steps, (m - packets) * job.image.run.row_cycles);
            assert_false(rejected);
            support_true(testbench_read(&testbench, MACHINE_RUN_PACKETS, &seen, &err), &err);
            assert_int_equal(seen, MACHINE_STREAM | packets);
        }
    assert_int_equal(job.image.run.rows, m + tail);
    testbench_close(&testbench);
    free_job(&job);
    schedule_free(&stream);
}

static void others_are_rejected(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    struct schedule schedule;
    struct support_job job;
    struct testbench testbench = {0};
    struct err err = {0};
    bool rejected;
    setting_period_lab_schedule("circulant", 6, 5, &schedule);
    struct machine machine = setting_period_lab_machine(
        "benes:6", (struct setting_period_lab_how){MACHINE_INDEXED, true});
    support_true(setting_period_lab_job(&schedule, machine, 3, 2, &job, &err), &err);
    support_true(testbench_open(csim, 1, &job.image.machine, false, &testbench, &err), &err);
    unsigned whole = run_with_stop(&testbench, &job.image, UINT32_MAX, 1, &rejected);
    assert_false(rejected);
    assert_int_equal(run_with_stop(&testbench, &job.image, 10, 1, &rejected), whole);
    assert_true(rejected);
    testbench_close(&testbench);
    free_job(&job);
    schedule_free(&schedule);
}

/* A packet that leaves before its round, or late, would be cut by a stop. */
static void unstoppable_schedules_are_refused(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        struct schedule schedule = {0};
        struct support_job job;
        struct err err = {0};
        const struct collective asked = {.n = 3, .m = 3, .model = MODEL_SEND_RECEIVE};
        support_true(support_broadcast(&schedule, "cut", &asked, &err), &err);
        for (uint32_t round = 1; round <= 4; round++) {
            struct transfer *room = schedule_open_step(&schedule, round, 1, &err);
            assert_non_null(room);
            uint32_t packet = late ? (round == 4 ? 1 : round) : (round == 2 ? 3 : 1);
            *room = (struct transfer){0, 1 + round % 2, packet};
            schedule_close_step(&schedule, 1);
        }
        schedule.stream = true;
        struct machine machine = setting_period_lab_machine(
            "benes:4", (struct setting_period_lab_how){MACHINE_FULL, true});
        assert_false(setting_period_lab_job(&schedule, machine, 3, 2, &job, &err));
        support_error(&err, ERR_IRREGULAR,
                      late ? "stream: packet 1 is not sent in round 2; expected a packet"
                           : "stream: packet 3 is sent in round 2; expected rounds 3 to 4");
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_round),
                                       cmocka_unit_test(paths),
                                       cmocka_unit_test(slow_streams_are_refused),
                                       cmocka_unit_test(many_periods),
                                       cmocka_unit_test(every_cycle),
                                       cmocka_unit_test(others_are_rejected),
                                       cmocka_unit_test(unstoppable_schedules_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
