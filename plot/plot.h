/* SPDX-License-Identifier: Apache-2.0 */
/* plot: the available charts. Each function sets the titles of an empty chart and adds its series.
 *
 * The data come from other parts of the program: plan.h and tune.h, the demands of verify, the
 * buffer requirements of the compiler, the report of `make synth`. Free a chart with chart_free,
 * also after an error. All functions: E104.
 */
#ifndef ROUNDCAST_PLOT_H
#define ROUNDCAST_PLOT_H

#include "plot/chart.h"
#include "sched/algorithms/algorithm.h"
#include "sched/plan/tune.h"
#include "sched/schedule/schedule.h"

/* Plots curves over m = 1 … asked->m packets: the end (rounds or time) predicted by each algorithm
 * of asked->model, and the lower bound. Above PLOT_EVERY packets only a sample of m is shown, and
 * axes are logarithmic. Precondition: a complete graph, m ≥ 2. E102, E103 if no algorithm
 * applies. */
bool plot_plan(const struct collective *asked, const char *title, struct chart *chart,
               struct err *err);

#define PLOT_EVERY 256

/* Plots cycles over 1 … request->bytes bytes, for each algorithm and model at its best cut
 * (tune.h), and the bound. A mark shows the smallest message, exact to the byte, from which another
 * algorithm is fastest; an algorithm that is fastest only between two plotted sizes is not
 * detected. Precondition: bytes ≥ 2. The errors of tune_search. */
bool plot_tune(const struct tune_request *request, const char *title, struct chart *chart,
               struct err *err);

/* Plots the depth, in packets, of the deepest buffer of routers with tables (machine_sizing.h) over
 * the number of leaves of trees with 1, 2, … levels, the last being `tree`: for each collective's
 * algorithms and methods in the model, from source 0. Trees whose schedule would have more than
 * PLOT_TRANSFERS transfers are omitted. Precondition: a tree. */
bool plot_depth(const struct topology *tree, enum model model, const char *title,
                struct chart *chart, struct err *err);

#define PLOT_TRANSFERS (UINT64_C(1) << 22)

/* Plots over rounds, or time, how many processors have each packet, and how many have all packets
 * that they require. If there are more than PLOT_STRANDS packets, only that many, equally spaced,
 * are shown. Precondition: a schedule that verify accepts. O(transfers + demands · nodes). */
bool plot_spread(const struct schedule *schedule, const char *title, struct chart *chart,
                 struct err *err);

#define PLOT_STRANDS 64

/* Plots LUTs over ports from a report in the format of `make synth`: a line of comma-separated
 * names, including name, target, ports and luts, and a line for each design. Designs for the target
 * with names that differ only in the number of ports form a curve. E201, E204, E205. */
bool plot_area(FILE *from, const char *name, const char *target, const char *title,
               struct chart *chart, struct err *err);

struct plot_columns {
    const char *x;
    const char *y;  /* comma-separated column names; those after the first have one curve each */
    const char *by; /* comma-separated column names for curves of the first y; NULL: one curve */
};

/* Plots one column over another of any table of comma-separated values (rows.h): a curve for each
 * combination of values of the columns `by`. Lines without x or y are omitted; an axis with a wide
 * range of values is logarithmic. E201, E204, E205 (also if a curve has two values at one x),
 * E101. */
bool plot_table(FILE *from, const char *name, const struct plot_columns *asked, const char *title,
                struct chart *chart, struct err *err);

#endif
