/* SPDX-License-Identifier: Apache-2.0 */
/* run_json: the report of a run as JSON, which `simulate` and `run` print, pages show and sweeps
 * store (docs/formats.md). */
#ifndef ROUNDCAST_RUN_JSON_H
#define ROUNDCAST_RUN_JSON_H

#include "lib/report/run.h"
#include "sched/base/err.h"
#include "sched/base/rational.h"
#include "sched/schedule/model.h"

#include <jansson.h>
#include <stdio.h>

/* -- Reports as JSON --------------------------------------------------------------------------- */

/* Builds the parts of JSON reports, and prints reports. */

/* Prints `root`, which may be NULL if building it failed, and releases it. E104, E202. */
bool report_json(FILE *to, json_t *root, struct err *err);

/* Adds an item to an array, or a value to an object, which then owns it. Either may be NULL for
 * lack of memory: then the array or object is released and becomes NULL, so that report_json
 * rejects a report that would lack a part. */
void report_json_append(json_t **array, json_t *item);
void report_json_set(json_t **object, const char *key, json_t *value);

/* Returns a text that comes from outside, such as the name or the content of a file, as a string.
 * JSON is UTF-8 and such texts are bytes: malformed bytes become U+FFFD (utf8.h), and control
 * characters are escaped. Every text from outside enters a report by this function or the next.
 * NULL if there is no memory. */
json_t *report_json_text(const char *text);

/* Returns bytes[count] as report_json_text does. */
json_t *report_json_bytes(const char *bytes, size_t count);

/* Returns the end or bound of a schedule: a number of rounds, or for the postal model a text such
 * as "15/2". */
json_t *report_json_end(enum model model, struct rational lambda, uint64_t end);

/* Returns {"expected": …, "seen": …}, the certificates of the trees of a schedule and of a run, as
 * 16 hexadecimal digits. */
json_t *report_json_trees(uint64_t expected, uint64_t seen);

/* Returns {"code": 102, "name": "range", "field": "nodes", "message": …, "further": …}; the message
 * uses the same names of fields as "field", which is null if the message is about no field. */
json_t *report_json_error(const struct err *err);

/* Prints {"error": …} for a command that failed, unless its report contains the error already. */
void report_failure(FILE *to, const struct err *err);

/* Return the report's keys about the schedule, or about the machine. NULL if there is no memory. */
json_t *run_json_schedule(const struct schedule *schedule);
json_t *run_json_machine(const struct image *image);

/* Returns the whole report; every run has the same keys. NULL if there is no memory. */
json_t *run_json(const struct run_report *report);

/* Returns the report of a valid schedule that was not run: the keys of a run, with null for the
 * machine and the simulation. NULL if there is no memory. */
json_t *run_json_unrun(const struct schedule *schedule, uint64_t seed);

/* -- Requests that are run in processes -------------------------------------------------------- */

/* Runs a request and prints its report as JSON, for processes that run one of many requests. */

/* Runs a request on engines of a store (NULL: new engines), writes its page if it requests one, and
 * prints its report as JSON, or the error that prevented the run. Returns false with the error of
 * the request or of a failed check. Errors: those of run_compile, run_simulate and page_write,
 * E6xx, E202. */
bool run_request(const struct request *request, struct engine_store *engines, FILE *to,
                 struct err *err);

#endif
