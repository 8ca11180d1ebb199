/* SPDX-License-Identifier: Apache-2.0 */
/* database: files of SQLite that have the table of points. */
#ifndef ROUNDCAST_SWEEP_DATABASE_H
#define ROUNDCAST_SWEEP_DATABASE_H

#include "sched/base/err.h"

#include <sqlite3.h>

/* Open a database of points; one that is to be written is made if it is not there. NULL with E201,
 * E202, or E203 if it is something else. Close it with sqlite3_close. */
sqlite3 *database_open(const char *path, bool write, struct err *err);

/* "PATH: WHY; …" of what a database refused last, and false. E104, E201, E202, E203. */
bool database_refuse(sqlite3 *database, const char *path, struct err *err);

#endif
