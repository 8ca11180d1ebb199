/* SPDX-License-Identifier: Apache-2.0 */
/* columns: the columns of the table of points. */
#ifndef ROUNDCAST_SWEEP_COLUMNS_H
#define ROUNDCAST_SWEEP_COLUMNS_H

/* What every row has, in the order in which results_add binds it. */
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

/* What `run --json` tells under these names, else what was asked for, else NULL. */
#define COLUMNS_OF_REPORTS(X)     \
    X(degree, "INTEGER")          \
    X(model, "TEXT")              \
    X(nodes, "INTEGER")           \
    X(packets, "INTEGER")         \
    X(lambda, "TEXT")             \
    X(network, "TEXT")            \
    X(settings, "TEXT")           \
    X(programs, "TEXT")           \
    X(engine, "TEXT")             \
    X(width, "INTEGER")           \
    X(flits, "INTEGER")           \
    X(seed, "INTEGER")            \
    X(holds, "INTEGER")           \
    X(rounds, "INTEGER")          \
    X(time, "TEXT")               \
    X(bound, "")                  \
    X(ports, "INTEGER")           \
    X(stages, "INTEGER")          \
    X(routers, "INTEGER")         \
    X(latency, "INTEGER")         \
    X(row_cycles, "INTEGER")      \
    X(rows, "INTEGER")            \
    X(payload_bytes, "INTEGER")   \
    X(run_cycles, "INTEGER")      \
    X(host_cycles, "INTEGER")     \
    X(expected, "INTEGER")        \
    X(seen, "INTEGER")            \
    X(wrong, "INTEGER")           \
    X(flags, "INTEGER")           \
    X(packets_checked, "INTEGER") \
    X(packets_corrupt, "INTEGER") \
    X(build_seconds, "REAL")      \
    X(run_seconds, "REAL")        \
    X(megabytes, "REAL")

enum {
#define COLUMNS_ENUM(name, type) COLUMN_##name,
    COLUMNS_OF_ROWS(COLUMNS_ENUM) COLUMNS_OF_REPORTS(COLUMNS_ENUM)
#undef COLUMNS_ENUM
        COLUMNS
};
#define COLUMNS_FIRST_OF_REPORT COLUMN_degree

/* Their names. */
extern const char *const columns_name[COLUMNS];

/* CREATE TABLE … */
extern const char columns_table[];

#endif
