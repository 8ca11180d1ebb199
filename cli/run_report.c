/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>

static void check_row(struct report_table *table, const char *what, uint64_t expected,
                      uint64_t seen)
{
    report_cell(table, "%s", what);
    report_cell(table, "%" PRIu64, expected);
    report_cell(table, "%" PRIu64, seen);
    report_cell(table, "%s", expected == seen ? "ok" : "WRONG");
}

/* Adds the certificates of the trees by which packets are combined. */
static void trees_row(struct report_table *table, const struct roundcast_report *report)
{
    report_cell(table, "trees of the combined packets");
    report_cell(table, "%016" PRIx64, report->trees_expected);
    report_cell(table, "%016" PRIx64, report->trees_seen);
    report_cell(table, "%s", report->trees_expected == report->trees_seen ? "ok" : "WRONG");
}

/* Prints the line of a schedule; `bound` NULL: none is known. */
static void print_schedule(const struct roundcast_schedule_info *schedule, const uint64_t *bound,
                           FILE *to)
{
    char text[REPORT_END_TEXT];
    const uint32_t nodes = schedule->nodes / schedule->shared;
    fprintf(to, "schedule  %s, %" PRIu32 " packet%s to %" PRIu32 " node%s", schedule->algorithm,
            schedule->packets, text_s(schedule->packets), nodes, text_s(nodes));
    if (schedule->shared > 1)
        fprintf(to, " of %" PRIu32 " ports", schedule->shared);
    fprintf(to, ", %s: %s", schedule->model, report_end_text(schedule, text));
    if (bound != NULL)
        fprintf(to, " (bound %s)", roundcast_time_text(*bound, schedule->ticks, text));
    putc('\n', to);
}

static void print_head(const struct roundcast_image *image, const struct roundcast_image_info *info,
                       const struct roundcast_report *report, FILE *to)
{
    const struct roundcast_schedule_info schedule = roundcast_image_schedule_info(image);
    char text[ROUNDCAST_TIME_TEXT], machine[ROUNDCAST_MACHINE_TEXT];
    uint32_t unit = schedule.times ? info->flits : info->row_cycles;
    uint64_t bound;
    print_schedule(&schedule, roundcast_image_bound(image, &bound) ? &bound : NULL, to);
    fprintf(to, "machine   %s; a %s is %" PRIu32 " cycle%s",
            roundcast_image_machine(image, machine), schedule.times ? "unit of time" : "round",
            unit, text_s(unit));
    if (schedule.times)
        fprintf(to, ", λ = %s", roundcast_time_text(schedule.lambda, schedule.ticks, text));
    if (report->reconfigures)
        fprintf(to, ", %" PRIu64 " setting%s of %" PRIu32 " cycle%s each", report->changes,
                text_s(report->changes), info->reconfigure, text_s(info->reconfigure));
    if (info->combine != NULL)
        fprintf(to, ", combined by %s", info->combine);
    fprintf(to, "\npayload   %zu byte%s; a packet is %" PRIu32 " flit%s of %" PRIu32 " bit%s\n",
            info->payload_bytes, text_s(info->payload_bytes), info->flits, text_s(info->flits),
            info->width, text_s(info->width));
    fprintf(to,
            "engine    %s: %" PRIu64 " cycle%s in %.2f s (with %" PRIu64
            " of the host port), %.0f MB\n\n",
            report->engine, report->run_cycles, text_s(report->run_cycles), report->run_seconds,
            report->host_cycles, report->megabytes);
}

static bool print_text(const struct roundcast_image *image, const struct roundcast_report *report,
                       FILE *to, struct roundcast_error *err)
{
    const struct roundcast_image_info info = roundcast_image_describe(image);
    struct report_table table = {.columns = 4};
    print_head(image, &info, report, to);
    report_cell(&table, "check");
    report_cell(&table, "expected");
    report_cell(&table, "seen");
    report_cell(&table, " ");
    check_row(&table, "cycles of the run", report->expected_cycles, report->run_cycles);
    check_row(&table, "receipts in their exact cycle", report->expected, report->seen);
    check_row(&table, "receipts of anything else", 0, report->wrong);
    check_row(&table,
              info.routers > 0 ? "nodes and routers with an error flag"
                               : "nodes with an error flag",
              0, report->flags);
    check_row(&table, "packets in memory, byte for byte", report->packets_wanted,
              report->packets_checked - report->packets_corrupt);
    if (report->trees_expected != 0)
        trees_row(&table, report);
    if (!report_table_print(to, &table, err))
        return false;
    if (report->holds)
        fprintf(to, "\nEvery packet arrived in its predicted cycle.\n");
    return true;
}

bool run_report_print(const struct roundcast_image *image, const struct roundcast_request *request,
                      bool json, FILE *to, struct roundcast_error *err)
{
    struct roundcast_report report;
    const struct roundcast_watch watch = {.shows_progress = true};
    const char *view = request->view;
    if (!roundcast_simulate(image, request, &watch, &report, err) &&
        roundcast_error_status(err->code) != 1)
        return false;
    const struct roundcast_page page = {.image = image, .report = &report};
    bool printed = (view == NULL || roundcast_page_write(view, &page, err)) &&
                   (json ? roundcast_json_print(to, roundcast_json_report(image, &report), err)
                         : print_text(image, &report, to, err));
    if (!printed || report.holds)
        return printed;
    *err = report.breach;
    err->reported = json;
    return false;
}

bool run_report_unrun(const struct roundcast_schedule *schedule,
                      const struct roundcast_request *request, bool json, FILE *to,
                      struct roundcast_error *err)
{
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    uint64_t bound;
    if (json)
        return roundcast_json_print(to, roundcast_json_unrun(schedule, request), err);
    print_schedule(&info, roundcast_schedule_bound(schedule, &bound) ? &bound : NULL, to);
    fprintf(to, "\nThe schedule keeps all rules; no engine has run it.\n");
    return true;
}
