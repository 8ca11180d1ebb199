/* SPDX-License-Identifier: Apache-2.0 */
/* plot_request: the requested plot and its data. */
#ifndef ROUNDCAST_PLOT_REQUEST_H
#define ROUNDCAST_PLOT_REQUEST_H

#include "cli/options.h"
#include "plot/plot.h"

struct plot_kind;

/* A plot, its file, and the fields that only some plots have. */
struct plot_request {
    const struct plot_kind *kind;
    uint32_t nodes, packets; /* 0: not given */
    uint64_t bytes;          /* 0: not given */
    const char *target, *path;
    struct plot_columns columns;
};

/* Takes the name of the plot and its file from the arguments. E101. */
bool plot_request_arguments(const struct options *options, struct plot_request *plot,
                            struct err *err);

/* Returns the name of the plot. */
const char *plot_request_name(const struct plot_request *plot);

/* Checks that the plot's fields were given and no others, and fills the chart. E101 … E104, and
 * those of what is plotted. Free the chart, also after an error. */
bool plot_request_chart(const struct request *request, const struct plot_request *plot,
                        struct chart *chart, struct err *err);

#endif
