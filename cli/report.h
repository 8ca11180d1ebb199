/* SPDX-License-Identifier: Apache-2.0 */
/* report: prints the report of a command, as a table or in JSON. */
#ifndef ROUNDCAST_REPORT_H
#define ROUNDCAST_REPORT_H

#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "lib/roundcast/text.h"

#include <stdio.h>

/* Prints {"error": …} for a command that failed, unless its report contains the error already. */
void report_error(FILE *to, const struct roundcast_error *err);

/* Returns the unit of a schedule's end: "rounds", or "time" in models with times. */
const char *report_end_name(bool times);

#define REPORT_END_TEXT (ROUNDCAST_TIME_TEXT + 8)

/* Writes when a schedule ends, "12 rounds" or "time 15/2". Returns text. */
const char *report_end_text(const struct roundcast_schedule_info *info, char text[REPORT_END_TEXT]);

#define REPORT_COLUMNS 24

/* A table of cells, row by row; the first row is the heading. */
struct report_table {
    unsigned columns; /* at most REPORT_COLUMNS */
    size_t count, room;
    char **cell;
    bool failed; /* a cell did not fit in memory; reported by report_table_print */
};

/* Adds the next cell. */
void report_cell(struct report_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the width of lines: COLUMNS, or else that of the terminal, or else 100. */
int report_width(FILE *to);

/* Prints the table in columns, with numbers right-aligned, and frees the cells. Lines are at most
 * report_width wide; longer texts are wrapped. Words of the first column are never split. E104. */
bool report_table_print(FILE *to, struct report_table *table, struct roundcast_error *err);

#endif
