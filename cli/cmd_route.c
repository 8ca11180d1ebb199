/* SPDX-License-Identifier: Apache-2.0 */
/* route: compiles a schedule into the image of a machine. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>

struct route_options {
    struct options common;
    const char *path;
    const char *output;
    unsigned forms; /* bits of the forms to write besides image.hex */
};

static bool set_form(void *base, const char *text, struct roundcast_error *err)
{
    struct route_options *options = base;
    unsigned form;
    if (!roundcast_field_choose("image", text, roundcast_image_form, &form, err))
        return false;
    options->forms |= 1u << form;
    return true;
}

#define AT(member) offsetof(struct route_options, member)

static const struct roundcast_field own[] = {
    {"output", 'o', "DIR", "write to this folder; required", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FOLDER, AT(output)},
    {"image", 0, "FORM",
     "write the image in one more form: {choices}. writes: pairs of address and word for a "
     "testbench; c: these pairs as an array in C; mem: a file for each memory, so that the machine "
     "starts without a host. May be given several times",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_CHOICE, AT(forms), .choice = roundcast_image_form,
     .set = set_form},
};

/* --- which rounds an omega network passes ---------------------------------------------------- */

/* The results of routing, and the form of the report. */
struct routed {
    struct roundcast_routing routing;
    const struct roundcast_image *image;
    bool json;
    bool listed;     /* `passing` is part of the report */
    json_t *passing; /* NULL without memory */
};

/* Prints a line for each blocked round, and the number of rounds that pass. */
static void print_passing(const struct roundcast_passing *passing)
{
    size_t passed = 0;
    for (size_t which = 0; which < passing->count; which++) {
        const struct roundcast_round *round = &passing->round[which];
        passed += round->passes;
        if (!round->passes)
            printf("round %" PRIu64 ": blocked at stage %" PRIu32 ", switch %" PRIu32 ": %" PRIu32
                   " → %" PRIu32 " and %" PRIu32 " → %" PRIu32 "; %" PRIu32
                   " passes, at least %" PRIu32 "\n",
                   round->round, round->stage, round->sw, round->source[0], round->destination[0],
                   round->source[1], round->destination[1], round->needed, round->least);
    }
    printf("%zu of %zu %s omega:%" PRIu32 "\n", passed, passing->count,
           passing->count == 1 ? "round passes" : "rounds pass", passing->ports);
}

static json_t *round_json(const struct roundcast_round *round)
{
    json_t *object = json_pack("{s:I, s:b, s:I}", "round", (json_int_t)round->round, "passes",
                               (int)round->passes, "needed", (json_int_t)round->needed);
    if (!round->passes)
        roundcast_json_set(
            &object, "conflict",
            json_pack("{s:I, s:I, s:[[I,I],[I,I]]}", "stage", (json_int_t)round->stage, "switch",
                      (json_int_t)round->sw, "circuits", (json_int_t)round->source[0],
                      (json_int_t)round->destination[0], (json_int_t)round->source[1],
                      (json_int_t)round->destination[1]));
    return object;
}

/* Reports the rounds before a schedule is rejected for them; in JSON they are part of the
 * report. */
static void report_passing(void *with, const struct roundcast_passing *passing)
{
    struct routed *routed = with;
    if (!routed->json) {
        print_passing(passing);
        return;
    }
    routed->listed = true;
    routed->passing = json_array();
    for (size_t which = 0; which < passing->count; which++)
        roundcast_json_append(&routed->passing, round_json(&passing->round[which]));
}

/* --- the contents of machines
 * ------------------------------------------------------------------ */

static void add_levels_heading(struct report_table *table, const struct roundcast_level *level)
{
    report_cell(table, "level");
    report_cell(table, "routers");
    report_cell(table, "ports");
    if (level->has_wait)
        report_cell(table, "packets wait");
    report_cell(table, "a buffer needs");
    report_cell(table, "a buffer holds");
    if (level->has_queue) {
        report_cell(table, "a queue needs");
        report_cell(table, "a queue holds");
    }
    table->columns = (unsigned)table->count;
}

static bool add_level(void *with, const struct roundcast_level *level)
{
    struct report_table *table = with;
    if (table->count == 0)
        add_levels_heading(table, level);
    report_cell(table, "%" PRIu32, level->level);
    report_cell(table, "%" PRIu32, level->routers);
    report_cell(table, "%" PRIu32, level->ports);
    if (level->has_wait)
        report_cell(table, "%" PRIu32, level->wait);
    report_cell(table, "%" PRIu32, level->buffer_needs);
    report_cell(table, "%" PRIu32, level->buffer_holds);
    if (level->has_queue) {
        report_cell(table, "%" PRIu32, level->queue_needs);
        report_cell(table, "%" PRIu32, level->queue_holds);
    }
    return true;
}

