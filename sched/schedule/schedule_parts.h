/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_parts: reads the canonical lines of a large schedule file with all available threads
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
#ifndef ROUNDCAST_SCHEDULE_PARTS_H
#define ROUNDCAST_SCHEDULE_PARTS_H

#include "sched/base/scan.h"
#include "sched/schedule/schedule.h"

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
