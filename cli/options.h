/* SPDX-License-Identifier: Apache-2.0 */
/* options: parses the words of a command line by the tables of fields.
 *
 *     roundcast run matching -n 8 --network=benes:8 --jobs 2
 *                   │        └──────────┬─────────┘ └── own field → the command's structure
 *                   argument            fields of a request → options.request
 *
 * Options may precede or follow arguments, long options may be abbreviated to a unique prefix,
 * values may be joined to letters (`-n8`), and `--` ends the options.
 */
#ifndef ROUNDCAST_OPTIONS_H
#define ROUNDCAST_OPTIONS_H

#include "cli/command.h"
#include "cli/output.h"
#include "lib/roundcast.h"

#define OPTIONS_MOST 96     /* maximum number of options of a command */
#define OPTIONS_OWN_WORDS 8 /* maximum number of words kept */

/* A command line that has been read. */
struct options {
    struct roundcast_request request; /* strict */
    bool json, help;
    char **argument; /* argument[argument_count] of argv: words that are not options */
    int argument_count;
    const char *own_word[OPTIONS_OWN_WORDS]; /* the words of the command's own options, of argv */
    size_t own_words;
};

enum options_outcome {
    OPTIONS_PARSED,
    OPTIONS_HELPED,  /* the help has been printed, and the command must return */
    OPTIONS_REJECTED /* err is set */
};

/* Parses the options of a command into `options` and its own structure, whose other members are
 * unchanged (NULL: it has no own fields). E101 for an unknown or ambiguous option and for a missing
 * or superfluous value, with a suggestion; the errors of field_parse. Arguments move to the end of
 * argv, in their order. */
enum options_outcome options_parse(const struct command *command, int argc, char **argv,
                                   struct options *options, void *own, struct roundcast_error *err);

/* As options_parse, but does not print the help. */
bool options_read(const struct command *command, int argc, char **argv, struct options *options,
                  void *own, struct roundcast_error *err);

/* Stores the only argument in *argument, which is unchanged if there is none; messages use the name
 * `what`. E101 if there are several. */
bool options_one_argument(const struct options *options, const char *what, const char **argument,
                          struct roundcast_error *err);

/* Checks that there is no argument. E101. */
bool options_no_argument(const struct options *options, const struct command *command,
                         struct roundcast_error *err);

/* Checks that the command's output file may have this name and kind (output.h), and that it is not
 * standard output together with a report in JSON. Messages use the name `what`. `output` may be
 * NULL: no file. E101. */
bool options_check_output(const struct options *options, const char *output, const char *what,
                          enum output_kind kind, struct roundcast_error *err);

/* An option of a command. */
struct option_row {
    struct roundcast_field field;
    size_t row; /* for a field of a request: its row of roundcast_field_at */
    enum { OPTION_OWN, OPTION_REQUEST, OPTION_COMMON } from;
    bool rejected; /* read only to explain why the command rejects it; not in the help */
};

/* Lists all options of a command in the order of help. Returns their number. */
size_t options_of(const struct command *command, struct option_row option[OPTIONS_MOST]);

#define OPTIONS_HELP_TEXT 600

/* Writes the help of a field of a command, with the names of its values in place of {choices}, and
 * the options of fields in place of their marks. Returns text. */
const char *options_help_text(const struct command *command, const struct roundcast_field *field,
                              char text[OPTIONS_HELP_TEXT]);

/* The argument of `schedule` and `run`, an algorithm. */

/* Stores the algorithm's name in the request; without an argument the request is unchanged. With
 * `schedules` the argument may be a schedule in place of an algorithm. E101 for several arguments,
 * E103 for a file if no schedule is expected, and for names of algorithms in other tools: the
 * message suggests the command or algorithm to use. */
bool algorithm_argument(struct options *options, bool schedules, struct roundcast_error *err);

/* -- Texts printed from the same tables -------------------------------------------------------- */

/* Prints the text of `roundcast COMMAND --help` from the tables of fields. */

/* Returns the heading of a group of options. */
const char *help_group(enum roundcast_field_group group);

/* Prints a command's usage, its options by groups, and its examples. Lines have at most 100
 * columns, fewer on a narrow terminal. */
void help_command(const struct command *command);

/* Prints the man page of a command, section 1, in roff. */
void manual_command(const struct command *command);

/* Prints the man page of roundcast itself. */
void manual_program(void);

/* Prints the words for completion, one per line, with fields separated by tabs:
 *
 *     command  NAME  ARGUMENTS  TEXT
 *     value    ALGORITHM  NAME  TEXT
 *     option   COMMAND  --LONG  -SHORT  VALUE  TEXT  OFFER
 *
 * OFFER lists the valid values of an option: "files", "folders", "values A B …", or nothing. A
 * value that ends in a colon is continued by the user. */
void manual_table(void);

#endif
