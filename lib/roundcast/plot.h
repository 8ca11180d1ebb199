/* SPDX-License-Identifier: Apache-2.0 */
/* plot: charts of plans, tunings, trees, schedules and tables, as pictures or numbers
 * (docs/plot.md). */
#ifndef ROUNDCAST_LIB_PLOT_H
#define ROUNDCAST_LIB_PLOT_H

#include "roundcast/error.h"

#include <stddef.h>

struct roundcast_request;

#ifdef __cplusplus
extern "C" {
#endif

#define ROUNDCAST_PLOT_VERSION 1

/* The input of a plot; members that the plot does not use must be zero. Texts are borrowed. */
struct roundcast_plot {
    unsigned version;        /* ROUNDCAST_PLOT_VERSION */
    const char *name;        /* a name of roundcast_plot_name */
    uint32_t nodes, packets; /* plan, tune: nodes; plan: maximum number of packets; 2 or more */
    uint64_t bytes;          /* tune: size of the largest message; 2 or more */
    const char *path;        /* spread: a schedule; area: a report of `make synth`; sweep: a
                                database; table: comma-separated values; `-`: standard input */
    const char *target;      /* area: NULL: "ice40" */
    const char *x;           /* sweep, table: a column */
    const char *y;           /* sweep, table: comma-separated columns; those after the first have
                              * one curve each, such as a bound */
    const char *by;          /* sweep, table: comma-separated columns; each combination of their
                              * values has its own curve of the first y; NULL: one curve */
};

/* Limits of the numbers of a plot. */
#define ROUNDCAST_PLOT_MAX_NODES (UINT32_C(1) << 24)
#define ROUNDCAST_PLOT_MAX_PACKETS (UINT32_C(1) << 27)
#define ROUNDCAST_PLOT_MAX_BYTES (UINT64_C(1) << 30)

/* Returns the name of plot `index`: "plan", "tune", "depth", "spread", "area", "sweep", "table";
 * NULL after the last. Statically allocated. */
const char *roundcast_plot_name(unsigned index);

/* Returns the name, and the suffix, of picture format `index`: "svg", "png", "pdf"; NULL after the
 * last. Statically allocated. */
const char *roundcast_plot_format(unsigned index);

struct roundcast_chart; /* titles, curves and marks */

/* Makes the chart of a plot. `request` gives model, λ, collective, network, width, tree and
 * capacity for plan, tune and depth. NULL with E101 for a member that is missing, or that the plot
 * does not use, E102, E103, E104, E401, the errors of files, and E3xx for a schedule that is not
 * legal. Free it with roundcast_chart_free. */
struct roundcast_chart *roundcast_chart_new(const struct roundcast_request *request,
                                            const struct roundcast_plot *plot,
                                            struct roundcast_error *error);

/* Writes files of a chart, all or none: a picture in a format, which gnuplot draws (NULL: none;
 * `-`: standard output), and its numbers and script as PREFIX.dat and PREFIX.gp (NULL: none). E101
 * for a format that does not exist and for a prefix that a script cannot contain, E104, E202, E501
 * if gnuplot is missing or fails. */
bool roundcast_chart_write(const struct roundcast_chart *chart, const char *picture,
                           const char *format, const char *prefix, struct roundcast_error *error);

/* A chart in numbers; texts are valid as long as the chart. */
struct roundcast_chart_info {
    const char *title, *x, *y; /* x, y: labels of the axes, with units */
    size_t curves, marks;
};
struct roundcast_chart_curve {
    const char *name;
    size_t points;
};
struct roundcast_chart_mark {
    double x; /* position at which the labelled range begins */
    const char *text;
};

struct roundcast_chart_info roundcast_chart_describe(const struct roundcast_chart *chart);

/* Return curve `index` or mark `index`, from 0. Precondition: it is less than their number. */
struct roundcast_chart_curve roundcast_chart_curve_at(const struct roundcast_chart *chart,
                                                      size_t index);
struct roundcast_chart_mark roundcast_chart_mark_at(const struct roundcast_chart *chart,
                                                    size_t index);

/* Frees a chart; NULL is allowed. */
void roundcast_chart_free(struct roundcast_chart *chart);

#ifdef __cplusplus
}
#endif

#endif
