/* SPDX-License-Identifier: Apache-2.0 */
/* Save files: GTKWave shows the packets of the schedule.
 *
 * The test reads a .gtkw file as GTKWave does, looks every signal up in the trace through GTKWave's
 * own reader, and translates values through the filters. Key checks: every name and every bit
 * exists, in both engines, over shapes that change names (one register, none, one-bit fields, more
 * lanes than are listed); at N = 8 every line of sends, receives, observation and lanes shows, in
 * every round, the packet that the schedule has there, or none; markers and window are at the
 * rounds. Words of wide flits have the names of their packets, whichever of their bits differ.
 * Counter-cases: a name, a range or a bit that is wrong is found, and nothing else; a filter that
 * swaps two packets is found. Errors: E202 and no filter left, E102 for a window outside the run.
 */
#include "sched/base/compare.h"
#include "sched/machine/machine_network.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/shown.h"
#include "tests/support/support.h"
#include "waves/save.h"

#include <fstapi.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Runs -------------------------------------------------------------------------------------- */

struct run_of {
    char folder[32], trace[64], save[64];
    struct machine machine;
    struct support_job job;
    struct err err;
};

static void fill_with(struct run_of *run, const char *algorithm, struct machine machine, uint32_t n,
                      uint32_t m, uint32_t flits)
{
    const struct collective asked = {.n = n, .m = m, .source = n / 2, .model = MODEL_SEND_RECEIVE};
    *run = (struct run_of){.machine = machine, .folder = "/tmp/test_waves.XXXXXX"};
    assert_non_null(mkdtemp(run->folder));
    snprintf(run->trace, sizeof run->trace, "%s/x.fst", run->folder);
    snprintf(run->save, sizeof run->save, "%s/x.gtkw", run->folder);
    support_job(support_algorithm(algorithm), &asked, &run->machine, flits, 7, &run->job);
}

static void fill(struct run_of *run, struct machine machine, uint32_t n, uint32_t m, uint32_t flits)
{
    fill_with(run, "matching", machine, n, m, flits);
}

static bool run_traced(struct run_of *run, enum engine_kind engine, uint64_t from, uint64_t to)
{
    const struct simulate_options options = {.engine_count = 1,
                                             .engine = {engine},
                                             .waves = run->trace,
                                             .waves_from = from,
                                             .waves_to = to};
    struct simulate_report report;
    run->err = (struct err){0};
    return simulate(&run->job.image, &run->job.schedule, &run->job.payload, &options, &report,
                    &run->err) &&
           save_simulation(run->trace, NULL,
                           &(struct bundle){.image = run->job.image,
                                            .schedule = run->job.schedule,
                                            .payload = run->job.payload},
                           &report.trace, &run->err);
}

static void empty(struct run_of *run)
{
    static const char *const suffixes[] = {"fst",       "gtkw",      "packets.txt", "rounds.txt",
                                           "flits.txt", "flags.txt", "words.txt"};
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
        char path[80];
        snprintf(path, sizeof path, "%s/x.%s", run->folder, suffixes[k]);
        remove(path);
    }
    assert_int_equal(rmdir(run->folder), 0); /* no other file was left */
    support_job_free(&run->job);
}

/* -- Tests ------------------------------------------------------------------------------------- */

static void assert_all_there(const struct run_of *run)
{
    struct shown_trace trace = shown_open_trace(run->trace);
    struct shown shown = shown_read(run->save);
    char wrong[256];
    if (shown_missing(&trace, &shown, wrong) > 0)
        fail_msg("%s: not in the trace", wrong);
    assert_true(shown.count > 10);
    shown_free(&shown);
    shown_close_trace(&trace);
}

/* Shapes whose names differ: all depths of the delay line, with and without registers and pads; the
 * smallest capacities, of one bit. */
static void test_names_of_csim(void **state)
{
    (void)state;
    for (unsigned log2_ports = 1; log2_ports <= 4; log2_ports++)
        for (unsigned pipe = 0; pipe <= 4 && pipe <= 2 * log2_ports - 1; pipe++)
            for (unsigned pad = 0; pad <= 2; pad++) {
                struct run_of run;
                struct machine machine = MULTISTAGE(log2_ports, pipe, pad, 8 + pad, 1, 1, 3);
                fill(&run, machine, 1u << log2_ports, 2, 1 + pad % 2);
                support_true(run_traced(&run, ENGINE_CSIM, 0, 0), &run.err);
                assert_all_there(&run);
                empty(&run);
            }
}

