/* SPDX-License-Identifier: Apache-2.0 */
/* run_request: a request from its problem to its report as JSON, for processes that run one of
 * many. */
#ifndef ROUNDCAST_RUN_REQUEST_H
#define ROUNDCAST_RUN_REQUEST_H

#include "lib/report/run.h"

/* Does the run of a request on engines of a store (NULL: new ones), writes its page if it asks for
 * one, and prints its report as JSON, or the error that kept it from one. False with the error of
 * the request or of a check that failed. Errors: those of run_compile, run_simulate and page_write,
 * E6xx, E202. */
bool run_request(const struct request *request, struct engine_store *engines, FILE *to,
                 struct err *err);

#endif
