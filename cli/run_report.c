/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_report.h"

#include "cli/page.h"
#include "cli/report.h"
#include "lib/report/run_json.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>

static void check_row(struct report_table *table, const char *what, uint64_t expected,
                      uint64_t seen)
{
    report_cell(table, "%s", what);
    report_cell(table, "%" PRIu64, expected);
    report_cell(table, "%" PRIu64, seen);
    report_cell(table, "%s", expected == seen ? "ok" : "WRONG");
}

static void print_head(const struct run_report *report, FILE *to)
{
    const struct bundle *bundle = &report->bundle;
    const struct simulate_report *simulated = &report->simulated;
    const struct schedule *schedule = &bundle->schedule;
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    char text[REPORT_END_TEXT], network[REPORT_MACHINE_TEXT];
    fprintf(to, "schedule  %s, %" PRIu32 " packet%s to %" PRIu32 " node%s, %s: %s",
            schedule->algorithm, schedule->packets, text_s(schedule->packets), schedule->nodes,
            text_s(schedule->nodes), model_name(schedule->model), report_end_text(schedule, text));
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        fprintf(to, " (bound %s)", rational_text(bound, schedule->lambda.denominator, text));
    bool timed = model_has_times(schedule->model);
    uint32_t unit = timed ? run->flits : run->row_cycles;
    fprintf(to, "\nmachine   %s; a %s is %" PRIu32 " cycle%s",
            report_machine_text(machine, network), timed ? "unit of time" : "round", unit,
            text_s(unit));
    if (timed)
        fprintf(to, ", λ = %s",
                rational_text(schedule->lambda.numerator, schedule->lambda.denominator, text));
    if (machine->reconfigures)
        fprintf(to, ", %" PRIu32 " setting%s of %" PRIu32 " cycle%s each",
                simulated->setting_changes, text_s(simulated->setting_changes), run->reconfigure,
                text_s(run->reconfigure));
    putc('\n', to);
    fprintf(to, "payload   %zu byte%s; a packet is %" PRIu32 " flit%s of %u bit%s\n",
            bundle->payload.size, text_s(bundle->payload.size), run->flits, text_s(run->flits),
            machine->width, text_s(machine->width));
    fprintf(to,
            "engine    %s: %" PRIu64 " cycle%s in %.2f s (with %" PRIu64
            " of the host port), %.0f MB\n\n",
            run_json_engines(&report->options), simulated->run_cycles,
            text_s(simulated->run_cycles), simulated->run_seconds, simulated->host_cycles,
            run_json_megabytes());
}

static bool print_text(const struct run_report *report, FILE *to, struct err *err)
{
    const struct simulate_report *simulated = &report->simulated;
    const struct scoreboard_report *checks = &simulated->checks;
    struct report_table table = {.columns = 4};
    print_head(report, to);
    report_cell(&table, "check");
    report_cell(&table, "expected");
    report_cell(&table, "seen");
    report_cell(&table, " ");
    check_row(&table, "cycles of the run", simulated->expected_cycles, simulated->run_cycles);
    check_row(&table, "receipts in their exact cycle", checks->expected, checks->seen);
    check_row(&table, "receipts of anything else", 0, checks->wrong);
    check_row(&table,
              machine_hops(&report->bundle.image.machine) ? "nodes and routers with an error flag"
                                                          : "nodes with an error flag",
              0, checks->flags);
    check_row(&table, "packets in memory, byte for byte", checks->wanted,
              checks->packets - checks->corrupt);
    if (!report_table_print(to, &table, err))
        return false;
    if (report->breach.code == ERR_NONE)
        fprintf(to, "\nEvery packet arrived in its predicted cycle.\n");
    return true;
}

/* Writes the page of the run. `root`: NULL if there was no memory. */
static bool write_page(const char *page, const struct run_report *report, json_t *root,
                       struct err *err)
{
    json_t *run = json_copy(root);
    report_json_set(&run, "packets_wanted",
                    json_integer((json_int_t)report->simulated.checks.wanted));
    bool written = run != NULL
                       ? page_write(page, &report->bundle.schedule, &report->bundle.image, run, err)
                       : err_no_memory(err, "the report of a page");
    json_decref(run);
    return written;
}

bool run_report_print(const struct run_report *report, const char *page, bool json, FILE *to,
                      struct err *err)
{
    json_t *root = run_json(report);
    bool printed = page == NULL || write_page(page, report, root, err);
    if (printed && json) {
        printed = report_json(to, json_incref(root), err);
    } else if (printed) {
        printed = print_text(report, to, err);
    }
    json_decref(root);
    if (!printed || report->breach.code == ERR_NONE)
        return printed;
    *err = report->breach;
    err->reported = json;
    return false;
}
