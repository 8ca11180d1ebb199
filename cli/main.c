/* SPDX-License-Identifier: Apache-2.0 */
/* main: finds the command, prints its error, and is the only place that ends the program. */
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/option_name.h"
#include "cli/report.h"
#include "cli/version.h"
#include "sched/base/files.h"
#include "sched/base/interrupt.h"
#include "sched/base/text.h"

#include <errno.h>
#include <string.h>

static const struct command *const commands[] = {
#define COMMAND_ENTRY(name) &command_##name,
    COMMAND_TABLE(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const struct command *find(const char *name)
{
    for (size_t which = 0; which < COMMAND_COUNT; which++)
        if (strcmp(commands[which]->name, name) == 0)
            return commands[which];
    return NULL;
}

static bool unknown(const char *name, struct err *err)
{
    char names[200] = "", hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (size_t which = 0; which < COMMAND_COUNT; which++) {
        text_append(names, sizeof names, " %s", commands[which]->name);
        text_look(&nearest, name, commands[which]->name);
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
    for (size_t which = 0; which < COMMAND_COUNT; which++)
        add_help(&table, commands[which]->name, commands[which]->arguments,
                 commands[which]->summary);
    add_help(&table, "help", "[COMMAND]", "this, or a command's options");
    add_help(&table, "--version", "", "the version and the commit");
    report_table_print(stdout, &table, NULL);
    printf("\nA file named - is standard input or output. --json makes a report JSON.\n"
           "Exit status: 0 holds, 1 a check failed, 2 bad usage or input, 3 a bug of ours.\n");
}

/* Print one command's help in a form, "--help" or another. */
static bool help_command(const struct command *command, char *form, struct err *err)
{
    char name[40];
    snprintf(name, sizeof name, "%s", command->name);
    char *arguments[] = {name, form, NULL};
    return command->run(2, arguments, err);
}

static bool print_table(struct err *err)
{
    char form[] = "--manual=" MANUAL_TABLE;
    bool printed = true;
    manual_names(commands, COMMAND_COUNT);
    for (size_t which = 0; which < COMMAND_COUNT; which++)
        printed &= help_command(commands[which], form, err);
    return printed;
}

/* `help`, `help COMMAND`, and for the makefiles `help --manual` and `help --table`. */
static bool help(int argc, char **argv, struct err *err)
{
    if (argc < 3) {
        print_help();
        return true;
    }
    if (strcmp(argv[2], "--table") == 0)
        return print_table(err);
    if (strcmp(argv[2], "--manual") == 0) {
        manual_program(commands, COMMAND_COUNT);
        return true;
    }
    char form[] = "--help";
    const struct command *command = find(argv[2]);
    return command != NULL ? help_command(command, form, err) : unknown(argv[2], err);
}

static bool run(int argc, char **argv, struct err *err)
{
    if (argc < 2)
        return err_set(err, ERR_OPTION, "no command; expected one of 'roundcast help'");
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc, argv, err);
    if (strcmp(name, "--version") == 0) {
        char text[VERSION_TEXT];
        printf("roundcast %s\n", version_text(text));
        return true;
    }
    const struct command *command = find(name);
    return command != NULL ? command->run(argc - 1, argv + 1, err) : unknown(name, err);
}

/* Was a report as JSON asked for? */
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
