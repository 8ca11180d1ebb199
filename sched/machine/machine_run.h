/* SPDX-License-Identifier: Apache-2.0 */
/* machine_run: a run of a machine, and the clocking of its rows (docs/machine.md). */
#ifndef ROUNDCAST_MACHINE_RUN_H
#define ROUNDCAST_MACHINE_RUN_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"
#include "sched/machine/operators.h"

#define MACHINE_MAX_ROW_CYCLES 65535 /* 16 bits in the sequencer */
/* minimum number of cycles of a row with reconfiguration: the number of rows of a setting is read
 * with its first row */
#define MACHINE_RECONFIG_CYCLES 2
/* minimum number of flits of a packet in a run without barriers that combines: a word is read one
 * cycle before its combination is stored, so the same word must not be needed in the next cycle */
#define MACHINE_COMBINE_FLITS 2
#define MACHINE_MAX_PERIOD UINT32_C(65535)
/* minimum number of cycles of a row of a stream, so that a stop is decided within the row */
#define MACHINE_STREAM_CYCLES 4

/* The clocking of a run (docs/machine.md), in the machine's registers 8 … 10. There are two kinds:
 *
 *     with barriers   row_cycles >= flits + latency. A packet takes one row; round r is row r-1.
 *     without         row_cycles divides flits and latency. A packet takes flits / row_cycles rows,
 *                     beginning with any row; it has an entry in each of them, and MACHINE_MORE in
 *                     all but the last of the rows in which it is received. All nodes send flit
 *                     (cycle of the run) mod flits, so a packet begins with the flit that is due
 *                     then. The last latency / row_cycles rows send nothing, so that all packets
 *                     have arrived when the run ends.
 *
 * Without barriers, a packet that leaves from row t on can be forwarded (flits + latency) /
 * row_cycles rows later: the postal model with lambda = 1 + latency / flits. */
struct run {
    uint32_t rows;        /* 0 … capacity */
    uint32_t flits;       /* of a packet, 1 … capacity */
    uint32_t row_cycles;  /* 1 … MACHINE_MAX_ROW_CYCLES */
    uint32_t single_port; /* routers: 1 if a router sends at most one packet per row, else 0 */

    /* For machines with a setting period; 0 on others. */
    uint32_t period; /* setting phases, 1 … capacity */
    uint32_t first;  /* setting phase of row 0, below period */
    /* computed programs: packets of the schedule; higher numbers become the last packet, or in a
     * stream no packet */
    uint32_t packets;
    /* computed programs: 1 if the run is a stream, which the host may stop; else 0. The source
     * begins packet r, from 0, in row r. */
    uint32_t stream;

    uint32_t operation; /* enum machine_operator, on machines that combine; else 0 */

    uint32_t reconfigure; /* reconfiguration: cycles that a change of settings takes; else 0 */
};

/* Returns L, the cycles between a flit's departure from an endpoint and its arrival at another; in
 * machines of routers, at the next node. Endpoints that combine have one register more, in which a
 * flit waits for the word that it is combined with, except those with node memories, which combine
 * words that they have stored. */
static inline unsigned machine_latency(const struct machine *machine)
{
    const unsigned stages = machine_hops(machine) ? 0 : machine_stages(machine);
    return (machine->pipe ? stages / machine->pipe : 0) + machine->pad +
           (machine->combines && !machine_has_node_memories(machine));
}

/* Number of cycles that a row needs in addition to those in which packets of `flits` flits arrive.
 * Routers without tables choose the packets of the next row in them. A node memory, which forwards
 * no word in the cycle in which it is stored, needs one for packets of one flit. 0 for other
 * machines. O(h). */
unsigned machine_control_cycles(const struct machine *machine, uint32_t flits);

/* Minimum number of cycles of a row with barriers. A hop between routers takes a row: store and
 * forward. O(h). */
static inline uint32_t machine_row_cycles(const struct machine *machine, uint32_t flits)
{
    uint32_t cycles = flits + machine_latency(machine) + machine_control_cycles(machine, flits);
    return machine->reconfigures && cycles < MACHINE_RECONFIG_CYCLES ? MACHINE_RECONFIG_CYCLES
                                                                     : cycles;
}

/* Reports whether a run has no barriers. Precondition: machine_check_run. */
static inline bool machine_streams(const struct machine *machine, const struct run *run)
{
    return run->row_cycles < run->flits + machine_latency(machine);
}

/* Number of rows that a packet takes. */
static inline uint32_t machine_packet_rows(const struct run *run)
{
    return run->row_cycles < run->flits ? run->flits / run->row_cycles : 1;
}

/* Returns λ = 1 + L/F of the postal model that a run without barriers implements with packets of
 * `flits` flits. */
static inline struct rational machine_lambda(const struct machine *machine, uint32_t flits)
{
    return rational_make(flits + machine_latency(machine), flits);
}

/* Returns the cycle in which the first flit of row `row` leaves, counted from the cycle in which
 * the first flit of row 0 would leave if changes of settings took no time. `setting_changes` is the
 * number of changes up to this row, including the first setting and the row's own; 0 without
 * reconfiguration. Only this function converts rows to cycles. */
static inline uint64_t machine_row_begin(const struct run *run, uint64_t row,
                                         uint64_t setting_changes)
{
    return row * run->row_cycles + setting_changes * run->reconfigure;
}

/* Returns the cycle at whose end a packet that leaves from row `row` on has arrived completely. */
static inline uint64_t machine_arrival_cycle(const struct machine *machine, const struct run *run,
                                             uint64_t row, uint64_t setting_changes)
{
    return machine_row_begin(run, row, setting_changes) + run->flits - 1 + machine_latency(machine);
}

/* Checks that the run fits the machine and is one of the two kinds. `name` is the name of the image
 * in messages. E205. */
bool machine_check_run(const struct machine *machine, const struct run *run, const char *name,
                       struct err *err);

#endif