/* Prints the buffers and queues that routers need and have. */
static bool print_levels(const struct roundcast_image *image, struct roundcast_error *err)
{
    struct report_table table = {0};
    bool measured = roundcast_each_level(image, add_level, &table, err);
    return report_table_print(stdout, &table, measured ? err : NULL) && measured;
}

/* The classes to print. */
struct classes {
    uint32_t rows;
    bool begun, only_first;
};

static bool print_class(void *with, const char *name, uint32_t count)
{
    struct classes *classes = with;
    if (!classes->begun)
        printf("classes: rows %" PRIu32, classes->rows);
    classes->begun = true;
    printf(", %s %" PRIu32, name, count);
    return !classes->only_first;
}

/* Prints "classes: rows 44, shifts 44, complements 9, …". If the number of ports is not a power of
 * two, the only class is shifts. */
static bool print_classes(const struct roundcast_image *image, uint32_t ports,
                          struct roundcast_error *err)
{
    struct classes classes = {.only_first = (ports & (ports - 1)) != 0};
    if (!roundcast_each_class(image, &classes.rows, print_class, &classes, err))
        return false;
    putchar('\n');
    return true;
}

static bool add_class(void *with, const char *name, uint32_t count)
{
    roundcast_json_set(with, name, json_integer((json_int_t)count));
    return true;
}

static json_t *classes_json(const struct roundcast_image *image)
{
    uint32_t rows;
    json_t *classes = json_object();
    if (roundcast_each_class(image, &rows, add_class, &classes, NULL))
        return classes;
    json_decref(classes);
    return NULL;
}

static bool add_table(void *with, const struct roundcast_table *row)
{
    struct report_table *table = with;
    report_cell(table, "%s", row->name);
    report_cell(table, "%" PRIu64, row->words);
    report_cell(table, "%" PRIu64, row->bits);
    report_cell(table, "%" PRIu64, row->full ? row->words * row->bits : 0);
    report_cell(table, "%" PRIu64, row->used ? row->words * row->bits : 0);
    return true;
}

/* Prints the tables with an entry for each round, the tables that replace them, and their bits. */
static bool print_tables(const struct roundcast_image *image,
                         const struct roundcast_image_info *info, struct roundcast_error *err)
{
    static const char *const heading[] = {"tables", "words", "bits of each", "full", "now"};
    struct report_table table = {.columns = sizeof heading / sizeof *heading};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    bool measured = roundcast_each_table(image, add_table, &table, err);
    report_cell(&table, "all");
    report_cell(&table, "-");
    report_cell(&table, "-");
    report_cell(&table, "%" PRIu64, info->full_bits);
    report_cell(&table, "%" PRIu64, info->table_bits);
    table.failed = table.failed || !measured; /* the cells must be freed in this case too */
    return report_table_print(stdout, &table, measured ? err : NULL);
}

/* --- the report ------------------------------------------------------------------------------ */

/* Returns the words with which the machine describes itself to a host, by the name of their
 * register; NULL without memory. */
static json_t *registers_json(const struct roundcast_image *image)
{
    struct roundcast_register found;
    json_t *words = json_object();
    for (unsigned index = 0; roundcast_image_register(image, index, &found); index++)
        roundcast_json_set(&words, found.name, json_integer((json_int_t)found.word));
    return words;
}

static bool print_json(const struct route_options *options, const struct routed *routed,
                       const struct roundcast_image_info *info, uint64_t rounds,
                       struct roundcast_error *err)
{
    const struct roundcast_routing *routing = &routed->routing;
    bool hops = info->stages == 0;
    json_t *root = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "folder",
        roundcast_json_text(options->output), "ports", (json_int_t)info->ports,
        hops ? "routers" : "stages", (json_int_t)(hops ? info->routers : info->stages), "latency",
        (json_int_t)info->latency, "width", (json_int_t)info->width, "rows", (json_int_t)info->rows,
        "flits", (json_int_t)info->flits, "row_cycles", (json_int_t)info->row_cycles, "words",
        (json_int_t)info->words, "rounds", (json_int_t)rounds);
    roundcast_json_set(&root, "field_bits", json_integer((json_int_t)info->field_bits));
    roundcast_json_set(&root, "operators",
                       info->combine != NULL ? json_string(info->operators) : json_null());
    roundcast_json_set(&root, "registers", registers_json(routed->image));
    if (!hops)
        roundcast_json_set(&root, "bits",
                           json_pack("{s:I, s:I}", "full", (json_int_t)info->full_bits, "now",
                                     (json_int_t)info->table_bits));
    if (!hops && !info->copies && !info->combines)
        roundcast_json_set(&root, "classes", classes_json(routed->image));
    if (routed->listed)
        roundcast_json_set(&root, "passing", json_incref(routed->passing));
    if (options->common.request.split)
        roundcast_json_set(&root, "split",
                           json_pack("{s:I, s:I, s:I}", "rounds", (json_int_t)routing->rounds_split,
                                     "added", (json_int_t)routing->rounds_added, "bound",
                                     (json_int_t)routing->rounds_bound));
    return roundcast_json_print(stdout, root, err);
}

