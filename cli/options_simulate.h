/* SPDX-License-Identifier: Apache-2.0 */
/* options_simulate: which engines, which waves, which page. */
#ifndef ROUNDCAST_OPTIONS_SIMULATE_H
#define ROUNDCAST_OPTIONS_SIMULATE_H

#include "cli/options.h"
#include "testbench/run/simulate.h"

struct options_simulate {
    struct err *err;
    struct simulate_options simulate;
    const char *page; /* of HTML, to be written; NULL: none */
};

/* --engine, --waves, --waves-from, --waves-to and --view. Initialise with OPTIONS_SIMULATE. */
extern const struct argp options_simulate_argp;

#define OPTIONS_SIMULATE(error)                                                               \
    {                                                                                         \
        .err = (error), .simulate = {.engine_count = 2, .engine = {ENGINE_CSIM, ENGINE_RTL} } \
    }

#endif
