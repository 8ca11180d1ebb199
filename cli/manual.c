/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manual.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/version.h"
#include "testbench/engine/engine.h"

#include <stdlib.h>
#include <string.h>

typedef void print_option(const char *name, const struct argp_option *option, const char *text);

/* Print all options of an argp and its children that are not hidden. */
static void each_option(const struct argp *argp, const char *name, print_option *print)
{
    for (const struct argp_option *option = argp->options; option != NULL && option->name != NULL;
         option++) {
        if ((option->flags & OPTION_HIDDEN) != 0)
            continue;
        char *text = argp->help_filter != NULL ? argp->help_filter(option->key, option->doc, NULL)
                                               : (char *)option->doc;
        print(name, option, text != NULL ? text : "");
        if (text != option->doc)
            free(text);
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL;
         child++)
        each_option(child->argp, name, print);
}

static bool has_letter(const struct argp_option *option)
{
    return option->key > ' ' && option->key <= '~';
}

static void table_row(const char *name, const struct argp_option *option, const char *text)
{
    char letter[3] = {'-', (char)option->key, '\0'};
    printf("option\t%s\t--%s\t%s\t%s\t%s\n", name, option->name, has_letter(option) ? letter : "",
           option->arg != NULL ? option->arg : "", text);
}

/* Text in roff, where a hyphen is not itself. No text has a backslash, or begins with a full stop
 * or a quote, which would not be, either. */
static void roff(const char *text)
{
    for (; *text != '\0'; text++)
        printf("%s%c", *text == '-' ? "\\" : "", *text);
}

static void roff_option(const char *name, const struct argp_option *option, const char *text)
{
    (void)name;
    printf(".TP\n");
    if (has_letter(option))
        printf("\\fB\\-%c\\fR, ", option->key);
    printf("\\fB\\-\\-");
    roff(option->name);
    printf("\\fR");
    if (option->arg != NULL) {
        printf("=\\fI");
        roff(option->arg);
        printf("\\fR");
    }
    putchar('\n');
    roff(text);
    putchar('\n');
}

static void roff_head(const char *title, const char *name, const char *summary)
{
    printf(".TH %s 1 \"\" \"roundcast " ROUNDCAST_VERSION "\" \"Roundcast\"\n.SH NAME\n", title);
    roff(name);
    printf(" \\- ");
    roff(summary);
    printf("\n.SH SYNOPSIS\n");
}

static void roff_status(void)
{
    printf(".SH EXIT STATUS\n0 holds, 1 a check failed, 2 bad usage or input, 3 a bug of "
           "roundcast.\n");
}

/* A usage line for each line of args_doc. */
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

static void print_page(const struct argp *argp, const char *name)
{
    const char *doc = argp->doc != NULL ? argp->doc : "";
    char title[80], full[80], summary[200];
    snprintf(full, sizeof full, "roundcast-%s", name);
    snprintf(title, sizeof title, "%s", full);
    for (char *letter = title; *letter != '\0'; letter++)
        if (*letter >= 'a' && *letter <= 'z')
            *letter = (char)(*letter - 'a' + 'A');
    /* The first sentence names the page. */
    snprintf(summary, sizeof summary, "%.*s", (int)strcspn(doc, ".:"), doc);
    roff_head(title, full, summary);
    roff_usage(name, argp->args_doc != NULL ? argp->args_doc : "");
    printf(".SH DESCRIPTION\n");
    roff(doc);
    printf("\n.SH OPTIONS\n");
    each_option(argp, name, roff_option);
    roff_status();
    printf(".SH SEE ALSO\n.BR roundcast (1),\n.BR roundcast-schedule (5)\n");
}

bool manual_command(const struct argp *argp, const char *name, const char *form, struct err *err)
{
    if (strcmp(form, MANUAL_PAGE) == 0)
        print_page(argp, name);
    else if (strcmp(form, MANUAL_TABLE) == 0)
        each_option(argp, name, table_row);
    else
        return err_set(err, ERR_OPTION,
                       "--manual: '%.40s'; expected " MANUAL_PAGE " or " MANUAL_TABLE, form);
    return true;
}

void manual_program(const struct command *const commands[], size_t count)
{
    roff_head("ROUNDCAST", "roundcast", "schedules of collective communications, run on hardware");
    printf("\\fBroundcast\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
           ".SH COMMANDS\n");
    for (size_t which = 0; which < count; which++) {
        printf(".TP\n\\fBroundcast %s\\fR ", commands[which]->name);
        roff(commands[which]->arguments);
        putchar('\n');
        roff(commands[which]->summary);
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
    for (size_t which = 0; which < count; which++)
        printf(".BR roundcast-%s (1),\n", commands[which]->name);
    printf(".BR roundcast-schedule (5)\n");
}

void manual_names(const struct command *const commands[], size_t count)
{
    for (size_t which = 0; which < count; which++)
        printf("command\t%s\t%s\t%s\n", commands[which]->name, commands[which]->arguments,
               commands[which]->summary);
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        printf("value\tALGORITHM\t%s\t%s\n", (*entry)->name, (*entry)->summary);
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        printf("value\tMODEL\t%s\t%s\n", model_name((enum model)model),
               model_rule((enum model)model));
    for (unsigned kind = 0; kind < ENGINE_COUNT; kind++)
        printf("value\tENGINE\t%s\t%s\n", engine_name((enum engine_kind)kind),
               engine_description((enum engine_kind)kind));
    printf("value\tENGINE\tboth\tcsim and rtl in lockstep\n");
}
