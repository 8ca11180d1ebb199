/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/results.h"

#include "sweep/columns.h"

#include <string.h>

/* Identifies databases of sweeps ("PRAGMA application_id") and the version of the table. */
#define APPLICATION 1380144976 /* "RCSP" */
#define VERSION 1

#define MILLISECONDS 60000 /* to wait for another process that writes */

bool database_refuse(sqlite3 *database, const char *path, struct err *err)
{
    bool write = sqlite3_db_readonly(database, "main") == 0;
    switch (sqlite3_errcode(database)) {
    case SQLITE_NOMEM:
        return err_no_memory(err, "results");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return err_set(err, ERR_VERSION, "%.200s: %s; expected the results of a sweep", path,
                       sqlite3_errmsg(database));
    default:
        return err_set(err, write ? ERR_WRITE : ERR_READ,
                       "%.200s: %s; expected results of a sweep "
                       "that can be %s",
                       path, sqlite3_errmsg(database), write ? "written" : "read");
    }
}

/* Reads the result of a pragma or query, a number. */
static bool ask(sqlite3 *database, const char *query, sqlite3_int64 *number)
{
    sqlite3_stmt *statement = NULL;
    bool read = sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;
    if (read)
        *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return read;
}

/* Initialises an empty database in one transaction. */
static bool make(sqlite3 *database)
{
    char text[4000], table[COLUMNS_TABLE_ROOM];
    snprintf(text, sizeof text,
             "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d; %s; COMMIT",
             APPLICATION, VERSION, columns_table(table));
    return sqlite3_exec(database, text, NULL, NULL, NULL) == SQLITE_OK;
}

/* Checks that the file is a database of sweeps, or initialises an empty one. */
static bool settle(sqlite3 *database, const char *path, bool write, struct err *err)
{
    sqlite3_int64 tables, application, version;
    sqlite3_busy_timeout(database, MILLISECONDS);
    if (!ask(database, "SELECT count(*) FROM sqlite_schema", &tables))
        return database_refuse(database, path, err);
    if (tables == 0 && write)
        return make(database) || database_refuse(database, path, err);
    if (!ask(database, "PRAGMA application_id", &application) ||
        !ask(database, "PRAGMA user_version", &version))
        return database_refuse(database, path, err);
    if (application != APPLICATION)
        return err_set(err, ERR_VERSION,
                       "%.200s: a database of something else; expected the "
                       "results of a sweep",
                       path);
    return version == VERSION ||
           err_set(err, ERR_VERSION, "%.200s: results of another version; expected version %d",
                   path, VERSION);
}

sqlite3 *database_open(const char *path, bool write, struct err *err)
{
    sqlite3 *database = NULL;
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) {
        err_set(err, write ? ERR_WRITE : ERR_READ, "%.200s: %s; expected results of a sweep", path,
                database != NULL ? sqlite3_errmsg(database) : "no memory");
    } else if (settle(database, path, write, err)) {
        sqlite3_exec(database, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
        return database;
    }
    sqlite3_close(database);
    return NULL;
}
