/* SPDX-License-Identifier: Apache-2.0 */
/* options_explain: argp refuses a word without saying why. This says it. */
#ifndef ROUNDCAST_OPTIONS_EXPLAIN_H
#define ROUNDCAST_OPTIONS_EXPLAIN_H

#include "sched/base/err.h"

#include <argp.h>

/* The last child, without options. Its input is the `struct err` of the parsers: where they refuse
 * a word and leave it empty, it gets the option, and what was expected of it; and it refuses what
 * is no option and nobody took. E101. */
extern const struct argp options_explain_argp;

#endif
