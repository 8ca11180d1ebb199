/* SPDX-License-Identifier: Apache-2.0 */
/* describe: describes schedules and machines in a few words, for reports and pages. */
#ifndef ROUNDCAST_DESCRIBE_H
#define ROUNDCAST_DESCRIBE_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

#define DESCRIBE_END_TEXT (RATIONAL_TEXT + 8)

/* Writes when a schedule ends, "12 rounds" or "time 15/2". Returns text. */
const char *describe_end(const struct schedule *schedule, char text[DESCRIBE_END_TEXT]);

#define DESCRIBE_MACHINE_TEXT 400

/* Writes "benes:32, 9 stages, latency 9 cycles" or "fat-tree 4,4,4 capacity 1,4,16, 21 routers,
 * latency 0 cycles". Returns text. */
const char *describe_machine(const struct machine *machine, char text[DESCRIBE_MACHINE_TEXT]);

#endif
