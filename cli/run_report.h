/* SPDX-License-Identifier: Apache-2.0 */
/* run_report: the report of a run, as text or JSON and as a page. */
#ifndef ROUNDCAST_RUN_REPORT_H
#define ROUNDCAST_RUN_REPORT_H

#include "lib/report/run.h"

/* Writes the page (NULL: none), then prints the report to a file. Returns false with the error of
 * writing, or with the breach of a run that failed. E104, E202, and the codes of breaches. */
bool run_report_print(const struct run_report *report, const char *page, bool json, FILE *to,
                      struct roundcast_error *err);

#endif
