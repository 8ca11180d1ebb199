/* SPDX-License-Identifier: Apache-2.0 */
/* ports: the scalar ports of a module, listed once.
 *
 * A module of the machine has many scalar ports. Each port is a field, a declaration, an entry of
 * what its process reads or writes, and a wire of the enclosing module. A table NAME_PORTS(INPUT,
 * OUTPUT) of INPUT(name, width) and OUTPUT(name, width), for ports name_i and name_o, generates all
 * four:
 *
 *     struct sequencer {
 *         SEQUENCER_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
 *
 *     SEQUENCER_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
 *
 *     SEQUENCER_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
 *
 * The second line requires in scope: `module`, `self`, `process` (which reads the inputs and writes
 * the outputs) and the variables used by the widths. The third line requires `part`, which has the
 * ports, and `around`, which has the signals `name` to which they are bound.
 */
#ifndef ROUNDCAST_PORTS_H
#define ROUNDCAST_PORTS_H

#include "csim/kernel/csim.h"

#define PORTS_INPUT_FIELD(name, width) struct csim_in name##_i;
#define PORTS_OUTPUT_FIELD(name, width) struct csim_out name##_o;

#define PORTS_INPUT_DECLARE(name, width)                         \
    csim_input(module, &self->name##_i, (width), 1, #name "_i"); \
    csim_reads(process, &self->name##_i);
#define PORTS_OUTPUT_DECLARE(name, width)                         \
    csim_output(module, &self->name##_o, (width), 1, #name "_o"); \
    csim_writes(process, &self->name##_o);

#define PORTS_INPUT_BIND(name, width) csim_bind(&part->name##_i, &around->name);
#define PORTS_OUTPUT_BIND(name, width) csim_bind(&part->name##_o, &around->name);
/* Binds an input to the input of the same name of the enclosing module. */
#define PORTS_INPUT_PASS(name, width) csim_bind(&part->name##_i, &around->name##_i);

/* ports_set(port, value): sets the next value of a scalar register. An unchanged register is not
 * written, so that the commit skips it. */
#define ports_set(port, value) ports_set_wire((port)->wire, (value))
static inline void ports_set_wire(struct csim_wire *wire, uint32_t value)
{
    if (*wire->now != value)
        *csim_wire_write(wire) = value;
}

/* Returns the low bits of a word, as the bit slice [bits-1:0]; bits 0 … 32. */
static inline uint32_t ports_low(uint32_t word, unsigned bits)
{
    return bits >= 32 ? word : word & ((UINT32_C(1) << bits) - 1);
}

#endif
