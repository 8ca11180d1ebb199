/* SPDX-License-Identifier: Apache-2.0 */
/* batch_report: prints the report of `run --batch`, in the order of the lines. */
#ifndef ROUNDCAST_BATCH_REPORT_H
#define ROUNDCAST_BATCH_REPORT_H

#include "cli/batch.h"

/* Prints a row for each line, and the totals. E104. */
bool batch_report_text(const struct batch *batch, const struct batch_result result[],
                       double seconds, struct roundcast_error *err);

/* Prints the report of each line and the totals as JSON; `breach` is the error of the batch, or
 * ROUNDCAST_E_NONE. E104, E202. */
bool batch_report_json(const struct batch *batch, const struct batch_result result[],
                       const struct roundcast_error *breach, double seconds,
                       struct roundcast_error *err);

#endif
