/* SPDX-License-Identifier: Apache-2.0 */
/* run: a schedule on engines, from its image to a report. */
#ifndef ROUNDCAST_RUN_H
#define ROUNDCAST_RUN_H

#include "sched/bundle/bundle.h"
#include "testbench/run/simulate.h"

struct run_report {
    struct bundle bundle; /* schedule, image and payload */
    struct simulate_options options;
    bool has_seed;
    uint64_t seed; /* of everything that was drawn, if it is known */
    struct simulate_report simulated;
    struct err breach; /* the first check that failed; ERR_NONE: every check holds */
};

/* Simulates report->bundle by report->options, and fills `simulated` and `breach`. A trace is put
 * in its place together with the files that open it. Returns false with err if nothing could be
 * simulated or the trace not be written: then there is nothing to report; true also if a check
 * failed. Errors: E104, E202, E401, E404, E501, and E102 for the window of the trace. */
bool run_simulate(struct run_report *report, struct err *err);

/* Frees the bundle. */
void run_report_free(struct run_report *report);

#endif
