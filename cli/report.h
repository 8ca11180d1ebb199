/* SPDX-License-Identifier: Apache-2.0 */
/* report: the report of a command, as a table or as JSON. */
#ifndef ROUNDCAST_REPORT_H
#define ROUNDCAST_REPORT_H

#include "lib/report/report_json.h"
#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

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
bool report_table_print(FILE *to, struct report_table *table, struct err *err);

/* Returns the name of such a number: "rounds", or "time" in the postal model. */
const char *report_end_name(enum model model);

#define REPORT_END_TEXT (RATIONAL_TEXT + 8)

/* "12 rounds" or "time 15/2": when a schedule ends. Returns text. */
const char *report_end_text(const struct schedule *schedule, char text[REPORT_END_TEXT]);

#define REPORT_MACHINE_TEXT 400

/* "benes:32, 9 stages, latency 9 cycles" or "fat-tree 4,4,4 capacity 1,4,16, 21 routers, latency 0
 * cycles". Returns text. */
const char *report_machine_text(const struct machine *machine, char text[REPORT_MACHINE_TEXT]);

#endif
