/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_lines: the transfers of a schedule file, which are nearly all of its lines, as fast as
 * memory gives them: those written as schedule_write does. */
#ifndef ROUNDCAST_SCHEDULE_LINES_H
#define ROUNDCAST_SCHEDULE_LINES_H

#include "sched/base/scan.h"
#include "sched/schedule/schedule.h"

/* Add the next transfers of the open step, from the start of a line and of any topology but a tree,
 * up to the first line that is anything else than a legal transfer in canonical text, or that the
 * scanner's block may cut: it is left to the strict reader, who says what is wrong. E104.
 * O(bytes). */
bool schedule_read_lines(struct scan *scan, struct schedule *schedule, struct err *err);

#endif
