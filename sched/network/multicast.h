/* SPDX-License-Identifier: Apache-2.0 */
/* multicast: settings of a multicast network for any map from outputs to inputs.
 *
 * multistage.h numbers the stages, lanes and settings.
 */
#ifndef ROUNDCAST_MULTICAST_H
#define ROUNDCAST_MULTICAST_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of multicast_route; opaque, reused from call to call, one per thread. */
struct multicast_router;

/* Creates a router. Precondition: a shape of multistage_multicast. E104. */
struct multicast_router *multicast_router_new(const struct multistage *net, struct err *err);
void multicast_router_free(struct multicast_router *router);

/* Sets every switch so that output o gets the word that input from[o] sends, or nothing if from[o]
 * is MULTISTAGE_IDLE. An input whose word no output gets sends nothing. Equal rounds get equal
 * rows.
 *     from[ports], row[stages][multistage_row_words]
 * Errors: E403 if an input is out of range (row is then undefined). O(ports · log ports); no
 * allocation. Copies by intervals: Lee (1988); such networks of two Beneš networks: Thompson
 * (1978). */
bool multicast_route(struct multicast_router *router, const uint32_t from[], uint32_t *row,
                     struct err *err);

#endif
