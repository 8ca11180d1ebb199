/* SPDX-License-Identifier: Apache-2.0 */
/* price: the reports of traffic for which changing a setting takes time. */
#ifndef ROUNDCAST_CLI_PRICE_H
#define ROUNDCAST_CLI_PRICE_H

#include "cli/report.h"
#include "lib/price.h"

/* Returns the gap of the makespan to its bound, in percent. */
double price_gap(const struct price_row *row);

/* The part of the makespan in which a setting is held, of all planes, in percent. */
double price_busy(const struct price_row *row);

/* Prints the cycles of a round and of a reconfiguration: "a round is 11 cycles, …". */
void price_units(const struct collective *asked);

/* Add them to a report, as "reconfigure" and "round_cycles". */
void price_json_units(const struct collective *asked, json_t **root);

/* {"makespan": …, "bound": …, …} */
json_t *price_json(const struct price_row *row);

/* Prints the rows of price_rows, the best first. E104, E202. */
bool price_plan(const struct collective *asked, uint32_t planes, bool json, struct err *err);

#endif
