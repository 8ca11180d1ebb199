/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune_report.h"

#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>
#include <limits.h>

#define COMMAND_TEXT (PATH_MAX + 400) /* room for a command line */

double tune_report_rate(const struct roundcast_tune_table *tune,
                        const struct roundcast_tune_row *row)
{
    return (double)tune->bytes / (double)row->cycles;
}

json_t *tune_report_root(const struct roundcast_tune_table *tune, json_t *rows)
{
    return json_pack("{s:I, s:I, s:s, s:I, s:I, s:I, s:o}", "bytes", (json_int_t)tune->bytes,
                     "nodes", (json_int_t)tune->nodes, "network", tune->network, "latency",
                     (json_int_t)tune->latency, "width", (json_int_t)tune->width, "bound_cycles",
                     (json_int_t)tune->bound, "rows", rows);
}

static void traffic_text(const struct tune_report *report, char text[], size_t size)
{
    const struct roundcast_request *traffic = report->request;
    if (traffic->matrix != NULL)
        snprintf(text, size, "--matrix %s", traffic->matrix);
    else
        snprintf(
            text, size, "%s %s -n %" PRIu32, traffic->entries != NULL ? "--entries" : "--pattern",
            traffic->entries != NULL ? traffic->entries : traffic->pattern, report->tune->nodes);
}

/* Writes the command line that runs a row on this machine. */
static const char *command_text(const struct tune_report *report,
                                const struct roundcast_tune_row *row, char text[COMMAND_TEXT])
{
    const struct roundcast_tune_table *tune = report->tune;
    char traffic[PATH_MAX + 100], how[100] = "", seed[30] = "";
    traffic_text(report, traffic, sizeof traffic);
    if (row->method != NULL)
        snprintf(how, sizeof how, " --reconfigure %" PRIu64 " --method %s", tune->change_cycles,
                 row->method);
    else if (!row->usual)
        snprintf(how, sizeof how, " --model %s", row->model);
    if (tune->seed != 1)
        snprintf(seed, sizeof seed, " --seed %" PRIu64, tune->seed);
    snprintf(text, COMMAND_TEXT,
             "roundcast run %s %s%s --packet-bytes %" PRIu32 "%s --network %s --flits %" PRIu32
             " --width %" PRIu32,
             row->algorithm, traffic, seed, row->packet_bytes, how, tune->network, row->flits,
             tune->width);
    return text;
}

static size_t rows_of(const struct tune_report *report)
{
    return MIN(report->tune->count, report->top);
}

static void add_row(struct report_table *table, const struct tune_report *report,
                    const struct roundcast_tune_row *row)
{
    char end[ROUNDCAST_TIME_TEXT], lambda[ROUNDCAST_TIME_TEXT];
    report_cell(table, "%s", row->method != NULL ? row->method : row->model);
    report_cell(table, "%" PRIu32, row->packet_bytes);
    report_cell(table, "%" PRIu32, row->flits);
    report_cell(table, "%" PRIu32, row->packets);
    if (row->method == NULL)
        report_cell(table, "%s",
                    row->times ? roundcast_time_text(row->lambda, row->ticks, lambda) : " ");
    report_cell(table, "%s", roundcast_time_text(row->end, row->ticks, end));
    if (row->method != NULL)
        report_cell(table, "%" PRIu64, row->settings);
    report_cell(table, "%" PRIu64, row->cycles);
    report_cell(table, "%.3f", tune_report_rate(report->tune, row));
    report_cell(table, "%" PRIu64, row->cycles - report->tune->row[0].cycles);
}

static bool print_rows(const struct tune_report *report, struct roundcast_error *err)
{
    static const char *const headings[][9] = {
        {"model", "bytes", "flits", "packets", "λ", "ends", "cycles", "B/cycle", "later"},
        {"method", "bytes", "flits", "packets", "rounds", "settings", "cycles", "B/cycle",
         "later"}};
    struct report_table table = {.columns = 9};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", headings[report->tune->priced][column]);
    for (size_t which = 0; which < rows_of(report); which++)
        add_row(&table, report, &report->tune->row[which]);
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct tune_report *report, struct roundcast_error *err)
{
    const struct roundcast_tune_table *tune = report->tune;
    char command[COMMAND_TEXT];
    printf("traffic   %" PRIu64 " byte%s among %" PRIu32 " node%s\n", tune->bytes,
           text_s(tune->bytes), tune->nodes, text_s(tune->nodes));
    printf("machine   %s: latency %" PRIu32 " cycle%s, flits of %" PRIu32 " bit%s\n", tune->network,
           tune->latency, text_s(tune->latency), tune->width, text_s(tune->width));
    if (tune->priced)
        printf("settings  %" PRIu64 " cycle%s to change one\n", tune->change_cycles,
               text_s(tune->change_cycles));
    printf("bound     %" PRIu64 " cycle%s, whatever the cut\n\n", tune->bound, text_s(tune->bound));
    if (!print_rows(report, err))
        return false;
    printf("\nbytes and flits: of a packet; a packet has bytes of one pair of nodes\n\n%s\n",
           command_text(report, &tune->row[0], command));
    return true;
}

static json_t *json_of(const struct tune_report *report, const struct roundcast_tune_row *row)
{
    const struct roundcast_tune_table *tune = report->tune;
    char command[COMMAND_TEXT], lambda[ROUNDCAST_TIME_TEXT];
    json_t *entry =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:I, s:f, s:I, s:o}", "algorithm", row->algorithm,
                  "model", row->model, "packet_bytes", (json_int_t)row->packet_bytes, "packets",
                  (json_int_t)row->packets, "flits", (json_int_t)row->flits,
                  report_end_name(row->times), roundcast_json_end(row->times, row->end, row->ticks),
                  "cycles", (json_int_t)row->cycles, "bytes_per_cycle", tune_report_rate(tune, row),
                  "gap", (json_int_t)(row->cycles - tune->row[0].cycles), "command",
                  roundcast_json_text(command_text(report, row, command)));
    if (row->method != NULL) {
        roundcast_json_set(&entry, "method", json_string(row->method));
        roundcast_json_set(&entry, "settings", json_integer((json_int_t)row->settings));
    }
    if (row->times)
        roundcast_json_set(&entry, "lambda",
                           json_string(roundcast_time_text(row->lambda, row->ticks, lambda)));
    return entry;
}

static bool print_json(const struct tune_report *report, struct roundcast_error *err)
{
    const struct roundcast_tune_table *tune = report->tune;
    json_t *rows = json_array();
    for (size_t which = 0; which < rows_of(report); which++)
        roundcast_json_append(&rows, json_of(report, &tune->row[which]));
    json_t *root = tune_report_root(tune, rows);
    roundcast_json_set(&root, "not_predicted", json_array());
    if (tune->priced)
        roundcast_json_set(&root, "reconfigure", json_integer((json_int_t)tune->change_cycles));
    return roundcast_json_print(stdout, root, err);
}

bool tune_report_print(const struct tune_report *report, bool json, struct roundcast_error *err)
{
    return json ? print_json(report, err) : print_table(report, err);
}
