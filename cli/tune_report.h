/* SPDX-License-Identifier: Apache-2.0 */
/* tune_report: the report of `tune` for traffic. */
#ifndef ROUNDCAST_CLI_TUNE_REPORT_H
#define ROUNDCAST_CLI_TUNE_REPORT_H

#include "sched/plan/tune_traffic.h"
#include "sched/request/request.h"

struct tune_report {
    const struct tune_request *request;
    const struct tune_demand *demand;
    const struct problem *problem; /* where the traffic comes from */
    uint32_t top;                  /* rows to show */
    bool json;
};

/* The rows, the best first, and the command that runs the first. E104, E202. */
bool tune_report_print(const struct tune_report *report, const struct tune *tune,
                       struct roundcast_error *err);

#endif
