/* SPDX-License-Identifier: Apache-2.0 */
/* engines: the compiled engines that are kept: list them, compile some ahead, remove them. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "lib/roundcast/files.h"
#include "sched/base/interrupt.h"
#include "sched/image/image.h"
#include "testbench/engine/cache.h"
#include "testbench/engine/engine.h"
#include "testbench/engine/engine_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGUMENTS 256
#define MAX_JOBS INTERRUPT_CHILDREN

struct engines_options {
    struct options common;
    bool build, remove, names, traced;
    uint32_t jobs;
    enum engine_kind kind;
    char **argument; /* argument[count]: folders of images, or names of engines */
    unsigned count;
};

static const enum engine_kind compiled[] = {ENGINE_RTL, ENGINE_NETLIST};

static const char *kind_choice(unsigned which)
{
    return which < sizeof compiled / sizeof *compiled ? engine_name(compiled[which]) : NULL;
}

static bool set_kind(void *base, const char *text, struct roundcast_error *err)
{
    struct engines_options *options = base;
    unsigned which;
    if (strcmp(text, engine_name(ENGINE_CSIM)) == 0)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{engine}: '%.40s' is not compiled; expected rtl or netlist",
                                   text);
    if (!roundcast_field_choose("engine", text, kind_choice, &which, err))
        return false;
    options->kind = compiled[which];
    return true;
}

#define AT(member) offsetof(struct engines_options, member)

