/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_file: schedules in files, by path; `-` is standard input or output. */
#ifndef ROUNDCAST_SCHEDULE_FILE_H
#define ROUNDCAST_SCHEDULE_FILE_H

#include "sched/schedule/schedule.h"

/* Opens, reads and closes a schedule. E201, E203 … E210. Free it with schedule_free. */
bool schedule_file_read_any(const char *path, struct schedule *schedule, struct err *err);

/* Reads a schedule without reductions (schedule_check_uncombined): also E208. */
bool schedule_file_read(const char *path, struct schedule *schedule, struct err *err);

/* Writes a schedule; the file is complete or absent. E202. */
bool schedule_file_write(const char *path, const struct schedule *schedule, struct err *err);

#endif
