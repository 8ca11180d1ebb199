/* SPDX-License-Identifier: Apache-2.0 */
/* sequencer: steps through the rows of a run; rtl/shell/rc_sequencer.sv, which numbers the cycles.
 *
 * fetch_o and row_o are computed one edge early and registered. Their values are the same in every
 * cycle, and no combinational process is needed.
 */
#ifndef ROUNDCAST_SEQUENCER_H
#define ROUNDCAST_SEQUENCER_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

#define SEQUENCER_CYCLE_BITS 16

#define SEQUENCER_PORTS(INPUT, OUTPUT)      \
    INPUT(rst, 1)                           \
    INPUT(start, 1)                         \
    INPUT(rows, machine->log2_rows + 1)     \
    INPUT(flits, machine->log2_flits + 1)   \
    INPUT(row_cycles, SEQUENCER_CYCLE_BITS) \
    INPUT(extends, 1)                       \
    OUTPUT(busy, 1)                         \
    OUTPUT(active, 1)                       \
    OUTPUT(run, 1)                          \
    OUTPUT(done, 1)                         \
    OUTPUT(fetch, 1)                        \
    OUTPUT(row, machine->log2_rows)         \
    OUTPUT(wave_fetch, 1)                   \
    OUTPUT(wave_row, machine->log2_rows)    \
    OUTPUT(tx_en, 1)                        \
    OUTPUT(tx_last, 1)                      \
    OUTPUT(tx_flit, machine->log2_flits)    \
    OUTPUT(rx_open, 1)

struct sequencer {
    SEQUENCER_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    /* of machines that detect the end of the run, or whose host stops it: this row is the last */
    struct csim_in finish_i;
    bool finishes;
    /* of machines with computed programs: the cycle before the last one of a row */
    struct csim_out ending_o;
    bool ends; /* the machine has computed programs */
    /* of machines with reconfiguration */
    struct csim_in reconfigure_i, length_i;
    struct csim_out next_phase_o, pause_o;
    bool reconfigures; /* the machine has reconfiguration */
    bool fresh, pause; /* fresh: length_i belongs to a setting that began one cycle ago */
    uint32_t left;     /* rows that the setting still has */
    uint32_t waited;   /* cycles since the change began */
    unsigned row_bits, flit_bits;
    uint32_t busy, busy1, busy2; /* busy1, busy2: delayed to cycles c-1 and c */
    uint32_t row, cycle, flit;   /* flit: the next to send; rows do not reset it */
    bool idle;                   /* nothing changes until rst or start */
    bool middle;                 /* it was the middle of a row at the last edge */
};

/* Builds a sequencer in `parent`; NULL if a building call failed. */
struct sequencer *sequencer_new(struct csim_module *parent, const char *name,
                                const struct machine *machine);

/* Rows that follow each other without a gap are alike, so that a machine can leap from one to the
 * next: to the edge at which the first flit of the next row leaves its endpoint and the last of
 * this row is stored, if the latency is 2 or more.
 *
 *     cycle   0      1            2         …  flits + latency - 1   0      1
 *     edge    fetch  flit 0, obs  flit 1                           fetch  flit 0, obs
 *                                 └─ leaps begin here, or one cycle later    └─ and end
 */

/* Returns the number of edges to that edge from a row's cycle 2 or 3; 0 in another cycle, if no row
 * follows, or if the run has not been observed yet. Precondition: the machine has no
 * reconfiguration, and its nodes do not detect the end of the run. */
uint32_t sequencer_edges(const struct sequencer *s, uint32_t latency);

/* Returns the next row, as row_o shows it. */
uint32_t sequencer_next_row(const struct sequencer *s);

/* Advances by that many edges. */
void sequencer_leap(struct sequencer *s);

#endif