static void test_names_of_rtl(void **state)
{
    (void)state;
    const struct machine machines[] = {MULTISTAGE(1, 0, 0, 8, 1, 1, 1),
                                       MULTISTAGE(2, 2, 1, 8, 1, 1, 2)};
    for (size_t k = 0; k < 2; k++) {
        struct run_of run;
        fill(&run, machines[k], 2, 2, 2);
        support_true(run_traced(&run, ENGINE_RTL, 0, 0), &run.err);
        assert_all_there(&run);
        empty(&run);
    }
}

/* Networks of other shapes: lanes that bypass a stage, crossbars, stages that are controlled by a
 * setting index. */
static void test_names_of_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        enum machine_settings settings;
        bool rtl;
    } shapes[] = {
        {"benes:5", MACHINE_FULL, true},           {"benes:7,pipe=2", MACHINE_TAGS, true},
        {"clos:3,2,3", MACHINE_INDEXED, true},     {"clos:3,2,3,pipe=0,pad=1", MACHINE_FULL, false},
        {"benes:27,radix=3", MACHINE_FULL, false}, {"omega:8", MACHINE_FULL, false},
        {"multicast:4", MACHINE_FULL, true},       {"benes:4,pipe=2", MACHINE_MASKS, false},
        {"benes:6,pipe=0", MACHINE_INDEXED, false}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct run_of run;
        struct err err = {0};
        struct machine machine = MULTISTAGE(1, 1, 0, 8, 1, 1, 3);
        support_true(machine_parse_network(shapes[k].network, &machine, &err), &err);
        machine.settings = shapes[k].settings;
        machine.log2_period = machine_has_setting_period(&machine) ? 3 : 0;
        machine.log2_settings = machine_is_indexed(&machine) ? 3 : 0;
        fill_with(&run, "circulant", machine, MIN(machine.network.ports, 8), 2, 2);
        for (int rtl = 0; rtl <= shapes[k].rtl; rtl++) {
            support_true(run_traced(&run, rtl ? ENGINE_RTL : ENGINE_CSIM, 0, 0), &run.err);
            assert_all_there(&run);
        }
        empty(&run);
    }
}

static void test_many_nodes(void **state)
{
    (void)state;
    struct run_of run;
    fill(&run, support_machine(7, 1, 0), 100, 2, 2);
    support_true(run_traced(&run, ENGINE_CSIM, 0, 0), &run.err);
    assert_all_there(&run);
    struct shown shown = shown_read(run.save);
    assert_int_equal(shown.comments, 5); /* in sends, receives, observation, endpoints, stages */
    shown_find_line(&shown, "sends", "node 63");
    shown_find_line(&shown, "node 63", "flags");
    shown_find_line(&shown, "stage 12", "lane 63");
    for (size_t k = 0; k < shown.count; k++)
        assert_string_not_equal(shown.line[k].label, "node 64");
    shown_free(&shown);
    empty(&run);
}

/* Finds the packets that a node sends and receives in a round; 0: none. */
static void packets_of(const struct schedule *schedule, uint64_t round, uint32_t node,
                       uint32_t *sent, uint32_t *received)
{
    *sent = *received = 0;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            if (schedule->step[k].time == round) {
                const struct transfer *transfer = &schedule->transfer[t];
                *sent = transfer->source == node ? transfer->packet : *sent;
                *received = transfer->destination == node ? transfer->packet : *received;
            }
}

static const char *packet_text(uint32_t packet, char text[32])
{
    snprintf(text, 32, packet ? "pkt%" PRIu32 : "%.0" PRIu32, packet);
    return text;
}

static const char *flit_text(uint32_t packet, uint32_t flit, char text[32])
{
    text[0] = '\0';
    if (packet != 0)
        snprintf(text, 32, "%" PRIu32 ".%" PRIu32, packet, flit);
    return text;
}

