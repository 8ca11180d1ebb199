/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/run.h"

#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/request/given_schedule.h"
#include "sched/request/problem.h"
#include "sched/route/machine_sizing.h"
#include "sched/schedule/schedule.h"
#include "sched/verify/combination.h"
#include "sched/verify/verify.h"
#include "waves/save.h"

#include <inttypes.h>
#include <sys/resource.h>

/* Checks a request for a schedule that is given, as far as possible without running a command. */
static bool check_given(const struct request *request, struct err *err)
{
    struct schedule schedule = {0};
    struct compile_request compile;
    struct machine machine;
    struct payload payload = {0};
    if (!given_schedule_check(request, err))
        return false;
    if (!given_schedule_is_file(request->problem.algorithm))
        return machine_request(request, &compile, err);
    bool right = given_schedule_machine(request, &schedule, &compile, &machine, &payload, err) &&
                 machine_sizing_check_ports(schedule.nodes * schedule.ports, &machine, err);
    payload_free(&payload);
    schedule_free(&schedule);
    return right;
}

/* Checks a request for a schedule that is not run. */
static bool check_schedule(const struct request *request, struct err *err)
{
    struct instance instance = {0};
    struct schedule schedule = {0};
    bool right;
    if (!given_schedule(request))
        right = problem_for_schedule(request, &instance, err) &&
                algorithm_check(instance.algorithm, &instance.collective, err);
    else
        right = given_schedule_check(request, err) &&
                (!given_schedule_is_file(request->problem.algorithm) ||
                 given_schedule_read(request, &schedule, err));
    schedule_free(&schedule);
    instance_free(&instance);
    return right;
}

bool run_check_request(const struct request *request, struct err *err)
{
    struct instance instance = {0};
    if (request->run.engine == RUN_NONE)
        return run_request_check(request, err) && check_schedule(request, err);
    struct compile_request compile;
    struct machine machine;
    struct payload payload = {0};
    if (given_schedule(request))
        return run_request_check(request, err) && check_given(request, err);
    bool right = run_request_check(request, err) &&
                 problem_for_machine(request, &instance, &compile, &machine, &payload, err) &&
                 algorithm_check(instance.algorithm, &instance.collective, err) &&
                 machine_sizing_check_ports((uint32_t)collective_endpoints(&instance.collective),
                                            &machine, err);
    payload_free(&payload);
    instance_free(&instance);
    return right;
}

/* Replaces the schedule of a stream by that of the packets after which the host stops it. */
static bool stop_if_asked(uint32_t packets, struct schedule *schedule, struct err *err)
{
    struct schedule stopped;
    if (packets == 0)
        return true;
    if (!schedule_stop(schedule, packets, &stopped, err))
        return false;
    schedule_free(schedule);
    *schedule = stopped;
    return true;
}

/* Makes the schedule of an algorithm, and chooses the machine. */
static bool build(const struct request *request, struct bundle *bundle,
                  struct compile_request *compile, struct machine *machine, struct err *err)
{
    struct instance instance = {0};
    bool built = problem_for_machine(request, &instance, compile, machine, &bundle->payload, err) &&
                 algorithm_build(instance.algorithm, &instance.collective, &bundle->schedule, err);
    instance_free(&instance);
    return built;
}

/* Returns what messages call the schedule: a file, whose lines they name, or an algorithm. */
static const char *name_of(const struct request *request, const struct schedule *schedule)
{
    bool imported = given_schedule(request) && schedule->origin_count == 0;
    return imported ? "the schedule" : request->problem.algorithm;
}

bool run_schedule(const struct request *request, struct schedule *schedule, struct err *err)
{
    struct instance instance = {0};
    struct verify_report verified;
    bool made = run_request_check(request, err);
    if (made && given_schedule(request))
        made = given_schedule_read(request, schedule, err);
    else if (made)
        made = problem_for_schedule(request, &instance, err) &&
               algorithm_build(instance.algorithm, &instance.collective, schedule, err);
    instance_free(&instance);
    return made && verify_schedule(name_of(request, schedule), schedule, &verified, err);
}

bool run_has_engine(const struct request *request, struct err *err)
{
    return request->run.engine != RUN_NONE ||
           err_set(err, ERR_OPTION, "{engine}: none runs nothing; expected an engine");
}

bool run_compile(const struct request *request, struct run_report *report, struct err *err)
{
    if (!run_has_engine(request, err))
        return false;
    struct bundle *bundle = &report->bundle;
    struct compile_request compile;
    struct machine machine;
    struct verify_report verified;
    struct split_report split;
    report->options = run_options(request);
    report->has_seed = true;
    report->seed = request->problem.seed;
    return run_request_check(request, err) &&
           (given_schedule(request) ? given_schedule_machine(request, &bundle->schedule, &compile,
                                                             &machine, &bundle->payload, err)
                                    : build(request, bundle, &compile, &machine, err)) &&
           verify_schedule(name_of(request, &bundle->schedule), &bundle->schedule, &verified,
                           err) &&
           compile_rewrite(&compile, &machine, &bundle->schedule, &split, err) &&
           compile_schedule(&compile, &bundle->schedule, &bundle->payload, &machine, &bundle->image,
                            err) &&
           stop_if_asked(request->run.stop_after, &bundle->schedule, err);
}

