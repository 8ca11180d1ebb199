/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/reduction_lab.h"

#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"

const struct simulate_options reduction_lab_csim = {.engine_count = 1, .engine = {ENGINE_CSIM}};
const struct simulate_options reduction_lab_both = {.engine_count = 2,
                                                    .engine = {ENGINE_CSIM, ENGINE_RTL}};

void reduction_lab_build(struct machine machine, bool fits, uint32_t flits, uint64_t seed,
                         struct support_job *job)
{
    struct err err = {0};
    struct verify_report verified;
    support_true(verify_schedule("it", &job->schedule, &verified, &err), &err);
    support_payload(&job->schedule, &machine, flits, seed, &job->payload);
    if (fits)
        support_true(machine_sizing_fit(&job->schedule, flits, NULL, &machine, &err), &err);
    support_true(machine_check(&machine, &err), &err);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
}

struct simulate_report reduction_lab_run(struct support_job *job,
                                         const struct simulate_options *options, uint32_t operation)
{
    struct simulate_report report;
    struct err err = {0};
    route_operator(&job->image, operation);
    support_true(simulate(&job->image, &job->schedule, &job->payload, options, &report, &err),
                 &err);
    assert_int_equal(report.checks.packets, report.checks.wanted);
    assert_true(report.checks.wanted > 0 && report.checks.flags == 0);
    return report;
}