/* Checks the lines of a node in a round that begins at `ns`. */
static void check_node(const struct run_of *run, const struct shown_trace *trace,
                       const struct shown *shown, uint64_t round, uint32_t node, uint64_t ns)
{
    const struct run *clocking = &run->job.image.run;
    uint64_t there = ns + 10 * machine_latency(&run->machine), end = ns + 10 * clocking->row_cycles;
    uint32_t sent, received;
    char name[32], stage[32], lane[32], text[32];
    packets_of(&run->job.schedule, round, node, &sent, &received);
    snprintf(name, sizeof name, "node %" PRIu32, node);
    snprintf(lane, sizeof lane, "lane %" PRIu32, node);
    snprintf(stage, sizeof stage, "stage %u", machine_stages(&run->machine) - 1);
    for (uint32_t flit = 0; flit < clocking->flits; flit++) {
        shown_assert(trace, shown, "sends", name, ns + 10 * flit, packet_text(sent, text));
        shown_assert(trace, shown, name, "sends", ns + 10 * flit, text);
        shown_assert(trace, shown, "receives", name, there + 10 * flit,
                     packet_text(received, text));
        shown_assert(trace, shown, name, "receives", there + 10 * flit, text);
        shown_assert(trace, shown, name, "lane out", ns + 10 * flit, flit_text(sent, flit, text));
        shown_assert(trace, shown, name, "lane in", there + 10 * flit,
                     flit_text(received, flit, text));
        shown_assert(trace, shown, stage, lane, there + 10 * flit, text);
    }
    shown_assert(trace, shown, "sends", name, ns + 10 * clocking->flits, "");
    shown_assert(trace, shown, "receives", name, there - 10, "");
    shown_assert(trace, shown, "observation", name, end, packet_text(received, text));
    shown_assert(trace, shown, "observation", name, end - 10, "");
    shown_assert(trace, shown, name, "flags", end, "");
}

/* The stage's table is read when the round reaches the stage, a cycle before the round's flits. */
static void check_round(const struct run_of *run, const struct shown_trace *trace,
                        const struct shown *shown, uint64_t round, uint64_t ns)
{
    char text[32], stage[32];
    snprintf(text, sizeof text, "round %" PRIu64, round);
    shown_assert(trace, shown, "run", "round", ns - 20, text);
    for (unsigned s = 0; s < machine_stages(&run->machine); s++) {
        snprintf(stage, sizeof stage, "stage %u", s);
        shown_assert(trace, shown, stage, "round", ns - 10 + 10 * s, text);
    }
    for (uint32_t flit = 0; flit < run->job.image.run.flits; flit++) {
        snprintf(text, sizeof text, "%" PRIu32, flit);
        shown_assert(trace, shown, "run", "flit", ns - 10 + 10 * flit, text);
    }
    shown_assert(trace, shown, "run", "flit", ns - 20, "");
    assert_int_equal(shown->markers[round - 1], ns);
}

static void check_shown(enum engine_kind engine, struct machine machine, uint32_t nodes)
{
    struct run_of run;
    fill(&run, machine, nodes, 3, 4);
    support_true(run_traced(&run, engine, 0, 0), &run.err);
    assert_all_there(&run);
    struct shown_trace trace = shown_open_trace(run.trace);
    struct shown shown = shown_read(run.save);
    uint64_t step = 10 * run.job.image.run.row_cycles, begin = shown_run_rises(&trace) - 10;
    assert_int_equal(shown.ruler_origin, begin);
    assert_int_equal(shown.ruler_step, step);
    assert_int_equal(shown.comments, 0);
    for (uint64_t round = 1; round <= run.job.schedule.end; round++) {
        check_round(&run, &trace, &shown, round, begin + (round - 1) * step);
        for (uint32_t node = 0; node < nodes; node++)
            check_node(&run, &trace, &shown, round, node, begin + (round - 1) * step);
    }
    shown_assert(&trace, &shown, "run", "round", begin + run.job.schedule.end * step - 20, "end");
    shown_free(&shown);
    shown_close_trace(&trace);
    empty(&run);
}

static void test_shown_of_csim(void **state)
{
    (void)state;
    check_shown(ENGINE_CSIM, support_machine(3, 1, 0), 7);
}

static void test_shown_of_rtl(void **state)
{
    (void)state;
    check_shown(ENGINE_RTL, support_machine(3, 1, 0), 7);
}

/* Flits of 2 and of 17 parts; the valid bit has a hexadecimal digit of its own, or shares one. */
static void test_shown_of_wide_flits(void **state)
{
    (void)state;
    static const unsigned widths[] = {33, 512};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        struct machine machine = support_machine(2, 1, 0);
        machine.width = widths[k];
        check_shown(ENGINE_RTL, machine, 3);
    }
}

