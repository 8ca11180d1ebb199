/* SPDX-License-Identifier: Apache-2.0 */
/* chart: the contents of a picture, independent of the renderer: axes, curves and marks. plot.h
 * fills charts, script.h writes them for gnuplot. */
#ifndef ROUNDCAST_CHART_H
#define ROUNDCAST_CHART_H

#include "sched/base/err.h"

#include <stddef.h>

enum chart_style {
    CHART_CURVE,  /* a line with markers, with its own colour and dashes */
    CHART_FLOOR,  /* a line, with the area below it shaded */
    CHART_STEPS,  /* a wide line that is constant until the next point */
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

/* A position on the x axis, and the label of the range that begins there. */
struct chart_mark {
    double x;
    char *text;
};

struct chart {
    char *title, *x, *y; /* title of the picture, and labels of the axes, with units */
    const char *strands; /* meaning of a strand's number; NULL without strands */
    bool log_x, log_y;
    bool sizes; /* points have few different x values, each with a tic on the x axis */
    size_t count, room;
    struct chart_series *series;
    size_t mark_count, mark_room;
    struct chart_mark *mark;
    bool failed; /* memory ran out; reported by chart_check */
};

/* Sets the titles, which are copied. External texts are converted to UTF-8 (utf8.h), and control
 * characters become blanks. After memory has run out, this function and those that add data do
 * nothing. */
void chart_titles(struct chart *chart, const char *title, const char *x, const char *y);

/* Adds an empty series and returns its number. The name is copied. Amortised O(1). */
size_t chart_series(struct chart *chart, enum chart_style style, const char *name);

/* Returns the series of that name, and adds it if there is none. O(series). */
size_t chart_named(struct chart *chart, enum chart_style style, const char *name);

void chart_point(struct chart *chart, size_t series, double x, double y);
void chart_mark(struct chart *chart, double x, const char *text);

/* Sorts the points of each series by x, then y. */
void chart_sort(struct chart *chart);

struct chart_range {
    double least, most;
};

/* Returns the range of x, or of y, over all points; empty without points. O(points). */
struct chart_range chart_range(const struct chart *chart, bool of_y);

/* Returns false with E104 if memory ran out. */
bool chart_check(const struct chart *chart, struct err *err);

/* Returns whether there are points at two or more x values. */
bool chart_spans(const struct chart *chart);

/* Returns the first series with the same points and style; this is `series` itself if no earlier
 * one has them. O(points). */
size_t chart_first_like(const struct chart *chart, size_t series);

void chart_free(struct chart *chart);

#endif
