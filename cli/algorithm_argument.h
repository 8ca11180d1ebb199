/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm_argument: the algorithm that `schedule` and `run` take as their argument. */
#ifndef ROUNDCAST_ALGORITHM_ARGUMENT_H
#define ROUNDCAST_ALGORITHM_ARGUMENT_H

#include "cli/options.h"

/* Takes the algorithm's name into the request; without an argument it stays as it is. E101 for
 * several arguments, E103 for a file and for names that other tools give to algorithms: the message
 * names the command or algorithm that was meant. */
bool algorithm_argument(struct options *options, struct roundcast_error *err);

#endif
