/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sweep/columns.h"
#include "sweep/results.h"

#include <errno.h>
#include <string.h>

/* Prints a field in the format of RFC 4180. */
static void print_field(FILE *to, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

/* Writes the query of all columns except the reports. */
static void make_query(char text[2000])
{
    snprintf(text, 2000, "SELECT ");
    for (int column = 0; column < columns_count; column++)
        if (column != COLUMN_json)
            text_append(text, 2000, "%s\"%s\"", column > 0 ? ", " : "", columns_name(column));
    text_append(text, 2000, " FROM points ORDER BY point IS NULL, point, command");
}

static void print_row(sqlite3_stmt *query, FILE *to)
{
    for (int column = 0; column < sqlite3_column_count(query); column++) {
        const char *text = (const char *)sqlite3_column_text(query, column);
        if (column > 0)
            putc(',', to);
        print_field(to, text != NULL ? text : "");
    }
    putc('\n', to);
}

static void print_heading(sqlite3_stmt *query, FILE *to)
{
    for (int column = 0; column < sqlite3_column_count(query); column++)
        fprintf(to, "%s%s", column > 0 ? "," : "", sqlite3_column_name(query, column));
    putc('\n', to);
}

bool results_print(const char *path, FILE *to, const char *name, struct err *err)
{
    char text[2000];
    sqlite3_stmt *query = NULL;
    sqlite3 *database = database_open(path, false, err);
    if (database == NULL)
        return false;
    make_query(text);
    int step = sqlite3_prepare_v2(database, text, -1, &query, NULL);
    if (step == SQLITE_OK) {
        print_heading(query, to);
        while ((step = sqlite3_step(query)) == SQLITE_ROW)
            print_row(query, to);
    }
    bool read = step == SQLITE_DONE || database_refuse(database, path, err);
    sqlite3_finalize(query);
    sqlite3_close(database);
    return read && (!ferror(to) || files_refuse_output(name, errno, err));
}
