/* SPDX-License-Identifier: Apache-2.0 */
/* json: parts of reports in JSON, as values of the library jansson. */
#ifndef ROUNDCAST_LIB_JSON_H
#define ROUNDCAST_LIB_JSON_H

#include "roundcast/error.h"

#include <jansson.h>
#include <stdio.h>

struct roundcast_image;
struct roundcast_mpi_options;
struct roundcast_report;
struct roundcast_schedule;

#ifdef __cplusplus
extern "C" {
#endif

/* Prints `root`, which may be NULL if building it failed, and releases it. E104, E202. */
bool roundcast_json_print(FILE *to, json_t *root, struct roundcast_error *error);

/* Adds an item to an array, or a value to an object, which then owns it. If either is NULL for lack
 * of memory, the array or object is released and becomes NULL, so that roundcast_json_print rejects
 * a report that would lack a part. */
void roundcast_json_append(json_t **array, json_t *item);
void roundcast_json_set(json_t **object, const char *key, json_t *value);

/* Return a text from outside, such as a file's name, as a string: malformed UTF-8 becomes U+FFFD.
 * NULL if there is no memory. */
json_t *roundcast_json_text(const char *text);
json_t *roundcast_json_bytes(const char *bytes, size_t count);

/* Returns the end or the bound of a schedule: a number of rounds, or in a model with times
 * (`times`) a text such as "15/2". */
json_t *roundcast_json_end(bool times, uint64_t end, uint32_t ticks);

/* Returns {"code": 102, "name": "range", "field": "nodes", "message": …, "further": …}; the message
 * uses the same names of fields as "field", which is null if the message is about no field. */
json_t *roundcast_json_error(const struct roundcast_error *error);

/* Returns the report of a run of an image (docs/formats.md); every run has the same keys. NULL if
 * there is no memory. */
json_t *roundcast_json_report(const struct roundcast_image *image,
                              const struct roundcast_report *report);

struct roundcast_request;

/* Returns the report of a schedule of roundcast_unrun: the keys of the report of a run, with null
 * for those of the machine and the simulation. NULL if there is no memory. */
json_t *roundcast_json_unrun(const struct roundcast_schedule *schedule,
                             const struct roundcast_request *request);

/* Executes a schedule by ranks of MPI, which check every byte (mpi.h), and returns their report
 * (docs/formats.md). NULL with E104, E202, E3xx, E501 if Open MPI is missing, and the errors of the
 * ranks. Release it with json_decref. */
json_t *roundcast_json_mpi(const struct roundcast_schedule *schedule,
                           const struct roundcast_mpi_options *options,
                           struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
