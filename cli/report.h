/* SPDX-License-Identifier: Apache-2.0 */
/* report: the report of a command, as a table or as JSON. */
#ifndef ROUNDCAST_REPORT_H
#define ROUNDCAST_REPORT_H

#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "lib/roundcast/text.h"

#include <stdio.h>

/* Prints {"error": …} for a command that failed, unless its report contains the error already. */
void report_error(FILE *to, const struct roundcast_error *err);

/* Returns what the end of a schedule is called: "rounds", or "time" in models with times. */
const char *report_end_name(bool times);

#define REPORT_END_TEXT (ROUNDCAST_TIME_TEXT + 8)

/* Writes when a schedule ends, "12 rounds" or "time 15/2". Returns text. */
const char *report_end_text(const struct roundcast_schedule_info *info, char text[REPORT_END_TEXT]);

#define REPORT_COLUMNS 24

/* Cells fill a table row by row, the first row is the heading. */
struct report_table {
    unsigned columns; /* at most REPORT_COLUMNS */
    size_t count, room;
    char **cell;
    bool failed; /* a cell did not fit in memory; reported by report_table_print */
};

/* Add the next cell. */
void report_cell(struct report_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the columns of a line: COLUMNS, else those of the terminal, else 100. */
int report_width(FILE *to);

/* Print in columns, numbers to the right, and free the cells. Lines are at most so wide: texts go
 * on in more lines. Words of the first column are never parted. E104. */
bool report_table_print(FILE *to, struct report_table *table, struct roundcast_error *err);

#endif
