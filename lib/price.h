/* SPDX-License-Identifier: Apache-2.0 */
/* price: the makespan of traffic with reconfiguration, method by method. */
#ifndef ROUNDCAST_LIB_PRICE_H
#define ROUNDCAST_LIB_PRICE_H

#include "sched/decompose/decompose.h"
#include "sched/schedule/collective.h"

#define PRICE_METHODS 16

/* The cycles of a decomposition or a schedule on a machine. */
struct price_row {
    const struct decompose_method *method; /* NULL: the method is not known */
    bool found;                            /* false: not run, as it would take too long */
    uint64_t makespan;                     /* cycles */
    uint64_t bound;                        /* lower bound of the makespan of any schedule, in
                                            * cycles */
    uint64_t rounds, settings;
    struct traffic_cost cost; /* in cycles */
    uint32_t planes;          /* 0: one */
};

/* Checks that a plan may have prices: changes of settings take time, and no degree is requested.
 * E101. */
bool price_check(const struct collective *asked, struct err *err);

/* Fills a row for each method, by asked->cost on `planes` networks side by side
 * (sched/decompose/planes.h), 1 or more: first methods that were run, by ascending makespan; then
 * methods that were not run because they would take long: for more than 64 nodes, those after a
 * method that meets the bound, and those for smaller traffic. A method that needs a solver has a
 * row only if the solver is installed and the traffic is small. The bound of all settings on all
 * planes is that of one plane. E104. */
bool price_rows(const struct collective *asked, uint32_t planes,
                struct price_row row[PRICE_METHODS], size_t *count, struct err *err);

#endif
