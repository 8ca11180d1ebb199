/* SPDX-License-Identifier: Apache-2.0 */
/* list: prints the algorithms, models, networks and engines, and their properties. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/engine.h"
#include "lib/roundcast/list.h"

#define MODELS 32 /* maximum number of models, each a bit of an algorithm */

static void models_of(const struct roundcast_algorithm *algorithm, char *text, size_t room)
{
    const char *name[MODELS];
    struct roundcast_model model;
    size_t count = 0;
    for (unsigned which = 0; roundcast_model_at(which, &model); which++)
        if ((algorithm->models & 1u << which) != 0)
            name[count++] = model.name;
    roundcast_text_list(name, count, ", ", text, room);
}

/* Writes the summary of an algorithm and its methods. */
static void summary_of(const struct roundcast_algorithm *algorithm, char *text, size_t room)
{
    snprintf(text, room, "%s", algorithm->summary);
    for (unsigned which = 0; algorithm->methods != NULL && algorithm->methods[which] != NULL;
         which++)
        roundcast_text_append(text, room, "%s%s", which == 0 ? "; --method " : ", ",
                              algorithm->methods[which]);
}

static bool print_algorithms(struct roundcast_error *err)
{
    char models[300], summary[300];
    struct report_table table = {.columns = 4};
    struct roundcast_algorithm algorithm;
    report_cell(&table, "algorithm");
    report_cell(&table, "models");
    report_cell(&table, "what it does");
    report_cell(&table, "source");
    for (unsigned which = 0; roundcast_algorithm_at(which, &algorithm); which++) {
        models_of(&algorithm, models, sizeof models);
        summary_of(&algorithm, summary, sizeof summary);
        report_cell(&table, "%s", algorithm.name);
        report_cell(&table, "%s", models);
        report_cell(&table, "%s", summary);
        report_cell(&table, "%s", algorithm.source);
    }
    return report_table_print(stdout, &table, err);
}

/* Prints a name and its meaning. */
static void row(struct report_table *table, const char *name, const char *what)
{
    report_cell(table, "%s", name);
    report_cell(table, "%s", what);
}

static bool print_models(struct roundcast_error *err)
{
    struct report_table table = {.columns = 2};
    struct roundcast_model model;
    row(&table, "model", "a round allows");
    for (unsigned which = 0; roundcast_model_at(which, &model); which++)
        row(&table, model.name, model.rule);
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_networks(struct roundcast_error *err)
{
    struct report_table table = {.columns = 2};
    struct roundcast_network network;
    row(&table, "network", "what it is");
    for (unsigned which = 0; roundcast_network_at(which, &network); which++)
        row(&table, network.syntax, network.what);
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_engines(struct roundcast_error *err)
{
    struct report_table table = {.columns = 2};
    struct roundcast_engine_kind kind;
    row(&table, "engine", "what it is");
    for (unsigned which = 0; roundcast_engine_kind_at(which, &kind); which++)
        row(&table, kind.name, kind.what);
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_tables(struct roundcast_error *err)
{
    return print_algorithms(err) && print_models(err) && print_networks(err) && print_engines(err);
}

static json_t *json_of(const struct roundcast_algorithm *algorithm)
{
    json_t *models = json_array();
    struct roundcast_model model;
    for (unsigned which = 0; roundcast_model_at(which, &model); which++)
        if ((algorithm->models & 1u << which) != 0)
            roundcast_json_append(&models, json_string(model.name));
    return json_pack("{s:s, s:o, s:s, s:s}", "name", algorithm->name, "models", models, "summary",
                     algorithm->summary, "source", algorithm->source);
}

static bool print_json(struct roundcast_error *err)
{
    json_t *algorithms = json_array(), *models = json_array(), *networks = json_array(),
           *engines = json_array();
    struct roundcast_algorithm algorithm;
    struct roundcast_model model;
    struct roundcast_network network;
    struct roundcast_engine_kind kind;
    for (unsigned which = 0; roundcast_algorithm_at(which, &algorithm); which++)
        roundcast_json_append(&algorithms, json_of(&algorithm));
    for (unsigned which = 0; roundcast_model_at(which, &model); which++)
        roundcast_json_append(&models,
                              json_pack("{s:s, s:s}", "name", model.name, "rule", model.rule));
    for (unsigned which = 0; roundcast_network_at(which, &network); which++)
        roundcast_json_append(&networks, json_pack("{s:s, s:s, s:s}", "name", network.name,
                                                   "syntax", network.syntax, "what", network.what));
    for (unsigned which = 0; roundcast_engine_kind_at(which, &kind); which++)
        roundcast_json_append(&engines,
                              json_pack("{s:s, s:s}", "name", kind.name, "what", kind.what));
    return roundcast_json_print(stdout,
                                json_pack("{s:o, s:o, s:o, s:o}", "algorithms", algorithms,
                                          "models", models, "networks", networks, "engines",
                                          engines),
                                err);
}

static bool run(int argc, char **argv, struct roundcast_error *err)
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
