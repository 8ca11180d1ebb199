/* SPDX-License-Identifier: Apache-2.0 */
/* shown_tree: a run of routers, and what a save file should show of a fat tree, cell by cell.
 *
 * A cell is a line at a time. What it should show is worked out from the schedule alone: in a
 * round, at a router, for a neighbour and a lane, the flit that goes there and the one that comes
 * from there, or nothing; the cells that differ are counted.
 */
#ifndef ROUNDCAST_SHOWN_TREE_H
#define ROUNDCAST_SHOWN_TREE_H

#include "tests/support/shown.h"
#include "tests/support/tree_machine.h"
#include "waves/save.h"

#define SHOWN_TREE_FLITS 4

/* -- Runs -------------------------------------------------------------------------------------- */

struct shown_tree_run {
    char folder[32], trace[64], save[64];
    struct machine machine;
    struct support_job job;
    struct shown_trace seen;
    struct shown shown;
};

/* With a schedule, which is then the run's. */
void shown_tree_fill_schedule(struct shown_tree_run *run, enum machine_kind kind,
                              const struct schedule *schedule, unsigned pad);

void shown_tree_fill(struct shown_tree_run *run, enum machine_kind kind,
                     const struct topology *tree, unsigned pad,
                     const struct tree_machine_case *asked);
void shown_tree_trace(struct shown_tree_run *run, enum engine_kind engine, uint64_t from,
                      uint64_t to);
void shown_tree_close(struct shown_tree_run *run);
void shown_tree_empty(struct shown_tree_run *run);

/* -- Cells ------------------------------------------------------------------------------------- */

/* What was compared. */
struct shown_tree_cells {
    /* cells that differ; packets that should be on a lane of a router */
    uint32_t different, packets;
    char first[320];
};

/* The packet that goes from a node to another on a lane in a round; 0: none. */
uint32_t shown_tree_packet_of(const struct schedule *schedule, uint64_t round, uint32_t from,
                              uint32_t to, uint32_t lane);

void shown_tree_check_cell(const struct shown_tree_run *run, const char *group, const char *label,
                           uint64_t ns, const char *expected, struct shown_tree_cells *cells);

/* A line of flits: a packet, or nothing, from `ns` on, and nothing before and after it if rows do
 * not touch. */
void shown_tree_check_flits(const struct shown_tree_run *run, const char *group, const char *label,
                            uint32_t packet, uint64_t ns, struct shown_tree_cells *cells);

/* Rounds from … to; the first begins at `ns`. */
struct shown_tree_cells shown_tree_check(const struct shown_tree_run *run, uint64_t from,
                                         uint64_t to, uint64_t ns);

#endif
