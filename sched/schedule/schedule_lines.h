/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_lines: the transfers of a schedule file and the rounds or times above them, which are
 * nearly all of its lines, as fast as memory gives them: those written as schedule_write does.
 *
 * Whatever else stands there is left to the strict reader, who says what is wrong.
 */
#ifndef ROUNDCAST_SCHEDULE_LINES_H
#define ROUNDCAST_SCHEDULE_LINES_H

#include "sched/base/digits.h"
#include "sched/base/scan.h"
#include "sched/schedule/schedule.h"

/* The most bytes from a line's start to the last that is looked at, whatever stands there. */
#define SCHEDULE_LINE_ROOM (DIGITS_LOOK + DIGITS_AT_ONCE)

/* The lines of a part of the text. */
struct schedule_lines {
    size_t transfers, steps;
    size_t transfer_room, step_room;
    struct transfer *transfer; /* [transfer_room] */
    struct step *step;         /* [step_room]; `first` counts the transfers of this part */
    const char *at_step;       /* the line of step[0] */
    const char *next;          /* the first line that is not among them */
};

/* Find the lines of the open step and those behind it, of any topology but a tree, from the start
 * of a line, up to `end` or the first line that is not canonical, or not legal behind those before,
 * or that has no room. SCHEDULE_LINE_ROOM bytes can be read at `end`. O(bytes). */
void schedule_lines_find(const struct schedule *schedule, const char *at, const char *end,
                         struct schedule_lines *lines);

/* Leave out what is not legal behind the schedule's last step: a step that is not later, or that
 * follows one without transfers. False if something was left out. */
bool schedule_lines_follow(const struct schedule *schedule, struct schedule_lines *lines);

/* Add what was found where the schedule has its next transfers and steps. */
void schedule_lines_add(struct schedule *schedule, const struct schedule_lines *lines);

/* Add the next lines of the scanner's block, from the start of a line, in an open step, but those
 * that the block may cut. E104. O(bytes). */
bool schedule_read_lines(struct scan *scan, struct schedule *schedule, struct err *err);

/* What p/q is in ticks of 1/tick; false if it is no whole number of them, or more than `most`. */
bool schedule_ticks(uint64_t p, uint64_t q, uint64_t tick, uint64_t most, uint64_t *ticks);

#endif
