/* report: what a command tells, as a table for people or as JSON for programs. */
#ifndef ROUNDCAST_REPORT_H
#define ROUNDCAST_REPORT_H

#include "err.h"

#include <jansson.h>

/* Cells fill a table row by row, the first row is the heading. */
struct report_table {
    unsigned columns;
    size_t count, room;
    char **cell;
    bool failed; /* a cell did not fit in memory; told by report_table_print */
};

/* Add the next cell. */
void report_cell(struct report_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print in columns, numbers to the right, and free the cells. E104. */
bool report_table_print(FILE *to, struct report_table *table, struct err *err);

/* Print `root`, which may be NULL if building it failed, and release it. E104, E202. */
bool report_json(FILE *to, json_t *root, struct err *err);

/* {"code": 301, "name": "one-port", "text": …, "further": …} */
json_t *report_json_error(const struct err *err);

#endif
