/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_lines: lines of words (a list of runs) or rows of values (a table) that can be read are
 * unchanged after writing each word quoted for a shell, or each value in quotes, and reading them
 * again. The first byte selects words or values.
 */
#include "plot/rows.h"
#include "sweep/lines.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (ROWS_LINE / 4) /* of a file, so that lines are short enough when quoted */

/* -- Words ------------------------------------------------------------------------------------- */

static bool read_lines(const void *bytes, size_t size, struct lines *lines, struct err *err)
{
    FILE *file = fuzz_open(bytes, size);
    *lines = (struct lines){0};
    bool read = lines_read(file, "input", lines, err);
    fclose(file);
    return read;
}

static char *write_lines(const struct lines *lines, size_t *size)
{
    char *text;
    FILE *to = open_memstream(&text, size);
    for (size_t which = 0; which < lines->count; which++) {
        for (size_t at = 0; at < lines->line[which].count; at++) {
            shell_quote(to, lines->line[which].word[at]);
            putc(' ', to);
        }
        putc('\n', to);
    }
    fclose(to);
    return text;
}

static void check_line(const struct lines_line *line, const struct lines_line *again)
{
    if (line->count == 0 || line->count != again->count || line->word[line->count] != NULL)
        fuzz_fail("%zu words, and again %zu", line->count, again->count);
    for (size_t at = 0; at < line->count; at++)
        if (strcmp(line->word[at], again->word[at]) != 0 || FUZZ_FAULT)
            fuzz_fail("the word %s, and again %s", line->word[at], again->word[at]);
}

static void check_lines(const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct lines lines, again;
    size_t written;
    if (read_lines(data, size, &lines, &err)) {
        char *text = write_lines(&lines, &written);
        fuzz_holds(read_lines(text, written, &again, &err), &err, "reading the words again");
        if (lines.count != again.count)
            fuzz_fail("%zu lines, and again %zu", lines.count, again.count);
        for (size_t which = 0; which < lines.count; which++)
            check_line(&lines.line[which], &again.line[which]);
        lines_free(&again);
        free(text);
    } else
        fuzz_refused(&err);
    lines_free(&lines);
}

/* -- Values ------------------------------------------------------------------------------------ */

/* Rows of the file and of its copy. Static, because each is large. */
static struct rows rows, again;

static void write_values(FILE *to, char *const value[], unsigned count)
{
    for (unsigned at = 0; at < count; at++) {
        fputs(at > 0 ? ",\"" : "\"", to);
        for (const char *byte = value[at]; *byte != '\0'; byte++)
            fputs((char[]){*byte, *byte == '"' ? '"' : '\0', '\0'}, to);
        putc('"', to);
    }
    putc('\n', to);
}

/* Copies the names and rows of a file to another. Returns false if it is rejected. */
static bool write_rows(FILE *from, FILE *to)
{
    struct err err = {0};
    bool more = true, read = rows_open(&rows, from, "input", &err);
    if (read)
        write_values(to, rows.column, rows.columns);
    while (read && (read = rows_next(&rows, &more, &err)) && more)
        write_values(to, rows.field, rows.fields);
    if (!read)
        fuzz_refused(&err);
    return read;
}

static void check_row(char *const value[], char *const other[], unsigned count)
{
    for (unsigned at = 0; at < count; at++)
        if (strcmp(value[at], other[at]) != 0)
            fuzz_fail("the value %s, and again %s", value[at], other[at]);
}

static void check_rows(const uint8_t *data, size_t size)
{
    struct err err = {0};
    char *text;
    size_t written;
    FILE *from = fuzz_open(data, size), *to = open_memstream(&text, &written);
    bool read = write_rows(from, to);
    fclose(to);
    if (read) {
        bool more = true, more_again = true;
        FILE *second = fuzz_open(text, written);
        rewind(from);
        fuzz_holds(rows_open(&rows, from, "input", &err), &err, "the names");
        fuzz_holds(rows_open(&again, second, "again", &err), &err, "the names again");
        check_row(rows.column, again.column, rows.columns);
        while (more) {
            fuzz_holds(rows_next(&rows, &more, &err), &err, "a row");
            fuzz_holds(rows_next(&again, &more_again, &err), &err, "a row again");
            if (more != more_again || rows.fields != again.fields)
                fuzz_fail("%u values, and again %u", rows.fields, again.fields);
            check_row(rows.field, again.field, more ? rows.fields : 0);
        }
        fclose(second);
    }
    fclose(from);
    free(text);
}

/* ---------------------------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && size < MOST_BYTES)
        (data[0] & 1 ? check_rows : check_lines)(data + 1, size - 1);
    return 0;
}
