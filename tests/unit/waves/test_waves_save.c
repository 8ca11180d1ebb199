/* SPDX-License-Identifier: Apache-2.0 */
/* test_waves_save: save files at the limits of what they show, without a trace to show.
 *
 * Engines that show only ports have the groups of a run and of the observation, and no others.
 * Leaves with several links have a line for each; endpoints that split ranges show flits; stages
 * that combine have other names. Filters name at most 2^16 flits, and no word of a larger payload.
 * A run without rounds of equal length has no ruler. Paths in the root folder, and paths that are
 * too long, are rejected; so is each failing allocation, and no file is left.
 * Counter-cases: the same machine on an engine that shows its inside; runs on csim, whose traces
 * contain all names.
 *
 * tags: no-memory
 */
#include "sched/machine/machine_network.h"
#include "sched/shape/wiring.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/no_memory.h"
#include "tests/support/range_lab.h"
#include "tests/support/reduction_lab.h"
#include "tests/support/shown.h"
#include "tests/support/support.h"
#include "tests/support/tree_machine.h"
#include "waves/names.h"
#include "waves/save.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- Folders and files ------------------------------------------------------------------------- */

static char folder[32], trace[48];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_waves.XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(trace, sizeof trace, "%s/x.fst", folder);
    return 0;
}

/* Removes the files that may be there; no other file may be. */
static int remove_folder(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"fst",       "gtkw",      "packets.txt", "rounds.txt",
                                           "flits.txt", "flags.txt", "words.txt"};
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
        char path[64];
        snprintf(path, sizeof path, "%s/x.%s", folder, suffixes[k]);
        remove(path);
    }
    return rmdir(folder);
}

static char *read_file(const char *suffix)
{
    char path[64], *text = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/x.%s", folder, suffix);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &room, '\0', file) > 0);
    fclose(file);
    return text;
}

static unsigned lines_of(const char *text)
{
    unsigned count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static struct shown read_save(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/x.gtkw", folder);
    return shown_read(path);
}

/* Returns the number of lines of a group. */
static unsigned lines_in(const struct shown *shown, const char *group)
{
    unsigned count = 0;
    for (size_t k = 0; k < shown->count; k++)
        count += strcmp(shown->line[k].group, group) == 0;
    return count;
}

/* Writes the save file of a run of two rows, of a payload of one byte. */
static void write_save(enum engine_kind engine, const struct machine *machine, uint32_t nodes,
                       uint32_t row_cycles)
{
    static uint8_t bytes[1] = {5};
    struct payload payload = {.bytes = bytes, .size = 1};
    const struct run run = {.rows = 2, .flits = 1, .row_cycles = row_cycles};
    struct err err = {0};
    support_true(payload_cut(&payload, 1, 1, 1, machine->width, &err), &err);
    const struct save save = {.engine = engine,
                              .machine = machine,
                              .run = &run,
                              .payload = &payload,
                              .nodes = nodes,
                              .end_row = 2,
                              .to_ns = 100};
    support_true(save_write(trace, NULL, &save, &err), &err);
}

/* -- Groups ------------------------------------------------------------------------------------ */

static struct machine reconfigured(void)
{
    struct machine machine = MULTISTAGE(2, 1, 0, 8, 1, 1, 1);
    machine.reconfigures = true;
    machine.log2_settings = 1;
    return machine;
}

static struct machine cube(void)
{
    struct machine machine = {
        .kind = MACHINE_CUBE, .width = 8, .log2_packets = 1, .log2_flits = 1, .log2_rows = 1};
    machine.topology = cube_lab_make(2);
    return machine;
}

static void ports_only(void **state)
{
    (void)state;
    static const char *const inside[] = {"switch",  "sends",       "receives", "node 0",
                                         "stage 0", "dimension 1", "switch"};
    const struct machine machines[] = {reconfigured(), cube()};
    for (size_t k = 0; k < 2; k++)
        for (unsigned shows = 0; shows < 2; shows++) {
            write_save(shows ? ENGINE_CSIM : ENGINE_NETLIST, &machines[k], 4, 10);
            struct shown shown = read_save();
            unsigned found = 0;
            for (size_t which = 0; which < sizeof inside / sizeof *inside; which++)
                found += lines_in(&shown, inside[which]) > 0;
            assert_int_equal(lines_in(&shown, "run"), shows ? 6 : 4);
            assert_int_equal(lines_in(&shown, "observation"), 4);
            assert_string_equal(shown_find_line(&shown, "run", "done")->signals, "TOP.done_o");
            if (shows)
                assert_true(found >= 3);
            else
                assert_int_equal(found, 0);
            shown_free(&shown);
        }
}

static void no_stages(void **state)
{
    (void)state;
    const struct machine machine = reconfigured();
    assert_int_equal(names_stage_row(ENGINE_NETLIST, &machine, 0).width, 0);
    assert_int_equal(names_stage_setting(ENGINE_NETLIST, &machine, 0).width, 0);
    assert_int_equal(names_stage_lane(ENGINE_NETLIST, &machine, 0, 1).width, 0);
    assert_int_equal(names_stage_lane(ENGINE_CSIM, &machine, 0, 1).width, 9);
}

static void leaves_with_links(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree("2,2", "2,1", &tree, &err), &err);
    const struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &tree, 0);
    write_save(ENGINE_CSIM, &machine, wiring_endpoints(&tree), 10);
    struct shown shown = read_save();
    assert_int_equal(lines_in(&shown, "sends"), 8);
    for (unsigned endpoint = 0; endpoint < 8; endpoint++) {
        char label[32], signal[64];
        snprintf(label, sizeof label, "node %u lane %u", endpoint / 2, endpoint % 2);
        snprintf(signal, sizeof signal, "TOP.machine.rx_lanes.lane%u[%u:0]", endpoint,
                 machine.width);
        assert_string_equal(shown_find_line(&shown, label, "lane in")->signals, signal);
    }
    shown_free(&shown);
}

