/* SPDX-License-Identifier: Apache-2.0 */
/* run_json: the report of a run as JSON, which `simulate` and `run` print, pages show and sweeps
 * store (docs/formats.md). */
#ifndef ROUNDCAST_RUN_JSON_H
#define ROUNDCAST_RUN_JSON_H

#include "lib/report/run.h"

#include <jansson.h>

/* Return the report's keys about the schedule, or about the machine. NULL if there is no memory. */
json_t *run_json_schedule(const struct schedule *schedule);
json_t *run_json_machine(const struct image *image);

/* Returns the whole report; every run has the same keys. NULL if there is no memory. */
json_t *run_json(const struct run_report *report);

#endif
