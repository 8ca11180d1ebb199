/* SPDX-License-Identifier: Apache-2.0 */
/* chip: a bitstream, at its pins (synth/board/hx8k.sv).
 *
 * A library compiled from the bitstream's Verilog exports `chip_entry`. A step is a cycle: the
 * input level of the serial line is applied, then comes the rising edge; the pins are those after
 * the edge.
 */
#ifndef ROUNDCAST_CHIP_H
#define ROUNDCAST_CHIP_H

#include <stdbool.h>
#include <stdint.h>

struct chip_pins {
    bool tx, run, done, strobe;
    const uint32_t *obs; /* all nodes' bits, the lowest first; valid until the next step */
};

struct chip_library {
    void *(*create)(void); /* NULL when memory runs out */
    void (*destroy)(void *self);
    void (*step)(void *self, bool rx, struct chip_pins *pins);
};

extern const struct chip_library chip_entry;

#endif
