/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"
#include "plot/rows.h"
#include "sched/base/text.h"

#include <string.h>

#define NAMES 300 /* room for the names of columns, and for the name of a curve */
#define BY 8      /* maximum number of columns that distinguish curves */

/* The axis is logarithmic if the largest value is at least this many times the least. */
#define DECADES 50

struct columns {
    unsigned x, y, by[BY], count;
};

static bool find_columns(const struct rows *rows, const struct plot_columns *asked,
                         struct columns *columns, struct err *err)
{
    char names[NAMES], *rest = names;
    *columns = (struct columns){0};
    if (!rows_column(rows, asked->x, &columns->x, err) ||
        !rows_column(rows, asked->y, &columns->y, err))
        return false;
    if (asked->by == NULL)
        return true;
    if (strlen(asked->by) >= NAMES)
        return err_set(err, ERR_OPTION, "{by}: too long; expected at most %d byte%s", NAMES - 1,
                       text_s(NAMES - 1));
    strcpy(names, asked->by);
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        if (columns->count == BY)
            return err_set(err, ERR_OPTION, "{by}: more than %d columns; expected fewer", BY);
        if (!rows_column(rows, name, &columns->by[columns->count++], err))
            return false;
    }
    return true;
}

static void name_of(const struct rows *rows, const struct columns *columns, const char *usual,
                    char name[NAMES])
{
    snprintf(name, NAMES, "%s", columns->count == 0 ? usual : "");
    for (unsigned which = 0; which < columns->count; which++)
        text_append(name, NAMES, "%s%s", which > 0 ? ", " : "", rows->field[columns->by[which]]);
}

static bool read_all(struct rows *rows, const struct columns *columns, struct chart *chart,
                     struct err *err)
{
    for (bool more;;) {
        char name[NAMES];
        double x, y;
        if (!rows_next(rows, &more, err) || !more)
            return !more && chart_check(chart, err);
        if (rows->field[columns->x][0] == '\0' || rows->field[columns->y][0] == '\0')
            continue;
        if (!rows_number(rows, columns->x, &x, err) || !rows_number(rows, columns->y, &y, err))
            return false;
        name_of(rows, columns, chart->y, name);
        chart_point(chart, chart_named(chart, CHART_CURVE, name), x, y);
    }
}

/* Checks that each curve has at most one value at each x. */
static bool check_values(const struct rows *rows, const struct chart *chart, struct err *err)
{
    for (size_t which = 0; which < chart->count; which++) {
        const struct chart_series *series = &chart->series[which];
        for (size_t at = 1; at < series->count; at++)
            if (series->point[at].x == series->point[at - 1].x &&
                series->point[at].y != series->point[at - 1].y)
                return err_set(err, ERR_FIELD_RANGE,
                               "%s: %.40s: two values where %.40s is %.15g; expected {by} with a "
                               "column that distinguishes them",
                               rows->name, series->name, chart->x, series->point[at].x);
    }
    return true;
}

static bool is_wide(struct chart_range range)
{
    return range.least > 0 && range.most / range.least >= DECADES;
}

bool plot_table(FILE *from, const char *name, const struct plot_columns *asked, const char *title,
                struct chart *chart, struct err *err)
{
    struct rows rows;
    struct columns columns;
    chart_titles(chart, title, asked->x, asked->y);
    if (!chart_check(chart, err) || !rows_open(&rows, from, name, err) ||
        !find_columns(&rows, asked, &columns, err) || !read_all(&rows, &columns, chart, err))
        return false;
    chart_sort(chart);
    chart->log_x = is_wide(chart_range(chart, false));
    chart->log_y = is_wide(chart_range(chart, true));
    return check_values(&rows, chart, err);
}
