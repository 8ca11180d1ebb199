/* SPDX-License-Identifier: Apache-2.0 */
/* options_plot: which plot is asked for, and of what. */
#ifndef ROUNDCAST_OPTIONS_PLOT_H
#define ROUNDCAST_OPTIONS_PLOT_H

#include "cli/options.h"
#include "plot/plot.h"

struct plot_kind;

/* The plot's name, its file, and the fields of which each plot has its own. */
struct options_plot {
    const struct plot_kind *kind;
    uint32_t nodes, packets; /* 0: not given */
    uint64_t bytes;          /* 0: not given */
    const char *target, *path;
    struct plot_columns columns;
};

/* Takes the name of the plot and its file from the arguments. E101. */
bool options_plot_arguments(const struct options *options, struct options_plot *plot,
                            struct err *err);

/* Returns the name of the plot. */
const char *options_plot_name(const struct options_plot *plot);

/* Checks that the plot's fields were given and no others, and fills the chart. E101 … E104, and
 * those of what is plotted. Free the chart, also after an error. */
bool options_plot_chart(const struct request *request, const struct options_plot *plot,
                        struct chart *chart, struct err *err);

#endif
