/* SPDX-License-Identifier: Apache-2.0 */
/* report_json: builds the parts of JSON reports, and prints reports. */
#ifndef ROUNDCAST_REPORT_JSON_H
#define ROUNDCAST_REPORT_JSON_H

#include "sched/base/err.h"
#include "sched/base/rational.h"
#include "sched/schedule/model.h"

#include <jansson.h>
#include <stdio.h>

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

/* Returns {"code": 102, "name": "range", "field": "nodes", "message": …, "further": …}; the message
 * uses the same names of fields as "field", which is null if the message is about no field. */
json_t *report_json_error(const struct err *err);

/* Prints {"error": …} for a command that failed, unless its report contains the error already. */
void report_failure(FILE *to, const struct err *err);

#endif
