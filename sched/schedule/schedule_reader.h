/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_reader: the parts of the strict reader (schedule_read.c): the lines before the demands,
 * and the lines that list packets, `demand`, `control` and `reduce`.
 *
 *     demand 1-8 0 *                        packets 1 … 8 start at node 0, and every node wants
 *                                           them
 *     demand 9 3 7,12                       packet 9 starts at node 3, and nodes 7 and 12 want it
 *     control 10 3 2 1 nodes 3              packet 10 takes a value from node 3 to node 2: 1, as
 *                                           many packets of data start at node 3
 *     control 11 2 0 1 nodes 2-3 from 10    1 starts at nodes 2 and 3: none at node 2, as it knows,
 *                                           and what packet 10 says
 *     control 12 7 * 2 packets 1,9          2, these packets of data, which have come to node 7
 *     control 13 0 4 0 none                 0, whatever comes
 *     reduce 1-8 0 *                        every node contributes to packets 1 … 8, and node 0
 *                                           wants the results
 *     reduce 9 * 0,3 ordered                nodes 0 and 3 contribute, in this order, and every node
 *                                           wants the result
 *     reduce 10 prefix *                    each node wants its own contribution and those of lower
 *                                           nodes
 *
 * A schedule has no control packets beside reductions, because their values count packets that
 * start at one node.
 *
 * Packets ascend, and control packets come after all data packets. Parts are packets of earlier
 * lines, so that no value is made of itself. A `control` line without the parts of its value is
 * rejected, because the value could not be checked.
 */
#ifndef ROUNDCAST_SCHEDULE_READER_H
#define ROUNDCAST_SCHEDULE_READER_H

#include "sched/base/scan.h"
#include "sched/schedule/schedule.h"

/* Reads a node of a tree: a leaf's number, or `level:index`. Errors as in scan.h. */
bool schedule_read_node(struct scan *scan, const struct topology *tree, const char *what,
                        uint32_t *node, struct err *err);

/* Reads the lines before the demands. The schedule must be zero; the caller frees it, also after an
 * error. E104, E203, E204, E205, E211. */
bool schedule_read_head(struct scan *scan, struct schedule *schedule, struct err *err);

/* Reads what follows the word `demand`, or `control`, on line `line`, and adds it. The schedule
 * owns what is read, also after an error. E104, E204, E205, E206, E209, E207, E201. O(bytes). */
bool schedule_read_demand(struct scan *scan, uint64_t line, bool control, struct schedule *schedule,
                          struct err *err);

/* Reads what follows the word `reduce` on line `line`, and adds it. As schedule_read_demand. */
bool schedule_read_reduce(struct scan *scan, uint64_t line, struct schedule *schedule,
                          struct err *err);

#endif
