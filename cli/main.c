/* SPDX-License-Identifier: Apache-2.0 */
/* main: finds and runs the command and prints its error. No other file ends the program. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool unknown(const char *name, struct roundcast_error *err)
{
    char names[200] = "", hint[ROUNDCAST_HINT];
    struct roundcast_nearest nearest = {0};
    for (size_t which = 0; which < command_count; which++) {
        roundcast_text_append(names, sizeof names, " %s", command_table[which]->name);
        roundcast_nearest_look(&nearest, name, command_table[which]->name);
    }
    return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                               "%.40s: no such command%s; expected one of%s, or help", name,
                               roundcast_nearest_hint(&nearest, hint), names);
}

static void add_help(struct report_table *table, const char *name, const char *arguments,
                     const char *summary)
{
    report_cell(table, "  roundcast %s", name);
    report_cell(table, "%s", arguments);
    report_cell(table, "%s", summary);
}

static void print_help(void)
{
    printf("roundcast: schedules of collective communications, run on hardware\n\n");
    struct report_table table = {.columns = 3};
    for (size_t which = 0; which < command_count; which++)
        add_help(&table, command_table[which]->name, command_table[which]->arguments,
                 command_table[which]->summary);
    add_help(&table, "help", "[COMMAND]", "print this help, or the options of a command");
    add_help(&table, "--version", "", "print the version and the commit");
    report_table_print(stdout, &table, NULL);
    printf("\nA file named - is standard input or output. --json prints a report as JSON.\n"
           "Exit status: 0 success, 1 a check failed, 2 invalid usage or input,\n"
           "3 internal error.\n");
}

/* Executes `help`, `help COMMAND`, and for the makefiles `help --manual`, `help --manual COMMAND`
 * and `help --table`. */
static bool help(int argc, char **argv, struct roundcast_error *err)
{
    const char *what = argc > 2 ? argv[2] : NULL, *name = what;
    bool manual = what != NULL && strcmp(what, "--manual") == 0;
    if (manual)
        name = argc > 3 ? argv[3] : NULL;
    if (what != NULL && strcmp(what, "--table") == 0) {
        manual_table();
        return true;
    }
    if (name == NULL && manual)
        manual_program();
    else if (name == NULL)
        print_help();
    if (name == NULL)
        return true;
    const struct command *command = command_find(name);
    if (command == NULL)
        return unknown(name, err);
    if (manual)
        manual_command(command);
    else
        help_command(command);
    return true;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    if (argc < 2) {
        print_help();
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "no command given; expected one of these");
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc, argv, err);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        printf("roundcast %s (%s)\n", roundcast_version(), roundcast_commit());
        return true;
    }
    const struct command *command = command_find(name);
    if (command == NULL)
        return unknown(name, err);
    return command->run(argc - 1, argv + 1, err);
}

/* Returns whether a report in JSON was requested. */
static bool is_json(int argc, char **argv)
{
    bool json = false;
    for (int which = 1; which < argc; which++)
        json = json || strcmp(argv[which], "--json") == 0;
    return json;
}

static void print_failure(const struct command *command, const struct roundcast_error *err)
{
    const struct roundcast_naming naming = option_naming(command);
    char text[ROUNDCAST_ERROR_RENDERED];
    fprintf(stderr, "roundcast: %s [E%03d %s]", roundcast_error_text(err, &naming, text), err->code,
            roundcast_error_name(err->code));
    if (err->further > 0)
        fprintf(stderr, " (and %" PRIu64 " more)", err->further);
    fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    struct roundcast_error err = {0};
    roundcast_interrupt_begin();
    bool held = run(argc, argv, &err);
    errno = EIO; /* the number of an earlier write that failed is not known any more */
    if ((fflush(stdout) != 0 || ferror(stdout)) && held)
        held = roundcast_output_refuse(roundcast_output_name("-"), errno, &err);
    if (held)
        return 0;
    if (is_json(argc, argv)) /* print_failure prints the message even if this report fails */
        report_error(stdout, &err);
    print_failure(argc > 1 ? command_find(argv[1]) : NULL, &err);
    return roundcast_error_status(err.code);
}
