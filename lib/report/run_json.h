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

/* -- Requests that are run in processes -------------------------------------------------------- */

/* Runs a request and prints its report as JSON, for processes that run one of many requests. */

/* Runs a request on engines of a store (NULL: new engines), writes its page if it requests one, and
 * prints its report as JSON, or the error that prevented the run. Returns false with the error of
 * the request or of a failed check. Errors: those of run_compile, run_simulate and page_write,
 * E6xx, E202. */
bool run_request(const struct request *request, struct engine_store *engines, FILE *to,
                 struct err *err);

#endif
