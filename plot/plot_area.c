/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"
#include "plot/rows.h"

#include <stdlib.h>
#include <string.h>

enum column { NAME, TARGET, PORTS, LUTS, COLUMNS };
static const char *const column_name[COLUMNS] = {"name", "target", "ports", "luts"};

#define FAMILY 200 /* room for a name */

/* Writes the name of a design without its ports: "benes-8-pipe2" with 8 ports belongs to
 * "benes-pipe2". */
static void family_of(const char *name, const char *ports, char family[FAMILY])
{
    size_t digits = strlen(ports);
    const char *at = name;
    while ((at = strchr(at, '-')) != NULL) {
        const char *after = ++at + digits;
        if (strncmp(at, ports, digits) == 0 && (*after == '-' || *after == '\0')) {
            snprintf(family, FAMILY, "%.*s%s", (int)(at - 1 - name), name, after);
            return;
        }
    }
    snprintf(family, FAMILY, "%s", name);
}

/* Reads a number greater than 0, because both axes are logarithmic. */
static bool above_zero(const struct rows *rows, unsigned at, double *value, struct err *err)
{
    return rows_number(rows, at, value, err) &&
           (*value > 0 || err_set(err, ERR_FIELD_RANGE, "%s:%lu: %s: '%.40s'; expected more than 0",
                                  rows->name, rows->number, rows->column[at], rows->field[at]));
}

static bool read_all(struct rows *rows, const char *target, struct chart *families, struct err *err)
{
    unsigned at[COLUMNS];
    for (unsigned column = 0; column < COLUMNS; column++)
        if (!rows_column(rows, column_name[column], &at[column], err))
            return false;
    for (bool more;;) {
        char family[FAMILY];
        double ports, luts;
        if (!rows_next(rows, &more, err))
            return false;
        if (!more)
            return chart_check(families, err);
        if (strcmp(rows->field[at[TARGET]], target) != 0)
            continue;
        if (!above_zero(rows, at[PORTS], &ports, err) || !above_zero(rows, at[LUTS], &luts, err))
            return false;
        family_of(rows->field[at[NAME]], rows->field[at[PORTS]], family);
        chart_point(families, chart_named(families, CHART_CURVE, family), ports, luts);
    }
}

/* Keeps the families with several sizes. */
static void keep_curves(const struct chart *families, struct chart *chart)
{
    for (size_t which = 0; which < families->count; which++) {
        const struct chart_series *family = &families->series[which];
        if (family->count < 2 || family->point[0].x == family->point[family->count - 1].x)
            continue;
        size_t series = chart_series(chart, CHART_CURVE, family->name);
        for (size_t at = 0; at < family->count; at++)
            chart_point(chart, series, family->point[at].x, family->point[at].y);
    }
}

bool plot_area(FILE *from, const char *name, const char *target, const char *title,
               struct chart *chart, struct err *err)
{
    struct rows rows;
    struct chart families = {0};
    chart->log_x = chart->log_y = chart->sizes = true;
    chart_titles(chart, title, "ports", "LUTs of four inputs");
    bool read = rows_open(&rows, from, name, err) && read_all(&rows, target, &families, err);
    if (read) {
        chart_sort(&families);
        keep_curves(&families, chart);
    }
    chart_free(&families);
    if (!read || !chart_check(chart, err))
        return false;
    return chart->count > 0 ||
           err_set(err, ERR_SYNTAX,
                   "%s: no design of two sizes on the target %s; expected the report that "
                   "`make synth` writes",
                   name, target);
}
