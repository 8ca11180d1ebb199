/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run.h"

#include "waves/save.h"

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
    bool saved = save_simulation(waves, &trace, &bundle->image, &bundle->schedule, &bundle->payload,
                                 &report->simulated.trace, err);
    files_discard(&trace); /* unless it stands in its place */
    return saved;
}

bool run_simulate(struct run_report *report, struct err *err)
{
    if (!simulate_and_save(report, err))
        return false;
    if (report->breach.code == ERR_NONE || err_exit_status(report->breach.code) == 1)
        return true;
    *err = report->breach; /* it kept the engines from running */
    return false;
}

void run_report_free(struct run_report *report)
{
    bundle_free(&report->bundle);
}
