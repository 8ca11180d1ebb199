/* SPDX-License-Identifier: Apache-2.0 */
/* save: writes a GTKWave save file next to a trace, so that the trace opens in a readable form.
 *
 *     F.fst            the trace, as an engine wrote it
 *     F.gtkw           what to show: groups of signals, markers at the rounds or units of time, the
 *                      window
 *     F.packets.txt    {enabled, valid, packet}  ─►  pkt3         translation filters, which
 *     F.rounds.txt     {active, row}             ─►  round 4, or time 5/2    GTKWave takes by
 *     F.flits.txt      {enabled, flit}           ─►  2                      absolute path only
 *     F.flags.txt      {missing, unexpected, …}  ─►  MISSING
 *     F.words.txt      {valid, word} of a lane   ─►  3.0, flit 0 of packet 3
 *
 *     run              clk start run done round (or time) flit
 *     switch           with reconfiguration: when data flows, when the switch reconfigures
 *     sends, receives  a line per node: the packet, while its flits are read or arrive
 *     observation      what the machine reports, which is what the scoreboard sees
 *     endpoints        a group per node: sends, receives, lane out, lane in, flags
 *     stage by stage   a group per stage: the round or time that sets it, its settings, the lanes
 *                      after it
 *     the tree, level by level
 *                      of a fat tree instead: a group per router, from the root down: the round,
 *                      and for each neighbour and lane what goes to it and what comes from it
 *     the hypercube, dimension by dimension
 *                      of a hypercube, whose nodes here are endpoints, after `run`: a group per
 *                      dimension: the round, and for each node the packet that comes to it
 */
#ifndef ROUNDCAST_SAVE_H
#define ROUNDCAST_SAVE_H

#include "sched/base/files.h"
#include "sched/bundle/bundle.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/simulate.h"

#define SAVE_NS_PER_CYCLE 10 /* dut.h */

/* Nodes, lanes of a stage, routers of a level and lanes of a router that a save file lists at most:
 * with more, GTKWave opens slowly and the list is too long to read. The others are in the trace and
 * can be selected in GTKWave's tree. */
#define SAVE_MAX_LISTED 64

/* The contents of a trace. */
struct save {
    enum engine_kind engine; /* the engine that wrote it */
    const struct machine *machine;
    const struct run *run;
    const struct payload *payload;
    uint32_t nodes;              /* in use, 1 … ports */
    uint32_t unit;               /* rows of a unit of time (postal); 0: a row is a round */
    uint64_t first_row, end_row; /* rows of the window: the first, and one past the last */
    /* [rows]: changes of settings (schedule_setting_changes); NULL: none */
    const uint32_t *setting_changes;
    uint64_t zero_ns;        /* when the first flit of row 0 would leave without changes of
                              * settings */
    uint64_t from_ns, to_ns; /* the window */
};

#define SAVE_ROW_TEXT (RATIONAL_TEXT + 8)

/* Prints the name of a row: "round 4" or "time 5/2". Returns text. */
const char *save_row_text(const struct save *save, uint64_t row, char text[SAVE_ROW_TEXT]);

/* Writes the save file of `trace`, whose name ends in `.fst`, and its filters, and moves them into
 * place together with `traced`: the trace itself, reserved and written; NULL if it is already in
 * place. If it returns false, the caller discards `traced`. Errors: E202, E104. O(rows of the
 * window + words of the payload), plus the listed nodes, stages and levels. */
bool save_write(const char *trace, struct files_output *traced, const struct save *save,
                struct err *err);

/* Writes the save file for the trace of a simulation; does nothing if there is none. */
bool save_simulation(const char *trace, struct files_output *output, const struct bundle *bundle,
                     const struct simulate_trace *traced, struct err *err);

#endif
