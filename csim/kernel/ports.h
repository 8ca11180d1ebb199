/* SPDX-License-Identifier: Apache-2.0 */
/* ports: the scalar ports of a module, listed once.
 *
 * A module of the machine has many scalar ports, and each is a field, a declaration, something that
 * its process reads or writes, and a wire of the module around it. A table NAME_PORTS(INPUT,
 * OUTPUT) of INPUT(name, width) and OUTPUT(name, width), for ports name_i and name_o, says all
 * four:
 *
 *     struct sequencer {
 *         SEQUENCER_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
 *
 *     SEQUENCER_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
 *
 *     SEQUENCER_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
 *
 * The second stands where `module`, `self` and `process`, which reads the inputs and writes the
 * outputs, are in scope, and whatever the widths are expressed in; the third where `part` is, whose
 * ports they are, and `around`, whose signals `name` they are bound to.
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
/* An input that is one of the module around, too. */
#define PORTS_INPUT_PASS(name, width) csim_bind(&part->name##_i, &around->name##_i);

/* ports_set(port, value): the next value of a scalar register. One that does not change is held, so
 * that the commit passes it by. */
#define ports_set(port, value) ports_set_wire((port)->wire, (value))
static inline void ports_set_wire(struct csim_wire *wire, uint32_t value)
{
    if (*wire->now != value)
        *csim_wire_write(wire) = value;
}

/* The low bits of a word, as a bit slice [bits-1:0] takes them; bits 0 … 32. */
static inline uint32_t ports_low(uint32_t word, unsigned bits)
{
    return bits >= 32 ? word : word & ((UINT32_C(1) << bits) - 1);
}

#endif
