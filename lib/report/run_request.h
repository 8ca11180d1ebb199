/* SPDX-License-Identifier: Apache-2.0 */
/* run_request: runs a request and prints its report as JSON, for processes that run one of many
 * requests. */
#ifndef ROUNDCAST_RUN_REQUEST_H
#define ROUNDCAST_RUN_REQUEST_H

#include "lib/report/run.h"

/* Runs a request on engines of a store (NULL: new engines), writes its page if it requests one, and
 * prints its report as JSON, or the error that prevented the run. Returns false with the error of
 * the request or of a failed check. Errors: those of run_compile, run_simulate and page_write,
 * E6xx, E202. */
bool run_request(const struct request *request, struct engine_store *engines, FILE *to,
                 struct err *err);

#endif