static const struct roundcast_field own[] = {
    {"build", 0, NULL, "compile the engines of the images in these folders", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, AT(build)},
    {"engine", 0, "ENGINE", "compile or name {choices} (default: rtl)", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_CHOICE, AT(kind), .choice = kind_choice, .set = set_kind},
    {"traced", 0, NULL, "compile or name engines that can write waves", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, AT(traced)},
    {"jobs", 0, "N", "compile N engines at a time (default: 1)", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_NUMBER, AT(jobs), 1, MAX_JOBS},
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

/* The machine of the image in that folder. */
static bool read_machine(const char *folder, struct machine *machine, struct roundcast_error *err)
{
    char path[PATH_ROOM];
    struct image image;
    FILE *file =
        path_print(path, err, "%s/image.hex", folder) ? roundcast_input_open(path, err) : NULL;
    if (file == NULL)
        return false;
    bool read = image_read(file, path, &image, err);
    roundcast_input_close(file);
    if (!read)
        return false;
    *machine = image.machine;
    image_free(&image);
    return true;
}

/* Compile the engine of the image in that folder. */
static bool build_one(const struct engines_options *options, const char *folder,
                      struct roundcast_error *err)
{
    struct machine machine;
    return read_machine(folder, &machine, err) &&
           engine_build(options->kind, &machine, options->traced, err);
}

/* Print the name of the engine of each image. */
static bool print_names(const struct engines_options *options, struct roundcast_error *err)
{
    json_t *names = json_array();
    for (unsigned which = 0; which < options->count; which++) {
        struct machine machine;
        char name[ENGINE_NAME_ROOM];
        if (!read_machine(options->argument[which], &machine, err)) {
            json_decref(names);
            return false;
        }
        engine_name_of(options->kind, &machine, options->traced, name);
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

static bool wait_for_one(void)
{
    int status;
    return interrupt_wait(&status) > 0 && WIFEXITED(status);
}

/* Compile them, options->jobs at a time, each in a process that leaves its error in failed[]. */
static bool build_side_by_side(const struct engines_options *options,
                               struct roundcast_error failed[], struct roundcast_error *err)
{
    uint32_t running = 0;
    bool held = true;
    interrupt_hold(); /* until all have ended */
    for (unsigned which = 0; held && which < options->count; which++) {
        for (; running >= options->jobs; running--)
            held = wait_for_one() && held;
        pid_t child = interrupt_fork();
        if (child == 0) {
            build_one(options, options->argument[which], &failed[which]);
            _exit(0);
        }
        held = child > 0 && held;
        running += child > 0;
    }
    for (; running > 0; running--)
        held = wait_for_one() && held;
    interrupt_release();
    for (unsigned which = 0; which < options->count; which++)
        if (failed[which].code != ROUNDCAST_E_NONE && err->code == ROUNDCAST_E_NONE)
            *err = failed[which];
        else if (failed[which].code != ROUNDCAST_E_NONE)
            err->further++;
    if (err->code != ROUNDCAST_E_NONE)
        return false;
    return held || roundcast_error_set(err, ROUNDCAST_E_TOOL,
                                       "engines: a process that compiles one was ended");
}

static bool build(const struct engines_options *options, struct roundcast_error *err)
{
    char place[PATH_ROOM];
    size_t bytes = options->count * sizeof(struct roundcast_error);
    if (!cache_folder(place, err))
        return false;
    fflush(stdout);
    struct roundcast_error *failed =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (failed == MAP_FAILED)
        return roundcast_error_no_memory(err, "the engines");
    bool built = build_side_by_side(options, failed, err);
    munmap(failed, bytes);
    return built;
}

static bool is_asked(const struct engines_options *options, const char *name)
{
    bool asked = options->count == 0;
    for (unsigned which = 0; which < options->count; which++)
        asked = asked || strcmp(options->argument[which], name) == 0;
    return asked;
}

/* Names of no engine are refused before anything is removed. */
static bool check_names(const struct engines_options *options, const struct cache_list *list,
                        struct roundcast_error *err)
{
    for (unsigned which = 0; which < options->count; which++) {
        bool found = false;
        for (size_t entry = 0; entry < list->count; entry++)
            found = found || strcmp(list->entry[entry].name, options->argument[which]) == 0;
        if (!found)
            return roundcast_error_set(
                err, ROUNDCAST_E_OPTION,
                "%.200s: no such engine; expected one of 'roundcast engines'",
                options->argument[which]);
    }
    return true;
}

static bool remove_asked(const struct engines_options *options, struct roundcast_error *err)
{
    struct cache_list list;
    if (!cache_list(&list, err))
        return false;
    bool removed = check_names(options, &list, err);
    for (size_t which = 0; removed && which < list.count; which++)
        if (is_asked(options, list.entry[which].name))
            removed = cache_remove(&list.entry[which], err);
    cache_list_free(&list);
    return removed;
}

static const char *state_of(const struct cache_entry *entry)
{
    if (entry->bytes == 0)
        return "unfinished";
    return entry->current ? "ready" : "old";
}

static bool print_text(const struct cache_list *list, struct roundcast_error *err)
{
    struct report_table table = {.columns = 3};
    report_cell(&table, "engine");
    report_cell(&table, "state");
    report_cell(&table, "kB");
    for (size_t which = 0; which < list->count; which++) {
        report_cell(&table, "%s", list->entry[which].name);
        report_cell(&table, "%s", state_of(&list->entry[which]));
        report_cell(&table, "%" PRIu64, (list->entry[which].bytes + 999) / 1000);
    }
    return report_table_print(stdout, &table, err);
}

static bool print_json(const struct cache_list *list, struct roundcast_error *err)
{
    json_t *engines = json_array();
    for (size_t which = 0; which < list->count; which++) {
        const struct cache_entry *entry = &list->entry[which];
        roundcast_json_append(&engines,
                              json_pack("{s:s, s:s, s:I, s:o}", "name", entry->name, "state",
                                        state_of(entry), "bytes", (json_int_t)entry->bytes,
                                        "folder", roundcast_json_text(entry->folder)));
    }
    return roundcast_json_print(stdout, json_pack("{s:o}", "engines", engines), err);
}

static bool print(bool json, struct roundcast_error *err)
{
    struct cache_list list;
    if (!cache_list(&list, err))
        return false;
    bool printed = json ? print_json(&list, err) : print_text(&list, err);
    cache_list_free(&list);
    return printed;
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
    struct engines_options options = {.kind = ENGINE_RTL, .jobs = 1};
    enum options_outcome outcome =
        options_parse(&command_engines, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!take_arguments(&options, err) || !check(&options, err))
        return false;
    if (options.names)
        return print_names(&options, err);
    return (!options.build || build(&options, err)) &&
           (!options.remove || remove_asked(&options, err)) && print(options.common.json, err);
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
