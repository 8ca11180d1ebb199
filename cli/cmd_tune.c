/* SPDX-License-Identifier: Apache-2.0 */
/* tune: which algorithm, how many packets and how many flits bring a message to all nodes first, or
 * traffic to its receivers. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/tune_report.h"
#include "lib/tune.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>

#define COMMAND_TEXT 240 /* room for a command line */

struct tune_options {
    struct options common;
    struct tuning tuning;
    uint64_t bytes; /* 0: not given */
    uint32_t top;   /* rows to show */
};

static const struct field own[] = {
    {"bytes", 0, "B", "tune a message of B bytes, such as 4096, 4K or 1M", FIELD_PROBLEM,
     FIELD_BYTES, offsetof(struct tune_options, bytes), 1, TUNE_MAX_BYTES},
    {"top", 0, "K", "show the K best algorithms (default: all)", FIELD_OUTPUT, FIELD_NUMBER,
     offsetof(struct tune_options, top), 1, UINT32_MAX},
};

static bool has_kind(const struct tune_options *options)
{
    return request_has(&options->common.request, problem.collective);
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
        add_row(&table, &options->tuning.request, &tune->row[which], tune->row[0].cycles);
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct tune_options *options, const struct tune *tune,
                        struct err *err)
{
    const struct tune_request *request = &options->tuning.request;
    const struct machine *machine = &request->machine;
    char network[MACHINE_NETWORK_TEXT], command[COMMAND_TEXT];
    machine_network_text(machine, network);
    printf("message   %" PRIu64 " byte%s to %" PRIu32 " node%s\n", request->bytes,
           text_s(request->bytes), request->nodes, text_s(request->nodes));
    printf("machine   %s: latency %u cycle%s, flits of %u bit%s\n", network,
           machine_latency(machine), text_s(machine_latency(machine)), machine->width,
           text_s(machine->width));
    if (has_kind(options))
        printf("%-9s %" PRIu64 " demand%s share it, each of as many packets\n",
               collective_name(request->kind), collective_demands(request->kind, request->nodes),
               text_s(collective_demands(request->kind, request->nodes)));
    printf("bound     %" PRIu64 " cycle%s, whatever the algorithm and the cut\n\n", tune->bound,
           text_s(tune->bound));
    if (!print_rows(options, tune, err))
        return false;
    printf("\nends: rounds of flits + latency cycles, or postal time in units of flits\n"
           "cycles, λ = 1 + latency/flits\n");
    for (size_t which = tune->count; which < tune->count + tune->unknown; which++)
        printf("not tried, because its end is known only after building its schedule: %s, %s\n",
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
        "bytes_per_cycle", bytes_per_cycle(request, row), "gap", (json_int_t)(row->cycles - best),
        "command", command_text(request, row, command));
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
    const struct tune_request *request = &options->tuning.request;
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

static bool print_message(const struct tune_options *options, struct err *err)
{
    const struct tune *tune = &options->tuning.tune;
    return options->common.json ? print_json(options, tune, err) : print_table(options, tune, err);
}

static bool print_traffic(const struct tune_options *options, struct err *err)
{
    const struct tuning *tuning = &options->tuning;
    const struct tune_report report = {&tuning->request, &tuning->demand,
                                       &options->common.request.problem, options->top,
                                       options->common.json};
    return tune_report_print(&report, &tuning->tune, err);
}

static bool run(int argc, char **argv, struct err *err)
{
    struct tune_options options = {.top = UINT32_MAX};
    enum options_outcome outcome =
        options_parse(&command_tune, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_no_argument(&options.common, &command_tune, err))
        return false;
    bool printed =
        tune_of_request(&options.common.request, options.bytes, &options.tuning, err) &&
        (options.tuning.of_traffic ? print_traffic(&options, err) : print_message(&options, err));
    tuning_free(&options.tuning);
    return printed;
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "--bytes B -n N [options]",
    .summary = "find the fastest algorithm and packet size",
    .text = "Find the algorithm, the number of packets and the flits of a packet that bring a "
            "message to all nodes first, and print the command that runs the winner. For traffic, "
            "whose numbers are bytes, find the bytes of a packet, and with --reconfigure the "
            "method.",
    .examples = "roundcast tune --bytes 64K -n 22\nroundcast tune --bytes 4K -n 8 --top 3\n"
                "roundcast tune --matrix m.csv --reconfigure 20us --clock 100",
    .request = FIELD_FOR_TUNE,
    COMMAND_OWN(own),
    .run = run,
};
