/* SPDX-License-Identifier: Apache-2.0 */
/* stream_stop: ends a stream when the host asks for it; rtl/shell/rc_stream_stop.sv, which draws
 * the rows. Its registers have the names that they have there. */
#ifndef ROUNDCAST_STREAM_STOP_H
#define ROUNDCAST_STREAM_STOP_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

#define STREAM_STOP_PORTS(INPUT, OUTPUT)      \
    INPUT(rst, 1)                             \
    INPUT(start, 1)                           \
    INPUT(stream, 1)                          \
    INPUT(stop, 1)                            \
    INPUT(ending, 1)                          \
    INPUT(row, machine->log2_rows)            \
    INPUT(rows, machine->log2_rows + 1)       \
    INPUT(packets, machine->log2_packets + 1) \
    OUTPUT(take, 1)                           \
    OUTPUT(taken, machine->log2_rows + 1)     \
    OUTPUT(finish, 1)

struct stream_stop {
    STREAM_STOP_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    unsigned row_bits;
    bool pending, stopped, more;
    uint32_t tail, left;
};

/* Builds the module in `parent`, for a machine with computed programs; NULL if a building call
 * failed. */
struct stream_stop *stream_stop_new(struct csim_module *parent, const char *name,
                                    const struct machine *machine);

/* Reports whether rows follow each other as if there were no stop. Precondition: the host port is
 * idle, and so does not pass a stop to this module. */
bool stream_stop_rests(const struct stream_stop *s);

/* Advances the registers to the third cycle of `row`. */
void stream_stop_leap(struct stream_stop *s, uint32_t row);

#endif