/* Packets 1 and 2 differ in the highest bits only, packets 3 and 4 not at all. */
static void test_words_of_wide_flits(void **state)
{
    (void)state;
    static uint8_t bytes[] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 3, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0};
    static const char expected[] = "00000000000 ?black?\n"
                                   "10200000001 ?DodgerBlue3?1\n"
                                   "10300000001 ?firebrick3?2\n";
    struct run_of run;
    fill(&run, support_machine(2, 1, 0), 3, 1, 1);
    run.machine.width = 40;
    struct payload payload = {.bytes = bytes, .size = sizeof bytes};
    support_true(payload_cut(&payload, 4, 1, 1, 40, &run.err), &run.err);
    const struct run one_flit = {.rows = 1, .flits = 1, .row_cycles = 10};
    const struct save save = {.engine = ENGINE_RTL,
                              .machine = &run.machine,
                              .run = &one_flit,
                              .payload = &payload,
                              .nodes = 3,
                              .end_row = 1};
    support_true(save_write(run.trace, NULL, &save, &run.err), &run.err);
    char path[80], text[256] = "";
    snprintf(path, sizeof path, "%s/x.words.txt", run.folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
    empty(&run);
}

/* Without latency the program's word changes before the last flit; the line is a cycle earlier, and
 * complete. */
static void test_shown_without_latency(void **state)
{
    (void)state;
    struct run_of run;
    fill(&run, support_machine(3, 0, 0), 8, 3, 4);
    support_true(run_traced(&run, ENGINE_CSIM, 0, 0), &run.err);
    struct shown_trace trace = shown_open_trace(run.trace);
    struct shown shown = shown_read(run.save);
    uint64_t step = 10 * run.job.image.run.row_cycles, begin = shown_run_rises(&trace) - 10;
    for (uint64_t round = 1; round <= run.job.schedule.end; round++)
        for (uint32_t node = 0; node < 8; node++)
            for (uint32_t flit = 0; flit < 4; flit++) {
                uint32_t sent, received;
                char name[32], text[32];
                uint64_t ns = begin + (round - 1) * step + 10 * flit;
                packets_of(&run.job.schedule, round, node, &sent, &received);
                snprintf(name, sizeof name, "node %" PRIu32, node);
                shown_assert(&trace, &shown, "sends", name, ns - 10, packet_text(sent, text));
                shown_assert(&trace, &shown, "receives", name, ns, packet_text(received, text));
            }
    shown_free(&shown);
    shown_close_trace(&trace);
    empty(&run);
}

/* The trace begins one cycle before the first round of the window and ends with the cycle after the
 * last; a compiled engine shows half a cycle more at either end. */
static void check_window(enum engine_kind engine)
{
    struct run_of run;
    fill(&run, support_machine(3, 1, 0), 8, 3, 4);
    support_true(run_traced(&run, engine, 0, 0), &run.err);
    struct shown_trace whole = shown_open_trace(run.trace);
    uint64_t begin = shown_run_rises(&whole) - 10, step = 10 * run.job.image.run.row_cycles;
    shown_close_trace(&whole);
    for (uint64_t from = 2; from <= run.job.schedule.end; from++)
        for (uint64_t to = from; to <= run.job.schedule.end; to++) {
            support_true(run_traced(&run, engine, from, to), &run.err);
            struct shown_trace trace = shown_open_trace(run.trace);
            struct shown shown = shown_read(run.save);
            uint64_t first = begin + (from - 1) * step - 10, last = begin + to * step;
            assert_in_range(fstReaderGetStartTime(trace.reader), first - 5, first);
            if (to < run.job.schedule.end)
                assert_in_range(fstReaderGetEndTime(trace.reader), last, last + 10);
            else
                assert_in_range(fstReaderGetEndTime(trace.reader), last, last + 50);
            assert_int_equal(shown.from, first);
            assert_int_equal(shown.markers[0], first + 10);
            assert_int_equal(shown.markers[to - from], begin + (to - 1) * step);
            assert_int_equal(shown.markers[to - from + 1], UINT64_MAX);
            for (uint32_t node = 0; node < 8; node++)
                check_node(&run, &trace, &shown, from, node, first + 10);
            shown_free(&shown);
            shown_close_trace(&trace);
        }
    empty(&run);
}

static void test_window_of_csim(void **state)
{
    (void)state;
    check_window(ENGINE_CSIM);
}

static void test_window_of_rtl(void **state)
{
    (void)state;
    check_window(ENGINE_RTL);
}

