/* SPDX-License-Identifier: Apache-2.0 */
/* tune: finds the algorithm, the number of packets and the packet size that deliver a message, or
 * traffic, in the fewest cycles. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "cli/tune_report.h"

#include <inttypes.h>

#define COMMAND_TEXT 300 /* room for a command line */
#define NAME_TEXT 60     /* room for an algorithm and its method */

struct tune_options {
    struct options common;
    uint64_t bytes; /* 0: not given */
    uint32_t top;   /* rows to show */
};

static const struct roundcast_field own[] = {
    {"bytes", 0, "B", "tune a message of B bytes, such as 4096, 4K or 1M", ROUNDCAST_FIELD_PROBLEM,
     ROUNDCAST_FIELD_BYTES, offsetof(struct tune_options, bytes), 1, ROUNDCAST_TUNE_MAX_BYTES},
    {"top", 0, "K", "show the K best algorithms (default: all)", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_NUMBER, offsetof(struct tune_options, top), 1, UINT32_MAX},
};

/* Writes the name of a row's algorithm, with its method if it has one. */
static const char *name_text(const struct roundcast_tune_row *row, char text[NAME_TEXT])
{
    snprintf(text, NAME_TEXT, "%s%s%s", row->algorithm, row->method != NULL ? " --method " : "",
             row->method != NULL ? row->method : "");
    return text;
}

/* Writes the command line that runs a row on this machine. λ of the postal model follows from the
 * machine. */
static const char *command_text(const struct roundcast_tune_table *tune,
                                const struct roundcast_tune_row *row, char text[COMMAND_TEXT])
{
    char degree[20] = "", model[40] = "", ports[20] = "", nodes[20], name[NAME_TEXT];
    if (tune->dimensions > 0)
        snprintf(nodes, sizeof nodes, "--dim %" PRIu32, tune->dimensions);
    else
        snprintf(nodes, sizeof nodes, "-n %" PRIu32, tune->nodes);
    if (row->degree != 0)
        snprintf(degree, sizeof degree, " -d %" PRIu32, row->degree);
    if (!row->usual)
        snprintf(model, sizeof model, " --model %s", row->model);
    if (tune->ports > 1)
        snprintf(ports, sizeof ports, " --ports %" PRIu32, tune->ports);
    snprintf(text, COMMAND_TEXT,
             "roundcast run %s %s -m %" PRIu32 "%s%s%s --network %s --flits %" PRIu32
             " --width %" PRIu32,
             name_text(row, name), nodes, row->packets, degree, model, ports, tune->network,
             row->flits, tune->width);
    return text;
}

static void add_row(struct report_table *table, const struct roundcast_tune_table *tune,
                    const struct roundcast_tune_row *row)
{
    char end[ROUNDCAST_TIME_TEXT], lambda[ROUNDCAST_TIME_TEXT], name[NAME_TEXT];
    report_cell(table, "%s", name_text(row, name));
    report_cell(table, "%s", row->model);
    report_cell(table, "%" PRIu32, row->packets);
    report_cell(table, "%" PRIu32, row->flits);
    report_cell(table, row->degree ? "%" PRIu32 : " ", row->degree);
    report_cell(table, "%s",
                row->times ? roundcast_time_text(row->lambda, row->ticks, lambda) : " ");
    report_cell(table, "%s", roundcast_time_text(row->end, row->ticks, end));
    report_cell(table, "%" PRIu64, row->cycles);
    report_cell(table, "%.3f", tune_report_rate(tune, row));
    report_cell(table, "%" PRIu64, row->cycles - tune->row[0].cycles);
}

