/* SPDX-License-Identifier: Apache-2.0 */
/* route_tables: the tables of a machine's network, appended to an image whose machine and run are
 * set; for route.c.
 *
 * Errors: E402, E403, E407, E104 as route_schedule.
 */
#ifndef ROUNDCAST_ROUTE_TABLES_H
#define ROUNDCAST_ROUTE_TABLES_H

#include "sched/image/image.h"
#include "sched/route/beats.h"
#include "sched/schedule/schedule.h"

/* The switch tables of a multistage network: a row is the permutation of the packets under way, or
 * one of those of `beats`, as settings or as masks, whose order follows; of tags the order alone.
 * O(rows · ports · log ports). */
bool route_multistage(struct image *image, const struct schedule *schedule,
                      const struct beats *beats, struct err *err);

/* The tables of routers, and nothing for self-timed ones, whose buffers and queues are only
 * checked. E402 for too few reads, E407 for buffers or queues that are too small. O(transfers · log
 * transfers + rows · ports of routers), memory O(routers · packets). */
bool route_routers(struct image *image, const struct schedule *schedule, struct err *err);

/* Write which packets each node of a self-timed hypercube has (machine.h). E407 if its routers'
 * buffers are too small, E208 unless the schedule is what its nodes do. */
bool route_lists(struct image *image, const struct schedule *schedule, struct err *err);

#endif
