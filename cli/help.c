/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "cli/report.h"
#include "cli/text.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 100
#define MOST_LEFT 32 /* columns of an option and its value; longer ones have a line of their own */
#define LEFT_TEXT 120

const char *help_group(enum roundcast_field_group group)
{
    static const char *const title[ROUNDCAST_FIELD_GROUPS] = {[ROUNDCAST_FIELD_PROBLEM] = "Problem",
                                                              [ROUNDCAST_FIELD_TOPOLOGY] =
                                                                  "Topology and model",
                                                              [ROUNDCAST_FIELD_MACHINE] = "Machine",
                                                              [ROUNDCAST_FIELD_RUN] = "Run",
                                                              [ROUNDCAST_FIELD_OUTPUT] = "Output"};
    return title[group];
}

/* Prints words from column `at` on, on as many lines as necessary, each indented by `indent`
 * columns. */
static void print_words(const char *text, size_t at, size_t indent, size_t columns)
{
    bool first = true;
    while (*text != '\0') {
        size_t bytes = strcspn(text, " "), width = roundcast_text_columns(text, bytes);
        if (!first && at + 1 + width > columns) {
            printf("\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        printf("%s%.*s", first ? "" : " ", (int)bytes, text);
        at += width + !first;
        first = false;
        text += bytes;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* Writes an option such as "  -n, --nodes N". */
static const char *left_text(const struct roundcast_field *field, char text[LEFT_TEXT])
{
    char letter[] = {'-', field->letter, ',', ' ', '\0'};
    snprintf(text, LEFT_TEXT, "  %s--%s%s%s", field->letter != 0 ? letter : "    ", field->name,
             field->argument != NULL ? " " : "", field->argument != NULL ? field->argument : "");
    return text;
}

static size_t left_columns(const struct roundcast_field *field)
{
    char text[LEFT_TEXT];
    left_text(field, text);
    return roundcast_text_columns(text, strlen(text));
}

static void print_option(const struct command *command, const struct roundcast_field *field,
                         size_t indent, size_t columns)
{
    char left[LEFT_TEXT], text[OPTIONS_HELP_TEXT];
    size_t width = left_columns(field);
    printf("%s", left_text(field, left));
    if (width + 2 > indent)
        printf("\n%*s", (int)indent, "");
    else
        printf("%*s", (int)(indent - width), "");
    print_words(options_help_text(command, field, text), indent, indent, columns);
}

static void print_options(const struct command *command, size_t columns)
{
    struct option_row option[OPTIONS_MOST];
    size_t count = options_of(command, option), indent = 0;
    int group = -1;
    for (size_t which = 0; which < count; which++) {
        size_t width = left_columns(&option[which].field) + 2;
        if (!option[which].rejected && width <= MOST_LEFT)
            indent = MAX(indent, width);
    }
    for (size_t which = 0; which < count; which++) {
        if (option[which].rejected)
            continue;
        if ((int)option[which].field.group != group)
            printf("%s:\n", help_group(option[which].field.group));
        group = (int)option[which].field.group;
        print_option(command, &option[which].field, indent, columns);
    }
}

static void print_usage(const struct command *command)
{
    const char *line = command->usage != NULL ? command->usage : "";
    const char *before = "Usage: ";
    do {
        size_t length = strcspn(line, "\n");
        printf("%sroundcast %s [OPTION...]%s%.*s\n", before, command->name, length > 0 ? " " : "",
               (int)length, line);
        before = "       ";
        line += length;
    } while (*line++ == '\n');
}

static void print_examples(const char *line)
{
    printf("Examples:\n");
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void help_command(const struct command *command)
{
    size_t columns = (size_t)MIN(report_width(stdout), COLUMNS);
    print_usage(command);
    print_words(command->text, 0, 0, columns);
    putchar('\n');
    print_options(command, columns);
    print_examples(command->examples);
}
