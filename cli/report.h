/* SPDX-License-Identifier: Apache-2.0 */
/* report: what a command tells, as a table for people or as JSON for programs. */
#ifndef ROUNDCAST_REPORT_H
#define ROUNDCAST_REPORT_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

#include <jansson.h>

#define REPORT_COLUMNS 24

/* Cells fill a table row by row, the first row is the heading. */
struct report_table {
    unsigned columns; /* at most REPORT_COLUMNS */
    size_t count, room;
    char **cell;
    bool failed; /* a cell did not fit in memory; told by report_table_print */
};

/* Add the next cell. */
void report_cell(struct report_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Columns of a line: as COLUMNS says, else the terminal, else 100. */
int report_width(FILE *to);

/* Print in columns, numbers to the right, and free the cells. Lines are at most so wide: texts go
 * on in more lines. Words of the first column are never parted. E104. */
bool report_table_print(FILE *to, struct report_table *table, struct err *err);

/* Print `root`, which may be NULL if building it failed, and release it. E104, E202. */
bool report_json(FILE *to, json_t *root, struct err *err);

/* Add to an array or an object, whose part it becomes. Any of both may be NULL, for want of memory:
 * then the array or object is released and NULL, so that report_json refuses what would lack a
 * part. */
void report_json_append(json_t **array, json_t *item);
void report_json_set(json_t **object, const char *key, json_t *value);

/* A text that comes from outside, such as a file's name or what a file says: the only way for one
 * into a report. JSON is UTF-8 and these are bytes: what is not well formed becomes U+FFFD
 * (utf8.h), control characters are escaped. NULL if there is no memory. */
json_t *report_json_text(const char *text);

/* The same of bytes[count]. */
json_t *report_json_bytes(const char *bytes, size_t count);

/* A schedule's end or bound: a number of rounds, or for the postal model a text such as "15/2". */
json_t *report_json_end(enum model model, struct rational lambda, uint64_t end);

/* What such a number is called: "rounds", "time" for the postal model. */
const char *report_end_name(enum model model);

#define REPORT_END_TEXT (RATIONAL_TEXT + 8)

/* "12 rounds" or "time 15/2": when a schedule ends. Returns text. */
const char *report_end_text(const struct schedule *schedule, char text[REPORT_END_TEXT]);

#define REPORT_MACHINE_TEXT 400

/* "benes:32, 9 stages, latency 9 cycles" or "fat-tree 4,4,4 capacity 1,4,16, 21 routers, latency 0
 * cycles". Returns text. */
const char *report_machine_text(const struct machine *machine, char text[REPORT_MACHINE_TEXT]);

/* {"code": 102, "name": "range", "field": "nodes", "message": …, "further": …}; the message names
 * fields as "field" does, which is null if the message is about none. */
json_t *report_json_error(const struct err *err);

/* The report of a command that failed: {"error": …}, unless the error has been told. */
void report_failure(FILE *to, const struct err *err);

#endif
