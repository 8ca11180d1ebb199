/* SPDX-License-Identifier: Apache-2.0 */
/* run_json: the report of a run as JSON, which `simulate` and `run` print, pages show and sweeps
 * store (docs/formats.md). */
#ifndef ROUNDCAST_RUN_JSON_H
#define ROUNDCAST_RUN_JSON_H

#include "lib/run.h"

#include <jansson.h>

/* Returns "csim", or "csim and rtl, in lockstep". */
const char *run_json_engines(const struct simulate_options *options);

/* Returns the most memory that this process has used, in units of 2^20 bytes. */
double run_json_megabytes(void);

/* Return the keys of the schedule and of the machine. NULL if there is no memory. */
json_t *run_json_schedule(const struct schedule *schedule);
json_t *run_json_machine(const struct image *image);

/* Executes the run of a request, and prints its report, or its error, as JSON. Returns false with
 * the error of the request or of a failed check. A page is not written. Errors: those of
 * run_compile and run_simulate, E6xx, E202. */
bool run_json_request(const struct request *request, FILE *to, struct err *err);

/* Returns the whole report; every run has the same keys. NULL if there is no memory. */
json_t *run_json(const struct run_report *report);

#endif
