/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_simulate.h"

#include "cli/options_keys.h"
#include "cli/page.h"
#include "cli/report.h"
#include "cli/run_report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"
#include "waves/save.h"

#include <inttypes.h>
#include <string.h>

static bool parse_engine(const char *name, struct options_simulate *options)
{
    struct simulate_options *simulate = &options->simulate;
    const char *known[ENGINE_COUNT + 1] = {[ENGINE_COUNT] = "both"};
    unsigned which;
    for (which = 0; which < ENGINE_COUNT; which++)
        known[which] = engine_name((enum engine_kind)which);
    if (!options_choice("--engine", name, known, ENGINE_COUNT + 1, &which, options->err))
        return false;
    bool both = which == ENGINE_COUNT;
    simulate->engine_count = both ? 2 : 1;
    simulate->engine[0] = both ? ENGINE_CSIM : (enum engine_kind)which;
    simulate->engine[1] = ENGINE_RTL;
    return true;
}

static bool parse_waves(const char *file, struct options_simulate *options)
{
    size_t length = strlen(file);
    options->simulate.waves = file;
    return (length > 4 && strcmp(file + length - 4, ".fst") == 0) ||
           err_set(options->err, ERR_OPTION, "--waves: '%.200s'; expected a name that ends in .fst",
                   file);
}

