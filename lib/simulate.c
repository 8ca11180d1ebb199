/* SPDX-License-Identifier: Apache-2.0 */
/* Simulation in the public library: one run, and many runs in parallel. */
#include "lib/inside.h"
#include "lib/report/run.h"
#include "lib/report/run_json.h"
#include "lib/roundcast/json.h"
#include "sched/base/interrupt.h"
#include "sched/request/given_schedule.h"
#include "sched/request/problem.h"
#include "sweep/pool.h"
#include "sweep/sweep.h"
#include "testbench/run/progress.h"

#include <omp.h>

/* --- one run -------------------------------------------------------------------------------- */

static void fill_report(const struct run_report *from, struct roundcast_report *report)
{
    const struct simulate_report *simulated = &from->simulated;
    const struct scoreboard_report *checks = &simulated->checks;
    *report = (struct roundcast_report){.holds = from->breach.code == ERR_NONE,
                                        .run_cycles = simulated->run_cycles,
                                        .expected_cycles = simulated->expected_cycles,
                                        .host_cycles = simulated->host_cycles,
                                        .expected = checks->expected,
                                        .seen = checks->seen,
                                        .wrong = checks->wrong,
                                        .flags = checks->flags,
                                        .packets_wanted = checks->wanted,
                                        .packets_checked = checks->packets,
                                        .packets_corrupt = checks->corrupt,
                                        .trees_expected = from->certificate,
                                        .trees_seen = checks->certificate,
                                        .reconfigures = simulated->reconfigures,
                                        .changes = simulated->setting_changes,
                                        .build_seconds = simulated->build_seconds,
                                        .run_seconds = simulated->run_seconds,
                                        .megabytes = from->megabytes,
                                        .engine = from->engines};
    inside_fail(&from->breach, &report->breach);
}

struct run_report inside_report(const struct roundcast_image *image,
                                const struct roundcast_report *report)
{
    return (struct run_report){.bundle = image->bundle,
                               .engines = report->engine,
                               .has_seed = image->has_seed,
                               .seed = image->seed,
                               .simulated = {.checks = {.expected = report->expected,
                                                        .seen = report->seen,
                                                        .wrong = report->wrong,
                                                        .flags = report->flags,
                                                        .wanted = report->packets_wanted,
                                                        .packets = report->packets_checked,
                                                        .corrupt = report->packets_corrupt,
                                                        .certificate = report->trees_seen},
                                             .expected_cycles = report->expected_cycles,
                                             .reconfigures = report->reconfigures,
                                             .setting_changes = (uint32_t)report->changes,
                                             .run_cycles = report->run_cycles,
                                             .host_cycles = report->host_cycles,
                                             .build_seconds = report->build_seconds,
                                             .run_seconds = report->run_seconds},
                               .certificate = report->trees_expected,
                               .breach = inside_err(&report->breach),
                               .megabytes = report->megabytes};
}

bool roundcast_simulate(const struct roundcast_image *image,
                        const struct roundcast_request *request,
                        const struct roundcast_watch *watch, struct roundcast_report *report,
                        struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct run_report run = {.bundle = image->bundle};
    if (!inside_has_schedule(image, &err) || !inside_request(request, INSIDE_RUN, &asked, &err) ||
        !run_request_check(&asked, &err) || !run_has_engine(&asked, &err))
        return inside_fail(&err, error);
    run.options = run_options(&asked);
    if (watch != NULL) {
        run.options.watch = (struct simulate_watch){watch->with, watch->arrival, watch->progress};
        run.options.shows_progress = watch->shows_progress;
    }
    if (!run_simulate(&run, &err))
        return inside_fail(&err, error);
    fill_report(&run, report);
    return report->holds || inside_fail(&run.breach, error);
}

json_t *roundcast_json_report(const struct roundcast_image *image,
                              const struct roundcast_report *report)
{
    const struct run_report run = inside_report(image, report);
    return run_json(&run);
}

