/* SPDX-License-Identifier: Apache-2.0 */
/* command: the table of commands. Each command has its own file.
 *
 * A command's options are its own fields, and those fields of a request (sched/request/request.h)
 * whose rows name the command. Parser, help, man page and completion read the same rows.
 */
#ifndef ROUNDCAST_COMMAND_H
#define ROUNDCAST_COMMAND_H

#include "lib/roundcast/error.h"
#include "lib/roundcast/field.h"

struct command {
    const char *name;
    const char *arguments; /* arguments in the list of `roundcast help` */
    const char *summary;   /* one line */

    const char *usage;    /* arguments other than options, a line for each form; NULL: none */
    const char *text;     /* description in one or more sentences; begins with a verb */
    const char *examples; /* lines; NULL: none */

    unsigned request; /* the bit ROUNDCAST_FOR_… of the fields of a request that it uses; 0: none */
    const struct roundcast_field
        *own; /* own[own_count]: fields of the structure that options_parse fills */
    size_t own_count;

    /* Runs the command. argv[0] is its name; the order of the words of argv may change. Returns
     * false with err: main prints it and exits with the status of its code. */
    bool (*run)(int argc, char **argv, struct roundcast_error *err);
};

/* Initialises .own and .own_count from a table. */
#define COMMAND_OWN(table) .own = (table), .own_count = sizeof(table) / sizeof *(table)

/* All commands in the order of `roundcast help`; each is `command_NAME` in cmd_NAME.c. */
#define COMMAND_TABLE(X) \
    X(list)              \
    X(bound)             \
    X(plan)              \
    X(tune)              \
    X(schedule)          \
    X(verify)            \
    X(judge)             \
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

/* All commands, in the order of the table. */
extern const struct command *const command_table[];
extern const size_t command_count;

/* Returns the command of this name; NULL if there is none. O(commands). */
const struct command *command_find(const char *name);

/* -- Options of the fields of a request -------------------------------------------------------- */

/* The command-line option of a field of a request. */

struct command;

/* Writes the option of a field: "-n" for "nodes", "--tree" for "tree". Two commands may have
 * different options of the same name, such as "order": those of `command` (NULL: none) take
 * precedence, then those of a request. Returns name. */
const char *option_name(const struct command *command, const char *field,
                        char name[ROUNDCAST_ERROR_OPTION]);

/* Returns the names of option_name for roundcast_error_text. */
struct roundcast_naming option_naming(const struct command *command);

#endif
