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

#include "sched/base/digits.h"
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

/* -- Lines of transfers ------------------------------------------------------------------------ */

/* Reads the transfers of a schedule file, and the rounds or times above them, at memory speed.
 * These are nearly all lines of a file. They must have the form that schedule_write writes.
 *
 * All other text is left to the strict reader, which reports errors. */

/* Maximum number of bytes that the functions examine from the start of a line, for any text. */
#define SCHEDULE_LINE_ROOM (DIGITS_LOOK + DIGITS_AT_ONCE)

/* The lines of a part of the text. */
struct schedule_lines {
    size_t transfers, steps;
    size_t transfer_room, step_room;
    struct transfer *transfer; /* [transfer_room] */
    struct step *step;         /* [step_room]; `first` counts the transfers of this part */
    const char *at_step;       /* the line of step[0] */
    const char *next;          /* the first line that was not accepted */
};

/* Finds the lines of the open step and the following steps, from the start of a line to `end` or to
 * the first line that is not canonical, that is not legal after the lines before it, or that
 * exceeds the room. Does not support trees. Precondition: SCHEDULE_LINE_ROOM bytes can be read at
 * `end`. O(bytes). */
void schedule_lines_find(const struct schedule *schedule, const char *at, const char *end,
                         struct schedule_lines *lines);

/* Drops the lines that are not legal after the last step of the schedule: a step that is not later,
 * or that follows a step without transfers. Returns false if lines were dropped. */
bool schedule_lines_follow(const struct schedule *schedule, struct schedule_lines *lines);

/* Adds the found lines to the schedule, as its next transfers and steps. */
void schedule_lines_add(struct schedule *schedule, const struct schedule_lines *lines);

/* Adds the complete lines of the scanner's block, from the start of a line in an open step. E104.
 * O(bytes). */
bool schedule_read_lines(struct scan *scan, struct schedule *schedule, struct err *err);

/* Converts p/q to ticks of 1/tick. Returns false if it is not a whole number of ticks, or more than
 * `most`. */
bool schedule_ticks(uint64_t p, uint64_t q, uint64_t tick, uint64_t most, uint64_t *ticks);

/* -- Parts of a large file --------------------------------------------------------------------- */

/* Reads the canonical lines of a large schedule file with all available threads
 * (OMP_NUM_THREADS).
 *
 *     the file:    … line ⏎ line ⏎ li|ne ⏎ line ⏎ line ⏎ l|ine ⏎ …     parts of equal size in bytes
 *     counted by:      thread 0           thread 1            …          any free thread
 *     read by:         thread 1           thread 0            …          to the place of the part
 *
 * A line belongs to the part in which it begins. No thread waits for another part: first the
 * transfers and steps of all parts of a window are counted, so that the place of each part is
 * known. A window is four times as long as the one before.
 *
 * Adding stops at the first line that is not canonical, or not legal after the lines before it, as
 * with schedule_read_lines: the strict reader continues there. So the schedule and its errors are
 * the same for any number of threads. */

struct schedule_parts {
    size_t part;   /* bytes of a part */
    size_t window; /* parts of the first window */
    size_t least;  /* minimum bytes of a file for which threads gain more than they cost */
    /* After a line that is not canonical, one thread reads this number of lines before all threads
     * try again, then twice as many, …, because a failed attempt wastes the work of the other
     * threads. */
    size_t wait;
    size_t next;  /* number of lines in the schedule at which all threads try again, initially 0 */
    size_t tried; /* number of attempts */
};

/* The default parameters, which schedule_read uses. */
extern const struct schedule_parts schedule_parts_usual;

/* Adds the next lines, from the start of a line in an open step. Adds no lines for trees, if the
 * file is small or not a regular file, or if there is no memory for the parts. E104, and E201 if
 * the file cannot be read. O(bytes / threads). */
bool schedule_read_parts(struct schedule_parts *parts, struct scan *scan, struct schedule *schedule,
                         struct err *err);

/* Reads a schedule like schedule_read, with the given parameters. */
bool schedule_read_by_parts(FILE *from, const char *name, struct schedule_parts *parts,
                            struct schedule *schedule, struct err *err);

#endif