/* A part of a trace needs a trace. */
static bool check_range(const struct options_simulate *options)
{
    const struct simulate_options *simulate = &options->simulate;
    return simulate->waves != NULL || (simulate->waves_from == 0 && simulate->waves_to == 0) ||
           err_set(options->err, ERR_OPTION, "%s: of no trace; expected --waves FILE.fst with it",
                   simulate->waves_from != 0 ? "--waves-from" : "--waves-to");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_simulate *options = state->input;
    struct simulate_options *simulate = &options->simulate;
    switch (key) {
    case KEY_ENGINE:
        return options_refuse(parse_engine(argument, options));
    case KEY_WAVES:
        return options_refuse(parse_waves(argument, options));
    case KEY_FROM:
        return options_refuse(options_number("--waves-from", argument, 1, UINT32_MAX,
                                             &simulate->waves_from, options->err));
    case KEY_TO:
        return options_refuse(options_number("--waves-to", argument, 1, UINT32_MAX,
                                             &simulate->waves_to, options->err));
    case KEY_VIEW:
        options->page = argument;
        return options_refuse(output_check("--view", argument, OUTPUT_PAGE, options->err));
    case ARGP_KEY_END:
        return options_refuse(check_range(options));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option simulate_options[] = {
    {"engine", KEY_ENGINE, "ENGINE", 0,
     "csim, rtl, netlist, or both: csim and rtl in lockstep (both)", 0},
    {"waves", KEY_WAVES, "FILE.fst", 0, "write the trace, and a save file for GTKWave beside it",
     0},
    {"waves-from", KEY_FROM, "ROUND", 0,
     "the first round, or unit of time, of the trace (the first)", 0},
    {"waves-to", KEY_TO, "ROUND", 0, "the last one (the last)", 0},
    {"view", KEY_VIEW, "FILE.html", 0, "write a page that shows the run, also one that fails", 0},
    {0},
};

const struct argp options_simulate_argp = {.options = simulate_options, .parser = parse};

static void check_row(struct report_table *table, const char *what, uint64_t expected,
                      uint64_t seen)
{
    report_cell(table, "%s", what);
    report_cell(table, "%" PRIu64, expected);
    report_cell(table, "%" PRIu64, seen);
    report_cell(table, "%s", expected == seen ? "ok" : "WRONG");
}

static bool print_text(const struct options_simulate *options, const struct bundle *bundle,
                       const struct simulate_report *report, FILE *to, struct err *err)
{
    const struct schedule *schedule = &bundle->schedule;
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    const struct scoreboard_report *checks = &report->checks;
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
        fprintf(to, ", %" PRIu32 " setting%s of %" PRIu32 " cycle%s each", report->setting_changes,
                text_s(report->setting_changes), run->reconfigure, text_s(run->reconfigure));
    putc('\n', to);
    fprintf(to, "payload   %zu byte%s; a packet is %" PRIu32 " flit%s of %u bit%s\n",
            bundle->payload.size, text_s(bundle->payload.size), run->flits, text_s(run->flits),
            machine->width, text_s(machine->width));
    fprintf(to,
            "engine    %s: %" PRIu64 " cycle%s in %.2f s (with %" PRIu64
            " of the host port), %.0f MB\n\n",
            run_report_engines(&options->simulate), report->run_cycles, text_s(report->run_cycles),
            report->run_seconds, report->host_cycles, run_report_megabytes());
    struct report_table table = {.columns = 4};
    report_cell(&table, "check");
    report_cell(&table, "expected");
    report_cell(&table, "seen");
    report_cell(&table, " ");
    check_row(&table, "cycles of the run", report->expected_cycles, report->run_cycles);
    check_row(&table, "receipts in their exact cycle", checks->expected, checks->seen);
    check_row(&table, "receipts of anything else", 0, checks->wrong);
    check_row(&table,
              machine_hops(machine) ? "nodes and routers with an error flag"
                                    : "nodes with an error flag",
              0, checks->flags);
    check_row(&table, "packets in memory, byte for byte", checks->wanted,
              checks->packets - checks->corrupt);
    return report_table_print(to, &table, err);
}

/* The page of the run, if it is asked for. `root`: NULL if there was no memory. */
static bool write_page(const struct options_simulate *options, const struct bundle *bundle,
                       const struct simulate_report *report, json_t *root, struct err *err)
{
    if (options->page == NULL)
        return true;
    json_t *run = json_copy(root);
    report_json_set(&run, "packets_wanted", json_integer((json_int_t)report->checks.wanted));
    bool written = run != NULL
                       ? page_write(options->page, &bundle->schedule, &bundle->image, run, err)
                       : err_no_memory(err, "the report of a page");
    json_decref(run);
    return written;
}

/* Simulate, and put the trace in its place together with what opens it. False if they cannot be
 * written. */
static bool simulate_and_save(const struct options_simulate *options, const struct bundle *bundle,
                              struct simulate_report *report, bool *holds, struct err *breach,
                              struct err *err)
{
    struct simulate_options simulation = options->simulate;
    struct files_output trace;
    const char *waves = simulation.waves;
    if (waves != NULL && !files_reserve_output(waves, &trace, err))
        return false;
    if (waves != NULL)
        simulation.waves = trace.temporary;
    *holds =
        simulate(&bundle->image, &bundle->schedule, &bundle->payload, &simulation, report, breach);
    if (waves == NULL)
        return true;
    bool saved = save_simulation(waves, &trace, &bundle->image, &bundle->schedule, &bundle->payload,
                                 &report->trace, err);
    files_discard(&trace); /* unless it stands in its place */
    return saved;
}

bool options_simulate_run(const struct options_simulate *options, const struct bundle *bundle,
                          bool json, FILE *to, struct err *err)
{
    struct simulate_report report;
    struct err breach = {0};
    bool holds;
    if (!simulate_and_save(options, bundle, &report, &holds, &breach, err))
        return false;
    /* What kept us from simulating leaves nothing to report. */
    if (!holds && err_exit_status(breach.code) != 1) {
        *err = breach;
        return false;
    }
    json_t *root = run_report_json(options, bundle, &report, &breach);
    bool shown = write_page(options, bundle, &report, root, err);
    if (!shown || !json) {
        json_decref(root);
        root = NULL;
    }
    if (!shown ||
        !(json ? report_json(to, root, err) : print_text(options, bundle, &report, to, err)))
        return false;
    if (!holds) {
        *err = breach;
        err->reported = json;
    } else if (!json) {
        fprintf(to, "\nEvery packet arrived in its predicted cycle.\n");
    }
    return holds;
}
