/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/shown_tree.h"

#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Runs -------------------------------------------------------------------------------------- */

void shown_tree_fill_schedule(struct shown_tree_run *run, enum machine_kind kind,
                              const struct schedule *schedule, unsigned pad)
{
    *run = (struct shown_tree_run){.folder = "/tmp/test_waves.XXXXXX",
                                   .machine = tree_machine_of(kind, &schedule->topology, pad)};
    assert_non_null(mkdtemp(run->folder));
    snprintf(run->trace, sizeof run->trace, "%s/x.fst", run->folder);
    snprintf(run->save, sizeof run->save, "%s/x.gtkw", run->folder);
    tree_machine_fit(schedule, SHOWN_TREE_FLITS, &run->machine);
    tree_machine_job(schedule, &run->machine, SHOWN_TREE_FLITS, &run->job);
}

void shown_tree_fill(struct shown_tree_run *run, enum machine_kind kind,
                     const struct topology *tree, unsigned pad,
                     const struct tree_machine_case *asked)
{
    struct schedule schedule;
    tree_machine_schedule(asked, tree, &schedule);
    shown_tree_fill_schedule(run, kind, &schedule, pad);
}

void shown_tree_trace(struct shown_tree_run *run, enum engine_kind engine, uint64_t from,
                      uint64_t to)
{
    const struct simulate_options options = {.engine_count = 1,
                                             .engine = {engine},
                                             .waves = run->trace,
                                             .waves_from = from,
                                             .waves_to = to};
    struct simulate_report report;
    struct err err = {0};
    support_true(
        simulate(&run->job.image, &run->job.schedule, &run->job.payload, &options, &report, &err),
        &err);
    support_true(save_simulation(run->trace, NULL,
                                 &(struct bundle){.image = run->job.image,
                                                  .schedule = run->job.schedule,
                                                  .payload = run->job.payload},
                                 &report.trace, &err),
                 &err);
    run->seen = shown_open_trace(run->trace);
    run->shown = shown_read(run->save);
}

void shown_tree_close(struct shown_tree_run *run)
{
    shown_free(&run->shown);
    shown_close_trace(&run->seen);
}

void shown_tree_empty(struct shown_tree_run *run)
{
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", run->folder);
    assert_int_equal(system(command), 0);
    support_job_free(&run->job);
}

/* -- Cells ------------------------------------------------------------------------------------- */

uint32_t shown_tree_packet_of(const struct schedule *schedule, uint64_t round, uint32_t from,
                              uint32_t to, uint32_t lane)
{
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            if (schedule->step[k].time == round && schedule->transfer[t].source == from &&
                schedule->transfer[t].destination == to && schedule_lane(schedule, t) == lane)
                return schedule->transfer[t].packet;
    return 0;
}

/* A flit by its packet's number and its own, if no other flit has its word; else the packet's
 * number, if no other packet has it; else the lane in hexadecimal. */
static void flit_text(const struct shown_tree_run *run, uint32_t packet, uint32_t flit,
                      char text[32])
{
    text[0] = '\0';
    if (packet == 0)
        return;
    const struct payload *payload = &run->job.payload;
    uint32_t word = payload_word(payload, packet, flit), mine = 0, others = 0;
    for (uint32_t p = 1; p <= payload->packets; p++)
        for (uint32_t f = 0; f < payload->flits; f++)
            if (payload_word(payload, p, f) == word)
                *(p == packet ? &mine : &others) += 1;
    if (others > 0)
        snprintf(text, 32, "%05" PRIX32, UINT32_C(0x10000) | word);
    else if (mine > 1)
        snprintf(text, 32, "%" PRIu32, packet);
    else
        snprintf(text, 32, "%" PRIu32 ".%" PRIu32, packet, flit);
}

void shown_tree_check_cell(const struct shown_tree_run *run, const char *group, const char *label,
                           uint64_t ns, const char *expected, struct shown_tree_cells *cells)
{
    char text[SHOWN_TEXT];
    shown_text(&run->seen, shown_find_line(&run->shown, group, label), ns, text);
    if (strcmp(text, expected) != 0 && cells->different++ == 0)
        snprintf(cells->first, sizeof cells->first, "%s, %s at %" PRIu64 " ns: '%s'; expected '%s'",
                 group, label, ns, text, expected);
}

void shown_tree_check_flits(const struct shown_tree_run *run, const char *group, const char *label,
                            uint32_t packet, uint64_t ns, struct shown_tree_cells *cells)
{
    char text[32];
    for (uint32_t flit = 0; flit < SHOWN_TREE_FLITS; flit++) {
        flit_text(run, packet, flit, text);
        shown_tree_check_cell(run, group, label, ns + 10 * flit, text, cells);
    }
    if (run->job.image.run.row_cycles > SHOWN_TREE_FLITS) {
        shown_tree_check_cell(run, group, label, ns - 10, "", cells);
        shown_tree_check_cell(run, group, label, ns + 10 * SHOWN_TREE_FLITS, "", cells);
    }
}

