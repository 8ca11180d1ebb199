/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/run.h"

#include "sched/request/machine_request.h"
#include "sched/request/problem.h"
#include "sched/route/machine_sizing.h"
#include "sched/schedule/schedule_stop.h"
#include "sched/verify/verify.h"
#include "waves/save.h"

#include <sys/resource.h>

bool run_check_request(const struct request *request, struct err *err)
{
    struct instance instance = {0};
    struct compile_request compile;
    struct machine machine;
    struct payload payload = {0};
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

bool run_compile(const struct request *request, struct run_report *report, struct err *err)
{
    struct bundle *bundle = &report->bundle;
    struct instance instance = {0};
    struct compile_request compile;
    struct machine machine;
    struct verify_report verified;
    struct split_report split;
    report->options = run_options(request);
    report->has_seed = true;
    report->seed = request->problem.seed;
    bool compiled =
        run_request_check(request, err) &&
        problem_for_machine(request, &instance, &compile, &machine, &bundle->payload, err) &&
        algorithm_build(instance.algorithm, &instance.collective, &bundle->schedule, err) &&
        verify_schedule(instance.algorithm->name, &bundle->schedule, &verified, err) &&
        compile_rewrite(&compile, &machine, &bundle->schedule, &split, err) &&
        compile_schedule(&compile, &bundle->schedule, &bundle->payload, &machine, &bundle->image,
                         err) &&
        stop_if_asked(request->run.stop_after, &bundle->schedule, err);
    instance_free(&instance);
    return compiled;
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
    if (!simulate_and_save(report, err))
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
