/* SPDX-License-Identifier: Apache-2.0 */
/* clos: settings of a Clos network, or of a Beneš network of crossbars, whose crossbars all have
 * powers of two of ports, for any partial permutation.
 *
 * multistage.h numbers the stages, lanes and crossbars; clos_any.h routes all other shapes.
 */
#ifndef ROUNDCAST_CLOS_H
#define ROUNDCAST_CLOS_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of clos_route; opaque, reused from call to call, one per thread. */
struct clos_router;

/* Precondition: a shape of multistage_clos or multistage_radix_benes, of a power of two of ports.
 * E401 as clos_any_new; E104. */
struct clos_router *clos_router_new(const struct multistage *net, struct err *err);
void clos_router_free(struct clos_router *router);

/* As clos_any_route, but that the settings are those of a Beneš network of 2×2 switches:
 * O(ports · log ports). */
bool clos_route(struct clos_router *router, const uint32_t to[], uint32_t *row, struct err *err);

#endif
