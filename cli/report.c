/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "cli/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH 100 /* if neither COLUMNS nor a terminal gives a width */
#define GAP 2
#define LEAST 12 /* minimum width of a column whose words are split */

void report_cell(struct report_table *table, const char *format, ...)
{
    if (table->count == table->room) {
        size_t room = 2 * table->room + 32;
        char **larger = realloc(table->cell, room * sizeof *larger);
        if (larger == NULL) {
            table->failed = true;
            return;
        }
        table->cell = larger;
        table->room = room;
    }
    va_list arguments;
    va_start(arguments, format);
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        table->failed = true;
    else
        table->cell[table->count++] = text;
    va_end(arguments);
}

static int width_of(const char *text, size_t bytes)
{
    return (int)roundcast_text_columns(text, bytes);
}

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789.,/-")] == '\0';
}

int report_width(FILE *to)
{
    const char *variable = getenv("COLUMNS");
    int columns = variable != NULL ? atoi(variable) : 0;
    struct winsize size;
    if (columns <= 0 && isatty(fileno(to)) && ioctl(fileno(to), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return columns > 0 ? columns : USUAL_WIDTH;
}

/* Returns the number of bytes of the text that fit on a line of this width: whole words, or a part
 * of a wider word. */
static size_t line_bytes(const char *text, int width)
{
    size_t bytes = strcspn(text, " ");
    while (width_of(text, bytes) > width)
        bytes--;
    if (text[bytes] != ' ')
        return bytes;
    while (text[bytes] != '\0') {
        size_t more = bytes + 1 + strcspn(text + bytes + 1, " ");
        if (width_of(text, more) > width)
            break;
        bytes = more;
    }
    return bytes;
}

/* Returns the width of the widest word. */
static int word_width(const char *text)
{
    int widest = 0;
    for (size_t bytes; *text != '\0'; text += bytes + (text[bytes] == ' ')) {
        bytes = strcspn(text, " ");
        int width = width_of(text, bytes);
        widest = MAX(widest, width);
    }
    return widest;
}

/* Makes the widest columns narrower, down to their widest words, until a line is at most `most`
 * wide. Returns false if this is not possible. */
static bool fit(unsigned columns, int gap, int width[], const int word[], int most)
{
    int all = gap * ((int)columns - 1);
    for (unsigned column = 0; column < columns; column++)
        all += width[column];
    for (; all > most; all--) {
        unsigned widest = columns;
        for (unsigned column = 0; column < columns; column++)
            if (width[column] > word[column] &&
                (widest == columns || width[column] > width[widest]))
                widest = column;
        if (widest == columns)
            return false;
        width[widest]--;
    }
    return true;
}

/* Fits the columns: with whole words, or else with a smaller gap, or else with split words. Returns
 * the gap between them. */
static int fit_somehow(unsigned columns, int width[], int word[], int most)
{
    if (fit(columns, GAP, width, word, most))
        return GAP;
    if (fit(columns, 1, width, word, most))
        return 1;
    for (unsigned column = 1; column < columns; column++)
        word[column] = MIN(word[column], LEAST);
    fit(columns, 1, width, word, most);
    return 1;
}

/* Prints the parts of the texts rest[columns] that fit on one line, and advances past them. */
static void print_line(FILE *to, unsigned columns, const char *rest[], const int width[],
                       const bool right[], int gap)
{
    unsigned last = 0;
    for (unsigned column = 0; column < columns; column++)
        last = rest[column][strspn(rest[column], " ")] != '\0' ? column : last;
    for (unsigned column = 0; column <= last; column++) {
        size_t bytes = line_bytes(rest[column], width[column]);
        int pad = width[column] - width_of(rest[column], bytes);
        fprintf(to, "%*s%*s%.*s%*s", column > 0 ? gap : 0, "", right[column] ? pad : 0, "",
                (int)bytes, rest[column], right[column] || column == last ? 0 : pad, "");
        rest[column] += bytes;
    }
    for (unsigned column = 0; column < columns; column++)
        rest[column] += strspn(rest[column], " ");
    fputc('\n', to);
}

static bool is_left(unsigned columns, const char *const rest[])
{
    bool left = false;
    for (unsigned column = 0; column < columns; column++)
        left = left || rest[column][0] != '\0';
    return left;
}

static void print_row(FILE *to, const struct report_table *table, size_t row, const int width[],
                      int gap)
{
    const char *rest[REPORT_COLUMNS];
    bool right[REPORT_COLUMNS];
    /* a heading is aligned like the first row below it */
    size_t model = row == 0 && table->count > table->columns ? 1 : row;
    for (unsigned column = 0; column < table->columns; column++) {
        rest[column] = table->cell[row * table->columns + column];
        right[column] = is_number(table->cell[model * table->columns + column]);
    }
    do
        print_line(to, table->columns, rest, width, right, gap);
    while (is_left(table->columns, rest));
}

static void print_rows(FILE *to, const struct report_table *table)
{
    int width[REPORT_COLUMNS] = {0}, word[REPORT_COLUMNS] = {0};
    for (size_t which = 0; which < table->count; which++) {
        unsigned column = (unsigned)(which % table->columns);
        int whole = width_of(table->cell[which], strlen(table->cell[which]));
        int longest = word_width(table->cell[which]);
        width[column] = MAX(width[column], whole);
        word[column] = MAX(word[column], longest);
    }
    int gap = fit_somehow(table->columns, width, word, report_width(to));
    for (size_t row = 0; row < table->count / table->columns; row++)
        print_row(to, table, row, width, gap);
}

bool report_table_print(FILE *to, struct report_table *table, struct roundcast_error *err)
{
    bool printed = !table->failed;
    if (printed && table->columns > 0)
        print_rows(to, table);
    for (size_t which = 0; which < table->count; which++)
        free(table->cell[which]);
    free(table->cell);
    *table = (struct report_table){.columns = table->columns};
    return printed || roundcast_error_no_memory(err, "the report");
}

const char *report_end_name(bool times)
{
    return times ? "time" : "rounds";
}

const char *report_end_text(const struct roundcast_schedule_info *schedule,
                            char text[REPORT_END_TEXT])
{
    char number[ROUNDCAST_TIME_TEXT];
    roundcast_time_text(schedule->end, schedule->ticks, number);
    if (schedule->times)
        snprintf(text, REPORT_END_TEXT, "time %s", number);
    else
        snprintf(text, REPORT_END_TEXT, "%" PRIu64 " round%s", schedule->end,
                 text_s(schedule->end));
    return text;
}

void report_error(FILE *to, const struct roundcast_error *err)
{
    if (!err->reported)
        roundcast_json_print(to, json_pack("{s:o}", "error", roundcast_json_error(err)), NULL);
}
