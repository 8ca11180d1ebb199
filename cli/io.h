/* SPDX-License-Identifier: Apache-2.0 */
/* io: the schedules that commands read and write; `-` is standard input or output. */
#ifndef ROUNDCAST_IO_H
#define ROUNDCAST_IO_H

#include "sched/schedule/schedule.h"

/* Open, read and close a schedule. E201, E203 … E210. Free it with schedule_free. */
bool io_read_any_schedule(const char *path, struct schedule *schedule, struct err *err);

/* The same for all who need a schedule of one port; E103 for others. */
bool io_read_schedule(const char *path, struct schedule *schedule, struct err *err);

/* Write a schedule, whole or not at all. E202. */
bool io_write_schedule(const char *path, const struct schedule *schedule, struct err *err);

#endif
