/* SPDX-License-Identifier: Apache-2.0 */
/* main: finds the command, prints its error, and is the only place that ends the program. */
#include "cli/command.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/option_name.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/interrupt.h"
#include "sched/base/text.h"
#include "sched/base/version.h"

#include <errno.h>
#include <string.h>

static bool unknown(const char *name, struct err *err)
{
    char names[200] = "", hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (size_t which = 0; which < command_count; which++) {
        text_append(names, sizeof names, " %s", command_table[which]->name);
        text_look(&nearest, name, command_table[which]->name);
    }
    return err_set(err, ERR_OPTION, "%.40s: no such command%s; expected one of%s, or help", name,
                   text_hint(&nearest, hint), names);
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

/* `help`, `help COMMAND`, and for the makefiles `help --manual`, `help --manual COMMAND` and `help
 * --table`. */
static bool help(int argc, char **argv, struct err *err)
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

static bool run(int argc, char **argv, struct err *err)
{
    if (argc < 2) {
        print_help();
        return err_set(err, ERR_OPTION, "no command given; expected one of these");
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc, argv, err);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        char text[VERSION_TEXT];
        printf("roundcast %s\n", version_text(text));
        return true;
    }
    const struct command *command = command_find(name);
    if (command == NULL)
        return unknown(name, err);
    option_name_command(command);
    return command->run(argc - 1, argv + 1, err);
}

/* Returns whether a report as JSON was requested. */
static bool is_json(int argc, char **argv)
{
    bool json = false;
    for (int which = 1; which < argc; which++)
        json = json || strcmp(argv[which], "--json") == 0;
    return json;
}

int main(int argc, char **argv)
{
    struct err err = {0};
    interrupt_begin();
    bool held = run(argc, argv, &err);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && held)
        held = files_refuse_output(files_output_name("-"), errno, &err);
    if (held)
        return 0;
    if (is_json(argc, argv)) /* the message is printed, whatever becomes of this */
        report_failure(stdout, &err);
    err_print(stderr, &err, option_name);
    return err_exit_status(err.code);
}
