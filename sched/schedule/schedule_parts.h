/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_parts: the canonical lines of a large schedule file, read by as many threads as there
 * are (OMP_NUM_THREADS).
 *
 *     the file:    … line ⏎ line ⏎ li|ne ⏎ line ⏎ line ⏎ l|ine ⏎ …     parts of so many bytes
 *     counted by:      thread 0           thread 1            …          whichever is free
 *     read by:         thread 1           thread 0            …          to where they belong
 *
 * A line is its part's in which it begins. Nobody waits for another part: how many transfers and
 * steps stand before one is counted for all parts of a window first. A window is four times as long
 * as the one before.
 *
 * What is added ends with the first line that is not canonical, or not legal behind those before,
 * as with schedule_read_lines: the strict reader goes on there. So the schedule is the same for any
 * number of threads, and so is what is wrong with it.
 */
#ifndef ROUNDCAST_SCHEDULE_PARTS_H
#define ROUNDCAST_SCHEDULE_PARTS_H

#include "sched/base/scan.h"
#include "sched/schedule/schedule.h"

struct schedule_parts {
    size_t part;   /* bytes */
    size_t window; /* parts of the first */
    size_t least;  /* bytes of a file from which threads gain more than they cost */
    /* Behind a line that is not canonical one thread reads so many lines, then twice as many, …
     * before the others try again: what they have read there already was in vain. */
    size_t wait;
    size_t next;  /* the number of lines in the schedule from which they try, at first 0 */
    size_t tried; /* how often they did */
};

/* What schedule_read does. */
extern const struct schedule_parts schedule_parts_usual;

/* Add the next lines, from the start of a line in an open step, of any topology but a tree; none of
 * what is no regular file, or small, or where there is no memory for them. E104, and E201 if the
 * file cannot be read on. O(bytes / threads). */
bool schedule_read_parts(struct schedule_parts *parts, struct scan *scan, struct schedule *schedule,
                         struct err *err);

/* schedule_read by other parts. */
bool schedule_read_by_parts(FILE *from, const char *name, struct schedule_parts *parts,
                            struct schedule *schedule, struct err *err);

#endif
