/* SPDX-License-Identifier: Apache-2.0 */
/* run_report: what `simulate` and `run` tell as JSON, and pages show (docs/formats.md). */
#ifndef ROUNDCAST_RUN_REPORT_H
#define ROUNDCAST_RUN_REPORT_H

#include "cli/options_simulate.h"

#include <jansson.h>

/* "csim", or "csim and rtl, in lockstep". */
const char *run_report_engines(const struct simulate_options *simulate);

/* The most memory that this program has had. */
double run_report_megabytes(void);

/* What is run: the schedule. NULL if there is no memory, as all of these. */
json_t *run_report_schedule(const struct schedule *schedule);

/* On what: the machine. */
json_t *run_report_machine(const struct image *image);

/* All of it, with what came of it: every run has the same keys. `breach` is the first one, or of
 * ERR_NONE. */
json_t *run_report_json(const struct options_simulate *options, const struct bundle *bundle,
                        const struct simulate_report *report, const struct err *breach);

#endif
