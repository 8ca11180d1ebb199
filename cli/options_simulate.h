/* SPDX-License-Identifier: Apache-2.0 */
/* options_simulate: which engines, which waves; and the report of a simulation. */
#ifndef ROUNDCAST_OPTIONS_SIMULATE_H
#define ROUNDCAST_OPTIONS_SIMULATE_H

#include "cli/bundle.h"
#include "cli/options.h"
#include "testbench/run/simulate.h"

struct options_simulate {
    struct err *err;
    struct simulate_options simulate;
    const char *page;     /* of HTML, to be written; NULL: none */
    const uint64_t *seed; /* of what was drawn, to be reported; NULL: not known */
};

/* --engine, --waves, --waves-from, --waves-to and --view. Initialise with OPTIONS_SIMULATE. */
extern const struct argp options_simulate_argp;

#define OPTIONS_SIMULATE(error)                                                               \
    {                                                                                         \
        .err = (error), .simulate = {.engine_count = 2, .engine = {ENGINE_CSIM, ENGINE_RTL} } \
    }

/* Simulate a bundle, write its page, and report to a file, as text or as JSON. False with the first
 * breach, or with what kept us from simulating. */
bool options_simulate_run(const struct options_simulate *options, const struct bundle *bundle,
                          bool json, FILE *to, struct err *err);

#endif
