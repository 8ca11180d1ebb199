/* SPDX-License-Identifier: Apache-2.0 */
/* columns: the columns of the table of points.
 *
 *     command … algorithm    in every row
 *     degree … seed          fields of the request, by their names and types (request.h): what the
 *                            report contains under the name, else the value of the study
 *     holds … megabytes      what the report contains
 */
#ifndef ROUNDCAST_SWEEP_COLUMNS_H
#define ROUNDCAST_SWEEP_COLUMNS_H

#include <stddef.h>

/* The columns of every row, in the order in which results_add binds them. */
#define COLUMNS_OF_ROWS(X)         \
    X(command, "TEXT PRIMARY KEY") \
    X(point, "INTEGER")            \
    X(status, "INTEGER NOT NULL")  \
    X(code, "INTEGER")             \
    X(error, "TEXT")               \
    X(version, "TEXT NOT NULL")    \
    X(host, "TEXT NOT NULL")       \
    X(seconds, "REAL NOT NULL")    \
    X(json, "TEXT")                \
    X(algorithm, "TEXT NOT NULL")

enum {
#define COLUMNS_ENUM(name, type) COLUMN_##name,
    COLUMNS_OF_ROWS(COLUMNS_ENUM)
#undef COLUMNS_ENUM
        COLUMNS_FIRST_OF_REPORT
};

/* Number of all columns. */
extern const int columns_count;

/* Returns the name of a column, 0 … columns_count - 1. */
const char *columns_name(int column);

#define COLUMNS_TABLE_ROOM 3000

/* Writes CREATE TABLE … for all columns and returns it. */
const char *columns_table(char text[COLUMNS_TABLE_ROOM]);

#endif
