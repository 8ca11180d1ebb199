/* SPDX-License-Identifier: Apache-2.0 */
/* options_round: the cycles of a round, where settings have a price and no machine is built: those
 * of the machine that `run` would build, or as given. */
#ifndef ROUNDCAST_OPTIONS_ROUND_H
#define ROUNDCAST_OPTIONS_ROUND_H

#include "sched/route/compile.h"

#include <argp.h>

struct options_round {
    struct err *err;
    struct compile_request request; /* --network, --flits */
    uint32_t cycles;                /* --round-cycles; 0 if not given */
};

/* --network, --flits and --round-cycles. Initialise with OPTIONS_ROUND. */
extern const struct argp options_round_argp;

#define OPTIONS_ROUND(error)                              \
    {                                                     \
        .err = (error), .request = {.machine.width = 16 } \
    }

/* Sets collective->cost.round of a collective with a price. E101 if an option was given without
 * one, or --round-cycles with another; E102, E401 and E402 for a machine that cannot be. */
bool options_round_set(const struct options_round *options, struct collective *collective);

#endif
