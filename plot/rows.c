/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/rows.h"

#include "sched/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Removes the quotes of a field, in place. Returns the position after its end: a comma or the end
 * of the line. */
static char *unquote(char *field)
{
    char *to = field;
    const char *from = field + 1;
    while (*from != '\0' && (*from != '"' || from[1] == '"')) {
        from += *from == '"';
        *to++ = *from++;
    }
    char *after = field + (from - field) + (*from == '"');
    *to = '\0';
    return after;
}

/* Splits a line in place. Returns the number of fields, at most ROWS_COLUMNS + 1. */
static unsigned part(char *line, char *field[ROWS_COLUMNS])
{
    unsigned count = 0;
    for (char *rest = line; rest != NULL; count++) {
        if (count == ROWS_COLUMNS)
            return count + 1;
        field[count] = rest;
        if (*rest == '"') {
            rest = unquote(rest);
            rest = *rest == ',' ? rest + 1 : NULL;
        } else
            strsep(&rest, ",");
    }
    return count;
}

static bool refuse(const struct rows *rows, struct err *err)
{
    if (ferror(rows->from))
        return err_set(err, ERR_READ, "%s: cannot read: %s; expected a file to read", rows->name,
                       strerror(errno));
    return err_set(err, ERR_SYNTAX, "%s:%lu: a line of %d bytes or more; expected a shorter one",
                   rows->name, rows->number, ROWS_LINE);
}

/* Reads a line without its end, LF or CRLF. */
static bool read_line(struct rows *rows, char line[ROWS_LINE], bool *more, struct err *err)
{
    *more = fgets(line, ROWS_LINE, rows->from) != NULL;
    if (!*more)
        return !ferror(rows->from) || refuse(rows, err);
    rows->number++;
    if (strlen(line) == ROWS_LINE - 1)
        return refuse(rows, err);
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

bool rows_open(struct rows *rows, FILE *from, const char *name, struct err *err)
{
    bool more;
    *rows = (struct rows){.from = from, .name = name};
    if (!read_line(rows, rows->head, &more, err))
        return false;
    rows->columns = more ? part(rows->head, rows->column) : 0;
    return (rows->columns > 0 && rows->columns <= ROWS_COLUMNS) ||
           err_set(err, ERR_SYNTAX, "%s:1: %u column%s; expected names of 1 … %d columns", name,
                   rows->columns, text_s(rows->columns), ROWS_COLUMNS);
}

bool rows_column(const struct rows *rows, const char *column, unsigned *at, struct err *err)
{
    char names[300] = "";
    for (*at = 0; *at < rows->columns; ++*at) {
        if (strcmp(rows->column[*at], column) == 0)
            return true;
        text_append(names, sizeof names, " %s", rows->column[*at]);
    }
    return err_set(err, ERR_SYNTAX, "%s:1: no column '%.40s'; expected one of%s", rows->name,
                   column, names);
}

bool rows_next(struct rows *rows, bool *more, struct err *err)
{
    do {
        if (!read_line(rows, rows->line, more, err))
            return false;
        if (!*more)
            return true;
    } while (rows->line[0] == '\0');
    rows->fields = part(rows->line, rows->field);
    return rows->fields == rows->columns ||
           err_set(err, ERR_SYNTAX, "%s:%lu: %u fields; expected %u, as line 1 has", rows->name,
                   rows->number, rows->fields, rows->columns);
}

bool rows_number(const struct rows *rows, unsigned at, double *value, struct err *err)
{
    const char *text = rows->field[at];
    char *end;
    bool digit = text[0] != '\0' && strspn(text, "0123456789.eE+-/") == strlen(text);
    *value = strtod(text, &end);
    if (*end == '/' && end[1] != '/')
        *value /= strtod(end + 1, &end);
    return (digit && *end == '\0' && *value - *value == 0) ||
           err_set(err, ERR_FIELD_RANGE, "%s:%lu: %s: '%.40s'; expected a number", rows->name,
                   rows->number, rows->column[at], text);
}
