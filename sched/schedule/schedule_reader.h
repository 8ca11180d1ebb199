/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_reader: the parts of the strict reader (schedule_read.c): the lines before the demands,
 * and the lines that list packets: `demand`, `control` and `reduce`.
 *
 *     demand 1-8 0 *                        packets 1 … 8 start at node 0, and every node wants
 *                                           them
 *     demand 9 3 7,12                       packet 9 starts at node 3, and nodes 7 and 12 want it
 *     control 10 3 2 1 nodes 3              packet 10 carries the value 1 from node 3 to node 2:
 *                                           the number of data packets that start at node 3
 *     control 11 2 0 1 nodes 2-3 from 10    packet 11 carries the number of data packets that start
 *                                           at nodes 2 and 3: its source, node 2, knows its own
 *                                           count, 0, and packet 10 carries the count of node 3
 *     control 12 7 * 2 packets 1,9          the value 2 counts packets 1 and 9, which have arrived
 *                                           at node 7
 *     control 13 0 4 0 none                 the value 0, independent of any packet
 *     reduce 1-8 0 *                        every node contributes to packets 1 … 8, and node 0
 *                                           wants the results
 *     reduce 9 * 0,3 ordered                nodes 0 and 3 contribute, in this order, and every node
 *                                           wants the result
 *     reduce 10 prefix *                    each node wants its own contribution and those of lower
 *                                           nodes
 *     reduce 11 exclusive *                 each node wants the contributions of lower nodes
 *
 * A schedule with reductions has no control packets, because their values count packets that start
 * at one node.
 *
 * Packets ascend, and control packets come after all data packets. Parts are packets of earlier
 * lines, so that no value depends on itself. A `control` line without the parts of its value is
 * rejected, because the value could not be checked. */
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

/* Reads the text after the word `demand`, or `control`, on line `line`, and adds the demand. The
 * schedule owns everything that was read, also after an error. E104, E201, E204, E205, E206, E207,
 * E209. O(bytes). */
bool schedule_read_demand(struct scan *scan, uint64_t line, bool control, struct schedule *schedule,
                          struct err *err);

/* Reads the text after the word `reduce` on line `line`, and adds the demand. Errors and ownership
 * as schedule_read_demand. */
bool schedule_read_reduce(struct scan *scan, uint64_t line, struct schedule *schedule,
                          struct err *err);

#endif
