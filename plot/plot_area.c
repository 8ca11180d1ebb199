/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum column { NAME, TARGET, PORTS, LUTS, COLUMNS };
static const char *const column_name[COLUMNS] = {"name", "target", "ports", "luts"};

#define LINE 4000  /* bytes of a line at most */
#define FIELDS 64  /* of a line at most */
#define FAMILY 200 /* room for a name */

struct report {
    FILE *from;
    const char *name; /* for messages */
    char line[LINE];
    unsigned long number; /* of the line */
    char *field[FIELDS];
    unsigned fields;
    unsigned at[COLUMNS]; /* in field */
};

/* Read a line and part it; false at the end of the file. Lines end as ours or as Windows' do; what
 * is too long for one goes on in the next, where it is refused. */
static bool next_line(struct report *report)
{
    if (fgets(report->line, LINE, report->from) == NULL)
        return false;
    report->number++;
    report->line[strcspn(report->line, "\r\n")] = '\0';
    char *rest = report->line;
    report->fields = 0;
    while (rest != NULL && report->fields < FIELDS)
        report->field[report->fields++] = strsep(&rest, ",");
    return true;
}

static bool read_head(struct report *report, struct err *err)
{
    bool read = next_line(report);
    for (unsigned column = 0; column < COLUMNS; column++) {
        unsigned at = 0;
        while (read && at < report->fields && strcmp(report->field[at], column_name[column]) != 0)
            at++;
        if (!read || at == report->fields)
            return err_set(err, ERR_SYNTAX,
                           "%s:1: no column '%s'; expected the report that `make synth` writes",
                           report->name, column_name[column]);
        report->at[column] = at;
    }
    return true;
}

static bool number_of(const struct report *report, enum column column, double *value,
                      struct err *err)
{
    const char *text = report->field[report->at[column]];
    size_t digits = strspn(text, "0123456789");
    *value = strtod(text, NULL);
    return (digits > 0 && digits < 16 && text[digits] == '\0' && *value > 0) ||
           err_set(err, ERR_FIELD_RANGE, "%s:%lu: %s: '%.40s'; expected a number from 1",
                   report->name, report->number, column_name[column], text);
}

/* The name without its ports: "benes-8-pipe2" of 8 ports is one of "benes-pipe2". */
static void family_of(const char *name, const char *ports, char family[FAMILY])
{
    size_t digits = strlen(ports);
    const char *at = name;
    while ((at = strchr(at, '-')) != NULL) {
        const char *behind = ++at + digits;
        if (strncmp(at, ports, digits) == 0 && (*behind == '-' || *behind == '\0')) {
            snprintf(family, FAMILY, "%.*s%s", (int)(at - 1 - name), name, behind);
            return;
        }
    }
    snprintf(family, FAMILY, "%s", name);
}

static bool add_line(const struct report *report, const char *target, struct chart *chart,
                     struct err *err)
{
    char family[FAMILY];
    double ports, luts;
    for (unsigned column = 0; column < COLUMNS; column++)
        if (report->at[column] >= report->fields)
            return err_set(err, ERR_SYNTAX, "%s:%lu: no %s; expected as many fields as in line 1",
                           report->name, report->number, column_name[column]);
    if (strcmp(report->field[report->at[TARGET]], target) != 0)
        return true;
    if (!number_of(report, PORTS, &ports, err) || !number_of(report, LUTS, &luts, err))
        return false;
    family_of(report->field[report->at[NAME]], report->field[report->at[PORTS]], family);
    chart_point(chart, chart_named(chart, CHART_CURVE, family), ports, luts);
    return true;
}

static int by_x(const void *a, const void *b)
{
    const struct chart_point *first = a, *second = b;
    return (first->x > second->x) - (first->x < second->x);
}

static bool read_all(struct report *report, const char *target, struct chart *families,
                     struct err *err)
{
    if (!read_head(report, err))
        return false;
    while (next_line(report))
        if (report->line[0] != '\0' && !add_line(report, target, families, err))
            return false;
    if (ferror(report->from))
        return err_set(err, ERR_READ, "%s: cannot read: %s; expected a file to read", report->name,
                       strerror(errno));
    return chart_check(families, err);
}

/* Keep the families of which there are several sizes. */
static void keep_curves(const struct chart *families, struct chart *chart)
{
    for (size_t which = 0; which < families->count; which++) {
        const struct chart_series *family = &families->series[which];
        qsort(family->point, family->count, sizeof *family->point, by_x);
        if (family->count < 2 || family->point[0].x == family->point[family->count - 1].x)
            continue;
        size_t series = chart_series(chart, CHART_CURVE, family->name);
        for (size_t at = 0; at < family->count; at++)
            chart_point(chart, series, family->point[at].x, family->point[at].y);
    }
}

bool plot_area(FILE *from, const char *name, const char *target, struct chart *chart,
               struct err *err)
{
    struct report report = {.from = from, .name = name};
    struct chart families = {0};
    chart->log_x = chart->log_y = chart->sizes = true;
    chart->x = "ports";
    chart->y = "LUTs of four inputs";
    bool read = read_all(&report, target, &families, err);
    if (read)
        keep_curves(&families, chart);
    chart_free(&families);
    if (!read || !chart_check(chart, err))
        return false;
    return chart->count > 0 ||
           err_set(err, ERR_SYNTAX,
                   "%s: no design of two sizes on the target %s; expected the report that "
                   "`make synth` writes",
                   name, target);
}
