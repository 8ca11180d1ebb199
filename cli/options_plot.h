/* SPDX-License-Identifier: Apache-2.0 */
/* options_plot: which plot is asked for, and of what. */
#ifndef ROUNDCAST_OPTIONS_PLOT_H
#define ROUNDCAST_OPTIONS_PLOT_H

#include "cli/options_value.h"
#include "plot/plot.h"

struct plot_kind;

/* The plot's name, its file, and -n, -m, --model, --lambda, --collective, --bytes, --network,
 * --width, --tree, --capacity, --target, --x, --y and --by, of which each plot takes its own. */
struct options_plot {
    struct err *err;
    const struct plot_kind *kind; /* NULL if not given */
    unsigned given;               /* a bit for each option */
    struct collective collective;
    struct tune_request tune; /* bytes and machine */
    const char *tree, *capacity, *target, *path;
    struct plot_columns columns;
};

extern const struct argp options_plot_argp;

const char *options_plot_name(const struct options_plot *options);

/* Check that the plot's options were given and no others, and fill the chart. E101 … E104, and
 * those of what is plotted. Free the chart, also after an error. */
bool options_plot_chart(struct options_plot *options, struct chart *chart);

#endif
