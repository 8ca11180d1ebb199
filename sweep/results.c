/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/results.h"

#include "sched/base/text.h"
#include "sweep/columns.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct results {
    sqlite3 *database;
    const char *path, *version;
    sqlite3_stmt *find, *number, *add;
    bool adding; /* a transaction is open */
};

/* Prepares "INSERT … VALUES (?1, ?2, …)" with all columns. */
static bool prepare_add(struct results *results)
{
    char text[2000] = "INSERT OR REPLACE INTO points VALUES (";
    for (int column = 1; column <= columns_count; column++)
        text_append(text, sizeof text, "%s?%d", column > 1 ? "," : "", column);
    text_append(text, sizeof text, ")");
    return sqlite3_prepare_v2(results->database, text, -1, &results->add, NULL) == SQLITE_OK;
}

static bool prepare(struct results *results)
{
    return sqlite3_prepare_v2(results->database,
                              "SELECT status, point IS ?2 FROM points WHERE command = ?1", -1,
                              &results->find, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(results->database, "UPDATE points SET point = ?2 WHERE command = ?1",
                              -1, &results->number, NULL) == SQLITE_OK &&
           prepare_add(results);
}

/* Checks that all rows have this version; NULL accepts any. */
static bool check_version(sqlite3 *database, const char *path, const char *version, struct err *err)
{
    sqlite3_stmt *other = NULL;
    if (version == NULL)
        return true;
    bool asked = sqlite3_prepare_v2(database, "SELECT version FROM points WHERE version <> ?1", -1,
                                    &other, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(other, 1, version, -1, SQLITE_STATIC) == SQLITE_OK;
    int found = asked ? sqlite3_step(other) : SQLITE_ERROR;
    bool same = found == SQLITE_DONE;
    if (found == SQLITE_ROW)
        err_set(err, ERR_VERSION,
                "%.150s: has rows of Roundcast %.80s, and this is %.80s; expected another file, or "
                "{mixed-versions}",
                path, (const char *)sqlite3_column_text(other, 0), version);
    else if (!same)
        database_refuse(database, path, err);
    sqlite3_finalize(other);
    return same;
}

struct results *results_open(const char *path, const char *version, struct err *err)
{
    struct results *results = calloc(1, sizeof *results);
    if (results == NULL) {
        err_no_memory(err, "results");
        return NULL;
    }
    results->path = path;
    results->version = version;
    results->database = database_open(path, true, err);
    bool right = results->database != NULL && check_version(results->database, path, version, err);
    if (right && prepare(results))
        return results;
    if (right)
        database_refuse(results->database, path, err);
    results_close(results);
    return NULL;
}

void results_close(struct results *results)
{
    if (results == NULL)
        return;
    sqlite3_finalize(results->find);
    sqlite3_finalize(results->number);
    sqlite3_finalize(results->add);
    sqlite3_close(results->database);
    free(results);
}

static bool refuse(const struct results *results, struct err *err)
{
    return database_refuse(results->database, results->path, err);
}

/* Begins a transaction, if none is open, before a change. */
static bool begin(struct results *results, struct err *err)
{
    if (!results->adding && sqlite3_exec(results->database, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return refuse(results, err);
    return results->adding = true;
}

bool results_keep(struct results *results, struct err *err)
{
    if (results->adding && sqlite3_exec(results->database, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        return refuse(results, err);
    results->adding = false;
    return true;
}

/* Binds a text that stays where it is until the statement is reset; NULL: no value. */
static bool bind_text(sqlite3_stmt *statement, int parameter, const char *text)
{
    return sqlite3_bind_text(statement, parameter, text, -1, SQLITE_STATIC) == SQLITE_OK;
}

/* Executes a statement with the parameters command and point. */
static int step(sqlite3_stmt *statement, const char *command, uint64_t number)
{
    sqlite3_bind_int64(statement, 2, (sqlite3_int64)number);
    return bind_text(statement, 1, command) ? sqlite3_step(statement) : SQLITE_NOMEM;
}

bool results_find(struct results *results, const char *command, uint64_t number,
                  enum results_state *state, struct err *err)
{
    int found = step(results->find, command, number);
    bool holds = found == SQLITE_ROW && sqlite3_column_int(results->find, 0) == 0;
    bool same = found == SQLITE_ROW && sqlite3_column_int(results->find, 1) != 0;
    sqlite3_reset(results->find);
    *state = found != SQLITE_ROW ? RESULTS_NONE : holds ? RESULTS_HOLDS : RESULTS_FAILED;
    if (found != SQLITE_ROW)
        return found == SQLITE_DONE || refuse(results, err);
    if (same)
        return true;
    bool numbered = begin(results, err) && step(results->number, command, number) == SQLITE_DONE;
    sqlite3_reset(results->number);
    return numbered || refuse(results, err);
}

static bool bind_json(sqlite3_stmt *add, int parameter, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_INTEGER:
        return sqlite3_bind_int64(add, parameter, json_integer_value(value)) == SQLITE_OK;
    case JSON_REAL:
        return sqlite3_bind_double(add, parameter, json_real_value(value)) == SQLITE_OK;
    case JSON_STRING:
        return bind_text(add, parameter, json_string_value(value));
    case JSON_TRUE:
    case JSON_FALSE:
        return sqlite3_bind_int(add, parameter, json_is_true(value)) == SQLITE_OK;
    default:
        return sqlite3_bind_null(add, parameter) == SQLITE_OK;
    }
}

static const char *asked(const struct results_row *row, const char *name)
{
    for (size_t which = 0; which < row->asked_count; which++)
        if (strcmp(row->asked[which].name, name) == 0)
            return row->asked[which].value;
    return NULL;
}

/* Binds the columns that a report may contain. `report` may be NULL. */
static bool bind_report(sqlite3_stmt *add, const struct results_row *row, const json_t *report)
{
    bool bound = true;
    for (int column = COLUMNS_FIRST_OF_REPORT; bound && column < columns_count; column++) {
        const json_t *value = json_object_get(report, columns_name(column));
        bound = value != NULL ? bind_json(add, column + 1, value)
                              : bind_text(add, column + 1, asked(row, columns_name(column)));
    }
    return bound;
}

/* Binds the columns of every row. Numbers can always be bound. */
static bool bind_row(sqlite3_stmt *add, const struct results_row *row)
{
    const bool failed = row->err.code != ERR_NONE;
    sqlite3_clear_bindings(add);
    sqlite3_bind_int64(add, COLUMN_point + 1, (sqlite3_int64)row->number);
    sqlite3_bind_int(add, COLUMN_status + 1, row->status);
    sqlite3_bind_double(add, COLUMN_seconds + 1, row->seconds);
    if (failed)
        sqlite3_bind_int(add, COLUMN_code + 1, (int)row->err.code);
    return bind_text(add, COLUMN_error + 1, failed ? row->err.text : NULL) &&
           bind_text(add, COLUMN_command + 1, row->command) &&
           bind_text(add, COLUMN_version + 1, row->version) &&
           bind_text(add, COLUMN_host + 1, row->host) &&
           bind_text(add, COLUMN_algorithm + 1, asked(row, "algorithm")) &&
           sqlite3_bind_text(add, COLUMN_json + 1, row->json, (int)row->size, SQLITE_STATIC) ==
               SQLITE_OK;
}

bool results_add(struct results *results, const struct results_row *row, struct err *err)
{
    sqlite3_stmt *add = results->add;
    errno = 0;
    json_t *report = row->json != NULL ? json_loadb(row->json, row->size, 0, NULL) : NULL;
    if (row->json != NULL && report == NULL && errno == ENOMEM)
        return err_no_memory(err, "a report");
    bool added = begin(results, err) && bind_row(add, row) && bind_report(add, row, report) &&
                 sqlite3_step(add) == SQLITE_DONE;
    sqlite3_reset(add);
    json_decref(report);
    return added || refuse(results, err);
}

static const char merge_text[] =
    "INSERT OR REPLACE INTO points SELECT * FROM part.points AS theirs WHERE NOT EXISTS (SELECT 1 "
    "FROM main.points AS ours WHERE ours.command = theirs.command AND ours.status = 0)";

bool results_merge(struct results *results, const char *path, struct err *err)
{
    sqlite3 *part = database_open(path, false, err); /* checks that the file is a database of
                                                      * sweeps */
    sqlite3_stmt *attach = NULL;
    if (part == NULL)
        return false;
    bool same = check_version(part, path, results->version, err);
    sqlite3_close(part);
    if (!same)
        return false;
    bool merged =
        results_keep(results, err) &&
        sqlite3_prepare_v2(results->database, "ATTACH ? AS part", -1, &attach, NULL) == SQLITE_OK &&
        sqlite3_bind_text(attach, 1, path, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(attach) == SQLITE_DONE &&
        sqlite3_exec(results->database, merge_text, NULL, NULL, NULL) == SQLITE_OK;
    if (!merged && err->code == ERR_NONE)
        database_refuse(results->database, path, err);
    sqlite3_finalize(attach);
    sqlite3_exec(results->database, "DETACH part", NULL, NULL, NULL);
    return merged;
}
