/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/columns.h"

#include "sched/base/text.h"
#include "sched/request/request.h"

struct column {
    const char *name;
    const char *type; /* SQL type; NULL: that of the field of this name */
};

/* The order must not change, because databases exist. */
static const struct column columns[] = {
#define COLUMNS_ROW(name, type) {#name, type},
    COLUMNS_OF_ROWS(COLUMNS_ROW)
#undef COLUMNS_ROW
        {"degree", NULL},
    {"model", NULL},
    {"nodes", NULL},
    {"packets", NULL},
    {"lambda", NULL},
    {"network", NULL},
    {"settings", NULL},
    {"programs", NULL},
    {"engine", NULL},
    {"width", NULL},
    {"flits", NULL},
    {"seed", NULL},
    {"holds", "INTEGER"},
    {"rounds", "INTEGER"},
    {"time", "TEXT"},
    {"bound", ""},
    {"ports", "INTEGER"},
    {"stages", "INTEGER"},
    {"routers", "INTEGER"},
    {"latency", "INTEGER"},
    {"row_cycles", "INTEGER"},
    {"rows", "INTEGER"},
    {"payload_bytes", "INTEGER"},
    {"run_cycles", "INTEGER"},
    {"host_cycles", "INTEGER"},
    {"expected", "INTEGER"},
    {"seen", "INTEGER"},
    {"wrong", "INTEGER"},
    {"flags", "INTEGER"},
    {"packets_checked", "INTEGER"},
    {"packets_corrupt", "INTEGER"},
    {"build_seconds", "REAL"},
    {"run_seconds", "REAL"},
    {"megabytes", "REAL"},
};

const int columns_count = sizeof columns / sizeof *columns;

const char *columns_name(int column)
{
    return columns[column].name;
}

/* Returns the SQL type of a column: integer for numbers, text for all other values. */
static const char *type_of(const struct column *column)
{
    if (column->type != NULL)
        return column->type;
    const struct field *field = field_find(request_fields, request_field_count, column->name);
    switch (field->type) {
    case FIELD_FLAG:
    case FIELD_NUMBER:
    case FIELD_NUMBER64:
    case FIELD_BYTES:
        return "INTEGER";
    default:
        return "TEXT";
    }
}

/* The list ends with a constraint, so that each column may end with a comma. */
const char *columns_table(char text[COLUMNS_TABLE_ROOM])
{
    snprintf(text, COLUMNS_TABLE_ROOM, "CREATE TABLE IF NOT EXISTS points (");
    for (int column = 0; column < columns_count; column++)
        text_append(text, COLUMNS_TABLE_ROOM, "\"%s\" %s, ", columns[column].name,
                    type_of(&columns[column]));
    text_append(text, COLUMNS_TABLE_ROOM, "CHECK (status >= 0))");
    return text;
}
