/* SPDX-License-Identifier: Apache-2.0 */
/* given_schedule: a schedule in place of an algorithm.
 *
 *     ring.csv              a file in any format that can be read (exchange.h)
 *     ring-{n}.csv          {n}, {m}, {s} and {seed}, or {nodes} …, are replaced by these fields
 *     |python3 ring.py {n}  a command of the shell, which prints the schedule
 *     -                     standard input
 *
 * Names of algorithms contain neither a dot nor a slash, and begin with a letter. */
#ifndef ROUNDCAST_GIVEN_SCHEDULE_H
#define ROUNDCAST_GIVEN_SCHEDULE_H

#include "sched/request/problem.h"

/* Returns whether the text names a schedule. */
bool given_schedule_is(const char *algorithm);

/* Returns whether the text names a file, which can be read twice. */
bool given_schedule_is_file(const char *algorithm);

/* Returns whether the request gives a schedule in place of an algorithm. */
static inline bool given_schedule(const struct request *request)
{
    return request->problem.algorithm != NULL && given_schedule_is(request->problem.algorithm);
}

/* Checks the request without reading the schedule: only {nodes}, {packets}, {source}, {model},
 * {demands} and {seed} describe a problem that is given by its schedule. E101. */
bool given_schedule_check(const struct request *request, struct err *err);

/* Reads the schedule, which is not verified. {nodes}, {packets}, {source} and {model} must be those
 * of the schedule; {packets} counts the packets of each demand of the collective. E101 for a
 * pattern with a field that is not given; E102 for other numbers; E201, E501 for a command that
 * fails; E313 for other demands; the errors of exchange_load. */
bool given_schedule_read(const struct request *request, struct schedule *schedule, struct err *err);

/* Reads the schedule, and chooses the machine and the payload for it, as problem_for_machine does
 * for an algorithm. The errors of given_schedule_read, machine_request and compile_machine_of. Free
 * the schedule, and the payload, if it returns true. */
bool given_schedule_machine(const struct request *request, struct schedule *schedule,
                            struct compile_request *compile, struct machine *machine,
                            struct payload *payload, struct err *err);

#endif
