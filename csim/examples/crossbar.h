/* SPDX-License-Identifier: Apache-2.0 */
/* crossbar: a k×k crossbar with registered outputs, as an example of a csim module.
 *
 *               ┌───────────────┐
 *     in ──────►│  out[o] <=    ├──────► out    one cycle later
 *               │   in[select   │
 *     select ──►│     [o] - 1]  ├──────► busy   at once
 *               └───────────────┘
 *
 * Output o takes the word of input select[o] - 1, or 0 if select[o] is 0 (idle). Several outputs
 * may select one input: that is a broadcast. busy is the number of outputs that are not idle.
 */
#ifndef ROUNDCAST_CROSSBAR_H
#define ROUNDCAST_CROSSBAR_H

#include "csim/kernel/csim.h"

#define CROSSBAR_MAX_PORTS 255

struct crossbar {
    struct csim_in in;     /* [ports] of `width` bits */
    struct csim_in select; /* [ports] of 8 bits, each 0 … ports */
    struct csim_out out;   /* [ports] of `width` bits, registered */
    struct csim_out busy;  /* scalar of 8 bits, combinational */
    uint32_t ports;
    uint64_t moved; /* words put out since reset */
};

/* Builds a crossbar in `parent`: 1 … CROSSBAR_MAX_PORTS ports, width 1 … 32. Returns NULL if a
 * building call failed; csim_elaborate reports why. */
struct crossbar *crossbar_new(struct csim_module *parent, const char *name, uint32_t ports,
                              unsigned width);

#endif
