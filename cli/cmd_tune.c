/* SPDX-License-Identifier: Apache-2.0 */
/* tune: which algorithm, how many packets and how many flits bring a message to all nodes first, or
 * traffic to its receivers. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/options_collective.h"
#include "cli/options_keys.h"
#include "cli/options_traffic.h"
#include "cli/report.h"
#include "cli/tune_report.h"
#include "sched/base/plural.h"
#include "sched/machine/machine_network.h"
#include "sched/plan/tune.h"

#include <inttypes.h>

#define COMMAND_TEXT 240 /* room for a command line */

struct tune_options {
    struct options_common common;
    struct options_traffic traffic;
    struct options_seed seed;
    struct tune_request request;
    enum model model; /* what request.model points to */
    bool has_network, has_kind;
    uint32_t top; /* rows to show */
};

/* Machines move packets and do not combine them. */
static bool check_machine_kind(enum collective_kind kind, struct err *err)
{
    return !collective_rows[kind].combined ||
           err_set(err, ERR_UNSUPPORTED,
                   "--collective: %s combines packets, which no network does yet; expected another "
                   "collective",
                   collective_name(kind));
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct tune_options *options = state->input;
    struct tune_request *request = &options->request;
    struct err *err = options->common.err;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->traffic;
        state->child_inputs[1] = &options->seed;
        state->child_inputs[2] = &options->common;
        return 0;
    case KEY_BYTES:
        return options_refuse(
            options_bytes("--bytes", argument, 1, TUNE_MAX_BYTES, &request->bytes, err));
    case 'n':
        return options_refuse(
            options_number32("-n", argument, 2, SCHEDULE_MAX_NODES, &request->nodes, err));
    case KEY_NETWORK:
        options->has_network = true;
        return options_refuse(machine_parse_network(argument, &request->machine, err));
    case KEY_WIDTH:
        return options_refuse(options_number32("--width", argument, 1, MACHINE_MAX_WIDTH,
                                               &request->machine.width, err));
    case KEY_MODEL:
        request->model = &options->model;
        return options_refuse(options_model(argument, &options->model, err));
    case KEY_COLLECTIVE:
        options->has_kind = true;
        return options_refuse(options_kind(argument, &request->kind, err) &&
                              check_machine_kind(request->kind, err));
    case KEY_TOP:
        return options_refuse(
            options_number32("--top", argument, 1, UINT32_MAX, &options->top, err));
    case ARGP_KEY_ARG:
        return options_refuse(err_set(
            err, ERR_OPTION, "%.40s: 'tune' takes no argument; expected options only", argument));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The command line that runs a row on this machine. λ of the postal model follows from the
 * machine. */
static const char *command_text(const struct tune_request *request, const struct tune_row *row,
                                char text[COMMAND_TEXT])
{
    char degree[20] = "", model[40] = "", network[MACHINE_NETWORK_TEXT];
    if (row->degree != 0)
        snprintf(degree, sizeof degree, " -d %" PRIu32, row->degree);
    if (row->model != algorithm_model(row->algorithm))
        snprintf(model, sizeof model, " --model %s", model_name(row->model));
    machine_network_text(&request->machine, network);
    snprintf(text, COMMAND_TEXT,
             "roundcast run %s -n %" PRIu32 " -m %" PRIu32 "%s%s --network %s --flits %" PRIu32
             " --width %u",
             row->algorithm->name, request->nodes, row->packets, degree, model, network, row->flits,
             request->machine.width);
    return text;
}

static double bytes_per_cycle(const struct tune_request *request, const struct tune_row *row)
{
    return (double)request->bytes / (double)row->cycles;
}

static void add_row(struct report_table *table, const struct tune_request *request,
                    const struct tune_row *row, uint64_t best)
{
    char end[RATIONAL_TEXT], lambda[RATIONAL_TEXT];
    bool timed = model_has_times(row->model);
    report_cell(table, "%s", row->algorithm->name);
    report_cell(table, "%s", model_name(row->model));
    report_cell(table, "%" PRIu32, row->packets);
    report_cell(table, "%" PRIu32, row->flits);
    report_cell(table, row->degree ? "%" PRIu32 : " ", row->degree);
    report_cell(table, "%s",
                timed ? rational_text(row->lambda.numerator, row->lambda.denominator, lambda)
                      : " ");
    report_cell(table, "%s", rational_text(row->end, row->lambda.denominator, end));
    report_cell(table, "%" PRIu64, row->cycles);
    report_cell(table, "%.3f", bytes_per_cycle(request, row));
    report_cell(table, "%" PRIu64, row->cycles - best);
}

static bool print_rows(const struct tune_options *options, const struct tune *tune, struct err *err)
{
    static const char *const heading[] = {"algorithm", "model", "packets", "flits",   "d",
                                          "λ",         "ends",  "cycles",  "B/cycle", "later"};
    struct report_table table = {.columns = sizeof heading / sizeof *heading};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t which = 0; which < tune->count && which < options->top; which++)
        add_row(&table, &options->request, &tune->row[which], tune->row[0].cycles);
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct tune_options *options, const struct tune *tune,
                        struct err *err)
{
    const struct tune_request *request = &options->request;
    const struct machine *machine = &request->machine;
    char network[MACHINE_NETWORK_TEXT], command[COMMAND_TEXT];
    machine_network_text(machine, network);
    plural_print(stdout, "message   %" PRIu64 " bytes to %" PRIu32 " nodes\n", request->bytes,
                 request->nodes);
    plural_print(stdout, "machine   %s: latency %u cycles, flits of %u bits\n", network,
                 machine_latency(machine), machine->width);
    if (options->has_kind)
        plural_print(stdout, "%-9s %" PRIu64 " demands share it, each of as many packets\n",
                     collective_name(request->kind),
                     collective_demands(request->kind, request->nodes));
    plural_print(stdout, "bound     %" PRIu64 " cycles, whatever the algorithm and the cut\n\n",
                 tune->bound);
    if (!print_rows(options, tune, err))
        return false;
    printf("\nends: rounds of flits + latency cycles, or postal time in units of flits\n"
           "cycles, λ = 1 + latency/flits\n");
    for (size_t which = tune->count; which < tune->count + tune->unknown; which++)
        printf("not tried, as only building its schedule tells its end: %s, %s\n",
               tune->row[which].algorithm->name, model_name(tune->row[which].model));
    printf("\n%s\n", command_text(request, &tune->row[0], command));
    return true;
}

