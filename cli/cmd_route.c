/* SPDX-License-Identifier: Apache-2.0 */
/* route: compile a schedule into the image of a machine. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/passing.h"
#include "cli/report.h"
#include "cli/storage.h"
#include "sched/base/bits.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/bundle/bundle.h"
#include "sched/machine/machine_run.h"
#include "sched/request/machine_request.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/permutation_classes.h"
#include "sched/schedule/schedule_file.h"
#include "sched/shape/wiring.h"
#include "sched/verify/buffers.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <string.h>

struct route_options {
    struct options common;
    struct compile_request request;
    struct split_report splitted; /* what became of rounds that were split */
    const char *path;
    const char *output;
    bool form[IMAGE_FORMS]; /* besides image.hex */
    json_t *passing;        /* which rounds an omega network passes; NULL of others, or as text */
};

static const char *form_choice(unsigned which)
{
    return which < IMAGE_FORMS ? image_form_rows[which].text : NULL;
}

static bool set_form(void *base, const char *text, struct err *err)
{
    struct route_options *options = base;
    unsigned form;
    if (!field_choose("image", text, form_choice, &form, err))
        return false;
    options->form[form] = true;
    return true;
}

#define AT(member) offsetof(struct route_options, member)

static const struct field own[] = {
    {"output", 'o', "DIR", "write to this folder; required", FIELD_OUTPUT, FIELD_FOLDER,
     AT(output)},
    {"image", 0, "FORM",
     "write the image in one more form: {choices}. writes: pairs of address and word for a "
     "testbench; c: the same as an array in C; mem: a file for each memory, so that the machine "
     "starts without a host. May be given several times",
     FIELD_OUTPUT, FIELD_CHOICE, AT(form), .choice = form_choice, .set = set_form},
};

/* What routers need (packets that wait in one of a tree: buffers.h), and what they are built
 * with. */
static bool print_buffers(const struct bundle *bundle, struct err *err)
{
    const struct machine *machine = &bundle->image.machine;
    const struct topology *topology = &machine->topology;
    const bool tree = topology_has_routers(topology), queues = machine_is_self_timed(machine);
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    struct router_needs needs;
    if ((tree && !buffers_measure(&bundle->schedule, depth, err)) ||
        !router_needs_on(machine, &bundle->schedule, &needs, err))
        return false;
    const struct {
        const char *title;
        bool shown;
    } columns[] = {{"level", true},           {"routers", true},        {"ports", true},
                   {"packets wait", tree},    {"a buffer needs", true}, {"a buffer holds", true},
                   {"a queue needs", queues}, {"a queue holds", queues}};
    const unsigned count = sizeof columns / sizeof *columns;
    struct report_table table = {.columns = 0};
    for (unsigned column = 0; column < count; column++)
        table.columns += columns[column].shown;
    for (unsigned column = 0; column < count; column++)
        if (columns[column].shown)
            report_cell(&table, "%s", columns[column].title);
    for (unsigned level = 1; level <= topology->router_levels; level++) {
        const uint32_t row[] = {level,
                                wiring_level_routers(topology, level),
                                topology->router_ports[level],
                                tree ? depth[level].wait : 0,
                                needs.depth[level],
                                machine->depth[level],
                                needs.queue[level],
                                machine->queue[level]};
        for (unsigned column = 0; column < count; column++)
            if (columns[column].shown)
                report_cell(&table, "%" PRIu32, row[column]);
    }
    return report_table_print(stdout, &table, err);
}

/* What a hypercube's schedule costs on a network that passes a dimension at a time. */
static void print_rows(const struct topology *cube, uint64_t slots, const struct run *run)
{
    printf("hypercube: %" PRIu64
           " slot%s, a row for each of %u dimension%s up to the last in use: %" PRIu32 " row%s\n",
           slots, text_s(slots), cube->dimensions, text_s(cube->dimensions), run->rows,
           text_s(run->rows));
}

static const char *const class_texts[] = {
#define CLASS_TEXT(name, text) text,
    PERMUTATION_CLASSES_TABLE(CLASS_TEXT)
#undef CLASS_TEXT
};

/* "classes: rows 44, shifts 44, complements 9, …"; networks of other sizes than powers of two
 * know shifts only. */
static bool print_classes(const struct bundle *bundle, struct err *err)
{
    const struct machine *machine = &bundle->image.machine;
    uint32_t count[PERMUTATION_CLASSES_COUNT], rows;
    if (!permutation_classes_count(&bundle->schedule, machine, count, &rows, err))
        return false;
    bool power = bits_is_power(machine_ports(machine));
    printf("classes: rows %" PRIu32, rows);
    for (unsigned which = 0; which < (power ? PERMUTATION_CLASSES_COUNT : 1); which++)
        printf(", %s %" PRIu32, class_texts[which], count[which]);
    putchar('\n');
    return true;
}

static json_t *classes_json(const struct bundle *bundle)
{
    uint32_t count[PERMUTATION_CLASSES_COUNT], rows;
    if (!permutation_classes_count(&bundle->schedule, &bundle->image.machine, count, &rows, NULL))
        return NULL;
    json_t *classes = json_object();
    for (unsigned which = 0; which < PERMUTATION_CLASSES_COUNT; which++)
        report_json_set(&classes, class_texts[which], json_integer((json_int_t)count[which]));
    return classes;
}

