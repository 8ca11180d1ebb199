/* SPDX-License-Identifier: Apache-2.0 */
/* results_lab: two databases of results in a temporary folder.
 *
 * All functions assert.
 */
#ifndef ROUNDCAST_RESULTS_LAB_H
#define ROUNDCAST_RESULTS_LAB_H

#include "sweep/results.h"

#include <stdbool.h>

/* Paths of the folder and of the two databases. */
extern char results_lab_folder[], results_lab_ours[100], results_lab_theirs[100];

/* Make the folder, and remove it with the databases; fixtures of a group of tests. */
int results_lab_begin(void **unused);
int results_lab_end(void **unused);

/* Executes statements on a database, which is created if it does not exist. */
void results_lab_execute(const char *path, const char *text);

/* Checks the single value that a query returns, as text; NULL: no value. */
void results_lab_expect(const char *path, const char *query, const char *expected);

/* Returns a row without an error or report: point 1 of path, of version v1, on the host `here`, in
 * 1.5 seconds, with degree 7 and seed 5. */
struct results_row results_lab_row(const char *command);

/* Opens a database that results_open accepts. */
struct results *results_lab_open(const char *path, const char *version);

/* Adds a row that results_add accepts. */
void results_lab_add(struct results *results, const struct results_row *row);

/* Makes a database that has the row of the command `run a`, instead of any other file. */
void results_lab_make(const char *path);

/* From now on no file can be written, as on a full disk; `full` false: files can be written. */
void results_lab_fill_disk(bool full);

#endif
