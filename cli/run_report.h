/* SPDX-License-Identifier: Apache-2.0 */
/* run_report: a run of an image, and its report as text or JSON and as a page. */
#ifndef ROUNDCAST_RUN_REPORT_H
#define ROUNDCAST_RUN_REPORT_H

#include "lib/roundcast.h"

#include <stdio.h>

/* Runs the image as the request asks, writes the page that it asks for, and prints the report to a
 * file. Returns false with the error that kept the run from a report, with that of writing, or with
 * the breach of a run that failed: E1xx, E2xx, E4xx, E501, E6xx. */
bool run_report_print(const struct roundcast_image *image, const struct roundcast_request *request,
                      bool json, FILE *to, struct roundcast_error *err);

#endif