static bool print_json(const struct route_options *options, const struct bundle *bundle,
                       uint64_t rounds, struct err *err)
{
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    bool hops = machine_hops(machine);
    json_t *root =
        json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "folder",
                  report_json_text(options->output), "ports", (json_int_t)machine_ports(machine),
                  hops ? "routers" : "stages",
                  (json_int_t)(hops ? machine_routers(machine) : machine_stages(machine)),
                  "latency", (json_int_t)machine_latency(machine), "width",
                  (json_int_t)machine->width, "rows", (json_int_t)run->rows, "flits",
                  (json_int_t)run->flits, "row_cycles", (json_int_t)run->row_cycles, "words",
                  (json_int_t)bundle->image.count, "rounds", (json_int_t)rounds);
    if (!hops) {
        report_json_set(&root, "bits", storage_json(&bundle->image, bundle->schedule.nodes));
        if (!multistage_copies(&machine->network))
            report_json_set(&root, "classes", classes_json(bundle));
    }
    if (options->passing != NULL)
        report_json_set(&root, "passing", json_incref(options->passing));
    const struct split_report *split = &options->splitted;
    if (options->request.split)
        report_json_set(&root, "split",
                        json_pack("{s:I, s:I, s:I}", "rounds", (json_int_t)split->rounds_split,
                                  "added", (json_int_t)split->rounds_added, "bound",
                                  (json_int_t)split->rounds_bound));
    return report_json(stdout, root, err);
}

/* Topology and rounds are those of the schedule that was read. */
static bool report(const struct route_options *options, const struct bundle *bundle,
                   const struct topology *topology, uint64_t rounds, struct err *err)
{
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    bool hops = machine_hops(machine);
    bool lowered = !topology_joins_all(topology) && !hops;
    if (options->common.json)
        return print_json(options, bundle, rounds, err);
    char network[REPORT_MACHINE_TEXT];
    printf("%s: %s; %" PRIu32 " row%s of %" PRIu32 " cycle%s, %" PRIu32
           " flit%s of %u bit%s a packet; %zu word%s\n",
           options->output, report_machine_text(machine, network), run->rows, text_s(run->rows),
           run->row_cycles, text_s(run->row_cycles), run->flits, text_s(run->flits), machine->width,
           text_s(machine->width), bundle->image.count, text_s(bundle->image.count));
    if (lowered)
        print_rows(topology, rounds, run);
    if (options->request.split)
        printf("split: %" PRIu64 " round%s blocked, %" PRIu64 " round%s added, at least %" PRIu64
               "\n",
               options->splitted.rounds_split, text_s(options->splitted.rounds_split),
               options->splitted.rounds_added, text_s(options->splitted.rounds_added),
               options->splitted.rounds_bound);
    return hops ? print_buffers(bundle, err)
                : (multistage_copies(&machine->network) || print_classes(bundle, err)) &&
                      storage_print(stdout, &bundle->image, bundle->schedule.nodes, err);
}

/* Tell which rounds an omega network blocks before it refuses one. JSON has this in the report. */
static bool report_passing(struct route_options *options, const struct schedule *schedule,
                           const struct machine *machine, struct err *err)
{
    bool blocks = multistage_blocks(&machine->network);
    if (!blocks || !topology_joins_all(&schedule->topology) || model_has_times(schedule->model) ||
        schedule->nodes > machine_ports(machine))
        return true;
    if (!options->common.json)
        return passing_print(stdout, schedule, &machine->network, err);
    options->passing = passing_json(schedule, &machine->network, err);
    return options->passing != NULL;
}

static bool route(struct route_options *options, struct err *err)
{
    struct bundle bundle = {0};
    memcpy(bundle.form, options->form, sizeof bundle.form);
    struct verify_report verified;
    struct machine machine;
    bool loaded =
        schedule_file_read(options->path, &bundle.schedule, err) &&
        verify_schedule(files_input_name(options->path), &bundle.schedule, &verified, err) &&
        compile_machine_of(&options->request, &bundle.schedule, &machine, &bundle.payload, err);
    const struct topology topology = bundle.schedule.topology;
    const uint64_t rounds = bundle.schedule.end;
    bool routed =
        loaded && report_passing(options, &bundle.schedule, &machine, err) &&
        compile_rewrite(&options->request, &machine, &bundle.schedule, &options->splitted, err) &&
        compile_schedule(&options->request, &bundle.schedule, &bundle.payload, &machine,
                         &bundle.image, err) &&
        bundle_write(options->output, &bundle, err) &&
        report(options, &bundle, &topology, rounds, err);
    bundle_free(&bundle);
    json_decref(options->passing);
    return routed;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct route_options options = {0};
    enum options_outcome outcome =
        options_parse(&command_route, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "route: no file; expected a schedule, or - for standard input");
    if (options.output == NULL)
        return err_missing(err, "output", "the folder to write");
    return output_check("output", options.output, OUTPUT_FOLDER, err) &&
           machine_request(&options.common.request, &options.request, err) && route(&options, err);
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
    .request = FIELD_FOR_ROUTE,
    COMMAND_OWN(own),
    .run = run,
};