static bool print_rows(const struct tune_options *options, const struct roundcast_tune_table *tune,
                       struct roundcast_error *err)
{
    static const char *const heading[] = {"algorithm", "model", "packets", "flits",   "d",
                                          "λ",         "ends",  "cycles",  "B/cycle", "later"};
    struct report_table table = {.columns = sizeof heading / sizeof *heading};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t which = 0; which < tune->count && which < options->top; which++)
        add_row(&table, tune, &tune->row[which]);
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct tune_options *options, const struct roundcast_tune_table *tune,
                        struct roundcast_error *err)
{
    char command[COMMAND_TEXT];
    printf("message   %" PRIu64 " byte%s to %" PRIu32 " node%s\n", tune->bytes, text_s(tune->bytes),
           tune->nodes, text_s(tune->nodes));
    printf("machine   %s: latency %" PRIu32 " cycle%s, flits of %" PRIu32 " bit%s\n", tune->network,
           tune->latency, text_s(tune->latency), tune->width, text_s(tune->width));
    if (options->common.request.collective != NULL && tune->demands == 1)
        printf("%-9s 1 demand has all of it\n", tune->collective);
    else if (options->common.request.collective != NULL)
        printf("%-9s %" PRIu64 " demands share it, each of as many packets\n", tune->collective,
               tune->demands);
    printf("bound     %" PRIu64 " cycle%s, whatever the algorithm and the cut\n\n", tune->bound,
           text_s(tune->bound));
    if (!print_rows(options, tune, err))
        return false;
    printf("\nends: rounds of flits + latency cycles, or postal time in units of flits\n"
           "cycles, λ = 1 + latency/flits\n");
    for (size_t which = tune->count; which < tune->count + tune->unknown; which++)
        printf("not tried, because its end is known only after building its schedule: %s, %s\n",
               tune->row[which].algorithm, tune->row[which].model);
    printf("\n%s\n", command_text(tune, &tune->row[0], command));
    return true;
}

static json_t *json_of(const struct roundcast_tune_table *tune,
                       const struct roundcast_tune_row *row)
{
    char command[COMMAND_TEXT], lambda[ROUNDCAST_TIME_TEXT];
    json_t *entry = json_pack(
        "{s:s, s:s, s:I, s:I, s:o, s:I, s:f, s:I, s:s}", "algorithm", row->algorithm, "model",
        row->model, "packets", (json_int_t)row->packets, "flits", (json_int_t)row->flits,
        report_end_name(row->times), roundcast_json_end(row->times, row->end, row->ticks), "cycles",
        (json_int_t)row->cycles, "bytes_per_cycle", tune_report_rate(tune, row), "gap",
        (json_int_t)(row->cycles - tune->row[0].cycles), "command",
        command_text(tune, row, command));
    if (row->method != NULL)
        roundcast_json_set(&entry, "method", json_string(row->method));
    if (row->degree != 0)
        roundcast_json_set(&entry, "d", json_integer(row->degree));
    if (row->times)
        roundcast_json_set(&entry, "lambda",
                           json_string(roundcast_time_text(row->lambda, row->ticks, lambda)));
    return entry;
}

static bool print_json(const struct tune_options *options, const struct roundcast_tune_table *tune,
                       struct roundcast_error *err)
{
    json_t *rows = json_array(), *unknown = json_array();
    for (size_t which = 0; which < tune->count && which < options->top; which++)
        roundcast_json_append(&rows, json_of(tune, &tune->row[which]));
    for (size_t which = tune->count; which < tune->count + tune->unknown; which++)
        roundcast_json_append(&unknown,
                              json_pack("{s:s, s:s}", "algorithm", tune->row[which].algorithm,
                                        "model", tune->row[which].model));
    json_t *root = tune_report_root(tune, rows);
    roundcast_json_set(&root, "not_predicted", unknown);
    return roundcast_json_print(stdout, root, err);
}

static bool print(const struct tune_options *options, const struct roundcast_tune_table *tune,
                  struct roundcast_error *err)
{
    const struct tune_report report = {tune, &options->common.request, options->top};
    const bool json = options->common.json;
    if (tune->traffic)
        return tune_report_print(&report, json, err);
    return json ? print_json(options, tune, err) : print_table(options, tune, err);
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct tune_options options = {.top = UINT32_MAX};
    struct roundcast_tune_table tune = {0};
    enum options_outcome outcome =
        options_parse(&command_tune, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    bool printed = options_no_argument(&options.common, &command_tune, err) &&
                   roundcast_tune_all(&options.common.request, options.bytes, &tune, err) &&
                   print(&options, &tune, err);
    roundcast_tune_table_free(&tune);
    return printed;
}

const struct command command_tune = {
    .name = "tune",
    .arguments = "--bytes B -n N|--dim D [options]",
    .summary = "find the fastest algorithm and packet size",
    .text = "Find the algorithm, the number of packets and the packet size that deliver a message "
            "in the fewest cycles, and print the command that runs the best result. For traffic, "
            "whose numbers are bytes, find the packet size, and with --reconfigure the method.",
    .examples = "roundcast tune --bytes 64K -n 22\nroundcast tune --bytes 4K -n 8 --top 3\n"
                "roundcast tune --bytes 4K --dim 4 --collective all-reduce\n"
                "roundcast tune --matrix m.csv --reconfigure 20us --clock 100",
    .request = ROUNDCAST_FOR_TUNE,
    COMMAND_OWN(own),
    .run = run,
};