static void test_window_outside(void **state)
{
    (void)state;
    struct run_of run;
    fill(&run, support_machine(3, 1, 0), 8, 3, 4);
    assert_false(run_traced(&run, ENGINE_CSIM, run.job.schedule.end + 1, 0));
    support_error(&run.err, ERR_RANGE, "waves-from: 6", "1 … 5");
    assert_false(run_traced(&run, ENGINE_CSIM, 3, 2));
    support_error(&run.err, ERR_RANGE, "waves-from: 3", "1 … 2");
    assert_int_not_equal(access(run.trace, F_OK), 0);
    empty(&run);
}

static void test_unwritable(void **state)
{
    (void)state;
    struct run_of run;
    fill(&run, support_machine(3, 1, 0), 8, 3, 4);
    char filter[80];
    snprintf(filter, sizeof filter, "%s/x.packets.txt", run.folder);
    assert_int_equal(mkdir(run.save, 0777), 0);
    assert_false(run_traced(&run, ENGINE_CSIM, 0, 0));
    support_error(&run.err, ERR_WRITE, "x.gtkw");
    assert_int_not_equal(access(filter, F_OK), 0);
    assert_int_equal(rmdir(run.save), 0);
    const struct save save = {.machine = &run.machine,
                              .run = &run.job.image.run,
                              .payload = &run.job.payload,
                              .nodes = 8,
                              .first_row = 0,
                              .end_row = 5};
    assert_false(save_write("/nowhere/x.fst", NULL, &save, &run.err));
    support_error(&run.err, ERR_WRITE, "/nowhere/x.fst");
    empty(&run);
}

/* Each error is made in a copy of the save file; the checker finds this error and no other. */
static void test_wrong_names_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *group, *label, *signals;
    } wrong[] = {
        {"run", "clk", "TOP.clock"},
        {"run", "flit", "TOP.machine.tx_en (3)TOP.machine.tx_flit[2:0]"},
        {"stage 0", "lane 0", "TOP.machine.network.stage0.lanes_o.lane0[15:0]"},
        {"stage 4", "lane 7", "TOP.machine.network.stage4.lanes_o.lane8[16:0]"},
        {"node 2", "flags", "TOP.machine.endpoint.flags_q.lane2"},
    };
    struct run_of run;
    fill(&run, support_machine(3, 1, 0), 8, 3, 4);
    support_true(run_traced(&run, ENGINE_CSIM, 0, 0), &run.err);
    struct shown_trace trace = shown_open_trace(run.trace);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct shown shown = shown_read(run.save);
        struct shown_line *line =
            (struct shown_line *)shown_find_line(&shown, wrong[k].group, wrong[k].label);
        char found[256];
        free(line->signals);
        line->signals = strdup(wrong[k].signals);
        assert_int_equal(shown_missing(&trace, &shown, found), 1);
        assert_non_null(strstr(wrong[k].signals, found));
        shown_free(&shown);
    }
    shown_close_trace(&trace);
    empty(&run);
}

/* A wrong filter shows another packet. */
static void test_wrong_filter_is_found(void **state)
{
    (void)state;
    struct run_of run;
    fill(&run, support_machine(3, 1, 0), 8, 3, 4);
    support_true(run_traced(&run, ENGINE_CSIM, 0, 0), &run.err);
    struct shown_trace trace = shown_open_trace(run.trace);
    struct shown shown = shown_read(run.save);
    const struct shown_line *line = shown_find_line(&shown, "sends", "node 4"); /* the source */
    char text[SHOWN_TEXT];
    shown_text(&trace, line, shown.markers[0], text);
    assert_string_equal(text, "pkt1");
    FILE *filter = fopen(line->filter, "w");
    assert_non_null(filter);
    fputs("30 ?red?pkt2\n31 pkt1\n", filter);
    fclose(filter);
    shown_text(&trace, line, shown.markers[0], text);
    assert_string_equal(text, "pkt2");
    shown_free(&shown);
    shown_close_trace(&trace);
    empty(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_csim),
        cmocka_unit_test(test_names_of_rtl),
        cmocka_unit_test(test_names_of_shapes),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_shown_of_csim),
        cmocka_unit_test(test_shown_of_rtl),
        cmocka_unit_test(test_shown_of_wide_flits),
        cmocka_unit_test(test_words_of_wide_flits),
        cmocka_unit_test(test_shown_without_latency),
        cmocka_unit_test(test_window_of_csim),
        cmocka_unit_test(test_window_of_rtl),
        cmocka_unit_test(test_window_outside),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_wrong_names_are_found),
        cmocka_unit_test(test_wrong_filter_is_found),
    };
    return cmocka_run_group_tests_name("waves", tests, NULL, NULL);
}
