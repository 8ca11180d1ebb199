/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"
#include "plot/rows.h"
#include "sched/base/text.h"

#include <string.h>

#define NAMES 300 /* room for the names of columns, and for the name of a curve */
#define BY 8      /* maximum number of columns in a list */

/* The axis is logarithmic if the largest value is at least this many times the least. */
#define DECADES 50

/* Reports an error of a list of columns. */
static bool field_error(struct err *err, const char *field, const char *what)
{
    return strcmp(field, "by") == 0 ? err_set(err, ERR_OPTION, "{by}: %s", what)
                                    : err_set(err, ERR_OPTION, "{y}: %s", what);
}

struct columns {
    unsigned x, by[BY], count;
    unsigned y[BY], ys; /* the first one has curves by the columns `by`, others one curve each */
};

/* Finds the columns of a list of names. `field` names the list in messages. */
static bool find_list(const struct rows *rows, const char *field, const char *list,
                      unsigned column[BY], unsigned *count, struct err *err)
{
    char names[NAMES], *rest = names;
    if (strlen(list) >= NAMES)
        return field_error(err, field, "too long; expected fewer names");
    strcpy(names, list);
    *count = 0;
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        if (*count == BY)
            return field_error(err, field, "more than 8 columns; expected fewer");
        if (!rows_column(rows, name, &column[(*count)++], err))
            return false;
    }
    return true;
}

static bool find_columns(const struct rows *rows, const struct plot_columns *asked,
                         struct columns *columns, struct err *err)
{
    *columns = (struct columns){0};
    return rows_column(rows, asked->x, &columns->x, err) &&
           find_list(rows, "y", asked->y, columns->y, &columns->ys, err) &&
           (asked->by == NULL ||
            find_list(rows, "by", asked->by, columns->by, &columns->count, err));
}

static void name_of(const struct rows *rows, const struct columns *columns, const char *usual,
                    char name[NAMES])
{
    snprintf(name, NAMES, "%s", columns->count == 0 ? usual : "");
    for (unsigned which = 0; which < columns->count; which++)
        text_append(name, NAMES, "%s%s", which > 0 ? ", " : "", rows->field[columns->by[which]]);
}

/* Adds the points of a row. A row without a value has no point. */
static bool add_row(const struct rows *rows, const struct columns *columns, struct chart *chart,
                    struct err *err)
{
    double x, y;
    if (rows->field[columns->x][0] == '\0')
        return true;
    for (unsigned which = 0; which < columns->ys; which++) {
        char name[NAMES];
        unsigned column = columns->y[which];
        if (rows->field[column][0] == '\0')
            continue;
        if (!rows_number(rows, columns->x, &x, err) || !rows_number(rows, column, &y, err))
            return false;
        if (which == 0)
            name_of(rows, columns, rows->column[column], name);
        else
            snprintf(name, NAMES, "%s", rows->column[column]);
        chart_point(chart, chart_named(chart, CHART_CURVE, name), x, y);
    }
    return true;
}

static bool read_all(struct rows *rows, const struct columns *columns, struct chart *chart,
                     struct err *err)
{
    for (bool more;;) {
        if (!rows_next(rows, &more, err))
            return false;
        if (!more)
            return chart_check(chart, err);
        if (!add_row(rows, columns, chart, err))
            return false;
    }
}

/* Checks that each curve has at most one value at each x. Precondition: remove_equal. */
static bool check_values(const struct rows *rows, const struct chart *chart, struct err *err)
{
    for (size_t which = 0; which < chart->count; which++) {
        const struct chart_series *series = &chart->series[which];
        for (size_t at = 1; at < series->count; at++)
            if (series->point[at].x == series->point[at - 1].x)
                return err_set(err, ERR_FIELD_RANGE,
                               "%s: %.40s: two values where %.40s is %.15g; expected {by} with a "
                               "column that distinguishes them",
                               rows->name, series->name, chart->x, series->point[at].x);
    }
    return true;
}

/* Removes points that are there twice: rows of several curves can have one value of a bound. */
static void remove_equal(struct chart *chart)
{
    for (size_t which = 0; which < chart->count; which++) {
        struct chart_series *series = &chart->series[which];
        size_t kept = 0;
        for (size_t at = 0; at < series->count; at++)
            if (kept == 0 || series->point[at].x != series->point[kept - 1].x ||
                series->point[at].y != series->point[kept - 1].y)
                series->point[kept++] = series->point[at];
        series->count = kept;
    }
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
    remove_equal(chart);
    chart->log_x = is_wide(chart_range(chart, false));
    chart->log_y = is_wide(chart_range(chart, true));
    return check_values(&rows, chart, err);
}
