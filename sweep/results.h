/* SPDX-License-Identifier: Apache-2.0 */
/* results: the points of a sweep in an SQLite database, one table, a row for each.
 *
 * A row is known by its command line: a point that is written again replaces itself. What was
 * added since the last results_keep is lost when the process is killed, and nothing else.
 * docs/sweep.md describes the table.
 */
#ifndef ROUNDCAST_SWEEP_RESULTS_H
#define ROUNDCAST_SWEEP_RESULTS_H

#include "sched/base/err.h"

#include <stddef.h>

struct results;

/* A value of the point that was asked for; it is told if the report has none. */
struct results_asked {
    const char *name, *value;
};

struct results_row {
    const char *command;
    uint64_t number; /* of the point in its study */
    int status;      /* of the program that does this command */
    struct err err;  /* ERR_NONE: none */
    const char *version, *host;
    double seconds;
    const char *json; /* of `run --json`, NULL if the process died without */
    size_t size;      /* of it */
    const struct results_asked *asked;
    size_t asked_count;
};

/* Open a database to write to; it is made if it is not there. Rows of another version than this,
 * here and in databases that are merged, are rejected (E203); NULL: any are accepted. NULL with
 * E202, E203. */
struct results *results_open(const char *path, const char *version, struct err *err);
void results_close(struct results *results);

enum results_state { RESULTS_NONE, RESULTS_HOLDS, RESULTS_FAILED };

/* Is there a row of the command, and does it hold? It gets this number of a point if it has
 * another. False with err: E202. */
bool results_find(struct results *results, const char *command, uint64_t number,
                  enum results_state *state, struct err *err);

/* Add or replace a row; its columns are the values in its report. E202, E104. */
bool results_add(struct results *results, const struct results_row *row, struct err *err);

/* Keep what was added, whatever becomes of the process. E202. */
bool results_keep(struct results *results, struct err *err);

/* Take over the rows of another database, but for those that hold here.
 * E201, E202, E203. */
bool results_merge(struct results *results, const char *path, struct err *err);

/* Print a database as CSV, in the order of the study, all columns but the reports. E201, E203,
 * E202. */
bool results_print(const char *path, FILE *to, const char *name, struct err *err);

#endif