/* The packets that a router exchanges with one neighbour in a round that begins at `ns`. */
static void check_branch(const struct shown_tree_run *run, uint64_t round, uint64_t ns,
                         uint32_t router, uint32_t neighbour, uint32_t lanes,
                         struct shown_tree_cells *cells)
{
    const struct topology *tree = &run->machine.topology;
    const struct schedule *schedule = &run->job.schedule;
    char me[TOPOLOGY_NODE_TEXT], other[TOPOLOGY_NODE_TEXT], group[32], label[64], on[24];
    snprintf(group, sizeof group, "router %s", topology_node_text(tree, router, me));
    topology_node_text(tree, neighbour, other);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const char *leaf = neighbour < tree->nodes ? "leaf " : "";
        snprintf(on, sizeof on, lane ? " lane %" PRIu32 : "%.0" PRIu32, lane);
        uint32_t sent = shown_tree_packet_of(schedule, round, router, neighbour, lane);
        uint32_t received = shown_tree_packet_of(schedule, round, neighbour, router, lane);
        snprintf(label, sizeof label, "to %s%s%s", leaf, other, on);
        shown_tree_check_flits(run, group, label, sent, ns, cells);
        snprintf(label, sizeof label, "from %s%s%s", leaf, other, on);
        shown_tree_check_flits(run, group, label, received, ns + 10 * run->machine.pad, cells);
        cells->packets += (sent != 0 ? 1u : 0) + (received != 0 ? 1u : 0);
    }
}

/* Buffers are read a cycle before the flits leave, from the round's first to the next one's. */
static void check_router(const struct shown_tree_run *run, uint64_t round, uint64_t ns,
                         unsigned level, uint32_t router, struct shown_tree_cells *cells)
{
    const struct topology *tree = &run->machine.topology;
    char node[TOPOLOGY_NODE_TEXT], group[32], text[32];
    snprintf(group, sizeof group, "router %s", topology_node_text(tree, router, node));
    snprintf(text, sizeof text, "round %" PRIu64, round);
    shown_tree_check_cell(run, group, "round", ns - 10, text, cells);
    shown_tree_check_cell(run, group, "round", ns + 10 * run->job.image.run.row_cycles - 20, text,
                          cells);
    for (uint32_t child = 0; child < tree->children[level]; child++)
        check_branch(run, round, ns, router, topology_child(tree, level, router, child),
                     tree->capacity[level], cells);
    if (level < tree->height)
        check_branch(run, round, ns, router, topology_parent(tree, level, router),
                     tree->capacity[level + 1], cells);
}

static void check_leaf(const struct shown_tree_run *run, uint64_t round, uint64_t ns, uint32_t leaf,
                       struct shown_tree_cells *cells)
{
    const struct schedule *schedule = &run->job.schedule;
    uint32_t parent = topology_parent(&run->machine.topology, 0, leaf);
    uint32_t sent = shown_tree_packet_of(schedule, round, leaf, parent, 0),
             received = shown_tree_packet_of(schedule, round, parent, leaf, 0);
    uint64_t there = ns + 10 * run->machine.pad, end = ns + 10 * run->job.image.run.row_cycles;
    uint64_t early = run->job.image.run.row_cycles > SHOWN_TREE_FLITS ? 0 : 10;
    bool self_timed = run->machine.kind == MACHINE_FAT_TREE_AUTO;
    char name[32], sends[32], receives[32];
    snprintf(name, sizeof name, "node %" PRIu32, leaf);
    snprintf(sends, sizeof sends, sent ? "pkt%" PRIu32 : "%.0" PRIu32, sent);
    snprintf(receives, sizeof receives, received ? "pkt%" PRIu32 : "%.0" PRIu32, received);
    for (uint32_t flit = 0; flit < SHOWN_TREE_FLITS; flit++) {
        shown_tree_check_cell(run, "sends", name, ns + 10 * flit - early, sends, cells);
        if (!self_timed)
            shown_tree_check_cell(run, "receives", name, there + 10 * flit, receives, cells);
    }
    if (self_timed)
        shown_tree_check_flits(run, "receives", name, received, there, cells);
    shown_tree_check_flits(run, name, "lane out", sent, ns, cells);
    shown_tree_check_flits(run, name, "lane in", received, there, cells);
    shown_tree_check_cell(run, "observation", name, there + 10 * SHOWN_TREE_FLITS, receives, cells);
    shown_tree_check_cell(run, name, "flags", end, "", cells);
}

struct shown_tree_cells shown_tree_check(const struct shown_tree_run *run, uint64_t from,
                                         uint64_t to, uint64_t ns)
{
    const struct topology *tree = &run->machine.topology;
    struct shown_tree_cells cells = {0};
    for (uint64_t round = from; round <= to; round++, ns += 10 * run->job.image.run.row_cycles) {
        for (unsigned level = 1; level <= tree->height; level++)
            for (uint32_t router = tree->first[level]; router < tree->first[level + 1]; router++)
                check_router(run, round, ns, level, router, &cells);
        for (uint32_t leaf = 0; leaf < tree->nodes; leaf++)
            check_leaf(run, round, ns, leaf, &cells);
        assert_int_equal(run->shown.markers[round - from], ns);
    }
    return cells;
}
