/* SPDX-License-Identifier: Apache-2.0 */
/* clos: settings of a Clos network, or of a Beneš network of crossbars, for any partial
 * permutation.
 *
 * multistage.h numbers the stages, lanes and crossbars. Networks whose crossbars all have powers of
 * two of ports are routed faster.
 */
#ifndef ROUNDCAST_CLOS_H
#define ROUNDCAST_CLOS_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* --- Powers of two ------------------------------------------------------------------------ */

/* Working memory of clos_route; opaque, reused from call to call, one per thread. */
struct clos_router;

/* Creates a router. Precondition: a shape of multistage_clos or multistage_radix_benes, with a
 * power of two of ports. E401 as clos_any_new; E104. */
struct clos_router *clos_router_new(const struct multistage *net, struct err *err);
void clos_router_free(struct clos_router *router);

/* Sets every crossbar, with the rules and errors of clos_any_route; the settings are those of a
 * Beneš network of 2×2 switches. O(ports · log ports). */
bool clos_route(struct clos_router *router, const uint32_t to[], uint32_t *row, struct err *err);

/* --- Any size ----------------------------------------------------------------------------- */

/* Routes any shape, including powers of two. */

/* Working memory of clos_any_route; opaque, reused from call to call, one per thread. */
struct clos_any;

/* Creates a router. Precondition: a shape of multistage_clos or multistage_radix_benes. E401 if
 * there are fewer middle crossbars than an outer crossbar has ports, because such a network blocks;
 * E104. */
struct clos_any *clos_any_new(const struct multistage *net, struct err *err);
void clos_any_free(struct clos_any *router);

/* Checks that every permutation passes. E401. */
bool clos_any_passes(const struct multistage *net, struct err *err);

/* Sets every crossbar so that input i reaches output to[i]; MULTISTAGE_IDLE inputs are free. An
 * output of a crossbar has a field that is not 0 only if a circuit needs it, and equal rounds get
 * equal rows on every processor, whatever the router did before. If there are more middle crossbars
 * than an outer crossbar has ports, the first ones are used.
 *     to[ports], row[stages][multistage_row_words]
 * Errors: E403 if two inputs want one output or an output is out of range (row is then undefined).
 * Expected O(ports · log ports) for each two stages; no allocation. Rearrangeable: Slepian and
 * Duguid, see Beneš (1965); routed by edge colouring (colour.h). */
bool clos_any_route(struct clos_any *router, const uint32_t to[], uint32_t *row, struct err *err);

#endif