struct simulate_options run_options(const struct request *request)
{
    static const enum engine_kind kinds[RUN_ENGINES] = {
        [RUN_CSIM] = ENGINE_CSIM, [RUN_RTL] = ENGINE_RTL, [RUN_NETLIST] = ENGINE_NETLIST};
    const struct run_request *run = &request->run;
    const bool both = run->engine == RUN_BOTH;
    return (struct simulate_options){.engine_count = both ? 2 : 1,
                                     .engine = {kinds[run->engine], ENGINE_RTL},
                                     .stop_after = run->stop_after,
                                     .waves = run->waves,
                                     .waves_from = run->waves_from,
                                     .waves_to = run->waves_to};
}

/* Simulates; a trace is written to a temporary file first. */
static bool simulate_and_save(struct run_report *report, struct err *err)
{
    const struct bundle *bundle = &report->bundle;
    struct simulate_options options = report->options;
    struct files_output trace;
    const char *waves = options.waves;
    if (waves != NULL && !files_reserve_output(waves, &trace, err))
        return false;
    if (waves != NULL)
        options.waves = trace.temporary;
    report->breach = (struct err){0};
    simulate(&bundle->image, &bundle->schedule, &bundle->payload, &options, &report->simulated,
             &report->breach);
    if (waves == NULL)
        return true;
    bool saved = save_simulation(waves, &trace, bundle, &report->simulated.trace, err);
    files_discard(&trace); /* has no effect on a trace that was moved into place */
    return saved;
}

/* Computes the certificate of the schedule, if the run has one to compare. A run with another one
 * has arrivals that were not predicted, which are its first breach. */
static bool certify(struct run_report *report, struct err *err)
{
    struct combination combination = {0};
    report->certificate = 0;
    if (report->simulated.checks.certificate == 0)
        return true;
    const struct bundle *bundle = &report->bundle;
    if (!combination_of(&bundle->schedule,
                        machine_hops(&bundle->image.machine) ? COMBINATION_BY_PORT
                                                             : COMBINATION_ON_ARRIVAL,
                        &combination, err))
        return false;
    report->certificate = combination.certificate;
    return true;
}

static const char *engines_text(const struct simulate_options *options)
{
    return options->engine_count == 2 ? "csim and rtl, in lockstep"
                                      : engine_name(options->engine[0]);
}

/* Returns the most memory that this process has used. */
static double megabytes(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage); /* cannot fail for the process itself */
    return (double)usage.ru_maxrss / 1024;
}

bool run_simulate(struct run_report *report, struct err *err)
{
    if (!simulate_and_save(report, err) || !certify(report, err))
        return false;
    report->megabytes = megabytes();
    report->engines = engines_text(&report->options);
    if (report->breach.code == ERR_NONE || err_exit_status(report->breach.code) == 1)
        return true;
    *err = report->breach; /* an error that prevented the simulation */
    return false;
}

void run_report_free(struct run_report *report)
{
    bundle_free(&report->bundle);
}

/* -- Descriptions ------------------------------------------------------------------------------ */

const char *describe_end(const struct schedule *schedule, char text[DESCRIBE_END_TEXT])
{
    char number[RATIONAL_TEXT];
    rational_text(schedule->end, schedule->lambda.denominator, number);
    if (model_has_times(schedule->model))
        snprintf(text, DESCRIBE_END_TEXT, "time %s", number);
    else
        snprintf(text, DESCRIBE_END_TEXT, "%" PRIu64 " round%s", schedule->end,
                 text_s(schedule->end));
    return text;
}

static void append_numbers(char text[DESCRIBE_MACHINE_TEXT], const char *title, unsigned height,
                           const uint32_t number[])
{
    text_append(text, DESCRIBE_MACHINE_TEXT, "%s", title);
    for (unsigned level = 1; level <= height; level++)
        text_append(text, DESCRIBE_MACHINE_TEXT, level > 1 ? ",%" PRIu32 : " %" PRIu32,
                    number[level]);
}

const char *describe_machine(const struct machine *machine, char text[DESCRIBE_MACHINE_TEXT])
{
    const struct topology *topology = &machine->topology;
    unsigned count = machine_hops(machine) ? machine_routers(machine) : machine_stages(machine);
    if (topology->dimensions > 0) {
        snprintf(text, DESCRIBE_MACHINE_TEXT, "%s of %u dimension%s", machine_row(machine)->name,
                 topology->dimensions, text_s(topology->dimensions));
    } else if (machine_hops(machine)) {
        snprintf(text, DESCRIBE_MACHINE_TEXT, "%s", machine_row(machine)->name);
        append_numbers(text, "", topology->height, topology->children);
        append_numbers(text, " capacity", topology->height, topology->capacity);
    } else {
        machine_network_name(machine, text);
    }
    char operators[MACHINE_OPERATORS_TEXT];
    if (machine->combines)
        text_append(text, DESCRIBE_MACHINE_TEXT, " that combines");
    if (machine->operators > 0)
        text_append(text, DESCRIBE_MACHINE_TEXT, " by %s only",
                    machine_operators_text(machine->operators, operators));
    text_append(text, DESCRIBE_MACHINE_TEXT, ", %u %s%s, latency %u cycle%s", count,
                machine_hops(machine) ? "router" : "stage", text_s(count), machine_latency(machine),
                text_s(machine_latency(machine)));
    return text;
}
