/* SPDX-License-Identifier: Apache-2.0 */
/* plot: the charts that we know; each sets the titles of an empty chart and adds its series.
 *
 * What is shown comes from who answers it elsewhere: plan.h and tune.h, verify's demands, the
 * compiler's needs of buffers, the report of `make synth`. Free a chart with chart_free, also after
 * an error; all: E104.
 */
#ifndef ROUNDCAST_PLOT_H
#define ROUNDCAST_PLOT_H

#include "plot/chart.h"
#include "sched/algorithms/algorithm.h"
#include "sched/plan/tune.h"
#include "sched/schedule/schedule.h"

/* Curves over m = 1 … asked->m packets: the end of each algorithm of asked->model, rounds or time,
 * that predicts one, and the lower bound. Above PLOT_EVERY packets some m stand for all, and axes
 * are logarithmic. Precondition: a complete graph, m ≥ 2. E102, E103 if no algorithm does it. */
bool plot_plan(const struct collective *asked, const char *title, struct chart *chart,
               struct err *err);

#define PLOT_EVERY 256

/* Cycles over 1 … request->bytes bytes, of each algorithm and model at its best cut (tune.h), and
 * the bound. A mark stands at the smallest message from which another algorithm is first, found to
 * the byte between two sizes that are drawn; one that is first only within such a gap is not seen.
 * Precondition: bytes ≥ 2. The errors of tune_search. */
bool plot_tune(const struct tune_request *request, const char *title, struct chart *chart,
               struct err *err);

/* Packets that the deepest buffer of routers with tables holds (machine_sizing.h), over the leaves
 * of trees of 1, 2, … levels, the last `tree`: of each collective's algorithms and methods in the
 * model, from source 0. A tree whose schedule would have more than PLOT_TRANSFERS transfers is left
 * out. Precondition: a tree. */
bool plot_depth(const struct topology *tree, enum model model, const char *title,
                struct chart *chart, struct err *err);

#define PLOT_TRANSFERS (UINT64_C(1) << 22)

/* Over rounds, or time: how many processors have each packet, and how many have all packets that
 * they are to have. Of more than PLOT_STRANDS packets, as many at equal distances stand for all.
 * Precondition: a schedule that verify accepts. O(transfers + demands · nodes). */
bool plot_spread(const struct schedule *schedule, const char *title, struct chart *chart,
                 struct err *err);

#define PLOT_STRANDS 64

/* LUTs over ports, of a report like that of `make synth`: a line of comma-separated names, among
 * them name, target, ports and luts, and a line for each design. Designs of several sizes are a
 * curve: those whose names differ in the number of ports only, of the target. E201, E204, E205. */
bool plot_area(FILE *from, const char *name, const char *target, const char *title,
               struct chart *chart, struct err *err);

struct plot_columns {
    const char *x, *y;
    const char *by; /* names with commas between them; NULL: one curve */
};

/* A column over another of any table of comma-separated values (rows.h): a curve for each value of
 * the columns `by`. Lines without x or y are left out; an axis on which values differ widely is
 * logarithmic. E201, E204, E205 also if a curve has two values at a place, E101. */
bool plot_table(FILE *from, const char *name, const struct plot_columns *asked, const char *title,
                struct chart *chart, struct err *err);

#endif