static json_t *json_of(const struct tune_request *request, const struct tune_row *row,
                       uint64_t best)
{
    char command[COMMAND_TEXT], lambda[RATIONAL_TEXT];
    json_t *entry = json_pack(
        "{s:s, s:s, s:I, s:I, s:o, s:I, s:f, s:I, s:s}", "algorithm", row->algorithm->name, "model",
        model_name(row->model), "packets", (json_int_t)row->packets, "flits",
        (json_int_t)row->flits, report_end_name(row->model),
        report_json_end(row->model, row->lambda, row->end), "cycles", (json_int_t)row->cycles,
        "bytes_per_cycle", bytes_per_cycle(request, row), "distance",
        (json_int_t)(row->cycles - best), "command", command_text(request, row, command));
    if (row->degree != 0)
        report_json_set(&entry, "d", json_integer(row->degree));
    if (model_has_times(row->model))
        report_json_set(
            &entry, "lambda",
            json_string(rational_text(row->lambda.numerator, row->lambda.denominator, lambda)));
    return entry;
}

static bool print_json(const struct tune_options *options, const struct tune *tune, struct err *err)
{
    const struct tune_request *request = &options->request;
    json_t *rows = json_array(), *unknown = json_array();
    for (size_t which = 0; which < tune->count && which < options->top; which++)
        report_json_append(&rows, json_of(request, &tune->row[which], tune->row[0].cycles));
    for (size_t which = tune->count; which < tune->count + tune->unknown; which++)
        report_json_append(&unknown,
                           json_pack("{s:s, s:s}", "algorithm", tune->row[which].algorithm->name,
                                     "model", model_name(tune->row[which].model)));
    char network[MACHINE_NETWORK_TEXT];
    machine_network_text(&request->machine, network);
    return report_json(stdout,
                       json_pack("{s:I, s:I, s:s, s:I, s:I, s:I, s:o, s:o}", "bytes",
                                 (json_int_t)request->bytes, "nodes", (json_int_t)request->nodes,
                                 "network", network, "latency",
                                 (json_int_t)machine_latency(&request->machine), "width",
                                 (json_int_t)request->machine.width, "bound_cycles",
                                 (json_int_t)tune->bound, "rows", rows, "not_predicted", unknown),
                       err);
}

