/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "lib/roundcast.h"

#include <stdio.h>
#include <string.h>

/* Prints a text in roff, where hyphens must be escaped. No text contains a backslash or begins with
 * a full stop or a quote, which would have to be escaped too. */
static void roff(const char *text)
{
    for (; *text != '\0'; text++)
        printf("%s%c", *text == '-' ? "\\" : "", *text);
}

static void roff_option(const struct command *command, const struct roundcast_field *field)
{
    char text[OPTIONS_HELP_TEXT];
    printf(".TP\n");
    if (field->letter != '\0')
        printf("\\fB\\-%c\\fR, ", field->letter);
    printf("\\fB\\-\\-");
    roff(field->name);
    printf("\\fR");
    if (field->argument != NULL) {
        printf("=\\fI");
        roff(field->argument);
        printf("\\fR");
    }
    putchar('\n');
    roff(options_help_text(command, field, text));
    putchar('\n');
}

/* Prints the options with the headings of the help. */
static void roff_options(const struct command *command)
{
    struct option_row option[OPTIONS_MOST];
    size_t count = options_of(command, option);
    int group = -1;
    printf(".SH OPTIONS\n");
    for (size_t which = 0; which < count; which++) {
        const struct roundcast_field *field = &option[which].field;
        if (option[which].rejected)
            continue;
        if ((int)field->group != group)
            printf(".SS %s\n", help_group(field->group));
        group = (int)field->group;
        roff_option(command, field);
    }
}

static void roff_examples(const char *line)
{
    printf(".SH EXAMPLES\n.nf\n");
    roff(line);
    printf("\n.fi\n");
}

static void roff_head(const char *title, const char *name, const char *summary)
{
    printf(".TH %s 1 \"\" \"roundcast %s\" \"Roundcast\"\n.SH NAME\n", title, roundcast_version());
    roff(name);
    printf(" \\- ");
    roff(summary);
    printf("\n.SH SYNOPSIS\n");
}

static void roff_status(void)
{
    printf(".SH EXIT STATUS\n0 success, 1 a check failed, 2 invalid usage or input, 3 internal "
           "error.\n");
}

/* Prints a usage line for each line of `arguments`. */
static void roff_usage(const char *name, const char *arguments)
{
    for (const char *line = arguments; line != NULL;) {
        size_t length = strcspn(line, "\n");
        char usage[200];
        snprintf(usage, sizeof usage, "%.*s", (int)length, line);
        printf("%s\\fBroundcast %s\\fR [\\fIOPTION\\fR...]%s", line == arguments ? "" : ".br\n",
               name, length > 0 ? " " : "");
        roff(usage);
        putchar('\n');
        line = line[length] == '\n' ? line + length + 1 : NULL;
    }
}

void manual_command(const struct command *command)
{
    char title[80], full[80];
    snprintf(full, sizeof full, "roundcast-%s", command->name);
    snprintf(title, sizeof title, "%s", full);
    for (char *letter = title; *letter != '\0'; letter++)
        if (*letter >= 'a' && *letter <= 'z')
            *letter = (char)(*letter - 'a' + 'A');
    roff_head(title, full, command->summary);
    roff_usage(command->name, command->usage != NULL ? command->usage : "");
    printf(".SH DESCRIPTION\n");
    roff(command->text);
    putchar('\n');
    roff_options(command);
    roff_examples(command->examples);
    roff_status();
    printf(".SH SEE ALSO\n.BR roundcast (1),\n.BR roundcast-schedule (5)\n");
}

void manual_program(void)
{
    roff_head("ROUNDCAST", "roundcast", "schedules of collective communications, run on hardware");
    printf("\\fBroundcast\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
           ".SH COMMANDS\n");
    for (size_t which = 0; which < command_count; which++) {
        printf(".TP\n\\fBroundcast %s\\fR ", command_table[which]->name);
        roff(command_table[which]->arguments);
        putchar('\n');
        roff(command_table[which]->summary);
        putchar('\n');
    }
    printf(".PP\nA file named \\- is standard input or output. \\fB\\-\\-json\\fR makes a report "
           "JSON.\nEvery command has a page of its own, roundcast\\-\\fICOMMAND\\fR(1).\n"
           ".SH ENVIRONMENT\n.TP\n.B XDG_CACHE_HOME\nwhere compiled engines are kept, in a folder "
           "roundcast (~/.cache). Where that cannot be written, they\nare kept below "
           "\\fBTMPDIR\\fR.\n.TP\n.B ROUNDCAST_ENGINES\na folder of engines that stand ready; "
           "nothing is compiled then.\n.TP\n.B ROUNDCAST_ROOT\nthe folder of the RTL's sources, "
           "if it is not the one beside the program.\n.TP\n.BR CXX ,\\  VERILATOR ,\\  YOSYS\n"
           "the tools that compile engines (c++, verilator, yosys).\n.TP\n.B OMP_NUM_THREADS\n"
           "how many threads read, write and verify large schedules and route rounds.\n");
    roff_status();
    printf(".SH SEE ALSO\n");
    for (size_t which = 0; which < command_count; which++)
        printf(".BR roundcast-%s (1),\n", command_table[which]->name);
    printf(".BR roundcast-schedule (5)\n");
}

/* Returns the length of the part that completion offers: "benes:" of "benes:N". */
static int offered_length(const char *name)
{
    const char *colon = strchr(name, ':');
    return (int)(colon != NULL ? (size_t)(colon - name) + 1 : strcspn(name, "["));
}

static void print_offer(const struct roundcast_field *field)
{
    if (field->argument == NULL)
        return;
    if (field->choice == NULL) {
        printf("%s", field->type == ROUNDCAST_FIELD_FILE     ? "files"
                     : field->type == ROUNDCAST_FIELD_FOLDER ? "folders"
                                                             : "");
        return;
    }
    printf("values");
    for (unsigned which = 0; field->choice(which) != NULL; which++)
        printf(" %.*s", offered_length(field->choice(which)), field->choice(which));
}

static void print_options(const struct command *command)
{
    struct option_row option[OPTIONS_MOST];
    size_t count = options_of(command, option);
    for (size_t which = 0; which < count; which++) {
        const struct roundcast_field *field = &option[which].field;
        char letter[3] = {'-', field->letter, '\0'}, text[OPTIONS_HELP_TEXT];
        if (option[which].rejected)
            continue;
        printf("option\t%s\t--%s\t%s\t%s\t%s\t", command->name, field->name,
               field->letter != '\0' ? letter : "", field->argument != NULL ? field->argument : "",
               options_help_text(command, field, text));
        print_offer(field);
        putchar('\n');
    }
}

void manual_table(void)
{
    for (size_t which = 0; which < command_count; which++)
        printf("command\t%s\t%s\t%s\n", command_table[which]->name, command_table[which]->arguments,
               command_table[which]->summary);
    struct roundcast_algorithm algorithm;
    for (unsigned which = 0; roundcast_algorithm_at(which, &algorithm); which++)
        printf("value\tALGORITHM\t%s\t%s\n", algorithm.name, algorithm.summary);
    for (size_t which = 0; which < command_count; which++)
        print_options(command_table[which]);
}
