/* SPDX-License-Identifier: Apache-2.0 */
/* rows: reads lines of comma-separated values (RFC 4180); the first line contains the names of the
 * columns. A value may be quoted, but cannot span lines. */
#ifndef ROUNDCAST_ROWS_H
#define ROUNDCAST_ROWS_H

#include "sched/base/err.h"

#define ROWS_LINE 8000   /* maximum number of bytes of a line */
#define ROWS_COLUMNS 128 /* maximum number of columns */

struct rows {
    FILE *from;
    const char *name;     /* for messages */
    unsigned long number; /* line number */
    unsigned columns, fields;
    char head[ROWS_LINE], line[ROWS_LINE];
    char *column[ROWS_COLUMNS], *field[ROWS_COLUMNS];
};

/* Reads the names. `rows` takes about 18 kB. The caller closes the file. E201, E204. */
bool rows_open(struct rows *rows, FILE *from, const char *name, struct err *err);

/* Finds the index of a column. E204 lists all names. */
bool rows_column(const struct rows *rows, const char *column, unsigned *at, struct err *err);

/* Reads the next non-empty line; *more is false at the end. E201, E204 if the number of fields
 * differs from the number of columns. */
bool rows_next(struct rows *rows, bool *more, struct err *err);

/* Converts a field to a number: a decimal, or a fraction such as "15/2". E205. */
bool rows_number(const struct rows *rows, unsigned at, double *value, struct err *err);

#endif
