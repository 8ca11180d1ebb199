/* SPDX-License-Identifier: Apache-2.0 */
/* tune_report: prints the report of `tune` for traffic, and parts shared with the report for
 * messages. */
#ifndef ROUNDCAST_CLI_TUNE_REPORT_H
#define ROUNDCAST_CLI_TUNE_REPORT_H

#include "lib/roundcast.h"
#include "lib/roundcast/json.h"

struct tune_report {
    const struct roundcast_tune_table *tune;
    const struct roundcast_request *request; /* the source of the traffic */
    uint32_t top;                            /* rows to show */
};

/* Returns the number of bytes that a row carries per cycle. */
double tune_report_rate(const struct roundcast_tune_table *tune,
                        const struct roundcast_tune_row *row);

/* Returns the common beginning of reports in JSON; `rows` becomes a part of it. */
json_t *tune_report_root(const struct roundcast_tune_table *tune, json_t *rows);

/* Prints the rows, the best first, and the command that runs the first; or the report in JSON.
 * E104, E202. */
bool tune_report_print(const struct tune_report *report, bool json, struct roundcast_error *err);

#endif
