/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_lines: reads the transfers of a schedule file, and the rounds or times above them, at
 * memory speed. These are nearly all lines of a file. They must have the form that schedule_write
 * writes.
 *
 * All other text is left to the strict reader, which reports errors. */
#ifndef ROUNDCAST_SCHEDULE_LINES_H
#define ROUNDCAST_SCHEDULE_LINES_H

#include "sched/base/digits.h"
#include "sched/base/scan.h"
#include "sched/schedule/schedule.h"

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

#endif
