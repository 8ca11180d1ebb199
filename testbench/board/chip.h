/* SPDX-License-Identifier: Apache-2.0 */
/* chip: what a bitstream says, at its pins (synth/board/hx8k.sv).
 *
 * A library that is made of the bitstream's Verilog exports `chip_entry`. A step is a cycle: the
 * serial line in is applied, then comes the rising edge, and the pins are what they show after it.
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
