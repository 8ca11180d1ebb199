/* SPDX-License-Identifier: Apache-2.0 */
/* The simulation of an image, as the library offers it. */
#include "lib/inside.h"
#include "lib/report/run.h"
#include "sched/request/machine_request.h"

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
                                        .changes = simulated->setting_changes,
                                        .build_seconds = simulated->build_seconds,
                                        .run_seconds = simulated->run_seconds};
}

bool roundcast_simulate(const struct roundcast_image *image,
                        const struct roundcast_request *request,
                        const struct roundcast_watch *watch, struct roundcast_report *report,
                        struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct run_report run = {.bundle = image->bundle};
    if (!inside_request(request, INSIDE_RUN, &asked, &err) || !run_request_check(&asked, &err))
        return inside_fail(&err, error);
    run.options = run_options(&asked);
    if (watch != NULL)
        run.options.watch = (struct simulate_watch){watch->with, watch->arrival, watch->progress};
    if (!run_simulate(&run, &err))
        return inside_fail(&err, error);
    fill_report(&run, report);
    return report->holds || inside_fail(&run.breach, error);
}
