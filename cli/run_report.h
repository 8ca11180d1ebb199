/* SPDX-License-Identifier: Apache-2.0 */
/* run_report: runs an image and reports the result as text, in JSON and as a page. */
#ifndef ROUNDCAST_RUN_REPORT_H
#define ROUNDCAST_RUN_REPORT_H

#include "lib/roundcast.h"

#include <stdio.h>

/* Runs the image as the request specifies, writes the page that it requests, and prints the report
 * to a file. Returns false with the error that prevented a report, with an error of writing, or
 * with the failed check of a run: E1xx, E2xx, E4xx, E501, E6xx. */
bool run_report_print(const struct roundcast_image *image, const struct roundcast_request *request,
                      bool json, FILE *to, struct roundcast_error *err);

#endif