/* Prints the machine and its run, and the cost of a hypercube's schedule on a network that passes
 * one dimension at a time. */
static void print_machine(const struct route_options *options, const struct routed *routed,
                          const struct roundcast_image_info *info,
                          const struct roundcast_schedule_info *schedule)
{
    const struct roundcast_routing *routing = &routed->routing;
    char machine[ROUNDCAST_MACHINE_TEXT];
    printf("%s: %s; %" PRIu32 " row%s of %" PRIu32 " cycle%s, %" PRIu32 " flit%s of %" PRIu32
           " bit%s a packet; %zu word%s\n",
           options->output, roundcast_image_machine(routed->image, machine), info->rows,
           text_s(info->rows), info->row_cycles, text_s(info->row_cycles), info->flits,
           text_s(info->flits), info->width, text_s(info->width), info->words, text_s(info->words));
    if (schedule->dimensions > 0 && info->stages > 0)
        printf("hypercube: %" PRIu64 " round%s, a row for each of %" PRIu32
               " dimension%s up to the last in use: %" PRIu32 " row%s\n",
               schedule->end, text_s(schedule->end), schedule->dimensions,
               text_s(schedule->dimensions), info->rows, text_s(info->rows));
    if (options->common.request.split)
        printf("split: %" PRIu64 " round%s blocked, %" PRIu64 " round%s added, at least %" PRIu64
               "\n",
               routing->rounds_split, text_s(routing->rounds_split), routing->rounds_added,
               text_s(routing->rounds_added), routing->rounds_bound);
}

static bool report(const struct route_options *options, const struct routed *routed,
                   const struct roundcast_schedule_info *schedule, struct roundcast_error *err)
{
    const struct roundcast_image *image = routed->image;
    const struct roundcast_image_info info = roundcast_image_describe(image);
    if (options->common.json)
        return print_json(options, routed, &info, schedule->end, err);
    print_machine(options, routed, &info, schedule);
    if (info.stages == 0)
        return info.routers == 0 || print_levels(image, err);
    return (info.copies || info.combines || print_classes(image, info.ports, err)) &&
           print_tables(image, &info, err);
}

static bool route(const struct route_options *options, const struct roundcast_schedule *schedule,
                  struct roundcast_error *err)
{
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    struct routed routed = {.routing.passing = report_passing, .json = options->common.json};
    routed.routing.with = &routed;
    struct roundcast_image *image =
        roundcast_route_reported(schedule, &options->common.request, &routed.routing, err);
    routed.image = image;
    bool held = image != NULL &&
                roundcast_image_write_forms(image, options->output, options->forms, err) &&
                report(options, &routed, &info, err);
    roundcast_image_free(image);
    json_decref(routed.passing);
    return held;
}

/* Checks the options before the schedule is read. */
static bool check(struct route_options *options, struct roundcast_error *err)
{
    if (!options_one_argument(&options->common, "file", &options->path, err))
        return false;
    if (options->path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "route: no file; expected a schedule, or - for standard input");
    if (options->output == NULL)
        return roundcast_error_missing(err, "output", "the folder to write");
    return output_check("output", options->output, OUTPUT_FOLDER, err) &&
           roundcast_check_machine(&options->common.request, err);
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct route_options options = {0};
    enum options_outcome outcome =
        options_parse(&command_route, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    struct roundcast_schedule *schedule =
        check(&options, err) ? reading_by_rules(&options.common.request, options.path, err) : NULL;
    if (schedule == NULL)
        return false;
    bool held = route(&options, schedule, err);
    roundcast_schedule_free(schedule);
    return held;
}

const struct command command_route = {
    .name = "route",
    .arguments = "FILE -o DIR [options]",
    .summary = "compile a schedule into a machine's image",
    .usage = "FILE -o DIR",
    .text = "Compile a schedule into the image of a machine: switch tables, endpoint programs and "
            "initial packets.",
    .examples = "roundcast route b.sched -o b\n"
                "roundcast route b.sched -o b --network benes:32,pipe=2 --image mem",
    .request = ROUNDCAST_FOR_ROUTE | ROUNDCAST_FOR_READING,
    COMMAND_OWN(own),
    .run = run,
};
