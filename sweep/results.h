/* SPDX-License-Identifier: Apache-2.0 */
/* results: stores the points of a sweep in a table of an SQLite database, one row for each point.
 *
 * The command line identifies a row: a point that is written again replaces its row. If the process
 * is killed, only rows added since the last results_keep are lost.
 * docs/sweep.md describes the table.
 */
#ifndef ROUNDCAST_SWEEP_RESULTS_H
#define ROUNDCAST_SWEEP_RESULTS_H

#include "sched/base/err.h"

#include <sqlite3.h>
#include <stddef.h>

struct results;

/* A value given by the study; it is stored if the report has none. */
struct results_asked {
    const char *name, *value;
};

struct results_row {
    const char *command;
    uint64_t number; /* number of the point in its study */
    int status;      /* exit status of the command */
    struct err err;  /* ERR_NONE: none */
    const char *version, *host;
    double seconds;
    const char *json; /* output of `run --json`; NULL if the process died without a report */
    size_t size;      /* bytes of json */
    const struct results_asked *asked;
    size_t asked_count;
};

/* Opens a database for writing; it is created if it does not exist. Rows of another version than
 * this, here and in databases that are merged, are rejected (E203); NULL: any are accepted. NULL
 * with E202, E203. */
struct results *results_open(const char *path, const char *version, struct err *err);
void results_close(struct results *results);

enum results_state { RESULTS_NONE, RESULTS_HOLDS, RESULTS_FAILED };

/* Finds the row of a command and whether its run passed all checks, and updates the number of its
 * point if it differs. Returns false with err: E202. */
bool results_find(struct results *results, const char *command, uint64_t number,
                  enum results_state *state, struct err *err);

/* Adds or replaces a row; its columns are the values in its report. E202, E104. */
bool results_add(struct results *results, const struct results_row *row, struct err *err);

/* Commits the rows that were added. E202. */
bool results_keep(struct results *results, struct err *err);

/* Copies the rows of another database, except commands whose row here passed all checks. E201,
 * E202, E203. */
bool results_merge(struct results *results, const char *path, struct err *err);

/* Prints all columns of a database except the reports as CSV, in the order of the study. E201,
 * E203, E202. */
bool results_print(const char *path, FILE *to, const char *name, struct err *err);

/* -- The file of the table --------------------------------------------------------------------- */

/* SQLite files that contain the table of points. */

/* Opens a database of points; for writing, it is created if it does not exist. NULL with E201,
 * E202, or E203 for any other file. Close it with sqlite3_close. */
sqlite3 *database_open(const char *path, bool write, struct err *err);

/* Reports the last error of a database as "PATH: REASON; …" and returns false. E104, E201, E202,
 * E203.
 */
bool database_refuse(sqlite3 *database, const char *path, struct err *err);

#endif
