/* SPDX-License-Identifier: Apache-2.0 */
/* Save files of hypercubes: GTKWave shows, arc by arc and dimension by dimension, the packets of
 * the schedule.
 *
 * Every cell is computed from the schedule alone: in a round, for each node of each dimension, the
 * packet that arrives, or none; the same for the lines of its endpoints. Key checks: every name and
 * every bit exists in csim and in the RTL; there is a line for each arc; the number of packets seen
 * equals the number of transfers. Counter-cases: a schedule that moves a packet, and lines with
 * swapped signals, are found. */
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/shown_tree.h"

#include <stdio.h>
#include <string.h>

/* Checks the lines of one arc in a round that begins at `ns`. */
static void check_arc(const struct shown_tree_run *run, uint64_t round, uint64_t ns, uint32_t node,
                      unsigned dimension, struct shown_tree_cells *cells)
{
    uint32_t from = node ^ 1u << (dimension - 1);
    uint32_t packet = shown_tree_packet_of(&run->job.schedule, round, from, node, 0);
    char group[40], label[40], endpoint[40], text[32];
    snprintf(group, sizeof group, "dimension %u", dimension);
    snprintf(label, sizeof label, "%u to %u", from, node);
    snprintf(endpoint, sizeof endpoint, "node %u dimension %u", node, dimension);
    snprintf(text, sizeof text, packet ? "pkt%u" : "%.0u", packet);
    for (unsigned flit = 0; flit < SHOWN_TREE_FLITS; flit++) {
        uint64_t there = ns + 10 * (run->machine.pad + flit);
        shown_tree_check_cell(run, group, label, there, text, cells);
        shown_tree_check_cell(run, "receives", endpoint, there, text, cells);
    }
    shown_tree_check_flits(run, endpoint, "lane in", packet, ns + 10 * run->machine.pad, cells);
    shown_tree_check_cell(run, "observation", endpoint,
                          ns + 10 * (run->machine.pad + SHOWN_TREE_FLITS), text, cells);
    shown_tree_check_cell(run, endpoint, "flags", ns, "", cells);
    cells->packets += packet != 0;
}

static struct shown_tree_cells check_all(const struct shown_tree_run *run)
{
    const struct topology *cube = &run->machine.topology;
    uint64_t ns = shown_run_rises(&run->seen) - 10;
    struct shown_tree_cells cells = {0};
    for (uint64_t round = 1; round <= run->job.schedule.end;
         round++, ns += 10 * run->job.image.run.row_cycles) {
        char text[32];
        snprintf(text, sizeof text, "round %u", (unsigned)round);
        shown_tree_check_cell(run, "dimension 1", "round", ns - 10, text, &cells);
        for (unsigned dimension = 1; dimension <= cube->dimensions; dimension++)
            for (uint32_t node = 0; node < cube->nodes; node++)
                check_arc(run, round, ns, node, dimension, &cells);
    }
    return cells;
}

static void open_run(struct shown_tree_run *run, enum engine_kind engine, enum machine_kind kind,
                     unsigned d, unsigned pad)
{
    const struct topology cube = cube_lab_make(d);
    const struct cube_runs_set set = {3, {0, 1, 1}};
    struct schedule schedule;
    cube_runs_schedule("cube-broadcast", NULL, &cube, &set, &schedule);
    shown_tree_fill_schedule(run, kind, &schedule, pad);
    shown_tree_trace(run, engine, 0, 0);
}

static void close_all(struct shown_tree_run *run)
{
    shown_tree_close(run);
    shown_tree_empty(run);
}

static void check_shown(enum engine_kind engine, unsigned d, unsigned pad)
{
    struct shown_tree_run run;
    char wrong[256];
    open_run(&run, engine, MACHINE_CUBE, d, pad);
    if (shown_missing(&run.seen, &run.shown, wrong) > 0)
        fail_msg("%s: not in the trace", wrong);
    struct shown_tree_cells cells = check_all(&run);
    if (cells.different > 0)
        fail_msg("%u cells differ; first: %s", (unsigned)cells.different, cells.first);
    assert_true(cells.packets > 0);
    assert_int_equal(cells.packets, run.job.schedule.transfer_count);
    close_all(&run);
}

static void test_shown_of_csim(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 3; d++)
        check_shown(ENGINE_CSIM, d, d - 1);
}

static void test_shown_of_rtl(void **state)
{
    (void)state;
    check_shown(ENGINE_RTL, 2, 1);
}

/* Self-timed nodes find out from the flits which packet arrives, so the flits are shown. */
static void check_self_timed(enum engine_kind engine, unsigned d, unsigned pad)
{
    struct shown_tree_run run;
    char wrong[256];
    open_run(&run, engine, MACHINE_CUBE_AUTO, d, pad);
    if (shown_missing(&run.seen, &run.shown, wrong) > 0)
        fail_msg("%s: not in the trace", wrong);
    shown_find_line(&run.shown, "dimension 1", "1 to 0");
    close_all(&run);
}

static void test_self_timed(void **state)
{
    (void)state;
    for (unsigned d = 2; d <= 3; d++)
        check_self_timed(ENGINE_CSIM, d, d - 1);
    check_self_timed(ENGINE_RTL, 2, 1);
}

static void test_counter_cases(void **state)
{
    (void)state;
    struct shown_tree_run run;
    open_run(&run, ENGINE_CSIM, MACHINE_CUBE, 2, 0);
    assert_int_equal(check_all(&run).different, 0);
    struct transfer *transfer = &run.job.schedule.transfer[3];
    uint32_t packet = transfer->packet;
    transfer->packet = packet == 1 ? 2 : 1;
    assert_true(check_all(&run).different > 0);
    transfer->packet = packet;
    struct shown_line *first = NULL, *second = NULL;
    for (size_t k = 0; k < run.shown.count; k++) {
        struct shown_line *line = &run.shown.line[k];
        if (strcmp(line->group, "dimension 1") == 0 && strcmp(line->label, "1 to 0") == 0)
            first = line;
        if (strcmp(line->group, "dimension 2") == 0 && strcmp(line->label, "2 to 0") == 0)
            second = line;
    }
    assert_true(first != NULL && second != NULL);
    char *signals = first->signals;
    first->signals = second->signals;
    second->signals = signals;
    assert_true(check_all(&run).different > 0);
    close_all(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown_of_csim), cmocka_unit_test(test_shown_of_rtl),
        cmocka_unit_test(test_self_timed), cmocka_unit_test(test_counter_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
