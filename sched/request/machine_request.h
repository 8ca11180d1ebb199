/* SPDX-License-Identifier: Apache-2.0 */
/* machine_request: converts the request for a machine for the compiler. */
#ifndef ROUNDCAST_MACHINE_REQUEST_H
#define ROUNDCAST_MACHINE_REQUEST_H

#include "sched/request/request.h"
#include "sched/route/compile.h"

/* Converts a request to that of compile.h: machine, payload, seed, and the cycles that a change of
 * settings takes. E101, E102. */
bool machine_request(const struct request *request, struct compile_request *compile,
                     struct err *err);

/* Reads {reconfigure} with {clock}: the cycles of a change of settings, 0 if {reconfigure} is not
 * given. E101, E102. */
bool machine_request_change(const struct problem *problem, uint32_t *cycles, struct err *err);

/* Sets collective->cost.round of a collective with a price: {round-cycles}, or the cycles of the
 * machine that a run would use. E101 for fields of a machine without a price, or together with
 * {round-cycles}; E102, E401 and E402 for a machine that cannot be built. */
bool machine_request_round(const struct request *request, struct collective *collective,
                           struct err *err);

/* Checks the request for a run: a window of rounds requires a trace. E101. */
bool run_request_check(const struct request *request, struct err *err);

#endif
