/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/run_json.h"

#include "lib/report/run.h"
#include "sched/base/version.h"
#include "sched/bound/bound.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"

/* Returns a number, or null if there is none. */
static json_t *number_or_null(bool has, uint64_t number)
{
    return has ? json_integer((json_int_t)number) : json_null();
}

json_t *run_json_schedule(const struct schedule *schedule)
{
    bool timed = model_has_times(schedule->model);
    char lambda[RATIONAL_TEXT];
    rational_text(schedule->lambda.numerator, schedule->lambda.denominator, lambda);
    json_t *end = report_json_end(schedule->model, schedule->lambda, schedule->end);
    uint64_t bound;
    bool bounded = bound_of_schedule(schedule, &bound);
    return json_pack(
        "{s:o, s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "algorithm",
        report_json_text(schedule->algorithm), "model", model_name(schedule->model), "nodes",
        (json_int_t)schedule_processors(schedule), "packets", (json_int_t)schedule->packets,
        "rounds", timed ? json_null() : end, "time", timed ? end : json_null(), "lambda",
        timed ? json_string(lambda) : json_null(), "bound",
        bounded ? report_json_end(schedule->model, schedule->lambda, bound) : json_null());
}

json_t *run_json_machine(const struct image *image)
{
    const struct machine *machine = &image->machine;
    const struct run *run = &image->run;
    bool hops = machine_hops(machine);
    char network[MACHINE_NETWORK_TEXT], operators[MACHINE_OPERATORS_TEXT];
    return json_pack(
        "{s:s, s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "network",
        machine_network_text(machine, network), "ports", (json_int_t)machine_ports(machine),
        "stages", number_or_null(!hops, hops ? 0 : machine_stages(machine)), "routers",
        number_or_null(hops, hops ? machine_routers(machine) : 0), "latency",
        (json_int_t)machine_latency(machine), "width", (json_int_t)machine->width, "flits",
        (json_int_t)run->flits, "row_cycles", (json_int_t)run->row_cycles, "rows",
        (json_int_t)run->rows, "settings",
        hops ? json_null() : json_string(machine_settings_text(machine->settings)), "programs",
        hops ? json_null()
             : json_string(machine->ranges     ? "ranges"
                           : machine->computed ? "computed"
                                               : "stored"),
        "reconfigure", number_or_null(machine->reconfigures, run->reconfigure), "combine",
        machine->combines ? json_string(machine_operator_name(run->operation)) : json_null(),
        "operators",
        machine->combines
            ? json_string(machine_operators_text(machine_built_operators(machine), operators))
            : json_null());
}

static json_t *checks_json(const struct run_report *run)
{
    const struct simulate_report *report = &run->simulated;
    const struct scoreboard_report *checks = &report->checks;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:o, s:o}", "run_cycles",
        (json_int_t)report->run_cycles, "host_cycles", (json_int_t)report->host_cycles, "expected",
        (json_int_t)checks->expected, "seen", (json_int_t)checks->seen, "wrong",
        (json_int_t)checks->wrong, "flags", (json_int_t)checks->flags, "packets_checked",
        (json_int_t)checks->packets, "packets_corrupt", (json_int_t)checks->corrupt,
        "build_seconds", report->build_seconds, "run_seconds", report->run_seconds, "megabytes",
        run->megabytes, "changes", number_or_null(report->reconfigures, report->setting_changes),
        "trees",
        run->certificate == 0 ? json_null()
                              : report_json_trees(run->certificate, checks->certificate));
}

json_t *run_json(const struct run_report *report)
{
    const struct bundle *bundle = &report->bundle;
    bool holds = report->breach.code == ERR_NONE;
    json_t *root = json_pack("{s:b, s:s, s:s, s:s, s:I, s:o, s:o}", "holds", holds, "version",
                             ROUNDCAST_VERSION, "commit", version_commit(), "engine",
                             report->engines, "payload_bytes", (json_int_t)bundle->payload.size,
                             "seed", number_or_null(report->has_seed, report->seed), "error",
                             holds ? json_null() : report_json_error(&report->breach));
    bool made = root != NULL &&
                json_object_update_new(root, run_json_schedule(&bundle->schedule)) == 0 &&
                json_object_update_new(root, run_json_machine(&bundle->image)) == 0 &&
                json_object_update_new(root, checks_json(report)) == 0;
    if (!made) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* Adds null for each number of a machine and of a run. */
static bool add_nothing(json_t *root)
{
    static const char *const names[] = {"payload_bytes",
                                        "network",
                                        "ports",
                                        "stages",
                                        "routers",
                                        "latency",
                                        "width",
                                        "flits",
                                        "row_cycles",
                                        "rows",
                                        "settings",
                                        "programs",
                                        "reconfigure",
                                        "combine",
                                        "operators",
                                        "run_cycles",
                                        "host_cycles",
                                        "expected",
                                        "seen",
                                        "wrong",
                                        "flags",
                                        "packets_checked",
                                        "packets_corrupt",
                                        "build_seconds",
                                        "run_seconds",
                                        "megabytes",
                                        "changes",
                                        "trees"};
    bool added = true;
    for (size_t which = 0; added && which < sizeof names / sizeof *names; which++)
        added = json_object_set_new(root, names[which], json_null()) == 0;
    return added;
}

json_t *run_json_unrun(const struct schedule *schedule, uint64_t seed)
{
    json_t *root =
        json_pack("{s:b, s:s, s:s, s:s, s:I, s:n}", "holds", 1, "version", ROUNDCAST_VERSION,
                  "commit", version_commit(), "engine", "none", "seed", (json_int_t)seed, "error");
    bool made = root != NULL && add_nothing(root) &&
                json_object_update_new(root, run_json_schedule(schedule)) == 0;
    if (!made) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* -- Requests that are run in processes -------------------------------------------------------- */

static bool write_page(const struct request *request, const struct run_report *report,
                       struct err *err)
{
    const struct bundle *bundle = &report->bundle;
    return request->run.view == NULL ||
           page_write(request->run.view, &bundle->schedule, &bundle->image, report, err);
}

/* Checks the schedule of a request without an engine, and prints its report. */
static bool check_only(const struct request *request, FILE *to, struct err *err)
{
    struct schedule schedule = {0};
    bool holds = run_schedule(request, &schedule, err) &&
                 report_json(to, run_json_unrun(&schedule, request->problem.seed), err);
    schedule_free(&schedule);
    if (!holds)
        report_failure(to, err);
    return holds;
}

bool run_request(const struct request *request, struct engine_store *engines, FILE *to,
                 struct err *err)
{
    if (request->run.engine == RUN_NONE)
        return check_only(request, to, err);
    struct run_report report = {0};
    bool compiled = run_compile(request, &report, err);
    report.options.engines = engines;
    bool printed = compiled && run_simulate(&report, err) && write_page(request, &report, err) &&
                   report_json(to, run_json(&report), err);
    bool holds = printed && report.breach.code == ERR_NONE;
    if (printed && !holds) {
        *err = report.breach;
        err->reported = true;
    }
    run_report_free(&report);
    if (!holds)
        report_failure(to, err);
    return holds;
}
