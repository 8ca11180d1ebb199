/* SPDX-License-Identifier: Apache-2.0 */
/* words: options of the command line that come as an array. */
#ifndef ROUNDCAST_WORDS_H
#define ROUNDCAST_WORDS_H

#include "sched/base/err.h"

#include <argp.h>

/* Parse words[], which ends with NULL (NULL: none), as the options of a command that the argp of
 * cli/options_*.h has; its input is `input`. Errors: E101, E104, and what the parsers set. */
bool words_parse(const struct argp *argp, const char *command, const char *const words[],
                 void *input, struct err *err);

#endif
