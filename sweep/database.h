/* SPDX-License-Identifier: Apache-2.0 */
/* database: SQLite files that contain the table of points. */
#ifndef ROUNDCAST_SWEEP_DATABASE_H
#define ROUNDCAST_SWEEP_DATABASE_H

#include "sched/base/err.h"

#include <sqlite3.h>

/* Opens a database of points; for writing, it is created if it does not exist. NULL with E201,
 * E202, or E203 for any other file. Close it with sqlite3_close. */
sqlite3 *database_open(const char *path, bool write, struct err *err);

/* Reports the last error of a database as "PATH: REASON; …" and returns false. E104, E201, E202,
 * E203.
 */
bool database_refuse(sqlite3 *database, const char *path, struct err *err);

#endif
