/* SPDX-License-Identifier: Apache-2.0 */
/* command: one word of the command line, one file, one line in this table. */
#ifndef ROUNDCAST_COMMAND_H
#define ROUNDCAST_COMMAND_H

#include "sched/base/err.h"

struct command {
    const char *name;
    const char *arguments; /* what follows the name in `roundcast help` */
    const char *summary;   /* one line */

    /* argv[0] is the command's name. False with err: main prints it and exits with the status of
     * its code. */
    bool (*run)(int argc, char **argv, struct err *err);
};

/* All commands in the order of `roundcast help`; each is `command_NAME` in cmd_NAME.c. */
#define COMMAND_TABLE(X) \
    X(list)              \
    X(bound)             \
    X(plan)              \
    X(tune)              \
    X(schedule)          \
    X(verify)            \
    X(route)             \
    X(unpack)            \
    X(draw)              \
    X(view)              \
    X(plot)              \
    X(export)            \
    X(import)            \
    X(simulate)          \
    X(run)               \
    X(sweep)             \
    X(mpi)               \
    X(engines)

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMAND_TABLE(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#endif
