/* SPDX-License-Identifier: Apache-2.0 */
/* list: prints the algorithms, models, networks and engines, and their properties. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "testbench/engine/engine.h"

static void models_of(const struct algorithm *algorithm, char *text, size_t room)
{
    const char *name[MODEL_COUNT];
    size_t count = 0;
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        if ((algorithm->models & 1u << model) != 0)
            name[count++] = model_name((enum model)model);
    text_list(name, count, ", ", text, room);
}

/* Writes the summary of an algorithm and its methods. */
static void summary_of(const struct algorithm *algorithm, char *text, size_t room)
{
    snprintf(text, room, "%s", algorithm->summary);
    for (unsigned which = 0; algorithm->methods != NULL && algorithm->methods[which] != NULL;
         which++)
        text_append(text, room, "%s%s", which == 0 ? "; --method " : ", ",
                    algorithm->methods[which]);
}

static bool print_algorithms(struct err *err)
{
    char models[100], summary[300];
    struct report_table table = {.columns = 4};
    report_cell(&table, "algorithm");
    report_cell(&table, "models");
    report_cell(&table, "what it does");
    report_cell(&table, "source");
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        models_of(*entry, models, sizeof models);
        report_cell(&table, "%s", (*entry)->name);
        report_cell(&table, "%s", models);
        summary_of(*entry, summary, sizeof summary);
        report_cell(&table, "%s", summary);
        report_cell(&table, "%s", (*entry)->source);
    }
    return report_table_print(stdout, &table, err);
}

/* Prints a name and its meaning. */
static void row(struct report_table *table, const char *name, const char *what)
{
    report_cell(table, "%s", name);
    report_cell(table, "%s", what);
}

static bool print_models(struct err *err)
{
    struct report_table table = {.columns = 2};
    row(&table, "model", "a round allows");
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        row(&table, model_name((enum model)model), model_rule((enum model)model));
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_networks(struct err *err)
{
    struct report_table table = {.columns = 2};
    struct network_form form;
    row(&table, "network", "what it is");
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        row(&table, form.written, form.what);
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_engines(struct err *err)
{
    struct report_table table = {.columns = 2};
    row(&table, "engine", "what it is");
    for (unsigned kind = 0; kind < ENGINE_COUNT; kind++)
        row(&table, engine_name((enum engine_kind)kind),
            engine_description((enum engine_kind)kind));
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_tables(struct err *err)
{
    return print_algorithms(err) && print_models(err) && print_networks(err) && print_engines(err);
}

static json_t *json_of(const struct algorithm *algorithm)
{
    json_t *models = json_array();
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        if ((algorithm->models & 1u << model) != 0)
            report_json_append(&models, json_string(model_name((enum model)model)));
    return json_pack("{s:s, s:o, s:s, s:s}", "name", algorithm->name, "models", models, "summary",
                     algorithm->summary, "source", algorithm->source);
}

static bool print_json(struct err *err)
{
    json_t *algorithms = json_array(), *models = json_array(), *networks = json_array(),
           *engines = json_array();
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        report_json_append(&algorithms, json_of(*entry));
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        report_json_append(&models, json_pack("{s:s, s:s}", "name", model_name((enum model)model),
                                              "rule", model_rule((enum model)model)));
    struct network_form form;
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        report_json_append(&networks, json_pack("{s:s, s:s, s:s}", "name", form.name, "syntax",
                                                form.written, "what", form.what));
    for (unsigned kind = 0; kind < ENGINE_COUNT; kind++)
        report_json_append(&engines,
                           json_pack("{s:s, s:s}", "name", engine_name((enum engine_kind)kind),
                                     "what", engine_description((enum engine_kind)kind)));
    return report_json(stdout,
                       json_pack("{s:o, s:o, s:o, s:o}", "algorithms", algorithms, "models", models,
                                 "networks", networks, "engines", engines),
                       err);
}

static bool run(int argc, char **argv, struct err *err)
{
    struct options options;
    enum options_outcome outcome = options_parse(&command_list, argc, argv, &options, NULL, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    return options_no_argument(&options, &command_list, err) &&
           (options.json ? print_json(err) : print_tables(err));
}

const struct command command_list = {
    .name = "list",
    .arguments = "",
    .summary = "list algorithms, models, networks and engines",
    .text = "List the algorithms, models, networks and engines, and their properties.",
    .examples = "roundcast list\nroundcast list --json",
    .run = run,
};
