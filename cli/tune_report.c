/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune_report.h"

#include "cli/report.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>
#include <limits.h>

#define COMMAND_TEXT (PATH_MAX + 400) /* room for a command line */

static void traffic_text(const struct tune_report *report, char text[], size_t size)
{
    const struct problem *traffic = report->problem;
    if (traffic->matrix != NULL)
        snprintf(text, size, "--matrix %s", traffic->matrix);
    else
        snprintf(
            text, size, "%s %s -n %" PRIu32, traffic->entries != NULL ? "--entries" : "--pattern",
            traffic->entries != NULL ? traffic->entries : traffic->pattern, report->request->nodes);
}

/* The command line that runs a row on this machine. */
static const char *command_text(const struct tune_report *report, const struct tune_row *row,
                                char text[COMMAND_TEXT])
{
    const struct machine *machine = &report->request->machine;
    char traffic[PATH_MAX + 100], how[100] = "", seed[30] = "", network[MACHINE_NETWORK_TEXT];
    traffic_text(report, traffic, sizeof traffic);
    if (row->method != NULL)
        snprintf(how, sizeof how, " --reconfigure %" PRIu64 " --method %s", report->demand->price,
                 row->method->name);
    else if (row->model != algorithm_model(row->algorithm))
        snprintf(how, sizeof how, " --model %s", model_name(row->model));
    if (report->demand->seed != 1)
        snprintf(seed, sizeof seed, " --seed %" PRIu64, report->demand->seed);
    machine_network_text(machine, network);
    snprintf(text, COMMAND_TEXT,
             "roundcast run %s %s%s --packet-bytes %" PRIu32 "%s --network %s --flits %" PRIu32
             " --width %u",
             row->algorithm->name, traffic, seed, row->packet_bytes, how, network, row->flits,
             machine->width);
    return text;
}

static double bytes_per_cycle(const struct tune_report *report, const struct tune_row *row)
{
    return (double)report->request->bytes / (double)row->cycles;
}

static size_t rows_of(const struct tune_report *report, const struct tune *tune)
{
    return MIN(tune->count, report->top);
}

static void add_row(struct report_table *table, const struct tune_report *report,
                    const struct tune_row *row, uint64_t best)
{
    char end[RATIONAL_TEXT], lambda[RATIONAL_TEXT];
    bool timed = model_has_times(row->model);
    report_cell(table, "%s", row->method != NULL ? row->method->name : model_name(row->model));
    report_cell(table, "%" PRIu32, row->packet_bytes);
    report_cell(table, "%" PRIu32, row->flits);
    report_cell(table, "%" PRIu32, row->packets);
    if (row->method == NULL)
        report_cell(table, "%s",
                    timed ? rational_text(row->lambda.numerator, row->lambda.denominator, lambda)
                          : " ");
    report_cell(table, "%s", rational_text(row->end, row->lambda.denominator, end));
    if (row->method != NULL)
        report_cell(table, "%" PRIu64, row->settings);
    report_cell(table, "%" PRIu64, row->cycles);
    report_cell(table, "%.3f", bytes_per_cycle(report, row));
    report_cell(table, "%" PRIu64, row->cycles - best);
}

static bool print_rows(const struct tune_report *report, const struct tune *tune, struct err *err)
{
    static const char *const headings[][9] = {
        {"model", "bytes", "flits", "packets", "λ", "ends", "cycles", "B/cycle", "later"},
        {"method", "bytes", "flits", "packets", "rounds", "settings", "cycles", "B/cycle",
         "later"}};
    struct report_table table = {.columns = 9};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", headings[report->demand->priced][column]);
    for (size_t which = 0; which < rows_of(report, tune); which++)
        add_row(&table, report, &tune->row[which], tune->row[0].cycles);
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct tune_report *report, const struct tune *tune, struct err *err)
{
    const struct tune_request *request = report->request;
    const struct machine *machine = &request->machine;
    char network[MACHINE_NETWORK_TEXT], command[COMMAND_TEXT];
    machine_network_text(machine, network);
    printf("traffic   %" PRIu64 " byte%s among %" PRIu32 " node%s\n", request->bytes,
           text_s(request->bytes), request->nodes, text_s(request->nodes));
    printf("machine   %s: latency %u cycle%s, flits of %u bit%s\n", network,
           machine_latency(machine), text_s(machine_latency(machine)), machine->width,
           text_s(machine->width));
    if (report->demand->priced)
        printf("settings  %" PRIu64 " cycle%s to change one\n", report->demand->price,
               text_s(report->demand->price));
    printf("bound     %" PRIu64 " cycle%s, whatever the cut\n\n", tune->bound, text_s(tune->bound));
    if (!print_rows(report, tune, err))
        return false;
    printf("\nbytes and flits: of a packet; a packet has bytes of one pair of nodes\n\n%s\n",
           command_text(report, &tune->row[0], command));
    return true;
}

static json_t *json_of(const struct tune_report *report, const struct tune_row *row, uint64_t best)
{
    char command[COMMAND_TEXT], lambda[RATIONAL_TEXT];
    json_t *entry = json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:o, s:I, s:f, s:I, s:o}", "algorithm", row->algorithm->name,
        "model", model_name(row->model), "packet_bytes", (json_int_t)row->packet_bytes, "packets",
        (json_int_t)row->packets, "flits", (json_int_t)row->flits, report_end_name(row->model),
        report_json_end(row->model, row->lambda, row->end), "cycles", (json_int_t)row->cycles,
        "bytes_per_cycle", bytes_per_cycle(report, row), "gap", (json_int_t)(row->cycles - best),
        "command", report_json_text(command_text(report, row, command)));
    if (row->method != NULL) {
        report_json_set(&entry, "method", json_string(row->method->name));
        report_json_set(&entry, "settings", json_integer((json_int_t)row->settings));
    }
    if (model_has_times(row->model))
        report_json_set(
            &entry, "lambda",
            json_string(rational_text(row->lambda.numerator, row->lambda.denominator, lambda)));
    return entry;
}

static bool print_json(const struct tune_report *report, const struct tune *tune, struct err *err)
{
    const struct tune_request *request = report->request;
    json_t *rows = json_array();
    for (size_t which = 0; which < rows_of(report, tune); which++)
        report_json_append(&rows, json_of(report, &tune->row[which], tune->row[0].cycles));
    char network[MACHINE_NETWORK_TEXT];
    machine_network_text(&request->machine, network);
    json_t *root = json_pack(
        "{s:I, s:I, s:s, s:I, s:I, s:I, s:o, s:[]}", "bytes", (json_int_t)request->bytes, "nodes",
        (json_int_t)request->nodes, "network", network, "latency",
        (json_int_t)machine_latency(&request->machine), "width", (json_int_t)request->machine.width,
        "bound_cycles", (json_int_t)tune->bound, "rows", rows, "not_predicted");
    if (report->demand->priced)
        report_json_set(&root, "reconfigure", json_integer((json_int_t)report->demand->price));
    return report_json(stdout, root, err);
}

bool tune_report_print(const struct tune_report *report, const struct tune *tune, struct err *err)
{
    return report->json ? print_json(report, tune, err) : print_table(report, tune, err);
}
