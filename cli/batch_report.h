/* SPDX-License-Identifier: Apache-2.0 */
/* batch_report: what `run --batch` tells, in the order of the lines. */
#ifndef ROUNDCAST_BATCH_REPORT_H
#define ROUNDCAST_BATCH_REPORT_H

#include "sweep/batch.h"

/* A row for each line, and what they are together. E104. */
bool batch_report_text(const struct batch *batch, const struct batch_result result[],
                       double seconds, struct err *err);

/* The report of each line, and what they are together; `breach` is that of the batch, or of
 * ERR_NONE. E104, E202. */
bool batch_report_json(const struct batch *batch, const struct batch_result result[],
                       const struct err *breach, double seconds, struct err *err);

#endif
