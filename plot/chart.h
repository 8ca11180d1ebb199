/* SPDX-License-Identifier: Apache-2.0 */
/* chart: what a picture shows, before anything draws it: axes, curves and the places that are
 * marked. plot.h fills charts, script.h writes them for gnuplot. */
#ifndef ROUNDCAST_CHART_H
#define ROUNDCAST_CHART_H

#include "sched/base/err.h"

#include <stddef.h>

enum chart_style {
    CHART_CURVE,  /* a line with markers, of a colour and dashes of its own */
    CHART_FLOOR,  /* a line, and what lies below it is shaded */
    CHART_STEPS,  /* a wide line that stays until the next point */
    CHART_STRAND, /* one of many thin lines, coloured by its number */
};

struct chart_point {
    double x, y;
};

struct chart_series {
    char *name;
    enum chart_style style;
    double number; /* of a strand */
    size_t count, room;
    struct chart_point *point; /* x ascending */
};

/* A place on the x axis, and what begins there. */
struct chart_mark {
    double x;
    char *text;
};

struct chart {
    char *title, *x, *y; /* of the picture, and of the axes, with units */
    const char *strands; /* what a strand's number counts; NULL without strands */
    bool log_x, log_y;
    bool sizes; /* points stand at few places, which the x axis has its tics for */
    size_t count, room;
    struct chart_series *series;
    size_t mark_count, mark_room;
    struct chart_mark *mark;
    bool failed; /* something did not fit in memory; told by chart_check */
};

/* Set the titles, which are copied: texts from outside become UTF-8 (utf8.h), and control
 * characters blanks. This function and those that add do nothing once there was no memory. */
void chart_titles(struct chart *chart, const char *title, const char *x, const char *y);

/* Add an empty series, whose name is copied, too: its number. Amortised O(1). */
size_t chart_series(struct chart *chart, enum chart_style style, const char *name);

/* The series of that name, which is added if there is none. O(series). */
size_t chart_named(struct chart *chart, enum chart_style style, const char *name);

void chart_point(struct chart *chart, size_t series, double x, double y);
void chart_mark(struct chart *chart, double x, const char *text);

/* Sort the points of each series by x, then y. */
void chart_sort(struct chart *chart);

struct chart_range {
    double least, most;
};

/* The least and the most x, or y, of all points; an empty range without any. O(points). */
struct chart_range chart_range(const struct chart *chart, bool of_y);

/* E104 if there was no memory. */
bool chart_check(const struct chart *chart, struct err *err);

/* Are there points at several places of the x axis? */
bool chart_spans(const struct chart *chart);

/* Has a series before it the same points and style? The first such, else itself. O(points). */
size_t chart_first_like(const struct chart *chart, size_t series);

void chart_free(struct chart *chart);

#endif
