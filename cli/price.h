/* SPDX-License-Identifier: Apache-2.0 */
/* price: prints reports of traffic for which changing a setting takes time. */
#ifndef ROUNDCAST_CLI_PRICE_H
#define ROUNDCAST_CLI_PRICE_H

#include "cli/report.h"
#include "lib/roundcast.h"

/* Returns the gap of the makespan to its bound, in percent. */
double price_gap(const struct roundcast_price *price);

/* Returns the part of the makespan, over all planes, in which a setting is held, in percent. */
double price_busy(const struct roundcast_price *price);

/* Prints the cycles of a round and of a reconfiguration: "a round is 11 cycles, …". */
void price_cycles(uint64_t round_cycles, uint64_t change_cycles);

/* Adds the cycles of a change and of a round to a report, as "reconfigure" and "round_cycles". */
void price_json_cycles(uint64_t round_cycles, uint64_t change_cycles, json_t **root);

/* Returns {"makespan": …, "bound": …, …}. */
json_t *price_json(const struct roundcast_price *price);

/* Prints the rows of a priced plan, the best first. E104, E202. */
bool price_plan(const struct roundcast_plan_table *plan, bool json, struct roundcast_error *err);

#endif
