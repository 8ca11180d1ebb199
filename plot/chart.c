/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a copy of a text with characters that pictures can contain. Without memory returns NULL
 * and sets `failed`. */
static char *copy(struct chart *chart, const char *text)
{
    size_t length;
    char *made = utf8_repair(text, strlen(text), &length);
    chart->failed = chart->failed || made == NULL;
    for (size_t at = 0; made != NULL && at < length; at++)
        if (iscntrl((unsigned char)made[at]))
            made[at] = ' ';
    return made;
}

void chart_titles(struct chart *chart, const char *title, const char *x, const char *y)
{
    chart->title = copy(chart, title);
    chart->x = copy(chart, x);
    chart->y = copy(chart, y);
}

/* Reserves room for one more entry of list[count]. Returns the list; without memory returns NULL
 * and sets `failed`. */
static void *grow(struct chart *chart, void *list, size_t count, size_t *room, size_t entry)
{
    if (chart->failed || count < *room)
        return chart->failed ? NULL : list;
    void *larger = memory_grow(list, count + 1, room, entry);
    chart->failed = larger == NULL;
    return larger;
}

size_t chart_series(struct chart *chart, enum chart_style style, const char *name)
{
    struct chart_series *list =
        grow(chart, chart->series, chart->count, &chart->room, sizeof *list);
    if (list == NULL)
        return 0;
    chart->series = list;
    list[chart->count] = (struct chart_series){.name = copy(chart, name), .style = style};
    return chart->count++;
}

size_t chart_named(struct chart *chart, enum chart_style style, const char *name)
{
    for (size_t which = 0; !chart->failed && which < chart->count; which++)
        if (strcmp(chart->series[which].name, name) == 0)
            return which;
    return chart_series(chart, style, name);
}

void chart_point(struct chart *chart, size_t series, double x, double y)
{
    if (chart->failed)
        return;
    struct chart_series *to = &chart->series[series];
    struct chart_point *list = grow(chart, to->point, to->count, &to->room, sizeof *list);
    if (list == NULL)
        return;
    to->point = list;
    list[to->count++] = (struct chart_point){x, y};
}

void chart_mark(struct chart *chart, double x, const char *text)
{
    struct chart_mark *list =
        grow(chart, chart->mark, chart->mark_count, &chart->mark_room, sizeof *list);
    if (list == NULL)
        return;
    chart->mark = list;
    list[chart->mark_count] = (struct chart_mark){x, copy(chart, text)};
    chart->mark_count++;
}

bool chart_check(const struct chart *chart, struct err *err)
{
    return !chart->failed || err_no_memory(err, "a plot");
}

static int by_place(const void *left, const void *right)
{
    const struct chart_point *a = left, *b = right;
    return compare_then(COMPARE(a->x, b->x), COMPARE(a->y, b->y));
}

void chart_sort(struct chart *chart)
{
    for (size_t which = 0; which < chart->count; which++) {
        struct chart_series *series = &chart->series[which];
        if (series->count > 0)
            qsort(series->point, series->count, sizeof *series->point, by_place);
    }
}

struct chart_range chart_range(const struct chart *chart, bool of_y)
{
    struct chart_range range = {HUGE_VAL, -HUGE_VAL};
    for (size_t which = 0; which < chart->count; which++)
        for (size_t at = 0; at < chart->series[which].count; at++) {
            const struct chart_point *point = &chart->series[which].point[at];
            range.least = fmin(range.least, of_y ? point->y : point->x);
            range.most = fmax(range.most, of_y ? point->y : point->x);
        }
    return range;
}

bool chart_spans(const struct chart *chart)
{
    struct chart_range x = chart_range(chart, false);
    return x.least < x.most;
}

static bool is_like(const struct chart_series *a, const struct chart_series *b)
{
    if (a->style != b->style || a->count != b->count)
        return false;
    for (size_t which = 0; which < a->count; which++)
        if (a->point[which].x != b->point[which].x || a->point[which].y != b->point[which].y)
            return false;
    return true;
}

size_t chart_first_like(const struct chart *chart, size_t series)
{
    for (size_t which = 0; which < series; which++)
        if (is_like(&chart->series[which], &chart->series[series]))
            return which;
    return series;
}

void chart_free(struct chart *chart)
{
    for (size_t which = 0; which < chart->count; which++) {
        free(chart->series[which].name);
        free(chart->series[which].point);
    }
    for (size_t which = 0; which < chart->mark_count; which++)
        free(chart->mark[which].text);
    free(chart->series);
    free(chart->mark);
    free(chart->title);
    free(chart->x);
    free(chart->y);
    *chart = (struct chart){0};
}