/* Of a message. */
static bool run_message(struct tune_options *options, struct err *err)
{
    struct tune_request *request = &options->request;
    struct collective unused = {0};
    if (!options_traffic_check(&options->traffic, options->seed.value, &unused) ||
        !options_seed_check(&options->seed, false))
        return false;
    if (request->bytes == 0)
        return err_set(err, ERR_OPTION, "--bytes: not given; expected the bytes of the message");
    if (request->nodes == 0)
        return err_set(err, ERR_OPTION, "-n: not given; expected the number of nodes");
    if (!options->has_network)
        tune_usual_network(request);
    struct tune tune;
    if (!tune_search(request, &tune, err))
        return false;
    bool printed =
        options->common.json ? print_json(options, &tune, err) : print_table(options, &tune, err);
    tune_free(&tune);
    return printed;
}

/* Of traffic, which is read as bytes and cut here. */
static bool load_traffic(struct tune_options *options, struct tune_demand *demand, struct err *err)
{
    struct options_traffic *traffic = &options->traffic;
    struct tune_request *request = &options->request;
    struct collective asked = {.n = request->nodes};
    if (request->bytes != 0 || options->has_kind)
        return err_set(err, ERR_OPTION, "--%s: with --matrix, --entries or --pattern; expected one",
                       request->bytes != 0 ? "bytes" : "collective");
    if (traffic->unit.total != 0)
        return err_set(err, ERR_OPTION, "--total: of packets; expected numbers that are bytes");
    demand->packet_bytes = (uint32_t)traffic->unit.packet_bytes;
    traffic->unit.packet_bytes = 1;
    if (!options_traffic_check(traffic, options->seed.value, &asked) ||
        !options_seed_check(&options->seed, traffic->pattern != NULL || asked.priced))
        return false;
    if (asked.priced && request->model != NULL && !model_row(*request->model)->ports)
        return err_set(err, ERR_OPTION,
                       "--reconfigure: settings are held in the model send-receive only; expected "
                       "no other");
    demand->name = options_traffic_name(traffic);
    demand->bytes = &traffic->traffic;
    demand->priced = asked.priced;
    demand->price = asked.cost.change;
    demand->seed = options->seed.value;
    request->kind = COLLECTIVE_TRAFFIC;
    request->nodes = asked.n;
    request->bytes = asked.load.packets;
    return true;
}

static bool run_traffic(struct tune_options *options, struct err *err)
{
    struct tune_request *request = &options->request;
    struct tune_demand demand = {0};
    struct tune tune = {0};
    const struct tune_report report = {request, &demand, &options->traffic, options->top,
                                       options->common.json};
    bool loaded = load_traffic(options, &demand, err);
    if (loaded && !options->has_network)
        tune_usual_network(request);
    bool printed = loaded && tune_traffic(request, &demand, &tune, err) &&
                   tune_report_print(&report, &tune, err);
    tune_free(&tune);
    options_traffic_free(&options->traffic);
    return printed;
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {{&options_traffic_argp, 0, NULL, 0},
                                                 {&options_seed_argp, 0, NULL, 0},
                                                 {&options_common_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp_option own[] = {
        {"bytes", KEY_BYTES, "B", 0, "of the message, 1 or more", 1},
        {"nodes", 'n', "N", 0, "processors, 2 or more", 1},
        {"network", KEY_NETWORK, "benes:N[,pipe=P][,pad=D]", 0,
         "N ports, a register every P stages (1; 0: none), D more behind (the smallest network "
         "that fits)",
         1},
        {"width", KEY_WIDTH, "W", 0, "bits of a flit, 1 … 31 (16)", 1},
        {"model", KEY_MODEL, "MODEL", 0, "run all algorithms in this one of" MODEL_NAMES, 1},
        {"collective", KEY_COLLECTIVE, "NAME", 0, OPTIONS_KIND_HELP, 1},
        {"top", KEY_TOP, "K", 0, "show the K best algorithms (all)", 1},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .doc =
            "Find which algorithm, how many packets and how many flits bring a message to all "
            "nodes first: each algorithm at its best, in cycles, and the command that runs the "
            "winner. Of traffic, whose numbers are bytes: how many of them a packet should have, "
            "and with --reconfigure the method."};
    struct tune_options options = {.common.err = err,
                                   .traffic.err = err,
                                   .seed = OPTIONS_SEED(err),
                                   .request.machine.width = 16,
                                   .top = UINT32_MAX};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    return options_traffic_given(&options.traffic) ? run_traffic(&options, err)
                                                   : run_message(&options, err);
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "--bytes B -n N [options]",
    .summary = "the fastest algorithm and cut for a message, or traffic",
    .run = run,
};
