/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm_argument: the argument of `schedule` and `run`, an algorithm. */
#ifndef ROUNDCAST_ALGORITHM_ARGUMENT_H
#define ROUNDCAST_ALGORITHM_ARGUMENT_H

#include "cli/options.h"

/* Stores the algorithm's name in the request; without an argument the request is unchanged. With
 * `schedules` the argument may be a schedule in place of an algorithm. E101 for several arguments,
 * E103 for a file if no schedule is expected, and for names of algorithms in other tools: the
 * message suggests the command or algorithm to use. */
bool algorithm_argument(struct options *options, bool schedules, struct roundcast_error *err);

#endif
