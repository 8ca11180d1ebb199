/* SPDX-License-Identifier: Apache-2.0 */
/* engines: lists, compiles and removes compiled engines in the cache. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_ARGUMENTS 256

struct engines_options {
    struct options common;
    bool build, remove, names;
    struct roundcast_engine_options engines;
    char **argument; /* argument[count]: folders of images, or names of engines */
    unsigned count;
};

static bool set_kind(void *base, const char *text, struct roundcast_error *err)
{
    struct engines_options *options = base;
    options->engines.kind = text;
    return roundcast_engine_check(text, err);
}

#define AT(member) offsetof(struct engines_options, member)

static const struct roundcast_field own[] = {
    {"build", 0, NULL, "compile the engines of the images in these folders", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, AT(build)},
    {"engine", 0, "ENGINE", "compile or name {choices} (default: rtl)", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_CHOICE, AT(engines.kind), .choice = roundcast_engine_compiled,
     .set = set_kind},
    {"traced", 0, NULL, "compile or name engines that can write waves", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, AT(engines.traced)},
    {"jobs", 0, "N", "compile N engines at a time (default: 1)", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_NUMBER, AT(engines.jobs), 1, ROUNDCAST_ENGINE_MAX_JOBS},
    {"names", 0, NULL, "print the names of the engines of the images in these folders",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_FLAG, AT(names)},
    {"remove", 0, NULL, "remove the engines of these names, or all", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, AT(remove)},
};

static bool check(const struct engines_options *options, struct roundcast_error *err)
{
    if (options->build + options->remove + options->names > 1)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{build}, {names}, {remove}: several are given; expected one");
    if ((options->build || options->names) && options->count == 0)
        return roundcast_error_field(err, ROUNDCAST_E_OPTION, options->build ? "build" : "names",
                                     ": no folder; expected one that 'roundcast route' wrote");
    if (!options->build && !options->remove && !options->names && options->count > 0)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "%.40s: a folder or a name requires {build}, {names} or {remove}",
            options->argument[0]);
    return true;
}

/* Returns the arguments in the type that the library expects. */
static const char *const *names_of(const struct engines_options *options)
{
    return (const char *const *)options->argument;
}

/* Prints the name of the engine of each image. */
static bool print_names(const struct engines_options *options, struct roundcast_error *err)
{
    json_t *names = json_array();
    for (unsigned which = 0; which < options->count; which++) {
        char name[ROUNDCAST_ENGINE_NAME];
        if (!roundcast_engine_name(options->argument[which], &options->engines, name, err)) {
            json_decref(names);
            return false;
        }
        if (options->common.json)
            roundcast_json_append(&names, json_string(name));
        else
            printf("%s\n", name);
    }
    if (options->common.json)
        return roundcast_json_print(stdout, json_pack("{s:o}", "names", names), err);
    json_decref(names);
    return true;
}

static bool add_row(void *with, const struct roundcast_engine *engine)
{
    struct report_table *table = with;
    report_cell(table, "%s", engine->name);
    report_cell(table, "%s", engine->state);
    report_cell(table, "%" PRIu64, (engine->bytes + 999) / 1000);
    return true;
}

static bool print_text(struct roundcast_error *err)
{
    struct report_table table = {.columns = 3};
    report_cell(&table, "engine");
    report_cell(&table, "state");
    report_cell(&table, "kB");
    bool listed = roundcast_engine_each(add_row, &table, err);
    table.failed = table.failed || !listed; /* the cells must be freed in this case too */
    return report_table_print(stdout, &table, listed ? err : NULL);
}

static bool add_json(void *with, const struct roundcast_engine *engine)
{
    roundcast_json_append(with, json_pack("{s:s, s:s, s:I, s:o}", "name", engine->name, "state",
                                          engine->state, "bytes", (json_int_t)engine->bytes,
                                          "folder", roundcast_json_text(engine->folder)));
    return true;
}

static bool print_json(struct roundcast_error *err)
{
    json_t *engines = json_array();
    if (roundcast_engine_each(add_json, &engines, err))
        return roundcast_json_print(stdout, json_pack("{s:o}", "engines", engines), err);
    json_decref(engines);
    return false;
}

static bool take_arguments(struct engines_options *options, struct roundcast_error *err)
{
    if (options->common.argument_count > MAX_ARGUMENTS)
        return roundcast_error_set(err, ROUNDCAST_E_RANGE,
                                   "%.40s: one argument too many; expected at most %d",
                                   options->common.argument[MAX_ARGUMENTS], MAX_ARGUMENTS);
    options->argument = options->common.argument;
    options->count = (unsigned)options->common.argument_count;
    return true;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct engines_options options = {.engines.version = ROUNDCAST_ENGINE_VERSION};
    enum options_outcome outcome =
        options_parse(&command_engines, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!take_arguments(&options, err) || !check(&options, err))
        return false;
    if (options.names)
        return print_names(&options, err);
    fflush(stdout); /* before processes are started */
    return (!options.build ||
            roundcast_engine_build(names_of(&options), options.count, &options.engines, err)) &&
           (!options.remove || roundcast_engine_remove(names_of(&options), options.count, err)) &&
           (options.common.json ? print_json(err) : print_text(err));
}

const struct command command_engines = {
    .name = "engines",
    .arguments = "[options] [DIR|NAME ...]",
    .summary = "list, compile or remove compiled engines",
    .usage = "[DIR|NAME ...]",
    .text = "List the compiled engines that are kept, compile some ahead, name those of images, or "
            "remove them.",
    .examples = "roundcast engines\nroundcast engines --build --jobs 2 b\n"
                "roundcast engines --remove",
    COMMAND_OWN(own),
    .run = run,
};
