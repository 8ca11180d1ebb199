/* sequencer: walks through the rows of a run; rtl/frame/rc_sequencer.sv, where the cycles are
 * numbered.
 *
 * fetch_o and row_o are computed one edge early and registered, which shows the same value in every
 * cycle and saves a combinational process.
 */
#ifndef ROUNDCAST_SEQUENCER_H
#define ROUNDCAST_SEQUENCER_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

#define SEQUENCER_CYCLE_BITS 16

#define SEQUENCER_PORTS(INPUT, OUTPUT)        \
    INPUT(rst_i, 1)                           \
    INPUT(start_i, 1)                         \
    INPUT(rows_i, machine->log2_rows + 1)     \
    INPUT(flits_i, machine->log2_flits + 1)   \
    INPUT(row_cycles_i, SEQUENCER_CYCLE_BITS) \
    OUTPUT(active_o, 1)                       \
    OUTPUT(run_o, 1)                          \
    OUTPUT(done_o, 1)                         \
    OUTPUT(fetch_o, 1)                        \
    OUTPUT(row_o, machine->log2_rows)         \
    OUTPUT(wave_fetch_o, 1)                   \
    OUTPUT(wave_row_o, machine->log2_rows)    \
    OUTPUT(tx_en_o, 1)                        \
    OUTPUT(tx_last_o, 1)                      \
    OUTPUT(tx_flit_o, machine->log2_flits)    \
    OUTPUT(rx_open_o, 1)

struct sequencer {
    SEQUENCER_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_in finish_i; /* of machines that find the end by themselves: this row is the last */
    bool finishes;           /* it is one */
    unsigned row_bits, flit_bits;
    uint32_t busy, busy1, busy2; /* busy1, busy2: delayed to cycles c-1 and c */
    uint32_t row, cycle, flit;   /* flit: the next to leave; rows do not reset it */
    bool idle;                   /* nothing changes until rst or start */
};

/* A sequencer in `parent`; NULL if a building call failed. */
struct sequencer *sequencer_new(struct csim_module *parent, const char *name,
                                const struct machine *machine);

#endif