static void no_ruler(void **state)
{
    (void)state;
    const struct machine machine = cube();
    for (uint32_t row_cycles = 0; row_cycles <= 10; row_cycles += 10) {
        write_save(ENGINE_CSIM, &machine, 4, row_cycles);
        char *text = read_file("gtkw");
        assert_int_equal(strstr(text, "[ruler] 0 100\n") != NULL, row_cycles == 10);
        assert_int_equal(strstr(text, "[ruler]") != NULL, row_cycles == 10);
        free(text);
    }
}

/* -- Filters ----------------------------------------------------------------------------------- */

static void many_flits(void **state)
{
    (void)state;
    struct machine machine = cube();
    machine.log2_flits = 17;
    write_save(ENGINE_CSIM, &machine, 4, 10);
    char *text = read_file("flits.txt");
    assert_int_equal(lines_of(text), 2 << 16); /* not sent, and sent, of each of 2^16 */
    static const char last[] = "0FFFF ?black?\n2FFFF 65535\n";
    assert_string_equal(text + strlen(text) - strlen(last), last);
    free(text);
}

/* A payload of 2^16 flits has words, a larger one has none. */
static void many_words(void **state)
{
    (void)state;
    const struct machine machine = cube();
    for (uint32_t packets = (1 << 16) - 1; packets <= (1 << 16) + 1; packets++) {
        const struct run run = {.rows = 2, .flits = 1, .row_cycles = 10};
        struct payload payload;
        struct err err = {0};
        support_true(payload_random(1, packets, &payload, &err), &err);
        support_true(payload_cut(&payload, packets, 1, 1, 8, &err), &err);
        const struct save save = {
            .machine = &machine, .run = &run, .payload = &payload, .nodes = 4, .end_row = 2};
        support_true(save_write(trace, NULL, &save, &err), &err);
        char *text = read_file("words.txt");
        if (packets <= 1 << 16)
            assert_true(lines_of(text) > 1);
        else
            assert_string_equal(text, "000 ?black?\n");
        free(text);
        payload_free(&payload);
    }
}

/* -- Runs on csim ------------------------------------------------------------------------------ */

static void trace_job(struct support_job *job)
{
    const struct simulate_options options = {
        .engine_count = 1, .engine = {ENGINE_CSIM}, .waves = trace};
    const struct bundle bundle = {
        .image = job->image, .schedule = job->schedule, .payload = job->payload};
    struct simulate_report report;
    struct err err = {0};
    support_true(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err),
                 &err);
    support_true(save_simulation(trace, NULL, &bundle, &report.trace, &err), &err);
    struct shown_trace seen = shown_open_trace(trace);
    struct shown shown = read_save();
    char wrong[256];
    if (shown_missing(&seen, &shown, wrong) > 0)
        fail_msg("%s: not in the trace", wrong);
    shown_free(&shown);
    shown_close_trace(&seen);
}

static void ranges_show_flits(void **state)
{
    (void)state;
    static const char words[] = "/x.words.txt";
    const struct machine machine = range_lab_machine(4);
    struct support_job job;
    range_lab_job(&machine, 4, 1, 4, &job);
    trace_job(&job);
    struct shown shown = read_save();
    for (unsigned node = 0; node < 4; node++) {
        char label[32];
        snprintf(label, sizeof label, "node %u", node);
        const struct shown_line *sends = shown_find_line(&shown, "sends", label),
                                *receives = shown_find_line(&shown, "receives", label);
        assert_non_null(strstr(sends->filter, words));
        assert_non_null(strstr(receives->filter, words));
    }
    shown_free(&shown);
    support_job_free(&job);
    write_save(ENGINE_CSIM, &machine, 4, 10); /* of rounds, not of times */
    shown = read_save();
    assert_non_null(strstr(shown_find_line(&shown, "sends", "node 3")->filter, words));
    shown_free(&shown);
}