struct roundcast_schedule *roundcast_unrun(const struct roundcast_request *request,
                                           struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct schedule schedule = {0};
    struct roundcast_schedule *made = NULL;
    if (inside_request(request, INSIDE_ALL, &asked, &err) && run_schedule(&asked, &schedule, &err))
        made = inside_wrap(&schedule, request->algorithm, &err);
    else
        schedule_free(&schedule);
    if (made == NULL)
        inside_fail(&err, error);
    return made;
}

json_t *roundcast_json_unrun(const struct roundcast_schedule *schedule,
                             const struct roundcast_request *request)
{
    return run_json_unrun(&schedule->schedule, request->seed);
}

bool roundcast_check_algorithm(const char *name, struct roundcast_error *error)
{
    struct err err = {0};
    const struct request request = {.problem.algorithm = name};
    return given_schedule(&request) || problem_algorithm(&request, &err) != NULL ||
           inside_fail(&err, error);
}

bool roundcast_check(const struct roundcast_request *request, struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    bool right =
        inside_request(request, INSIDE_ALL, &asked, &err) && run_check_request(&asked, &err);
    return right || inside_fail(&err, error);
}

bool roundcast_check_run(const struct roundcast_request *request, struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    return (inside_request(request, INSIDE_RUN, &asked, &err) && run_request_check(&asked, &err)) ||
           inside_fail(&err, error);
}

/* --- many runs ------------------------------------------------------------------------------ */

struct runs {
    const struct roundcast_request *request;
    bool (*done)(void *with, size_t which, const struct roundcast_outcome *outcome);
    void *with;
    struct engine_store *engines; /* one store for each process, empty at first */
    struct progress progress;
    uint64_t count;
};

static bool run_one(const void *context, size_t which, FILE *to, struct err *err)
{
    const struct runs *runs = context;
    struct request asked;
    if (inside_request(&runs->request[which], INSIDE_ALL, &asked, err))
        return run_request(&asked, runs->engines, to, err);
    report_failure(to, err);
    return false;
}

/* Runs one request, in its own process. */
static void work(void *context, size_t which, FILE *to)
{
    outcome_write(run_one, context, which, to);
}

static bool done(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err)
{
    (void)err;
    struct runs *runs = context;
    struct outcome from;
    outcome_read(&from, "the run", bytes, size, status);
    struct roundcast_outcome outcome = {
        .json = from.report, .size = from.size, .seconds = from.seconds};
    inside_fail(&from.err, &outcome.error);
    progress_show(&runs->progress, ++runs->count);
    return runs->done(runs->with, which, &outcome);
}

bool roundcast_run_each(const struct roundcast_request request[], size_t count, uint32_t jobs,
                        bool (*visit)(void *with, size_t which,
                                      const struct roundcast_outcome *outcome),
                        void *with, struct roundcast_error *error)
{
    struct err err = {0};
    if (jobs > POOL_MAX_WORKERS) {
        err_out_of_range(&err, "jobs", jobs, 1, POOL_MAX_WORKERS);
        return inside_fail(&err, error);
    }
    struct runs runs = {.request = request,
                        .done = visit,
                        .with = with,
                        .engines = engine_store_new(&err),
                        .progress = progress_begin("runs", count)};
    const struct pool pool = {.what = "the runs of a batch",
                              .count = count,
                              .workers = jobs > 0 ? jobs : pool_processors(),
                              .context = &runs,
                              .work = work,
                              .done = done};
    if (runs.engines == NULL)
        return inside_fail(&err, error);
    interrupt_hold();
    bool ran = pool_run(&pool, &err);
    progress_end(&runs.progress);
    interrupt_release();
    engine_store_free(runs.engines);
    return ran || inside_fail(&err, error);
}

void roundcast_threads(unsigned count)
{
    omp_set_num_threads((int)count);
}
