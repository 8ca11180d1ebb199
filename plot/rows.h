/* SPDX-License-Identifier: Apache-2.0 */
/* rows: lines of comma-separated values (RFC 4180), of which the first has the columns' names. A
 * value may be quoted, but not go over several lines. */
#ifndef ROUNDCAST_ROWS_H
#define ROUNDCAST_ROWS_H

#include "sched/base/err.h"

#define ROWS_LINE 8000   /* bytes of a line at most */
#define ROWS_COLUMNS 128 /* of a line at most */

struct rows {
    FILE *from;
    const char *name;     /* for messages */
    unsigned long number; /* of the line */
    unsigned columns, fields;
    char head[ROWS_LINE], line[ROWS_LINE];
    char *column[ROWS_COLUMNS], *field[ROWS_COLUMNS];
};

/* Read the names; `rows` is large. The file stays the caller's. E201, E204. */
bool rows_open(struct rows *rows, FILE *from, const char *name, struct err *err);

/* The index of a column. E204 with all names. */
bool rows_column(const struct rows *rows, const char *column, unsigned *at, struct err *err);

/* Read the next line that is not empty; *more is false at the end. E201, E204 for another number of
 * fields than of columns. */
bool rows_next(struct rows *rows, bool *more, struct err *err);

/* A field as a number: decimal, or a fraction such as "15/2". E205. */
bool rows_number(const struct rows *rows, unsigned at, double *value, struct err *err);

#endif
