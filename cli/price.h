/* SPDX-License-Identifier: Apache-2.0 */
/* price: the reports of traffic for which changing a setting takes time. */
#ifndef ROUNDCAST_CLI_PRICE_H
#define ROUNDCAST_CLI_PRICE_H

#include "cli/report.h"

/* What a decomposition or a schedule takes on a machine. */
struct price_row {
    const struct decompose_method *method; /* NULL: not told */
    bool found;                            /* false: not run, as it would take too long */
    uint64_t makespan;                     /* cycles */
    uint64_t bound;                        /* cycles that no schedule ends before */
    uint64_t rounds, settings;
    struct traffic_cost cost; /* in cycles */
    uint32_t planes;          /* 0: one */
};

/* How far the makespan is above its bound, in percent. */
double price_gap(const struct price_row *row);

/* The part of the makespan in which a setting is held, of all planes, in percent. */
double price_busy(const struct price_row *row);

/* Print what a round and a change of settings take: "a round is 11 cycles, …". */
void price_units(const struct collective *asked);

/* Add them to a report, as "reconfigure" and "round_cycles". */
void price_json_units(const struct collective *asked, json_t **root);

/* {"makespan": …, "bound": …, …} */
json_t *price_json(const struct price_row *row);

/* Print the cycles that each method takes, the best first: as
 * asked->cost has them. Methods that would take long are left out: for more
 * than 64 nodes those that come when the bound is met, and those that are for smaller traffic. One
 * that needs a solver has a row only where it is there, for small traffic.
 * With `planes` networks side by side (sched/decompose/planes.h), 1 or more. E104, E202. */
bool price_plan(const struct collective *asked, uint32_t planes, bool json, struct err *err);

#endif