/* Each of the three packets has a contribution of each of the four nodes in the payload, and one
 * name. */
static void stages_that_combine(void **state)
{
    (void)state;
    struct machine machine = MULTISTAGE(2, 1, 1, 16, 1, 1, 1);
    const struct collective asked = {.n = 4,
                                     .m = 3,
                                     .kind = COLLECTIVE_ALL_REDUCE,
                                     .model = MODEL_FABRIC_ALL_REDUCE,
                                     .lambda = {1, 1}};
    struct support_job job;
    machine.network = multistage_all_reduce(4);
    machine.combines = true;
    support_schedule(support_algorithm("fabric-all-reduce"), &asked, &job.schedule);
    reduction_lab_build(machine, true, 2, 1, &job);
    trace_job(&job);
    struct shown shown = read_save();
    unsigned combining = 0;
    for (unsigned stage = 0; stage < machine_stages(&machine); stage++) {
        const bool combines = multistage_stage_combines(&machine.network, stage);
        char group[32];
        snprintf(group, sizeof group, "stage %u", stage);
        shown_find_line(&shown, group, combines ? "to the other lane" : "from the other lane");
        assert_int_equal(strstr(names_stage_lane(ENGINE_RTL, &machine, stage, 1).name,
                                ".g_combine.u_switch.") != NULL,
                         combines);
        combining += combines;
    }
    assert_true(combining > 0);
    shown_free(&shown);
    char *text = read_file("packets.txt");
    assert_int_equal(lines_of(text), 4 * 3);
    assert_non_null(strstr(text, "pkt3\n"));
    free(text);
    support_job_free(&job);
}

/* -- Errors ------------------------------------------------------------------------------------ */

/* Files with so long a name cannot be made in the root folder by any user. */
static void bad_paths(void **state)
{
    (void)state;
    char root[300] = "/", deep[PATH_MAX + 100] = "/tmp";
    const struct machine machine = cube();
    const struct run run = {.rows = 2, .flits = 1, .row_cycles = 10};
    const struct payload payload = {.packets = 0};
    const struct save save = {
        .machine = &machine, .run = &run, .payload = &payload, .nodes = 4, .end_row = 2};
    memset(root + 1, 'a', 250);
    strcpy(root + 251, ".fst");
    while (strlen(deep) < PATH_MAX)
        strcat(deep, "/.");
    strcat(deep, "/x.fst");
    struct err err = {0};
    assert_false(save_write(root, NULL, &save, &err));
    support_error(&err, ERR_WRITE, "File name too long");
    assert_int_equal(strncmp(err.text, "/aaa", 4), 0);
    assert_false(save_write(deep, NULL, &save, &err));
    support_error(&err, ERR_WRITE, ": no such folder, or too long a name; expected one");
}

static void without_memory(void **state)
{
    (void)state;
    struct machine machine = reconfigured();
    const struct collective asked = {.n = 4, .m = 2, .model = MODEL_SEND_RECEIVE};
    const struct simulate_trace traced = {.written = true, .engine = ENGINE_CSIM, .end_row = 3};
    struct support_job job;
    machine.log2_settings = machine.log2_rows = 3;
    machine.settings = MACHINE_INDEXED;
    machine.log2_period = 2;
    support_job(support_algorithm("circulant"), &asked, &machine, 2, 7, &job);
    assert_int_equal(job.schedule.end, 3); /* m - 1 + log2 n */
    const struct bundle bundle = {
        .image = job.image, .schedule = job.schedule, .payload = job.payload};
    bool written = false;
    uint64_t number = 0;
    while (!written) {
        struct err err = {0};
        int64_t left;
        number++;
        no_memory_begin(number, false);
        written = save_simulation(trace, NULL, &bundle, &traced, &err);
        no_memory_end(&left);
        assert_int_equal(left, 0);
        if (written)
            break;
        assert_true(err.code == ERR_TOO_BIG || err.code == ERR_WRITE); /* of fopen */
        assert_int_equal(rmdir(folder), 0);                            /* no file was left */
        assert_int_equal(make_folder(NULL), 0);
    }
    assert_true(number > 10);
    free(read_file("gtkw"));
    support_job_free(&job);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ports_only),        cmocka_unit_test(no_stages),
        TEST(leaves_with_links), TEST(no_ruler),
        TEST(many_flits),        TEST(many_words),
        TEST(ranges_show_flits), TEST(stages_that_combine),
        TEST(bad_paths),         TEST(without_memory),
    };
    return cmocka_run_group_tests_name("waves_save", tests, NULL, NULL);
}
