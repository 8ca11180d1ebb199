/* SPDX-License-Identifier: Apache-2.0 */
/* command: one word of the command line, one file, one line in this table.
 *
 * A command's options are its own fields, and the fields of a request (sched/request/request.h)
 * that name it in their row. Parser, help, man page and completion read the same rows.
 */
#ifndef ROUNDCAST_COMMAND_H
#define ROUNDCAST_COMMAND_H

#include "lib/roundcast/field.h"

struct command {
    const char *name;
    const char *arguments; /* what follows the name in `roundcast help` */
    const char *summary;   /* one line */

    const char *usage;    /* arguments that are no options, a line for each form; NULL: none */
    const char *text;     /* what it does, in a sentence or more; begins with a verb */
    const char *examples; /* lines; NULL: none */

    unsigned request; /* the bit ROUNDCAST_FOR_… of fields of a request; 0: it has none */
    const struct roundcast_field
        *own; /* own[own_count]: of the structure that options_parse fills */
    size_t own_count;

    /* argv[0] is the command's name; the words of argv may change their order. False with err: main
     * prints it and exits with the status of its code. */
    bool (*run)(int argc, char **argv, struct roundcast_error *err);
};

/* For .own and .own_count of a table. */
#define COMMAND_OWN(table) .own = (table), .own_count = sizeof(table) / sizeof *(table)

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

/* All of them, in the order of the table. */
extern const struct command *const command_table[];
extern const size_t command_count;

/* Returns the command of this name; NULL if there is none. O(commands). */
const struct command *command_find(const char *name);

#endif
