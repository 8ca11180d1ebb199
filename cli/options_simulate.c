#include "cli/options_simulate.h"

#include "cli/options_keys.h"
#include "cli/report.h"
#include "sched/bound/bound.h"
#include "waves/save.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

static bool parse_engine(const char *name, struct options_simulate *options)
{
    struct simulate_options *simulate = &options->simulate;
    if (strcmp(name, "both") == 0) {
        *simulate = (struct simulate_options){.engine_count = 2,
                                              .engine = {ENGINE_CSIM, ENGINE_RTL},
                                              .waves = simulate->waves,
                                              .waves_from = simulate->waves_from,
                                              .waves_to = simulate->waves_to};
        return true;
    }
    for (int kind = 0; kind < ENGINE_COUNT; kind++)
        if (strcmp(name, engine_name((enum engine_kind)kind)) == 0) {
            simulate->engine_count = 1;
            simulate->engine[0] = (enum engine_kind)kind;
            return true;
        }
    return err_set(options->err, ERR_OPTION,
                   "--engine: '%.40s'; expected csim, rtl, netlist or both", name);
}

static bool parse_waves(const char *file, struct options_simulate *options)
{
    size_t length = strlen(file);
    options->simulate.waves = file;
    return (length > 4 && strcmp(file + length - 4, ".fst") == 0) ||
           err_set(options->err, ERR_OPTION, "--waves: '%.200s'; expected a name that ends in .fst",
                   file);
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
    {0},
};

const struct argp options_simulate_argp = {.options = simulate_options, .parser = parse};

static const char *engines_text(const struct simulate_options *simulate)
{
    return simulate->engine_count == 2 ? "csim and rtl, in lockstep"
                                       : engine_name(simulate->engine[0]);
}

static void check_row(struct report_table *table, const char *what, uint64_t expected,
                      uint64_t seen)
{
    report_cell(table, "%s", what);
    report_cell(table, "%" PRIu64, expected);
    report_cell(table, "%" PRIu64, seen);
    report_cell(table, "%s", expected == seen ? "ok" : "WRONG");
}

/* The most memory that this program has had. */
static double peak_megabytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

static bool print_text(const struct options_simulate *options, const struct bundle *bundle,
                       const struct simulate_report *report, struct err *err)
{
    const struct schedule *schedule = &bundle->schedule;
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    const struct scoreboard_report *checks = &report->checks;
    char text[REPORT_END_TEXT], network[REPORT_MACHINE_TEXT];
    printf("schedule  %s, %" PRIu32 " packets to %" PRIu32 " %s, %s: %s", schedule->algorithm,
           schedule->packets, schedule->nodes, schedule->nodes == 1 ? "node" : "nodes",
           model_name(schedule->model), report_end_text(schedule, text));
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        printf(" (bound %s)", rational_text(bound, schedule->lambda.denominator, text));
    bool timed = model_has_times(schedule->model);
    uint32_t unit = timed ? run->flits : run->row_cycles;
    printf("\nmachine   %s; a %s is %" PRIu32 " %s", report_machine_text(machine, network),
           timed ? "unit of time" : "round", unit, unit == 1 ? "cycle" : "cycles");
    if (timed)
        printf(", λ = %s",
               rational_text(schedule->lambda.numerator, schedule->lambda.denominator, text));
    putchar('\n');
    printf("payload   %zu bytes; a packet is %" PRIu32 " flits of %u bits\n", bundle->payload.size,
           run->flits, machine->width);
    printf("engine    %s: %" PRIu64 " cycles in %.2f s (with %" PRIu64
           " of the host port), %.0f MB\n\n",
           engines_text(&options->simulate), report->run_cycles, report->run_seconds,
           report->host_cycles, peak_megabytes());
    struct report_table table = {.columns = 4};
    report_cell(&table, "check");
    report_cell(&table, "expected");
    report_cell(&table, "seen");
    report_cell(&table, " ");
    check_row(&table, "cycles of the run", schedule->end * run->row_cycles, report->run_cycles);
    check_row(&table, "receipts in their exact cycle", checks->expected, checks->seen);
    check_row(&table, "receipts of anything else", 0, checks->wrong);
    check_row(&table,
              machine_hops(machine) ? "nodes and routers with an error flag"
                                    : "nodes with an error flag",
              0, checks->flags);
    check_row(&table, "packets in memory, byte for byte", checks->wanted,
              checks->packets - checks->corrupt);
    return report_table_print(stdout, &table, err);
}

static bool print_json(const struct options_simulate *options, const struct bundle *bundle,
                       const struct simulate_report *report, const struct err *breach,
                       struct err *err)
{
    const struct schedule *schedule = &bundle->schedule;
    const struct scoreboard_report *checks = &report->checks;
    json_t *root =
        json_pack("{s:b, s:o, s:s, s:s, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
                  "s:I, s:I, s:f, s:f, "
                  "s:f}",
                  "holds", breach->code == ERR_NONE, "algorithm",
                  report_json_text(schedule->algorithm), "model", model_name(schedule->model),
                  "engine", engines_text(&options->simulate), "nodes", (json_int_t)schedule->nodes,
                  "packets", (json_int_t)schedule->packets, report_end_name(schedule->model),
                  report_json_end(schedule->model, schedule->lambda, schedule->end), "ports",
                  (json_int_t)machine_ports(&bundle->image.machine), "latency",
                  (json_int_t)machine_latency(&bundle->image.machine), "run_cycles",
                  (json_int_t)report->run_cycles, "host_cycles", (json_int_t)report->host_cycles,
                  "expected", (json_int_t)checks->expected, "seen", (json_int_t)checks->seen,
                  "wrong", (json_int_t)checks->wrong, "flags", (json_int_t)checks->flags,
                  "packets_checked", (json_int_t)checks->packets, "packets_corrupt",
                  (json_int_t)checks->corrupt, "build_seconds", report->build_seconds,
                  "run_seconds", report->run_seconds, "megabytes", peak_megabytes());
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        json_object_set_new(root, "bound",
                            report_json_end(schedule->model, schedule->lambda, bound));
    if (breach->code != ERR_NONE)
        json_object_set_new(root, "error", report_json_error(breach));
    return report_json(stdout, root, err);
}

bool options_simulate_run(const struct options_simulate *options, const struct bundle *bundle,
                          bool json, struct err *err)
{
    struct simulate_report report;
    struct err breach = {0};
    bool holds = simulate(&bundle->image, &bundle->schedule, &bundle->payload, &options->simulate,
                          &report, &breach);
    struct err unsaved = {0};
    if (!save_simulation(options->simulate.waves, &bundle->image, &bundle->schedule,
                         &bundle->payload, &report.trace, &unsaved)) {
        *err = unsaved;
        return false;
    }
    /* What kept us from simulating leaves nothing to report. */
    if (!holds && err_exit_status(breach.code) != 1) {
        *err = breach;
        return false;
    }
    if (!(json ? print_json(options, bundle, &report, &breach, err)
               : print_text(options, bundle, &report, err)))
        return false;
    if (!holds)
        *err = breach;
    else if (!json)
        printf("\nEvery packet arrived in its predicted cycle.\n");
    return holds;
}
